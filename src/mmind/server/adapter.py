"""The SDK's side: one server for both protocol eras over the five tools, and its loop over two queues.

Built on the SDK's low-level `Server`, which takes our schemas as they stand and hands arguments over untouched: no
argument is dropped, parsed out of a text, or refused in the words of a validation library.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from queue import Queue
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from mmind.audit.caller import Caller, calling
from mmind.server.latemind import LateMind
from mmind.server.lines import INVALID_REQUEST, Message, Refusal
from mmind.server.neutral import neutral
from mmind.server.scopes import may_call, scope_of
from mmind.server.tools import INSTRUCTIONS, NAME, TITLE, tools
from mmind.server.verbs import call, check, writer_name
from mmind.values.errors import MmindError
from mmind.version import __version__

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

Context = ServerRequestContext[Any, Any]
Send = Callable[[str | int | None, bytes], None]

MAX_CALLS = 8
"""How many tool calls run at once; the rest wait. Two cores and disks gain nothing from more."""

MAX_ID = 80

WAY_OUT = "the user can give it the token that may store as well (`mmind token new`)"

LISTS_LIVE_MS = 300_000


def build_server(late: LateMind, leaves_machine: bool, blotted: Callable[[str], str] = str) -> Server[Any]:
    """An SDK server over a mind. `blotted` takes secrets out of traces; `leaves_machine`: see `tools.tools`."""
    rows = {row["name"]: row for row in tools(leaves_machine)}
    listed = types.ListToolsResult.model_validate({"tools": list(rows.values())}, by_name=False)

    async def list_tools(_: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor is not None:
            raise MCPError(code=types.INVALID_PARAMS, message="unknown cursor: the list of tools has one page")
        return listed

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        row = rows.get(params.name)
        if row is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"unknown tool {neutral(params.name[:64])!r}")
        if not may_call(scope_of(context.request), row):
            return _failed(f"{params.name}: this client's token may search and read only; {WAY_OUT}")
        work = partial(run_tool, late, row, params.arguments or {}, _caller(context), blotted)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=_calls())

    return Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=INSTRUCTIONS,
        cache_hints={
            "tools/list": CacheHint(LISTS_LIVE_MS, "public"),
            "server/discover": CacheHint(LISTS_LIVE_MS, "public"),
        },
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def run_tool(
    late: LateMind, row: Mapping[str, Any], arguments: Mapping[str, Any], caller: Caller, blotted: Callable[[str], str]
) -> types.CallToolResult:
    """One call, to its end. Our own errors are told in one line; of any other the client learns that it happened."""
    try:
        checked = check(row, arguments)
        with calling(caller):
            answer = call(late.mind(), row["name"], checked, caller.client)
    except MmindError as error:
        return _failed(str(error))
    except Exception:  # noqa: BLE001 - whatever it is, the client gets an answer and the log gets the trace
        print(blotted(traceback.format_exc()), file=sys.stderr, flush=True)
        return _failed(f"internal error in {row['name']}; the server's log (stderr) has the details")
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)], structured_content=answer.structured
    )


def run(server: Server[Any], inbox: Queue[Message | None], send: Send) -> None:
    """Serve what comes through `inbox` until None comes; `send` takes each answer's id and bytes. Blocks."""
    anyio.run(_serve, server, inbox, send)


async def _serve(server: Server[Any], inbox: Queue[Message | None], send: Send) -> None:
    to_server, requests = anyio.create_memory_object_stream[SessionMessage | Exception](16)
    answers, from_server = anyio.create_memory_object_stream[SessionMessage](16)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_feed, inbox, to_server, send)
        tasks.start_soon(_drain, from_server, send)
        await server.run(requests, answers, server.create_initialization_options())


async def _feed(
    inbox: Queue[Message | None],
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    send: Send,
) -> None:
    one = anyio.CapacityLimiter(1)  # of its own: waiting for a line must not cost a tool its thread
    async with to_server:
        while (message := await anyio.to_thread.run_sync(inbox.get, abandon_on_cancel=True, limiter=one)) is not None:
            try:
                checked = types.jsonrpc_message_adapter.validate_python(message, by_name=False)
            except ValidationError:
                refusal = Refusal(message.get("id"), INVALID_REQUEST, "not a JSON-RPC request")
                send(message.get("id"), refusal.encoded())
                continue
            await to_server.send(SessionMessage(checked))


async def _drain(from_server: MemoryObjectReceiveStream[SessionMessage], send: Send) -> None:
    async with from_server:
        async for item in from_server:
            data = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            send(getattr(item.message, "id", None), data.encode())


def _calls() -> anyio.CapacityLimiter:
    """The limiter of this event loop (a limiter belongs to one)."""
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens = MAX_CALLS
    return limiter


def _caller(context: Context) -> Caller:
    """Who calls, for the log and as the writer of memories: the client's own name is a claim and earns no trust."""
    client = context.session.client_params
    name = writer_name(client.client_info.name) if client is not None else ""
    scope = scope_of(context.request)
    return Caller("http" if scope else "stdio", name, scope, neutral(str(context.request_id))[:MAX_ID])


def _failed(message: str) -> types.CallToolResult:
    line = " ".join(neutral(message).split())
    return types.CallToolResult(content=[types.TextContent(type="text", text=line)], is_error=True)
