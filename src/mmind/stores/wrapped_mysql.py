"""A table or view of a MySQL or MariaDB database, wrapped: read in transactions that cannot write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pymysql

from mmind.stores.mysql_faults import worded
from mmind.stores.mysql_login import connected, login_of
from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.stores.server_address import Address, address_of
from mmind.stores.table import ROLES, Row, TableEngine, chosen
from mmind.values.errors import ConfigError
from mmind.values.memory import Trust
from mmind.values.wrapped import Columns

if TYPE_CHECKING:
    from pymysql.cursors import Cursor

PORT = 3306
SCAN_SECONDS = 120.0  # a table is read in the background
_SESSION = ("SET SESSION sql_mode = 'STRICT_ALL_TABLES', time_zone = '+00:00'", "START TRANSACTION READ ONLY")


def open_engine(store: str, location: Path | ServedAt, options: EngineOptions) -> TableEngine:
    """The table that `options.columns` names in the database at `location`. Cheap; nothing is connected yet."""
    if options.columns is None or not isinstance(location, ServedAt):
        raise ConfigError(f"the {store} source names no table", "wrap it again with --table, --id and --text")
    trust = Trust.GENERATED if options.generated else Trust.CURATED
    address = address_of(location.url, PORT, location.variable)
    return TableEngine(store, MysqlTable(address, options.columns), bool(options.columns.time), trust)


class MysqlTable:
    """Keeps the promises of `stores.table.Table` over one database."""

    def __init__(self, address: Address, columns: Columns) -> None:
        self._address = address
        self._login = login_of(address)
        self._columns = columns

    def where(self) -> str:
        """The database, and the table in it."""
        return f"{self._address.where}/{self._columns.table}"

    def marks(self) -> Iterable[tuple[object, object]]:
        """(id, time) of every row. Raises EngineError or ConfigError."""
        with self._reading() as cursor:
            table, names = self._found(cursor)
            moment = quoted(names["time"]) if "time" in names else "NULL"
            cursor.execute(f"SELECT {quoted(names['id'])}, {moment} FROM {table}")  # noqa: S608 - names that the server gave
            return [(key, moment) for key, moment in cursor.fetchall()]

    def rows(self, ids: Sequence[object] | None) -> Iterable[Row]:
        """The rows with these ids, or all. Raises EngineError or ConfigError."""
        with self._reading() as cursor:
            table, names = self._found(cursor)
            picked = ", ".join(quoted(names[role]) if role in names else "NULL" for role in ROLES)
            statement = f"SELECT {picked} FROM {table}"  # noqa: S608 - names that the server gave
            if ids is None:
                cursor.execute(statement)
            else:
                marks = ", ".join(["%s"] * len(ids))
                where = f" WHERE {quoted(names['id'])} IN "
                cursor.execute(f"{statement}{where}".replace("%", "%%") + f"({marks})", tuple(ids))
            return list(cursor.fetchall())

    def close(self) -> None:
        """Nothing is held open."""

    def _found(self, cursor: Cursor) -> tuple[str, dict[str, str]]:
        """The table's name, quoted, and its columns by role, all as the server itself gives them."""
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1")
        known = [str(name) for (name,) in cursor.fetchall()]
        wanted = self._columns.table
        if wanted not in known:
            raise ConfigError(
                f"{self._address.where} has no table {wanted!r}", f"its tables: {', '.join(known[:20]) or 'none'}"
            )
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = %s"
            " ORDER BY ordinal_position",
            (wanted,),
        )
        columns = [str(name) for (name,) in cursor.fetchall()]
        return quoted(wanted), dict(chosen(self._columns, columns, wanted))

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Cursor]:
        try:
            connection = connected(self._login, SCAN_SECONDS)
        except (pymysql.MySQLError, OSError, RuntimeError, UnicodeError) as error:
            raise worded(error, self._address) from None
        try:
            with connection.cursor() as cursor:
                for statement in _SESSION:
                    cursor.execute(statement)
                yield cursor
        except (pymysql.MySQLError, OSError) as error:
            raise worded(error, self._address) from None
        finally:
            with contextlib.suppress(pymysql.MySQLError, OSError):
                connection.close()


def quoted(name: str) -> str:
    """A name that the server gave, as an identifier."""
    return "`" + name.replace("`", "``") + "`"
