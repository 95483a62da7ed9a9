"""profile, topics, history, health, show, pin, feedback: what a person sees and marks."""

from __future__ import annotations

import inspect

import pytest

from mnemis import InputError, Memory, Mnemis
from mnemis.care.topics import DEEPEST, Topic
from mnemis.model.change import Change
from mnemis.model.graph import Category, Edge, Entity, Fact
from tests.unit.care.conftest import START, everything, said, tell

ENGLISH = ("I live in Lisbon.", "I have a dog named Rex.", "I moved to Porto.")
CHINESE = ("我住在上海。", "我养了一只狗，叫小黑。", "我搬家了，现在住在杭州。")


@pytest.mark.parametrize(
    ("texts", "speaker", "past", "now"),
    [(ENGLISH, "Ana", "Lisbon", "Porto"), (CHINESE, "王芳", "上海", "杭州")],
)
def test_a_profile_tells_what_holds_and_what_was(
    memory: Memory, texts: tuple[str, ...], speaker: str, past: str, now: str
) -> None:
    tell(memory, *texts, speaker=speaker)
    found = memory.profile(speaker)
    assert found.entity.name == speaker
    assert [now in fact.text for fact in found.facts["lives_in"]] == [True]
    assert [past in fact.text for fact in found.past] == [True]
    assert found.disputed == ()
    assert found.last_mentioned is not None
    assert found.last_mentioned.day == 6
    assert len(found.episodes) == 3


@pytest.mark.parametrize(("text", "known", "near"), [
    ("Nina Holloway works at Orbit Labs. I like Nina Holloway.", "Nina Holloway", "Nina Holowey"),
    ("我同事李晓娜在星海公司工作。", "李晓娜", "李小娜"),
])  # fmt: skip
def test_an_unknown_name_lists_near_ones(memory: Memory, text: str, known: str, near: str) -> None:
    with pytest.raises(InputError, match="no name is near"):
        memory.profile(near)
    tell(memory, text)
    names = [n.name for n in everything(memory) if isinstance(n, Entity)]
    if known not in names:
        pytest.fail(f"{known} is not among {names}")
    with pytest.raises(InputError, match=known):
        memory.profile(near)


def test_an_ambiguous_name_lists_its_candidates(mnemis: Mnemis, memory: Memory) -> None:
    put_namesakes(mnemis, memory)
    for call in (lambda: memory.profile("Java"), lambda: memory.forget(entity="Java")):
        with pytest.raises(InputError, match="entity:java1.*entity:java2"):
            call()
    assert memory.profile("Java (island)").entity.id == "entity:java2"
    assert memory.profile("entity:java1").entity.qualifier == "language"
    assert memory.forget(entity="entity:java2").messages == ("m2",)
    assert [n.id for n in everything(memory) if isinstance(n, Entity)] == ["entity:java1"]


@pytest.mark.parametrize(
    ("texts", "about", "versions"),
    [
        (ENGLISH, "where I live", ["Lisbon", "Porto"]),
        (CHINESE, "住在哪里", ["上海", "杭州"]),
    ],
)
def test_history_tells_versions_in_order(
    memory: Memory, texts: tuple[str, ...], about: str, versions: list[str]
) -> None:
    tell(memory, *texts)
    items = memory.history(about)
    assert len(items) == len(versions)
    assert [version in item.text for item, version in zip(items, versions, strict=True)] == [
        True
    ] * len(versions)
    assert [item.status for item in items] == ["superseded", "current"]
    assert items[0].successor == items[1].fact.id
    assert items[0].valid_to is not None
    assert items[1].valid_to is None
    assert memory.history(items[0].fact.id) == items
    assert memory.history("m1") == items


def test_history_of_nothing_is_empty(memory: Memory) -> None:
    assert memory.history("the launch") == ()
    tell(memory, "I live in Lisbon.")
    assert memory.history("m404") == ()
    with pytest.raises(InputError):
        memory.history("  ")


