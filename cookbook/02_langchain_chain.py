"""LangChain chain: one retriever for many users in a chain, the path in what the model is shown.

The model is a fake that answers from a list, so that this runs anywhere; put your own in its
place. The user comes with each call, in ``config["configurable"]["user_id"]``.
"""

from datetime import UTC, datetime

from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompt_values import PromptValue
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.tools import create_retriever_tool

from mnemis import InputError, Message, Mnemis
from mnemis_langchain import DOCUMENT_PROMPT, MnemisRetriever, format_documents

mnemis = Mnemis.open("memory")
noon = datetime(2025, 3, 3, 12, tzinfo=UTC)
mnemis.scope("ana").remember(
    [
        Message(role="user", speaker="Ana", text="I am allergic to peanuts.", time=noon),
        Message(role="user", speaker="Ana", text="My favourite dish is mapo tofu.", time=noon),
    ]
)
mnemis.scope("小明").remember(
    [Message(role="user", speaker="小明", text="我不吃辣，最喜欢的菜是小笼包。", time=noon)]
)


def show(prompt: PromptValue) -> PromptValue:
    print(prompt.to_string())
    return prompt


retriever = MnemisRetriever(mnemis=mnemis, k=2)
chain = (
    {"context": retriever | format_documents, "question": RunnablePassthrough()}
    | ChatPromptTemplate.from_template("{context}\n\nQuestion: {question}")
    | show
    | FakeListChatModel(responses=["Mapo tofu, and nothing with peanuts.", "小笼包。"])
    | StrOutputParser()
)

for user, question in (("ana", "What shall I cook for Ana?"), ("小明", "小明喜欢吃什么？")):
    answer = chain.invoke(question, {"configurable": {"user_id": user}})
    print(f"AI: {answer}\n")

print("As a tool, with arguments of the call:")
tool = create_retriever_tool(
    retriever, "recall", "Looks up what the user said before.", document_prompt=DOCUMENT_PROMPT
)
print(tool.invoke({"query": "allergies"}, {"configurable": {"user_id": "ana"}}))
only_one = retriever.invoke("allergies", {"configurable": {"user_id": "ana"}}, k=1)
print(f"k=1 gives {len(only_one)}: {only_one[0].metadata['path']}")

try:
    retriever.invoke("What is my favourite dish?")
except InputError as error:
    print(f"\nWithout a user: {error}")

mnemis.close()
