"""Bytes of a file as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.text.decode import Decoded, decode


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("Gewölbe\r\nkühl\rdunkel".encode(), "Gewölbe\nkühl\ndunkel", "utf-8"),
        (b"\xef\xbb\xbf---\ntitle: x\n", "---\ntitle: x\n", "utf-8"),
        (b"\xff\xfe" + "# Anchor log\n".encode("utf-16-le"), "# Anchor log\n", "utf-16-le"),
        (b"\xfe\xff" + "錨".encode("utf-16-be"), "錨", "utf-16-be"),
        (b"\xff\xfe\x00\x00" + "🚀".encode("utf-32-le"), "🚀", "utf-32-le"),
        (b"\x00\x00\xfe\xff" + "a".encode("utf-32-be"), "a", "utf-32-be"),
        (b"", "", "utf-8"),
        (b"tab\tform\fend", "tab\tform\fend", "utf-8"),
    ],
)
def test_text_is_read_without_a_problem(data: bytes, text: str, encoding: str) -> None:
    assert decode(data) == Decoded(text, encoding)


def test_a_western_code_page_is_read_and_named() -> None:
    found = decode("Der Käse reift im „Gewölbe“ – kühl.".encode("cp1252"))
    assert found == Decoded("Der Käse reift im „Gewölbe“ – kühl.", "cp1252", "not UTF-8; read as Windows-1252")


def test_bytes_that_windows_leaves_open_are_read_as_latin_1() -> None:
    assert decode(b"caf\xe9 \x81").encoding == "latin-1"


def test_utf_8_with_one_damaged_place_keeps_the_rest() -> None:
    found = decode("Grüße aus Köln, schöne".encode() + b"\xff" + " Füße".encode())
    assert found.text == "Grüße aus Köln, schöne\ufffd Füße"
    assert found.problem == "not valid UTF-8 at byte 26; 1 place was replaced"


def test_a_picture_is_no_text() -> None:
    found = decode(b"\xff\xd8\xff\xe0\x00\x10JFIF" * 20)
    assert found == Decoded(None, "", "it holds binary data, not text")


def test_a_program_that_happens_to_be_ascii_is_no_text() -> None:
    assert decode(b"\x7fELF\x02\x01\x01\x00\x00\x00" * 20).text is None


def test_a_stray_nul_is_replaced() -> None:
    found = decode(b"a" * 300 + b"\x00" + b"b" * 300)
    assert found.text == "a" * 300 + "\ufffd" + "b" * 300
    assert found.problem == "NUL characters were replaced"


@pytest.mark.parametrize(
    "data", [b"a map with a hole:\x00 and on", b"\x00start", b"end\x00", b"a\x00b\x00 c\x01d, and so on"]
)
def test_a_few_stray_control_characters_make_no_short_note_binary(data: bytes) -> None:
    assert decode(data).text == data.decode().replace("\x00", "\ufffd")


@pytest.mark.parametrize("data", ["a note".encode("utf-16-le"), b"\x00" * 4, b"GIF\x01\x02\x03\x00"])
def test_text_of_many_nul_and_short_binary_stay_out(data: bytes) -> None:
    assert decode(data).text is None


def test_a_mark_that_the_rest_does_not_fit_is_no_text() -> None:
    assert decode(b"\xff\xfe\x00\xd8" * 50).text is None


@given(st.binary(max_size=400) | st.text(max_size=100).map(lambda text: text.encode("utf-16", "surrogatepass")))
def test_any_bytes_give_a_text_that_stores_can_keep_or_a_reason(data: bytes) -> None:
    found = decode(data)
    if found.text is None:
        assert found.problem
    else:
        assert "\x00" not in found.text
        assert "\r" not in found.text
        found.text.encode()


@given(st.text(alphabet=st.characters(exclude_characters="\r", exclude_categories=["Cs", "Cc"]), max_size=200))
def test_utf_8_text_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode()).text == text.removeprefix("\ufeff")
