"""JSON out of replies as models write them."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemis.errors import UnusableReply
from mnemis.prompts.json_reply import read_json


def has_facts(value: object) -> bool:
    return isinstance(value, dict) and "facts" in value


def read(reply: str | None) -> object:
    return read_json(reply, accept=has_facts).value


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": ["likes tea"]}',
        '```json\n{"facts": ["likes tea"]}\n```',
        '```\n{"facts": ["likes tea"]}```',
        'Sure! Here it is:\n{"facts": ["likes tea"]}\nTell me if {more} is wanted.',
        'In {short}, [1]: {"facts": ["likes tea"]}',
        '好的，结果如下：\n{"facts": ["likes tea"]}\n还需要别的吗？',
        '<think>maybe {"facts": ["likes gin"]}? no</think>{"facts": ["likes tea"]}',
        '<THINKING>\n{"facts": []}\n</THINKING>\n```json\n{"facts": ["likes tea"]}\n```',
        'no, wait</think> {"facts": ["likes tea"]}',
        "{'facts': ['likes tea']}",
        "{'facts': ['likes tea',],}",
        '{"facts": ["likes tea",],}',
        "{\"facts\": [\\'likes tea\\']}",
        '{facts: ["likes tea"]}',
        "{“facts”：[“likes tea”，]}",
        '{"facts": ["likes tea"], "rest": None, "sure": True}',
        '{"result": {"facts": ["likes tea"]}}',
        '{"facts": ["likes\u0000 tea"]}',
    ],
)
def test_the_value_is_found(reply: str) -> None:
    assert read(reply) == {"facts": ["likes tea"]} or read(reply) == {
        "facts": ["likes tea"],
        "rest": None,
        "sure": True,
    }


@pytest.mark.parametrize(
    "reply",
    [
        None,
        "",
        "  \n",
        "I found nothing.",
        "没有发现。",
        '<think>still going: {"facts": ["likes gin"]}',
        '<think>{"facts": ["likes gin"]}</think>',
        '{"error": "overloaded"}',
        "{" * 5_000,
        "[" * 5_000,
        '{"facts"',
        "{}",
    ],
)
def test_no_value_is_told(reply: str | None) -> None:
    with pytest.raises(UnusableReply):
        read(reply)


def test_apostrophes_and_quotes_inside_of_strings_survive() -> None:
    assert read("{'facts': ['Ana\\'s tea', 'Ben's cup']}") == {"facts": ["Ana's tea", "Ben's cup"]}
    assert read('{"facts": ["he said "no" twice"]}') == {"facts": ['he said "no" twice']}
    assert read('{"facts": ["他说“好”，走了"]}') == {"facts": ["他说“好”，走了"]}


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ('{"facts": ["to Lisbon in May", "to Por', ["to Lisbon in May"]),
        ('{"facts": [{"a": "whole"}, {"a": "cu', [{"a": "whole"}]),
        ('{"facts": [{"a": "whole"}, {"a": "cut", "b": [1, 2', [{"a": "whole"}]),
        ('{"facts": ["one", "two"], "causes": [', ["one", "two"]),
        ('{"facts": ["五月去里斯本", "六月去波', ["五月去里斯本"]),
        ('```json\n{"facts": ["one", 12', ["one"]),
    ],
)
def test_of_a_reply_that_breaks_off_whole_items_are_kept(reply: str, kept: list[object]) -> None:
    found = read_json(reply, accept=has_facts)
    assert not found.complete
    assert isinstance(found.value, dict)
    assert found.value["facts"] == kept


def test_a_whole_reply_is_told_from_one_that_breaks_off() -> None:
    assert read_json('{"facts": []}', accept=has_facts).complete
    assert read_json("{'facts': [],}", accept=has_facts).complete


def test_surrogates_become_text_that_can_be_kept() -> None:
    assert read('{"facts": ["\\ud83c\\udf78", "\\ud83c half"]}') == {"facts": ["🍸", "\ufffd half"]}
    assert read("{'facts': ['\\ud83c\\udf78']}") == {"facts": ["🍸"]}


def test_a_list_inside_a_broken_object_is_not_the_answer() -> None:
    with pytest.raises(UnusableReply):
        read_json('{"entities": [], "facts" ! }', accept=lambda value: value == [])
    assert read_json("So: []", accept=lambda value: value == []).value == []


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_nothing_but_an_unusable_reply_is_raised(reply: str) -> None:
    found = None
    with suppress(UnusableReply):
        found = read(reply)
    assert found is None or has_facts(found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, st.data())
@settings(max_examples=150, deadline=None)
def test_a_cut_reply_never_says_more_than_the_whole(facts: object, data: st.DataObject) -> None:
    whole = json.dumps({"facts": [facts, "last"]})
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    try:
        found = read_json(cut, accept=has_facts)
    except UnusableReply:
        return
    assert not found.complete
    assert isinstance(found.value, dict)
    if isinstance(kept := found.value["facts"], list):
        assert len(kept) < 2 or kept[1] == "last"
        assert not kept or json.dumps(kept[0]) == json.dumps(read(whole)["facts"][0])  # type: ignore[index]
