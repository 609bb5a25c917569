"""Where the words of a query stand in a passage, by the tokenizer that found the passage."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mmind.text.scripts import IDEOGRAPHIC, MARKS, SOUTH_EAST_ASIAN
from mmind.text.tokens import query_terms, tokens

Span = tuple[int, int]

_CHUNK = re.compile(r"\S+")
_PIECE = re.compile(rf"[^\W_][\w{MARKS}]*")
_PUNCTUATION = "\"'`*_()[]{}<>.,;:!?“”‘’«»"
_UNSPACED = re.compile(f"[{IDEOGRAPHIC}{SOUTH_EAST_ASIAN}]")


def query_spans(text: str, query: str) -> list[Span]:
    """The character ranges to mark, from left to right, without overlaps."""
    asked = query_terms(query)
    pairs = [term for term in asked if len(term) == 2 and _UNSPACED.match(term)]
    terms = frozenset(asked) - {letter for pair in pairs for letter in pair}  # a pair was asked for, not its halves
    return [span for chunk in _CHUNK.finditer(text) for span in _in_chunk(chunk[0], chunk.start(), terms)]


def _in_chunk(chunk: str, offset: int, terms: frozenset[str]) -> list[Span]:
    """The marked words of a run without blanks; the whole run where only it is a term (`C++`, `v1.2.3`)."""
    found = [
        (offset + piece.start() + start, offset + piece.start() + end)
        for piece in _PIECE.finditer(chunk)
        for start, end in _in_piece(piece[0], terms)
    ]
    if found or terms.isdisjoint(tokens(chunk)):
        return found
    core = chunk.strip(_PUNCTUATION) or chunk
    start = offset + chunk.index(core)
    return [(start, start + len(core))]


def _in_piece(piece: str, terms: frozenset[str]) -> Iterator[Span]:
    """A word is marked whole; in a script without spaces, each pair or single character that was asked for."""
    if not _UNSPACED.search(piece):
        if not terms.isdisjoint(tokens(piece)):
            yield 0, len(piece)
        return
    marked = [not terms.isdisjoint(tokens(letter)) for letter in piece]
    for start in range(len(piece) - 1):
        left, right = piece[start], piece[start + 1]
        if not terms.isdisjoint(set(tokens(left + right)) - set(tokens(left)) - set(tokens(right))):
            marked[start : start + 2] = [True, True]
    for run in re.finditer("x+", "".join("x" if mark else " " for mark in marked)):
        yield run.span()
