"""Rows of a wrapped table as hits: cut into passages and counted with our own tokens, as everything else is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mmind.stores.rows import strings_of
from mmind.stores.table import time_of
from mmind.text.bm25 import bm25
from mmind.text.fields import weighted
from mmind.text.prepared import prepare
from mmind.text.proximity import near_pairs
from mmind.text.tags import tag_key
from mmind.values.memory import Memory
from mmind.values.query import Hit, Query, TermStatistics

MOST_OF_ONE = 3  # passages of one row, as in the index

_Placed = tuple[float, str, int, Hit]  # what orders hits, and the hit


def passes(query: Query, moment: object, tags: object) -> bool:
    """Whether a row lies within the query's bounds; one without a time is outside any."""
    if query.since is not None or query.until is not None:
        updated = time_of(moment)
        if updated is None or not (query.since or updated) <= updated <= (query.until or updated):
            return False
    held = {tag_key(tag) for tag in strings_of(tags)} if query.tags else set()
    return all(tag_key(tag) in held for tag in query.tags)


def ranked(memories: Iterable[Memory], query: Query, statistics: TermStatistics, pool: int) -> list[Hit]:
    """The passages that hold any term, by BM25, at most three of one memory and `pool` in all."""
    found = list[_Placed]()
    for memory in memories:
        worded = (one for one in _placed(memory, query, statistics) if one[-1].counts)
        found += sorted(worded, key=_place)[:MOST_OF_ONE]
    return [hit for *_, hit in sorted(found, key=_place)[:pool]]


def most_telling(memory: Memory, query: Query, statistics: TermStatistics) -> list[Hit]:
    """The one passage of a memory that says most in the query's words, its first where none does; [] of no text."""
    return [hit for *_, hit in sorted(_placed(memory, query, statistics), key=_place)[:1]]


def _placed(memory: Memory, query: Query, statistics: TermStatistics) -> list[_Placed]:
    asked, named = frozenset(query.terms), replace(memory, text="")
    found = list[_Placed]()
    for one in prepare(memory).passages:
        counts, length = weighted(one.tokens, asked)
        hit = Hit(named, one.passage, counts, length, None, None, near_pairs(one.tokens, query.terms))
        score = bm25(counts, length, statistics, query.terms) if counts else 0.0
        found.append((-score, memory.id, one.passage.ordinal, hit))
    return found


def _place(one: _Placed) -> tuple[float, str, int]:
    return one[:3]
