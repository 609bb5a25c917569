"""The guard before the HTTP endpoint: who may come in at all, with what, and as whom. Nothing gets past it unseen.

Refuses by host name (DNS rebinding), by origin (web pages), by token, by kind and by size, in this order; what it lets
in is one JSON-RPC message within the bounds of `server.lines`, with the token's scope beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

import anyio

from mmind.server.lines import Line, Refusal, encoded, parse_line
from mmind.server.scopes import KEY

Scope = dict[str, Any]
Receive = Callable[[], Any]
Send = Callable[[Any], Any]
App = Callable[[Scope, Receive, Send], Any]

PATH = "/mcp"
HEALTH = "/health"
MAX_BODY = 1024 * 1024
BODY_SECONDS = 15.0
"""How long a body may take to come: whoever sends it byte by byte holds one of few places."""

_JSON = b"application/json"


class TooLong(Exception):
    """The body is beyond the bound."""


class Guard:
    """An ASGI application before another one. `hosts` are the exact Host headers that are served.

    `scope_for` gives the scope of a bearer token, "" for an unknown one; it is asked at every request.
    """

    def __init__(self, app: App, hosts: Collection[str], scope_for: Callable[[str], str]) -> None:
        self._app = app
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._scope_for = scope_for

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._let_in(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        granted, refusal = self._judge(scope)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        try:
            with anyio.move_on_after(BODY_SECONDS) as limit:
                body = await _body(receive, _header(scope, b"content-length"))
        except TooLong:
            await _answer(send, 413, f"the message is longer than {MAX_BODY:,} bytes")
            return
        if limit.cancelled_caught:
            await _answer(send, 408, "the message took too long to come")
            return
        message = parse_line(Line(body))
        if message is None or isinstance(message, Refusal):
            await _answer_refusal(send, message)
            return
        data = encoded(message)
        await self._app(_with_body(scope, granted, len(data)), _replayed(data, receive), send)

    def _judge(self, scope: Scope) -> tuple[str, tuple[int, str] | None]:
        """The scope that the request is granted, or the status and words of its refusal."""
        if _header(scope, b"host").casefold() not in self._hosts:
            return "", (421, "this server is not called so")
        if any(name == b"origin" for name, _ in scope["headers"]):
            return "", (403, "web pages are not served")
        if scope["path"] == HEALTH and scope["method"] in ("GET", "HEAD"):
            return "", (200, "ok")
        kind, _, token = _header(scope, b"authorization").partition(" ")
        granted = self._scope_for(token.strip()) if kind.casefold() == "bearer" else ""
        if not granted:
            return "", (401, "a token is needed")
        return granted, _unfit(scope)


def _unfit(scope: Scope) -> tuple[int, str] | None:
    """What is wrong with a request whose token is right."""
    if scope["path"] != PATH:
        return 404, f"the endpoint is {PATH}"
    if scope["method"] != "POST":
        return 405, "send each message with POST"
    kind = _header(scope, b"content-type").partition(";")[0].strip().casefold()
    return None if kind == _JSON.decode() else (415, "send application/json")


def _header(scope: Scope, name: bytes) -> str:
    """A header's value; "" when it is missing or given twice, so that nobody can be told two things."""
    values = [value for known, value in scope["headers"] if known == name]
    return values[0].decode("latin-1") if len(values) == 1 else ""


async def _body(receive: Receive, announced: str) -> bytes:
    """The whole body. Raises TooLong as soon as that is clear."""
    if announced.isdigit() and int(announced[:12]) > MAX_BODY:
        raise TooLong
    chunks, size = [], 0
    while True:
        event = await receive()
        chunk = event.get("body", b"")
        size += len(chunk)
        if size > MAX_BODY:
            raise TooLong
        chunks.append(chunk)
        if event["type"] != "http.request" or not event.get("more_body"):
            return b"".join(chunks)


def _with_body(scope: Scope, granted: str, length: int) -> Scope:
    """The request as the SDK sees it: with its scope, the length of the repaired body, and without the token."""
    dropped = (b"content-length", b"transfer-encoding", b"authorization")
    kept = [(name, value) for name, value in scope["headers"] if name not in dropped]
    return {**scope, "headers": [*kept, (b"content-length", str(length).encode())], KEY: granted}


def _replayed(data: bytes, receive: Receive) -> Receive:
    """The body, read already, and then what the connection tells (that the client is gone)."""
    waiting = [{"type": "http.request", "body": data, "more_body": False}]

    async def next_event() -> Any:
        return waiting.pop() if waiting else await receive()

    return next_event


async def _answer(send: Send, status: int, words: str) -> None:
    extra: list[tuple[bytes, bytes]] = []
    if status == 401:
        extra = [(b"www-authenticate", b'Bearer realm="mmind"')]
    elif status == 405:
        extra = [(b"allow", b"POST")]
    await _respond(send, status, words.encode(), [(b"content-type", b"text/plain; charset=utf-8"), *extra])


async def _answer_refusal(send: Send, refusal: Refusal | None) -> None:
    """A message that cannot be served: its JSON-RPC error; or nothing at all, where no answer is due."""
    if refusal is None:
        await _respond(send, 202, b"", [])
    else:
        await _respond(send, 400, _with_plain_id(refusal).encoded(), [(b"content-type", _JSON)])


def _with_plain_id(refusal: Refusal) -> Refusal:
    """JSON knows no infinity; an id that is none is answered as unknown."""
    is_odd = isinstance(refusal.id, float) and not math.isfinite(refusal.id)
    return refusal._replace(id=None) if is_odd else refusal


async def _respond(send: Send, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [*headers, length, (b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")],
        }
    )
    await send({"type": "http.response.body", "body": body})
