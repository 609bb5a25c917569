"""Lines from the client: every request gets exactly one answer, whatever is wrong with it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.server.lines import MAX_DEPTH, Line, Refusal, parse_line, read_line, recovered_id

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def parsed(data: bytes | str) -> Any:
    return parse_line(Line(data.encode() if isinstance(data, str) else data))


@pytest.mark.parametrize(
    "data",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'  {"jsonrpc":"2.0","id":1,"method":"ping"}\r\n',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    ],
)
def test_a_request_comes_through_with_any_line_end_and_a_byte_order_mark(data: bytes) -> None:
    assert parsed(data) == PING


@pytest.mark.parametrize("id", [0, -1, 2**70, "", "a", "1", "é", "\x00"])
def test_every_legal_id_comes_through(id: str | int) -> None:
    assert parsed(json.dumps({**PING, "id": id})) == {**PING, "id": id}


@pytest.mark.parametrize(
    ("data", "id", "code"),
    [
        (b"{", None, -32700),
        (b"hello", None, -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping"', 7, -32700),
        (b'{"jsonrpc":"2.0","method":"ping","id":"a\\"b",}', 'a"b', -32700),
        (
            b'{"method":"tools/call","params":{"name":"get","arguments":{"id":"x:y"}},,"jsonrpc":"2.0","id":8}',
            8,
            -32700,
        ),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":"\xff\xfe"}}', 9, -32700),
        (b'{"jsonrpc":"2.0","id":10,"method":"ping","params":{"a":NaN}}', 10, -32700),
        (b'{"jsonrpc":"2.0","id":11,"method":"ping","params":{"a":"\x00"}}', 11, -32700),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}', None, -32700),
        (
            b'{"jsonrpc":"2.0","id":12,"method":"ping","params":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
            12,
            -32700,
        ),
        (b"[]", None, -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
        (b"null", None, -32600),
        (b'"ping"', None, -32600),
        (b"{}", None, -32600),
        (b'{"id":1}', 1, -32600),
        (b'{"id":1,"method":"ping"}', 1, -32600),
        (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', 1, -32600),
    ],
)
def test_what_cannot_be_served_is_refused_under_its_id(data: bytes, id: Any, code: int) -> None:
    """Trap 3 of mcp.md 3.3, R9"""
    refusal = parsed(data)
    assert isinstance(refusal, Refusal)
    assert (refusal.id, refusal.code) == (id, code)
    assert json.loads(refusal.encoded())["id"] == id


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b" \r\n",
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}',
    ],
)
def test_where_no_answer_is_due_none_is_given(data: bytes) -> None:
    assert parsed(data) is None


def test_halves_of_surrogate_pairs_are_repaired_and_whole_pairs_kept() -> None:
    """Trap 3 of mcp.md 3.3"""
    line = '{"jsonrpc":"2.0","id":"\\ud83d","method":"x","params":{"a\\udc00":["\\ud83d\\ude00 \\ud83d!"]}}'
    assert parsed(line) == {
        "jsonrpc": "2.0",
        "id": "\ufffd",
        "method": "x",
        "params": {"a\ufffd": ["\U0001f600 \ufffd!"]},
    }


@pytest.mark.parametrize(("depth", "is_admitted"), [(MAX_DEPTH - 2, True), (MAX_DEPTH, False)])
def test_r07_nesting_is_bounded(depth: int, is_admitted: bool) -> None:
    """R7"""
    line = '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":' + "[" * depth + "]" * depth + "}}"
    assert isinstance(parsed(line), dict) is is_admitted


def test_many_brackets_that_are_not_nested_are_no_depth() -> None:
    assert isinstance(parsed(json.dumps({**PING, "params": {"a": [[]] * 1000, "b": "{" * 1000}})), dict)


def test_a_line_beyond_the_bound_is_read_over_and_the_next_one_is_whole() -> None:
    """Trap 3 of mcp.md 3.3, R7"""
    long = b'{"method":"ping","params":{"a":"' + b"x" * 5000 + b'"},"jsonrpc":"2.0","id":77}\n'
    source = io.BytesIO(long + b"next\n")
    first, second, third = read_line(source, 100), read_line(source, 100), read_line(source, 100)
    assert first is not None
    assert first.is_too_long
    refusal = parse_line(first)
    assert isinstance(refusal, Refusal)
    assert (refusal.id, refusal.code) == (77, -32600)
    assert second == Line(b"next\n")
    assert third is None


def test_a_line_at_the_bound_is_taken_and_a_last_line_without_an_end_too() -> None:
    source = io.BytesIO(b"x" * 99 + b"\n" + b"y" * 100)
    assert read_line(source, 100) == Line(b"x" * 99 + b"\n")
    assert read_line(source, 100) == Line(b"y" * 100)


def test_an_id_inside_the_arguments_is_not_taken_for_the_id_of_the_request() -> None:
    line = b'{"method":"tools/call","params":{"name":"get","arguments":{"id":"x:y","content":"' + b"z" * 20_000
    assert recovered_id(line, line) is None


@given(st.binary(max_size=200))
def test_r09_no_bytes_whatever_raise(data: bytes) -> None:
    """R9"""
    answer = parsed(data)
    assert answer is None or isinstance(answer, dict | Refusal)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("jsonrpc", "id", "method", "params", "result"), JSON)))
def test_r09_every_object_is_admitted_refused_or_needs_no_answer(message: dict[str, Any]) -> None:
    """R9"""
    answer = parsed(json.dumps(message))
    if isinstance(answer, dict):
        assert isinstance(answer["method"], str)
        assert isinstance(answer.get("params", {}), dict)
    elif answer is None:
        assert "result" in message or "id" not in message
