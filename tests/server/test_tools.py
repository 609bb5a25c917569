"""The table of tools, as clients take it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from mmind.server.tools import INSTRUCTIONS, tools

TOOLS = {row["name"]: row for row in tools(leaves_machine=False)}
SCHEMAS = [(name, side) for name in TOOLS for side in ("inputSchema", "outputSchema")]


def positions(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from positions(inner)
    if "items" in schema:
        yield from positions(schema["items"])


def test_there_are_five_tools() -> None:
    assert list(TOOLS) == ["retrieve", "store", "sources", "get", "forget"]


def test_the_whole_list_is_under_six_kilobytes() -> None:
    """M3"""
    assert len(json.dumps({"tools": list(TOOLS.values())}, separators=(",", ":")).encode()) < 6000


@pytest.mark.parametrize(("name", "side"), SCHEMAS)
def test_every_schema_is_the_plain_subset_that_all_clients_take(name: str, side: str) -> None:
    """Case D05"""
    schema = TOOLS[name][side]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    for place in positions(schema):
        assert isinstance(place, dict)
        assert isinstance(place["type"], str)
        assert place.keys().isdisjoint({"anyOf", "oneOf", "allOf", "$ref", "nullable"})
        assert isinstance(place.get("required", []), list)
        assert place["type"] != "array" or isinstance(place["items"]["type"], str)


@pytest.mark.parametrize("name", TOOLS)
def test_every_argument_is_described_and_no_other_is_admitted(name: str) -> None:
    """Trap 1 of mcp.md 3.3, case D05"""
    schema = TOOLS[name]["inputSchema"]
    assert schema["additionalProperties"] is False
    assert all(rule["description"] for rule in schema["properties"].values())


@pytest.mark.parametrize(
    ("name", "reads", "destroys", "repeats"),
    [
        ("retrieve", True, False, True),
        ("store", False, False, True),
        ("sources", True, False, True),
        ("get", True, False, True),
        ("forget", False, True, True),
    ],
)
def test_all_four_annotations_are_set(name: str, reads: bool, destroys: bool, repeats: bool) -> None:
    assert TOOLS[name]["annotations"] == {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": repeats,
        "openWorldHint": False,
    }


def test_searching_and_storing_are_open_world_when_texts_leave_the_machine() -> None:
    open_world = [row["name"] for row in tools(leaves_machine=True) if row["annotations"]["openWorldHint"]]
    assert open_world == ["retrieve", "store"]


def test_the_instructions_fit_and_say_what_memories_are() -> None:
    assert len(INSTRUCTIONS.encode()) <= 1500
    for word in ("`retrieve`", "`store`", "`conflicts`", "curated", "evidence", "instruction"):
        assert word in INSTRUCTIONS
