"""Characters that deceive a reader."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.server.neutral import neutral, neutral_name, neutral_tree, plain_name

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("bell\x07 nul\x00 del\x7f", "bell␇ nul␀ del␡"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("user\u202egnp.exe", "user⟨U+202E⟩gnp.exe"),
        ("\u2066hidden\u2069", "⟨U+2066⟩hidden⟨U+2069⟩"),
        ("pass\u200bword\ufeff", "password"),
        ("ok\U000e0069\U000e0067\U000e006e", "ok"),
        ("a\u200db", "ab"),
        ("half \ud800 pair", "half \ufffd pair"),
    ],
)
def test_deceiving_characters_become_visible_or_vanish(raw: str, shown: str) -> None:
    """R18"""
    assert neutral(raw) == shown


@pytest.mark.parametrize(
    "text", ["👨‍👩‍👧 family", "می‌خواهم", "क्‍ष", "✔️ done", "naïve café", "日本語テキスト", "שלום עולם"]
)
def test_honest_scripts_and_emoji_stay_as_they_are(text: str) -> None:
    assert neutral(text) == text


@given(ANYTHING)
def test_nothing_neutral_moves_a_cursor_turns_the_text_or_hides(text: str) -> None:
    """R18"""
    shown = neutral(text)
    shown.encode()
    assert not [
        letter
        for letter in shown
        if (unicodedata.category(letter) in ("Cc", "Zl", "Zp", "Cs") and letter not in "\n\t")
        or unicodedata.bidirectional(letter) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    ]


@given(ANYTHING)
def test_neutral_is_stable(text: str) -> None:
    assert neutral(neutral(text)) == neutral(text)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60).filter(lambda name: "⟨U+" not in name))
def test_a_name_can_be_turned_back(name: str) -> None:
    assert plain_name(neutral_name(name)) == name


def test_a_number_beyond_unicode_is_left_alone() -> None:
    assert plain_name("a⟨U+FFFFFF⟩b") == "a⟨U+FFFFFF⟩b"


def test_a_tree_keeps_its_shape_and_its_handles() -> None:
    tree = {"id": "markdown:a\nb.md", "text": "a\x1bb", "lines": [1, 2], "ids": ["x\u200by"], "none": None, "ok": True}
    assert neutral_tree(tree) == {
        "id": "markdown:a⟨U+000A⟩b.md",
        "text": "a␛b",
        "lines": [1, 2],
        "ids": ["x⟨U+200B⟩y"],
        "none": None,
        "ok": True,
    }
