"""A member goes in and out of JSON with comments, and every other byte stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.clients.jsonc import read_member, with_member, without_member
from mmind.values.errors import ConfigError

COMMENTED = """\
// my servers
{
    "mcpServers": {
        "docs": {"command": "docs", "args": ["a", /* why */ "b",],}, // keep
    },
    "theme": "dark"
}
"""
ENTRY = {"command": "mmind", "args": ["/notes"]}
PATH = ("mcpServers", "mmind")

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def test_an_entry_comes_last_behind_the_remark_of_the_one_before_in_the_indent_of_the_file() -> None:
    changed = with_member(COMMENTED, PATH, ENTRY)
    head, tail = COMMENTED.split(" // keep\n")
    lines = [
        '        "mmind": {',
        '            "command": "mmind",',
        '            "args": [',
        '                "/notes"',
    ]
    lines += ["            ]", "        }"]
    assert changed == head + " // keep\n" + "\n".join(lines) + "\n" + tail


def test_what_went_in_is_read_back_and_its_neighbour_too() -> None:
    changed = with_member(COMMENTED, PATH, ENTRY)
    assert read_member(changed, PATH) == ENTRY
    assert read_member(changed, ("mcpServers", "docs")) == {"command": "docs", "args": ["a", "b"]}


def test_what_goes_out_leaves_the_rest() -> None:
    gone = without_member(with_member(COMMENTED, PATH, ENTRY), PATH)
    assert read_member(gone, PATH) is None
    assert "// keep" in gone
    assert "/* why */" in gone
    assert read_member(gone, ("theme",)) == "dark"


@pytest.mark.parametrize("text", ["", "  \n", "{}", "{\n}\n", '{"theme":1}', "\ufeff{}", "{ // nothing yet\n}"])
def test_the_objects_on_the_way_are_made(text: str) -> None:
    assert read_member(with_member(text, PATH, ENTRY), PATH) == ENTRY


def test_an_entry_that_is_there_is_replaced_in_its_place() -> None:
    text = with_member(COMMENTED, ("mcpServers", "docs"), ENTRY)
    assert read_member(text, ("mcpServers", "docs")) == ENTRY
    assert text.count('"docs"') == 1


def test_line_ends_of_windows_stay() -> None:
    changed = with_member(COMMENTED.replace("\n", "\r\n"), PATH, ENTRY)
    assert "\n" not in changed.replace("\r\n", "")
    assert "\r" not in changed.replace("\r\n", "")


@pytest.mark.parametrize("text", ["{", '{"a":}', "[1]", '{"a" 1}', '{"a":1} x', '{"a":[1}', "{'a':1}", '{"a":1 /* x }'])
def test_broken_json_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"line \d+ is not JSON"):
        with_member("\n" + text, PATH, ENTRY)


def test_deep_nesting_is_refused_and_not_followed() -> None:
    with pytest.raises(ConfigError):
        with_member('{"a":' * 5000 + "1" + "}" * 5000, PATH, ENTRY)


@settings(max_examples=200, derandomize=True)
@given(
    st.dictionaries(st.text(max_size=6), VALUES, max_size=4),
    st.dictionaries(st.text(max_size=6), VALUES, max_size=3),
    st.sampled_from([None, 1, 2, 4]),
)
def test_in_and_out_changes_nothing_else(
    whole: dict[str, object], servers: dict[str, object], indent: int | None
) -> None:
    document = {**whole, "mcpServers": {name: value for name, value in servers.items() if name != "mmind"}}
    changed = with_member(json.dumps(document, indent=indent), PATH, ENTRY)
    assert json.loads(changed) == {**document, "mcpServers": {**document["mcpServers"], "mmind": ENTRY}}  # type: ignore[dict-item] # servers are a dict
    assert json.loads(without_member(changed, PATH)) == document


def test_a_list_of_servers_that_is_no_object_takes_no_entry_and_holds_none() -> None:
    text = '{\n  "mcpServers": []\n}\n'
    with pytest.raises(ConfigError, match="line 2 is not an object"):
        with_member(text, PATH, ENTRY)
    assert read_member(text, PATH) is None
    assert without_member(text, PATH) == text
