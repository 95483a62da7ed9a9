"""Documents and nodes go in with their ids and metadata."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from llama_index.core.node_parser import TokenTextSplitter
from llama_index.core.schema import (
    Document,
    ImageDocument,
    ImageNode,
    IndexNode,
    MediaResource,
    Node,
    TextNode,
)

from mnemis import InputError, Mnemis
from mnemis.errors import MessageConflict
from mnemis_llamaindex import MnemisRetriever, aadd_nodes, add_nodes, to_documents


def test_odd_metadata_goes_in_and_comes_back(mnemis: Mnemis) -> None:
    memory = mnemis.scope("ana")
    given = {"a": None, "b": [1, 2], "c": {"d": 1}, "e": ""}
    assert add_nodes(memory, [TextNode(id_="n1", text="The lease ends in May.", metadata=given)])
    (found,) = MnemisRetriever(memory=memory, k=1).retrieve("When does the lease end?")
    assert {key: found.node.metadata[key] for key in given} == given
    assert found.node.metadata["sources"] == ["n1"]


def test_what_json_does_not_know_becomes_text() -> None:
    odd = {
        "path": Path("/srv/x"),
        "at": datetime(2025, 1, 2, tzinfo=UTC),
        "n": float("nan"),
        "t": (1, {2}),
    }
    (document,) = to_documents([TextNode(text="hello", metadata=odd)])
    assert document.metadata == {
        "path": "/srv/x",
        "at": "2025-01-02T00:00:00+00:00",
        "n": "nan",
        "t": [1, [2]],
    }


def test_readers_metadata_names_title_source_and_time() -> None:
    metadata = {
        "file_name": "租约.txt",
        "file_path": "/home/ana/租约.txt",
        "creation_date": "2025-03-01",
    }
    (document,) = to_documents([Document(text="房租每月九百。", metadata=metadata)])
    assert (document.title, document.source) == ("租约.txt", "/home/ana/租约.txt")
    assert document.time == datetime(2025, 3, 1)
    (bad,) = to_documents([Document(text="x", metadata={"date": "soon", "title": 3})])
    assert (bad.time, bad.title) == (None, "")


def test_chunks_keep_their_document(mnemis: Mnemis) -> None:
    document = Document(id_="lease", text="The rent is 900. " * 200)
    nodes = TokenTextSplitter(chunk_size=128, chunk_overlap=0).get_nodes_from_documents([document])
    assert len(nodes) > 3
    assert add_nodes(mnemis.scope("ana"), nodes) == len(nodes)
    (found,) = MnemisRetriever(mnemis=mnemis, k=1).for_user("ana").retrieve("rent")
    assert found.node.metadata["ref_doc_id"] == "lease"


def test_again_changes_nothing_and_other_text_is_refused(mnemis: Mnemis) -> None:
    memory = mnemis.scope("ana")
    node = TextNode(id_="n1", text="The rent is 900.")
    assert add_nodes(memory, [node]) == 1
    assert add_nodes(memory, [node]) == 0
    with pytest.raises(MessageConflict):
        add_nodes(memory, [TextNode(id_="n1", text="The rent is 950.")])


async def test_every_kind_of_node_and_no_node(mnemis: Mnemis) -> None:
    nodes = [
        Document(text="one"),
        TextNode(text="two"),
        IndexNode(text="three", index_id="i"),
        ImageNode(text="four", image_url="https://example.com/x.jpg"),
        TextNode(text="  "),
    ]
    assert await aadd_nodes(mnemis.scope("ana"), nodes) == 4
    with pytest.raises(InputError, match="Node"):
        add_nodes(mnemis.scope("ana"), ["text"])  # type: ignore[list-item]


def test_nodes_without_words_are_left_out_and_none_is_no_title(mnemis: Mnemis) -> None:
    memory = mnemis.scope("ana")
    wordless = [
        ImageNode(image_url="https://example.com/x.jpg"),
        ImageDocument(image=b"cGljdHVyZQ=="),
        Node(image_resource=MediaResource(data=b"cGljdHVyZQ==")),
        Document(text=""),
    ]
    assert add_nodes(memory, wordless) == 0
    metadata = {"title": None, "file_name": None, "creation_date": None, "time": ""}
    written = Node(text_resource=MediaResource(text="船库里有一条独木舟。"), metadata=metadata)
    assert add_nodes(memory, [*wordless, written]) == 1
    (found,) = MnemisRetriever(memory=memory, k=1).retrieve("独木舟在哪里？")
    assert found.node.get_content() == "船库里有一条独木舟。"
    assert found.node.metadata["title"] is None
