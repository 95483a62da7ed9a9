"""What is to be forgotten: a caller's selectors become message ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from mnemis.care.names import describe, entities_called
from mnemis.consolidate.resolve import exact_keys, short_keys
from mnemis.errors import InputError
from mnemis.model.graph import Entity, Fact, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import fold, name_key
from mnemis.text.scripts import CJK

_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Checked selectors; ``entity``, ``before`` and ``session`` given together must all hold."""

    message_ids: tuple[str, ...] | None = None
    entity: str | None = None
    before: datetime | None = None
    session: str | None = None
    everything: bool = False


def check_selection(
    *,
    message_ids: Iterable[str] | None,
    entity: str | None,
    before: datetime | None,
    session: str | None,
    everything: bool,
    zone: tzinfo,
) -> Selection:
    """The selectors as one value. Raises InputError for none, or for a pair that cannot be."""
    narrowing = [entity, before, session]
    narrowed = any(each is not None for each in narrowing)
    if (message_ids is not None) + narrowed + bool(everything) != 1:
        raise InputError(
            "forget() wants message_ids=, or entity= / before= / session= (given together, all "
            "must hold), or everything=True alone; nothing was forgotten"
        )
    if before is not None and not isinstance(before, datetime):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"before= must be a datetime, got {before!r}")
    if before is not None and before.tzinfo is None:
        before = before.replace(tzinfo=zone)
    ids: tuple[str, ...] | None = None
    if message_ids is not None:
        ids = (message_ids,) if isinstance(message_ids, str) else tuple(dict.fromkeys(message_ids))
        if bad := [each for each in ids if not isinstance(each, str) or not each]:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"message_ids= wants ids of messages, got {bad[0]!r}")
    if entity is not None and not entity.strip():
        raise InputError("entity= wants a name or an entity's id, got an empty text")
    return Selection(
        message_ids=ids, entity=entity, before=before, session=session, everything=bool(everything)
    )


def select_messages(view: View, selection: Selection) -> tuple[str, ...]:
    """Ids of the messages meant, in the order of the conversation; unknown ids are left out.

    Raises InputError when the entity's name belongs to several entities, or for the id of a node
    that is no message.
    """
    if selection.message_ids is not None:
        return _known_messages(view, selection.message_ids)
    turns = [turn for turn in view.scan("turn") if isinstance(turn, Turn)]
    if selection.session is not None:
        turns = [turn for turn in turns if turn.session == selection.session]
    if selection.before is not None:
        limit = selection.before
        turns = [turn for turn in turns if turn.time is not None and turn.time < limit]
    if selection.entity is not None:
        turns = _about(view, selection.entity, turns)
    return tuple(dict.fromkeys(turn.message_id for turn in turns))


def _known_messages(view: View, ids: Sequence[str]) -> tuple[str, ...]:
    """The messages of these ids, or of these turns' ids (a hit's id is a turn's)."""
    known = view.by_source(ids)
    nodes = view.get([each for each in ids if each not in known])
    found: dict[str, None] = {}
    for each in ids:
        node = nodes.get(each)
        if each in known:
            found[each] = None
        elif isinstance(node, Turn):
            found[node.message_id] = None
        elif node is not None:
            raise InputError(
                f"{each!r} is a {node.kind}, not a message; forget the messages it rests on: "
                f"{', '.join(map(repr, node.sources[:8]))}"
            )
    return tuple(found)


def _about(view: View, asked: str, turns: Sequence[Turn]) -> list[Turn]:
    """Turns that name the entity, are said by it, or on which a fact about it rests."""
    found = entities_called(view, asked)
    if len(found) > 1:
        raise InputError(
            f"{asked!r} may be {', '.join(describe(each) for each in found)}; "
            "give the entity's id to say which is meant"
        )
    if not found:
        if asked.startswith("entity:"):
            return []
        return [turn for turn in turns if _names(turn, [name_key(asked)])]
    entity = found[0]
    keys = _own_keys(view, entity)
    resting = _resting(view, entity)
    return [turn for turn in turns if resting & set(turn.sources) or _names(turn, keys)]


def _own_keys(view: View, entity: Entity) -> list[str]:
    """Name keys that lead to this entity and to no other."""
    keys = [*exact_keys(entity), *short_keys(entity)]
    held = view.named(keys)
    return [key for key in keys if key and set(held.get(key, ())) <= {entity.id}]


def _resting(view: View, entity: Entity) -> set[str]:
    """Messages on which the entity, or a fact of which it is subject or object, rests."""
    edges = view.neighbours([entity.id], types=("mentions",), direction="in").get(entity.id, ())
    messages = set(entity.sources)
    for node in view.get([edge.source for edge in edges]).values():
        if isinstance(node, Turn) or (
            isinstance(node, Fact) and entity.id in (node.subject_id, node.object_id)
        ):
            messages.update(node.sources)
    return messages


def _names(turn: Turn, keys: Sequence[str]) -> bool:
    if name_key(turn.speaker) in keys:
        return True
    said = fold("\n".join((turn.text, *(part.caption for part in turn.parts))))
    return any(_stands_in(key, said) for key in keys)


def _stands_in(key: str, said: str) -> bool:
    if key not in said:
        return False
    if _CJK.search(key):
        return True
    return re.search(rf"(?<!\w){re.escape(key)}(?!\w)", said) is not None or (
        _CJK.search(said) is not None
    )
