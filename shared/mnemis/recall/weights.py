"""The ranking's weights: one linear model over evidence from the graph.

Every feature is a share of what the query could get at best (cosine, BM25 divided by the query's
own ideal, coverage), so that a weight means the same in every memory and scores compare across
queries. Weights are set by hand, round, each with its reason; they were validated on development
halves of public sets, never fitted on them. What depends on the kind of conversation is scaled by
what ``observe`` sees, never by a set's name.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One number a feature."""

    # What the turn itself says.
    part_best: float = 1.0  # cosine of its best part: a long answer is found by one passage
    part_mean: float = 1.0  # mean cosine of its parts: wholly about it beats a stray sentence
    bm25: float = 0.9  # exact words: the anchor for names, numbers, versions
    cover: float = 0.45  # all words of the query beat one word often

    # What stands around it, as far as people talk with each other.
    bm25_window: float = 0.9  # previous + this: an answer does not repeat the question's nouns
    cover_window: float = 0.3  # one turn either side: the query's words spread over neighbours
    bm25_stretch: float = 0.5  # four turns either side: the topic of the moment
    bm25_session: float = 0.3  # the whole session is about it
    session_best: float = 0.3  # evidence comes in sessions that match well somewhere
    answers: float = 0.7  # the reply to a question that fits the query
    previous: float = 0.1
    following: float = 0.2  # a reaction to the evidence often names what it was
    question: float = 0.7  # minus: asking is not telling
    speaker: float = 0.5  # the one asked about says it
    when_word: float = 0.2  # "when" wants a date word
    length: float = 0.2  # longer turns tell more

    # Any kind of memory.
    time_fit: float = 0.8  # said in the time the query names
    recency: float = 0.2  # "now", "latest": newer over older
    importance: float = 0.2  # marked as mattering, by what it says, by use or by hand
    central: float = 0.05  # much of the graph hangs on it
    user: float = 0.2  # with an assistant: the user's own words
    reply: float = 0.4  # the same: what the assistant's reply spells out of a user's turn

    # What the graph adds.
    fact: float = 0.05  # it supports a fact that fits the query: what the fact says counts already
    cause: float = 0.5  # "why" and "how": it brought about, or came of, a good match
    relations: float = 2.0  # reached from a named entity along typed edges (its scores are small)
    hierarchy: float = 0.1  # under a category that fits
    hierarchy_all: float = 0.6  # the best branch, when the query asks for everything
    hierarchy_vague: float = 0.3  # the same when it is vague: it may still want one thing
    thread: float = 0.5  # everything asked for: on the thread of the best, as a share of their sum
    titled: float = 0.4  # a passage about the thing that the query names
    named: float = 0.2  # it mentions something rare that the query names
    hop_title: float = 1.0  # a good hit names the thing that this passage is about
    hop_name: float = 0.5  # a good hit shares a rare name with it
    hop_talk: float = 1.2  # the same where people talk: who was "the nurse" then is "Beth" now
    hop_fact: float = 6.0  # more, where a fact of the hit about what it names fits the question
    hop_base: float = 0.4  # what a bridge counts even where it covers nothing new of the query
    hop_note: float = 1.0  # notes: shares a hit's rare words and covers what the hit left open

    # The query's form.
    whole: float = 0.1  # a compound question: the whole beside its best part
    diverse: float = 0.6  # counting and listing: minus what near-duplicates already told


SHIPPED = Weights()

TUNED = "weights"
"""Key of a scope's state under which weights fitted to its user are kept."""


def write_weights(weights: Weights) -> str:
    """As JSON."""
    return json.dumps(asdict(weights), sort_keys=True)


def read_weights(text: str | None) -> Weights | None:
    """From JSON; None for nothing. What it does not name is as shipped, unknown names are left."""
    if not text:
        return None
    known = {each.name for each in fields(Weights)}
    values = json.loads(text)
    return Weights(**{name: float(value) for name, value in values.items() if name in known})
