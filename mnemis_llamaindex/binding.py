"""Whose memory an adapter reads and writes: given once, or for each call by ``for_user``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from mnemis import InputError, Memory, Mnemis

_HOW = 'name one with .for_user("user-42"), or build it with memory=mnemis.scope("user-42")'


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """An open store, the one memory in it that is meant (None: not yet said), and a session."""

    mnemis: Mnemis | None = None
    memory: Memory | None = None
    session: str | None = None

    @classmethod
    def of(cls, *, mnemis: Mnemis | None, memory: Memory | None, owner: str) -> Binding:
        """Exactly one of the two, else InputError naming ``owner``."""
        if (mnemis is None) == (memory is None):
            raise InputError(
                f"{owner} wants either mnemis= (many users, with .for_user()) or memory= (one), "
                f"got {'both' if mnemis is not None else 'neither'}"
            )
        for given, kind, name in ((mnemis, Mnemis, "mnemis="), (memory, Memory, "memory=")):
            if given is not None and not isinstance(given, kind):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
                raise InputError(
                    f"{owner}: {name} wants a {kind.__name__}, got {type(given).__name__}"
                )
        return cls(mnemis=mnemis, memory=memory)

    def for_user(self, labels: tuple[str, ...], *, session: str | None) -> Binding:
        """The same store, another user. InputError for no user, or when built for one memory."""
        check_labels(labels)
        check_session(session)
        if self.mnemis is None:
            raise InputError(
                "this object was built with memory= and serves that memory alone; "
                "build it with mnemis= to serve many users"
            )
        return replace(self, memory=self.mnemis.scope(*labels), session=session)

    def resolve(self) -> Memory:
        """The memory that is meant. Raises InputError when no user was named."""
        if self.memory is None:
            raise InputError(f"no user was named, and there is no shared default: {_HOW}")
        return self.memory


def check_labels(labels: tuple[str, ...]) -> None:
    """Every label is a text with content, and there is at least one; else InputError."""
    if not labels:
        raise InputError(f"no user was named, and there is no shared default: {_HOW}")
    for label in labels:
        if not isinstance(label, str) or not label.strip():  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"a user is a text with content, got {label!r}: {_HOW}")


def check_session(session: str | None) -> None:
    """A session is a text with content, or None; else InputError."""
    if session is None:
        return
    if not isinstance(session, str) or not session.strip():  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"a session is a text with content or None, got {session!r}")


def check_folder(path: str | None) -> None:
    """Only what lies in a folder can be found again; else InputError."""
    if path is None:
        raise InputError(
            "this memory lies in no folder and cannot be serialised; open one with "
            'Mnemis.open("memory/")'
        )


def refuse_pickle(owner: str) -> NoReturn:
    """An open store cannot travel; say what can."""
    raise InputError(
        f"{owner} holds an open memory and cannot be pickled; "
        "pass the folder's path and the user on, and build it there anew"
    )
