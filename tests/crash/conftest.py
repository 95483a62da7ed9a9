"""Child processes that write to a store until something happens to them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mnemis.errors

PRELUDE = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from mnemis.config import Config
from mnemis.errors import *
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.store_samples import *

def opened(folder, **options):
    return SqliteStore.open(Path(folder), fingerprint=FINGERPRINT, config=Config(), **options)

def step(n):
    a, b = turn(2 * n, f"text {n}"), turn(2 * n + 1, f"reply {n}")
    return change(
        a, b, change_id=f"step-{n}", state={"done": str(n)}, edges=[edge(a, b, "next")],
        entries=[entry(x, f"word{n}", vector=direction(1, n)) for x in (a, b)],
    )

def say(text):
    sys.stdout.write(f"{text}\\n")
    sys.stdout.flush()

folder = sys.argv[1]
"""

Child = Callable[[str, Path], "subprocess.Popen[str]"]


@pytest.fixture
def child() -> Child:
    """Starts Python on a script that begins with PRELUDE and has the folder in ``folder``."""

    def start(script: str, folder: Path) -> subprocess.Popen[str]:
        source = str(Path(mnemis.errors.__file__).parent.parent)
        return subprocess.Popen(
            [sys.executable, "-c", PRELUDE + script, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )

    return start
