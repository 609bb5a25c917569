"""The models that ever made vectors here, which passages still lack one of each, and what no passage needs any more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from mmind.embedding.backfill import Task
from mmind.index.rows import unpacked
from mmind.index.sources import State, microseconds
from mmind.text.embedded import embedded_text

if TYPE_CHECKING:
    import apsw

    from mmind.values.ports import Vectors

FORGOTTEN_AFTER = timedelta(days=30)


def find_model(connection: apsw.Connection, identity: str) -> int | None:
    """The number of a model; None when it made no vectors here."""
    row = connection.execute("SELECT number FROM model WHERE identity = ?", (identity,)).fetchone()
    return None if row is None else int(row[0])


def enter_model(connection: apsw.Connection, identity: str, now: datetime) -> int:
    """The number of a model, noting that it is in use; a new one finds every passage waiting for it.

    Runs in a writing transaction.
    """
    number = find_model(connection, identity)
    if number is not None:
        connection.execute("UPDATE model SET used = ? WHERE number = ?", (microseconds(now), number))
        return number
    connection.execute("INSERT INTO model(identity, used) VALUES (?, ?)", (identity, microseconds(now)))
    number = connection.last_insert_rowid()
    connection.execute("INSERT INTO pending SELECT ?, source, number FROM passage", (number,))
    return number


def count_pending(connection: apsw.Connection, model: int, source: int) -> int:
    """How many passages of a source have no vector of a model."""
    statement = "SELECT count(*) FROM pending WHERE model = ? AND source = ?"
    return int(connection.execute(statement, (model, source)).get)


def waiting(connection: apsw.Connection, identity: str, state: State) -> int:
    """How many passages of a source have no vector of the model of this name; all, where it made none yet."""
    number = find_model(connection, identity)
    return state.passages if number is None else count_pending(connection, number, state.number)


def with_vectors(connection: apsw.Connection, model: int, digests: Sequence[bytes]) -> set[bytes]:
    """Those of some texts that have a vector of a model already."""
    statement = "SELECT 1 FROM vector WHERE model = ? AND digest = ?"
    return {digest for digest in digests if connection.execute(statement, (model, digest)).get}


def newest_waiting(connection: apsw.Connection, model: int, source: int) -> int:
    """The highest number of a passage of a source without a vector of a model; 0 when there is none."""
    statement = "SELECT coalesce(max(passage), 0) FROM pending WHERE model = ? AND source = ?"
    return int(connection.execute(statement, (model, source)).get)


def most_wanted(
    connection: apsw.Connection, model: int, source: int, bounds: tuple[int, int], aside: AbstractSet[bytes]
) -> list[int]:
    """The numbers of the passages to embed next: those of the newest memories first, for they are asked for most.

    `bounds` are the number above which they lie and how many at most; texts whose digests are `aside` are passed over.
    Looks at each that waits."""
    statement = (
        "SELECT pending.passage FROM pending"
        " JOIN passage ON passage.number = pending.passage JOIN memory ON memory.number = passage.memory"
        " WHERE pending.model = :model AND pending.source = :source AND pending.passage > :after"
        " AND (:aside = '[]' OR hex(passage.digest) NOT IN (SELECT value FROM json_each(:aside)))"
        " ORDER BY memory.time DESC, passage.number DESC LIMIT :most"
    )
    passed_over = json.dumps([digest.hex().upper() for digest in aside])
    values = {"model": model, "source": source, "after": bounds[0], "most": bounds[1], "aside": passed_over}
    rows: list[Any] = connection.execute(statement, values).fetchall()
    return [number for (number,) in rows]


def tasks_of(connection: apsw.Connection, model: int, source: int, passages: Sequence[int]) -> list[Task]:
    """The texts of those of some passages that still wait, in the order given, without doubles."""
    statement = (
        "SELECT passage.digest, memory.title, passage.heading, passage.text FROM json_each(?) AS listed"
        " CROSS JOIN pending ON pending.model = ? AND pending.source = ? AND pending.passage = listed.value"
        " JOIN passage ON passage.number = pending.passage JOIN memory ON memory.number = passage.memory"
        " ORDER BY listed.key"
    )
    rows: list[Any] = connection.execute(statement, (json.dumps(passages), model, source)).fetchall()
    tasks = (Task(key, embedded_text(title, unpacked(heading), text)) for key, title, heading, text in rows)
    return list({task.digest: task for task in tasks}.values())


def put_vectors(connection: apsw.Connection, model: int, tasks: Sequence[Task], vectors: Vectors) -> None:
    """Keep vectors (n, d) as float16 rows, and take every passage of these texts off the list.

    Runs in a writing transaction.
    """
    import numpy as np

    halves = np.asarray(vectors, dtype=np.float16)
    for task, half in zip(tasks, halves, strict=True):
        row = (model, task.digest, half.tobytes())
        connection.execute("INSERT OR IGNORE INTO vector(model, digest, value) VALUES (?, ?, ?)", row)
        connection.execute(
            "DELETE FROM pending WHERE model = ?1 AND (source, passage) IN"
            " (SELECT source, number FROM passage WHERE digest = ?2)",
            (model, task.digest),
        )


def unneeded_vectors(connection: apsw.Connection) -> list[int]:
    """The numbers of vectors that no passage has; reads the indexes of the two tables, and no vector."""
    statement = "SELECT number FROM vector WHERE digest NOT IN (SELECT digest FROM passage)"
    return [number for (number,) in cast("list[tuple[int]]", connection.execute(statement).fetchall())]


def forget_unused(connection: apsw.Connection, now: datetime, unneeded: Sequence[int]) -> None:
    """Drop those of some vectors that no passage has even now, and models that no process has used for 30 days, with
    their vectors. Runs in a writing transaction.
    """
    oldest = microseconds(now - FORGOTTEN_AFTER)
    for (number,) in connection.execute("SELECT number FROM model WHERE used < ?", (oldest,)).fetchall():
        for table in ("vector", "pending"):
            connection.execute(f"DELETE FROM {table} WHERE model = ?", (number,))  # noqa: S608 - names from the line above
        connection.execute("DELETE FROM model WHERE number = ?", (number,))
    connection.executemany(
        "DELETE FROM vector WHERE number = ? AND NOT EXISTS (SELECT 1 FROM passage WHERE digest = vector.digest)",
        ((number,) for number in unneeded),
    )
