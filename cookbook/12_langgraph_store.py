"""LangGraph's store on a Mnemis folder: durable items with semantic search in two languages.

A graph node reads and writes the store that it was compiled with. Values are any JSON; they are
found by meaning, by filter, by key; they can have a time to live; deleted is deleted.
"""

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from mnemis import Config, Mnemis
from mnemis_langchain import MnemisStore


class State(TypedDict):
    user: str
    said: str
    known: list[str]


def remember(state: State, runtime: Runtime[None]) -> dict[str, Any]:
    assert runtime.store is not None
    namespace = ("memories", state["user"])
    found = runtime.store.search(namespace, query=state["said"], limit=1)
    number = len(runtime.store.search(namespace, limit=1000))
    runtime.store.put(namespace, f"note-{number}", {"text": state["said"], "number": number})
    return {"known": [item.value["text"] for item in found]}


def build(store: MnemisStore) -> Any:
    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", END)
    return graph.compile(store=store)


# A folder of items alone has no conversations to make knowledge of.
config = Config(consolidate="manual")

with Mnemis.open("memory", config=config) as mnemis:
    graph = build(MnemisStore(mnemis))
    for user, said in (
        ("ana", "My bicycle is blue and stands in the yard."),
        ("ana", "I prefer tea to coffee."),
        ("小明", "我的自行车是红色的。"),
        ("ana", "What colour is my bicycle?"),
        ("小明", "我的自行车是什么颜色？"),
    ):
        state = graph.invoke({"user": user, "said": said, "known": []})
        print(f"{user}: {said}\n    known: {state['known']}")

with Mnemis.open("memory", config=config) as mnemis:
    print("\nAfter a restart:")
    store = MnemisStore(mnemis)
    print(store.list_namespaces(prefix=("memories",)))
    for item in store.search(("memories", "ana"), filter={"number": {"$gte": 1}}):
        print(f"    {item.key}: {item.value}")

    print("\nAny JSON value, overwritten, found by one field:")
    store.put(("settings", "ana"), "ui", {"theme": "dark", "sizes": [1, 2.5], "menu": None})
    store.put(("settings", "ana"), "ui", {"theme": "light", "sizes": [], "menu": {"open": True}})
    ui = store.get(("settings", "ana"), "ui")
    print("   ", ui.value if ui else None)

    print("\nA note for ten minutes, and one that is deleted:")
    store.put(("memories", "ana"), "code", {"text": "The door code is ostrich-4711."}, ttl=10)
    print(
        "   ", [each.key for each in store.search(("memories", "ana"), query="door code", limit=1)]
    )
    store.delete(("memories", "ana"), "code")
    gone = mnemis.scope("langgraph-store", "memories", "ana").verify_forgotten(["ostrich-4711"])
    print(f"    gone from every file: {bool(gone)}")
