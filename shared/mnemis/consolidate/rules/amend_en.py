"""English ways to settle on a value and to overturn one, whatever the sentence is built like.

"49 euros instead of 59", "Lebanese it is", "X takes over from Y", "back to coffee", "15 April is
off". A sentence that supposes, wishes, asks for or reports asserts none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules import lexicon_en as lex
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.lexicon_habits import SPORT_WORD, habit_aspect, sport_of
from mnemis.consolidate.rules.objects_en import EMPTY_OBJECTS, tidy
from mnemis.consolidate.rules.values import AMOUNT, DAY, kind_of

_NAME: Final = r"(?:(?-i:[A-ZÀ-Þ])[\w&'’.+-]*\w(?:\s(?-i:[A-ZÀ-Þ])[\w&.+-]*\w){0,3})"
_FIGURE: Final = rf"(?:{AMOUNT}|{DAY}|\d[\d.,]*%?)"
_VALUE: Final = rf"(?:{_FIGURE}|{_NAME})"
_THING: Final = rf"(?:{_VALUE}|(?:(?-i:[a-z])[\w-]+\s){{0,2}}(?-i:[a-z])[\w-]+)"

_UNDECIDED: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|wish|pretend|would|could|might|may(?! \d)|maybe|perhaps|should|"
    r"joking|kidding|in theory|thinking (?:of|about)|considering|trying to|aim(?:ing)? (?:to|for)|in order to|wants?|wanted|hopes?|hoping|tempted|propos\w+|suggest\w*|"
    r"almost|nearly|used to|vote|asked|says?|said|told|heard|reads?|apparently they|rumou?rs?|dream\w*|"
    r"(?:not|(?:is|are|wo|do|did|does|have|has|ca|would)n['’]t|never) (?:be )?(?:going|switch\w*|mov\w+|chang\w+|replac\w+|drop\w*|leav\w+|go|use|using|swap\w*))\b",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r"^(?:(?:and|but|so|well|now|today|yesterday|last \w+|this \w+)[\s,]+)*(?:he|she|they|someone|somebody|people|everyone|"
    r"(?:my|his|her|their|your)\s(?!plan\b|new\b|morning|daily|usual)\w+|you)\b",
    re.IGNORECASE,
)
_LET: Final = r"(?:let['’]?s|let us|we['’]?ll|we will|we['’]re|we are|i['’]m|we|shall we|then we|i['’]ll|ok(?:ay)?,?|then,?|fine,?|so)"


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_INSTEAD: Final = (
    _p(
        rf"(?P<o>{_VALUE})\s*,?\s+(?:instead of|rather than|in place of)\s+(?:the\s+)?(?P<r>{_VALUE})"
    ),
    _p(rf"\binstead of\s+(?:the\s+)?(?P<r>{_VALUE})\s*,\s*(?:[\w'’]+\s){{0,5}}?(?P<o>{_VALUE})"),
    _p(rf"(?P<o>{_FIGURE}),?\s+(?:and\s+)?not\s+(?:on\s+|at\s+)?(?P<r>{_FIGURE})"),
    _p(rf"\bnot\s+(?:on\s+|at\s+)?(?P<r>{_FIGURE})\s*,?\s*but\s+(?:on\s+|at\s+)?(?P<o>{_FIGURE})"),
    _p(
        r"\b(?:mov(?:ed?|es|ing)|chang(?:ed?|es|ing)|switch(?:ed|es|ing)?|goes|go|going|went|gone|rais(?:ed?|es)|lower(?:ed|s)?|cut|drop(?:ped|s)?|"
        r"push(?:ed|es)?|shift(?:ed|s)?|postponed?|rescheduled?|migrat(?:ed?|es|ing)|slipp?(?:ed|s)?|up|down|brought|swapp?(?:ed)?|over)\b"
        rf"(?:\s[\w'’-]+){{0,6}}?\s+from\s+(?:the\s+)?(?P<r>{_THING})\s+to\s+(?:the\s+)?(?P<o>{_THING})"
    ),
    _p(
        rf"\b(?:replac(?:ed?|es|ing))\s+(?:the\s+)?(?P<r>{_VALUE})\s+(?:with|by)\s+(?:the\s+)?(?P<o>{_VALUE})"
    ),
    _p(
        rf"\b(?:swapp?(?:ed)?|trad(?:ed?|ing))\s+(?:my\s+|our\s+|the\s+)?(?P<r>{_THING})\s+for\s+(?:an?\s+|the\s+|some\s+)?(?P<o>{_THING})"
    ),
    _p(
        rf"(?P<o>{_NAME})\s+(?:(?:has|will|is going to)\s+)?(?:replac(?:es|ed|e)|tak(?:es|e|en)\s+over\s+from|took\s+over\s+from|takes\s+the\s+place\s+of|is\s+replacing)\s+(?P<r>{_NAME})"
        r"(?:\s+as\s+(?:our\s+|the\s+|my\s+|a\s+)?(?P<a>[a-z][\w -]+?)(?=[.,;!]|\s+(?:from|on|in|next|this|starting)\b|$))?"
    ),
)
_OVER: Final = (
    _p(
        rf"(?P<r>{_VALUE})\s+(?:is|are|was|['’]s)\s+(?:now\s+)?(?:off(?!\s+\w)|out(?!\s+\w)|gone|dead|history|cancel?led|scrapped|no longer (?:possible|an option|on|true|valid)|impossible|not happening|off the table|ruled out)\b"
    ),
    _p(
        rf"\b(?:we|i|let['’]?s|we['’]re|i['’]m)\s+(?:\w+\s+)?(?:drop(?:ped|ping)?|ditch(?:ed|ing)?|scrap(?:ped|ping)?|abandon(?:ed|ing)?|leav(?:e|ing)|left|cancel(?:led|ing)?|stopp?(?:ed|ing)? (?:using|with)|done with|got rid of|moved? (?:away|off) from|moving (?:away|off) from)\s+(?P<r>{_NAME})(?=\s*(?:[,.;!]|and\b|for\b|in favou?r|because\b|after\b|now\b|then\b|$))"
    ),
    _p(
        rf"\b(?:forget|no longer|no more|goodbye|bye|so long)\s*,?\s+(?:about\s+|using\s+|with\s+|on\s+)?(?P<r>{_VALUE})(?=\s*[,.;!]|$)"
    ),
)
_SETTLED: Final = (
    _p(rf"^(?:[\w'’]+[,:!]\s+)?(?P<o>(?:{_THING}))\s+it\s+is(?=\s*[.,!;]|$)"),
    _p(
        rf"\b{_LET}\s+(?:just\s+|all\s+|definitely\s+|finally\s+)?(?:go(?:ing)?|went|stick(?:ing)?|stay(?:ing)?)\s+(?:back\s+)?(?:with|for|to)\s+(?:the\s+)?(?P<o>{_VALUE})(?:\s+(?:for|as)\s+(?:the\s+|our\s+)?(?P<a>[a-z][\w -]+?))?(?=\s*[.,!;]|\s+(?:because|since|after|and|instead|then|from|this|next|again|now)\b|$)"
    ),
    _p(
        rf"\b{_LET}\s+(?:just\s+|do\s+|finally\s+)?(?:take|use|using|pick|picked|choose|chose|make it|say|do|start on|settled? (?:on|for)|decided? (?:on|for)|agreed? on|book(?:ed)?|sign(?:ed)? with)\s+(?:the\s+)?(?P<o>{_VALUE})(?:\s+(?:for|as)\s+(?:the\s+|our\s+)?(?P<a>[a-z][\w -]+?))?(?=\s*[.,!;]|\s+(?:because|since|after|and|instead|then|from|this|next|again|now)\b|$)"
    ),
    _p(rf"^(?:ok(?:ay)?,?\s+|so\s+|right,?\s+)?then(?:\s+it['’]s)?\s+(?P<o>{_NAME})(?=\s*[.,!]|$)"),
    _p(
        rf"\b(?:i['’]ve|we['’]ve|i have|we have|i|we)\s+(?:now\s+)?(?:gone|switched|changed|moved)\s+over\s+to\s+(?:(?:an?|the)\s+[a-z]+\s+(?:called|named)\s+)?(?P<o>{_NAME})"
    ),
    _p(rf"^(?:go|going)\s+(?:back\s+)?(?:with|for)\s+(?P<o>{_NAME})(?=\s*[.,!;]|$)"),
    _p(
        rf"\b(?:goes|go|going|went|gone|are|['’]re|moved?|switch(?:ed|ing)?)\s+back\s+(?:to|with)\s+(?:the\s+|using\s+)?(?P<o>{_NAME})(?=\s*[.,!;]|\s+(?:because|since|for|after|and|now)\b|$)"
    ),
)
_DONE_BY: Final = _p(
    rf"(?P<s>(?:the|our)\s+[a-z][\w -]{{2,40}}?)(?:,[^,.;]{{2,40}},)?\s+(?:goes|go|went|is going|are going|moves|moved|switches|switched)\s+(?:back\s+|over\s+)?to\s+(?P<o>{_NAME})(?=\s*[.,;!]|$)"
)
_KEEP_ON: Final = _p(
    rf"(?P<s>(?:the|our)\s+[a-z][\w -]{{2,30}}?)\s+(?:(?:are|is)\s+(?:now\s+)?(?:stored|kept|hosted)|live[s]?|now\s+live[s]?)\s+(?:on|in|at|with)\s+(?P<o>{_NAME})(?=\s*[.,;!]|\s+(?:now|instead|because|since)\b|$)"
)

_REPLACES: Final = _p(
    r"instead of|rather than|place of|\bnot\b|\bfrom\b.*\bto\b|replac|swap|\btrad(?:e|ed|ing)\b|over from"
)
_ENDS: Final = _p(
    r"\b(?:off|out|gone|dead|history|cancel\w*|scrapp?\w*|longer|impossible|happening|table|drop\w*|ditch\w*|abandon\w*|leav\w+|left|stopp?\w*|done|rid|away|forget|more|bye|goodbye|so long)\b"
)
_CUPS: Final = _p(r"\bcups?\s+of\s+(?P<o>(?:[a-z]+\s)?[a-z]+)\b")
_BACK_TO: Final = _p(
    r"\bI(?:['’]m|\s+am|['’]ve\s+gone|\s+have\s+gone|\s+went)\s+back\s+(?:to|on)\s+(?:drinking\s+|eating\s+|doing\s+|playing\s+)?(?P<o>[a-z][\w-]+(?:\s[a-z][\w-]+)?)"
)
_GIVEN_UP: Final = _p(
    r"\b(?:I(?:['’]ve| have)?\s+(?:\w+ly\s+)?(?:given\s+up|gave\s+up|quit|cut\s+out|sworn\s+off|gone\s+off|stopped|done\s+with)|I(?:['’]m| am)\s+(?:now\s+)?(?:off(?!\s+(?:to|work|on|the|for)\b)|done\s+with))\s+"
    r"(?:(?:drinking|eating|playing|doing|having|smoking)\s+)?(?P<o>[A-Za-z][\w-]*(?:\s(?!(?:and|for|because|since|on|in|at|now|when|after|as|but|so|last|this|until|to|with)\b)[A-Za-z][\w-]*)?)"
)
_BANNED: Final = _p(
    rf"\b(?:(?:has|have|was|were)\s+)?(?:banned|forbidden|forbade)\s+(?:me\s+(?:from\s+)?|from\s+)?(?P<o>{SPORT_WORD}|coffee|alcohol|sugar|meat|dairy)\b"
)
_TAKEN_UP: Final = _p(
    rf"\bI(?:['’]ve| have|['’]m| am)?\s+(?:(?:now|just|recently|actually)\s+)?(?:taken\s+up|took\s+up|started|picked\s+up|got\s+into|into|do|doing|switched\s+to|moved\s+on\s+to|back\s+to|go|going|play|playing|been|train\s+for)\s+(?:playing\s+|doing\s+|going\s+)?(?P<o>{SPORT_WORD})\b(?!\s+(?:out|away|late|short|around|an?|the|my|into|to|after|for|errands)\b)"
)
_AGENT: Final = _p(
    r"\bI(?:['’]m| am)\s+(?:now\s+)?an?\s+(?P<o>swimmer|runner|climber|rower|cyclist|boxer|surfer)\b(?P<n>\s+now)?"
)
_ACTS: Final = _p(
    r"\bI\s+(?:now\s+|still\s+|usually\s+)?(?P<o>run|swim|row|climb|cycle|jog)\b(?=\s+(?:every|on\s+\w+days?|\w+\s+times|twice|once|in\s+the\s+\w+ing|now|these\s+days|before\s+work|after\s+work|at\s+\w+\s+every|again)|\s*[.,!]|$)"
)


def amendments(sentence: str) -> Iterator[Claim]:
    """Claims of one sentence: what was settled, and (``replaces``) instead of what."""
    text = sentence.strip()
    if _UNDECIDED.search(text):
        return
    seen: set[str] = set()
    ours = _OTHERS.match(text) is None
    own = (*(_habits(text) if ours else ()), *_stops(text))
    if own:
        for claim in own:
            if claim.object.lower() not in seen:
                seen.add(claim.object.lower())
                yield claim
    for pattern in _INSTEAD if _REPLACES.search(text) else ():
        for match in pattern.finditer(text):
            claim = _replaced(match, text)
            if claim is not None and (ours or claim.aspect) and claim.object.lower() not in seen:
                seen.add(claim.object.lower())
                yield claim
    if not ours:
        return
    for pattern, relation in ((_DONE_BY, "supplied_by"), (_KEEP_ON, "decided")):
        found = pattern.search(text)
        target = tidy(found.group("o"), keep_article=False) if found else ""
        if found and _is_name(target) and kind_of(target) == "name" and target.lower() not in seen:
            seen.add(target.lower())
            yield Claim(
                subject=tidy(found.group("s"), keep_article=False).lower(),
                relation=relation,
                object=target,
                text=found.group(),
                subject_type="concept",
            )
    for pattern in _SETTLED:
        settled = pattern.search(text)
        target = tidy(settled.group("o"), keep_article=False) if settled else ""
        if settled and _settles(target) and target.lower() not in seen:
            seen.add(target.lower())
            yield _decided(target, settled.groupdict().get("a") or "", settled.group())


def over(sentence: str) -> tuple[str, ...]:
    """Values that a sentence says are no longer what holds."""
    if not _ENDS.search(sentence) or _UNDECIDED.search(sentence) or _OTHERS.match(sentence.strip()):
        return ()
    found = [
        tidy(match.group("r"), keep_article=False)
        for pattern in _OVER
        for match in pattern.finditer(sentence)
    ]
    return tuple(each for each in dict.fromkeys(found) if _is_name(each))


def _is_name(target: str) -> bool:
    return bool(target) and target.split()[0].lower() not in lex.NOT_NAMES


def _settles(target: str) -> bool:
    low = target.lower()
    return (
        bool(target)
        and low not in EMPTY_OBJECTS
        and (low.split()[0] not in lex.NOT_NAMES or any(char.isdigit() for char in target))
        and len(target.split()) <= 5
    )


def _decided(target: str, aspect: str, text: str) -> Claim:
    topic = tidy(aspect, keep_article=False).lower()
    base = Claim(subject=topic, relation="decided", object=target, text=text)
    if topic:
        return replace(base, subject_type="concept")
    return replace(base, subject_type="person")


def _replaced(match: re.Match[str], text: str) -> Claim | None:
    new, old = (tidy(match.group(key), keep_article=False) for key in ("o", "r"))
    if not new or not old or new.lower() == old.lower():
        return None
    kinds = {kind_of(new), kind_of(old)}
    if len(kinds) > 1 and not kinds <= {"money", "number"} and not kinds <= {"name", "thing"}:
        return None
    if kinds <= {"name", "thing"} and not (_settles(new) and _settles(old)):
        return None
    aspect = match.groupdict().get("a") or ""
    base = Claim(
        subject="", relation="decided", object=new, text=text, replaces=old, subject_type="person"
    )
    if aspect:
        topic = tidy(aspect, keep_article=False).lower()
        return replace(base, subject=topic, subject_type="concept")
    if kinds == {"number"}:
        return None  # "from 300 to 15": of what, the sentence does not say here
    habit = habit_aspect(new) or (habit_aspect(old) if kinds == {"thing"} else "")
    if habit:
        return replace(base, relation="uses", aspect=habit)
    return base


def _habits(text: str) -> Iterator[Claim]:
    base = Claim(subject="", relation="uses", object="", text=text, subject_type="person")
    if re.search(r"\b(?:I|I['’]m|I['’]ve|my)\b", text) is None:
        return
    if (match := _CUPS.search(text)) and habit_aspect(match.group("o")) == "drink":
        yield replace(base, object=match.group("o"), aspect="drink")
    if (match := _BACK_TO.search(text)) and (aspect := habit_aspect(match.group("o"))):
        yield replace(base, object=match.group("o"), aspect=aspect)
    for pattern in (_TAKEN_UP, _AGENT, _ACTS):
        if match := pattern.search(text):
            sport = sport_of(match.group("o"))
            changed = pattern is _AGENT or bool(
                re.search(r"took|taken|switched|moved", match.group())
            )
            yield replace(base, object=sport, aspect="sport", corrects=changed)
            return


def _stops(text: str) -> Iterator[Claim]:
    base = Claim(subject="", relation="avoids", object="", text=text, subject_type="person")
    for pattern in (_GIVEN_UP, _BANNED):
        if match := pattern.search(text):
            target = tidy(match.group("o"), keep_article=False)
            target = sport_of(target) or target
            if target and target.lower() not in EMPTY_OBJECTS | _NOT_HABITS:
                yield replace(base, object=target)


_NOT_HABITS: Final = frozenset(
    "hope trying looking waiting working asking thinking by going at my job work school on".split()
)
