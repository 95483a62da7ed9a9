"""The hierarchy: topics gather their episodes across sessions, nothing is unreachable."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mnemis.config import Config
from mnemis.model.message import Message
from tests.unit.consolidate.conversations import START, Outcome, again, dialogue, outcome_of

TOPICS = {
    "pricing": [
        "The price of the Pro plan should go to 25 dollars.",
        "A discount for schools would bring the price to 15 dollars.",
        "Our price is higher than the price of Sprout.",
    ],
    "storage": [
        "The storage vendor loses files, we need another storage vendor.",
        "Nimbus is a storage vendor with a data centre in Dublin.",
        "The storage contract with the vendor ends in August.",
    ],
    "供应商": ["供应商把样品寄来了。", "我们要换供应商，这家供应商太慢。", "新的供应商报价更低。"],
    "dog": [
        "My dog ate a whole cheese.",
        "The vet says the dog is too fat.",
        "The dog hates the vet.",
    ],
}


def across_sessions() -> list[Message]:
    messages: list[Message] = []
    for round_number in range(3):
        for topic, texts in TOPICS.items():
            messages.extend(
                dialogue(
                    ("Ana", texts[round_number]),
                    (
                        "Ben",
                        f"Let us write that down for the {topic} notes."
                        if topic.isascii()
                        else "这件事记下来吧。",
                    ),
                    session=f"{topic}-{round_number}",
                    first=len(messages),
                    start=START + timedelta(days=round_number * 20),
                )
            )
    return messages


def episodes_under(outcome: Outcome, category: str) -> set[str]:
    below: dict[str, set[str]] = {}
    for edge in outcome.edges:
        if edge.type == "belongs_to":
            below.setdefault(edge.target, set()).add(edge.source)
    found: set[str] = set()
    waiting = [category]
    while waiting:
        for child in below.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return {each for each in found if each.startswith("episode:")}


@pytest.mark.parametrize(
    ("word", "topic"),
    [("price", "pricing"), ("vendor", "storage"), ("供应商", "供应商"), ("dog", "dog")],
)
def test_a_topic_gathers_its_episodes_across_sessions(word: str, topic: str) -> None:
    outcome = outcome_of(across_sessions())
    named = [
        each
        for each in outcome.categories
        if each.facet == "what" and word in (each.name.lower(), *each.keywords[:6])
    ]
    sessions = {each.id: each.session for each in outcome.episodes}
    gathered = {sessions[e] for category in named for e in episodes_under(outcome, category.id)}
    assert {f"{topic}-{number}" for number in range(3)} <= gathered


def test_every_episode_is_reachable_from_the_top_and_layers_shrink() -> None:
    outcome = outcome_of(across_sessions())
    parents = {edge.source for edge in outcome.edges if edge.type == "belongs_to"}
    tops = [each for each in outcome.categories if each.id not in parents]
    reached = {found for each in tops for found in episodes_under(outcome, each.id)}
    assert reached == {each.id for each in outcome.episodes}
    sizes: dict[int, int] = {}
    for each in outcome.categories:
        sizes[each.layer] = sizes.get(each.layer, 0) + 1
    assert len(sizes) >= 2
    assert [sizes[layer] for layer in sorted(sizes)] == sorted(sizes.values(), reverse=True)


def test_items_have_few_parents_and_names_are_unique() -> None:
    outcome = outcome_of(across_sessions())
    most = Config().categories.max_parents
    counts: dict[str, int] = {}
    for edge in outcome.edges:
        if edge.type == "belongs_to" and edge.source.startswith("episode:"):
            counts[edge.source] = counts.get(edge.source, 0) + 1
    assert counts and max(counts.values()) <= most
    names = [each.name.casefold() for each in outcome.categories]
    assert len(names) == len(set(names))


def test_facets_hold_people_places_and_months() -> None:
    outcome = outcome_of(
        [
            *dialogue(
                ("Ana", "I met Oliver and Sandra in Lisbon."),
                ("Ben", "I visited Porto with Daniel."),
            ),
            *dialogue(
                ("王小明", "李雷搬到了成都。"),
                ("林若曦", "我上周去了杭州。"),
                session="s2",
                first=2,
            ),
        ]
    )
    members: dict[str, set[str]] = {}
    labels = {each.id: each.name for each in outcome.entities}
    names = {each.id: each.name for each in outcome.categories}
    for edge in outcome.edges:
        if edge.type == "belongs_to" and edge.target in names:
            members.setdefault(names[edge.target], set()).add(labels.get(edge.source, edge.source))
    facets = {each.facet for each in outcome.categories}
    assert {"who", "where", "when", "what"} <= facets
    people = next(found for name, found in members.items() if name in ("People", "人物"))
    places = next(found for name, found in members.items() if name in ("Places", "地点"))
    assert {"Ana", "Oliver", "李雷"} <= people
    assert {"Lisbon", "Porto", "成都", "杭州"} <= places


def test_unrelated_statements_still_make_a_hierarchy() -> None:
    words = [f"{a}{b}{c}o" for a in "bdfglm" for b in "aeiou" for c in "knprstvz"][:60]
    messages = [
        Message(role="user", speaker="Ana", text=f"The {word} is {word}ish.", session=word, id=word)
        for word in words
    ]
    outcome = outcome_of(messages)
    parents = {edge.source for edge in outcome.edges if edge.type == "belongs_to"}
    tops = [each for each in outcome.categories if each.id not in parents]
    reached = {found for each in tops for found in episodes_under(outcome, each.id)}
    assert reached == {each.id for each in outcome.episodes if each.keywords}
    assert len(reached) > 50


def test_categories_know_sources_and_settle() -> None:
    outcome = outcome_of(across_sessions())
    assert all(each.sources for each in outcome.categories)
    repeat = again(outcome)
    assert repeat.report.categories == 0 and repeat.categories == outcome.categories


def test_new_episodes_are_placed_without_a_rebuild() -> None:
    many = [
        message
        for number in range(30)
        for message in dialogue(
            ("Ana", f"The price of part {number} is high."), session=f"p{number}", first=number
        )
    ]
    outcome = outcome_of(
        [*many, *dialogue(("Ana", "The price is low now."), session="new", first=99)], slices=31
    )
    newest = next(each for each in outcome.episodes if each.session == "new")
    targets = {
        edge.target
        for edge in outcome.edges
        if edge.source == newest.id and edge.type == "belongs_to"
    }
    facets = {each.facet for each in outcome.categories if each.id in targets}
    assert facets == {"what", "when"}
