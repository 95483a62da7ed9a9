"""The command line's grammar."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime, tzinfo
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from mnemis.cli.demo import run_demo
from mnemis.cli.ingest import run_ingest
from mnemis.cli.keep import run_export, run_forget, run_import, run_reindex
from mnemis.cli.look import run_jobs, run_recall, run_scopes
from mnemis.cli.show import run_show, run_topics
from mnemis.cli.tell import run_health, run_history, run_profile, run_working
from mnemis.cli.tune import run_tune
from mnemis.formats import FORMATS
from mnemis.opening import EMBEDDERS

_EPILOG = """\
exit codes: 0 done, 1 it could not be done (why is on stderr), 2 wrong usage, 130 interrupted
The store is a folder: --store, else $MNEMIS_STORE, else ./mnemis-memory.
Nothing leaves the machine."""


def build_parser() -> argparse.ArgumentParser:
    """All commands with their options and help."""
    parser = argparse.ArgumentParser(
        prog="mnemis",
        description="Long-term memory for LLM applications, from the command line.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mnemis {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    store, scope, output = _store_options(), _scope_options(), _output_options()

    ingest = commands.add_parser(
        "ingest", parents=[store, scope, output], help="remember the messages of a file"
    )
    ingest.add_argument("file", type=Path, metavar="FILE")
    ingest.add_argument(
        "--format", choices=("auto", *FORMATS), default="auto", help="default: told by the content"
    )
    ingest.add_argument(
        "--no-consolidate", action="store_true", help="store only; make no facts and topics yet"
    )
    ingest.set_defaults(run=run_ingest)

    _add_recall(commands.add_parser(
        "recall", parents=[store, scope, output], help="ask the memory a question"
    ))  # fmt: skip
    topics = commands.add_parser(
        "topics", parents=[store, scope, output], help="the tree of topics"
    )
    topics.set_defaults(run=run_topics)
    show = commands.add_parser(
        "show", parents=[store, scope, output], help="one memory: text, edges, where it comes from"
    )
    show.add_argument("id", metavar="ID", help="a message's or a node's id, or an entity's name")
    show.set_defaults(run=run_show)
    scopes = commands.add_parser("scopes", parents=[store, output], help="what scopes there are")
    scopes.set_defaults(run=run_scopes)
    jobs = commands.add_parser(
        "jobs", parents=[store, output], help="consolidation that waits or failed"
    )
    jobs.set_defaults(run=run_jobs)
    both = [store, scope, output]
    health = commands.add_parser("health", parents=both, help="sizes, and what is not well")
    health.set_defaults(run=run_health)
    profile = commands.add_parser("profile", parents=both, help="what is known about somebody")
    profile.add_argument("name", metavar="NAME", help="a name, an alias or an entity's id")
    profile.set_defaults(run=run_profile)
    history = commands.add_parser("history", parents=both, help="all versions of a matter")
    history.add_argument("about", metavar="ABOUT", help='a text such as "launch date", or an id')
    history.set_defaults(run=run_history)
    _add_working(commands.add_parser(
        "working", parents=both, help="what is at hand of a session: the text for a prompt"
    ))  # fmt: skip
    _add_tune(commands.add_parser("tune", parents=both, help="fit the ranking to labelled queries"))
    _add_forget(commands.add_parser("forget", parents=both, help="forget messages for good"))
    export = commands.add_parser(
        "export", parents=both, help="write a scope to a file: JSON lines, or .graphml"
    )
    export.add_argument("file", type=Path, metavar="FILE")
    export.set_defaults(run=run_export)
    imported = commands.add_parser("import", parents=both, help="bring in an exported scope")
    imported.add_argument("file", type=Path, metavar="FILE")
    imported.set_defaults(run=run_import)
    reindex = commands.add_parser(
        "reindex", parents=[_store_options(auto=False), output],
        help="let another embedder make all vectors anew",
    )  # fmt: skip
    reindex.set_defaults(run=run_reindex)
    demo = commands.add_parser(
        "demo", parents=[output], help="a shipped conversation, remembered and asked about"
    )
    demo.add_argument("--store", type=Path, default=Path("demo-memory"), metavar="DIR")
    demo.add_argument("--fresh", action="store_true", help="build the memory again")
    demo.set_defaults(run=run_demo, zone=UTC, embedder="auto")
    return parser


def _add_recall(recall: argparse.ArgumentParser) -> None:
    recall.add_argument("query", metavar="QUESTION")
    recall.add_argument("-k", type=_k, default=10, metavar="N", help="hits wanted, or auto (10)")
    recall.add_argument("--as-of", type=_time, metavar="DATE", help="what was valid on that day")
    recall.add_argument(
        "--asked-at",
        type=_time,
        metavar="DATE",
        help="the day to which “last Friday” relates (now)",
    )
    recall.add_argument("--session", metavar="NAME", help="only memories of this session")
    recall.add_argument("--speaker", metavar="NAME", help="only what this speaker said")
    recall.add_argument("--budget", type=_count, metavar="TOKENS", help="size of the context")
    recall.add_argument("--include-archived", action="store_true", help="archived memories too")
    recall.add_argument("--explain", action="store_true", help="how it was found, with timings")
    recall.add_argument("--context", action="store_true", help="the text for a prompt instead")
    recall.set_defaults(run=run_recall)


def _add_working(working: argparse.ArgumentParser) -> None:
    working.add_argument(
        "--session",
        metavar="NAME",
        help="default: that of the turn stored last, whenever it was said, documents aside",
    )
    working.add_argument("--turns", type=_count, default=8, metavar="N", help="verbatim turns (8)")
    working.add_argument("--budget", type=_count, metavar="TOKENS", help="size of the text")
    working.set_defaults(run=run_working)


def _add_tune(tune: argparse.ArgumentParser) -> None:
    tune.description = (
        "Fits the ranking's weights to this scope's own labelled queries and keeps them only where "
        "they help on queries that they were not fitted to."
    )
    wanted = tune.add_mutually_exclusive_group(required=True)
    wanted.add_argument(
        "labels", type=Path, nargs="?", metavar="FILE",
        help='JSON lines {"query": …, "relevant": [message ids]}, also "asked_at"; at least ten',
    )  # fmt: skip
    wanted.add_argument("--undo", action="store_true", help="back to the shipped weights")
    tune.set_defaults(run=run_tune)


def _add_forget(forget: argparse.ArgumentParser) -> None:
    forget.add_argument(
        "--id", dest="message_ids", action="append", default=[], metavar="ID",
        help="a message's id; may be repeated",
    )  # fmt: skip
    forget.add_argument("--entity", metavar="NAME", help="all that names or is about this")
    forget.add_argument("--before", type=_time, metavar="DATE", help="all that was said earlier")
    forget.add_argument("--session", metavar="NAME", help="all of this session")
    forget.add_argument("--everything", action="store_true", help="the whole scope")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    forget.set_defaults(run=run_forget)


def _store_options(*, auto: bool = True) -> argparse.ArgumentParser:
    """``auto``: the embedder need not be named; a store tells its own."""
    options = argparse.ArgumentParser(add_help=False)
    default = os.environ.get("MNEMIS_STORE") or "mnemis-memory"
    options.add_argument(
        "--store", type=Path, default=Path(default), metavar="DIR", help=f"default: {default}"
    )
    options.add_argument(
        "--embedder", choices=("auto", *EMBEDDERS) if auto else EMBEDDERS,
        default="auto" if auto else None, required=not auto,
        help="default: the store's own, use for a new one" if auto else "whose vectors to make",
    )  # fmt: skip
    options.add_argument(
        "--zone", type=_zone, default=UTC, metavar="ZONE",
        help="time zone of dates without one, such as Asia/Shanghai (UTC)",
    )  # fmt: skip
    return options


def _scope_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument(
        "--scope", action="append", default=[], metavar="LABEL",
        help="a label of the scope; repeat for several (default: the only scope there is)",
    )  # fmt: skip
    return options


def _output_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--json", action="store_true", help="one JSON document on stdout")
    return options


def _count(text: str) -> int:
    if text.startswith("-") and text[1:].isdecimal():
        raise argparse.ArgumentTypeError(f"must be 0 or more, got {text}")
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _k(text: str) -> int | Literal["auto"]:
    return "auto" if text == "auto" else _count(text)


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no date such as 2025-03-01 or 2025-03-01T09:00"
        ) from error


def _zone(text: str) -> tzinfo:
    try:
        return ZoneInfo(text)
    except (ValueError, OSError, KeyError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time zone such as Europe/Berlin"
        ) from error


def _version() -> str:
    try:
        return version("mnemis")
    except PackageNotFoundError:
        return "(not installed)"
