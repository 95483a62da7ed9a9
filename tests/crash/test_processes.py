"""Four processes of one application write to one folder, a fifth reads, one is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mnemis.errors
from mnemis import Config, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import StoreLocked

WRITERS = 4
MESSAGES = 200
HELD = 25
"""Messages that a writer stores each time it has the folder."""

WRITE = """
import random, sys, time
from pathlib import Path
from mnemis import Config, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import StoreLocked

folder, name, first, last, held = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
chance = random.Random(name)
numbers = list(range(first, last))
chance.shuffle(numbers)
refused = 0
while numbers:
    try:
        mnemis = Mnemis.open(
            folder, embedder=HashingEmbedder(), config=Config(consolidate="manual", lock_timeout=0.2)
        )
    except StoreLocked as error:
        assert folder in str(error), error
        refused += 1
        time.sleep(chance.uniform(0.0, 0.05))
        continue
    with mnemis:
        for number in numbers[:held]:
            text = f"Crate {number} of {name} is in the shed. 箱子{number}在棚里。"
            mnemis.scope(name).remember([Message(role="user", text=text, id=f"{name}-{number}")])
            print(number, flush=True)
    del numbers[:held]
    time.sleep(chance.uniform(0.0, 0.02))
print("refused", refused, flush=True)
"""

Write = Callable[[str, int, int], "subprocess.Popen[str]"]


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Starts a process that stores messages with numbers in a range, and tells each stored one."""
    started: list[subprocess.Popen[str]] = []

    def start(name: str, first: int, last: int) -> subprocess.Popen[str]:
        source = str(Path(mnemis.errors.__file__).parent.parent)
        with (tmp_path / f"{name}-{first}.told").open("w") as told:
            process = subprocess.Popen(
                [sys.executable, "-c", WRITE, str(tmp_path / "m"), name,
                 str(first), str(last), str(HELD)],
                stdout=told,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": source},
            )  # fmt: skip
        started.append(process)
        return process

    yield start
    for each in started:
        each.kill()
        each.wait()
        if each.stderr is not None:
            each.stderr.close()


def told(folder: Path, name: str) -> set[int]:
    """The numbers that a writer's processes said were stored; a torn last line does not count."""
    lines = [
        line
        for path in sorted(folder.glob(f"{name}-*.told"))
        for line in path.read_text().splitlines(keepends=True)
    ]
    return {int(line) for line in lines if line.endswith("\n") and line[0].isdigit()}


def kept(opened: Mnemis, name: str) -> set[int]:
    with opened.store.view((name,)) as view:
        return {int(turn.id.rpartition("-")[2]) for turn in view.scan("turn")}


def reader(folder: Path) -> Mnemis:
    return Mnemis.open(folder, embedder=HashingEmbedder(), read_only=True)


def test_four_writers_and_a_reader_lose_nothing_and_nobody_waits_for_ever(
    write: Write, tmp_path: Path
) -> None:
    Mnemis.open(tmp_path / "m", embedder=HashingEmbedder()).close()
    names = [f"writer{number}" for number in range(WRITERS)]
    writers = {name: write(name, 0, MESSAGES) for name in names}
    victim = random.Random(7).choice(names)
    seen = dict.fromkeys(names, 0)
    reads = 0
    deadline = time.monotonic() + 90
    with reader(tmp_path / "m") as reading:
        while any(each.poll() is None for each in writers.values()):
            assert time.monotonic() < deadline, "the writers wait for each other"
            for name in names:
                now = len(kept(reading, name))
                assert now >= seen[name], "what was read is gone"
                seen[name] = now
            reads += 1
            if writers[victim].poll() is None and len(told(tmp_path, victim)) >= MESSAGES // 3:
                writers[victim].send_signal(signal.SIGKILL)
                writers[victim].wait()
    assert reads >= 5
    assert writers[victim].returncode == -signal.SIGKILL
    for name in set(names) - {victim}:
        assert writers[name].returncode == 0, writers[name].stderr and writers[name].stderr.read()
    with reader(tmp_path / "m") as reading:
        for name in set(names) - {victim}:
            assert kept(reading, name) == told(tmp_path, name) == set(range(MESSAGES))
        survived = kept(reading, victim)
    assert told(tmp_path, victim) <= survived < set(range(MESSAGES))
    refused = sum(
        int(line.split()[1])
        for path in tmp_path.glob("*.told")
        for line in path.read_text().splitlines()
        if line.startswith("refused")
    )
    assert refused, "they never met"

    again = write(victim, 0, MESSAGES)  # what was stored before is a repeat
    assert again.wait(60) == 0
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder()) as opened:
        for name in names:
            memory = opened.scope(name)
            assert kept(opened, name) == set(range(MESSAGES))
            for number in (0, 77, MESSAGES - 1):
                for query in (f"crate {number}", f"箱子{number}"):
                    hit = memory.recall(query, k=1).hits[0]
                    assert hit.sources == (f"{name}-{number}",)


def test_who_comes_second_is_told_in_time(write: Write, tmp_path: Path) -> None:
    config = Config(lock_timeout=0.3)
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder()) as first:
        began = time.monotonic()
        with pytest.raises(StoreLocked, match="read_only"):
            Mnemis.open(tmp_path / "m", embedder=HashingEmbedder(), config=config)
        assert time.monotonic() - began < 5
        waiting = write("later", 0, 3)
        time.sleep(0.5)
        assert told(tmp_path, "later") == set()
        first.close()
        assert waiting.wait(30) == 0
    with reader(tmp_path / "m") as reading:
        assert kept(reading, "later") == {0, 1, 2}
