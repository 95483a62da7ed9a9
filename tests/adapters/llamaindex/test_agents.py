"""MnemisMemory under FunctionAgent, AgentWorkflow and the chat engines."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentStream, AgentWorkflow, FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    ContextChatEngine,
    SimpleChatEngine,
)
from llama_index.core.llms import MockLLM
from llama_index.core.tools import RetrieverTool

from mnemis import Memory, Mnemis
from mnemis_llamaindex import MnemisMemory, MnemisRetriever

from .fakes import ScriptedLLM


class Model:
    """Calls the tool that it has, once a turn, then answers; keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[list[ChatMessage]] = []

    def __call__(self, messages: Any, **options: Any) -> ChatMessage:
        self.shown.append([each.model_copy(deep=True) for each in messages])
        if options.get("tools") and messages[-1].role == "user":
            name = options["tools"][0].metadata.name
            call = {
                "id": f"c{len(self.shown)}",
                "name": name,
                "kwargs": {"input": str(messages[-1].content)},
            }
            return ChatMessage(role="assistant", additional_kwargs={"tool_calls": [call]})
        return ChatMessage(role="assistant", content=f"Answer {len(self.shown)}.")

    def text(self, call: int) -> str:
        return "\n".join(str(each.content) for each in self.shown[call])


def agent(model: Model, **options: Any) -> FunctionAgent:
    return FunctionAgent(llm=ScriptedLLM(model), **({"tools": []} | options))


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is the launch?", "We moved the launch to May 3rd."), ("发布会什么时候?", "五月三日")],
)
async def test_an_agent_is_shown_what_is_remembered(
    mnemis: Mnemis, ana: Memory, question: str, answer: str
) -> None:
    model = Model()
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="today")
    await agent(model, system_prompt="Be kind.").run(question, memory=memory)
    assert answer in model.text(0)
    assert "<memory note=" in model.text(0)
    said = [str(each.content) for each in memory.get_all()]
    assert said == [question, "Answer 1."]


async def test_tools_run_and_leave_no_noise(mnemis: Mnemis, ana: Memory) -> None:
    model = Model()
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="today")
    tool = RetrieverTool.from_defaults(MnemisRetriever(memory=ana, k=1), name="recall")
    await agent(model, tools=[tool]).run("When is the launch?", memory=memory)
    roles = [each.role.value for each in memory.get_all()]
    assert roles == ["user", "assistant", "tool", "assistant"]
    assert [m.role.value for m in model.shown[1]][-3:] == ["user", "assistant", "tool"]
    with mnemis.store.view(("ana",)) as view:
        new = [turn.text for turn in view.scan("turn")][4:]
    assert new == ["When is the launch?", "Answer 2."]


async def test_turns_across_sessions_and_state(mnemis: Mnemis, ana: Memory) -> None:
    model = Model()
    root = MnemisMemory(mnemis=mnemis)
    monday, tuesday = (root.for_user("ana", session=day) for day in ("monday", "tuesday"))
    await agent(model).run("My locker code is 4711.", memory=monday)
    await agent(model).run("What is my locker code?", memory=tuesday)
    assert "My locker code is 4711." in model.text(1)
    with_state = AgentWorkflow(agents=[agent(model)], initial_state={"mood": "good"})
    await with_state.run(user_msg="Hello there.", memory=tuesday)
    assert "good" in model.text(2)
    assert [str(each.content) for each in tuesday.get_all()][-2] == "Hello there."


async def test_a_history_that_clients_send_each_time_is_stored_once(mnemis: Mnemis) -> None:
    history: list[ChatMessage] = []
    for number in range(4):
        memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="web")
        model = Model()
        text = f"Question {number}"
        answer = await agent(model).run(text, chat_history=list(history), memory=memory)
        history += [ChatMessage(role="user", content=text), answer.response]
        assert [str(m.content) for m in memory.get_all()] == [str(m.content) for m in history]
    with mnemis.store.view(("ana",)) as view:
        said = [turn.text for turn in view.scan("turn") if turn.text]
    assert len(said) == 8


async def test_streaming_agents_work(mnemis: Mnemis, ana: Memory) -> None:
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="today")
    handler = agent(Model(), streaming=True).run("When is the launch?", memory=memory)
    deltas = [each.delta async for each in handler.stream_events() if isinstance(each, AgentStream)]
    await handler
    assert "".join(deltas) == "Answer 1."
    assert str(memory.get_all()[-1].content) == "Answer 1."


def test_a_context_chat_engine_remembers(mnemis: Mnemis, ana: Memory) -> None:
    memory = MnemisMemory(mnemis=mnemis, token_limit=500).for_user("ana", session="today")
    engine = ContextChatEngine.from_defaults(
        retriever=MnemisRetriever(memory=ana, k=1), memory=memory, llm=MockLLM()
    )
    assert "We moved the launch to May 3rd." in str(engine.chat("When is the launch?"))
    stream = engine.stream_chat("发布会呢?")
    list(stream.response_gen)
    thread = getattr(stream, "write_response_to_history_thread", None)
    if thread is not None:
        thread.join(timeout=10)
    users = [str(each.content) for each in engine.chat_history if each.role == "user"]
    assert users == ["When is the launch?", "发布会呢?"]
    engine.reset()
    assert engine.chat_history == []


async def test_the_other_chat_engines_take_it_too(mnemis: Mnemis, ana: Memory) -> None:
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="a")
    simple = SimpleChatEngine.from_defaults(memory=memory, llm=ScriptedLLM(Model()))
    await simple.achat("When is the launch?")
    assert len(memory.get_all()) == 2
    condensing = CondensePlusContextChatEngine.from_defaults(
        retriever=MnemisRetriever(memory=ana, k=1),
        memory=MnemisMemory(mnemis=mnemis, k=0).for_user("ana", session="b"),
        llm=MockLLM(),
    )
    await condensing.achat("When is the launch?")
    assert (await condensing.achat("And where is the launch?")).source_nodes
    assert len(condensing.chat_history) == 4
