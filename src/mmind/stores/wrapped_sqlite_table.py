"""The table of a SQLite file that is wrapped: found by name in its schema, and read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from mmind.disk.refusals import way_out
from mmind.stores.table import ROLES, Row, chosen
from mmind.values.errors import ConfigError, EngineUnavailable
from mmind.values.wrapped import Columns

if TYPE_CHECKING:
    import apsw

_BUSY_MILLISECONDS = 3_000
_READ_VERSION = (19, 1)  # place and length in the file's header (sqlite.org/fileformat2.html, 1.3.3)
_IS_WAL = b"\x02"


class SqliteTable:
    """Keeps the promises of `stores.table.Table` over one file."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns

    def where(self) -> str:
        """The file, and the table in it."""
        return f"{self._path}/{self._columns.table}"

    def marks(self) -> Iterable[tuple[object, object]]:
        """(id, time) of every row. Raises EngineError or ConfigError."""
        with self.reading() as connection:
            table, names = self.found(connection)
            statement = f"SELECT {picked(names, ('id', 'time'))} FROM {table}"  # noqa: S608 - names that the file gave
            return [(key, moment) for key, moment in connection.execute(statement)]

    def rows(self, ids: Sequence[object] | None) -> Iterable[Row]:
        """The rows with these ids, or all. Raises EngineError or ConfigError."""
        with self.reading() as connection:
            table, names = self.found(connection)
            statement = f"SELECT {picked(names, ROLES)} FROM {table}"  # noqa: S608 - names that the file gave
            if ids is None:
                return list(connection.execute(statement))
            marks = ", ".join("?" * len(ids))
            return list(connection.execute(f"{statement} WHERE {quoted(names['id'])} IN ({marks})", tuple(ids)))

    def close(self) -> None:
        """Nothing is held open."""

    def found(self, connection: apsw.Connection) -> tuple[str, dict[str, str]]:
        """The table's name, quoted, and its columns by role, all as the file itself gives them."""
        listed = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'"
        known = [str(name) for (name,) in connection.execute(listed)]
        wanted = self._columns.table
        real = next((name for name in known if name == wanted), None) or next(
            (name for name in known if name.casefold() == wanted.casefold()), None
        )
        if real is None:
            raise ConfigError(f"{self._path} has no table {wanted!r}", f"its tables: {', '.join(known) or 'none'}")
        columns = [str(name) for (name,) in connection.execute("SELECT name FROM pragma_table_xinfo(?)", (real,))]
        return quoted(real), dict(chosen(self._columns, columns, real))

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection that cannot write and leaves no file. Raises EngineUnavailable."""
        import apsw

        try:
            connection = self._opened()
        except (apsw.Error, OSError) as error:
            raise self._fault(error) from None
        try:
            yield connection
        except (apsw.Error, OSError, UnicodeDecodeError) as error:
            raise self._fault(error) from None
        finally:
            connection.close()

    def _opened(self) -> apsw.Connection:
        """A connection under which no file appears: where no writer's log lies beside a file in WAL mode, SQLite would
        make one to read it, unless it is told that nobody writes."""
        first = self._connected("immutable=1")
        header = first.read("main", 0, *_READ_VERSION)[1]  # the pragma tells nothing of a file that nobody writes
        if header == _IS_WAL and not self._path.with_name(self._path.name + "-wal").exists():
            return first
        first.close()
        return self._connected("")

    def _connected(self, option: str) -> apsw.Connection:
        import apsw

        uri = f"file:{quote(str(self._path))}?mode=ro&{option}"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        connection.execute("PRAGMA query_only = on")
        return connection

    def _fault(self, error: Exception) -> EngineUnavailable:
        import apsw

        if not self._path.exists():
            return EngineUnavailable(f"{self._path} is not there", "mount its drive, or wrap it again where it is now")
        if isinstance(error, apsw.NotADBError):
            return EngineUnavailable(f"{self._path} is no SQLite file", "wrap the right file")
        if isinstance(error, apsw.BusyError):
            return EngineUnavailable(f"{self._path} is locked by its own program", "ask again in a moment")
        hint = way_out(error, "check that this user may read it")
        return EngineUnavailable(f"{self._path} cannot be read: {error}"[:300], hint)


def quoted(name: str) -> str:
    """A name that the database gave, as an identifier."""
    return '"' + name.replace('"', '""') + '"'


def picked(names: Mapping[str, str], roles: Sequence[str], table: str = "") -> str:
    """The columns of these roles, NULL where there is none."""
    return ", ".join(table + quoted(names[role]) if role in names else "NULL" for role in roles)
