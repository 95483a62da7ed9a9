"""A replay of recorded facts: what a person, a model or another system read out of messages before.

One JSON object a line for ``RecordedExtractor.read``; only ``message_id`` and what was read are
wanted, a whole sentence ``text`` may stand for the object::

    {"message_id": "m1", "subject": "Ana", "relation": "lives in", "object": "Lisbon"}
    {"message_id": "m2", "subject": "小明", "text": "小明对花生过敏。"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from mnemis.errors import InputError
from mnemis.model.graph import EntityType, Turn
from mnemis.model.relations import RELATIONS, canonical
from mnemis.model.usual import importance_of, object_type, subject_type
from mnemis.models.spans import Searched
from mnemis.ports.extractor import Extraction, FoundEntity, FoundFact
from mnemis.text.normalise import clean, language, name_key

_CONFIDENCE: Final = 0.8
_MUTE: Final = ("tool", "system")
_SPEAKER: Final = frozenset(("i", "me", "user", "speaker", "我", "用户", "说话人"))
_LONGEST_NAME: Final = 6  # words; more are a description
_LONGEST_NAME_ZH: Final = 8  # characters
_SMALL_WORD: Final = 3  # letters: "of" and "the" in a name are small
_FIELDS: Final = ("message_id", "subject", "relation", "object", "text")
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFact:
    """What was read out of the message ``message_id`` (as it was given to ``remember``).

    Either a triple, whose ``relation`` may be in anybody's words, or an observation: a sentence
    ``text`` about ``subject`` without an object. A triple without ``text`` is its own sentence;
    "I", "user" or 我 as a subject is whoever says the message. What was read out of several
    messages is recorded once for each of them, and becomes one fact that cites them all.
    Raises InputError for a field that is blank or no text.
    """

    message_id: str
    subject: str
    relation: str = ""
    object: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        for field in _FIELDS:
            value: object = getattr(self, field)
            if not isinstance(value, str):
                raise InputError(f'a recorded fact wants text as "{field}", got {value!r}')
        for field in ("message_id", "subject"):
            if not clean(getattr(self, field)).strip():
                raise InputError(f'a recorded fact wants a "{field}", got {getattr(self, field)!r}')
        if not (clean(self.object).strip() or clean(self.text).strip()):
            raise InputError(
                f"the fact recorded for message {self.message_id!r} about {self.subject!r} has no "
                '"object" and no "text"; give one of them'
            )


class RecordedExtractor:
    """Facts that were recorded earlier, each resting on its message; no model is asked.

    Messages without recorded facts give none. With ``rules`` (the default) what the rules read in
    the same messages is kept beside them; without, a memory knows the recorded facts alone. A fact
    of a message that the memory lacks is never used, one of a tool's or system's message is left
    out and told in ``warnings``.

    >>> said = RecordedFact(message_id="m1", subject="Ana", relation="lives in", object="Lisbon")
    >>> len(RecordedExtractor([said]))
    1
    """

    def __init__(self, facts: Iterable[RecordedFact], *, rules: bool = True) -> None:
        """Raises InputError when there are no facts, or something else is among them."""
        self._rules = rules
        self._by_message: dict[str, dict[RecordedFact, None]] = {}
        for fact in cast("Iterable[object]", facts):
            if not isinstance(fact, RecordedFact):
                raise InputError(f"recorded facts must be RecordedFact, got {fact!r:.80}")
            self._by_message.setdefault(fact.message_id, {})[fact] = None
        if not self._by_message:
            raise InputError("there are no recorded facts; give at least one, or no extractor")

    @classmethod
    def read(cls, path: str | Path, *, rules: bool = True) -> RecordedExtractor:
        """The facts of a JSON lines file in UTF-8; blank lines are passed over.

        Raises InputError that names every bad line, or says that the file cannot be read.
        """
        return cls(_facts_in(Path(path)), rules=rules)

    @property
    def name(self) -> str:
        """``recorded``."""
        return "recorded"

    @property
    def adds_to_rules(self) -> bool:
        """Whether the rules read the same turns too."""
        return self._rules

    def __len__(self) -> int:
        """How many different facts it holds."""
        return sum(len(facts) for facts in self._by_message.values())

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        """What was recorded for the messages of these turns; never raises."""
        entities: dict[tuple[str, str], FoundEntity] = {}
        facts: list[FoundFact] = []
        warnings: list[str] = []
        for message_id, chunks in _by_message(turns).items():
            recorded = self._by_message.get(message_id, {})
            if recorded and chunks[0].role in _MUTE:
                warnings.append(
                    f"message {message_id!r} is a {chunks[0].role}'s; "
                    f"{len(recorded)} recorded facts are left out"
                )
                continue
            said = [Searched.of(turn.text) for turn in chunks] if recorded else []
            for fact in recorded:
                turn, text = _chunk_of(fact, chunks, said)
                facts.append(_found(fact, turn))
                for entity in _named(fact, turn, text):
                    entities.setdefault((turn.id, name_key(entity.name)), entity)
        return Extraction(
            entities=tuple(entities.values()), facts=tuple(facts), warnings=tuple(warnings)
        )


def _by_message(turns: Sequence[Turn]) -> dict[str, list[Turn]]:
    """Turns by each message they rest on: a document's chunks share one, repetitions have many."""
    found: dict[str, list[Turn]] = {}
    for turn in turns:
        for message_id in dict.fromkeys((turn.message_id, *turn.sources)):
            found.setdefault(message_id, []).append(turn)
    return found


