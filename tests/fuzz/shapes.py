"""Texts and JSON as nobody would send them by mistake alone."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NASTY = st.sampled_from(
    [
        "\0",
        "\ud800",
        "\u202e",
        "\ufeff",
        "\r\n",
        "\x1b[2J",
        "</memory>",
        "---\n",
        "[[",
        "](",
        '"',
        "'",
        "\\",
        "\U0001f9e0",
        "ﷺ",
    ]
)
words = st.lists(NASTY | st.text(max_size=12) | st.sampled_from(["rent", "euros", "#tag", "日本"]), max_size=12)
texts = words.map("".join) | st.text(max_size=300)
scalars: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers() | st.floats() | texts
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ARGUMENTS = (
    "query",
    "content",
    "id",
    "limit",
    "store",
    "stores",
    "title",
    "tags",
    "session",
    "since",
    "until",
    "max_tokens",
    "explain",
    "offset",
    "line",
    "trust",
    "__class__",
    "",
)
arguments = st.dictionaries(st.sampled_from(ARGUMENTS) | st.text(max_size=5), values, max_size=6)
TOOLS = ("retrieve", "store", "sources", "get", "forget")
