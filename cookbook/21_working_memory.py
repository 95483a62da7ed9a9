"""A chat loop without a framework: each prompt is made of working memory and recall.

The working memory holds what is at hand of one session: its latest turns, what was said before
them, and what was settled and still holds. It needs no consolidation and no model. Its turns also
tell what a follow-up means, and what is forgotten is gone from it at once.
"""

from datetime import UTC, datetime, timedelta

from mnemis import Config, Message, Mnemis

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
now = datetime(2025, 3, 3, 18, tzinfo=UTC)


def say(scope: str, session: str, *texts: str) -> None:
    """The user and the assistant in turn."""
    global now
    for place, text in enumerate(texts):
        now += timedelta(minutes=1)
        mnemis.scope(scope).remember(
            [
                Message(
                    role="assistant" if place % 2 else "user",
                    speaker="Guide" if place % 2 else scope,
                    text=text,
                    time=now,
                    session=session,
                    id=f"{session}-{now:%d-%H%M}",
                )
            ]
        )


ana = mnemis.scope("Ana")
say(
    "Ana", "last year",
    "Which hotels in Lisbon did you find?", "Casa Azul by the river, and Hotel Miradouro.",
    "We stayed at Hotel Miradouro. The rooms there are quiet, but breakfast costs 18 euros.",
    "Noted.",
)  # fmt: skip
ana.consolidate()

now += timedelta(days=300)
say(
    "Ana", "this trip",
    "Let's plan the trip to Lisbon. I want a window seat on the train.", "Madrid at nine, then.",
    "My budget is 800 euros.", "That is enough for four nights.",
    "I'm allergic to peanuts, please tell the kitchen.", "I will.",
    "My budget is now 900 euros.", "Good, five nights.",
    "Which hotels did I know there?", "1. Casa Azul\n2. Hotel Miradouro",
)  # fmt: skip

print("== What is at hand, in at most 200 tokens")
working = ana.working(turns=4, budget=200)
print(working.text)
print(f"({working.tokens} tokens)")

print("\n== A follow-up: the turns at hand say what it means")
question = "What does breakfast cost at the second one?"
recall = ana.recall(question, recent=working.turns, k=1, where={"session": "last year"})
print(f"{question}\n    {recall.hits[0].text}")

print("\n== What holds, for a program to read")
for note in working.notes:
    print(f"    {note.kind:14} {note.text}  {', '.join(note.sources)}")

(peanuts,) = (note for note in working.notes if note.kind == "allergic_to")
ana.forget(message_ids=peanuts.sources)
print("\n== After the peanuts were forgotten")
print("peanuts" in str(ana.working()), [note.kind for note in ana.working().notes])

say(
    "王芳", "旅行",
    "我们来安排去成都的旅行。我想要靠窗的座位。", "九点从西安出发的车还有票。",
    "我们决定住河边的蓝屋酒店。", "好的，我去订。",
    "我对花生过敏。", "我会告诉厨房。",
    "杜甫草堂星期几闭馆？", "星期一闭馆。",
)  # fmt: skip
print("\n== 中文会话，最近两轮")
print(mnemis.scope("王芳").working(turns=2).text)
mnemis.close()
