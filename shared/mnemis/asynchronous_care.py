"""The a-twins of the care verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING

from mnemis.memory_care import MemoryCare
from mnemis.model.message import Json

if TYPE_CHECKING:
    from mnemis.care.edit import EditReport
    from mnemis.care.export import ExportReport
    from mnemis.care.forget import ForgetReport
    from mnemis.care.health import HealthReport
    from mnemis.care.history import HistoryItem
    from mnemis.care.marks import Marked
    from mnemis.care.profile import Profile
    from mnemis.care.show import Shown
    from mnemis.care.topics import Topic
    from mnemis.care.tune import Labelled, TuneReport
    from mnemis.care.verify import VerifyReport
    from mnemis.config import Config
    from mnemis.memory import Memory
    from mnemis.model.recall import Hit
    from mnemis.model.working import Working
    from mnemis.ports.chat import ChatModel
    from mnemis.ports.clock import Clock
    from mnemis.ports.embedder import Embedder
    from mnemis.ports.extractor import Extractor
    from mnemis.ports.reranker import Reranker


class AsyncMemoryCare(MemoryCare):
    """Mix-in of Memory: ``await memory.aforget(…)`` is ``memory.forget(…)`` off the loop."""

    async def aforget(
        self,
        *,
        message_ids: Iterable[str] | None = None,
        entity: str | None = None,
        before: datetime | None = None,
        session: str | None = None,
        everything: bool = False,
    ) -> ForgetReport:
        """``forget`` off the event loop; once begun it ends whole."""
        return await self.mnemis.pool.run(
            partial(
                self.forget,
                message_ids=message_ids,
                entity=entity,
                before=before,
                session=session,
                everything=everything,
            )
        )

    async def averify_forgotten(
        self, texts: str | Iterable[str] = (), *, message_ids: str | Iterable[str] = ()
    ) -> VerifyReport:
        """``verify_forgotten`` off the event loop."""
        return await self.mnemis.pool.run(
            partial(self.verify_forgotten, texts, message_ids=message_ids)
        )

    async def aedit(
        self,
        message_id: str,
        *,
        text: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        time: datetime | None = None,
        speaker: str | None = None,
    ) -> EditReport:
        """``edit`` off the event loop; once begun it ends whole."""
        return await self.mnemis.pool.run(
            partial(self.edit, message_id, text=text, metadata=metadata, time=time, speaker=speaker)
        )

    async def apin(self, id: str, *, pinned: bool = True) -> Marked:
        """``pin`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.pin, id, pinned=pinned))

    async def afeedback(self, hit: Hit | str, *, useful: bool) -> Marked:
        """``feedback`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.feedback, hit, useful=useful))

    async def ashow(self, id: str) -> Shown:
        """``show`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.show, id))

    async def aprofile(self, name: str) -> Profile:
        """``profile`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.profile, name))

    async def aworking(
        self, session: str | None = None, *, turns: int = 8, budget: int | None = None
    ) -> Working:
        """``working`` off the event loop."""
        return await self.mnemis.pool.run(
            partial(self.working, session, turns=turns, budget=budget)
        )

    async def atopics(self) -> tuple[Topic, ...]:
        """``topics`` off the event loop."""
        return await self.mnemis.pool.run(self.topics)

    async def ahistory(self, about: str) -> tuple[HistoryItem, ...]:
        """``history`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.history, about))

    async def ahealth(self) -> HealthReport:
        """``health`` off the event loop."""
        return await self.mnemis.pool.run(self.health)

    async def aexport(self, path: str | PathLike[str]) -> ExportReport:
        """``export`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.export, path))

    async def atune(
        self,
        labelled: Iterable[Labelled | tuple[str, Sequence[str]]],
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> TuneReport:
        """``tune`` off the event loop."""
        return await self.mnemis.pool.run(partial(self.tune, labelled, progress=progress))

    async def auntune(self) -> bool:
        """``untune`` off the event loop."""
        return await self.mnemis.pool.run(self.untune)

    @classmethod
    async def aimport_(
        cls,
        path: str | PathLike[str],
        *,
        into: str | PathLike[str],
        scope: str | Sequence[str] | None = None,
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        chat_model: ChatModel | None = None,
        reranker: Reranker | None = None,
        config: Config | None = None,
        clock: Clock | None = None,
    ) -> Memory:
        """``import_`` off the event loop."""
        verb = partial(
            cls.import_,
            path,
            into=into,
            scope=scope,
            embedder=embedder,
            extractor=extractor,
            chat_model=chat_model,
            reranker=reranker,
            config=config,
            clock=clock,
        )
        from asyncio import get_running_loop

        with ThreadPoolExecutor(1, thread_name_prefix="mnemis-import") as executor:
            return await get_running_loop().run_in_executor(executor, verb)
