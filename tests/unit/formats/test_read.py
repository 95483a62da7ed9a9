"""Telling formats apart, and reading bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemis.errors import InputError
from mnemis.formats import detect, read_file


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ('{"role": "user", "text": "hi"}\n', "messages"),
        ('\n{"text": "hi"}', "messages"),
        ('[\n {"text": "hi"}\n]', "messages"),
        ('{"broken', "messages"),
        ('{"name": "a", "messages": []}', "pools"),
        ('[{"mapping": {}}]', "chatgpt"),
        ('[{"mapping": {', "chatgpt"),
        ('{\n "mapping": {}\n}', "chatgpt"),
        ("[2025-03-01 09:00] Ana: hi", "transcript"),
        ("小红: 你好", "transcript"),
    ],
)
def test_formats_are_told_by_content(text: str, format: str) -> None:
    assert detect(text) == format


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_with_a_mark_are_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes("小红: 你好\r\nAna: hé\r\n".encode(encoding))
    (conversation,) = read_file(path).conversations
    assert [each.text for each in conversation.messages] == ["你好", "hé"]


def test_other_encodings_are_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes("Ana: hi\n小红: 你好\n".encode("gb18030"))
    with pytest.raises(InputError, match=r"chat.txt is no UTF-8 text \(line 2, .*save it as UTF-8"):
        read_file(path)


def test_what_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        read_file(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="cannot be read"):
        read_file(tmp_path)
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    with pytest.raises(InputError, match="empty"):
        read_file(empty)
    archive = tmp_path / "export.zip"
    archive.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(InputError, match="unpack it"):
        read_file(archive)


def test_an_unknown_format_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("Ana: hi")
    with pytest.raises(InputError, match="'xml' is not one of auto, messages"):
        read_file(path, format="xml")
