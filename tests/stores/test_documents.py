from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mmind.stores.documents import document_bytes, document_name, read_document
from mmind.stores.rows import fields_of
from mmind.values.memory import Memory, Trust

BUOY = Memory(
    store="files",
    id="buoy-17",
    text="Buoy 17 was repainted.\n",
    title='The "red" buoy: 17',
    tags=("buoy", "Fähre, alt"),
    time=datetime(2026, 2, 3, tzinfo=UTC),
    trust=Trust.GENERATED,
    writer="agent",
)
texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(texts, texts, texts)
def test_a_document_gives_back_what_was_put_into_it_whatever_the_texts(id: str, title: str, text: str) -> None:
    memory = replace(BUOY, id=id, title=title, text=text)
    document = read_document(document_bytes(memory))
    assert document is not None
    assert (document.id, document.body.decode(), document.is_edited) == (id, text, False)
    described = {key: value for key, value in fields_of(memory).items() if value and key != "text"}
    assert document.fields == described


def test_any_yaml_reader_can_read_the_description() -> None:
    front = document_bytes(BUOY).decode().split("---\n")[1]
    read = yaml.safe_load(front)
    assert (read["mmind"], read["title"], read["tags"]) == ("buoy-17", 'The "red" buoy: 17', ["buoy", "Fähre, alt"])


def test_an_edited_text_is_told_from_the_one_that_was_put() -> None:
    document = read_document(document_bytes(BUOY) + b"And 18.\n")
    assert document is not None
    assert document.is_edited


def test_a_windows_editor_does_not_break_the_description() -> None:
    document = read_document(b"\xef\xbb\xbf" + document_bytes(BUOY).replace(b"\n", b"\r\n"))
    assert document is not None
    assert (document.id, document.fields["trust"], document.body) == (
        "buoy-17",
        "generated",
        b"Buoy 17 was repainted.\r\n",
    )


@pytest.mark.parametrize("line", [b'trust: "gen', b"trust", b"", b'mmind: "buoy-17"'])
def test_where_the_trust_is_damaged_it_is_generated(line: bytes) -> None:
    data = document_bytes(replace(BUOY, trust=Trust.CURATED)).replace(b'trust: "curated"', line)
    document = read_document(data)
    assert document is not None
    assert document.fields["trust"] == "generated"


@pytest.mark.parametrize(
    "data", [b"", b"plain text", b"---\ntitle: x\n---\nmmind: 1\n", b"---\nmmind: 1\nno end", b"\n---\nmmind: 1\n---\n"]
)
def test_a_file_of_the_user_is_no_document_of_ours(data: bytes) -> None:
    assert read_document(data) is None


def test_a_file_name_keeps_the_words_of_the_title_and_nothing_that_a_file_system_minds() -> None:
    assert document_name("Buoy 17: repainted!", "a")[:-12] == "buoy-17-repainted"
    assert document_name("../../etc/passwd", "a")[:-12] == "etc-passwd"
    assert document_name("灯台の塗り替え", "a")[:-12] == "灯台の塗り替え"
    assert document_name("…", "a")[:-12] == "memory"
    assert len(document_name("長" * 300, "a").encode()) < 100
    assert document_name("x", "a") != document_name("x", "b")
    assert document_name("x", "a", digits=16).startswith(document_name("x", "a")[:-3])
