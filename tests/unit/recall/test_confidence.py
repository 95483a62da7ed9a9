"""What one does not know shows in the confidence and in the best score alike."""

from __future__ import annotations

import pytest

from mnemis import Memory, Message
from mnemis.recall.confidence import confidence, heard, trust

TOLD = (
    "The red kite flies best in May.", "Our boiler was serviced by Mr Okafor in March.",
    "The orchids on the sill are watered on Sundays.", "I left the ladder at my sister's house.",
    "公司网站托管在阿里云上。", "舅舅在青岛的造船厂上班。", "奶奶每周三去老年大学学书法。",
    "自行车的钥匙放在玄关的抽屉里。",
)  # fmt: skip
KNOWN_AND_FOREIGN = [
    ("Who serviced our boiler?", "Which submarine won the regatta in Lisbon?"),
    ("When are the orchids watered?", "What salary does the new accountant get?"),
    ("自行车的钥匙在哪里？", "潜水艇的螺旋桨是哪家工厂造的？"),
    ("奶奶周三去学什么？", "新来的会计工资是多少？"),
]


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.remember([Message(role="user", text=text, id=f"c{n}") for n, text in enumerate(TOLD)])
    return memory


@pytest.mark.parametrize(("known", "foreign"), KNOWN_AND_FOREIGN)
def test_a_question_about_something_else_scores_lower(
    told: Memory, known: str, foreign: str
) -> None:
    sure, unsure = told.recall(known), told.recall(foreign)
    assert sure.confidence > unsure.confidence
    assert sure.hits[0].score > 1.5 * unsure.hits[0].score
    assert not unsure.confident


@pytest.mark.parametrize("foreign", [foreign for _, foreign in KNOWN_AND_FOREIGN])
def test_a_low_share_keeps_every_score_apart_and_in_range(told: Memory, foreign: str) -> None:
    scores = [hit.score for hit in told.recall(foreign, k=8).hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_words_that_nobody_said_make_doubtful() -> None:
    sure = [confidence(best=1.6, known=known, middle=1.1) for known in (0.0, 0.3, 0.6, 1.0)]
    assert sure == sorted(sure)
    assert sure[0] < 0.5 < sure[-1]


def test_unknown_words_tell_the_more_the_larger_the_memory() -> None:
    worth = [heard(0.3, turns=turns) for turns in (0, 10, 100, 10_000)]
    assert worth[0] == 1.0
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] == pytest.approx(0.3, abs=0.01)
    assert 0 < heard(0.0, turns=10_000) < heard(0.3, turns=10_000)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (["My cat is called Miso.", "I start at the bakery on Monday."], "What is my cat called?"),
        (["我家的猫叫味噌。", "我周一开始去面包店上班。"], "我家的猫叫什么？"),
    ],
)
def test_a_memory_of_two_turns_is_sure_of_what_it_holds(
    memory: Memory, told: list[str], asked: str
) -> None:
    memory.remember([Message(role="user", text=text) for text in told])
    recall = memory.recall(asked)
    assert recall.confident
    assert recall.hits[0].text == told[0]


def test_what_only_walks_add_does_not_count_as_evidence() -> None:
    assert trust(raw=2.0, best=2.0, known=1.0) == 1.0
    assert trust(raw=2.0, best=1.0, known=1.0) == 0.5
    assert trust(raw=1.0, best=2.0, known=1.0) == 1.0
    assert trust(raw=0.0, best=0.0, known=0.0) == 1.0
    assert 0 < trust(raw=2.0, best=1.0, known=0.0) < trust(raw=2.0, best=1.0, known=0.5)


def test_the_seam_between_two_known_words_is_no_unknown_word(memory: Memory) -> None:
    others = ("今天下雨了。", "房租涨到两千。", "妹妹学钢琴。", "公司搬到南山。")
    texts = ("菜地里种了番茄。", *others * 10)
    memory.remember([Message(role="user", text=text) for text in texts])

    apart = memory.recall("菜地 钢琴 房租 南山 番茄").confidence
    joined = memory.recall("菜地钢琴房租南山番茄").confidence

    assert joined > 0.65 * apart
