"""Raw lines on standard input (R9): every request gets exactly one answer, whatever else is on the wire."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.conftest import IS_LONG
from tests.server.wired import ENVELOPE, INITIALIZE, Wired, environment

MESSAGES = 10_000 if IS_LONG else 600
METHODS = (
    "ping",
    "tools/list",
    "tools/call",
    "initialize",
    "server/discover",
    "resources/list",
    "prompts/get",
    "no/such",
    "",
)
TOOLS = ("retrieve", "store", "sources", "get", "forget", "drop", "")


class Flood:
    """Lines drawn from a seed, and what is owed for them."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.owed: Counter[str] = Counter()
        self.cancelled: set[str] = set()
        self.garbage = 0

    def line(self, number: int) -> bytes:
        """The next line, with its end."""
        kind = self._draw.choices(
            ["request", "twin", "notification", "response", "cancel", "garbage", "mutant", "blank"],
            [50, 4, 8, 4, 4, 14, 14, 2],
        )[0]
        return getattr(self, f"_{kind}")(number) + b"\n"  # type: ignore[no-any-return]

    def _request(self, number: int) -> bytes:
        name = f"r{number}"
        self.owed[name] += 1
        return json.dumps({"jsonrpc": "2.0", "id": name, **self._body()}).encode()

    def _twin(self, _: int) -> bytes:
        name = self._draw.choice(list(self.owed) or ["r0"])
        self.owed[name] += 1
        return json.dumps({"jsonrpc": "2.0", "id": name, "method": "ping"}).encode()

    def _notification(self, _: int) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()

    def _response(self, number: int) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": number, "result": {}}).encode()

    def _cancel(self, _: int) -> bytes:
        name = self._draw.choice(list(self.owed) or ["r0"])
        self.cancelled.add(name)
        message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": name}}
        return json.dumps(message).encode()

    def _garbage(self, _: int) -> bytes:
        self.garbage += 1
        choices = [
            b"{",
            b"[]",
            b"null",
            b'"x"',
            b"\xff\xfe\xfd",
            b"[" * 2000,
            b"{}",
            b'{"jsonrpc":"1.0","id":1}',
            b"\x00",
            b"NaN",
        ]
        return self._draw.choice([*choices, self._draw.randbytes(40).replace(b"\n", b" ").replace(b"\r", b" ")])

    def _mutant(self, number: int) -> bytes:
        """A request in which a byte was changed: nobody can say whether it still is one."""
        self.garbage += 1
        data = bytearray(json.dumps({"jsonrpc": "2.0", "id": f"m{number}", **self._body()}).encode())
        data[self._draw.randrange(len(data))] = self._draw.choice(b'{}[]",:0aZ \x00\xff')
        return bytes(data)

    def _blank(self, _: int) -> bytes:
        return self._draw.choice([b"", b"   ", b"\t"])

    def _body(self) -> dict[str, Any]:
        method = self._draw.choice(METHODS)
        params: dict[str, Any] = {}
        if method == "tools/call":
            params = {"name": self._draw.choice(TOOLS), "arguments": self._arguments()}
        elif method == "initialize":
            params = self._draw.choice([INITIALIZE, {}, {"protocolVersion": 7}])
        elif method == "tools/list" and self._draw.random() < 0.3:
            params = {"cursor": self._draw.choice(["x", "", 7])}
        if self._draw.random() < 0.2:
            params = {**params, "_meta": self._draw.choice([ENVELOPE, {}, "x", {"progressToken": 1}])}
        return {"method": method, **({"params": params} if params or self._draw.random() < 0.5 else {})}

    def _arguments(self) -> Any:
        drawn = {"query": "rent", "content": "kept", "id": "sqlite:x", "limit": self._draw.randint(-5, 60), "what": [1]}
        return self._draw.choice([{name: drawn[name]} for name in drawn] + [{}, drawn])


@pytest.mark.parametrize("seed", [1, 2])
def test_r09_in_a_flood_of_any_lines_each_request_gets_one_answer_and_the_server_lives(
    tmp_path: Path, seed: int
) -> None:
    flood = Flood(seed)
    with Wired.mmind(None, environment(tmp_path)) as server:
        server._watchdog.cancel()
        if seed % 2:
            server.greet()
        lines = [flood.line(number) for number in range(MESSAGES // 2)]
        sender = threading.Thread(target=lambda: [server.write(line) for line in lines], daemon=True)
        sender.start()
        answers: Counter[Any] = Counter()
        unknown = 0
        sender_done = False
        while True:
            if not sender_done and not sender.is_alive():
                sender_done = True
                server.send("the last one", "ping")
            if sender_done and answers["the last one"] and _are_settled(flood, answers):
                break
            name = server.receive().get("id")
            answers[name] += 1
            unknown += name is None
        assert server.process.poll() is None
        server.close()
    wrong = {name: (count, answers[name]) for name, count in flood.owed.items() if answers[name] > count}
    assert not wrong
    assert unknown <= flood.garbage
    strangers = [name for name in answers if isinstance(name, str) and name[0] == "r" and name not in flood.owed]
    assert not strangers


def _are_settled(flood: Flood, answers: Counter[Any]) -> bool:
    """Whether all that is owed was given; a request that was cancelled may stay without."""
    return all(answers[name] >= count for name, count in flood.owed.items() if name not in flood.cancelled)
