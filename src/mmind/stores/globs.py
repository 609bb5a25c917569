"""Globs over ids, as people write them for ignore files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A test whether an id (POSIX path) is matched by any pattern, itself or by a folder above it.

    `*` and `?` stay within one name, `**` spans folders, brackets are plain characters. A pattern without a slash
    matches a name at any depth; one with a slash is anchored at the top (as in gitignore(5)). A row of stars cannot
    make matching slow: each star but the last is an atomic group, which gives nothing back. Names that differ only
    in how their accents are composed are the same: macOS writes them apart, people type them whole.
    """
    expressions = [_expression(_composed(pattern)) for pattern in patterns if pattern.strip("/")]
    if not expressions:
        return lambda _id: False
    compiled = re.compile(rf"(?s:(?:{'|'.join(expressions)})(?:/.*)?)\Z")
    return lambda id_: compiled.match(_composed(id_)) is not None


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _expression(pattern: str) -> str:
    anchored = "/" in pattern.rstrip("/")
    names = pattern.strip("/").split("/")
    written = "" if anchored else "(?:[^/]+/)*"
    for position, name in enumerate(names):
        is_last = position == len(names) - 1
        if name == "**":
            written += ".*" if is_last else "(?:[^/]+/)*"
        else:
            written += _name_expression(name) + ("" if is_last else "/")
    return written


def _name_expression(name: str) -> str:
    first, *rest = (re.escape(piece).replace(r"\?", "[^/]") for piece in re.split(r"\*+", name))
    if not rest:
        return first
    *middle, last = rest
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle) + f"[^/]*{last}"
