"""Who is whose and who works where: one entity for a relative with a name, and its ties."""

from __future__ import annotations

import pytest

from tests.unit.consolidate.conversations import outcome_of, said


@pytest.mark.parametrize(
    ("text", "subject", "relation", "object"),
    [
        ("Karin, my physio, works at Sunny Clinic.", "Karin", "works_at", "Sunny Clinic"),
        ("Karin works for the city library.", "Karin", "works_at", "city library"),
        (
            "Marcus Oyelaran is account manager at Nimbus Vault.",
            "Marcus Oyelaran",
            "works_at",
            "Nimbus Vault",
        ),
        (
            "Marcus Oyelaran is account manager at Nimbus Vault.",
            "Marcus Oyelaran",
            "works_as",
            "account manager",
        ),
        ("Marcus starts at Brightbucket today.", "Marcus", "works_at", "Brightbucket"),
        ("何静是星桥教育的设计总监。", "何静", "works_at", "星桥教育"),
        ("何静是星桥教育的设计总监。", "何静", "works_as", "设计总监"),
        ("陈国栋是浩然塑胶的老板。", "陈国栋", "works_at", "浩然塑胶"),
        ("Inês is the cousin of Duarte.", "Duarte's cousin", "named", "Inês"),
        ("Nina is Bob's sister.", "Bob's sister", "named", "Nina"),
        ("Tom's wife Lena is a nurse.", "Lena", "works_as", "nurse"),
        ("周屿是我男朋友。", "Ana的男朋友", "named", "周屿"),
        ("沈一诺是王小明的大学同学。", "王小明的大学同学", "named", "沈一诺"),
        (
            "Duarte has a cousin, Inês, who runs a moulding shop in Porto.",
            "Inês",
            "manages",
            "moulding shop in Porto",
        ),
        ("Greta Holm sits on the board.", "Greta Holm", "member_of", "board"),
    ],
)
def test_a_sentence_about_others_states_a_tie(
    text: str, subject: str, relation: str, object: str
) -> None:
    assert (subject, relation, object) in outcome_of(said(text)).triples()


@pytest.mark.parametrize(
    ("lines", "owner", "relative", "relation"),
    [
        (("Nina is Bob's sister.", "Nina called."), "Bob", "Nina", "family_of"),
        (("My landlord is strict.", "My landlord is called Duarte."), "Ana", "Duarte", "knows"),
        (("我老板很凶。", "我老板叫王强。"), "Ana", "王强", "reports_to"),
        (("周屿是我男朋友。", "周屿来了。"), "Ana", "周屿", "partner_of"),
    ],
)
def test_a_named_relative_is_tied_to_whose_he_is(
    lines: tuple[str, ...], owner: str, relative: str, relation: str
) -> None:
    outcome = outcome_of(said(*lines))
    (one,), (two,) = outcome.named(owner), outcome.named(relative)
    assert (one.id, two.id, relation) in {edge.key for edge in outcome.edges}


@pytest.mark.parametrize(
    "text",
    [
        "If Nina is Bob's sister, I'm the Pope.",
        "Nina looks like Bob's sister.",
        "Nina is not Bob's sister.",
        "Is Marcus account manager at Nimbus Vault?",
        "如果何静是星桥教育的设计总监就好了。",
        "何静不是星桥教育的设计总监。",
        "听说何静是星桥教育的设计总监。",
    ],
)
def test_what_is_doubted_ties_nobody(text: str) -> None:
    assert outcome_of(said(text)).facts == ()
