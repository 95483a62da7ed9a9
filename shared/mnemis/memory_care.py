"""The care verbs of Memory: see, correct, pin, rate, forget, prove, carry elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING

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
    from mnemis.memory import Memory, Mnemis
    from mnemis.model.change import Scope
    from mnemis.model.recall import Hit
    from mnemis.model.working import Working
    from mnemis.ports.chat import ChatModel
    from mnemis.ports.clock import Clock
    from mnemis.ports.embedder import Embedder
    from mnemis.ports.extractor import Extractor
    from mnemis.ports.reranker import Reranker


class MemoryCare:
    """Mix-in of Memory. What these verbs return is described in ``mnemis.care``."""

    mnemis: Mnemis
    scope: Scope

    if TYPE_CHECKING:

        @classmethod
        def open(
            cls,
            path: str | PathLike[str],
            *,
            scope: str | Sequence[str] = "default",
            embedder: Embedder | None = None,
            extractor: Extractor | None = None,
            chat_model: ChatModel | None = None,
            reranker: Reranker | None = None,
            config: Config | None = None,
            clock: Clock | None = None,
        ) -> Memory:
            """What Memory provides."""
            ...

    def forget(
        self,
        *,
        message_ids: Iterable[str] | None = None,
        entity: str | None = None,
        before: datetime | None = None,
        session: str | None = None,
        everything: bool = False,
    ) -> ForgetReport:
        """Forget messages and all that was made of them, in one transaction; returns what went.

        Give ``message_ids``; or ``entity`` (all messages that name it, are said by it, or on which
        a fact about it rests), ``before`` (said earlier) and ``session``, which must all hold when
        given together; or ``everything=True`` for the whole scope. Texts, vectors, summaries,
        facts, names and topics go from every file. What also rests on other messages stays and is
        told anew from those; a fact that was overturned only by what goes is current again; turns
        around a gap are joined and consolidated anew (at once in the background, or by
        ``consolidate()``). Pinned memories go too: an explicit forget wins. Repeating it is
        harmless. Raises InputError (no selector, an impossible pair, an ambiguous entity),
        ReadOnlyStore, StoreError.
        """
        from mnemis.care.forget import forget
        from mnemis.care.select import check_selection

        selection = check_selection(
            message_ids=message_ids,
            entity=entity,
            before=before,
            session=session,
            everything=everything,
            zone=self.mnemis.config.zone,
        )
        self.mnemis.check_writable()
        with self.mnemis.locks.of("remember", self.scope):
            report = forget(
                self.mnemis.store,
                self.scope,
                selection,
                embedder=self.mnemis.embedder,
                config=self.mnemis.config,
            )
        self.mnemis.wake()
        return report

    def verify_forgotten(
        self, texts: str | Iterable[str] = (), *, message_ids: str | Iterable[str] = ()
    ) -> VerifyReport:
        """Search every file of the folder, and this scope, for what should be gone.

        ``texts`` are looked for whole, as JSON spells them, and by those of their words that no
        memory says any more; nothing may rest on ``message_ids`` (ids themselves stay in the log).
        True when nothing was found; else ``found`` tells what is where. Raises InputError.
        """
        from mnemis.care.verify import checked_texts, verify_forgotten

        return verify_forgotten(
            self.mnemis.store,
            self.scope,
            texts=checked_texts(texts, what="verify_forgotten()"),
            message_ids=checked_texts(message_ids, what="message_ids="),
        )

    def edit(
        self,
        message_id: str,
        *,
        text: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        time: datetime | None = None,
        speaker: str | None = None,
    ) -> EditReport:
        """Correct a message where it stands; None leaves a field as it is.

        A new text, time or speaker removes what was made of the old message, as ``forget`` does,
        and queues it for consolidation; the old text is gone from every file. ``metadata`` replaces
        the whole mapping and removes nothing else. Raises InputError (unknown message, nothing to
        change), ReadOnlyStore, StoreError, EmbedderError.
        """
        from mnemis.care.edit import check_correction, edit

        correction = check_correction(text=text, metadata=metadata, time=time, speaker=speaker)
        self.mnemis.check_writable()
        with self.mnemis.locks.of("remember", self.scope):
            report = edit(
                self.mnemis.store,
                self.scope,
                message_id,
                correction,
                embedder=self.mnemis.embedder,
                config=self.mnemis.config,
            )
        self.mnemis.wake()
        return report

    def pin(self, id: str, *, pinned: bool = True) -> Marked:
        """Keep a memory: importance 1, never archived or deleted by a retention policy.

        ``id`` names a node or a message. The mark is ``"mnemis.pinned"`` in the node's metadata;
        ``pinned=False`` takes it off and restores the importance. Raises InputError for an unknown
        id, ReadOnlyStore.
        """
        from mnemis.care.marks import pin

        self.mnemis.check_writable()
        return pin(self.mnemis.store, self.scope, id, pinned=pinned)

    def feedback(self, hit: Hit | str, *, useful: bool) -> Marked:
        """Say whether a hit (or the memory of this id) was useful; its importance moves by 0.1.

        Counts are kept in the node's metadata and go with it. Raises InputError when it is gone,
        ReadOnlyStore.
        """
        from mnemis.care.marks import feedback

        self.mnemis.check_writable()
        return feedback(self.mnemis.store, self.scope, hit, useful=useful)

    def show(self, id: str) -> Shown:
        """A node, or the turns of a message: fields, edges, the messages it rests on.

        Raises InputError for an unknown id.
        """
        from mnemis.care.show import show

        with self.mnemis.store.view(self.scope) as view:
            return show(view, id)

    def profile(self, name: str) -> Profile:
        """What is known about an entity: current facts by relation, disputed and past ones,
        episodes, when it was last mentioned.

        ``name`` is a name, an alias, "Java (island)", or an id. Raises InputError: an unknown name
        lists near ones, an ambiguous one its candidates.
        """
        from mnemis.care.profile import profile

        with self.mnemis.store.view(self.scope) as view:
            return profile(view, name)

    def working(
        self, session: str | None = None, *, turns: int = 8, budget: int | None = None
    ) -> Working:
        """What is at hand of a session: its latest ``turns``, what was said before, what holds.

        ``session`` None means that of the turn that arrived last, documents aside; one that is
        unknown gives an empty answer. ``budget`` bounds ``text`` in tokens (default
        ``config.recall.context_tokens``). Turns that wait for consolidation are read by the rules.
        Looks back over 120 turns before the latest ones. Raises InputError.
        """
        from mnemis.care.working import WorkingRequest, working
        from mnemis.consolidate.resources import Resources

        settings = self.mnemis.config
        request = WorkingRequest.checked(
            session, turns=turns, budget=budget, usual=settings.recall.context_tokens
        )
        resources = Resources(
            embedder=self.mnemis.embedder, extractor=None, clock=self.mnemis.clock, config=settings
        )
        with self.mnemis.store.view(self.scope) as view:
            return working(view, request, resources=resources, counter=self.mnemis.counter)

    def topics(self) -> tuple[Topic, ...]:
        """The categories as a tree, largest first, with how many memories lie below each."""
        from mnemis.care.topics import topics

        with self.mnemis.store.view(self.scope) as view:
            return topics(view)

    def history(self, about: str) -> tuple[HistoryItem, ...]:
        """All versions of a matter, oldest first, each with its status and successor.

        ``about`` is a text ("launch date"), an entity's name, or a fact's or message's id. Empty
        when nothing is about it; a turn stands in where no fact does (``item.kind``). Raises
        InputError for an empty text.
        """
        from mnemis.care.history import history

        with self.mnemis.store.view(self.scope) as view:
            return history(view, about, embedder=self.mnemis.embedder)

    def health(self) -> HealthReport:
        """Sizes, distributions, and findings (orphans, hubs, duplicates, stale and disputed facts,
        failures, drift, width, compression), each with what to do.
        """
        from mnemis.care.health import health

        jobs = self.mnemis.store.jobs(scope=self.scope)
        with self.mnemis.store.view(self.scope) as view:
            return health(view, jobs=jobs, config=self.mnemis.config)

    def tune(
        self,
        labelled: Iterable[Labelled | tuple[str, Sequence[str]]],
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> TuneReport:
        """Fit the ranking's weights to this scope's own labelled queries.

        Each is a ``Labelled`` or a pair (query, ids of the messages that answer it); at least ten.
        Judged by cross-validation: unless queries that the fit has not seen are answered better,
        nothing changes. ``untune`` takes it back. Raises InputError.
        """
        from mnemis.care.tune import Labelled, tune

        self.mnemis.check_writable()
        examples = [
            Labelled(query=each[0], relevant=tuple(each[1])) if isinstance(each, tuple) else each
            for each in labelled
        ]
        return tune(
            self.mnemis.store, self.scope, self.mnemis.recaller, examples, progress=progress
        )

    def untune(self) -> bool:
        """Back to the shipped weights; False when they were in use already."""
        from mnemis.care.tune import untune

        self.mnemis.check_writable()
        return untune(self.mnemis.store, self.scope)

    def export(self, path: str | PathLike[str]) -> ExportReport:
        """Write the scope to one file: JSON Lines, or GraphML when its name ends in ".graphml".

        The file appears whole or not at all, replacing one of that name. Vectors are left out.
        Raises InputError, StoreError.
        """
        from mnemis.care.export import export

        with self.mnemis.store.view(self.scope) as view:
            return export(view, path, scope=self.scope)

    @classmethod
    def import_(
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
        """Open the memory in the folder ``into`` with what an export (JSON Lines) holds.

        ``scope`` None means the scope that was exported. It must be empty there, or hold a part of
        the same export: a repeat adds nothing and completes what broke off. Ids stay the same.
        Raises InputError naming the line that is wrong, MessageConflict, and what ``open`` raises.
        """
        from mnemis.care.importing import exported_scope, import_file

        exported = exported_scope(path)  # reads it all: a bad file leaves no folder behind
        memory = cls.open(
            into,
            scope=exported if scope is None else scope,
            embedder=embedder,
            extractor=extractor,
            chat_model=chat_model,
            reranker=reranker,
            config=config,
            clock=clock,
        )
        try:
            with memory.mnemis.locks.of("remember", memory.scope):
                import_file(
                    memory.mnemis.store,
                    memory.scope,
                    path,
                    embedder=memory.mnemis.embedder,
                    config=memory.mnemis.config,
                )
        except BaseException:
            memory.close()
            raise
        return memory
