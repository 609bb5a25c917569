"""Characters that deceive a reader, made harmless: control codes, escape sequences, bidi overrides, invisible text.

The stores keep the raw text. What a client is shown holds nothing that moves a terminal's cursor, turns the reading
direction around or carries words that people cannot see (Unicode Technical Report 36; Unicode Standard Annex 9).
"""

from __future__ import annotations

import re
from typing import Any

_MARKS = "\u00ad\u180e\u200b\u200e\u200f\u061c\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb"  # of no width
_CARRIERS = "\U000e0000-\U000e007f\U000e0100-\U000e01ef"  # tags and variation selectors can hold a hidden text
_INVISIBLE = _MARKS + _CARRIERS
_ODD = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069{_INVISIBLE}\u200c\u200d\ud800-\udfff]")
_ODD_IN_NAME = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069{_INVISIBLE}\ud800-\udfff]")
_ESCAPED = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")
_JOINERS = "\u200c\u200d"
_LINE_ENDS = {"\r\n": "\n", "\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}


def neutral(text: str) -> str:
    """The text with control characters and bidi overrides made visible, invisible ones gone, and `\\n` line ends.

    Joiners stay inside words and emoji of scripts that need them.
    """
    if text.isascii() and text.isprintable():
        return text
    return _ODD.sub(_replaced, text.replace("\r\n", "\n"))


def neutral_name(name: str) -> str:
    """An id or path on one line, every odd character written as `⟨U+202E⟩`; `plain_name` turns it back."""
    return _ODD_IN_NAME.sub(lambda match: _visible(match[0]), name)


def plain_name(shown: str) -> str:
    """The id that `neutral_name` wrote."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if int(match[1], 16) <= 0x10FFFF else match[0], shown)


def neutral_tree(value: Any, key: str = "") -> Any:
    """A JSON value with every string in it neutral; handles as `neutral_name` writes them."""
    match value:
        case str():
            return neutral_name(value) if key in HANDLES else neutral(value)
        case list():
            return [neutral_tree(item, key) for item in value]
        case dict():
            return {neutral(name): neutral_tree(item, name) for name, item in value.items()}
        case _:
            return value


HANDLES = frozenset({"id", "ids", "path", "agrees_with", "trusted", "where", "home", "name"})
"""Fields that name things: they stay on one line and can be turned back."""


def _replaced(match: re.Match[str]) -> str:
    letter = match[0]
    if letter in _LINE_ENDS:
        return "\n"
    if letter in _JOINERS:
        return letter if _joins(match.string, match.start()) else ""
    if "\u202a" <= letter <= "\u202e" or "\u2066" <= letter <= "\u2069":
        return _visible(letter)
    if "\ud800" <= letter <= "\udfff":
        return "\ufffd"
    if ord(letter) < 0x20:
        return chr(0x2400 + ord(letter))
    if letter == "\x7f":
        return "\u2421"
    return _visible(letter) if "\x80" <= letter <= "\x9f" else ""


def _joins(text: str, index: int) -> bool:
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    return bool(before and after) and not before.isascii() and not after.isascii() and not (before + after).isspace()


def _visible(letter: str) -> str:
    return "\ufffd" if "\ud800" <= letter <= "\udfff" else f"⟨U+{ord(letter):04X}⟩"
