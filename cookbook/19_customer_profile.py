"""A customer profile that evolves: what held when, what holds now, and what was said about it.

Months of a customer's messages go in as LangChain messages, English or Chinese. The profile is made
of the facts in them; an old fact stays with its end and its successor; ``as_of`` asks what was
valid then.
"""

from datetime import UTC, datetime

from langchain_core.messages import HumanMessage

from mnemis import Config, Mnemis
from mnemis_langchain import MnemisRetriever, format_documents, to_messages

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
memory = mnemis.scope("shop", "customer 1207")

for day, text in (
    ("2025-01-07", "Hello, I live in Vienna and I work at Vega."),
    ("2025-01-20", "I like green tea. Please send me offers."),
    ("2025-03-02", "I moved from Vienna to Hangzhou."),
    ("2025-03-15", "I am allergic to peanuts, so no more peanut snacks."),
    ("2025-05-11", "I left Vega. I work at Orion now."),
):
    said = HumanMessage(text, name="Ana", id=day)
    time = datetime.fromisoformat(day).replace(tzinfo=UTC)
    memory.remember(to_messages([said], session=day, time=time))
memory.consolidate()

print("The profile today:")
profile = memory.profile("Ana")
for relation, facts in profile.facts.items():
    print(f"    {relation}: {'; '.join(fact.object for fact in facts)}")

print("\nHow it came to that:")
for item in memory.history("Where does Ana live?"):
    fact = item.fact
    since = fact.valid_from.date() if fact.valid_from else "?"
    until = fact.valid_to.date() if fact.valid_to else "today"
    print(f"    {fact.relation} {fact.object}: {since} to {until} [{item.status}]")

retriever = MnemisRetriever(mnemis=mnemis, k=1)
customer = {"configurable": {"user_id": ("shop", "customer 1207")}}
for then in (datetime(2025, 2, 1, tzinfo=UTC), datetime(2025, 6, 1, tzinfo=UTC)):
    print(f"\nWhere does Ana work? As of {then.date()}:")
    print(format_documents(retriever.invoke("Where does Ana work?", customer, as_of=then)))

chinese = mnemis.scope("shop", "customer 2044")
for day, text in (("2025-01-09", "我住在南京。我对花生过敏。"), ("2025-05-06", "我搬到苏州了。")):
    said = HumanMessage(text, name="小美", id=day)
    time = datetime.fromisoformat(day).replace(tzinfo=UTC)
    chinese.remember(to_messages([said], session=day, time=time))
chinese.consolidate()

print("\n小美的档案：")
for relation, facts in chinese.profile("小美").facts.items():
    print(f"    {relation}: {'; '.join(fact.object for fact in facts)}")
for fact in chinese.profile("小美").past:
    print(f"    过去 {fact.relation}: {fact.object}，到 {fact.valid_to:%Y-%m-%d} 为止")
mnemis.close()
