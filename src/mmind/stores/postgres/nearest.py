"""Which passages of a Postgres store are nearest to a vector: one by one where they are few, else along the index."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from mmind.stores.postgres import near_index
from mmind.stores.postgres.connections import Connection
from mmind.stores.postgres.model import Model
from mmind.stores.postgres.vectors import Version, literal

# Up to so many passages are compared one by one, which takes some 5 us each, and nothing is missed.
EXACT_UP_TO = 5_000
# A step along an index costs as much as so many comparisons one by one: 102 us and 21 us at 300,000 passages.
STEP_COSTS = 4
# An index is walked for at most so many vectors, so that a filter which lets few pass still finds them.
MOST_SCANNED = 40_000


def nearest(connection: Connection, model: Model, version: Version, asked: Nearest) -> list[tuple[int, int]]:
    """(passage, memory) of those near to a vector, nearest first but for small slips, at most `asked.most`.

    Exactly where few passages come into question, through the index where many do; none of very many while that is
    missing.
    """
    names = {"table": model.table, "kind": sql.SQL(model.kind), "joined": asked.joined, "where": asked.where}
    values = {**asked.values, "vector": literal(asked.vector), "most": asked.most}
    is_few = asked.candidates <= asked.exact_up_to
    if not is_few and not near_index.is_there(connection, model):
        if asked.passages > near_index.MOST_WITHOUT:
            return []
        is_few = True
    if is_few:
        return _pairs(connection.execute(_EXACT.format(**names), values).fetchall())
    connection.execute(sql.SQL("; ").join(map(sql.SQL, _walking(version, asked.most))))  # one round trip
    found = _pairs(connection.execute(_WALKED.format(**names), values).fetchall())
    if len(found) < min(asked.most, asked.candidates) and version < (0, 8):  # the filter starved an older index
        return _pairs(connection.execute(_EXACT.format(**names), values).fetchall())
    return found


def exact_up_to(passages: int, most: int) -> int:
    """Up to how many candidates among `passages` it is cheaper to compare all than to walk the index to `most` of them.

    A walk to `most` of c candidates takes about most * passages / c steps.
    """
    return max(EXACT_UP_TO, math.isqrt(STEP_COSTS * most * passages))


@dataclass(frozen=True, slots=True)
class Nearest:
    """A question: a vector, a condition over `p` (and `m`, where that is joined) with its bindings, about how many of
    the store's passages meet it, and how many are wanted. Up to `exact_up_to` candidates are compared one by one."""

    vector: Sequence[float]
    joined: sql.SQL
    where: sql.Composable
    values: dict[str, object]
    passages: int
    candidates: int
    exact_up_to: int
    most: int


_EXACT = sql.SQL(
    "WITH near AS MATERIALIZED (SELECT p.number, p.memory, v.value <=> %(vector)s::{kind} AS distance"
    " FROM mmind.passage p{joined} JOIN {table} v ON v.digest = p.digest"
    " WHERE {where}) SELECT number, memory FROM near ORDER BY distance, number LIMIT %(most)s"
)
_WALKED = sql.SQL(
    "SELECT p.number, p.memory FROM {table} v JOIN mmind.passage p ON p.digest = v.digest{joined} WHERE {where}"
    " ORDER BY v.value <=> %(vector)s::{kind} LIMIT %(most)s"
)


def _walking(version: Version, most: int) -> list[str]:
    """Settings under which the planner walks the index outwards from the vector, joining as it goes."""
    plan = [f"SET LOCAL enable_{way} = off" for way in ("seqscan", "hashjoin", "mergejoin", "sort", "bitmapscan")]
    if version < (0, 8):
        return [*plan, "SET LOCAL hnsw.ef_search = 1000"]
    return [
        *plan,
        f"SET LOCAL hnsw.ef_search = {min(1000, max(100, most))}",
        "SET LOCAL hnsw.iterative_scan = relaxed_order",
        f"SET LOCAL hnsw.max_scan_tuples = {MOST_SCANNED}",
    ]


def _pairs(rows: Sequence[Any]) -> list[tuple[int, int]]:
    return [(number, memory) for number, memory in rows]
