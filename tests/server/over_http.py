"""A real `mmind serve --http` process, with raw requests and the SDK's own client to talk to it."""

from __future__ import annotations

import http.client
import json
import re
import secrets
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests import warm_start
from tests.server.wired import ENVELOPE, PATIENCE, environment
from tests.warm_start import WarmProcess

MODERN = {"mcp-protocol-version": "2026-07-28"}


@dataclass
class Reply:
    """One answer: its status, its headers, its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass
class Served:
    """A running server: where it is, its two tokens, and what it has said on standard error so far."""

    process: subprocess.Popen[str] | WarmProcess
    port: int
    home: Path
    full: str
    read: str
    said: list[str] = field(default_factory=list)
    listening: threading.Thread | None = None

    def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None, host: str | None = None
    ) -> Reply:
        """One raw request; `host` stands in for the Host header."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", f"127.0.0.1:{self.port}" if host is None else host)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None and "content-length" not in {name.lower() for name in headers}:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            if body is not None:
                self._feed(connection, body)
            answer = connection.getresponse()
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def _feed(self, connection: http.client.HTTPConnection, body: bytes) -> None:
        try:
            connection.send(body)
        except (BrokenPipeError, ConnectionResetError):
            return  # refused in the middle of the body: the answer is there already

    def post(self, body: bytes, token: str = "", **headers: str) -> Reply:
        """A POST to the endpoint with the usual headers and a token (the full one unless another is given)."""
        usual = {
            "Authorization": f"Bearer {token or self.full}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        return self.send("POST", "/mcp", {**usual, **headers}, body)

    def call(self, name: str, arguments: Mapping[str, Any], token: str = "", *, is_modern: bool = True) -> Reply:
        """A tool call of one era."""
        params: dict[str, Any] = {"name": name, "arguments": arguments}
        if is_modern:
            params["_meta"] = ENVELOPE
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        extra = {**MODERN, "mcp-method": "tools/call", "mcp-name": name} if is_modern else {}
        return self.post(json.dumps(message).encode(), token, **extra)

    @asynccontextmanager
    async def client(self, mode: str, token: str = "") -> AsyncIterator[Client]:
        """The SDK's own client."""
        headers = {"Authorization": f"Bearer {token or self.full}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as web:
            transport = streamable_http_client(f"http://127.0.0.1:{self.port}/mcp", http_client=web)
            async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
                yield client


@contextmanager
def served(
    home: Path, *words: str, has_tokens: bool = True, patience: float = PATIENCE, **variables: str
) -> Iterator[Served]:
    """Start a server on a free port; it has ended when this is left, or when the patience of the test is over."""
    full, read = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    tokens = {"MMIND_HTTP_TOKEN": full, "MMIND_HTTP_READ_TOKEN": read} if has_tokens else {}
    command = ["serve", "--http", "--port", "0", *words]
    process = warm_start.start(command, environment(home, **tokens, **variables), text=True)
    process.stdin.close()  # a server over HTTP hears nothing there
    watchdog = threading.Timer(patience, process.kill)
    watchdog.start()
    server = Served(process, 0, home, full, read)
    try:
        _await(server)
        yield server
    finally:
        watchdog.cancel()
        process.terminate()
        process.wait(PATIENCE)
        if server.listening is not None:
            server.listening.join(PATIENCE)  # a stream is not to be closed under who reads it
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def _await(server: Served) -> None:
    """Until it says where it serves; what it says later is heard meanwhile, so that it never waits for a listener."""
    stream = server.process.stderr
    assert stream
    for line in stream:
        server.said.append(line)
        if found := re.search(r"serving at http://[^ ]*:(\d+)/mcp", line):
            server.port = int(found[1])
            server.listening = threading.Thread(target=server.said.extend, args=(stream,), daemon=True)
            server.listening.start()
            return
    raise AssertionError(f"the server did not start: {server.said}")
