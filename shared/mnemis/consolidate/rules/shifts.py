"""What a turn states in frames of which one value holds at a time, and whether that is new.

Frames are wider than relations: who keeps a matter, somebody's address, post, pastime or taste,
what a thing is called, costs or is fixed for. A frame alone asserts nothing; ``shifts`` finds the
older turn whose statement a newer one puts an end to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Final, Literal

from mnemis.consolidate.rules import shifts_en as rules_shifts_en
from mnemis.consolidate.rules import shifts_zh as rules_shifts_zh
from mnemis.consolidate.rules.hedges import is_hedged, is_passing, takes_back
from mnemis.consolidate.rules.news import given, is_added, is_unreal, is_wished
from mnemis.text.normalise import fold, language
from mnemis.text.sentences import question_share, sentences

Frame = Literal[
    "keeper", "home", "post", "ended", "taste", "name", "amount", "day", "where", "contact"
]


LINKS: Final[Mapping[Frame, float]] = {
    "keeper": 0.9,
    "home": 0.0,
    "post": 0.0,
    "ended": 0.9,
    "taste": 0.5,
    "name": 0.6,
    "amount": 0.6,
    "day": 0.6,
    "where": 0.9,
    "contact": 0.0,
}
"""How much two turns must share, in rare words, to be about one matter."""
TOLD: Final[Mapping[Frame, tuple[str, str, str]]] = {
    "keeper": ("has_value", "in charge", "负责人"),
    "home": ("lives_in", "address", "地址"),
    "post": ("has_value", "work", "工作"),
    "ended": ("has_value", "", ""),
    "taste": ("has_value", "", ""),
    "name": ("named", "", ""),
    "amount": ("costs", "", ""),
    "day": ("scheduled_for", "", ""),
    "where": ("located_in", "", ""),
    "contact": ("contact_is", "number", "电话"),
}
"""Relation, and the aspect in both languages ("": the matter's word)."""
_LONGEST: Final = 240
"""A longer sentence says too much to be the statement of one thing."""


_REASON: Final = re.compile(r",?\s*\bbecause\b.*$|[，,]因为.*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """``value``: what holds, "" where only the clause tells; ``owner``: whose it is when not the
    speaker's ("?": a person named by a pronoun alone); ``begins``: it is said to be new.
    """

    frame: Frame
    value: str
    clause: str
    owner: str = ""
    begins: bool = False


@lru_cache(maxsize=8_192)
def stated(text: str, before: str = "") -> tuple[Stated, ...]:
    """What the sentences of a text state, in order; ``before`` is what another said just before."""
    found: list[Stated] = []
    spans = sentences(text)
    after = [text[start:end] for start, end in spans[1:]]
    for number, (start, end) in enumerate(spans):
        sentence = text[start:end].strip()
        if number < len(after) and takes_back(after[number]):
            continue
        if sentence.rstrip("\"'”’) ").endswith(("?", "？")) or question_share(sentence) > 0.5:
            continue
        if len(sentence) <= _LONGEST and not is_unreal(_REASON.sub("", sentence)):
            hedged = is_hedged(sentence)
            found.extend(
                each
                for each in _in_sentence(sentence, before if number == 0 else "")
                if not (hedged and each.frame in _ASSERTED)
            )
    return tuple(found)


_ASSERTED: Final = frozenset({"keeper", "home", "name", "amount", "where", "contact"})
"""Frames of which a sentence that plans or denies says nothing."""


def _in_sentence(sentence: str, before: str) -> Iterator[Stated]:
    rules = _rules(sentence)
    stays = rules.STAYS.search(sentence) is not None
    news = not stays and rules.BEGINS.search(sentence) is not None
    owner = _owner(sentence, rules)
    keeper = _keeper(sentence, before, rules)
    if keeper is not None:
        begins = news or keeper[1] or rules.TAKES.search(sentence) is not None
        begins = begins and not (stays or is_added(sentence) or is_passing(sentence))
        yield Stated(frame="keeper", value=keeper[0], clause=sentence, begins=begins)
    if (home := _home(sentence, before, rules)) is not None:
        begins = not stays and (news or home[1])
        yield Stated(frame="home", value=home[0], clause=sentence, owner=owner, begins=begins)
    if (number := rules.NUMBER.search(sentence)) is not None:
        begins = rules.NEW_NUMBER.search(sentence) is not None
        yield Stated(
            frame="contact", value=number.group("v"), clause=sentence, owner=owner, begins=begins
        )
    takes_up = rules.JOB_NEW.search(sentence) is not None
    if takes_up or rules.JOB.search(sentence):
        yield Stated(
            frame="post", value="", clause=sentence, owner=owner, begins=takes_up and not stays
        )
    over = rules.ENDS.search(sentence) is not None and rules.ONCE.search(sentence) is None
    if over or rules.LASTS.search(sentence):
        yield Stated(frame="ended", value="", clause=sentence, owner=owner, begins=over)
    turns = rules.TASTE_TURNS.search(sentence) is not None
    if turns or rules.TASTE.search(sentence):
        yield Stated(
            frame="taste", value="", clause=sentence, owner=owner, begins=turns and not stays
        )
    if name := _name(sentence, before, rules):
        begins = news or rules.NAME_TURNS.search(sentence) is not None
        yield Stated(frame="name", value=name, clause=sentence, owner=owner, begins=begins)
    yield from _amounts(sentence, before, rules, owner=owner, stays=stays)
    if (place := rules.PLACE.search(sentence)) is not None:
        moves = news or rules.MOVES.search(sentence) is not None
        yield Stated(
            frame="where",
            value=place.group("v") or place.group("w"),
            clause=sentence,
            owner=owner,
            begins=moves and not stays,
        )


def is_own(clause: str) -> bool:
    """Whether a clause names the speaker."""
    return _rules(clause).FIRST.search(clause) is not None


def leaves_out_who(clause: str) -> bool:
    """Whether a clause does not say that it is about the speaker."""
    rules = _rules(clause)
    return rules is rules_shifts_zh and rules.FIRST.search(clause) is None


def speaks_of_another(text: str) -> bool:
    """Whether a text names another person by kinship or by a pronoun."""
    return _owner(text, _rules(text)) != "" or _HIM.search(text) is not None


_HIM: Final = re.compile(r"[他她](?!们)|\b(?:he|she|him|her|his)\b", re.IGNORECASE)


def agrees(text: str) -> bool:
    """Whether a reply opens by accepting what was proposed."""
    return _rules(text).AGREES.search(text.strip()) is not None


def proposes(text: str) -> bool:
    """Whether a text proposes or offers something."""
    return _rules(text).PROPOSES.search(text) is not None


def says_new(text: str) -> bool:
    """Whether a text says that what it says is new."""
    rules = _rules(text)
    stays = rules.STAYS.search(text) is not None or is_added(text)
    return not stays and not is_wished(text) and rules.BEGINS.search(text) is not None


def asks_who(text: str) -> bool:
    """Whether a text asks who does something."""
    return _rules(text).WHO.search(text) is not None


def says_shift(text: str) -> bool:
    """Whether any word of the text can tell of a shift; cheap, and true too often."""
    rules = _rules(text)
    return any(
        each.search(text)
        for each in (
            rules.BEGINS,
            rules.TAKES,
            rules.JOB_NEW,
            rules.ENDS,
            rules.TASTE_TURNS,
            rules.RAISED,
            rules.ADDRESS,
            rules.NEW_NUMBER,
        )
    )


def _rules(text: str) -> ModuleType:
    return rules_shifts_zh if language(text) == "zh" else rules_shifts_en


def _owner(sentence: str, rules: ModuleType, *, named: bool = True) -> str:
    """Whose matter a sentence is about, "" for the speaker's."""
    match = rules.OWNERS.search(sentence)
    if rules is rules_shifts_zh:
        if match is None:
            bare = rules.FIRST.search(sentence) is None
            return "?" if bare and rules.PRONOUN.search(sentence) else ""
        return fold(match.group("k") or match.group("n"))
    first = rules.FIRST.search(sentence)
    if match is not None and (first is None or match.start() < first.start()):
        return re.sub(r"(?:['’]s|s)$", "", fold(match.group("k")))
    called = rules.NAMED_OWNER.search(sentence) if named and first is None else None
    if called is not None and fold(called.group("k")) not in _OPENERS:
        return fold(called.group("k"))
    return ""


_OPENERS: Final = frozenset(
    "the a an it its that this these those there then so but and or if when since because from as "
    "at in on for with to of now today yesterday tomorrow every each all most some both not no yes "
    "good great nice what who where how why only just also still long first last next rent price "
    "my our your his her their mine she he they we you i landlord landlady studio phone".split()
)


def _keeper(sentence: str, before: str, rules: ModuleType) -> tuple[str, bool] | None:
    """Who keeps a matter, and whether that answers the question who does."""
    answers = bool(before) and asks_who(before)
    if not answers and not rules.KEEPS.search(sentence) and not rules.TAKES.search(sentence):
        return None
    for pattern in (*((rules.BARE_KEEPER,) if answers else ()), *rules.KEEPER):
        for match in pattern.finditer(sentence):
            name = match.group("v")
            first = _WORD.match(fold(name))
            if first is None or first.group() not in rules.NOT_KEEPERS:
                return name, answers
    return None


_WORD: Final = re.compile(r"[^\W_]+")


def _home(sentence: str, before: str, rules: ModuleType) -> tuple[str, bool] | None:
    """The speaker's address, and whether a question for it got it as its answer."""
    if lives := rules.LIVES.search(sentence):
        return lives.group("v") or lives.group("w"), False
    match = rules.ADDRESS.search(sentence)
    asked = _rules(before) if before else rules
    if match is None or not before or not asked.ASKS_ADDRESS.search(before):
        return None
    return None if asked.NOT_HOME.search(before) else (match.group("v"), True)


def _name(sentence: str, before: str, rules: ModuleType) -> str:
    if match := rules.CALLS.search(sentence):
        return str(next(each for each in match.groups() if each))
    if before and _rules(before).ASKS_NAME.search(before):
        bare = rules.BARE_NAME.search(sentence)
        return str(bare.group("v")) if bare else ""
    return ""


def _amounts(
    sentence: str, before: str, rules: ModuleType, *, owner: str, stays: bool
) -> Iterator[Stated]:
    priced = f"{before} {sentence}" if before else sentence
    raised = rules.RAISED.search(sentence) is not None
    raised = raised and not stays and not is_added(sentence)
    if rules.PAID.search(sentence) or (
        not rules.PRICED.search(priced) and not (raised and rules.RAISES.search(sentence))
    ):
        return
    found = [match.group("v") for match in rules.AMOUNT.finditer(sentence)]
    if found:
        yield Stated(frame="amount", value=found[-1], clause=sentence, owner=owner, begins=raised)


def days(text: str, *, asked: bool = False) -> tuple[Stated, ...]:
    """Days that a text names, also those of its questions if ``asked``."""
    return tuple(
        Stated(
            frame="day",
            value=each.value,
            clause=each.clause,
            owner=_owner(each.clause, _rules(each.clause), named=False),
        )
        for each in given(text, asked=asked)
        if each.kind in ("day", "week", "clock") and (asked or not each.supposed)
    )


_UNNAMED: Final = 0.75


def only_starts(day: Stated) -> bool:
    """Whether a day only says from when on something holds."""
    value = re.escape(day.value)
    start = rf"\b(?:from|since|until|till|by|before|after)\s+{value}|{value}(?:起|开始)"
    return re.search(start, day.clause, re.IGNORECASE) is not None


def of_one_kin(new: Stated, said: Stated) -> bool:
    """Whether a person left open in one clause may be the kin that the other names."""
    return "?" in (new.owner, said.owner) and "" not in (new.owner, said.owner)


def link_wanted(new: Stated, said: Stated) -> float:
    """What a link must be; of a post that neither clause calls the speaker's own, more."""
    if new.frame == "post" and not (is_own(new.clause) and is_own(said.clause)):
        return _UNNAMED
    return LINKS[new.frame]
