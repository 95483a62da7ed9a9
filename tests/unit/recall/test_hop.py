"""The second hop: which of the things that a passage names leads on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.config import RecallConfig
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.models import RecordedExtractor, RecordedFact
from mnemis.ports.clock import SystemClock
from mnemis.recall import shortlist
from mnemis.recall.hop import bridges
from mnemis.recall.pipeline import Recaller
from mnemis.recall.similarity import Probe
from mnemis.recall.weights import SHIPPED
from mnemis.stores.oracle import OracleStore
from mnemis.text.counting import load_counter
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


TALK = (
    (
        ("Mira", "The district nurse looked at grandpa's foot, she is called Beth Ollerenshaw."),
        ("Theo", "Good. Did the swelling go down?"),
        ("Mira", "Not yet, she wants to see it on Friday."),
        ("Theo", "Rain all day, the dog refuses to go out."),
        ("Mira", "Ours sleeps on the stairs."),
        ("Theo", "I burnt the rice again."),
        ("Mira", "Soup then."),
        (
            "Theo",
            "They had a stall for Beth Ollerenshaw at the market, twenty years of cake, imagine.",
        ),
        ("Mira", "I bought three jars of honey."),
        ("Theo", "Save one for me."),
    ),
    "Who is the district nurse that looked at grandpa's foot?",
)
TALK_ZH = (
    (
        ("小麦", "社区护士看了外公的脚,她叫林晓月。"),
        ("阿泽", "那就好,消肿了吗?"),
        ("小麦", "还没有,周五还要再看一次。"),
        ("阿泽", "下了一天雨,狗不肯出门。"),
        ("小麦", "我们家的睡在楼梯上。"),
        ("阿泽", "我又把饭烧糊了。"),
        ("小麦", "那就喝汤。"),
        ("阿泽", "集市上给林晓月摆了一桌蛋糕,整整二十年。"),
        ("小麦", "我买了三罐蜂蜜。"),
        ("阿泽", "给我留一罐。"),
    ),
    "看外公的脚的社区护士是谁?",
)


def remember(memory: Memory, lines: tuple[tuple[str, str], ...]) -> None:
    """Two sessions of five turns each, consolidated."""
    memory.remember(
        [
            Message(
                role="user", speaker=speaker, text=text, id=f"m{place}", session=f"s{place // 5}"
            )
            for place, (speaker, text) in enumerate(lines)
        ]
    )
    memory.consolidate()


def hopping(memory: Memory, weight: float) -> Recaller:
    """A recaller that counts a name's lead with this weight."""
    return Recaller(
        memory.mnemis.store,
        embedder=HashingEmbedder(),
        reranker=None,
        counter=load_counter(),
        clock=SystemClock(),
        config=Config(),
        weights=replace(SHIPPED, hop_talk=weight),
    )


@pytest.mark.parametrize("whole", [3_000, 5])
@pytest.mark.parametrize(("lines", "question"), [TALK, TALK_ZH])
def test_among_people_who_talk_a_rare_name_leads_on(
    memory: Memory,
    lines: tuple[tuple[str, str], ...],
    question: str,
    whole: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shortlist, "_WHOLE", whole)
    remember(memory, lines)
    places: dict[float, int] = {}
    for weight in (0.0, SHIPPED.hop_talk):
        memory.mnemis.recaller = hopping(memory, weight)
        hits = memory.recall(question, k=10).hits
        places[weight] = [hit.sources[0] for hit in hits].index("m7")
        named = next(hit for hit in hits if hit.sources == ("m7",))
    assert places[SHIPPED.hop_talk] < places[0.0]
    assert "turn:m0" in [step.node for path in named.paths for step in path.steps]
    assert any(path.route == "relations" for path in named.paths)


@pytest.mark.parametrize(
    "config",
    [
        RecallConfig(routes=("similarity", "hierarchy")),
        RecallConfig(skip_types=("mentions",)),
    ],
)
@pytest.mark.parametrize(("lines", "question"), [TALK, TALK_ZH])
def test_no_name_leads_on_where_its_edges_are_not_walked(
    lines: tuple[tuple[str, str], ...], question: str, config: RecallConfig
) -> None:
    walked: list[bool] = []
    for recall in (RecallConfig(), config):
        settings = Config(consolidate="manual", recall=recall)
        with Mnemis(OracleStore(), embedder=HashingEmbedder(), config=settings) as mnemis:
            memory = mnemis.scope("ana")
            remember(memory, lines)
            hits = memory.recall(question, k=10).hits
        routes = {path.route for hit in hits for path in hit.paths}
        walked.append("relations" in routes)
    assert walked == [True, False]


@pytest.mark.parametrize("whole", [3_000, 5])
@pytest.mark.parametrize(("lines", "question"), [TALK, TALK_ZH])
def test_what_the_query_leaves_out_leads_nowhere(
    memory: Memory,
    lines: tuple[tuple[str, str], ...],
    question: str,
    whole: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shortlist, "_WHOLE", whole)
    remember(memory, lines)
    found = memory.recall(question, k=10, where={"session": "s1"})
    steps = {step.node for hit in found.hits for path in hit.paths for step in path.steps}
    assert {hit.session for hit in found.hits} == {"s1"}
    assert not steps & {f"turn:m{place}" for place in range(5)}


@pytest.mark.parametrize(("lines", "question"), [TALK, TALK_ZH])
def test_a_name_lifts_no_turn_of_talk_above_the_hit_that_drops_it(
    memory: Memory, lines: tuple[tuple[str, str], ...], question: str
) -> None:
    memory.mnemis.recaller = hopping(memory, 50.0)
    remember(memory, lines)
    first = [hit.sources[0] for hit in memory.recall(question, k=3).hits]
    assert first[0] == "m0" and "m7" in first
