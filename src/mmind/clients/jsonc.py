"""JSON with comments, changed in place: one member goes in or out, and every other byte of the text stays.

Editors and clients let people comment these files; reading and writing them back through a JSON library would throw
the comments, the order and the spacing away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mmind.values.errors import ConfigError

_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_LITERAL = re.compile(r"[^\s,:\[\]{}\"/]+")
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_REMARK = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*(?=\r?\n))")  # what is said of a member on its line
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object: its key, where the key starts, and where its value starts and ends."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """An object in a text: where its braces stand (both inclusive), and its members."""

    start: int
    close: int
    members: tuple[Member, ...]


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """The text with `value` at `path`, objects on the way made where they lack.

    Raises ConfigError on broken JSON, and where something else than an object is in the way.
    """
    if _is_blank(text):
        return json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    span, member, depth = _reached(text, path, _root(text))
    if member is None:
        return _inserted(text, span, path[depth], _nested(path[depth + 1 :], value), depth)
    if depth < len(path) - 1:
        raise _broken(text, member.value, "is not an object")
    indent = _indent(text, span, depth)
    written = _dumped(value, indent, indent[: len(indent) // (depth + 1)] or "  ")
    return text[: member.value] + _lines(written, text) + text[member.end :]


def without_member(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, with its comma; unchanged where there is none.

    Raises ConfigError on broken JSON.
    """
    if _is_blank(text):
        return text
    span, member, depth = _reached(text, path, _root(text))
    return text if member is None or depth < len(path) - 1 else _cut(text, span, member)


def read_member(text: str, path: Sequence[str]) -> object | None:
    """The value at `path`, or None. Raises ConfigError on broken JSON."""
    if _is_blank(text):
        return None
    _, member, depth = _reached(text, path, _root(text))
    return None if member is None or depth < len(path) - 1 else _loaded(text[member.value : member.end])


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _reached(text: str, path: Sequence[str], span: Span, depth: int = 0) -> tuple[Span, Member | None, int]:
    """How far a path leads: the innermost object on it, that object's member on the path, and how deep this lies."""
    member = _member(span, path[depth])
    if member is None or depth == len(path) - 1 or text[member.value] != "{":
        return span, member, depth
    return _reached(text, path, _object(text, member.value, depth + 1), depth + 1)


def _nested(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _member(span: Span, key: str) -> Member | None:
    return next((member for member in span.members if member.key == key), None)


def _inserted(text: str, span: Span, key: str, value: object, depth: int) -> str:
    """The new member comes last, behind the comma and the remark of the one before it, on a line of its own."""
    indent = _indent(text, span, depth)
    unit = indent[: len(indent) // (depth + 1)] or "  "
    written = f"\n{indent}{json.dumps(key, ensure_ascii=False)}: {_dumped(value, indent, unit)}"
    outdent = f"\n{indent[: len(indent) - len(unit)]}"
    if not span.members:
        inner = text[span.start + 1 : span.close].rstrip(" \t\r\n")
        return text[: span.start + 1] + inner + _lines(written + outdent, text) + text[span.close :]
    after = span.members[-1].end
    comma = _skip(text, after)
    at, missing = (comma + 1, "") if text[comma] == "," else (after, ",")
    remark = _REMARK.match(text, at)
    end = remark.end() if remark else at
    written += "" if "\n" in text[after : span.close] else outdent
    return text[:at] + missing + text[at:end] + _lines(written, text) + text[end:]


def _lines(written: str, text: str) -> str:
    """With the line ends of the text that it goes into."""
    return written.replace("\n", "\r\n") if "\r\n" in text else written


def _cut(text: str, span: Span, member: Member) -> str:
    """The member goes with one comma and the blanks before it; the comma after it where it is the first."""
    place = span.members.index(member)
    following = _skip(text, member.end)
    has_comma = text[following] == ","
    if place == 0:
        rest = text[following + 1 if has_comma else member.end :]
        is_alone = len(span.members) == 1
        return text[: member.start].rstrip(" \t\r\n") + rest if is_alone else text[: member.start] + rest.lstrip()
    comma = _skip(text, span.members[place - 1].end)
    return text[:comma] + text[comma + 1 : member.start].rstrip(" \t\r\n") + text[member.end :]


def _dumped(value: object, indent: str, unit: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent(text: str, span: Span, depth: int) -> str:
    """The blanks before the members of an object: those of its first member's line, else two for each level."""
    if span.members:
        start = text.rfind("\n", 0, span.members[0].start) + 1
        blanks = text[start : span.members[0].start]
        if start > span.start and not blanks.strip():
            return blanks
    return "  " * (depth + 1)


def _root(text: str) -> Span:
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    span = _object(text, start, 0)
    if _skip(text, span.close + 1) != len(text):
        raise _broken(text, span.close + 1)
    return span


def _object(text: str, start: int, depth: int) -> Span:
    if text[start : start + 1] != "{" or depth > _DEEPEST:
        raise _broken(text, start)
    members, at = [], _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key = _STRING.match(text, at)
        colon = _skip(text, key.end()) if key else at
        if key is None or text[colon : colon + 1] != ":":
            raise _broken(text, at)
        value = _skip(text, colon + 1)
        end = _value_end(text, value, depth)
        members.append(Member(json.loads(key[0]), at, value, end))
        at = _comma(text, end, "}")
    return Span(start, at, tuple(members))


def _value_end(text: str, start: int, depth: int) -> int:
    opening = text[start : start + 1]
    if opening == "{":
        return _object(text, start, depth + 1).close + 1
    if opening == "[":
        return _array_end(text, start, depth)
    found = _STRING.match(text, start) if opening == '"' else _LITERAL.match(text, start)
    if not found:
        raise _broken(text, start)
    return found.end()


def _array_end(text: str, start: int, depth: int) -> int:
    if depth > _DEEPEST:
        raise _broken(text, start)
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        at = _comma(text, _value_end(text, at, depth + 1), "]")
    return at + 1


def _comma(text: str, end: int, closing: str) -> int:
    """Where the next thing starts after a value: behind the comma, or at the closing sign."""
    at = _skip(text, end)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise _broken(text, at)
    return at


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _loaded(text: str) -> object:
    """A value of JSON with comments and trailing commas, as JSON reads it."""
    kept, at = [], 0
    while at < len(text):
        string = _STRING.match(text, at)
        blank = _BLANK.match(text, at)
        if string:
            kept.append(string[0])
            at = string.end()
        elif blank and blank.end() > at:
            at = blank.end()
        else:
            is_trailing = text[at] == "," and text[_skip(text, at + 1) :][:1] in ("}", "]")
            kept.append("" if is_trailing else text[at])
            at += 1
    return json.loads("".join(kept))


def _broken(text: str, at: int, what: str = "is not JSON") -> ConfigError:
    line = text.count("\n", 0, at) + 1
    return ConfigError(f"line {line} {what}", "mend the file first; nothing was changed")
