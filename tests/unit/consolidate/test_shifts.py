"""Statements that a later turn puts an end to in words of its own, and those that it leaves alone."""

from __future__ import annotations

import pytest

from mnemis.consolidate.validity.contrasts import are_two, one_event, same_people
from tests.unit.consolidate.conversations import Outcome
from tests.unit.consolidate.test_amend import Line, heard


def ended(outcome: Outcome) -> set[tuple[str, str]]:
    """(source of what no longer holds, source of what took its place)."""
    facts = {fact.id: fact for fact in outcome.facts}
    return {
        (facts[edge.target].sources[0], facts[edge.source].sources[-1])
        for edge in outcome.edges
        if edge.type == "supersedes" and facts[edge.target].status == "superseded"
    }


def by(speaker: str, *texts: str) -> tuple[Line, ...]:
    return tuple((speaker, text) for text in texts)


@pytest.mark.parametrize(
    "lines",
    [
        by("Bo", "Nina is in charge of the website.", "Omar takes over the website from Nina."),
        by("林岚", "官网由小陈负责。", "官网改由小周负责了。"),
        by("Bo", "Nina does the bookkeeping.", "The bookkeeping is Omar's job now."),
        by("林岚", "财务一直是王姐管。", "财务现在归李哥管了。"),
        by("Bo", "Nina is responsible for payroll.", "Payroll has been handed over to Omar."),
        by("林岚", "小陈负责招聘。", "招聘交给小周了。"),
        by(
            "Bo",
            "Marek looks after the garden.",
            "From May, Jana will be looking after the garden.",
        ),
        by("林岚", "新项目的负责人是陈晨。", "新项目现在由周舟接手。"),
        by("Bo", "My dentist is Dr Ames.", "I have a new dentist, Dr Boyle."),
        (
            ("Ida", "Who keeps the key to the shed?"),
            ("Bo", "Me, it hangs in my hall."),
            ("Ida", "And who keeps the key to the shed in summer?"),
            ("Bo", "Ruth, from now on."),
        ),
    ],
)
def test_somebody_else_keeps_a_matter(lines: tuple[Line, ...]) -> None:
    last = f"m{len(lines) - 1}"
    assert any(new == last for _, new in ended(heard(*lines)))


