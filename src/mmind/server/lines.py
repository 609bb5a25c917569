"""Lines from the client: bounded reading, and JSON-RPC requests told apart from what must be refused.

Every request gets exactly one answer, so a line that cannot be served is answered here with an error under the id
that it carries, as far as one can be found in it (JSON-RPC 2.0, section 5). Named tuples instead of dataclasses here:
importing `dataclasses` costs the handshake 15 ms.
"""

from __future__ import annotations

import json
import re
from typing import Any, BinaryIO, NamedTuple, NoReturn

MAX_LINE = 4 * 1024 * 1024
MAX_DEPTH = 64

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603

Message = dict[str, Any]
Id = str | int | float | None

_EDGE = 8192
_ID = rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,1000}"|-?\d{1,300})'
_ENVELOPE = rb'"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"'
_ID_AT_HEAD = re.compile(rb"\s*\{(?:\s*" + _ENVELOPE + rb"\s*,)*\s*" + _ID + rb"\s*[,}]")
_ID_AT_TAIL = re.compile(rb",\s*" + _ID + rb"(?:\s*,\s*" + _ENVELOPE + rb")*\s*\}\s*\Z")


class Line(NamedTuple):
    """One line without its end; of a line beyond the bound only its first and last bytes."""

    data: bytes
    tail: bytes = b""
    is_too_long: bool = False


class Refusal(NamedTuple):
    """An answer to what cannot be served."""

    id: Id
    code: int
    message: str

    def encoded(self) -> bytes:
        """The JSON-RPC error, without a line end."""
        error = {"code": self.code, "message": self.message}
        return encoded({"jsonrpc": "2.0", "id": self.id, "error": error})


def encoded(message: Message) -> bytes:
    """A message as compact UTF-8 JSON, without a line end."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def read_line(source: BinaryIO, limit: int = MAX_LINE) -> Line | None:
    """The next line, or None at the end. A longer line is read to its end and let go of, in bounded memory."""
    data = source.readline(limit + 1)
    if not data:
        return None
    if len(data) <= limit or data.endswith(b"\n"):
        return Line(data)
    tail = data
    while chunk := source.readline(1 << 16):
        tail = (tail + chunk)[-_EDGE:]
        if chunk.endswith(b"\n"):
            break
    return Line(data[:_EDGE], tail[-_EDGE:], is_too_long=True)


def parse_line(line: Line) -> Message | Refusal | None:
    """A request or notification that the protocol's frame admits, a refusal, or None where no answer is due."""
    if line.is_too_long:
        return Refusal(
            recovered_id(line.data, line.tail), INVALID_REQUEST, f"the message is longer than {MAX_LINE:,} bytes"
        )
    if not line.data.strip():
        return None
    try:
        message = _parsed(line.data)
    except UnicodeDecodeError:
        return Refusal(recovered_id(line.data, line.data), PARSE_ERROR, "the message is not valid UTF-8")
    except (ValueError, RecursionError):
        return Refusal(recovered_id(line.data, line.data), PARSE_ERROR, "the message is not valid JSON")
    if isinstance(message, list):
        return Refusal(None, INVALID_REQUEST, "batches are not supported: send one message a line")
    if not isinstance(message, dict):
        return Refusal(None, INVALID_REQUEST, "a message must be a JSON object")
    return _admitted(message)


def recovered_id(head: bytes, tail: bytes) -> Id:
    """The id of a request that cannot be parsed, where clients put it: beside the method, first or last."""
    found = _ID_AT_HEAD.match(head[:_EDGE]) or _ID_AT_TAIL.search(tail[-_EDGE:])
    if found is None:
        return None
    try:
        value = json.loads(found[1])
    except ValueError:
        return None
    return _whole_text(value) if isinstance(value, str | int) else None


def _parsed(data: bytes) -> Any:
    text = data.removeprefix(b"\xef\xbb\xbf").decode()
    message = json.loads(text, parse_constant=_refuse_constant)
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth(message) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return _repaired(message) if b"\\u" in data else message


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, list | dict)]:
        depth += 1
        level = [item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer)]
    return depth


def _repaired(value: Any) -> Any:
    """The value with halves of surrogate pairs replaced: no UTF-8 encoder takes them (depth is bounded before)."""
    match value:
        case str():
            return _whole_text(value)
        case list():
            return [_repaired(item) for item in value]
        case dict():
            return {_whole_text(name): _repaired(item) for name, item in value.items()}
        case _:
            return value


def _whole_text(value: Any) -> Any:
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value


def _admitted(message: Message) -> Message | Refusal | None:
    given = message.get("id")
    is_id = isinstance(given, str | int) and not isinstance(given, bool)
    answered = given if is_id or isinstance(given, float) else None
    if "method" not in message and ("result" in message or "error" in message):
        return None  # a response: this server asks its clients nothing
    if message.get("jsonrpc") != "2.0":
        return Refusal(answered, INVALID_REQUEST, 'jsonrpc: must be "2.0"')
    if not isinstance(message.get("method"), str):
        return Refusal(answered, INVALID_REQUEST, "method: must be a text")
    if "id" in message and not is_id:
        return Refusal(answered, INVALID_REQUEST, "id: must be a text or a whole number")
    if not isinstance(message.get("params", {}), dict):
        return Refusal(answered, INVALID_REQUEST, "params: must be an object") if is_id else None
    return message
