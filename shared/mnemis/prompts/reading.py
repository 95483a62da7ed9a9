"""What a model replied to the extraction prompt, as values; not yet checked against the passage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from mnemis.errors import UnusableReply
from mnemis.model.graph import EntityType
from mnemis.model.relations import RELATIONS, canonical
from mnemis.prompts.json_reply import read_json

Item = TypeVar("Item")

_TYPES: Final[dict[str, EntityType]] = {
    "person": "person",
    "people": "person",
    "人": "person",
    "人物": "person",
    "organisation": "organisation",
    "organization": "organisation",
    "company": "organisation",
    "组织": "organisation",
    "公司": "organisation",
    "place": "place",
    "location": "place",
    "city": "place",
    "地点": "place",
    "product": "product",
    "产品": "product",
    "concept": "concept",
    "概念": "concept",
    "event": "event",
    "事件": "event",
    "animal": "animal",
    "pet": "animal",
    "动物": "animal",
}
_PARTS: Final = ("entities", "facts", "causes")
_FALSE: Final = frozenset({"false", "no", "negative", "0", "否", "假"})
_MOST: Final = {"entities": 80, "facts": 60, "causes": 20}
_LONGEST_FIELD: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadEntity:
    """An entity as the model wrote it; ``turn`` 0 when it named none."""

    turn: int
    name: str
    type: EntityType = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFact:
    """A fact as the model wrote it; ``relation`` is in the vocabulary, or ``related_to``."""

    turn: int
    subject: str
    relation: str
    object: str
    aspect: str = ""
    polarity: bool = True
    past: bool = False
    quote: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCause:
    """A pair of turn numbers with the words that join them."""

    cause: int
    effect: int
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reply says, not yet checked against the passage; ``warnings`` name what was left."""

    entities: tuple[ReadEntity, ...] = ()
    facts: tuple[ReadFact, ...] = ()
    causes: tuple[ReadCause, ...] = ()
    warnings: tuple[str, ...] = ()


def parse(reply: str | None) -> Reading:
    """What a reply says. Empty lists are an answer; no JSON, or none of the form, is not.

    Raises UnusableReply, also when it names facts and none has subject, relation and object.
    """
    found = read_json(reply, accept=_is_answer)
    parts = _parts(found.value)
    warnings: list[str] = list(_asked_changes(found.value))
    if not found.complete:
        warnings.append("the reply broke off; what was complete of it is kept")
    facts = parts["facts"]
    kept = tuple(_present(_fact(each) for each in facts))
    if len(kept) < len(facts):
        lacking = f"{len(facts) - len(kept)} of {len(facts)}"
        warnings.append(f"{lacking} facts lack a subject, a relation or an object")
    says_nothing = not any(parts.values()) and (not found.complete or not _names_parts(found.value))
    if not kept and (facts or says_nothing):
        raise UnusableReply("; ".join(warnings) or "the reply names no entities, facts or causes")
    return Reading(
        entities=tuple(_present(_entity(item) for item in parts["entities"])),
        facts=kept,
        causes=tuple(_present(_cause(item) for item in parts["causes"])),
        warnings=(*warnings, *_excess(found.value)),
    )


def _is_answer(value: object) -> bool:
    """An object with one of the parts (or with what some models ask for instead), a list of
    facts, or an empty list.
    """
    if isinstance(value, dict):
        keys = {str(key) for key in cast("dict[object, object]", value)}
        return bool(keys & {*_PARTS, "memory"})
    if isinstance(value, list):
        items = cast("list[object]", value)
        return all(isinstance(item, dict) and "subject" in item for item in items)
    return False


def _present(items: Iterable[Item | None]) -> Iterator[Item]:
    return (item for item in items if item is not None)


def _names_parts(value: object) -> bool:
    """Whether an empty answer says that it is empty; a list of facts does."""
    return isinstance(value, list) or any(
        name in cast("Mapping[str, object]", value) for name in _PARTS
    )


def _parts(value: object) -> dict[str, list[object]]:
    if isinstance(value, list):
        return {"entities": [], "facts": cast("list[object]", value), "causes": []}
    held = cast("Mapping[str, object]", value)
    return {name: _items(held.get(name))[: _MOST[name]] for name in _PARTS}


def _items(value: object) -> list[object]:
    if isinstance(value, list):
        return cast("list[object]", value)
    return [] if value is None or value == "" else [value]


def _excess(value: object) -> list[str]:
    if not isinstance(value, dict):
        return []
    held = cast("Mapping[str, object]", value)
    counts = {name: len(_items(held.get(name))) for name in _PARTS}
    return [
        f"of {count} {name} the first {_MOST[name]} were read"
        for name, count in counts.items()
        if count > _MOST[name]
    ]


def _asked_changes(value: object) -> list[str]:
    """Edits of stored memories, which no prompt offers: they are told, never followed."""
    if not isinstance(value, dict):
        return []
    held = cast("Mapping[str, object]", value)
    return [
        f"the model asked to {_text(item, 'event') or 'change'} memory {_text(item, 'id')!r}, "
        "which it was not offered; ignored"
        for item in _items(held.get("memory"))[:20]
    ]


def _entity(item: object) -> ReadEntity | None:
    name = item if isinstance(item, str) else _text(item, "name")
    if not name.strip():
        return None
    kind = "" if isinstance(item, str) else _text(item, "type")
    return ReadEntity(
        turn=_number(item, "turn"),
        name=name[:120],
        type=_TYPES.get(kind.strip().casefold(), "other"),
    )


def _fact(item: object) -> ReadFact | None:
    subject, said, thing = (_text(item, name) for name in ("subject", "relation", "object"))
    if not (subject and said and thing):
        return None
    relation = canonical(said)
    known = relation in RELATIONS
    return ReadFact(
        turn=_number(item, "turn"),
        subject=subject,
        relation=relation if known else "related_to",
        object=thing,
        aspect=_text(item, "aspect") or ("" if known else said.replace("_", " ")),
        polarity=_flag(item, "polarity", default=True),
        past=_flag(item, "past", default=False),
        quote=_text(item, "quote"),
        replaces=_text(item, "replaces"),
    )


def _cause(item: object) -> ReadCause | None:
    cause, effect = _number(item, "cause"), _number(item, "effect")
    if not cause or not effect:
        return None
    return ReadCause(cause=cause, effect=effect, quote=_text(item, "quote"))


def _text(item: object, name: str) -> str:
    if not isinstance(item, dict):
        return ""
    value = cast("Mapping[str, object]", item).get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())[:_LONGEST_FIELD]


def _number(item: object, name: str) -> int:
    """A turn number as 3, "3" or "[3]"; 0 when there is none."""
    digits = re.search(r"\d{1,6}", _text(item, name))
    return int(digits.group()) if digits else 0


def _flag(item: object, name: str, *, default: bool) -> bool:
    if not isinstance(item, dict):
        return default
    value = cast("Mapping[str, object]", item).get(name)
    if isinstance(value, bool):
        return value
    return default if value is None or value == "" else str(value).casefold() not in _FALSE
