"""A search of one store in Postgres: words and vectors propose, and both are completed for every passage proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from psycopg import sql

from mmind.stores.postgres import rows, terms, vectors
from mmind.stores.postgres.connections import Connection
from mmind.stores.postgres.model import Model
from mmind.stores.postgres.nearest import Nearest, exact_up_to, nearest
from mmind.stores.postgres.vectors import Version
from mmind.text.bm25 import K1, B, bm25, idf
from mmind.text.fields import parted, weighted
from mmind.text.proximity import near_pairs
from mmind.text.tags import tag_key
from mmind.values.query import Hit, Query, TermStatistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_OF_ONE = 3  # passages of one memory that a signal may propose, as in the index
MOST_POSTINGS = 10_000  # passages that the words of a query may propose from, as in the index
OVER = 4  # so many times the pool is ranked roughly by the server, and exactly here
MOST_RANKED = 24  # words by which the server ranks; the rarest
MOST_ASKED = 200
# What one place of a word in title, heading and body counts to BM25 beside the highest of the three: at a tf of 2, 1.5
# and 1 tf * 2.2 / (tf + 1.2) is 1.375, 1.222 and 1. In Postgres's order D, C, B, A.
WEIGHTS = [1 / 1.375, 0.0, 1.222 / 1.375, 1.0]


@dataclass(frozen=True, slots=True)
class Scope:
    """One store in one reading transaction: its sums, and the condition that a query's bounds make.

    `joined` brings in the memories `m` of the passages `p` where the condition is about them; without bounds it is
    empty, for ten thousand rows that nobody looks at cost as much as all the rest. `is_open` tells that every passage
    of the store meets the condition.
    """

    connection: Connection
    store: str
    passages: int
    length: float
    is_open: bool
    joined: sql.SQL
    where: sql.Composable
    values: dict[str, object]

    @property
    def mean(self) -> float:
        """The mean length of a passage, above 0."""
        return self.length / self.passages if self.length > 0.0 else 1.0


# An index leads to the few memories of other sessions; joining all others to look at their session would cost more
# than the rest of the search.
_OF_NO_OTHER = (
    "NOT EXISTS (SELECT 1 FROM mmind.memory o WHERE o.number = p.memory AND o.store = %(store)s"
    " AND o.session <> '' AND o.session <> %(session)s)"
)


def scope(connection: Connection, store: str, query: Query) -> Scope:
    """The store with the query's times, tags and session as a condition over `m` (memory) and `p` (passage)."""
    row = connection.execute(
        "SELECT coalesce(sum(passages), 0)::bigint, coalesce(sum(length), 0),"
        " EXISTS(SELECT 1 FROM mmind.memory WHERE store = %(store)s AND session <> '')"
        " FROM mmind.tally WHERE store = %(store)s",
        {"store": store},
    ).fetchone()
    passages, length, has_sessions = row or (0, 0.0, False)
    bounds = {
        "m.time >= %(since)s": query.since,
        "m.time <= %(until)s": query.until,
        "m.tag_keys @> %(tags)s": [tag_key(tag) for tag in query.tags] or None,
    }
    asked = [clause for clause, value in bounds.items() if value is not None]
    where = sql.SQL(" AND ").join(map(sql.SQL, ["p.store = %(store)s", *asked, *([_OF_NO_OTHER] * has_sessions)]))
    joined = sql.SQL(" JOIN mmind.memory m ON m.number = p.memory" if asked else "")
    values: dict[str, object] = {"store": store, "since": query.since, "until": query.until, "session": query.session}
    values["tags"] = [tag_key(tag) for tag in query.tags]
    return Scope(connection, store, passages, length, not (asked or has_sessions), joined, where, values)


def by_words(scope: Scope, frequencies: Mapping[str, int], pool: int) -> list[int]:
    """The passages that hold most of the words, weighed by rarity and field, best first."""
    telling = _telling(frequencies)
    if not telling:
        return []
    found = _roughly(scope, telling, frequencies, OVER * pool)
    statistics = TermStatistics(scope.passages, scope.length, frequencies)
    asked = frozenset(telling)
    scored = [
        (-bm25(*weighted(parted(tokens), asked), statistics, telling), number, memory)
        for number, memory, tokens in found
    ]
    return capped(((number, memory) for _, number, memory in sorted(scored)), pool)


def by_vector(scope: Scope, model: Model, version: Version, query: Query, pool: int) -> list[int]:
    """The passages near to the query's vector, nearest first."""
    assert query.vector is not None
    most = OVER * pool
    bound = exact_up_to(scope.passages, most)
    candidates = _candidates(scope, bound)
    asked = Nearest(query.vector, scope.joined, scope.where, scope.values, scope.passages, candidates, bound, most)
    return capped(nearest(scope.connection, model, version, asked), pool)


