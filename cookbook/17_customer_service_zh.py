"""中文客服：跨会话记住客户的订单、偏好和变更，回答时带上记忆的路径。

Customer service in Chinese: an agent that knows what a customer said weeks ago, in another thread,
to another colleague. Customers never see each other's data. The model is a fake; what it is shown
is printed, memories with their path and the instruction that they are data.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisMiddleware, MnemisRetriever

ANSWERS = [
    "已为您登记，订单 7731 改送到杭州市西湖区。",
    "好的，以后都用顺丰。",
    "您的订单 9102 正在配送。",
    "订单 7731 会用顺丰送到杭州市西湖区文三路 8 号。",
    "您的订单是 9102。",
]


class ShowingModel(GenericFakeChatModel):
    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        print("    " + messages[-1].text.replace("\n", "\n    "))
        return super()._generate(messages, *args, **kwargs)


def answers() -> Iterator[AIMessage]:
    for text in ANSWERS:
        yield AIMessage(text)


clock = FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC))
mnemis = Mnemis.open("memory", clock=clock, config=Config(consolidate="manual"))
agent: Any = create_agent(
    ShowingModel(messages=answers()),
    system_prompt="你是网店的客服。",
    middleware=[MnemisMiddleware(mnemis=mnemis)],
)


def say(customer: str, ticket: str, text: str) -> None:
    print(f"{clock.now():%m月%d日} {customer}（工单 {ticket}）")
    config = {"configurable": {"user_id": customer, "thread_id": ticket}}
    result = agent.invoke({"messages": [HumanMessage(text)]}, config)
    print(f"    -> {result['messages'][-1].text}\n")
    clock.advance(timedelta(days=9))


say("王女士", "A1", "我的订单7731请改送到杭州市西湖区文三路8号。")
say("王女士", "A2", "另外，快递请一律用顺丰，别的快递我收不到。")
say("李先生", "B1", "我的订单9102什么时候到？")
for customer in ("王女士", "李先生"):
    mnemis.scope(customer).consolidate()
say("王女士", "A3", "我的订单7731会怎么送、送到哪里？")
say("李先生", "B2", "我的订单号是多少？")

print("客服主管查询王女士说过的送货要求：")
retriever = MnemisRetriever(mnemis=mnemis, k=2, where={"role": "user"})
for document in retriever.invoke("送货有什么要求？", {"configurable": {"user_id": "王女士"}}):
    print(f"    {document.page_content}  路径：{document.metadata['path']}")
mnemis.close()
