"""A table or view of a Postgres database, wrapped: read in transactions that cannot write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from psycopg import sql

from mmind.stores.postgres.connections import Connections, Cursor
from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.stores.table import ROLES, Row, TableEngine, chosen
from mmind.values.errors import ConfigError
from mmind.values.memory import Trust
from mmind.values.wrapped import Columns

SCAN_SECONDS = 120.0  # a table is read in the background
_KINDS = ["r", "p", "v", "m", "f"]  # tables, partitioned tables, views, materialized views, foreign tables


def open_engine(store: str, location: Path | ServedAt, options: EngineOptions) -> TableEngine:
    """The table that `options.columns` names in the database at `location`. Cheap; nothing is connected yet."""
    if options.columns is None or not isinstance(location, ServedAt):
        raise ConfigError(f"the {store} source names no table", "wrap it again with --table, --id and --text")
    trust = Trust.GENERATED if options.generated else Trust.CURATED
    return TableEngine(store, PostgresTable(location, options.columns), bool(options.columns.time), trust)


class PostgresTable:
    """Keeps the promises of `stores.table.Table` over one database."""

    def __init__(self, place: ServedAt, columns: Columns) -> None:
        self._place = place
        self._columns = columns
        self._connections = Connections(place)

    def where(self) -> str:
        """The database, and the table in it."""
        return f"{self._place.address}/{self._columns.table}"

    def marks(self) -> Iterable[tuple[object, object]]:
        """(id, time) of every row. Raises EngineError or ConfigError."""
        with self._connections.reading(SCAN_SECONDS) as connection:
            table, names = self._found(connection)
            moment = sql.Identifier(names["time"]) if "time" in names else sql.NULL
            statement = sql.SQL("SELECT {}, {} FROM {}").format(sql.Identifier(names["id"]), moment, table)
            return [(key, moment) for key, moment in connection.execute(statement)]

    def rows(self, ids: Sequence[object] | None) -> Iterable[Row]:
        """The rows with these ids, or all. Raises EngineError or ConfigError."""
        with self._connections.reading(SCAN_SECONDS) as connection:
            table, names = self._found(connection)
            picked = sql.SQL(", ").join(sql.Identifier(names[role]) if role in names else sql.NULL for role in ROLES)
            statement = sql.SQL("SELECT {} FROM {}").format(picked, table)
            if ids is None:
                return connection.execute(statement).fetchall()
            condition = sql.SQL(" WHERE {}::text = ANY(%s)").format(sql.Identifier(names["id"]))
            return connection.execute(statement + condition, ([str(key) for key in ids],)).fetchall()

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()

    def _found(self, connection: Cursor) -> tuple[sql.Identifier, dict[str, str]]:
        """The table and its columns by role, all by the names that the database itself gives."""
        wanted = self._columns.table
        found: list[Any] = connection.execute(
            "SELECT c.oid, n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind = ANY(%(kinds)s) AND (n.nspname || '.' || c.relname = %(name)s"
            " OR (c.relname = %(name)s AND pg_table_is_visible(c.oid))) LIMIT 1",
            {"name": wanted, "kinds": _KINDS},
        ).fetchall()
        if not found:
            raise ConfigError(f"{self._place.address} has no table {wanted!r}", self._known(connection))
        oid, schema, name = found[0]
        columns = connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            (oid,),
        ).fetchall()
        names = chosen(self._columns, [column for (column,) in columns], wanted)
        return sql.Identifier(schema, name), dict(names)

    def _known(self, connection: Cursor) -> str:
        tables = connection.execute(
            "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN relname ELSE nspname || '.' || relname END"
            " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = ANY(%s)"
            " AND nspname NOT IN ('pg_catalog', 'information_schema', 'mmind') ORDER BY 1 LIMIT 20",
            (_KINDS,),
        ).fetchall()
        return f"its tables: {', '.join(name for (name,) in tables) or 'none that this role may see'}"
