"""The search of a wrapped SQLite table by an FTS5 table over its rows, or of an FTS5 table by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmind.stores.table import ROLES, Row
from mmind.stores.wrapped_search import Forms
from mmind.stores.wrapped_sqlite_table import SqliteTable, picked, quoted
from mmind.values.errors import ConfigError
from mmind.values.wrapped import Columns

if TYPE_CHECKING:
    import apsw

_IS_FTS5 = re.compile(r"\bUSING\s+[\"'`\[]?fts5[\"'`\]]?\s*\(", re.IGNORECASE)


def _option(name: str) -> re.Pattern[str]:
    """An option of the statement that made an FTS5 table: a bare word, or quoted in one of SQLite's four ways."""
    return re.compile(
        rf"[(,]\s*{name}\s*=\s*(?:'((?:[^']|'')*)'|\"((?:[^\"]|\"\")*)\"|\[([^\]]*)\]|(\w+))", re.IGNORECASE
    )


_CONTENT, _ROWID = _option("content"), _option("content_rowid")


@dataclass(frozen=True, slots=True)
class _Index:
    """An FTS5 table, and the column of the wrapped table that its row numbers stand for."""

    name: str
    rowid: str


class SqliteWords:
    """Keeps the promises of `stores.wrapped_search.OwnWords` over an FTS5 table."""

    def __init__(self, table: SqliteTable, columns: Columns) -> None:
        self._table = table
        self._columns = columns

    def label(self) -> str:
        """For people."""
        return f"FTS5 table {self._columns.search}"

    def choices(self) -> Sequence[str]:
        """The FTS5 tables whose content is the table."""
        with self._table.reading() as connection:
            return [index.name for index in _indexes(connection, self._table.found(connection)[0])]

    def size(self) -> int:
        """How many rows."""
        with self._table.reading() as connection:
            table, _ = self._table.found(connection)
            return int(connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608 - a name that the file gave

    def sample(self, most: int) -> Iterable[Row]:
        """Rows of either end by id."""
        with self._table.reading() as connection:
            table, names = self._table.found(connection)
            one = f"SELECT * FROM (SELECT {picked(names, ROLES)} FROM {table} ORDER BY {quoted(names['id'])}"  # noqa: S608 - names that the file gave
            return list(connection.execute(f"{one} LIMIT ?1) UNION ALL {one} DESC LIMIT ?1)", (most,)))

    def frequencies(self, asked: Sequence[Forms]) -> Sequence[int | None]:
        """In how many rows any of the forms stands."""
        with self._table.reading() as connection:
            index = quoted(self._index(connection).name)
            statement = f"SELECT count(*) FROM {index} WHERE {index} MATCH ?"  # noqa: S608 - a name that the file gave
            return [int(connection.execute(statement, (_any_of(forms),)).get) for forms in asked]

    def matching(self, asked: Sequence[tuple[Forms, float]], most: int) -> Sequence[tuple[object, object, object]]:
        """(id, time, tags) of rows with any of the forms, by FTS5's own BM25."""
        with self._table.reading() as connection:
            table, names = self._table.found(connection)
            index = self._index(connection)
            found, rowid = quoted(index.name), quoted(index.rowid) if index.rowid else "rowid"
            statement = (
                f"SELECT {picked(names, ('id', 'time', 'tags'), 't.')} FROM (SELECT rowid AS number, rank AS place"  # noqa: S608 - names that the file gave
                f" FROM {found} WHERE {found} MATCH ?1 ORDER BY rank LIMIT ?2) AS f"
                f" JOIN {table} AS t ON t.{rowid} = f.number ORDER BY f.place, f.number"
            )
            question = " OR ".join(_any_of(forms) for forms, _ in asked)
            return [(key, moment, tags) for key, moment, tags in connection.execute(statement, (question, most))]

    def _index(self, connection: apsw.Connection) -> _Index:
        indexes = _indexes(connection, self._table.found(connection)[0])
        wanted = self._columns.search.casefold()
        found = next((index for index in indexes if index.name.casefold() == wanted), None)
        if found is None:
            has = ", ".join(index.name for index in indexes) or "none"
            raise ConfigError(
                f"no FTS5 table {self._columns.search!r} has {self._columns.table} as its content", f"there are: {has}"
            )
        return found


def _indexes(connection: apsw.Connection, table: str) -> list[_Index]:
    """The FTS5 tables whose content is the table (by its quoted name), and the table where it is one itself."""
    found = list[_Index]()
    for name, statement in connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"):
        if not _IS_FTS5.search(statement or ""):
            continue
        content, rowid = _told(_CONTENT, statement), _told(_ROWID, statement)
        if quoted(name) == table and content != "":
            found.append(_Index(name, ""))
        elif content and quoted(content).casefold() == table.casefold():
            found.append(_Index(name, rowid or ""))
    return found


def _told(option: re.Pattern[str], statement: str) -> str | None:
    told = option.search(statement)
    if told is None:
        return None
    single, double, *plain = told.groups()
    if single is not None:
        return single.replace("''", "'")
    return double.replace('""', '"') if double is not None else next(one for one in plain if one is not None)


def _any_of(forms: Forms) -> str:
    """A question for any of the forms, each as a string of FTS5, in which nothing but a quote has a meaning."""
    return " OR ".join('"' + form.replace('"', '""') + '"' for form in forms)
