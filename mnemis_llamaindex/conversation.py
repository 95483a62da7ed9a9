"""The short-term half: one session's messages in RAM, each written to the memory as it comes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from llama_index.core.base.llms.types import ChatMessage

from mnemis import Memory
from mnemis_llamaindex.messages import stripped
from mnemis_llamaindex.transcript import STEP, Kept, Place, fingerprint, mark, read, record
from mnemis_llamaindex.window import Entry


class Conversation:
    """A session as its user and the agent see it. The caller serialises calls.

    Everything is durable before a call returns. Another writer of the session, or a forgetting,
    is seen at the next call.
    """

    def __init__(
        self,
        memory: Memory,
        session: str,
        *,
        speaker: str | None,
        measure: Callable[[ChatMessage], int],
    ) -> None:
        self.memory = memory
        self.session = session
        self._speaker = speaker
        self._measure = measure
        self._entries: list[Entry] = []
        self._seq: int | None = None
        self._latest: datetime | None = None

    def entries(self) -> list[Entry]:
        """The conversation since it was last set or reset, oldest first."""
        self._refresh()
        return list(self._entries)

    def put(self, chats: Iterable[ChatMessage]) -> None:
        """Append messages; recalled context among them is left out."""
        fresh = [chat for each in chats if (chat := stripped(each)) is not None]
        if not fresh:
            return
        self._refresh()
        before = self._seq
        now = self._after(self._latest)
        recorded = record(fresh, session=self.session, now=now, speaker=self._speaker)
        report = self.memory.remember([each.message for each in recorded])
        for each in recorded:
            for index, chat in enumerate(each.chats):
                place = (each.message.id or "", index)
                self._entries.append(
                    self._entry(Kept(chat=chat, place=place, time=each.message.time))
                )
            self._latest = each.message.time
        # A gap means that somebody else wrote in between: read it all at the next call.
        self._seq = report.seq if before is not None and report.seq == before + 1 else None

    def replace(self, chats: Sequence[ChatMessage]) -> None:
        """Make these the conversation. What was stored before is not stored again."""
        wanted = [chat for each in chats if (chat := stripped(each)) is not None]
        known = read(self.memory, self.session)
        stored: defaultdict[str, deque[Place]] = defaultdict(deque)
        for kept in known.everything:
            stored[fingerprint(kept.chat)].append(kept.place)
        found = [_take(stored[fingerprint(chat)]) for chat in wanted]
        now = self._after(known.latest)
        recorded = record(
            [chat for chat, place in zip(wanted, found, strict=True) if place is None],
            session=self.session,
            now=now,
            speaker=self._speaker,
        )
        new = deque(
            (each.message.id or "", index) for each in recorded for index in range(len(each.chats))
        )
        places = [new.popleft() if place is None else place for place in found]
        current = [kept.place for kept in known.current]
        appended = [place for place, old in zip(places, found, strict=True) if old is None]
        messages = [each.message for each in recorded]
        if places != current + appended:
            later = now + len(recorded) * STEP
            messages.append(mark(places, session=self.session, now=later))
        if messages:
            self.memory.remember(messages)
        self._seq = None

    def _after(self, latest: datetime | None) -> datetime:
        """Now, but later than what was said last: the clock may stand still."""
        now = self.memory.mnemis.clock.now()
        return now if latest is None else max(now, latest + STEP)

    def _refresh(self) -> None:
        with self.memory.mnemis.store.view(self.memory.scope) as view:
            seq = view.seq
        if seq == self._seq:
            return
        known = {(each.id, each.place): each for each in self._entries}
        transcript = read(self.memory, self.session)
        self._entries = [known.get(kept.place) or self._entry(kept) for kept in transcript.current]
        self._latest = transcript.latest
        self._seq = seq

    def _entry(self, kept: Kept) -> Entry:
        identity, place = kept.place
        return Entry(
            message=kept.chat,
            tokens=self._measure(kept.chat),
            id=identity,
            place=place,
            time=kept.time,
        )


def _take(places: deque[Place]) -> Place | None:
    return places.popleft() if places else None
