"""Every input has a bound, and over it a plain answer (R7); no parser can be blown up (R8)."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from mmind.server.neutral import neutral
from mmind.stores.folder import READ_LIMIT
from mmind.text.frontmatter import read
from mmind.text.instructions import is_instruction_like
from mmind.text.passages import cut
from mmind.text.secrets import find_secrets
from mmind.text.tokens import query_terms
from mmind.values.door import Door
from mmind.values.memory import TextFormat
from mmind.wiring import open_mind
from tests.server.wired import Wired, environment, vault

OVER: list[tuple[str, dict[str, Any], str]] = [
    ("retrieve", {"query": "x" * 32_001}, "query: at most 32,000 characters"),
    ("retrieve", {"query": " "}, "query: must not be blank"),
    ("retrieve", {"query": "x", "limit": 51}, "limit: must be 1 to 50"),
    ("retrieve", {"query": "x", "limit": 10**400}, "limit: must be 1 to 50"),
    ("retrieve", {"query": "x", "limit": True}, "limit: must be a whole number"),
    ("retrieve", {"query": "x", "tags": ["t"] * 65}, "tags: at most 64 entries"),
    ("retrieve", {"query": "x", "tags": ["t" * 65]}, "tags: each at most 64 characters"),
    ("retrieve", {"query": "x", "since": "yesterday"}, "since: not a date or time"),
    ("retrieve", {"query": "x", "max_tokens": 8001}, "max_tokens: must be 100 to 8000"),
    ("store", {"content": "x" * 100_001}, "content: at most 100,000 characters"),
    ("store", {"content": "x", "title": "t" * 201}, "title: at most 200 characters"),
    ("store", {"content": "x", "session": "t" * 201}, "session: at most 200 characters"),
    ("store", {"content": ["x"]}, "content: must be a text"),
    ("get", {"id": "x" * 4097}, "id: at most 4,096 characters"),
    ("get", {"id": "sqlite:x", "offset": -1}, "offset: must be 0 or more"),
]


def test_r07_every_argument_over_its_bound_is_answered_in_one_plain_line(tmp_path: Path) -> None:
    with Wired.mmind(None, environment(tmp_path)) as server:
        server.greet()
        for tool, arguments, expected in OVER:
            result = server.call(tool, **arguments)
            text = result["content"][0]["text"]
            assert (result["isError"], text.startswith(expected)) == (True, True), text
            assert len(text.splitlines()) == 1
        assert server.call("store", content="x" * 100_000).get("isError", False) is False
        server.close()


def test_r07_nesting_beyond_64_is_refused_under_the_id_that_was_asked(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(100):
        deep = [deep]
    with Wired.mmind(None, environment(tmp_path)) as server:
        server.greet()
        message = {
            "jsonrpc": "2.0",
            "id": 9,
            "method": "tools/call",
            "params": {"name": "store", "arguments": {"content": deep}},
        }
        server.write(json.dumps(message).encode() + b"\n")
        assert server.receive()["error"]["code"] == -32700
        server.close()


ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in itertools.pairwise("abcdefgh")
)
BOMBS = {
    "alias bomb": f"---\n{ALIASES}---\nbody of the bomb\n",
    "brackets": "---\na: " + "[" * 20_000 + "\n---\nbody of the bomb\n",
    "braces": "---\na: " + "{" * 20_000 + "\n---\nbody of the bomb\n",
    "many keys": "---\n" + "".join(f"k{number}: {number}\n" for number in range(50_000)) + "---\nbody of the bomb\n",
    "endless": "---\n" + "a: b\n" * 200_000,
    "python tag": "---\na: !!python/object/apply:os.system ['true']\n---\nbody of the bomb\n",
    "merge": "---\na: &a {b: c}\nd:\n  <<: *a\n---\nbody of the bomb\n",
    "unclosed quote": '---\na: "' + "x" * 60_000 + "\n---\nbody of the bomb\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_r08_a_bomb_in_front_matter_costs_a_note_its_metadata_and_nothing_else(tmp_path: Path, name: str) -> None:
    notes = vault(tmp_path, {"bomb.md": BOMBS[name], "good.md": "an honest note about harbours\n"})
    with open_mind(notes, environment(tmp_path), Door.AGENT) as mind:
        mind.index(lambda _: None)
        assert mind.retrieve("honest harbours").results[0].id == "markdown:good.md"
        assert name == "endless" or "markdown:bomb.md" in [one.id for one in mind.retrieve("body of the bomb").results]
        assert mind.get("markdown:bomb.md").memory.trust == "curated"


def test_r08_a_single_line_of_ten_megabytes_is_indexed_up_to_the_bound_and_flagged(tmp_path: Path) -> None:
    words = "harbour " * (10 * 1024 * 1024 // 8)
    notes = vault(tmp_path, {"long.md": words, "good.md": "an honest note about lighthouses\n"})
    with open_mind(notes, environment(tmp_path), Door.AGENT) as mind:
        mind.index(lambda _: None)
        assert mind.retrieve("honest lighthouses").results[0].id == "markdown:good.md"
        page = mind.get("markdown:long.md", max_tokens=100)
        (markdown,) = [store for store in mind.sources().stores if store.name == "markdown"]
    assert page.memory.truncated
    assert page.total_characters <= READ_LIMIT < len(words)
    assert [thing.name for thing in markdown.skipped] == ["long.md"]


HOSTILE = (
    "a",
    " ",
    "\n",
    "-",
    "*",
    "[",
    "[[",
    "![",
    "(",
    "<",
    "#",
    "|",
    "`",
    "~",
    "_",
    "a.",
    "1.",
    "1:",
    "é",
    "日",
    "- [ ",
    "> ",
)
PHRASES = (
    "---\n",
    "http://",
    "x=",
    "a@",
    "$",
    "ignore all ",
    "system\n",
    "token = ",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "a://",
)
LENGTH = 300_000
"""Long enough that work which grows with the square of the length would meet the suite's limit of two minutes."""


@pytest.mark.parametrize("seed", [*HOSTILE, *PHRASES, "-----BEGIN PRIVATE KEY-----"])
def test_r08_text_made_to_stall_a_parser_comes_through(seed: str) -> None:
    text = seed * (LENGTH // len(seed))
    query_terms(text[:32_000])
    find_secrets(text)
    is_instruction_like.__wrapped__(text)
    read(f"---\n{text}\n---\nbody")
    assert cut(text[:100_000], TextFormat.MARKDOWN) is not None
    assert len(neutral(text)) >= 0
