"""Memories into and out of schema `mmind`, inside a writing transaction."""

from __future__ import annotations

from mmind.stores.postgres import rows, spelling, vectors
from mmind.stores.postgres.connections import Connection
from mmind.text.prepared import Prepared

_COLUMNS = (
    "store, key, id, text, title, tags, aliases, links, created, time, trust, writer, session, format, truncated,"
    " tag_keys, fingerprint, cut"
)
_NAMES = [name.strip() for name in _COLUMNS.split(",")]
_UPSERT = (
    f"INSERT INTO mmind.memory({_COLUMNS}, change) VALUES ("  # noqa: S608 - our own column names
    + ", ".join(f"%({name})s" for name in _NAMES)
    + ", pg_current_xact_id()) ON CONFLICT (store, key) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in [*_NAMES, "change"])
    + " RETURNING number, xmax = 0"
)
_PASSAGE = (
    "INSERT INTO mmind.passage(store, memory, ordinal, heading, line_start, line_end, text, tokens, length, digest,"
    " words)"
    " VALUES (%(store)s, %(memory)s, %(ordinal)s, %(heading)s, %(line_start)s, %(line_end)s, %(text)s, %(tokens)s,"
    " %(length)s, %(digest)s, %(words)s::tsvector)"
)


def put(connection: Connection, prepared: Prepared) -> None:
    """Write a memory and its passages, in place of those of the same id. Two writers of one id take turns."""
    memory = prepared.memory
    row = connection.execute(_UPSERT.encode(), rows.memory_values(memory)).fetchone()
    assert row is not None
    number, is_new = row
    passages, length = (0, 0.0) if is_new else _drop_passages(connection, number)
    with connection.cursor() as cursor:
        cursor.executemany(
            _PASSAGE.encode(), [rows.passage_values(memory.store, number, one) for one in prepared.passages]
        )
    vectors.enqueue(connection, number)
    added = sum(one.length for one in prepared.passages)
    tally(connection, memory.store, int(is_new), len(prepared.passages) - passages, added - length)
    if is_new:
        connection.execute(
            "DELETE FROM mmind.removal WHERE store = %s AND key = %s", (memory.store, rows.key_of(memory.id))
        )
    spelling.put(connection, memory.store, prepared.spellings)


def delete(connection: Connection, store: str, id: str) -> bool:
    """Remove a memory; False when there was none."""
    key = rows.key_of(id)
    row = connection.execute(
        "SELECT number, id FROM mmind.memory WHERE store = %s AND key = %s FOR UPDATE", (store, key)
    ).fetchone()
    if row is None:
        return False
    passages, length = _drop_passages(connection, row[0])
    connection.execute("DELETE FROM mmind.memory WHERE number = %s", (row[0],))
    tally(connection, store, -1, -passages, -length)
    connection.execute(
        "INSERT INTO mmind.removal VALUES (%s, %s, %s, pg_current_xact_id())"
        " ON CONFLICT (store, key) DO UPDATE SET change = excluded.change",
        (store, key, row[1]),
    )
    return True


def tally(connection: Connection, store: str, memories: int, passages: int, length: float) -> None:
    """Note what was added and taken; a row of its own, so that writers do not wait for one another."""
    connection.execute("INSERT INTO mmind.tally VALUES (%s, %s, %s, %s)", (store, memories, passages, length))


def fold(connection: Connection, store: str) -> None:
    """Make one row of the many that the sums of a store have become, unless somebody else is at it."""
    row = connection.execute("SELECT pg_try_advisory_xact_lock(hashtextextended('mmind tally', 0))").fetchone()
    if row == (True,):
        connection.execute(
            "WITH taken AS (DELETE FROM mmind.tally WHERE store = %s RETURNING *)"
            " INSERT INTO mmind.tally SELECT store, sum(memories), sum(passages), sum(length) FROM taken"
            " GROUP BY store",
            (store,),
        )


def _drop_passages(connection: Connection, memory: int) -> tuple[int, float]:
    """Remove the passages of a memory: how many there were, and how long in all."""
    dropped = connection.execute("DELETE FROM mmind.passage WHERE memory = %s RETURNING length", (memory,)).fetchall()
    return len(dropped), sum(length for (length,) in dropped)
