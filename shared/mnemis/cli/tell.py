"""Commands that tell what is known: health, profile, history, working."""

from __future__ import annotations

from collections.abc import Sequence

from mnemis.cli.render import dump, say, say_verbatim, table, when
from mnemis.cli.request import Request, chosen_memory, open_to_read
from mnemis.model.graph import Fact


def run_health(request: Request) -> int:
    """Sizes and what is not well, each with what to do."""
    with open_to_read(request) as mnemis:
        report = chosen_memory(mnemis, request).health()
    if request.json:
        dump(
            {
                "counts": dict(report.counts),
                "edges": report.edges,
                "pending": report.pending,
                "failed": report.failed,
                "findings": [
                    {
                        "kind": each.kind,
                        "count": each.count,
                        "ids": list(each.ids),
                        "what": each.what,
                        "advice": each.advice,
                    }
                    for each in report.findings
                ],
            }
        )
        return 0
    counts = ", ".join(f"{count} {kind}" for kind, count in report.counts.items() if count)
    say(f"{counts}; {report.edges} edges; {report.pending} turns wait, {report.failed} failed")
    for each in report.findings:
        say(each.what, style="bold")
        say(each.advice, indent=4)
    if report.well:
        say("Nothing is wrong.")
    return 0


def run_profile(request: Request) -> int:
    """What is known about somebody or something."""
    with open_to_read(request) as mnemis:
        found = chosen_memory(mnemis, request).profile(request.name)
    current = [fact for facts in found.facts.values() for fact in facts]
    if request.json:
        dump(
            {
                "id": found.entity.id,
                "name": found.entity.name,
                "type": found.entity.type,
                "aliases": list(found.entity.aliases),
                "mentions": found.mentions,
                "current": _facts_json(current),
                "named_in": _facts_json(found.named_in),
                "disputed": _facts_json(found.disputed),
                "past": _facts_json(found.past),
            }
        )
        return 0
    entity = found.entity
    names = f" ({', '.join(entity.aliases)})" if entity.aliases else ""
    last = f", last {when(found.last_mentioned)}" if found.last_mentioned else ""
    say(f"{entity.name}{names}: {entity.type}, mentioned {found.mentions} times{last}")
    for title, facts in {
        "now": current,
        "named in": found.named_in,
        "disputed": found.disputed,
        "before": found.past,
    }.items():
        if facts:
            say(title, style="bold")
            for fact in facts:
                say(f"{when(fact.time)}  {fact.text}".strip(), indent=4)
    return 0


def run_history(request: Request) -> int:
    """All versions of a matter, oldest first."""
    with open_to_read(request) as mnemis:
        items = chosen_memory(mnemis, request).history(request.about)
    if request.json:
        dump(
            [
                {
                    "id": each.node.id,
                    "kind": each.kind,
                    "text": each.text,
                    "status": each.status,
                    "time": each.time.isoformat() if each.time else None,
                    "valid_from": each.valid_from.isoformat() if each.valid_from else None,
                    "valid_to": each.valid_to.isoformat() if each.valid_to else None,
                    "sources": list(each.sources),
                    "successor": each.successor,
                    "opposed": list(each.opposed),
                }
                for each in items
            ]
        )
    elif items:
        table(
            ["said", "status", "until", "what"],
            [
                [
                    when(each.time),
                    each.status if each.kind == "fact" else "said",
                    when(each.valid_to),
                    each.text,
                ]
                for each in items
            ],
        )
    else:
        say("Nothing is known about that.")
    return 0


def run_working(request: Request) -> int:
    """What is at hand of a session, as a prompt gets it."""
    with open_to_read(request) as mnemis:
        memory = chosen_memory(mnemis, request)
        found = memory.working(request.session, turns=request.turns, budget=request.budget)
    if request.json:
        dump(
            {
                "session": found.session,
                "turns": [
                    {
                        "id": each.id,
                        "role": each.role,
                        "speaker": each.speaker,
                        "time": each.time.isoformat() if each.time else None,
                        "text": each.text,
                    }
                    for each in found.turns
                ],
                "summary": found.summary,
                "notes": [
                    {
                        "kind": each.kind,
                        "text": each.text,
                        "time": each.time.isoformat() if each.time else None,
                        "sources": list(each.sources),
                    }
                    for each in found.notes
                ],
                "text": found.text,
                "tokens": found.tokens,
            }
        )
    elif found.text:
        say_verbatim(found.text)
    elif found.turns:
        say("Nothing fits into that budget.")
    else:
        say("Nothing was said in that session.")
    return 0


def _facts_json(facts: Sequence[Fact]) -> list[object]:
    return [
        {
            "id": fact.id,
            "text": fact.text,
            "relation": fact.relation,
            "object": fact.object,
            "time": fact.time.isoformat() if fact.time else None,
            "sources": list(fact.sources),
        }
        for fact in facts
    ]
