"""Passages and the things that they are about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mnemis import Config, Document, Memory, Message
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.graph import Entity
from mnemis.models import RecordedExtractor, RecordedFact

PARKS = (
    "Wildlife parks\nThe Orland Department of Wildlife keeps nine parks along the northern border.",
    "Orland\nOrland is a state of rolling plains between two rivers, known for wheat and storms.",
    "Storm year\nIn a bad year the storms over Orland flattened half of the wheat before harvest.",
)


def mentions(memory: Memory, turn: str) -> dict[str, float]:
    """Names of what a turn mentions, with the weight of the mention."""
    with memory.mnemis.store.view(memory.scope) as view:
        edges = view.neighbours([turn], types=("mentions",), direction="out")[turn]
        nodes = view.get([edge.target for edge in edges])
        return {
            node.name: edge.weight
            for edge in edges
            if isinstance(node := nodes[edge.target], Entity)
        }


def remembered(folder: Path, *texts: str, facts: tuple[RecordedFact, ...] = ()) -> Memory:
    memory = Memory.open(
        folder,
        embedder=HashingEmbedder(),
        extractor=RecordedExtractor(facts) if facts else None,
        config=Config(consolidate="manual"),
    )
    memory.remember(
        [
            Message(
                role="user", speaker="document", text=text, id=f"p{number}", session=f"{number}"
            )
            for number, text in enumerate(texts)
        ]
    )
    memory.consolidate()
    return memory


def test_a_title_is_no_short_form_of_a_longer_name(tmp_path: Path) -> None:
    with remembered(tmp_path, *PARKS) as memory:
        about = {name for name, weight in mentions(memory, "turn:p1").items() if weight == 1}
        named = mentions(memory, "turn:p2")
    assert about == {"Orland"}
    assert "Orland" in named
    assert "Orland Department of Wildlife" not in named


CHINESE_PARTS = (
    (
        "山里的医生\n林若溪是一名医生，在山里的小镇工作了三十年，每天清晨都要走很远的路去看望病人，镇上的老人都"
        "认识林若溪，逢年过节会给她送来自家种的蔬菜和水果，她从来不肯收钱，也不愿意离开。"
    ),
    (
        "若溪\n若溪是一条流经三个县的小河，河水清澈，两岸种满了柳树，每年春天都有许多人来划船，河的上游有一座"
        "古老的石桥，下游则是一片湿地，冬天会有成群的候鸟停留，当地人把它看作吉祥的象征。"
    ),
)


def test_a_chinese_title_is_no_short_form_either(tmp_path: Path) -> None:
    with remembered(tmp_path, *CHINESE_PARTS) as memory:
        about = {name for name, weight in mentions(memory, "turn:p1").items() if weight == 1}
    assert about == {"若溪"}


def test_a_word_in_the_middle_of_a_sentence_is_no_name(tmp_path: Path) -> None:
    odd = RecordedFact(message_id="p0", subject="storms", relation="is", object="wheat")
    with remembered(tmp_path, *PARKS, facts=(odd,)) as memory:
        named = mentions(memory, "turn:p2")
    assert "Orland" in named
    assert named.keys().isdisjoint({"storms", "wheat"})


def test_names_of_several_words_need_no_capitals(tmp_path: Path) -> None:
    texts = (
        "Cloud chamber\nA cloud chamber shows the paths of particles as thin lines in cold vapour.",
        "Old classroom\nIn the cupboard of the old classroom stood a cloud chamber made of glass.",
    )
    with remembered(tmp_path, *texts) as memory:
        named = mentions(memory, "turn:p1")
    assert "Cloud chamber" in named


@pytest.mark.parametrize("long", [True, False])
def test_an_episode_of_one_long_turn_has_its_vector(tmp_path: Path, *, long: bool) -> None:
    text = "The northern lighthouse was built of grey stone by nine masons. "
    with Memory.open(
        tmp_path, embedder=HashingEmbedder(), config=Config(consolidate="manual")
    ) as memory:
        memory.add_documents([Document(text=text * (4 if long else 1), title="Lighthouse")])
        memory.consolidate()
        with memory.mnemis.store.view(memory.scope) as view:
            turn, episode = view.scan("turn")[0].id, view.scan("episode")[0].id
            vectors = view.vectors([turn, episode])
    assert np.array_equal(vectors[turn], vectors[episode]) is long


def test_no_name_reaches_over_the_end_of_a_sentence(tmp_path: Path) -> None:
    texts = (
        "Old harbour. North pier\nThe old harbour has two piers that were built in a single year.",
        "Stormy winter\nThat winter the ice broke the old harbour. North pier and all went under.",
        "Harbour days\nThey painted the boats in the old harbour, North pier to lighthouse, in May.",
    )
    with remembered(tmp_path, *texts) as memory:
        over = mentions(memory, "turn:p1")
        within = {name for name, weight in mentions(memory, "turn:p0").items() if weight == 1}
    assert within == {"Old harbour. North pier"}
    assert "Old harbour. North pier" not in over
