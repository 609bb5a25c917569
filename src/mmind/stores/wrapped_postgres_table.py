"""The table or view of a Postgres database that is wrapped: found by name in the catalog, and read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import errors, sql

from mmind.stores.postgres.connections import Connection, Connections
from mmind.stores.postgres.faults import first_line
from mmind.stores.served import ServedAt
from mmind.stores.table import ROLES, Row, chosen
from mmind.values.errors import ConfigError, EngineError, EngineUnavailable
from mmind.values.wrapped import Columns

SCAN_SECONDS = 120.0  # a table is read in the background
_KINDS = ["r", "p", "v", "m", "f"]  # tables, partitioned tables, views, materialized views, foreign tables
_DATED = ("date", "timestamp with time zone", "timestamp without time zone")


@dataclass(frozen=True, slots=True)
class Found:
    """The table as the database knows it: its number, its name, its columns by role, the type of its ids, and which
    columns hold dates or times."""

    number: int
    name: sql.SQL
    names: Mapping[str, str]
    key_type: str
    dated: frozenset[str] = frozenset()

    def picked(self, roles: Sequence[str]) -> sql.Composed:
        """The columns of these roles, NULL where there is none, or a time that is infinite or out of Python's years."""
        return sql.SQL(", ").join(self._value(role) for role in roles)

    def _value(self, role: str) -> sql.Composable:
        if role not in self.names:
            return sql.NULL
        column = identifier(self.names[role])
        if role == "id" or self.names[role] not in self.dated:
            return column
        return sql.SQL("CASE WHEN {} BETWEEN '0001-01-02' AND '9999-12-30' THEN {} END").format(column, column)


class _NoSuchKey(EngineUnavailable):
    """An id that cannot stand in the column of ids, as a word cannot stand among numbers."""


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
        with self.reading(SCAN_SECONDS) as (connection, found):
            statement = sql.SQL("SELECT {} FROM {}").format(found.picked(("id", "time")), found.name)
            return [(key, moment) for key, moment in connection.execute(statement, ())]

    def rows(self, ids: Sequence[object] | None) -> Iterable[Row]:
        """The rows with these ids, or all. Raises EngineError or ConfigError."""
        try:
            with self.reading(SCAN_SECONDS) as (connection, found):
                statement = sql.SQL("SELECT {} FROM {}").format(found.picked(ROLES), found.name)
                if ids is None:
                    return connection.execute(statement, ()).fetchall()
                condition = sql.SQL(" WHERE {} = ANY(%s::text[]::{}[])").format(
                    identifier(found.names["id"]), sql.SQL(found.key_type)
                )
                return connection.execute(statement + condition, ([str(key) for key in ids],)).fetchall()
        except _NoSuchKey:
            return []

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()

    @contextlib.contextmanager
    def reading(self, seconds: float) -> Iterator[tuple[Connection, Found]]:
        """A view of the database that cannot write, and the table in it. Raises EngineError or ConfigError."""
        try:
            with self._connections.reading(seconds) as connection:
                yield connection, self._found(connection)
        except EngineError as fault:
            raise self._worded(fault) from None

    def _worded(self, fault: EngineError) -> EngineError:
        """The fault, with what to do about a table that is not ours."""
        table = self._columns.table
        match fault.__context__:
            case errors.InvalidTextRepresentation() | errors.NumericValueOutOfRange() | errors.InvalidDatetimeFormat():
                return _NoSuchKey(fault.message)
            case errors.InsufficientPrivilege():
                return EngineUnavailable(fault.message, f"let its owner GRANT SELECT ON {table} to this role")
            case errors.UndefinedTable() | errors.UndefinedColumn() | errors.UndefinedObject():
                message = f"{self.where()} was changed: {first_line(fault.__context__)}"
                return EngineUnavailable(message, "ask again, or wrap it again as it is now")
        return fault

    def _found(self, connection: Connection) -> Found:
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
        columns: list[tuple[str, str]] = connection.execute(
            "SELECT attname, format_type(atttypid, -1) FROM pg_attribute"
            " WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            (oid,),
        ).fetchall()
        names = chosen(self._columns, [column for column, _ in columns], wanted)
        key_type = dict(columns)[names["id"]].replace("%", "%%")  # quoted by the server itself
        dated = frozenset(column for column, kind in columns if kind in _DATED)
        return Found(oid, identifier(schema, name), names, key_type, dated)

    def _known(self, connection: Connection) -> str:
        tables = connection.execute(
            "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN relname ELSE nspname || '.' || relname END"
            " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = ANY(%s)"
            " AND nspname NOT IN ('pg_catalog', 'information_schema', 'mmind') ORDER BY 1 LIMIT 20",
            (_KINDS,),
        ).fetchall()
        return f"its tables: {', '.join(name for (name,) in tables) or 'none that this role may see'}"


def identifier(*names: str) -> sql.SQL:
    """A name that the database gave, for statements that are sent with values (also with none).

    The driver takes a sign of per cent in a name for the place of a value.
    """
    return sql.SQL(sql.Identifier(*names).as_string(None).replace("%", "%%"))