@pytest.mark.parametrize(
    "lines",
    [
        (
            ("Bo", "I live in Maple Road."),
            ("Ida", "And where are you moving to?"),
            ("Bo", "Vale Street, then."),
        ),
        (("林岚", "我住在枫林路。"), ("陈一", "那你现在住哪儿?"), ("林岚", "河谷街。")),
        (
            ("Bo", "The picnic is on Friday."),
            ("Ida", "How about Saturday for the picnic?"),
            ("Bo", "OK, Saturday it is."),
        ),
        (("林岚", "野餐定在周五。"), ("陈一", "周五下雨,要不野餐周六?"), ("林岚", "那就周六吧。")),
        (
            ("Bo", "Dinner is at 7 pm."),
            ("Ida", "Could we do dinner at 8 pm instead?"),
            ("Bo", "Sure, 8 pm works."),
        ),
        (("林岚", "晚饭定在七点。"), ("陈一", "我赶不及,晚饭八点行吗?"), ("林岚", "行,八点。")),
    ],
)
def test_a_bare_answer_takes_the_place_of_what_was_said(lines: tuple[Line, ...]) -> None:
    assert ("m0", "m2") in ended(heard(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        by("Bo", "My rent is 900 a month.", "The landlord raised the rent to 950."),
        by("林岚", "我的房租是4500。", "房东把房租涨到4800了。"),
        by("Bo", "Gym membership is 30 pounds a month.", "Gym went up to 35 pounds."),
        by("林岚", "健身卡一个月300块。", "健身卡降到260块了。"),
        by("Bo", "Thursdays I have pottery.", "I packed the pottery in, my thumbs hurt."),
        by("林岚", "我每周上陶艺课。", "陶艺课我不去了。"),
        by("Bo", "I've got a little red pickup.", "We sold the pickup to a farmer."),
        by("林岚", "我有一辆皮卡。", "皮卡卖掉了。"),
        by("Bo", "My number is 555 0101.", "I have a new number: 555 0199."),
        by("林岚", "我的手机号是13800001111。", "我换号了,新号码是13900002222。"),
        by("Bo", "Our office is at 5 Mill Lane.", "Our office moved to 22 Dock Street."),
    ],
)
def test_what_was_told_of_an_amount_a_pastime_or_a_place_ends(lines: tuple[Line, ...]) -> None:
    assert ("m0", "m1") in ended(heard(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        by("Bo", "Our band is called Night Owls.", "We renamed the band to Paper Tigers."),
        by("林岚", "我们乐队叫夜猫子。", "乐队改名叫纸老虎了。"),
        by("Bo", "The app is called Fetchly.", "Fetchly is now called Roverly."),
        by("林岚", "我的店叫小铺子。", "小铺子改名叫大树了。"),
        by("Bo", "I'm on nights in the ward.", "They let me move over to the day clinic."),
        by("Bo", "I work at the tannery as a clerk.", "I've started at the harbour office."),
        by("林岚", "我在皮革厂当会计。", "我跳槽了，去了港务公司。"),
        by("Bo", "I always drink cocoa at night.", "I've gone off cocoa, it's mint tea for me."),
        by("林岚", "我晚上就爱喝可可。", "可可喝腻了，现在晚上只喝薄荷茶。"),
    ],
)
def test_a_new_name_post_or_taste_ends_the_old(lines: tuple[Line, ...]) -> None:
    assert ("m0", "m1") in ended(heard(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        by("Bo", "Nina is in charge of the website.", "Omar is in charge of payroll now."),
        by("林岚", "小陈负责招聘。", "小周现在负责财务。"),
        by("Bo", "Nina is in charge of the website.", "Nina is still in charge of the website."),
        by("林岚", "小陈负责招聘。", "招聘还是小陈负责。"),
        by("Bo", "Nina is in charge of the website.", "Could Omar take over the website?"),
        by("林岚", "小陈负责招聘。", "招聘能不能交给小周?"),
        by("Bo", "My studio's rent is 400.", "My flat's rent is 900 now."),
        by("林岚", "上海的房子房租5000。", "杭州的房子房租3000。"),
        by("Bo", "I paid 40 euros for power in February.", "I paid 55 euros for power in March."),
        by("林岚", "二月电费交了40块。", "三月电费交了55块。"),
        by("Bo", "Mum's birthday is on 3 May.", "The car inspection is on 9 May now."),
        by("林岚", "妈妈生日是5月3号。", "车检改到5月9号了。"),
        by("Bo", "My yoga class is on Tuesdays.", "My Spanish class is on Thursdays now."),
        by("林岚", "瑜伽课在周二。", "西语课改到周四了。"),
        by("Bo", "The small size costs 5 euros.", "The large size costs 8 euros now."),
        by("林岚", "小杯卖15块。", "大杯现在卖20块。"),
        by("Bo", "The kickoff meeting is on 3 March.", "The review meeting is now on 10 March."),
        by("林岚", "启动会定在3月3号。", "评审会改到3月10号了。"),
        by("Bo", "I work at the library.", "I also work at the bakery on Saturdays."),
        by("林岚", "我在图书馆上班。", "我周末还在面包店上班。"),
        by("Bo", "I live in Leeds.", "What if I lived in Paris?"),
        by("林岚", "我住在上海。", "如果我住在巴黎就好了。"),
        by("Bo", "I have a yoga class on Mondays.", "Today's yoga class is cancelled."),
        by("林岚", "我周一上瑜伽课。", "今天的瑜伽课取消了。"),
        by("Bo", "I tested Firefox 110 on my laptop.", "I've added two, so now I have 10 cards."),
        by("林岚", "我测了110版的浏览器。", "我又加了两张,现在有10张卡片。"),
        by("Bo", "I'm working on the first sprint.", "Sure, let's start with a code review."),
        by("林岚", "我在做第一个迭代。", "好,那先从代码评审开始。"),
        by("Bo", "Pottery is on Mondays.", "From Wednesday the pottery sign is blue."),
        by("林岚", "陶艺课每周一晚上七点。", "以后周三上午别给我排会,我要跑工厂。"),
        by("Bo", "There's an old lady with umbrellas.", "He no longer takes umbrellas himself."),
        by("林岚", "楼下有一个修伞的老太太。", "说到他,大爷上个月不做了,回去带孙子。"),
        by("Bo", "We meet Mondays in the old dairy.", "We meet on Wednesdays too now."),
        by("林岚", "我们周一在老奶站聚。", "现在周三也聚。"),
        (("Bo", "My flight is at 9 am."), ("Ida", "My flight is at 11 am.")),
        (("林岚", "我的航班是9点。"), ("陈一", "我的航班是11点。")),
        (
            ("Ida", "Who made the soup?"),
            ("Bo", "Hi Ida! Good to hear from you."),
            ("Ida", "And who made the soup today?"),
            ("Bo", "Hey Ida! Cool to hear about it."),
        ),
    ],
)
def test_what_is_another_matter_as_before_or_supposed_stays(lines: tuple[Line, ...]) -> None:
    outcome = heard(*lines)
    assert [fact.text for fact in outcome.facts if fact.status != "current"] == []


