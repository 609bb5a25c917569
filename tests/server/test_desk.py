"""The desk answers to the byte what the SDK behind it would."""

from __future__ import annotations

import queue
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from mmind.server.adapter import build_server, run
from mmind.server.desk import HANDSHAKE_VERSIONS, Desk, Era
from mmind.server.latemind import LateMind
from mmind.values.errors import ConfigError

MODERN = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}


def request(id: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, **({"params": params} if params else {})}


def initialize(version: str = "2025-11-25", id: Any = 1) -> dict[str, Any]:
    client = {"name": "a client", "version": "3", "title": "A client"}
    capabilities = {"roots": {"listChanged": True}, "elicitation": {}}
    return request(id, "initialize", protocolVersion=version, capabilities=capabilities, clientInfo=client)


def closed() -> Any:
    raise ConfigError("no mind in this test")


def answers_of_the_sdk(messages: list[dict[str, Any]], leaves_machine: bool) -> list[bytes]:
    inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
    answers: list[bytes] = []

    def send(_: object, data: bytes) -> None:
        answers.append(data)
        inbox.put(messages[len(answers)] if len(answers) < len(messages) else None)

    inbox.put(messages[0])
    run(build_server(LateMind(closed), leaves_machine), inbox, send)
    return answers


@pytest.mark.parametrize("leaves_machine", [False, True])
@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, "2026-07-28", "1999-01-01"])
def test_the_desk_and_the_sdk_answer_the_same_bytes(version: str, leaves_machine: bool) -> None:
    messages = [initialize(version), request("é", "ping"), request(3, "tools/list"), request(4, "tools/list", _meta={})]
    desk = Desk(leaves_machine)
    assert [desk.answer(message)[0] for message in messages] == answers_of_the_sdk(messages, leaves_machine)


def test_the_desk_knows_the_versions_of_the_sdk() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS


def test_the_handshake_is_replayed_with_what_we_use_of_it() -> None:
    _, replayed = Desk(leaves_machine=False).answer(initialize())
    assert replayed is not None
    assert replayed["params"] == {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a client", "version": "3"},
    }


@pytest.mark.parametrize(
    "message",
    [
        request(1, "server/discover", **MODERN),
        request(1, "tools/list", **MODERN),
        request(1, "ping", **MODERN),
        request(1, "tools/list"),
        request(1, "initialize", protocolVersion="2025-11-25"),
        request(1, "initialize", protocolVersion=5, capabilities={}, clientInfo={"name": "a", "version": "1"}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ],
)
def test_what_the_desk_does_not_know_goes_to_the_sdk_as_it_came(message: dict[str, Any]) -> None:
    assert Desk(leaves_machine=False).answer(message) == (None, message)


def test_once_the_sdk_saw_a_request_first_it_answers_everything() -> None:
    desk = Desk(leaves_machine=False)
    desk.answer(request(1, "server/discover", **MODERN))
    assert desk.era is Era.PASSED_ON
    for message in (initialize(), request(2, "ping"), request(3, "tools/list")):
        assert desk.answer(message) == (None, message)


def test_after_the_handshake_odd_requests_and_a_second_handshake_go_to_the_sdk() -> None:
    desk = Desk(leaves_machine=False)
    desk.answer(initialize())
    for message in (initialize(id=2), request(3, "tools/list", cursor="x"), request(4, "tools/list", **MODERN)):
        assert desk.answer(message) == (None, message)
