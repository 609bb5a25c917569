"""Reading one memory in full, a page at a time."""

from __future__ import annotations

from dataclasses import replace

from mmind.router.assemble import CHARACTERS_A_TOKEN
from mmind.router.parse import MOST_TOKENS, parse_number
from mmind.router.write import not_found
from mmind.text.instructions import flags
from mmind.values.errors import BadRequest, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Store
from mmind.values.reports import Page


def read(handle: str, store: Store) -> Memory:
    """The whole memory with this handle. Raises NotFound or EngineUnavailable."""
    if store.engine is None:
        raise EngineUnavailable(f"the {store.name} store is not available: {store.fault}", store.hint)
    memory = store.engine.get(handle.partition(":")[2])
    if memory is None:
        raise not_found(handle)
    return memory


def page(memory: Memory, offset: int, line: int, max_tokens: int) -> Page:
    """The part of a memory that starts at character `offset`, or at `line` (from 1) if that is given.

    Ends at a line's end where one is near. Raises BadRequest when the place lies beyond the text.
    """
    text = memory.text
    room = parse_number("max_tokens", max_tokens, 100, MOST_TOKENS) * CHARACTERS_A_TOKEN
    start = _start_of_line(text, line) if line else parse_number("offset", offset, 0, max(0, len(text)))
    end = min(len(text), start + room)
    if end < len(text):
        line_end = text.rfind("\n", start + room // 2, end)
        end = line_end + 1 if line_end > 0 else end
    shown = text[start:end]
    first = text.count("\n", 0, start) + 1
    return Page(
        memory=replace(memory, text=""),
        text=shown,
        offset=start,
        line_start=first,
        line_end=first + shown.rstrip("\n").count("\n"),
        total_characters=len(text),
        total_lines=len(text.splitlines()),
        next_offset=end if end < len(text) else None,
        flags=flags(memory.title, shown),
    )


def _start_of_line(text: str, line: int) -> int:
    starts = [0, *(index + 1 for index, letter in enumerate(text) if letter == "\n")]
    if isinstance(line, bool) or not isinstance(line, int) or not 1 <= line <= len(starts):
        raise BadRequest(f"line: the memory has lines 1 to {len(starts):,}, got {line!r}")
    return starts[line - 1]
