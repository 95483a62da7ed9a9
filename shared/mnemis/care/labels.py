"""Labelled queries in a file: JSON lines for ``tune``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, cast

from mnemis.care.tune import Labelled
from mnemis.errors import InputError
from mnemis.formats.read import read_text

_KEYS = frozenset({"id", "query", "relevant", "asked_at"})
_SHOWN = 10


def read_labels(path: Path, *, zone: tzinfo = UTC) -> tuple[Labelled, ...]:
    """One query a line: ``{"query": …, "relevant": [message ids]}``, in order.

    ``asked_at`` (ISO 8601, a naive one in ``zone``) anchors relative dates; an ``id`` is for
    people. Raises InputError that names the bad lines.
    """
    labelled: list[Labelled] = []
    problems: list[str] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            labelled.append(_labelled(line, zone=zone))
        except InputError as error:
            problems.append(f"  line {number}: {error}")
    if problems:
        more = [f"  … and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
        told = "\n".join([*problems[:_SHOWN], *more])
        raise InputError(f"{path.name} holds lines that are no labelled queries:\n{told}")
    return tuple(labelled)


def _labelled(line: str, *, zone: tzinfo) -> Labelled:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"no valid JSON ({error.msg}, column {error.colno})") from error
    except RecursionError as error:
        raise InputError("JSON that is nested too deeply") from error
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object {{…}}, got {type(value).__name__}")
    raw = cast("Mapping[str, Any]", value)
    if unknown := sorted(set(raw) - _KEYS):
        raise InputError(f"does not know {', '.join(map(repr, unknown))}")
    query, relevant = raw.get("query"), raw.get("relevant")
    if not isinstance(query, str) or not query.strip():
        raise InputError(f'"query" must be a text, got {query!r}')
    ids = cast("list[object]", relevant) if isinstance(relevant, list) else []
    if not ids or not all(isinstance(each, str) and each for each in ids):
        raise InputError(f'"relevant" must be a list of message ids, got {relevant!r}')
    return Labelled(
        query=query,
        relevant=tuple(dict.fromkeys(map(str, ids))),
        asked_at=_time(raw.get("asked_at"), zone),
    )


def _time(value: object, zone: tzinfo) -> datetime | None:
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise InputError(f'"asked_at" must be a date such as 2025-03-01, got {value!r}') from error
    return time if time.tzinfo else time.replace(tzinfo=zone)
