"""Deleting a user's data: one message, one thread, everything, and the proof that it is gone.

What is forgotten goes with all that was made of it: vectors, summaries, facts, topics. Other
users' memories are not touched, and ``verify_forgotten`` searches every file for the bytes.
"""

from datetime import UTC, datetime

from langchain_core.messages import AIMessage, HumanMessage

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisChatMessageHistory, MnemisRetriever, memory_tools

mnemis = Mnemis.open(
    "memory",
    clock=FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC)),
    config=Config(consolidate="manual"),
)
for number, (user, thread, text) in enumerate(
    (
        ("ana", "t1", "My passport number is X4471902."),
        ("ana", "t1", "I collect stamps from Portugal."),
        ("ana", "t2", "我的手机号是13800002222。"),
        ("ben", "t1", "My passport number is Y9910345."),
    )
):
    history = MnemisChatMessageHistory(mnemis.scope(user), session=thread)
    history.add_messages([HumanMessage(text, id=f"m{number}"), AIMessage("Noted.")])
for user in ("ana", "ben"):
    mnemis.scope(user).consolidate()


def found(user: str, query: str) -> list[str]:
    """What comes back first; when the answer is gone, whatever is nearest to the question."""
    retriever = MnemisRetriever(mnemis=mnemis, k=1, where={"role": "user", "kind": "turn"})
    documents = retriever.invoke(query, {"configurable": {"user_id": user}})
    return [document.page_content for document in documents]


ana = mnemis.scope("ana")
print("Before:", found("ana", "passport number"), found("ana", "手机号"))

print("\nOne message, by the agent's own tool, because the user asked for it:")
recall, forget = memory_tools(memory=ana, names=["recall", "forget"], k=1)
(hit,) = ana.recall("What is my passport number?", k=1, where={"role": "user"}).hits
print("   ", forget.invoke({"message_ids": list(hit.sources)}))
print("    asked for the passport, Ana now gets:", found("ana", "passport number"))
print("    gone from every file:", bool(ana.verify_forgotten(["X4471902"])))

print("\nOne thread:")
MnemisChatMessageHistory(ana, session="t2").clear()
print("    asked for the phone number, she now gets:", found("ana", "手机号"))
print("    gone from every file:", bool(ana.verify_forgotten(["13800002222"])))

print("\nEverything of one user:")
report = ana.forget(everything=True)
print(f"    {len(report.messages)} messages went; asked for stamps: {found('ana', 'stamps')}")
print("    scopes left:", mnemis.scopes())
print("    Ben's is untouched:", found("ben", "passport number"))
mnemis.close()
