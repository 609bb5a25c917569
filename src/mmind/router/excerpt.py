"""The part of a passage that answers, when the whole does not fit."""

from __future__ import annotations

import re
from collections.abc import Collection

from mmind.text.tokens import distinct

WORD = re.compile(r"\S+")
MARK = "…"


def excerpt(text: str, terms: Collection[str], room: int) -> str:
    """At most `room` characters of `text`, where most distinct query terms stand; a mark shows each cut.

    Falls back to the start when no term stands in the text. Cuts between words; a single endless word is cut anywhere.
    """
    if len(text) <= room:
        return text
    asked = frozenset(terms)
    found = [(match.start(), hit) for match in WORD.finditer(text) for hit in distinct(match[0]) & asked]
    start = _word_start(text, _best_window(found, room - 2))
    piece = text[start : start + room - 2]
    if start + room - 2 < len(text) and len(piece.split()) > 1:
        piece = piece.rsplit(None, 1)[0]
    return (MARK if start else "") + piece.strip() + (MARK if start + len(piece) < len(text) else "")


def _best_window(found: list[tuple[int, str]], room: int) -> int:
    """Where a window of `room` characters holds most distinct terms; with some text before the first of them."""
    best_start, best_count = 0, 0
    for index, (position, _) in enumerate(found):
        distinct = {term for place, term in found[index:] if place < position + room * 3 // 4}
        if len(distinct) > best_count:
            best_start, best_count = position, len(distinct)
    return max(0, best_start - room // 4) if best_start > room // 2 else 0


def _word_start(text: str, position: int) -> int:
    """The start of the first whole word at or after `position`, unless that is far away."""
    if position == 0:
        return 0
    match = re.compile(r"\s\S").search(text, position, min(len(text), position + 80))
    return match.end() - 1 if match else position
