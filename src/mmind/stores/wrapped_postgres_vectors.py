"""The search of a wrapped Postgres table by its own column of pgvector's types, one vector a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from psycopg import sql

from mmind.stores.postgres.connections import READ_SECONDS, Connection
from mmind.stores.postgres.nearest import MOST_SCANNED
from mmind.stores.postgres.vectors import literal, unpacked
from mmind.stores.rows import text_of
from mmind.stores.wrapped_postgres_table import Found, PostgresTable, identifier
from mmind.values.errors import ConfigError
from mmind.values.wrapped import Columns

if TYPE_CHECKING:
    from mmind.stores.wrapped_meaning import Vector

SAMPLE = 8  # rows by which a model is judged
_TOLD = ("title", "text")
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of vectors: its name, `vector` or `halfvec`, the schema where pgvector lies and pgvector's version, and
    the column's dimension (0: any)."""

    name: sql.SQL
    kind: str
    schema: sql.SQL
    version: tuple[int, ...]
    dimension: int

    @property
    def sent(self) -> sql.Composed:
        """Its value in pgvector's binary form."""
        return sql.SQL("{}.{}({})").format(self.schema, sql.SQL(f"{self.kind}_send"), self.name)

    @property
    def distance(self) -> sql.Composed:
        """Its cosine distance to a value that is bound."""
        return sql.SQL("{} OPERATOR({}.<=>) %s::{}.{}").format(self.name, self.schema, self.schema, sql.SQL(self.kind))

    def of_length(self, length: int) -> sql.Composed:
        """The condition that a row's vector can be compared with one of so many numbers: pgvector fails on others."""
        if self.dimension:
            return sql.SQL("{} IS NOT NULL").format(self.name)
        return sql.SQL("{}.vector_dims({}) = {}").format(self.schema, self.name, sql.Literal(length))


class PostgresVectors:
    """Keeps the promises of `stores.wrapped_meaning.OwnVectors` over a column of type vector or halfvec."""

    def __init__(self, table: PostgresTable, columns: Columns, in_use: str) -> None:
        self._table = table
        self._columns = columns
        self.model = columns.vector_model
        self.is_usable = self.model == in_use

    def label(self) -> str:
        """For people."""
        return f"found by meaning too, by vectors of {self.model} in its own column {self._columns.vector}"

    def check(self) -> int:
        """The dimension that the column was declared with, 0 for any."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            return self._column(connection, found).dimension

    def nearest(self, vector: Sequence[float], most: int) -> Sequence[tuple[object, object, object]]:
        """(id, time, tags) by cosine distance: through an index for it where there is one, else row by row."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            column = self._column(connection, found)
            self._require_length(column, len(vector))
            connection.execute("; ".join(_walking(column.version, most)).encode())
            statement = sql.SQL("SELECT {} FROM {} WHERE {} ORDER BY {} LIMIT %s").format(
                found.picked(("id", "time", "tags")), found.name, column.of_length(len(vector)), column.distance
            )
            return [tuple(row) for row in connection.execute(statement, (literal(list(vector)), most))]

    def of(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        """The vectors of these rows."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            column = self._column(connection, found)
            key = identifier(found.names["id"])
            statement = sql.SQL("SELECT {}, {} FROM {} WHERE {} IS NOT NULL AND {} = ANY(%s::text[]::{}[])").format(
                key, column.sent, found.name, column.name, key, sql.SQL(found.key_type)
            )
            rows: list[Any] = connection.execute(statement, (list(ids),)).fetchall()
        return _units({text_of(key): sent for key, sent in rows}, column.kind)

    def sample(self) -> Mapping[tuple[str, str], Vector]:
        """Some vectors by (title, text) of their rows."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            column = self._column(connection, found)
            text = identifier(found.names["text"])
            statement = sql.SQL(
                "SELECT {}, {} FROM {} WHERE {} IS NOT NULL AND {}::text ~ '[[:alpha:]]' LIMIT %s"
            ).format(found.picked(_TOLD), column.sent, found.name, column.name, text)
            rows: list[Any] = connection.execute(statement, (SAMPLE,)).fetchall()
        return _units({(text_of(title), text_of(text)): sent for title, text, sent in rows}, column.kind)

    def _require_length(self, column: _Column, length: int) -> None:
        if column.dimension not in (0, length):
            raise ConfigError(
                f"column {self._columns.vector} of {self._columns.table} now holds vectors of {column.dimension}"
                f" numbers, and {self.model} makes {length}",
                "unwrap it, and wrap it again with the model in use or without --vector",
            )

    def _column(self, connection: Connection, found: Found) -> _Column:
        kept: list[Any] = connection.execute(
            "SELECT attname, typname, nspname, extversion, greatest(atttypmod, 0) FROM pg_attribute"
            " JOIN pg_type t ON t.oid = atttypid JOIN pg_namespace n ON n.oid = typnamespace"
            " JOIN pg_extension e ON e.extnamespace = typnamespace AND extname = 'vector'"
            " WHERE attrelid = %s AND typname IN ('vector', 'halfvec') AND attnum > 0 AND NOT attisdropped"
            " ORDER BY attnum",
            (found.number,),
        ).fetchall()
        for name, kind, schema, version, dimension in kept:
            if name == self._columns.vector:
                numbers = tuple(map(int, version.split(".")[:2]))
                return _Column(identifier(name), kind, identifier(schema), numbers, dimension)
        has = ", ".join(name for name, *_ in kept) or "none"
        raise ConfigError(
            f"{self._columns.table} has no column {self._columns.vector!r} of type vector or halfvec", f"it has: {has}"
        )


def _walking(version: tuple[int, ...], most: int) -> list[str]:
    """Settings under which an index gives so many rows: by itself pgvector's gives 40, or what one list holds."""
    if version < (0, 8):
        return [f"SET LOCAL hnsw.ef_search = {min(1000, max(100, most))}", "SET LOCAL ivfflat.probes = 20"]
    return [
        f"SET LOCAL hnsw.ef_search = {min(1000, max(100, most))}",
        "SET LOCAL hnsw.iterative_scan = relaxed_order",
        f"SET LOCAL hnsw.max_scan_tuples = {MOST_SCANNED}",
        "SET LOCAL ivfflat.iterative_scan = relaxed_order",
    ]


def _units(sent: Mapping[Key, bytes], kind: str) -> dict[Key, Vector]:
    """Vectors at unit length, without those of zeros."""
    import numpy as np

    made = dict[Any, Any]()
    for key, packed in sent.items():
        vector = unpacked([packed], kind)[0]
        length = float(np.linalg.norm(vector))
        if np.isfinite(length) and length > 0.0:
            made[key] = vector / length
    return made
