"""Passages and replies for a chat model that reads from a script."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mnemis.models import ChatExtractor
from mnemis.testing.chat import Line, ScriptedChat
from mnemis.testing.extractor_suite import spoken_turns

CELLO = spoken_turns(("Ana", "My sister Mina plays the cello and lives in Porto."))
花 = spoken_turns(("小明", "我妹妹小红住在成都，我对花生过敏。"))
NOTHING = '{"entities": [], "facts": [], "causes": []}'


def fact(**fields: object) -> dict[str, object]:
    return {"turn": 1, "polarity": True, "quote": "", **fields}


def reply(*facts: Mapping[str, object], **parts: object) -> str:
    return json.dumps({"facts": list(facts), **parts}, ensure_ascii=False)


def extractor(
    *script: Line, attempts: int = 2, repeat: bool = False
) -> tuple[ChatExtractor, ScriptedChat]:
    chat = ScriptedChat(*script, repeat=repeat)
    return ChatExtractor(chat, max_attempts=attempts), chat


GOOD = reply(
    fact(subject="Mina", relation="lives_in", object="Porto", quote="lives in Porto"),
    entities=[{"turn": 1, "name": "Mina", "type": "person"}],
)
GUT = reply(
    fact(subject="我", relation="allergic_to", object="花生", quote="我对花生过敏"),
    entities=[{"turn": 1, "name": "小红", "type": "人物"}],
)
