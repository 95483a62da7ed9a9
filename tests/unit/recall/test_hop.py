"""The second hop: which of the things that a passage names leads on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mnemis import Config, Memory, Message
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.models import RecordedExtractor, RecordedFact
from mnemis.recall.hop import bridges
from mnemis.recall.similarity import Probe
from mnemis.recall.weights import SHIPPED
from mnemis.text.tokenise import tokenise

ENGLISH = (
    {
        "film": "Amber Harbour\nAmber Harbour was shot in a spring by Nora Vale, with Tim Reed.",
        "maker": "Nora Vale\nNora Vale grew up in the hills.",
        "player": "Tim Reed\nTim Reed grew up at the coast.",
    },
    (("Amber Harbour", "directed by", "Nora Vale"), ("Amber Harbour", "starring", "Tim Reed")),
    "Where did the person it was directed by grow up?",
)
ENGLISH_INSIDE = (
    ENGLISH[0],
    (
        ("Amber Harbour", "was directed by", "the painter Nora Vale in a spring"),
        ("Amber Harbour", "has as its player", "the young Tim Reed"),
    ),
    ENGLISH[2],
)
CHINESE = (
    {
        "film": "琥珀港\n琥珀港由林晓月拍摄，王建国出演。",
        "maker": "林晓月\n林晓月在山里长大。",
        "player": "王建国\n王建国在海边长大。",
    },
    (("琥珀港", "导演是", "林晓月"), ("琥珀港", "主演是", "王建国")),
    "导演是在哪里长大的？",
)
CHINESE_INSIDE = (
    CHINESE[0],
    (
        ("琥珀港", "导演是", "年轻的画家林晓月"),
        ("琥珀港", "主演是", "著名的演员王建国"),
        ("林晓月", "是", "画家"),
        ("王建国", "是", "演员"),
    ),
    CHINESE[2],
)


@pytest.mark.parametrize(
    ("texts", "triples", "question"), [ENGLISH, ENGLISH_INSIDE, CHINESE, CHINESE_INSIDE]
)
def test_what_a_fitting_fact_is_about_leads_on_further(
    tmp_path: Path, texts: dict[str, str], triples: tuple[tuple[str, str, str], ...], question: str
) -> None:
    facts = [
        RecordedFact(message_id="film", subject=subject, relation=relation, object=thing)
        for subject, relation, thing in triples
    ]
    with Memory.open(
        tmp_path,
        embedder=HashingEmbedder(),
        extractor=RecordedExtractor(facts, rules=True),
        config=Config(consolidate="manual"),
    ) as memory:
        memory.remember(
            [
                Message(role="user", speaker="document", text=text, id=key, session=key)
                for key, text in texts.items()
            ]
        )
        memory.consolidate()
        probe = Probe(tokens=tuple(tokenise(question)), vector=None)
        with memory.mnemis.store.view(memory.scope) as view:

            def strengths(hop_fact: float) -> dict[str, float]:
                weights = replace(SHIPPED, hop_fact=hop_fact)
                found = bridges(
                    view, ["turn:film"], asked=frozenset(), weights=weights, probe=probe
                )
                return {each.target: each.strength for each in found}

            plain, told = strengths(0.0), strengths(SHIPPED.hop_fact)
    assert plain["turn:maker"] == plain["turn:player"] > 0
    assert told["turn:maker"] > told["turn:player"]
    assert told["turn:player"] >= plain["turn:player"]
