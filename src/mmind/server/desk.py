"""The desk at the door: answers `initialize`, `ping` and `tools/list` before the SDK is loaded.

It answers only what it knows to the byte (a test compares with the SDK); everything else goes on to the SDK, which
decides the era of a connection by the first request that it sees.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from mmind.server.lines import Message, encoded
from mmind.server.tools import INSTRUCTIONS, NAME, TITLE, tools
from mmind.version import __version__

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
REPLAYED = "mmind:replayed-initialize"
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"


class Era(Enum):
    """Who speaks with the client: nobody yet, the desk and the SDK together, or the SDK alone."""

    UNKNOWN = "unknown"
    HANDSHAKE = "handshake"
    PASSED_ON = "passed on"


class Desk:
    """The little that must be remembered of one connection. `leaves_machine`: see `tools.tools`."""

    def __init__(self, leaves_machine: bool) -> None:
        self.leaves_machine = leaves_machine
        self.era = Era.UNKNOWN

    def answer(self, message: Message) -> tuple[bytes | None, Message | None]:
        """What to send back at once, and what to hand to the SDK; either may be None."""
        method, params = message["method"], message.get("params", {})
        if "id" in message and _is_plain(params):
            if method == "ping" and self.era is not Era.PASSED_ON:
                return reply(message["id"], {}), None
            if method == "tools/list" and self.era is Era.HANDSHAKE and params.keys() <= {"_meta"}:
                return reply(message["id"], {"tools": tools(self.leaves_machine)}), None
            if method == "initialize" and self.era is Era.UNKNOWN and _is_greeting(params):
                self.era = Era.HANDSHAKE
                return reply(message["id"], greeting(params["protocolVersion"])), _replayed(params)
        if "id" in message and self.era is Era.UNKNOWN:
            self.era = Era.PASSED_ON
        return None, message


def reply(id: Any, result: dict[str, Any]) -> bytes:
    """A JSON-RPC result as the SDK writes it."""
    return encoded({"jsonrpc": "2.0", "id": id, "result": result})


def greeting(asked: str) -> dict[str, Any]:
    """The result of `initialize`: the version that was asked for if we speak it, else our latest."""
    return {
        "capabilities": {"tools": {"listChanged": False}},
        "instructions": INSTRUCTIONS,
        "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "serverInfo": {"name": NAME, "title": TITLE, "version": __version__},
    }


def _is_plain(params: dict[str, Any]) -> bool:
    meta = params.get("_meta", {})
    return isinstance(meta, dict) and _VERSION_KEY not in meta


def _is_greeting(params: dict[str, Any]) -> bool:
    client = params.get("clientInfo")
    return (
        isinstance(params.get("protocolVersion"), str)
        and isinstance(params.get("capabilities"), dict)
        and isinstance(client, dict)
        and isinstance(client.get("name"), str)
        and isinstance(client.get("version"), str)
    )


def _replayed(params: dict[str, Any]) -> Message:
    """The handshake for the SDK, reduced to what we use, so that it cannot be refused after the desk accepted it."""
    client = {"name": params["clientInfo"]["name"], "version": params["clientInfo"]["version"]}
    plain = {"protocolVersion": params["protocolVersion"], "capabilities": {}, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": REPLAYED, "method": "initialize", "params": plain}
