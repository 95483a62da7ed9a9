"""First memory: remember a conversation, ask it questions, see by which path each answer came.

Shows that a memory is a folder, that recall works at once and better after ``consolidate``,
that English and Chinese live in one memory, and that everything is there after reopening.
"""

from datetime import UTC, datetime

from mnemis import Memory, Message


def said(day: str, speaker: str, text: str) -> Message:
    time = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return Message(role="user", speaker=speaker, text=text, time=time, session=day[:10])


conversation = [
    said("2025-03-03T09:00", "Ana", "We moved the launch of the tea shop to May 3rd."),
    said("2025-03-03T09:02", "Ben", "Good. Then I will order the cups from Jingdezhen."),
    said("2025-03-03T09:05", "Ana", "Please do. I work at Vega until the end of April."),
    said("2025-03-18T18:30", "小明", "我住在上海，周末可以来帮忙布置茶馆。"),
    said("2025-03-18T18:31", "Ana", "谢谢！请带上那套青花瓷茶具。"),
    said("2025-04-22T12:00", "小明", "我搬到杭州了，不再住在上海。"),
    said("2025-04-25T08:15", "Ana", "The permit is late, so the launch moves to June 14th."),
    said("2025-04-25T08:20", "Ben", "The cups from Jingdezhen arrived, two are broken."),
]


def ask(memory: Memory, question: str) -> None:
    recall = memory.recall(question, k=2)
    print(f"? {question}")
    for hit in recall.hits:
        day = hit.time.date() if hit.time else "undated"
        print(f"  {day} {hit.speaker}: {hit.text}")
        print(f"    found by {hit.paths[0]}  [{hit.status}]")


with Memory.open("memory", scope="tea-shop") as memory:
    report = memory.remember(conversation)
    print(f"remembered {report.stored} messages")
    again = memory.remember(conversation)
    print(f"the same once more: {again.stored} new, {again.repeated} known")
    memory.consolidate()

with Memory.open("memory", scope="tea-shop") as memory:
    ask(memory, "When is the launch?")
    ask(memory, "What happened to the cups?")
    ask(memory, "小明住在哪里？")
    print()
    print("What goes into a prompt: memories with their time, fenced and labelled as quotation")
    print(memory.recall("What do we know about the launch and the cups?", k=4).context)