@pytest.mark.parametrize(
    "said",
    [
        "They may raise the rent to 1000 euros.",
        "The landlord wants to raise the rent to 1000 euros.",
        "The court forbade them to raise the rent to 1000 euros.",
        "They refused to raise the rent to 1000 euros.",
        "I'm afraid they'll raise the rent to 1000 euros.",
        "The rent won't be raised to 1000 euros.",
        "The rent wasn't raised to 1000 euros after all.",
        "They will raise the rent to 1000 euros in 2030.",
        "My flatmate joked that the rent went up to 9000 euros.",
        "The rent for the garage went up to 120 euros.",
        "The gym fee went up to 55 euros.",
    ],
)
def test_a_rent_that_only_may_rise_or_anothers_leaves_the_rent(said: str) -> None:
    assert ended(heard(*by("Bo", "The rent is 900 euros.", said))) == set()


@pytest.mark.parametrize(
    "said",
    [
        "房租可能涨到5000。",
        "房东想把房租涨到5000。",
        "法院不准房东把房租涨到5000。",
        "房东拒绝把房租降到4000。",
        "我担心房租涨到5000。",
        "房租不会涨到5000。",
        "房租没涨到5000。",
        "2030年房租涨到5000。",
        "室友开玩笑说房租涨到9000了。",
        "停车费涨到500了。",
        "物业费涨到每月300了。",
    ],
)
def test_a_chinese_rent_that_only_may_rise_or_anothers_leaves_the_rent(said: str) -> None:
    assert ended(heard(*by("林岚", "我的房租是4500。", said))) == set()


@pytest.mark.parametrize(
    "lines",
    [
        by("Bo", "Erik does the catering.", "Marta takes over the lighting."),
        by("林岚", "餐饮由老张负责。", "灯光改由小陈负责了。"),
        by("Bo", "Erik looks after the dog.", "Marta looks after the cat now."),
        by("林岚", "张老师负责合唱团。", "李老师接手了舞蹈团。"),
        by(
            "Bo",
            "Erik does the catering for the fair.",
            "Marta takes over the catering for the wedding.",
        ),
        by("林岚", "年会的餐饮由老张负责。", "婚礼的餐饮改由小陈负责了。"),
        by("Bo", "Erik runs the Monday book club.", "Marta took over the Friday book club."),
        by("林岚", "老张负责周一读书会。", "小陈接手了周五读书会。"),
        by("Bo", "Erik does the catering.", "Marta does not take over the catering."),
        by("林岚", "餐饮由老张负责。", "小陈没有接手餐饮。"),
        by("Bo", "Erik does the catering.", "Marta wants to take over the catering."),
        by("林岚", "餐饮由老张负责。", "小陈想接手餐饮。"),
        by("Bo", "Erik does the catering.", "Marta refused to take over the catering."),
        by("林岚", "项目由老张负责。", "小陈不肯接手这个项目。"),
        by("Bo", "Erik does the catering.", "Marta takes over the catering. He was joking."),
        by("林岚", "餐饮由老张负责。", "餐饮改由小陈负责了。他开玩笑的。"),
        by(
            "Bo",
            "Erik does the catering.",
            "Marta takes over the catering only while Erik is on holiday.",
        ),
        by("林岚", "餐饮由老张负责。", "老张休假期间餐饮改由小陈负责。"),
        by("Bo", "Erik does the catering.", "In 2019 Marta took over the catering for a year."),
        by("林岚", "餐饮由老张负责。", "2019年餐饮改由小陈负责。"),
        by("Bo", "The nursery charges 300 a month.", "The dog walker now charges 350 a month."),
        by("林岚", "我工资8000。", "房租涨到5000了。"),
        by("Bo", "The keys are with Erik.", "The tickets are with Marta now."),
        by("林岚", "钥匙找老张要。", "以后门票找小陈要。"),
        by("Bo", "Our Paris office is at 12 Rue Cler.", "Our Rome office moved to 5 Via Sacra."),
        by("林岚", "会议在周一。", "家长会改到周五了。"),
    ],
)
def test_no_other_matter_and_nobody_who_did_not_take_it_ends_a_keepers_time(
    lines: tuple[Line, ...],
) -> None:
    assert ended(heard(*lines)) == set()


