"""Character classes of the writing systems that the text layer tells apart.

The strings are the insides of regular-expression character classes.
"""

from typing import Final

HAN: Final = (
    r"\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020"
    r"000-\U0003ffff"
)
KANA: Final = r"\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL: Final = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
CJK: Final = HAN + KANA + HANGUL

# Thai, Lao, Tibetan, Burmese and Khmer write without spaces, just as Chinese does.
UNSPACED: Final = (
    r"\u0e01-\u0e4e\u0e50-\u0e59\u0e81-\u0ecd\u0ed0-\u0edf\u0f40-\u0fbc\u1000-\u1049\u1780"
    r"-\u17d3"
)

# Signs that belong to the letter before them, though Python's \w leaves them out.
MARKS: Final = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903"
    r"\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d"
    r"\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d\u0b82\u0bbe-\u0bcd\u0c00-\u0c04"
    r"\u0c3c-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d\u0dca-\u0ddf"
)

EMOJI: Final = (
    r"\u203c\u2049\u2139\u2194-\u21aa\u2300-\u23ff\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    r"\u2b05-\u2b55\u3030\u303d\U0001f000-\U0001f0ff\U0001f18e-\U0001faff"
)
