"""What single sentences assert, in both languages; and what asserts nothing."""

from __future__ import annotations

import pytest

from mnemis.consolidate.rules import en as rules_en
from mnemis.consolidate.rules import zh as rules_zh
from mnemis.consolidate.rules.claims import Claim
from mnemis.text.normalise import language


def claims(text: str) -> tuple[Claim, ...]:
    return rules_zh.claims_of(text) if language(text) == "zh" else rules_en.claims_of(text)


@pytest.mark.parametrize(
    ("text", "relation", "object", "polarity"),
    [
        ("I hate blue cheese on pizza", "dislikes", "blue cheese on pizza", True),
        ("I don't like loud offices", "likes", "loud offices", False),
        ("我不喜欢吃苦瓜", "likes", "苦瓜", False),
        ("我讨厌香菜", "dislikes", "香菜", True),
        ("I no longer like Emacs", "likes", "Emacs", False),
        ("I do not like light mode", "likes", "light mode", False),
        ("I can not stand push notifications", "dislikes", "push notifications", True),
        ("我再也不喝咖啡了", "avoids", "咖啡", True),
        ("I love Thai food", "likes", "Thai food", True),
        ("我喜欢象棋", "likes", "象棋", True),
        ("I'm badly allergic to peanuts, even traces.", "allergic_to", "peanuts", True),
        ("我对花生过敏，平时骑车上班。", "allergic_to", "花生", True),
        ("I live in Berlin, third floor.", "lives_in", "Berlin", True),
        ("我住在成都", "lives_in", "成都", True),
        ("I work at Globex now.", "works_at", "Globex", True),
        ("我在 Stripe 做 backend，主要写 Go。", "works_at", "Stripe", True),
        ("No more coffee.", "avoids", "coffee", True),
        ("I'm a nurse at St. Mary's.", "works_as", "nurse", True),
        ("我是一名护士", "works_as", "护士", True),
        ("My birthday is on June 4th.", "born_on", "June 4th", True),
        ("我的生日是6月4日。", "born_on", "6月4日", True),
        ("We decided to go with Stripe for payments.", "decided", "Stripe", True),
        ("我们决定用支付宝作为支付方式。", "decided", "支付宝", True),
    ],
)
def test_speaker_states(text: str, relation: str, object: str, polarity: bool) -> None:
    found = [(c.relation, c.object, c.polarity) for c in claims(text)]
    assert (relation, object, polarity) in found


@pytest.mark.parametrize(
    ("text", "subject", "relation", "object"),
    [
        (
            "Because the mould cracked, we move the launch to the 20th of May.",
            "launch",
            "scheduled_for",
            "20th of May",
        ),
        ("Launch goes to Tuesday 10 June.", "launch", "scheduled_for", "Tuesday 10 June"),
        ("发布会改到5月3号。", "发布会", "scheduled_for", "5月3号"),
        ("我们把发布日期从4月15日改到5月3日。", "发布日期", "scheduled_for", "5月3日"),
        ("The Pro plan costs $20 a month.", "Pro plan", "costs", "$20 a month"),
        ("专业版的价格是每月二十元。", "专业版", "costs", "每月二十元"),
        ("Our storage vendor is Nimbus Vault.", "storage vendor", "supplied_by", "Nimbus Vault"),
        ("供应商换成了北箱科技。", "供应商", "supplied_by", "北箱科技"),
        ("Holloway moved to desk 9.", "Holloway", "located_in", "desk 9"),
        ("王小明说李雷搬到了成都。", "李雷", "lives_in", "成都"),
        ("Then we have the casings made by Portomold.", "casings", "made_by", "Portomold"),
        ("Priya's boss is Lena.", "Priya's boss", "named", "Lena"),
        ("My sister Nora is a vet and lives in Graz.", "Nora", "lives_in", "Graz"),
    ],
)
def test_others_and_matters(text: str, subject: str, relation: str, object: str) -> None:
    assert (subject, relation, object) in [(c.subject, c.relation, c.object) for c in claims(text)]


@pytest.mark.parametrize(
    ("text", "subject", "object"),
    [
        ("My son is called Leo.", "son", "Leo"),
        ("我儿子叫乐乐。", "儿子", "乐乐"),
        ("Karin Lindqvist, my physio, has banned running.", "physio", "Karin Lindqvist"),
        ("My brother Arjun has been there for years", "brother", "Arjun"),
        ("接,我男朋友开车,他叫周屿,话少。", "男朋友", "周屿"),
        ("我的上司叫赵雅琳。", "上司", "赵雅琳"),
    ],
)
def test_relatives_are_introduced(text: str, subject: str, object: str) -> None:
    named = [(c.subject, c.object) for c in claims(text) if c.relation == "named" and c.owned]
    assert named == [(subject, object)]


@pytest.mark.parametrize(
    ("text", "object", "replaced"),
    [
        ("I moved from Chengdu to Xiamen", "Xiamen", "Chengdu"),
        ("我从成都搬到了厦门", "厦门", "成都"),
        ("I switched from coffee to green tea.", "green tea", "coffee"),
        ("我从咖啡换成了绿茶", "绿茶", "咖啡"),
    ],
)
def test_what_was_before_is_kept(text: str, object: str, replaced: str) -> None:
    assert (object, replaced) in [(c.object, c.replaces) for c in claims(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Sorry, wrong: my locker code is 2270.", "2270"),
        ("不对，是我说错了，我的储物柜密码是2270。", "2270"),
    ],
)
def test_corrections_are_marked(text: str, value: str) -> None:
    (claim,) = claims(text)
    assert (claim.object, claim.corrects) == (value, True)


@pytest.mark.parametrize(
    "text",
    [
        "If I moved to Rome, I would live in Trastevere.",
        "如果我搬到北京，我就住在海淀。",
        "I'd go with recursion; take an explicit stack when depth is a concern.",
        "Unconditional love is so important.",
        "My day is going great.",
        "She lives in Graz.",
        "她住在格拉茨。",
        "Everything went well.",
        "住这儿特别舒服。",
    ],
)
def test_suppositions_pronouns_and_moods_assert_nothing(text: str) -> None:
    assert claims(text) == ()