def _chunk_of(
    fact: RecordedFact, chunks: Sequence[Turn], said: Sequence[Searched]
) -> tuple[Turn, Searched]:
    """The first chunk that names most of subject and object."""
    if len(chunks) == 1:
        return chunks[0], said[0]
    wanted = [each for each in (fact.subject, fact.object) if each.strip()]
    counts = [sum(text.find(each) is not None for each in wanted) for text in said]
    best = counts.index(max(counts))
    return chunks[best], said[best]


def _found(fact: RecordedFact, turn: Turn) -> FoundFact:
    relation = _relation(fact)
    subject, thing = _subject(fact, turn), clean(fact.object).strip()
    speaks = turn.role == "user" and name_key(subject) == name_key(turn.speaker)
    text = clean(fact.text).strip() or _sentence(subject, clean(fact.relation).strip(), thing)
    return FoundFact(
        turns=(turn.id,),
        subject=subject,
        relation=relation,
        object=thing or text,
        text=text,
        # A relation that the vocabulary lacks stays apart by its own words: two of them between
        # the same ends are two facts.
        aspect=clean(fact.relation).strip() if relation == "related_to" else "",
        confidence=_CONFIDENCE,
        importance=importance_of(relation),
        valid_from=turn.time,
        subject_type="person" if speaks else subject_type(relation),
        object_type=object_type(relation),
    )


def _relation(fact: RecordedFact) -> str:
    relation = canonical(fact.relation)
    return relation if relation in RELATIONS else "related_to"


def _subject(fact: RecordedFact, turn: Turn) -> str:
    subject = clean(fact.subject).strip()
    return (turn.speaker or subject) if subject.casefold() in _SPEAKER else subject


def _sentence(subject: str, relation: str, thing: str) -> str:
    """A triple as a person reads it; a vocabulary's name by its label in the triple's language."""
    chinese = language(f"{subject}{thing}") == "zh"
    if (known := RELATIONS.get(canonical(relation))) is not None:
        relation = known.zh if chinese else known.en
    if chinese and "…" in relation:
        return subject + relation.replace("…", thing)
    return ("" if chinese else " ").join(each for each in (subject, relation, thing) if each)


def _named(fact: RecordedFact, turn: Turn, text: Searched) -> list[FoundEntity]:
    """Subject and object as the turn writes them, where it does and they read like names."""
    relation = _relation(fact)
    ends: tuple[tuple[str, EntityType], ...] = (
        (fact.subject, subject_type(relation)),
        (fact.object, object_type(relation)),
    )
    found: list[FoundEntity] = []
    for name, kind in ends:
        span = text.find(name) if name.strip() else None
        if span is None:
            continue
        written = clean(turn.text[span[0] : span[1]]).strip()
        if _is_name(written):
            found.append(FoundEntity(turn=turn.id, name=written, start=span[0], type=kind))
    return found


def _is_name(words: str) -> bool:
    if language(words) == "zh":
        return len(words) <= _LONGEST_NAME_ZH
    told = words.split()
    capitals = all(not word[:1].islower() for word in told if len(word) > _SMALL_WORD)
    return len(told) <= _LONGEST_NAME and capitals and not words.islower()


def _facts_in(path: Path) -> list[RecordedFact]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{str(path)!r} is no text in UTF-8 ({error.reason})") from error
    facts: list[RecordedFact] = []
    problems: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                facts.append(_fact_of(line))
            except InputError as error:
                problems.append(f"  line {number}: {error}")
    if problems:
        more = [f"  … and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
        raise InputError(
            f"{str(path)!r} holds facts that cannot be used; mend these:\n"
            + "\n".join([*problems[:_SHOWN], *more])
        )
    if not facts:
        raise InputError(f"{str(path)!r} holds no recorded facts; it wants one JSON object a line")
    return facts


def _fact_of(line: str) -> RecordedFact:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"no valid JSON ({error})") from error
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object {{…}}, got {type(value).__name__}")
    fields = cast("Mapping[str, Any]", value)
    unknown = sorted(fields.keys() - set(_FIELDS))
    if unknown:
        raise InputError(
            f"does not know {', '.join(map(repr, unknown))}; it reads {', '.join(_FIELDS)}"
        )
    missing = [field for field in ("message_id", "subject") if fields.get(field) is None]
    if missing:
        raise InputError(f"lacks {' and '.join(map(repr, missing))}")
    return RecordedFact(**{field: each for field, each in fields.items() if each is not None})
