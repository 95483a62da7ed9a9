"""Another embedder takes over a memory: as if everything had been stored with it from the start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from mnemis import Config, InputError, Memory, Message, MessagePart, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderError, EmbedderMismatch, StoreLocked
from mnemis.model.message import Document
from mnemis.ports.embedder import Fingerprint
from mnemis.stores.sqlite.reindex import stored_fingerprint

MANUAL = Config(consolidate="manual")
SMALL, LARGE = HashingEmbedder(dimension=384), HashingEmbedder(dimension=768)
LONG = " ".join(f"Chapter {n}: the harbour crane number {n} was repaired." for n in range(40))
MESSAGES = (
    Message(role="user", speaker="Ana", text="I live in Lisbon and I work at NordBox.", id="m1"),
    Message(role="user", speaker="小明", text="我住在成都，我对花生过敏。", id="m2"),
    Message(role="assistant", text=LONG, id="m3"),
    Message(
        role="user",
        speaker="Ana",
        text="Look:",
        id="m4",
        parts=(MessagePart(kind="image", caption="a red sailing boat"),),
    ),
    Message(
        role="user", speaker="Ana", text="```py\nx = 1\n```\nThat code runs at night.", id="m5"
    ),
)


class Sulking(HashingEmbedder):
    """Fails at the second batch, or gives rows of another shape."""

    def __init__(self, *, short: bool = False) -> None:
        super().__init__(dimension=768)
        self._short = short
        self._calls = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self._calls += 1
        if self._short:
            return super().embed(texts)[:, :7]
        if self._calls > 1:
            raise EmbedderError("out of memory")
        return super().embed(texts)


def fill(folder: Path, embedder: HashingEmbedder) -> None:
    with Memory.open(folder, scope="a", embedder=embedder, config=MANUAL) as memory:
        memory.remember(MESSAGES)
        memory.add_documents([Document(id="d1", title="Rules", text=LONG)])
        memory.consolidate()
        other = memory.mnemis.scope("b")
        other.remember([Message(role="user", text="The cello is in the shed.", id="x1")])


def vectors(folder: Path, embedder: HashingEmbedder) -> dict[str, npt.NDArray[np.float32]]:
    found: dict[str, npt.NDArray[np.float32]] = {}
    with Mnemis.open(folder, embedder=embedder, config=MANUAL, read_only=True) as mnemis:
        for scope in mnemis.scopes():
            ids = [each for each, _, _ in mnemis.store.entry_ids(scope)]  # type: ignore[attr-defined]
            with mnemis.store.view(scope) as view:
                found.update({f"{scope}{k}": v for k, v in view.vectors(ids).items()})
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "memory", SMALL)
    return tmp_path / "memory"


def test_it_is_as_if_stored_with_the_other_embedder(folder: Path, tmp_path: Path) -> None:
    fill(tmp_path / "fresh", LARGE)
    steps: list[tuple[int, int]] = []
    report = Mnemis.reindex(folder, embedder=LARGE, progress=lambda *step: steps.append(step))
    ours, fresh = vectors(folder, LARGE), vectors(tmp_path / "fresh", LARGE)
    assert ours.keys() == fresh.keys()
    assert {"turn", "episode", "entity", "fact", "category"} <= {
        each.split("'")[-1].strip("),").split(":")[0] for each in ours
    }
    assert any("¶p" in each for each in ours)
    far = [
        k for k in ours if "category:" not in k and not np.allclose(ours[k], fresh[k], atol=1e-5)
    ]
    assert far == []
    assert report.scopes == 2
    assert report.vectors == len(ours)
    assert steps[-1] == (report.entries, report.entries)


def test_categories_are_where_consolidation_puts_them(folder: Path) -> None:
    before = vectors(folder, SMALL)
    Mnemis.reindex(folder, embedder=SMALL)
    after = vectors(folder, SMALL)
    assert before.keys() == after.keys()
    near = {k: float(before[k] @ after[k]) for k in before if "category:" in k}
    assert near and min(near.values()) > 0.99, near


def test_the_refusal_names_both_and_the_way_out(folder: Path) -> None:
    with pytest.raises(EmbedderMismatch, match=r"384.*768.*mnemis reindex"):
        Memory.open(folder, scope="a", embedder=LARGE)
    with Memory.open(folder, scope="a", embedder=SMALL, config=MANUAL) as memory:
        assert memory.recall("Where does Ana live?").hits


def test_all_is_found_after_it_and_new_messages_too(folder: Path) -> None:
    Mnemis.reindex(folder, embedder=LARGE)
    with pytest.raises(EmbedderMismatch):
        Memory.open(folder, scope="a", embedder=SMALL)
    with Memory.open(folder, scope="a", embedder=LARGE, config=MANUAL) as memory:
        memory.remember([Message(role="user", speaker="Ben", text="Ben plays chess.", id="m6")])
        for asked, found in (
            ("Where does Ana live?", "m1"),
            ("谁对花生过敏？", "m2"),
            ("harbour crane number 12", "m3"),
            ("red sailing boat", "m4"),
            ("Who plays chess?", "m6"),
        ):
            assert any(found in hit.sources for hit in memory.recall(asked, k=5).hits), asked


@pytest.mark.parametrize("short", [False, True])
def test_a_failing_embedder_changes_nothing(folder: Path, short: bool) -> None:
    before = vectors(folder, SMALL)
    with pytest.raises(EmbedderError):
        Mnemis.reindex(folder, embedder=Sulking(short=short))
    after = vectors(folder, SMALL)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[each], after[each]) for each in before)
    assert Mnemis.reindex(folder, embedder=LARGE).vectors == len(before)


def test_an_open_memory_is_left_alone(folder: Path) -> None:
    with Memory.open(folder, scope="a", embedder=SMALL), pytest.raises(StoreLocked):
        Mnemis.reindex(folder, embedder=LARGE, config=Config(lock_timeout=0.1))


def test_no_memory_is_made_by_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no memory"):
        Mnemis.reindex(tmp_path / "nothing", embedder=LARGE)
    assert not (tmp_path / "nothing").exists()


def test_a_folder_tells_whose_vectors_it_holds(folder: Path, tmp_path: Path) -> None:
    assert stored_fingerprint(folder) == Fingerprint(model="hashing", dimension=384, version="1")
    assert stored_fingerprint(tmp_path / "nothing") is None
