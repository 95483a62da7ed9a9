"""Extraction to knowledge: found names and facts of one episode enter the register and the book.

Episodes are taken in the order of their turns; each sees what the ones before it made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mnemis.consolidate.extract import FILLER
from mnemis.consolidate.relate import owner_of
from mnemis.consolidate.resolve import Register, owner_like
from mnemis.consolidate.rules import lexicon_en, lexicon_zh
from mnemis.consolidate.titles import title_of
from mnemis.consolidate.validity.facts import FactBook
from mnemis.model.graph import Entity, EntityType, Turn
from mnemis.ports.extractor import Extraction, FoundCause, FoundFact
from mnemis.text.normalise import language

_TO_THINGS: Final = frozenset(
    "lives_in moved_from born_in works_at reports_to manages colleague_of member_of studies_at "
    "studies knows friend_of family_of parent_of partner_of likes dislikes uses owns has_pet "
    "allergic_to has_condition avoids located_in part_of made_by supplied_by visited "
    "prefers".split()
)
"""Relations whose object is something one would ask for; other objects stay text."""

_WRITTEN: Final = "document"
_LONGEST_THING: Final = 3
_LONGEST_THING_ZH: Final = 8


@dataclass(slots=True)
class Knowledge:
    """What a batch found. ``mentions`` maps (turn, entity) to the first offset; ``spots`` a turn to
    (start, end, entity); ``owned`` pairs (owner, owned person, turn).
    """

    register: Register
    book: FactBook
    mentions: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    spots: dict[str, list[tuple[int, int, str]]] = field(
        default_factory=dict[str, list[tuple[int, int, str]]]
    )
    owned: dict[tuple[str, str], Turn] = field(default_factory=dict[tuple[str, str], Turn])
    fact_turns: dict[str, float] = field(default_factory=dict[str, float])
    supports: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    _present: list[str] = field(default_factory=list[str])
    _passages: set[str] = field(default_factory=set[str])
    _named_in: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    causes: list[FoundCause] = field(default_factory=list[FoundCause])

    def take(self, extraction: Extraction, turns: Sequence[Turn]) -> None:
        """Resolve and file everything found in one episode."""
        by_id = {turn.id: turn for turn in turns}
        told = {each for fact in extraction.facts for each in fact.turns}
        self._passages.update(
            turn.id
            for turn in turns
            if title_of(turn) and (len(turns) == 1 or turn.role == _WRITTEN)
        )
        self._speakers(turns)
        for fact in extraction.facts:
            if fact.relation == "named" and fact.polarity:
                self._name(fact, by_id)
        for found in extraction.entities:
            turn = by_id.get(found.turn)
            if turn is None or (turn.density <= FILLER and turn.id not in told):
                continue
            entity = self._resolve(found.name, found.type, turn, found.qualifier, found.aliases)
            if entity is not None:
                place = max(0, found.start)
                self.mentions.setdefault((turn.id, entity), place)
                if turn.text[place : place + len(found.name)].lower() == found.name.lower():
                    spot = (place, place + len(found.name), entity)
                    self.spots.setdefault(turn.id, []).append(spot)
        for fact in extraction.facts:
            self._fact(fact, by_id)
        self.causes.extend(extraction.causes)

    def matter(self, name: str, turn: Turn) -> str | None:
        """The entity of a matter called ``name``, made when nothing is called so."""
        return self._resolve(name, "concept", turn, "", ()) if name else None

    def file(self, fact: FoundFact, *, subject: str, turn: Turn) -> None:
        """File a fact about a known entity that rests on one turn, in this batch or before it."""
        ids = self.book.add(fact, subject_id=subject, object_id=None, turns={turn.id: turn})
        for each in ids:
            held = self.book.facts.get(each)
            if held is not None and set(turn.sources) & set(held.sources):
                self.supports.setdefault(each, {})[turn.id] = None
        self.fact_turns[turn.id] = max(self.fact_turns.get(turn.id, 0.0), 0.5 + fact.importance / 2)

    def _speakers(self, turns: Sequence[Turn]) -> None:
        self._present = sorted({turn.speaker for turn in turns if turn.role == "user"})
        for turn in turns:
            if turn.role == "user" and turn.density > FILLER:
                self._resolve(turn.speaker, "person", turn, "", ())

    def _resolve(
        self,
        name: str,
        kind: EntityType,
        turn: Turn,
        qualifier: str,
        aliases: Sequence[str],
        *,
        create: bool = True,
    ) -> str | None:
        source = turn.sources[0] if turn.sources else turn.message_id
        name = self._called(name, kind) or name
        near = self._near(turn)
        found = self.register.resolve(
            name,
            type=kind,
            qualifier=qualifier,
            aliases=aliases,
            source=source,
            time=turn.time,
            create=create,
            near=near,
        )
        if near is not None and found is not None:
            near.add(found)
        return found

    def _near(self, turn: Turn) -> set[str] | None:
        """A passage stands by itself: only a whole that it names is meant by a part. None for what
        is said in a conversation.
        """
        if turn.id not in self._passages:
            return None
        return self._named_in.setdefault(turn.message_id, set())

    def _called(self, name: str, kind: EntityType) -> str | None:
        """The speaker whom a short form means ("Mel" when Melanie is here), if only one fits."""
        if kind not in ("person", "other") or not (
            3 <= len(name) < 8 and name.isascii() and name.istitle()
        ):
            return None
        fitting = [
            each
            for each in self._present
            if each.startswith(name) and len(each.split()[0]) > len(name)
        ]
        return fitting[0] if len(fitting) == 1 and name not in self._present else None

    def _name(self, fact: FoundFact, turns: Mapping[str, Turn]) -> None:
        """ "My son is called Leo": one entity with two names."""
        turn = turns.get(fact.turns[0]) if fact.turns else None
        if turn is None:
            return
        if _is_bare_role(fact.subject):
            self._resolve(fact.object, fact.object_type, turn, "", ())
            return
        subject = self._subject(fact, turn)
        if subject is None:
            return
        held = self._resolve(fact.object, fact.subject_type, turn, "", (), create=False)
        if held is None:
            self.register.rename(subject, fact.object)
        elif held != subject:
            self._join(held, subject)

    def _is_used(self, entity: str) -> bool:
        """Whether something already points at an entity."""
        return (
            any(entity == each for _, each in self.mentions)
            or any(entity == each for spots in self.spots.values() for _, _, each in spots)
            or any(entity in (f.subject_id, f.object_id) for f in self.book.facts.values())
        )

    def _join(self, held: str, subject: str) -> None:
        """A name that is known: the same person unless that one is somebody else's relative."""
        known, new = self.register.entities[held], self.register.entities[subject]
        roles = [name for name in (known.name, *known.aliases) if owner_like(name)]
        if not owner_like(new.name):
            return
        if roles:
            self.register.rename(subject, known.name)
        elif subject in self.register.created and not self._is_used(subject):
            self.register.absorb(held, subject)
            self.owned = {
                (held if one == subject else one, held if two == subject else two): turn
                for (one, two), turn in self.owned.items()
            }
        else:
            # Both were spoken of before: from now on the proper name stands for both.
            self.register.add_alias(held, new.name)

    def _subject(self, fact: FoundFact, turn: Turn) -> str | None:
        if _is_bare_role(fact.subject) and fact.relation == "named":
            return self._resolve(fact.object, fact.object_type, turn, "", ())
        subject = self._resolve(fact.subject, fact.subject_type, turn, "", ())
        owner = owner_of(fact.subject)
        if subject is not None and owner:
            holder = self._resolve(owner, "person", turn, "", ())
            if holder is not None and holder != subject:
                self.owned.setdefault((holder, subject), turn)
        return subject

    def _fact(self, fact: FoundFact, turns: Mapping[str, Turn]) -> None:
        turn = turns.get(fact.turns[0]) if fact.turns else None
        if turn is None:
            return
        subject = self._subject(fact, turn)
        if subject is None:
            return
        target = self._object(fact, turn)
        ids = self.book.add(
            fact, subject_id=subject, object_id=target if target != subject else None, turns=turns
        )
        for each in ids:
            for said in fact.turns:
                held = self.book.facts.get(each)
                if (
                    held is not None
                    and said in turns
                    and set(turns[said].sources) & set(held.sources)
                ):
                    self.supports.setdefault(each, {})[said] = None
        for entity in (subject, target):
            if entity is not None:
                self.mentions.setdefault(
                    (turn.id, entity), max(0, turn.text.find(self.register.entities[entity].name))
                )
        for said in fact.turns:
            self.fact_turns[said] = max(self.fact_turns.get(said, 0.0), 0.5 + fact.importance / 2)

    def _object(self, fact: FoundFact, turn: Turn) -> str | None:
        thing = fact.relation in _TO_THINGS and _is_thing(fact.object)
        kind = fact.object_type
        if (
            thing
            and kind == "other"
            and fact.relation
            in ("likes", "dislikes", "avoids", "allergic_to", "has_condition", "prefers", "studies")
        ):
            kind = "concept"
        found = self._resolve(fact.object, fact.object_type, turn, "", (), create=False)
        if found is not None or not thing:
            return found
        return self._resolve(fact.object, kind, turn, "", ())


def _is_bare_role(name: str) -> bool:
    """老板, "landlord", 名字: a role without whose says too little to be a name."""
    return (
        name in ("名字", "名称", "店名", "name")
        or name in lexicon_zh.KIN
        or name in lexicon_zh.ROLES
        or name.lower() in (lexicon_en.KIN | lexicon_en.ROLES)
    )


def _is_thing(name: str) -> bool:
    """Short enough to be asked for by name."""
    if language(name) == "zh":
        return len(name) <= _LONGEST_THING_ZH
    words = name.split()
    capitals = all(word[:1].isupper() or word[:1].isdigit() for word in words)
    return len(words) <= _LONGEST_THING or (capitals and len(words) <= 6)


def profile(entity: Entity, facts: Sequence[str]) -> str:
    """What an entity's node says: its name, and up to four facts, most important first."""
    label = f"{entity.name} ({entity.qualifier})" if entity.qualifier else entity.name
    others = [alias for alias in entity.aliases if alias.casefold() != entity.name.casefold()]
    if others:
        label += f" [{', '.join(others[:4])}]"
    return f"{label}: {' '.join(facts)}" if facts else label
