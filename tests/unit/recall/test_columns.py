"""Columns kept from recall to recall are those that would be made anew."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from mnemis import Memory, Message
from mnemis.ports.store import Located
from mnemis.recall.columns import ColumnKeeper, Columns

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


def say(memory: Memory, number: int, *, session: str) -> None:
    memory.remember(
        [
            Message(
                role=("user", "assistant")[number % 2],
                speaker=("Ana", "若曦")[number % 2],
                text=("Is the launch in May?", "是的,五月三号发布。")[number % 2]
                * (1 + number % 3),
                time=DAY + timedelta(hours=number) if number % 4 else None,
                session=session,
                id=f"m{number}",
            )
        ]
    )


def equal(one: Columns, other: Columns) -> bool:
    def same(name: str) -> bool:
        left, right = getattr(one, name), getattr(other, name)
        if name == "members":
            return [rows.tolist() for rows in left] == [rows.tolist() for rows in right]
        if isinstance(left, Located):
            return bool(left.ids == right.ids and np.array_equal(left.rows, right.rows))
        if isinstance(left, np.ndarray):
            return bool(np.array_equal(left, right, equal_nan=left.dtype.kind == "f"))
        return bool(left == right)

    return all(same(field.name) for field in fields(Columns))


def check(memory: Memory, keeper: ColumnKeeper) -> Columns:
    with memory.mnemis.store.view(memory.scope) as view:
        kept = keeper.at(view)
        assert equal(kept, ColumnKeeper().at(view))
        assert keeper.at(view) is kept
    return kept


def test_they_grow_with_a_conversation(memory: Memory) -> None:
    keeper = ColumnKeeper()
    assert check(memory, keeper).ids == ()
    for number in range(12):
        say(memory, number, session="ab"[number % 5 == 0])
        assert len(check(memory, keeper).ids) == number + 1


@pytest.mark.parametrize("text", ["Is it in June?", "是六月吗？"])
def test_a_change_of_a_turn_builds_them_anew(memory: Memory, text: str) -> None:
    keeper = ColumnKeeper()
    for number in range(6):
        say(memory, number, session="s")
    check(memory, keeper)
    memory.edit("m2", text=text)
    assert len(check(memory, keeper).ids) == 6
    memory.forget(message_ids=["m3"])
    assert "turn:m3" not in check(memory, keeper).ids
    memory.pin("m4")
    assert check(memory, keeper).importance.max() == 1.0


def test_near_gives_stretches_by_session(memory: Memory) -> None:
    for number in range(10):
        say(memory, number, session="ab"[number % 2])
    with memory.mnemis.store.view(memory.scope) as view:
        columns = ColumnKeeper().at(view)
    rows = columns.rows_of(["turn:m4", "turn:m7", "turn:gone"])
    assert rows.tolist() == [4, 7, -1]
    near = columns.near(rows[:2], radius=1)
    assert [columns.ids[row] for row in near] == [
        "turn:m2", "turn:m4", "turn:m6", "turn:m5", "turn:m7", "turn:m9",
    ]  # fmt: skip
    assert columns.near(rows[:1], radius=0).tolist() == [4]
    assert columns.near(rows[:0], radius=3).tolist() == []


@pytest.mark.parametrize(
    "sentence", ["The ferry leaves at nine from Porto. ", "渡船九点从波尔图开。"]
)
def test_the_parts_of_long_turns_stand_beside_them(memory: Memory, sentence: str) -> None:
    keeper = ColumnKeeper()
    say(memory, 0, session="s")
    assert check(memory, keeper).parts.ids == ()
    memory.remember([Message(role="user", text=sentence * 120, session="s", id="long")])
    columns = check(memory, keeper)
    assert len(columns.parts) > 1
    assert set(columns.part_of.tolist()) == {columns.rows["turn:long"]}
    say(memory, 1, session="s")
    assert check(memory, keeper).parts.ids == columns.parts.ids
    memory.forget(message_ids=["long"])
    assert check(memory, keeper).parts.ids == ()
