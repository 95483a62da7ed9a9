"""Second stage: accepted messages become Turn nodes, with what can be seen in the text alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemis.config import DocumentConfig
from mnemis.model.graph import Edge, Turn
from mnemis.remember.accept import PART_MARK, Accepted
from mnemis.text.dates import has_date
from mnemis.text.density import density
from mnemis.text.normalise import language
from mnemis.text.questions import question_share
from mnemis.text.sentences import parts as split_parts

_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """An accepted message with its final id and its place in the scope."""

    message: Accepted
    id: str
    ordinal: int


def turn_id(message_id: str, *, chunk: int | None = None) -> str:
    """The node id of a message's turn (of a document's chunk)."""
    return f"turn:{message_id}" if chunk is None else f"turn:{message_id}{PART_MARK}{chunk}"


def make_turns(numbered: Iterable[Numbered], *, documents: DocumentConfig) -> tuple[Turn, ...]:
    """One turn a message; a document becomes a turn a chunk, all citing the document's id.

    Ordinals of chunks follow each other, so a caller leaves room with ``room_for``.
    """
    turns: list[Turn] = []
    for each in numbered:
        if each.message.role != "document":
            turns.append(_turn(each, text=each.message.text, chunk=None, ordinal=each.ordinal))
            continue
        for chunk, text in enumerate(document_chunks(each.message.text, documents=documents)):
            turns.append(_turn(each, text=text, chunk=chunk, ordinal=each.ordinal + chunk))
    return tuple(turns)


def document_chunks(text: str, *, documents: DocumentConfig) -> tuple[str, ...]:
    """Chunks of whole sentences of about the configured size; at least one."""
    spans = split_parts(
        text, size=documents.chunk_tokens * _CHARS_PER_TOKEN, overlap=documents.overlap
    )
    return tuple(text[start:end] for start, end in spans) or (text,)


def link_turns(turns: Sequence[Turn], *, tails: Sequence[Turn]) -> tuple[Edge, ...]:
    """``next`` edges inside each session, and ``answers`` where another speaker replies to a
    question; ``tails`` are the last stored turns of the sessions concerned.
    """
    last = {turn.session: turn for turn in tails}
    edges: list[Edge] = []
    for turn in turns:
        before = last.get(turn.session)
        if before is not None:
            sources = (*before.sources, *turn.sources)
            edges.append(
                Edge(source=before.id, target=turn.id, type="next", time=turn.time, sources=sources)
            )
            if before.question_share > 0 and before.speaker != turn.speaker:
                edges.append(
                    Edge(
                        source=turn.id,
                        target=before.id,
                        type="answers",
                        weight=max(0.05, before.question_share),
                        time=turn.time,
                        sources=sources,
                    )
                )
        last[turn.session] = turn
    return tuple(edges)


def _turn(each: Numbered, *, text: str, chunk: int | None, ordinal: int) -> Turn:
    message = each.message
    heard = "\n".join([text, *(part.caption for part in message.parts)]).strip()
    return Turn(
        id=turn_id(each.id, chunk=chunk),
        message_id=each.id,
        text=text,
        time=message.time,
        sources=(each.id,),
        language=language(heard),
        metadata=message.metadata,
        role=message.role,
        speaker=message.speaker,
        session=message.session,
        ordinal=ordinal,
        density=density(heard),
        question_share=question_share(text),
        dated=has_date(heard),
        parts=message.parts,
    )
