"""What in a text is a question, and the single questions of a compound one."""

import re
from typing import Final

from mnemis.text.sentence_spans import sentences

_TAIL: Final = " \t\"'”’»)]}」』）】》~～"
_ASKED_ZH: Final = re.compile(r"(?:吗|呢|(?:什|怎|多|要|是|对|好|行|能|会)么)[。.!！~～啊呀]{0,3}$")
_NOT_ASKED_ZH: Final = re.compile(
    r"(?:没什么|没有什么|不算什么|才不是呢|还早呢|着呢)[。.!！~～]{0,3}$"
)
_FINAL: Final = tuple(".。!！…;；")
_WH: Final = r"(?:what|when|where|who|whom|whose|which|why|how)(?:'s|’s|'re|’re)?"
_OPENS_EN: Final = re.compile(
    rf"(?:(?:and|so|but|or|also|then|ok|hey|hi|well|please)[ ,]+)*(?:{_WH}\b"
    r"(?!\s+(?:an?|i|you|we|they|he|she|it|nice|great|lovely|sweet|cool|funny)\b)"
    r"|(?:do|did|have|will|can|could|would|should|shall|may)"
    r"(?:n't|n’t)?\s+(?:i|you|we|they|he|she)\b"
    r"|(?:is|are|was|were|does|did|has|can|could|would|should|will)(?:n't|n’t)?\s+"
    r"(?:i|you|we|they|he|she|it|there|this|that|these|those|the|my|your|our|his|her|their"
    r"|any|every|some)\b"
    r"|am\s+i\b)",
    re.IGNORECASE,
)
_OPENS_ZH: Final = re.compile(
    r"(?:那|那么|请问|另外|还有)?[，,]?(?:什么|哪|谁|多少|为什么|为何|怎么|怎样|几[点个号月年天岁次]|何时|何地|是否|如何|是不是|有没有)"
)
_INSIDE_ZH: Final = re.compile(
    r"什么时候|几点|几号|哪里|哪儿|哪个|哪些|哪天|是谁|多少钱|怎么样|是什么|叫什么|多久|多大|为什么"
)
_TOLD_ZH: Final = re.compile(r"知道|告诉|记得|说过|不管|无论|谁都|哪里都|什么时候都")


def question_share(text: str) -> float:
    """Return which share, from 0 to 1, of the characters of `text` stands in questions.

    Blanks do not count. A sentence asks when it ends with a question mark or a Chinese question
    particle, or, in a text that sets no final mark, when it opens as a question.
    """
    asked = total = 0
    marked = text.rstrip().rstrip(_TAIL).endswith(_FINAL)
    for start, end in sentences(text):
        sentence = text[start:end]
        weight = len("".join(sentence.split()))
        total += weight
        if _asks(sentence, marked=marked):
            asked += weight
    return asked / total if total else 0.0


def _asks(sentence: str, *, marked: bool) -> bool:
    core = sentence.rstrip(_TAIL)
    ending = core[-8:].rstrip("!！.。…")
    if ending.endswith(("?", "？")):
        return True
    if _ASKED_ZH.search(core[-8:]) and not _NOT_ASKED_ZH.search(core[-10:]):
        return True
    if marked or core.endswith(_FINAL):
        return False
    if _OPENS_EN.match(core) or _OPENS_ZH.match(core):
        return True
    return bool(_INSIDE_ZH.search(core)) and not _TOLD_ZH.search(core)


_ENDED: Final = re.compile(r"[?？]++[\"'”’」』）)!！]*+")
_CONNECTIVE: Final = re.compile(
    r"[ \t]{0,3}[,;.，；。]?\s{0,3}\band {1,3}also\b[,，]?\s{0,3}"
    r"|\s{0,3}[;.；。]\s{0,3}(?:also|additionally|in addition|plus|besides)\b[,，]?\s{0,3}"
    rf"|[,，]?\s{{0,3}}\balso,?\s{{1,3}}(?={_WH}\b)"
    rf"|\s{{0,3}}[,;，；]\s{{0,3}}and\s{{1,3}}(?={_WH}\b)"
    r"|[，,；;。.、\s]{0,4}(?:另外|此外|除此之外|顺便问一下|顺便问下|顺便)(?:还想问|想问|再问|问)?(?:一下)?[，,：:、\s]+"
    r"|(?<=[，,；;。？?!！\s])(?:另外|此外|还有|以及)[，,：:、\s]*"
    r"|还有[，,：:]\s{0,3}"
    r"|以及(?=[^，,。；;？?]{1,40}呢)",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(
    r"^(?:(?:and also|and|also|plus|additionally|in addition|another question|another thin"
    r"g)\b[,:，]?\s+"
    r"|(?:另外|还有|此外|以及|顺便问一下|同时)[，,：:、\s]*(?:还想问|想问)?(?:一下)?[，,]?)+",
    re.IGNORECASE,
)
_EDGE: Final = " \t\n,，;；、:：."


def split_compound(text: str) -> list[str]:
    """Return the single questions of a compound one, in order, without their connectives.

    A text with one question comes back alone and unchanged, and so does any text in which
    no connective is found.
    """
    pieces: list[str] = []
    start = 0
    for match in _ENDED.finditer(text):
        pieces.extend(_at_connectives(text[start : match.end()]))
        start = match.end()
    rest = _at_connectives(text[start:])
    if pieces and len(rest) == 1 and not _asks(rest[0], marked=False):
        # "Where is it? I forgot." is one question with a remark.
        return [text] if len(pieces) == 1 else pieces
    pieces.extend(rest)
    return pieces if len(pieces) > 1 else [text]


def _at_connectives(text: str) -> list[str]:
    kept: list[str] = []
    for piece in _CONNECTIVE.split(text):
        bare = _LEADING.sub("", piece.strip(_EDGE), count=1) if piece else ""
        if any(char.isalnum() for char in bare):
            kept.append(bare)
    return kept
