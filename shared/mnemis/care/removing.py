"""A removal while it is planned: what goes, what is rewritten, what must be done again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mnemis.care.words import words_of_turns
from mnemis.model.change import IndexEntry
from mnemis.model.graph import Edge, EdgeKey, Node, Turn
from mnemis.ports.store import View

Kind = TypeVar("Kind", bound=Node)


@dataclass(slots=True, kw_only=True)
class Removing:
    """``nodes`` are those concerned, as they were; ``forgotten`` the words of what goes.

    Not shared between threads.
    """

    view: View
    gone: frozenset[str]
    turns: tuple[Turn, ...]
    forgotten: frozenset[str]
    nodes: dict[str, Node]
    gone_turns: frozenset[str]
    deleted: dict[str, None] = field(default_factory=dict[str, None])
    rewritten: dict[str, Node] = field(default_factory=dict[str, Node])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    entries: list[IndexEntry] = field(default_factory=list[IndexEntry])
    edges: dict[EdgeKey, Edge] = field(default_factory=dict[EdgeKey, Edge])
    deleted_edges: set[EdgeKey] = field(default_factory=set[EdgeKey])
    reinstated: set[str] = field(default_factory=set[str])
    reshaped: bool = False
    _redo: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    _turns: dict[str, tuple[Turn, ...]] = field(default_factory=dict[str, tuple[Turn, ...]])

    def of_kind(self, kind: type[Kind]) -> Iterator[Kind]:
        """The nodes of one kind that are not deleted, as they stand now, by id."""
        for key in sorted(self.nodes):
            node = self.now(key)
            if isinstance(node, kind):
                yield node

    def now(self, key: str) -> Node | None:
        """A node as it will be; None when it goes or was never there."""
        if key in self.deleted:
            return None
        return self.rewritten.get(key) or self.nodes.get(key)

    def load(self, ids: Iterable[str]) -> None:
        """Make more nodes known."""
        missing = sorted({each for each in ids if each not in self.nodes})
        if missing:
            self.nodes.update(self.view.get(missing))

    def delete(self, ids: Iterable[str]) -> None:
        """These go."""
        self.deleted.update(dict.fromkeys(ids))

    def rewrite(self, node: Node, *, text: str | None) -> None:
        """This one is written anew; ``text`` is what it is found by, None leaves that."""
        self.rewritten[node.id] = node
        if text is not None:
            self.texts[node.id] = text

    def kept(self, sources: Sequence[str]) -> tuple[str, ...]:
        """The sources that stay."""
        return tuple(each for each in sources if each not in self.gone)

    def turns_of(self, messages: Iterable[str]) -> tuple[Turn, ...]:
        """The turns of messages that stay, by ordinal."""
        wanted = [each for each in dict.fromkeys(messages) if each not in self.gone]
        missing = [each for each in wanted if each not in self._turns]
        if missing:
            held = self.view.by_source(missing)
            ids = {e for found in held.values() for e in found if e.startswith("turn:")}
            nodes = [n for n in self.view.get(sorted(ids)).values() if isinstance(n, Turn)]
            for message in missing:
                self._turns[message] = tuple(n for n in nodes if n.message_id == message)
        turns = {turn.id: turn for each in wanted for turn in self._turns[each]}
        return tuple(sorted(turns.values(), key=lambda turn: (turn.ordinal, turn.id)))

    def lost_words(self, turns: Iterable[Turn]) -> frozenset[str]:
        """Words of what goes that these turns do not say."""
        return self.forgotten - words_of_turns(turns)

    def redo_turns(self, turns: Iterable[str]) -> None:
        """Those of these turns that stay must be consolidated again, together."""
        left = tuple(each for each in turns if each not in self.gone_turns)
        if left:
            self._redo.append(left)

    def redo_groups(self) -> tuple[tuple[str, ...], ...]:
        """The turns to consolidate again, each in one group only, longer groups first."""
        seen: set[str] = set()
        groups: list[tuple[str, ...]] = []
        for group in sorted(self._redo, key=lambda each: (-len(each), each)):
            fresh = tuple(each for each in dict.fromkeys(group) if each not in seen)
            seen.update(fresh)
            if fresh:
                groups.append(fresh)
        return tuple(groups)
