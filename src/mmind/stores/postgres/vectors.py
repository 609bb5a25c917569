"""Vectors in Postgres: the extension, the models that made any, and which passages still wait."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from psycopg import errors, sql

from mmind.embedding.backfill import Task
from mmind.stores.postgres import near_index
from mmind.stores.postgres.connections import Connection
from mmind.stores.postgres.model import Model
from mmind.stores.postgres.schema import LOCK
from mmind.text.embedded import embedded_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mmind.values.ports import Vectors

LOCK_SECONDS = 2  # that a vector waits while another process makes the index: a write must not hang on it
CLAIM_MINUTES = 3  # after so long, what a process took on and did not finish is free again
MISSING = (
    "no vectors in this database, so it is searched by words only: let its administrator install pgvector"
    " (package postgresql-NN-pgvector, or the provider's switch) and run CREATE EXTENSION vector"
)

Version = tuple[int, int]


def extension(connection: Connection) -> Version | None:
    """The version of pgvector in this database, whose names then stand for the rest of the transaction; or None."""
    row = connection.execute(
        "SELECT set_config('search_path', 'mmind, ' || quote_ident(nspname), true), extversion"
        " FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'"
    ).fetchone()
    if row is None:
        return None
    major, minor, *_ = [int(part) for part in str(row[1]).split(".")] + [0]
    return major, minor


def find_model(connection: Connection, identity: str) -> Model | None:
    """The model of this name; None when it has no vectors here, or lost them with the extension."""
    row = connection.execute(
        "SELECT number, dimension, kind FROM mmind.model WHERE identity = %s AND EXISTS (SELECT 1 FROM pg_attribute"
        " WHERE attrelid = to_regclass('mmind.vector_' || number) AND attname = 'value' AND NOT attisdropped)",
        (identity,),
    ).fetchone()
    return None if row is None else Model(*row)


def enter_model(connection: Connection, identity: str, dimension: int) -> Model | None:
    """The model of this name, made when it is new: every passage then waits for it. None where there is no pgvector.

    Runs in a writing transaction.
    """
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    version = extension(connection) or _installed(connection)
    if version is None:
        return None
    found = find_model(connection, identity)
    if found is None:
        kind = "halfvec" if version >= (0, 7) else "vector"
        row = connection.execute(
            "INSERT INTO mmind.model(identity, dimension, kind) VALUES (%s, %s, %s)"
            " ON CONFLICT (identity) DO UPDATE SET kind = excluded.kind RETURNING number",
            (identity, dimension, kind),
        ).fetchone()
        assert row is not None
        found = Model(row[0], dimension, kind)
        _make_table(connection, found)
        connection.execute(
            "INSERT INTO mmind.pending(passage, model, store) SELECT number, %s, store FROM mmind.passage"
            " ON CONFLICT DO NOTHING",
            (found.number,),
        )
    return found


def _installed(connection: Connection) -> Version | None:
    """pgvector, put into this database where the server has it and the role may; a superuser's work most often."""
    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (errors.InsufficientPrivilege, errors.FeatureNotSupported, errors.UndefinedFile, errors.UndefinedObject):
        return None
    return extension(connection)


def _make_table(connection: Connection, model: Model) -> None:
    kind = sql.SQL(model.kind)
    size = sql.Literal(model.dimension)
    connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(model.table))  # what is left when the extension went
    connection.execute(
        sql.SQL("CREATE TABLE {} (digest bytea PRIMARY KEY, value {}({}) NOT NULL)").format(model.table, kind, size)
    )
    connection.execute(sql.SQL("ALTER TABLE {} ALTER COLUMN value SET STORAGE PLAIN").format(model.table))
    near_index.make(connection, model)


def _models(connection: Connection) -> list[Model]:
    """Every model that has a table here."""
    listed = "SELECT number, dimension, kind FROM mmind.model WHERE to_regclass('mmind.vector_' || number) IS NOT NULL"
    return [Model(*row) for row in connection.execute(listed).fetchall()]


def enqueue(connection: Connection, memory: int) -> None:
    """Let the passages of a memory wait for every model that has no vector of their text yet."""
    for model in _models(connection):
        connection.execute(
            sql.SQL(
                "INSERT INTO mmind.pending(passage, model, store) SELECT p.number, %s, p.store FROM mmind.passage p"
                " WHERE p.memory = %s AND NOT EXISTS (SELECT 1 FROM {} v WHERE v.digest = p.digest)"
            ).format(model.table),
            (model.number, memory),
        )


def with_vectors(connection: Connection, model: Model, digests: Sequence[bytes]) -> set[bytes]:
    """Those of some texts that have a vector of the model already."""
    statement = sql.SQL("SELECT digest FROM {} WHERE digest = ANY(%s)").format(model.table)
    return {digest for (digest,) in connection.execute(statement, (list(digests),))}


