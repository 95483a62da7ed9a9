"""Facts lend the turns they rest on their words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mnemis import Config, Memory, Message
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.models import RecordedExtractor, RecordedFact
from mnemis.recall.columns import ColumnKeeper
from mnemis.recall.told import Told, ToldKeeper, told_of

ENGLISH = (
    [
        ("Ana", "It finally worked out, he gave me the keys this morning!"),
        ("Ben", "Wow, what a day. How do you feel?"),
        ("Ana", "Tired. The stairs were a nightmare with all those boxes."),
        ("Ben", "The bakery on the corner has new opening hours."),
        ("Ana", "My brother repaired the old bicycle again."),
        ("Ben", "We watched the football match until late."),
        ("Ana", "The garden needs water, it has not rained for weeks."),
        ("Ben", "I finished the report about the harbour."),
    ],
    ("Ana", "Ana moved into a flat in Porto."),
    "Where is Ana's flat, in Porto?",
)
CHINESE = (
    [
        ("小安", "总算成了，他今天早上把钥匙给我了！"),
        ("小本", "真不容易，你感觉怎么样？"),
        ("小安", "累坏了，那么多箱子，爬楼梯真要命。"),
        ("小本", "街角的面包店换了营业时间。"),
        ("小安", "我弟弟又把旧自行车修好了。"),
        ("小本", "我们看球赛看到很晚。"),
        ("小安", "花园该浇水了，几个星期没下雨了。"),
        ("小本", "我把港口的报告写完了。"),
    ],
    ("小安", "小安搬进了波尔图的公寓。"),
    "小安的公寓在波尔图的哪里？",
)
Case = tuple[list[tuple[str, str]], tuple[str, str], str]


def opened(folder: Path, lines: list[tuple[str, str]], *facts: RecordedFact) -> Memory:
    memory = Memory.open(
        folder,
        embedder=HashingEmbedder(),
        extractor=RecordedExtractor(facts) if facts else None,
        config=Config(consolidate="manual"),
    )
    memory.remember(messages(lines))
    memory.consolidate()
    return memory


def messages(lines: list[tuple[str, str]], *, start: int = 0) -> list[Message]:
    return [
        Message(role="user", speaker=who, text=text, id=f"m{start + number}", session="s1")
        for number, (who, text) in enumerate(lines)
    ]


def told(memory: Memory, keeper: ToldKeeper) -> tuple[Told, tuple[str, ...]]:
    """What a keeper has, and the turns its lines rest on by the rows of the columns."""
    with memory.mnemis.store.view(memory.scope) as view:
        columns = ColumnKeeper().at(view)
        found = keeper.at(view, columns)
        rows: list[int] = found.rows.tolist()
        return found, tuple(columns.ids[row] for row in rows)


@pytest.mark.parametrize("case", [ENGLISH, CHINESE])
def test_a_fact_finds_its_turn_though_they_share_no_word(tmp_path: Path, case: Case) -> None:
    lines, (subject, text), question = case
    fact = RecordedFact(message_id="m0", subject=subject, text=text)
    with opened(tmp_path / "with", lines, fact) as memory:
        with_fact = memory.recall(question, k=1).hits[0].sources
    with opened(tmp_path / "without", lines) as memory:
        without = memory.recall(question, k=1).hits[0].sources
    assert with_fact == ("m0",)
    assert without != ("m0",)


@pytest.mark.parametrize("case", [ENGLISH, CHINESE])
def test_words_that_only_a_fact_holds_are_known(tmp_path: Path, case: Case) -> None:
    lines, (subject, text), question = case
    fact = RecordedFact(message_id="m0", subject=subject, text=text)
    with opened(tmp_path / "with", lines, fact) as memory:
        sure = memory.recall(question).confidence
        with memory.mnemis.store.view(memory.scope) as view:
            held = told_of(view, ["porto", "波", "harbour", "港"])
    with opened(tmp_path / "without", lines) as memory:
        unsure = memory.recall(question).confidence
    assert sure > unsure
    assert held == ({"porto"} if lines is ENGLISH[0] else {"波"})


@pytest.mark.parametrize(
    "line",
    [("Ana", "I moved to Porto and I work as a baker."), ("小安", "我住在波尔图，我喜欢游泳。")],
)
def test_what_rules_read_lends_nothing(tmp_path: Path, line: tuple[str, str]) -> None:
    with opened(tmp_path, [line]) as memory:
        with memory.mnemis.store.view(memory.scope) as view:
            facts = len(view.scan("fact"))
        found, _ = told(memory, ToldKeeper())
    assert facts > 0
    assert found.lines == {}
    assert found.of(np.zeros(1, dtype=np.int64)) is None


@pytest.mark.parametrize(
    "lines",
    [
        [("Ana", "I live in Porto."), ("Ana", "I live in Porto, as you know.")],
        [("小安", "我住在波尔图，喜欢游泳。"), ("小安", "你知道的，我住在波尔图。")],
    ],
)
def test_nor_does_it_where_several_turns_say_the_same(
    tmp_path: Path, lines: list[tuple[str, str]]
) -> None:
    with opened(tmp_path, lines) as memory:
        with memory.mnemis.store.view(memory.scope) as view:
            facts = [each.id for each in view.scan("fact")]
            rests = view.neighbours(facts, types=("supports",), direction="in")
        found, _ = told(memory, ToldKeeper())
    assert max(len(edges) for edges in rests.values()) == 2
    assert found.lines == {}


def test_lines_follow_the_memory(tmp_path: Path) -> None:
    lines, (subject, text), _ = ENGLISH
    facts = (
        RecordedFact(message_id="m0", subject=subject, text=text),
        RecordedFact(message_id="m3", subject="Ben", text="Ben likes croissants."),
        RecordedFact(message_id="m8", subject="Ana", text="Ana adopted a tortoise."),
        RecordedFact(message_id="m4", subject="Ana", text="Ana's sibling fixes vehicles."),
        RecordedFact(message_id="m5", subject="Ana", text="Ana's sibling fixes vehicles."),
    )
    keeper = ToldKeeper()
    with opened(tmp_path, lines, *facts) as memory:
        first = told(memory, keeper)
        memory.remember(messages([("Ana", "Look who lives with me now.")], start=8))
        waiting = told(memory, keeper)
        memory.consolidate()
        grown = told(memory, keeper)
        memory.forget(message_ids=["m0", "m4"])
        memory.consolidate()
        shrunk = told(memory, keeper)
        anew = told(memory, ToldKeeper())
    assert sorted(first[1]) == ["turn:m0", "turn:m3", "turn:m4", "turn:m5"]
    assert waiting[0].entries is first[0].entries
    assert sorted(waiting[1]) == ["turn:m0", "turn:m3", "turn:m4", "turn:m5"]
    assert sorted(grown[1]) == ["turn:m0", "turn:m3", "turn:m4", "turn:m5", "turn:m8"]
    assert shrunk[0].lines == anew[0].lines
    assert sorted(shrunk[1]) == ["turn:m3", "turn:m5", "turn:m8"]


def test_several_facts_of_a_turn_count_together_and_the_best_is_compared(tmp_path: Path) -> None:
    lines = ENGLISH[0]
    texts = ("Ana moved into a flat in Porto.", "Ana rents a flat above a bookshop.")
    facts = [RecordedFact(message_id="m0", subject="Ana", text=each) for each in texts]
    facts.append(RecordedFact(message_id="m3", subject="Ben", text="Ben likes croissants."))
    with opened(tmp_path, lines, *facts) as memory:
        vector = HashingEmbedder().embed([texts[1]])[0]
        with memory.mnemis.store.view(memory.scope) as view:
            columns = ColumnKeeper().at(view)
            lent = ToldKeeper().at(view, columns).of(np.arange(len(lines)))
            assert lent is not None
            words = lent.words(view, ["flat", "croissant"])
            likeness = lent.likeness(view, vector)
    assert lent.rows.tolist() == [0, 3]
    assert words.tolist() == [[2, 0], [0, 1]]
    assert likeness[0] == pytest.approx(1, abs=1e-5)
    assert likeness[1] < 0.9


@pytest.mark.parametrize(
    ("texts", "fact", "question"),
    [
        (
            (
                "Amber Harbour\nThe quays were shut in a hard winter and never opened again.",
                "Nora Vale\nNora Vale grew up in the hills and painted what she saw there.",
                "Tim Reed\nTim Reed kept bees at the coast for the rest of his working life.",
            ),
            "A frozen port ended its shipping business for good.",
            "Which port lost its shipping business?",
        ),
        (
            (
                "琥珀港\n码头在一个严冬关闭，此后再也没有开放。",
                "林晓月\n林晓月在山里长大，画下了她看到的一切。",
                "王建国\n王建国在海边养了一辈子的蜜蜂。",
            ),
            "航运生意因为冰冻而彻底结束。",
            "哪里的航运生意结束了？",
        ),
    ],
)
def test_a_passage_is_found_by_its_facts_too(
    tmp_path: Path, texts: tuple[str, ...], fact: str, question: str
) -> None:
    said = RecordedFact(message_id="p0", subject=texts[0].partition("\n")[0], text=fact)
    with Memory.open(
        tmp_path,
        embedder=HashingEmbedder(),
        extractor=RecordedExtractor([said]),
        config=Config(consolidate="manual"),
    ) as memory:
        memory.remember(
            [
                Message(role="user", speaker="document", text=text, id=f"p{place}", session=text)
                for place, text in enumerate(texts)
            ]
        )
        memory.consolidate()
        first = memory.recall(question, k=1).hits[0].sources
    assert first == ("p0",)