def hits(scope: Scope, query: Query, found: Sequence[int], model: Model | None, address: str) -> list[Hit]:
    """The hits for passages, in the order given, both signals completed for each."""
    if not found:
        return []
    joined, sent = sql.SQL(""), sql.SQL("NULL")
    if model is not None:
        joined = sql.SQL(" LEFT JOIN {} v ON v.digest = p.digest").format(model.table)  # type: ignore[assignment]
        sent = sql.SQL(f"{model.kind}_send(v.value)")
    statement = sql.SQL(
        "SELECT p.number, {}, p.tokens, {}, {} FROM mmind.passage p JOIN mmind.memory m"
        " ON m.number = p.memory{} WHERE p.number = ANY(%s)"
    ).format(sent, sql.SQL(rows.PASSAGE), sql.SQL(rows.FACTS), joined)
    by_number: dict[int, Any] = {row[0]: row[1:] for row in scope.connection.execute(statement, (list(found),))}
    near = _near({number: row[0] for number, row in by_number.items() if row[0] is not None}, model, query)
    return [
        _hit(scope.store, address, query, by_number[number], near.get(number))
        for number in found
        if number in by_number
    ]


def capped(found: Iterable[tuple[int, int]], most: int) -> list[int]:
    """At most so many passages, and at most three of one memory, in their order."""
    passages, taken = list[int](), dict[int, int]()
    for passage, memory in found:
        taken[memory] = taken.get(memory, 0) + 1
        if taken[memory] <= MOST_OF_ONE:
            passages.append(passage)
            if len(passages) == most:
                break
    return passages


def _hit(store: str, address: str, query: Query, row: Any, near: Near | None) -> Hit:
    _, tokens, *rest = row
    fields = parted(tokens)
    counts, length = weighted(fields, query.terms)
    memory, passage = rows.memory_of(store, rest[5:], address), rows.passage_of(rest[:5])
    cosine = near[0] if near else None
    vector = cast("Sequence[float]", near[1]) if near else None
    return Hit(memory, passage, counts, length, cosine, vector, near_pairs(fields, query.terms))


Near = tuple[float, "NDArray[np.float32]"]


def _near(packed: Mapping[int, bytes], model: Model | None, query: Query) -> dict[int, Near]:
    """Each passage's cosine with the query, and its own vector; of what was kept, as the index computes it."""
    if not packed or model is None or query.vector is None:
        return {}
    import numpy as np

    matrix = vectors.unpacked(list(packed.values()), model.kind)
    cosines = np.clip(np.einsum("ij,j->i", matrix, np.asarray(query.vector, np.float32)), -1.0, 1.0)
    return {number: (float(cosine), vector) for number, cosine, vector in zip(packed, cosines, matrix, strict=True)}


def _telling(frequencies: Mapping[str, int]) -> list[str]:
    """The terms that stand in the store, rarest first, as far as their passages together stay few."""
    kept, postings = list[str](), 0
    for term in sorted(frequencies, key=lambda term: (frequencies[term], term))[:MOST_ASKED]:
        postings += frequencies[term]
        if kept and postings > MOST_POSTINGS:
            break
        kept.append(term)
    return kept


def _roughly(scope: Scope, telling: Sequence[str], frequencies: Mapping[str, int], most: int) -> list[Any]:
    """(passage, memory, tokens) of what the server finds best: idf, times what `ts_rank` makes of the places of a
    word (a sum that saturates, as BM25's does), times what the length leaves of it."""
    ranked = telling[:MOST_RANKED]
    names = [(f"idf{place}", f"term{place}") for place in range(len(ranked))]
    score = sql.SQL(" + ").join(
        sql.SQL(f"%({weight})s::float8 * ts_rank(%(weights)s::real[], p.words, %({term})s::tsquery)")
        for weight, term in names
    )
    statement = sql.SQL(
        "SELECT p.number, p.memory, p.tokens FROM mmind.passage p{} WHERE {} AND p.words @@ %(any)s::tsquery"
        " ORDER BY ({}) / (1 + %(slope)s::float8 * (1 - %(b)s::float8"
        " + %(b)s::float8 * p.length / %(mean)s::float8)) DESC, p.number LIMIT %(most)s"
    ).format(scope.joined, scope.where, score)
    values: dict[str, object] = {**scope.values, "weights": WEIGHTS, "any": terms.tsquery(telling), "most": most}
    values |= {"slope": K1, "b": B, "mean": scope.mean}
    for (weight, name), term in zip(names, ranked, strict=True):
        values |= {weight: idf(frequencies[term], scope.passages), name: terms.quoted(term)}
    return scope.connection.execute(statement, values).fetchall()


def _candidates(scope: Scope, bound: int) -> int:
    """How many passages meet the condition: exactly up to `bound`, `bound + 1` where there are more."""
    if scope.is_open or scope.passages <= bound:
        return scope.passages
    statement = sql.SQL(
        "SELECT count(*) FROM (SELECT 1 FROM mmind.passage p{} WHERE {} LIMIT %(bound)s) AS few"
    ).format(scope.joined, scope.where)
    row = scope.connection.execute(statement, {**scope.values, "bound": bound + 1}).fetchone()
    return int(row[0]) if row else 0