def test_topics_count_what_lies_below(memory: Memory) -> None:
    assert memory.topics() == ()
    tell(memory, *ENGLISH, *[f"The garden wall needs stone {n}." for n in range(4)])
    found = memory.topics()
    assert found
    stored = {n.id for n in everything(memory) if n.kind == "category"}
    assert {topic.id for topic in walk(found)} == stored
    assert all(topic.total >= topic.members for topic in walk(found))


def test_deep_and_circular_hierarchies_end(mnemis: Mnemis, memory: Memory) -> None:
    tell(memory, "I live in Lisbon.")
    put_hierarchy(mnemis, memory)
    ids = {topic.id for topic in walk(memory.topics())}
    assert {"category:a", "category:b", "category:c", "category:self", "category:two"} <= ids
    depth, level = 0, memory.topics()
    while level:
        depth, level = depth + 1, tuple(child for topic in level for child in topic.children)
    assert depth <= DEEPEST
    cycles = next(each for each in memory.health().findings if each.kind == "cycles")
    assert "category:self" in cycles.ids
    assert memory.recall("Lisbon").hits
    memory.forget(message_ids=["m1"])
    assert everything(memory) == []


def test_health_names_what_is_wrong_and_what_to_do(mnemis: Mnemis, memory: Memory) -> None:
    assert memory.health().well
    memory.remember([said(9, "I live in Lisbon.")])
    waiting = memory.health()
    assert waiting.pending == 1
    assert [each.kind for each in waiting.findings] == ["pending"]
    memory.consolidate()
    assert memory.health().pending == 0
    put_namesakes(mnemis, memory)
    twins = Entity(id="entity:java3", text="Java", name="java", qualifier="Island", sources=("m2",))
    old = Fact(
        id="fact:old", text="x", subject="x", relation="likes", object="y", status="disputed",
        sources=("m9",), time=START,
    )  # fmt: skip
    put(mnemis, memory, twins, old)
    found = {each.kind: each for each in memory.health().findings}
    assert found["duplicate_entities"].ids == ("entity:java2", "entity:java3")
    assert found["disputed"].ids == ("fact:old",)
    assert found["orphans"].ids == ("fact:old", "entity:java3")
    assert all(each.advice and str(each.count) in each.what for each in found.values())


def test_show_gives_edges_and_provenance(memory: Memory) -> None:
    tell(memory, *ENGLISH)
    fact = memory.history("where I live")[0].fact
    shown = memory.show(fact.id)
    assert [turn.message_id for turn in shown.sources] == ["m1"]
    assert {edge.type for edge in shown.edges} >= {"supports", "mentions", "supersedes"}
    assert all(edge.sources for edge in shown.edges)
    turn = memory.show("m1")
    assert turn.node.text == "I live in Lisbon."
    assert fact.id in turn.derived
    with pytest.raises(InputError, match="m404"):
        memory.show("m404")