def count(connection: Connection, model: Model) -> int:
    """How many vectors of the model there are."""
    row = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(model.table)).fetchone()
    return int(row[0]) if row else 0


def count_pending(connection: Connection, model: Model, store: str) -> int:
    """How many passages of a store wait for a vector of the model."""
    row = connection.execute(
        "SELECT count(*) FROM mmind.pending WHERE model = %s AND store = %s", (model.number, store)
    ).fetchone()
    return int(row[0]) if row else 0


def claim(
    connection: Connection, model: Model, store: str, most: int, aside: AbstractSet[bytes] = frozenset()
) -> list[Task]:
    """Take on the texts to embed next, without doubles and those whose digests are `aside`, those written last first,
    and keep them from other processes.

    The order is one that an index gives: with a million that wait, looking for the newest took seconds each time.
    """
    rows = connection.execute(
        "WITH chosen AS (SELECT w.passage FROM mmind.pending w WHERE w.model = %(model)s AND w.store = %(store)s"
        " AND (w.claimed IS NULL OR w.claimed < now() - make_interval(mins => %(minutes)s))"
        " AND (%(passes_all)s OR (SELECT p.digest FROM mmind.passage p WHERE p.number = w.passage) <> ALL(%(aside)s))"
        " ORDER BY w.passage DESC LIMIT %(most)s FOR UPDATE OF w SKIP LOCKED),"
        " taken AS (UPDATE mmind.pending w SET claimed = now() FROM chosen"
        " WHERE w.passage = chosen.passage AND w.model = %(model)s RETURNING w.passage)"
        " SELECT p.digest, m.title, p.heading, p.text FROM taken JOIN mmind.passage p ON p.number = taken.passage"
        " JOIN mmind.memory m ON m.number = p.memory",
        {
            "model": model.number,
            "store": store,
            "most": most,
            "minutes": CLAIM_MINUTES,
            "passes_all": not aside,
            "aside": list(aside),
        },
    ).fetchall()
    tasks = (Task(digest, embedded_text(title, heading, text)) for digest, title, heading, text in rows)
    return list({task.digest: task for task in tasks}.values())


def unclaim(connection: Connection, model: Model, tasks: Sequence[Task]) -> None:
    """Give back what could not be embedded."""
    connection.execute(
        "UPDATE mmind.pending w SET claimed = NULL FROM mmind.passage p"
        " WHERE p.number = w.passage AND w.model = %s AND p.digest = ANY(%s)",
        (model.number, [task.digest for task in tasks]),
    )


def put_vectors(connection: Connection, model: Model, tasks: Sequence[Task], vectors: Vectors) -> None:
    """Keep vectors (n, d), rounded to half precision, and let no passage of these texts wait any longer."""
    import numpy as np

    halves = np.asarray(vectors, dtype=np.float16)
    rows = sorted({task.digest: half.tolist() for task, half in zip(tasks, halves, strict=True)}.items())
    statement = sql.SQL("INSERT INTO {}(digest, value) VALUES (%s, %s::{}) ON CONFLICT (digest) DO NOTHING").format(
        model.table,
        sql.SQL(model.kind),
    )
    connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'".encode())
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(digest, literal(values)) for digest, values in rows])
    connection.execute(
        "DELETE FROM mmind.pending w USING mmind.passage p"
        " WHERE p.number = w.passage AND w.model = %s AND p.digest = ANY(%s)",
        (model.number, [digest for digest, _ in rows]),
    )


def literal(values: Sequence[float]) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(map(repr, values)) + "]"


def unpacked(packed: Sequence[bytes], kind: str) -> NDArray[np.float32]:
    """Vectors (n, d) from what `halfvec_send` or `vector_send` gave: two counts of 16 bits, then the numbers."""
    import numpy as np

    form = ">f2" if kind == "halfvec" else ">f4"
    return np.stack([np.frombuffer(one, dtype=form, offset=4) for one in packed]).astype(np.float32)


def tidy(connection: Connection) -> None:
    """Drop vectors that no passage has, and let passages wait that have neither a vector nor a place in the queue."""
    for model in _models(connection):
        connection.execute(
            sql.SQL(
                "DELETE FROM {} v WHERE NOT EXISTS (SELECT 1 FROM mmind.passage p WHERE p.digest = v.digest)"
            ).format(model.table)
        )
        connection.execute(
            sql.SQL(
                "INSERT INTO mmind.pending(passage, model, store) SELECT p.number, %s, p.store FROM mmind.passage p"
                " WHERE NOT EXISTS (SELECT 1 FROM {} v WHERE v.digest = p.digest) ON CONFLICT DO NOTHING"
            ).format(model.table),
            (model.number,),
        )