def test_of_two_flights_each_speaker_moves_the_own_one() -> None:
    outcome = heard(
        ("Bo", "My flight is at 9 am."),
        ("Ida", "My flight is at 11 am."),
        ("Ida", "My flight is at 12:30 now."),
    )
    assert ended(outcome) == {("m1", "m2")}


def test_an_end_is_told_of_the_speaker_in_both_turns() -> None:
    outcome = heard(
        ("Bo", "Thursdays I have pottery."),
        ("Bo", "I packed the pottery in at Easter."),
    )
    old = next(fact for fact in outcome.facts if fact.status == "superseded")
    new = next(fact for fact in outcome.facts if fact.sources == ("m1",))
    assert (old.subject, old.aspect) == (new.subject, new.aspect) == ("Bo", "pottery")
    assert (old.object, old.valid_to) == ("Thursdays I have pottery.", new.valid_from)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("The small cup is 15.", "The large cup is 20 now.", True),
        ("小杯卖15块", "大杯现在卖20块", True),
        ("The yoga class is full.", "The Spanish class moved.", True),
        ("瑜伽课在周二", "西语课改到周四了", True),
        ("My studio's rent is 400.", "My flat's rent is 900.", True),
        ("上海的房租是5000", "杭州的房租是3000", True),
        ("The yoga class is full.", "The class moved.", False),
        ("瑜伽课在周二", "瑜伽课改到周四了", False),
    ],
)
def test_two_of_a_kind_are_told_apart(one: str, two: str, expected: bool) -> None:
    assert are_two(one, two) is expected


@pytest.mark.parametrize(
    ("one", "two", "people", "event"),
    [
        ("Dinner with Tom is on Friday.", "Dinner with Lea moved.", False, True),
        ("和小张的晚饭在周五", "和小李的晚饭改到周六", False, True),
        ("The wedding is on 4 May.", "The exam moved to 11 May.", True, False),
        ("婚礼定在五月四号", "考试改到五月十一号", True, False),
    ],
)
def test_people_and_events_tell_matters_apart(
    one: str, two: str, people: bool, event: bool
) -> None:
    assert (same_people(one, two), one_event(one, two)) == (people, event)


@pytest.mark.parametrize(
    "lines",
    [
        by("Ana", "I live in Vienna and I work at Vega.", "I left Vega. I work at Orion now."),
        by("林岚", "我在织女星公司上班。", "我离职了，现在在猎户座公司上班。"),
    ],
)
def test_a_job_that_sentences_tell_in_full_needs_no_second_fact(lines: tuple[Line, ...]) -> None:
    outcome = heard(*lines)

    relations = {fact.relation for fact in outcome.facts if fact.object_id is None}
    assert "has_value" not in relations
    assert any(fact.relation == "works_at" for fact in outcome.facts)
