"""A place is written one way, looks upward only, and drops levels that are not on the matter."""

from __future__ import annotations

import pytest

from mnemis import InputError
from mnemis.model.places import at_place, governing, place_text, upward
from mnemis.model.recall import Hit, Path, Step


def hit(name: str, score: float) -> Hit:
    path = Path(
        route="hierarchy", steps=(Step(node="c", label="Gifts"), Step(node=name, label=name))
    )
    return Hit(id=name, text=name, kind="turn", score=score, sources=(name,), paths=(path,), why="")


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (("Group", "Germany", "Berlin"), "Group > Germany > Berlin"),
        (["集团", "中国"], "集团 > 中国"),
        (" Group>Germany ", "Group > Germany"),
        ("Group", "Group"),
    ],
)
def test_a_place_is_written_one_way(place: str | list[str], text: str) -> None:
    assert place_text(place) == text
    assert place_text(text) == text


@pytest.mark.parametrize(
    "place",
    [
        (),
        "",
        "Group > ",
        ("Group", " "),
        ("a > b",),
        ("a", 7),
        ("集团", None),
        5,
        0.5,
        None,
        b"Group",
        {"Group"},
    ],
)
def test_what_is_no_place_is_refused(place: str) -> None:
    with pytest.raises(InputError, match="from the general to the particular"):
        place_text(place)


def test_what_lies_above_comes_after() -> None:
    assert upward("集团 > 中国 > 上海") == ("集团 > 中国 > 上海", "集团 > 中国", "集团")


def test_a_filter_of_ones_own_holds_too() -> None:
    here = {"metadata.place": "Group"}
    assert at_place(None, "Group") == here
    assert at_place({"language": "en"}, "Group") == {"and": [{"language": "en"}, here]}


def test_levels_keep_their_order_and_drop_what_is_not_on_the_matter() -> None:
    found = governing(
        [
            ("Group > Germany > Berlin", [hit("B-1", 0.3)]),
            ("Group > Germany", [hit("DE-2", 0.1)]),
            ("Group", [hit("G-1", 0.5), hit("G-2", 0.19)]),
        ]
    )
    assert [(each.hit.id, each.path) for each in found] == [
        ("B-1", "Group > Germany > Berlin > B-1"),
        ("G-1", "Group > G-1"),
    ]


def test_where_nothing_scores_all_is_told() -> None:
    found = governing([("Group > Germany", [hit("DE-1", 0.0)]), ("Group", [hit("G-1", 0.0)])])
    assert [each.hit.id for each in found] == ["DE-1", "G-1"]
    assert governing([("Group", [])]) == ()