def test_pinning_keeps_and_lets_go(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.")
    before = memory.show("m1").node
    assert memory.pin("m1").changed
    assert memory.show("m1").node.importance == 1.0
    assert not memory.pin("m1").changed
    assert memory.recall("Lisbon").hits[0].sources == ("m1",)
    memory.pin("m1", pinned=False)
    assert memory.show("m1").node == before
    with pytest.raises(InputError):
        memory.pin("m404")


def test_a_pin_stays_when_what_it_is_on_is_made_anew(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.")
    pinned = [node.id for node in everything(memory)]
    for each in pinned:
        memory.pin(each)
    memory.remember([said(7, "I live in Lisbon with my dog.", session="s1", days=1)])
    memory.consolidate()
    marked = {node.id for node in everything(memory) if node.metadata.get("mnemis.pinned")}
    still = {node.id for node in everything(memory)} & set(pinned)
    assert len(still) >= 4
    assert still <= marked
    assert all(memory.show(each).node.importance == 1.0 for each in marked)


def test_feedback_moves_importance_within_bounds_and_goes_with_the_memory(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.", "I like tea.")
    hit = memory.recall("Lisbon").hits[0]
    for _ in range(12):
        memory.feedback(hit, useful=True)
    node = memory.show(hit.id).node
    assert node.importance == 1.0
    assert node.metadata["mnemis.feedback"] == {"up": 12, "down": 0}
    memory.feedback(hit.id, useful=False)
    assert memory.show(hit.id).node.importance == pytest.approx(0.9)
    for _ in range(12):
        memory.feedback(hit, useful=False)
    assert memory.show(hit.id).node.importance == 0.0
    memory.forget(message_ids=["m1"])
    with pytest.raises(InputError):
        memory.feedback(hit, useful=True)


async def test_every_verb_has_a_twin_off_the_loop(memory: Memory) -> None:
    verbs = "forget edit pin profile topics history health feedback export import_ show".split()
    for verb in (*verbs, "verify_forgotten"):
        assert inspect.iscoroutinefunction(getattr(Memory, f"a{verb}"))
        ours = inspect.signature(getattr(Memory, verb)).parameters
        assert ours.keys() == inspect.signature(getattr(Memory, f"a{verb}")).parameters.keys()
    await memory.aremember([said(1, "I live in Lisbon.")])
    await memory.apin("m1")
    assert (await memory.ashow("m1")).node.importance == 1.0
    assert (await memory.ahealth()).counts["turn"] == 1
    assert (await memory.aforget(everything=True)).messages == ("m1",)
    assert await memory.averify_forgotten("Lisbon")


def walk(found: tuple[Topic, ...]) -> list[Topic]:
    seen: dict[str, Topic] = {}
    waiting = list(found)
    while waiting:
        topic = waiting.pop()
        if topic.id not in seen:
            seen[topic.id] = topic
            waiting.extend(topic.children)
    return list(seen.values())


def put(mnemis: Mnemis, memory: Memory, *nodes: object, edges: tuple[Edge, ...] = ()) -> None:
    with mnemis.store.view(memory.scope) as view:
        number = view.seq
    change = Change(id=f"test-{number}", purpose="test", nodes=nodes, edges=edges)  # type: ignore[arg-type]
    mnemis.store.apply(memory.scope, change)


def put_namesakes(mnemis: Mnemis, memory: Memory) -> None:
    from mnemis.model.change import IndexEntry

    memory.remember([said(1, "Java is a language."), said(2, "Java is an island.")])
    made = [
        Entity(id=f"entity:java{n}", text="Java", name="Java", qualifier=q, sources=(f"m{n}",))
        for n, q in ((1, "language"), (2, "island"))
    ]
    change = Change(
        id="namesakes",
        purpose="test",
        nodes=tuple(made),
        edges=tuple(
            Edge(source=f"turn:m{n}", target=e.id, type="mentions", sources=e.sources)
            for n, e in enumerate(made, 1)
        ),
        entries=tuple(
            IndexEntry(id=e.id, kind="entity", owner=e.id, sources=e.sources, names=("java",))
            for e in made
        ),
    )
    mnemis.store.apply(memory.scope, change)


def put_hierarchy(mnemis: Mnemis, memory: Memory) -> None:
    """A chain of 1,500 levels, a ring of three, a loop, and one category under two."""
    names = [f"chain{n}" for n in range(1500)] + ["a", "b", "c", "self", "two"]
    nodes = [
        Category(id=f"category:{each}", text=each, name=each, layer=1, sources=("m1",))
        for each in names
    ]
    pairs = [(f"chain{n}", f"chain{n + 1}") for n in range(1499)]
    pairs += [("a", "b"), ("b", "c"), ("c", "a"), ("self", "self"), ("two", "a"), ("two", "chain7")]
    edges = tuple(
        Edge(source=f"category:{low}", target=f"category:{high}", type="belongs_to")
        for low, high in pairs
    )
    put(mnemis, memory, *nodes, edges=edges)
