"""What a caller asks, checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from mnemis.errors import InputError
from mnemis.model.filter import Filter, Where, parse_filter
from mnemis.model.message import Message
from mnemis.text.normalise import clean


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """One recall: see ``Memory.recall`` for what each field means. Times are aware."""

    query: str
    k: int | Literal["auto"] = 10
    as_of: datetime | None = None
    asked_at: datetime | None = None
    recent: tuple[Message, ...] = ()
    where: Filter | None = None
    budget: int | None = None
    min_score: float = 0.0
    include_archived: bool = False

    @classmethod
    def checked(
        cls,
        query: str,
        *,
        k: int | Literal["auto"],
        as_of: datetime | None,
        asked_at: datetime | None,
        recent: tuple[Message, ...],
        where: Where | Filter | None,
        budget: int | None,
        min_score: float,
        include_archived: bool,
        zone: tzinfo,
    ) -> RecallRequest:
        """Raises InputError for a value that means nothing."""
        if not isinstance(query, str):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"the query must be text, got {type(query).__name__}")
        if k != "auto" and (isinstance(k, bool) or not isinstance(k, int) or k < 0):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f'k must be a whole number >= 0 or "auto", got {k!r}')
        if budget is not None and (
            isinstance(budget, bool) or not isinstance(budget, int) or budget < 0  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        ):
            raise InputError(f"budget must be a number of tokens >= 0, got {budget!r}")
        if not isinstance(min_score, int | float) or not 0.0 <= min_score <= 1.0:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"min_score must lie in [0, 1], got {min_score!r}")
        if not all(isinstance(each, Message) for each in recent):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError("recent= wants Message objects")
        return cls(
            query=clean(query),
            k=k,
            as_of=_aware(as_of, "as_of", zone),
            asked_at=_aware(asked_at, "asked_at", zone),
            recent=recent,
            where=parse_filter(where, zone=zone),
            budget=budget,
            min_score=min_score,
            include_archived=include_archived,
        )


def _aware(time: datetime | None, name: str, zone: tzinfo) -> datetime | None:
    if time is None:
        return None
    if not isinstance(time, datetime):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"{name} must be a datetime, got {time!r}")
    return time if time.tzinfo is not None else time.replace(tzinfo=zone)
