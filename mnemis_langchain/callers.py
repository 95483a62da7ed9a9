"""Who asks: the user, whose memory is a wall, and the thread, a session inside it.

Both come with each call, from ``config["configurable"]`` or from a LangGraph run's context, so
one object serves many users. A call that names no user is an error, never a shared default.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol, cast
from uuid import UUID

from langchain_core.runnables import RunnableConfig, ensure_config

from mnemis import InputError, Memory, Mnemis

USER_KEY = "user_id"
THREAD_KEY = "thread_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The user's memory, and the thread of this call, None when the call names none."""

    memory: Memory
    session: str | None = None


class _Runtime(Protocol):
    context: object


def check_source(mnemis: Mnemis | None, memory: Memory | None) -> None:
    """Raise InputError unless exactly one of the two is given, and is what it is called."""
    if (mnemis is None) == (memory is None):
        raise InputError(
            "give either mnemis= (the user then comes with each call) or memory= (one fixed scope)"
        )
    if mnemis is not None:
        check_mnemis(mnemis)
    if memory is not None:
        check_memory(memory)


def check_mnemis(given: Mnemis) -> None:
    """InputError unless it is an open store."""
    if not isinstance(given, Mnemis):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f"mnemis= wants an open Mnemis, got {type(given).__name__}; "
            "one user's Memory goes in as memory="
        )


def check_memory(given: Memory) -> None:
    """InputError unless it is one user's memory."""
    if not isinstance(given, Memory):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f'memory= wants one user\'s Memory, such as mnemis.scope("user-42"), '
            f"got {type(given).__name__}"
        )


def find_caller(
    mnemis: Mnemis | None,
    memory: Memory | None,
    *,
    configurable: Mapping[str, object] | None = None,
    context: object = None,
) -> Caller:
    """The caller by a config's "configurable" part, a runtime context, or the run in progress.

    With ``memory`` its scope is fixed and only the thread is looked up. Raises InputError when a
    user is needed and none is named, or when two sources name different ones.
    """
    named = configurable if configurable is not None else configurable_of(None)
    known = context if context is not None else _context_of_run()
    session = label(_pick(named, known, THREAD_KEY), THREAD_KEY)
    if memory is not None:
        return Caller(memory=memory, session=session)
    check_source(mnemis, memory)
    user = _pick(named, known, USER_KEY)
    return Caller(memory=cast("Mnemis", mnemis).scope(*_labels(user)), session=session)


def refuse_pickle(what: str) -> NoReturn:
    """An open memory cannot travel; say what can be done. Raises InputError."""
    raise InputError(
        f"{what} on an open memory cannot be pickled or deeply copied; make it anew where it is "
        "needed, from the memory's folder"
    )


def configurable_of(config: RunnableConfig | None) -> Mapping[str, object]:
    """The config's "configurable" part, merged over that of the runnable in progress."""
    return cast("Mapping[str, object]", ensure_config(config).get("configurable") or {})


def label(value: object, name: str) -> str | None:
    """A user or thread label as text; None when there is none. Raises InputError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | UUID):
        raise InputError(f"{name} must be text, a whole number or a UUID, got {value!r:.80}")
    text = str(value)
    if not text.strip():
        raise InputError(f"{name} is empty; name the {name.removesuffix('_id')} of this call")
    return text


def _labels(user: object) -> tuple[str, ...]:
    parts = cast("Sequence[object]", user) if isinstance(user, list | tuple) else (user,)
    labels = tuple(each for part in parts if (each := label(part, USER_KEY)) is not None)
    if not labels or len(labels) < len(parts):
        raise InputError(
            f'this call names no user: pass config={{"configurable": {{"{USER_KEY}": …}}}} or a '
            f"runtime context with {USER_KEY}, or give memory= instead of mnemis="
        )
    return labels


def _pick(configurable: Mapping[str, object], context: object, key: str) -> object:
    first, second = configurable.get(key), _read(context, key)
    if first is not None and second is not None and _plain(first) != _plain(second):
        raise InputError(
            f"config names {key} {first!r:.80}, the runtime context {second!r:.80}; which is it?"
        )
    return second if first is None else first


def _plain(value: object) -> tuple[str, ...]:
    """Labels as texts: 7 and "7", a list and a tuple name the same user."""
    parts = cast("Sequence[object]", value) if isinstance(value, list | tuple) else (value,)
    return tuple(str(part) for part in parts)


def _read(context: object, key: str) -> object:
    if isinstance(context, Mapping):
        return cast("Mapping[str, object]", context).get(key)
    return getattr(context, key, None)


def _context_of_run() -> object:
    """The context of the LangGraph run in progress. Nothing runs while LangGraph is not loaded."""
    module = sys.modules.get("langgraph.runtime")
    if module is None:
        return None
    try:
        runtime = cast("_Runtime | None", module.get_runtime())
    except (RuntimeError, KeyError):  # no run in progress
        return None
    return None if runtime is None else runtime.context
