"""The table or view of a MySQL or MariaDB database that is wrapped: found by name in its schema, and read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pymysql
from pymysql.constants import ER

from mmind.stores.mysql_faults import number_of, worded
from mmind.stores.mysql_login import connected, login_of
from mmind.stores.server_address import Address
from mmind.stores.table import ROLES, Row, chosen
from mmind.values.errors import ConfigError, EngineError, EngineUnavailable
from mmind.values.wrapped import Columns

if TYPE_CHECKING:
    from pymysql.cursors import Cursor

PORT = 3306
SCAN_SECONDS = 120.0  # a table is read in the background
_SESSION = ("SET SESSION sql_mode = 'STRICT_ALL_TABLES', time_zone = '+00:00'", "START TRANSACTION READ ONLY")


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
        with self.reading() as cursor:
            table, names = self.found(cursor)
            cursor.execute(f"SELECT {picked(names, ('id', 'time'))} FROM {table}")  # noqa: S608 - names that the server gave
            return [(key, moment) for key, moment in cursor.fetchall()]

    def rows(self, ids: Sequence[object] | None) -> Iterable[Row]:
        """The rows with these ids, or all. Raises EngineError or ConfigError."""
        with self.reading() as cursor:
            table, names = self.found(cursor)
            statement = f"SELECT {picked(names, ROLES)} FROM {table}"  # noqa: S608 - names that the server gave
            if ids is None:
                cursor.execute(statement)
            else:
                marks = ", ".join(["%s"] * len(ids))
                where = f" WHERE {quoted(names['id'])} IN "
                cursor.execute(f"{statement}{where}".replace("%", "%%") + f"({marks})", tuple(ids))
            return list(cursor.fetchall())

    def close(self) -> None:
        """Nothing is held open."""

    def found(self, cursor: Cursor) -> tuple[str, dict[str, str]]:
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
    def reading(self) -> Iterator[Cursor]:
        """A cursor in a transaction that cannot write. Raises EngineError."""
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
            raise self._worded(error) from None
        finally:
            with contextlib.suppress(pymysql.MySQLError, OSError):
                connection.close()

    def _worded(self, error: Exception) -> EngineError:
        """The fault, with what to do about a table that is not ours."""
        table = self._columns.table
        match number_of(error):
            case ER.TABLEACCESS_DENIED_ERROR | ER.COLUMNACCESS_DENIED_ERROR:
                said = f"{self.where()} is not open to the user of {self._address.variable}"
                return EngineUnavailable(said, f"let its owner GRANT SELECT ON {table} to that user")
            case ER.NO_SUCH_TABLE | ER.BAD_FIELD_ERROR | ER.FT_MATCHING_KEY_NOT_FOUND:
                return EngineUnavailable(f"{self.where()} was changed", "ask again, or wrap it again as it is now")
        return worded(error, self._address)


def quoted(name: str) -> str:
    """A name that the server gave, as an identifier."""
    return "`" + name.replace("`", "``") + "`"


def picked(names: Mapping[str, str], roles: Sequence[str]) -> str:
    """The columns of these roles, NULL where there is none."""
    return ", ".join(quoted(names[role]) if role in names else "NULL" for role in roles)
