"""``mnemis demo``: a conversation of five months, remembered, and questions put to it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from mnemis.cli.ingest import consolidate_all, remember_all
from mnemis.cli.render import dump, hit_json, say, say_hit, table
from mnemis.cli.request import Request, open_to_write, scope_name
from mnemis.demo import SCOPE, Answer, ask, load_conversation, load_questions
from mnemis.errors import InputError
from mnemis.memory import Memory, Mnemis

_SHOWN = 3
_CLASSES = ("vague", "relational", "evolving")


def run_demo(request: Request) -> int:
    """Build the memory (or open the one built before), ask everything, sum up."""
    if request.fresh:
        _remove(request.store)
    with open_to_write(request) as mnemis:
        memory = mnemis.scope(SCOPE)
        story = _prepare(mnemis, memory, request.store)
        if not request.json:
            say(story)
        answers: list[Answer] = []
        for question in load_questions():
            answers.append(ask(memory, question))
            if not request.json:
                _say_answer(answers[-1])
    if request.json:
        dump(_as_json(story, answers))
    else:
        _say_summary(answers)
    return 0


def _prepare(mnemis: Mnemis, memory: Memory, folder: Path) -> str:
    """Remember and consolidate what is not yet there; returns a sentence about it."""
    conversation = load_conversation()
    with mnemis.store.view(memory.scope) as view:
        known = view.by_source([each.id for each in conversation.messages if each.id])
        is_consolidated = view.stats().nodes.get("episode", 0) > 0
    if len(known) == len(conversation.messages) and is_consolidated:
        return (
            f"Opened the memory built before in {folder}/ ({len(known)} messages); "
            "--fresh builds it again."
        )
    began = time.perf_counter()
    remember_all(memory, conversation, title="remembering")
    remembered = time.perf_counter()
    report = consolidate_all(memory, title="consolidating")
    return (
        f"Remembered {len(conversation.messages)} messages in {remembered - began:.1f} s and "
        f"consolidated them in {time.perf_counter() - remembered:.1f} s: {report.episodes} "
        f"episodes, {report.facts} facts, {report.entities} entities, {report.categories} topics, "
        f"{report.superseded} facts overturned. The memory is in {folder}/."
    )


def _remove(folder: Path) -> None:
    """Delete a demo's memory, and never anybody else's folder."""
    if not folder.exists():
        return
    with Mnemis.open(folder, read_only=True) as mnemis:
        others = [scope for scope in mnemis.scopes() if scope != (SCOPE,)]
    if others:
        raise InputError(
            f"{str(folder)!r} also holds {scope_name(others[0])!r}, which the demo did not make; "
            "name another folder with --store"
        )
    shutil.rmtree(folder)


def _say_answer(answer: Answer) -> None:
    question = answer.question
    say()
    say(f"[{question.kind}] {question.text}", style="bold magenta")
    say(f"expected: {question.answer}", indent=4, style="green")
    found = f"{len(answer.found)} of {len(question.evidence)} in the top 10"
    say(f"evidence: {found}", indent=4, style="green")
    for rank, hit in enumerate(answer.recall.hits[:_SHOWN], start=1):
        is_evidence = bool(set(hit.sources) & set(question.evidence))
        say_hit(rank, hit, mark="✓ evidence" if is_evidence else "")


def _say_summary(answers: list[Answer]) -> None:
    rows: list[list[str]] = []
    for kind in (*_CLASSES, "all"):
        asked = [each for each in answers if kind in ("all", each.question.kind)]
        if asked:
            rows.append([kind, *_figures(asked)])
    say()
    table(
        ["questions", "asked", "some evidence", "all evidence", "recall@10", "latest value found"],
        rows,
    )


def _figures(asked: list[Answer]) -> list[str]:
    with_latest = [each for each in asked if each.question.current is not None]
    latest = f"{sum(each.has_current for each in with_latest)}/{len(with_latest)}"
    return [
        str(len(asked)),
        f"{sum(bool(each.found) for each in asked)}/{len(asked)}",
        f"{sum(each.share == 1 for each in asked)}/{len(asked)}",
        f"{100 * sum(each.share for each in asked) / len(asked):.0f} %",
        latest if with_latest else "",
    ]


def _as_json(story: str, answers: list[Answer]) -> object:
    return {
        "memory": story,
        "questions": [
            {
                "id": each.question.id,
                "class": each.question.kind,
                "text": each.question.text,
                "answer": each.question.answer,
                "evidence": list(each.question.evidence),
                "found": list(each.found),
                "hits": [hit_json(hit) for hit in each.recall.hits],
            }
            for each in answers
        ],
        "evidence_in_top_10": sum(bool(each.found) for each in answers),
        "recall_at_10": round(sum(each.share for each in answers) / len(answers), 4),
    }
