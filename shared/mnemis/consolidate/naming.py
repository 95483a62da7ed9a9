"""Who and what a turn names, by rules in both languages and by what the batch has in common."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Final

from mnemis.consolidate.census import Census
from mnemis.consolidate.rules import names_en, names_zh
from mnemis.consolidate.rules.cues import NOT_SAME_ZH, TWINS, TWINS_ZH
from mnemis.consolidate.rules.names_en import Mention
from mnemis.consolidate.rules.recurring_zh import surname_only
from mnemis.consolidate.rules.speech import is_personal, visible
from mnemis.model.graph import EntityType, Turn
from mnemis.ports.extractor import FoundEntity

_SAME_KINDS: Final[dict[str, EntityType]] = {
    "公司": "organisation",
    "人": "person",
    "地方": "place",
    "产品": "product",
}


def entities_of(turn: Turn, *, known: Set[str], census: Census) -> list[FoundEntity]:
    """The names in a turn by offset; ``known`` are name keys that the memory has."""
    text = visible(turn.text, personal=is_personal(turn))
    mentions: dict[int, Mention] = {}
    for mention in (
        *names_zh.find_names(text, known=known),
        *names_en.find_names(text, known=known, words=census.words),
        *_by_surname(text, census),
    ):
        mentions.setdefault(mention.start, mention)
    found = [
        FoundEntity(
            turn=turn.id,
            name=each.name,
            start=each.start,
            type=each.type,
            qualifier=each.qualifier,
            aliases=(census.whole[each.name],) if each.name in census.whole else (),
        )
        for each in (_typed(mention, census) for _, mention in sorted(mentions.items()))
    ]
    return _with_twins(turn, text, found)


def _typed(mention: Mention, census: Census) -> Mention:
    """A mention with the type that other turns gave away: "leaving Desmond" is no place."""
    kind = census.names.get(mention.name, "other")
    if kind != "other" and (
        mention.type == "other" or (kind == "person" and mention.type in ("place", "organisation"))
    ):
        return replace(mention, type=kind)
    return mention


def _by_surname(text: str, census: Census) -> Iterator[Mention]:
    """ "主刀姓裴": the one whom the turns around call by this surname, if there is one alone."""
    for surname, start in surname_only(text):
        held = census.surnames.get(surname, ())
        addressed = [each for each in held if each[1:] in text] if len(held) > 1 else held
        if len(addressed) == 1:
            yield Mention(name=addressed[0], start=start, type="person")


def _with_twins(turn: Turn, text: str, found: list[FoundEntity]) -> list[FoundEntity]:
    """ "Two are called Kim Lee: one in finance, one in design" makes two; "A 和 B 是同一家" one."""
    for pattern in (TWINS, TWINS_ZH):
        if match := pattern.search(text):
            name = match.group(1)
            found = [each for each in found if each.name != name]
            for group in (2, 3):
                found.append(
                    FoundEntity(
                        turn=turn.id,
                        name=name,
                        start=match.start(1),
                        type="person",
                        qualifier=match.group(group),
                    )
                )
    if match := NOT_SAME_ZH.search(text):
        kind = _SAME_KINDS.get(match.group(3) or "", "other")
        found = [each for each in found if not match.start() <= each.start < match.end(2)]
        found.append(
            FoundEntity(
                turn=turn.id,
                name=match.group(1),
                start=match.start(1),
                type=kind,
                aliases=(match.group(2).strip(),),
            )
        )
    return found
