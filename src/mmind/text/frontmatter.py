"""The front matter of a note: YAML between two `---` lines at the very top, read within bounds, as strings only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from yaml import Event

LARGEST = 64 * 1024  # characters between the fences
MOST_VALUES = 10_000  # keys and values; a note has tens, and 50,000 keys take seconds
DEEPEST = 16  # levels of maps and lists; 20,000 brackets overflow a recursive reader

Value = str | tuple[str, ...]
_Node: TypeAlias = "str | list[_Node] | tuple[str, _Node] | None"

_OPENING = re.compile(r"\ufeff?---[ \t]*\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_FIRST_KEY = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[^\s#:][^\n:]*:(?:[ \t\n]|\Z)")
_LEADING_TABS = re.compile(r"^ *\t[ \t]*", re.MULTILINE)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands between the fences.

    `fields` maps a key, as written, to a string or to strings; the keys of nested maps are joined by dots, and what
    has no value is left out. `end_line` is the line of the closing fence (from 1), 0 where there is no front matter.
    `problem` says in one line what could not be read; `fields` is then empty, unless only a key was repeated.
    """

    fields: Mapping[str, Value]
    end_line: int
    problem: str = ""


class _Unreadable(Exception):
    """Why a block is not read, in words for its owner."""


_NONE = FrontMatter(MappingProxyType({}), 0)


def read(text: str) -> FrontMatter:
    """Read the front matter of a note (line ends `\\n`). Never raises.

    Every scalar stays the string that was written: `no`, `0123`, `2026-06-03`. A block that is no map (a text between
    two rules) is no front matter. Anchors, aliases, more than `LARGEST` characters, `MOST_VALUES` keys and values or
    `DEEPEST` levels, and YAML that is not valid cost the note its fields, and nothing else.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return _NONE
    end_line = text.count("\n", 0, closing.start()) + 1
    if closing.start() - opening.end() > LARGEST:
        return FrontMatter(_NONE.fields, end_line, f"front matter is longer than {LARGEST // 1024} KiB")
    fields, problem = _fields(text[opening.end() : closing.start()])
    if fields is None:
        return _NONE
    return FrontMatter(fields, end_line, problem)


@lru_cache(maxsize=64)
def _fields(block: str) -> tuple[Mapping[str, Value] | None, str]:
    """Fields and problem of a block; None in place of fields when it is no map. Remembered: a note is read twice."""
    # YAML forbids tabs in the indentation, and editors write them all the same.
    plain = _LEADING_TABS.sub(lambda tabs: tabs[0].expandtabs(2), block) if "\t" in block else block
    try:
        node = _node_of(plain)
    except _Unreadable as reason:
        return (_NONE.fields if _FIRST_KEY.match(block) else None), f"front matter is not read: {reason}"
    if node is None:
        return _NONE.fields, ""
    if not isinstance(node, list) or not all(isinstance(item, tuple) for item in node):
        return None, ""
    return _flat(node)


def _node_of(block: str) -> _Node:
    """The tree of a block; None when it is empty. Raises _Unreadable."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = _bounded(yaml.parse(block, Loader=loader))
        roots = [
            _node(event, events) for event in events if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent))
        ]
    except yaml.MarkedYAMLError as error:
        where = f" on line {error.problem_mark.line + 2}" if error.problem_mark else ""
        raise _Unreadable(f"{error.problem}{where}") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: characters that YAML does not know
        raise _Unreadable("it holds characters that YAML does not allow") from error
    if len(roots) > 1:
        raise _Unreadable("it holds a second YAML document")
    return roots[0] if roots else None


def _bounded(events: Iterable[Event]) -> Iterator[Event]:
    """The events of a block until a bound is passed; nothing is resolved, so an alias cannot multiply anything."""
    import yaml

    depth = 0
    for count, event in enumerate(events):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Unreadable("it uses YAML anchors or aliases (put a value that starts with * or & in quotes)")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise _Unreadable(f"it is nested more than {DEEPEST} levels deep")
        if count > MOST_VALUES:
            raise _Unreadable(f"it holds more than {MOST_VALUES:,} keys and values")
        yield event


def _node(event: Event, events: Iterator[Event]) -> _Node:
    """A scalar as a string (or None), a list as a list, a map as a list of (key, value) pairs."""
    import yaml

    if isinstance(event, yaml.ScalarEvent):
        return None if event.implicit[0] and event.value in _NULLS else str(event.value)
    nodes: list[_Node] = []
    for inner in events:
        if isinstance(inner, yaml.CollectionEndEvent):
            break
        nodes.append(_node(inner, events))
    if isinstance(event, yaml.MappingStartEvent):
        return [(key, value) for key, value in zip(nodes[::2], nodes[1::2], strict=True) if isinstance(key, str)]
    return nodes


def _flat(pairs: list[_Node]) -> tuple[Mapping[str, Value], str]:
    """Nested maps as dotted keys, lists as tuples of the strings in them; the last of a repeated key counts."""
    fields: dict[str, Value] = {}
    repeated = ""
    for key, value in _flat_pairs(pairs, ""):
        repeated = repeated or (key if key in fields else "")
        fields[key] = value
    problem = f"front matter repeats the key {repeated[:60]!r} (the last one counts)" if repeated else ""
    return MappingProxyType(fields), problem


def _flat_pairs(pairs: list[_Node], prefix: str) -> Iterator[tuple[str, Value]]:
    for pair in pairs:
        if not isinstance(pair, tuple):
            continue
        key, value = prefix + pair[0].strip(), pair[1]
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list) and any(isinstance(item, tuple) for item in value):
            yield from _flat_pairs(value, f"{key}.")
        elif isinstance(value, list) and (strings := tuple(_strings(value))):
            yield key, strings


def _strings(nodes: list[_Node]) -> Iterator[str]:
    """The strings of a list, also of the lists in it: an unquoted `[[Heron]]` is a list in a list."""
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif isinstance(node, list):
            yield from _strings(node)
