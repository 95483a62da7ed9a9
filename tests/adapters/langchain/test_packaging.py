"""The package loads nothing early, and says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mnemis_langchain

FRAMEWORKS = ("langchain_core", "langchain_classic", "langchain", "langgraph")
NEEDS = {
    "MnemisMemory": ("langchain_core", "langchain_classic"),
    "MnemisMiddleware": ("langchain_core", "langchain", "langgraph"),
    "MnemisStore": ("langchain_core", "langgraph"),
}
EXTRAS = {
    "langchain_core": "mnemis[langchain]",
    "langchain_classic": "mnemis[langchain-classic]",
    "langchain": "mnemis[langchain-agents]",
    "langgraph": "mnemis[langchain-agents]",
}
HIDE = """
import sys
from importlib.abc import MetaPathFinder

class Hidden(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
import mnemis_langchain
"""


def python(root: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "shared"), str(root)])}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_importing_loads_no_framework(root: Path) -> None:
    code = "import sys, mnemis_langchain; print(*sys.modules)"
    done = python(root, code)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert "mnemis.memory" in loaded
    assert not loaded & set(FRAMEWORKS)


@pytest.mark.parametrize("missing", FRAMEWORKS)
def test_what_is_missing_is_named_with_the_command(root: Path, missing: str) -> None:
    code = HIDE + (
        "for name in mnemis_langchain.__all__:\n"
        "    try:\n"
        "        getattr(mnemis_langchain, name)\n"
        "    except ImportError as error:\n"
        "        print(name, '|', type(error).__name__, '|', error)\n"
    )
    done = python(root, code, missing)
    assert done.returncode == 0, done.stderr
    failed = {line.split(" | ")[0]: line for line in done.stdout.splitlines()}
    needing = {name for name in mnemis_langchain.__all__ if missing in NEEDS.get(name, ())}
    if missing == "langchain_core":
        needing = set(mnemis_langchain.__all__)
    assert set(failed) == needing
    for line in failed.values():
        assert "| MissingExtra |" in line
        assert "pip install" in line
        assert EXTRAS[missing] in line


def test_langchain_core_alone_is_enough_for_the_rest(root: Path) -> None:
    code = HIDE + (
        "from mnemis_langchain import MnemisRetriever, MnemisChatMessageHistory, memory_tools\n"
        "from mnemis_langchain import as_embedder, as_chat_model, format_documents\n"
        "from mnemis import Mnemis, Message\n"
        "from mnemis.embedders.hashing import HashingEmbedder\n"
        "from mnemis.stores.oracle import OracleStore\n"
        "with Mnemis(OracleStore(), embedder=HashingEmbedder()) as mnemis:\n"
        "    mnemis.scope('ana').remember([Message(role='user', text='green tea')])\n"
        "    user = {'configurable': {'user_id': 'ana'}}\n"
        "    print(MnemisRetriever(mnemis=mnemis).invoke('tea', user)[0].page_content)\n"
        "    print(memory_tools(mnemis=mnemis)[1].invoke({'query': 'tea'}, user))\n"
    )
    done = python(root, code, "langchain_classic,langchain,langgraph")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("green tea\n")


def test_the_public_names_are_all_there() -> None:
    assert sorted(mnemis_langchain.__all__) == mnemis_langchain.__all__
    for name in mnemis_langchain.__all__:
        assert getattr(mnemis_langchain, name).__doc__, name
    assert set(mnemis_langchain.__all__) <= set(dir(mnemis_langchain))
    with pytest.raises(AttributeError, match="has no attribute 'Mnemosyne'"):
        mnemis_langchain.Mnemosyne  # noqa: B018
