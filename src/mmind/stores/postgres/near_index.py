"""The HNSW index over the vectors of a model: made with their table, or after a first fill, which it would slow down.

At a million vectors of 384 numbers one more costs the server 5 ms with the index there, and 0.1 ms without; to make it
over all of them at once takes about ten minutes of processor, where `maintenance_work_mem` holds it (more than 1.1 kB a
vector), and far longer where it does not.
"""

from __future__ import annotations

from psycopg import sql

from mmind.stores.postgres.connections import Connection
from mmind.stores.postgres.model import Model

FIRST_FILL = 20_000  # passages that wait, from which on the index waits for their vectors
BUILD_SECONDS = 4 * 3600.0
HALF_MOST_DIMENSIONS, WHOLE_MOST_DIMENSIONS = 4_000, 2_000  # what an HNSW index of pgvector takes
# A store of up to so many passages is compared one by one while the index is missing. A million took eight seconds on
# two busy cores, and a store that does not answer in time would answer by words neither.
MOST_WITHOUT = 100_000
MISSING = (
    f"the index over the vectors is missing: up to {MOST_WITHOUT:,} are compared one by one, of more only words answer;"
    " run `mmind index` to make it"
)


def is_there(connection: Connection, model: Model) -> bool:
    """Whether the model's vectors have their index."""
    row = connection.execute("SELECT to_regclass('mmind.' || quote_ident(%s)) IS NOT NULL", (_name(model),)).fetchone()
    return row == (True,)


def is_due(connection: Connection, model: Model) -> bool:
    """Whether the index can be made, is missing, and no vector is still to come that would have to wait for it."""
    if not is_possible(model) or is_there(connection, model):
        return False
    waits = "SELECT EXISTS(SELECT 1 FROM mmind.pending WHERE model = %s)"
    return connection.execute(waits, (model.number,)).fetchone() == (False,)


def make(connection: Connection, model: Model) -> None:
    """Make the index, unless it is there or vectors of this dimension cannot have one. Other processes wait with
    their vectors until it is made, and one that would make it too finds it."""
    if is_possible(model):
        # IF NOT EXISTS does not see one that is still being made, and fails when that is done. This lock is for one.
        connection.execute(sql.SQL("LOCK TABLE {} IN SHARE UPDATE EXCLUSIVE MODE").format(model.table))
        connection.execute(
            sql.SQL("CREATE INDEX IF NOT EXISTS {} ON {} USING hnsw (value {})").format(
                sql.Identifier(_name(model)), model.table, sql.SQL(f"{model.kind}_cosine_ops")
            )
        )


def is_possible(model: Model) -> bool:
    """Whether pgvector can index vectors of this type and dimension."""
    return model.dimension <= (HALF_MOST_DIMENSIONS if model.kind == "halfvec" else WHOLE_MOST_DIMENSIONS)


def put_off(connection: Connection, model: Model) -> None:
    """Drop the index where so many passages wait, and more than have a vector, that making it last is cheaper."""
    waiting = _number(connection, sql.SQL("SELECT count(*) FROM mmind.pending WHERE model = %s"), model.number)
    if waiting < FIRST_FILL:
        return
    bounded = sql.SQL("SELECT count(*) FROM (SELECT 1 FROM {} LIMIT %s) AS few").format(model.table)
    if _number(connection, bounded, waiting) < waiting:
        connection.execute(sql.SQL("DROP INDEX IF EXISTS mmind.{}").format(sql.Identifier(_name(model))))


def _number(connection: Connection, statement: sql.SQL | sql.Composed, value: int) -> int:
    row = connection.execute(statement, (value,)).fetchone()
    return int(row[0]) if row else 0


def _name(model: Model) -> str:
    return f"vector_{model.number}_near"
