"""Arguments held against the schemas."""

from __future__ import annotations

from typing import Any

import pytest

from mmind.server.tools import tools
from mmind.server.verbs import check
from mmind.values.errors import BadRequest

TOOLS = {row["name"]: row for row in tools(leaves_machine=False)}
RETRIEVE = "retrieve takes query, limit, stores, explain, since, until, tags, session, max_tokens"


def test_legal_arguments_come_out_as_they_went_in() -> None:
    given = {"query": " tide ", "limit": 50, "explain": True, "tags": ["a", ""], "since": "2026-01-01"}
    assert check(TOOLS["retrieve"], given) == given


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", "null", "5", "true", '"quoted"'])
def test_text_that_looks_like_json_stays_text(text: str) -> None:
    """Trap 2 of mcp.md 3.3"""
    given = {"content": text, "title": text, "session": text}
    assert check(TOOLS["store"], given) == given


def test_a_whole_number_may_be_written_with_a_point() -> None:
    limit = check(TOOLS["retrieve"], {"query": "x", "limit": 5.0})["limit"]
    assert (limit, type(limit)) == (5, int)


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        ("retrieve", {}, "query: missing; retrieve needs a text"),
        ("retrieve", {"query": None}, "query: must be a text, got null"),
        ("retrieve", {"query": ""}, "query: must not be blank"),
        ("retrieve", {"query": " \n\t"}, "query: must not be blank"),
        ("retrieve", {"query": ["a"]}, "query: must be a text, got a list"),
        ("retrieve", {"query": "x" * 32_001}, "query: at most 32,000 characters, got 32,001; shorten it"),
        ("retrieve", {"query": "x", "limit": 0}, "limit: must be 1 to 50, got 0"),
        ("retrieve", {"query": "x", "limit": -5}, "limit: must be 1 to 50, got -5"),
        ("retrieve", {"query": "x", "limit": 900}, "limit: must be 1 to 50, got 900"),
        ("retrieve", {"query": "x", "limit": 10**5000}, "limit: must be 1 to 50, got a very large number"),
        (
            "retrieve",
            {"query": "x", "limit": 2.5},
            "limit: must be a whole number, 1 to 50, got 2.5; leave it out for the default",
        ),
        (
            "retrieve",
            {"query": "x", "limit": "five"},
            'limit: must be a whole number, 1 to 50, got "five"; leave it out for the default',
        ),
        (
            "retrieve",
            {"query": "x", "limit": True},
            "limit: must be a whole number, 1 to 50, got true; leave it out for the default",
        ),
        (
            "retrieve",
            {"query": "x", "limit": None},
            "limit: must be a whole number, 1 to 50, got null; leave it out for the default",
        ),
        (
            "retrieve",
            {"query": "x", "explain": 1},
            "explain: must be true or false, got 1; leave it out for the default",
        ),
        ("retrieve", {"query": "x", "limt": 3}, f"limt: unknown argument; {RETRIEVE}"),
        ("sources", {"verbose": True}, "verbose: unknown argument; sources takes no arguments"),
        ("retrieve", {"query": "x", "a\nb": 3}, f"a\\nb: unknown argument; {RETRIEVE}"),
        (
            "retrieve",
            {"query": "x", "tags": "a"},
            'tags: must be a list of texts, got "a"; leave it out for the default',
        ),
        ("retrieve", {"query": "x", "tags": ["a", 1]}, "tags: must be a list of texts, got 1 in it"),
        ("retrieve", {"query": "x", "tags": ["a"] * 65}, "tags: at most 64 entries, got 65"),
        ("retrieve", {"query": "x", "tags": ["a" * 65]}, "tags: each at most 64 characters, got one of 65"),
        ("store", {"content": "x" * 100_001}, "content: at most 100,000 characters, got 100,001; shorten it"),
        ("store", {"content": "x", "trust": "curated"}, None),
        ("get", {"id": "a:b", "offset": -1}, "offset: must be 0 or more, got -1"),
        ("get", {"id": 7}, "id: must be a text, got 7"),
        ("forget", {"id": ""}, "id: must not be blank"),
    ],
)
def test_a_wrong_argument_is_named_in_one_plain_line(tool: str, given: dict[str, Any], message: str | None) -> None:
    """Trap 6 of mcp.md 3.3, case B08, R7, R16"""
    with pytest.raises(BadRequest) as refused:
        check(TOOLS[tool], given)
    assert message is None or str(refused.value) == message
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 1e308])
def test_numbers_that_are_none_are_refused(number: float) -> None:
    with pytest.raises(BadRequest, match="limit: must be"):
        check(TOOLS["retrieve"], {"query": "x", "limit": number})
