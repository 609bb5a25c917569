"""Any body over HTTP: one answer of a kind that the protocol knows, and the server answers the next one."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.shapes import TOOLS, arguments, values
from tests.server.over_http import MODERN, Served
from tests.server.wired import ENVELOPE

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
messages = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "1.0", 2])},
    optional={
        "id": st.sampled_from([1, "a", None, 1.5, [], True]),
        "method": st.sampled_from(["ping", "tools/list", "tools/call", "initialize", "server/discover", "x"]) | values,
        "params": values | st.fixed_dictionaries({"name": st.sampled_from(TOOLS), "arguments": arguments}),
    },
)
bodies = st.binary(max_size=200) | (messages | values).map(lambda value: json.dumps(value).encode())


@given(body=bodies, headers=st.sampled_from([{}, MODERN, {"mcp-protocol-version": "x"}, {"accept": "text/html"}]))
def test_r09_any_body_gets_one_answer_and_the_next_request_as_well(door: Served, body: bytes, headers: Any) -> None:
    reply = door.post(body, **headers)
    assert reply.status in (200, 202, 400, 404, 406), reply
    if reply.body:
        assert reply.json()["jsonrpc"] == "2.0"
    assert door.post(PING).status == 200


@given(tool=st.sampled_from(TOOLS), given_arguments=arguments, is_modern=st.booleans())
def test_r09_any_arguments_over_http_get_a_result_or_a_plain_refusal(
    door: Served, tool: str, given_arguments: dict[str, Any], is_modern: bool
) -> None:
    params: dict[str, Any] = {"name": tool, "arguments": given_arguments, **({"_meta": ENVELOPE} if is_modern else {})}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    extra = {**MODERN, "mcp-method": "tools/call", "mcp-name": tool} if is_modern else {}
    reply = door.post(json.dumps(message).encode(), **extra)
    answer = reply.json()
    assert ("result" in answer) != ("error" in answer)
    assert "internal error" not in json.dumps(answer)
