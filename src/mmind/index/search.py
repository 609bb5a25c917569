"""A search of one source: both signals propose, and both are completed for every passage that either proposed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mmind.index import models, rows, sources, words
from mmind.index.filters import filter_of, passing
from mmind.index.sources import Source, State
from mmind.index.vectors import Near, SourceVectors
from mmind.index.words import Pool
from mmind.text.fields import parted, weighted
from mmind.text.proximity import near_pairs
from mmind.values.query import Hit, Query, TermStatistics

if TYPE_CHECKING:
    import apsw

# So many passages of one memory a signal may propose; the router shows one, and counts the others as "more".
MOST_OF_ONE = 3


def search(connection: apsw.Connection, source: Source, vectors: SourceVectors, query: Query, pool: int) -> list[Hit]:
    """At most `pool` hits by words, best first, then at most `pool` more by vector; inside a reading transaction."""
    state = sources.find(connection, source)
    if state is None or pool < 1:
        return []
    limits = Pool(pool, MOST_OF_ONE)
    wanted = filter_of(connection, state.number, query)
    by_words = words.best(connection, state.number, query.terms, limits, wanted)
    model = models.find_model(connection, query.model) if query.vector is not None else None
    if model is None or query.vector is None:
        return _hits(connection, source.store, query, dict.fromkeys(by_words))
    with vectors.cosines(connection, state.number, model, state.removals, query.vector) as cosines:
        if cosines is None:
            found = dict[int, Near | None].fromkeys(by_words)
        else:
            near = cosines.best(pool, MOST_OF_ONE, passing(connection, state, wanted))
            found = {passage: cosines.at(vectors.place(passage)) for passage in [*by_words, *near]}
    return _hits(connection, source.store, query, found)


def statistics(connection: apsw.Connection, states: Sequence[State], terms: Sequence[str]) -> TermStatistics:
    """The sums of BM25 over several sources; O(terms) for each."""
    frequencies: dict[str, int] = {}
    for state in states:
        for term, count in words.frequencies(connection, state.number, dict.fromkeys(terms)).items():
            frequencies[term] = frequencies.get(term, 0) + count
    passages = sum(state.passages for state in states)
    return TermStatistics(passages, sum(state.length for state in states), frequencies)


def _hits(connection: apsw.Connection, store: str, query: Query, found: dict[int, Near | None]) -> list[Hit]:
    """The hits for passages and their nearness, in the order given."""
    terms = frozenset(query.terms)
    statement = (
        f"SELECT passage.number, tokens, {rows.PASSAGE_COLUMNS}, {rows.MEMORY_COLUMNS} FROM passage"  # noqa: S608 - our own columns
        " JOIN memory ON memory.number = passage.memory WHERE passage.number IN (SELECT value FROM json_each(?))"
    )
    hits: dict[int, Hit] = {}
    found_rows: list[Any] = connection.execute(statement, (json.dumps(list(found)),)).fetchall()
    for number, tokens, *row in found_rows:
        fields = parted(tokens)
        counts, length = weighted(fields, terms)
        memory, passage = rows.memory_of(store, row[5:]), rows.passage_of(row[:5])
        near = found[number]
        cosine, vector = (near.cosine, near.vector) if near else (None, None)
        pairs = near_pairs(fields, query.terms) if len(counts) > 1 else frozenset[int]()  # it holds no two terms
        hits[number] = Hit(memory, passage, counts, length, cosine, vector, pairs)
    return [hits[number] for number in found if number in hits]
