"""The search of a wrapped MySQL or MariaDB table by its own FULLTEXT index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mmind.stores.table import ROLES, Row
from mmind.stores.wrapped_mysql_table import MysqlTable, picked, quoted
from mmind.stores.wrapped_search import Forms
from mmind.values.errors import ConfigError
from mmind.values.wrapped import Columns

if TYPE_CHECKING:
    from pymysql.cursors import Cursor

_WORD = re.compile(r"\w+")


class MysqlWords:
    """Keeps the promises of `stores.wrapped_search.OwnWords` over a FULLTEXT index."""

    def __init__(self, table: MysqlTable, columns: Columns) -> None:
        self._table = table
        self._columns = columns

    def label(self) -> str:
        """For people."""
        return f"FULLTEXT index {self._columns.search}"

    def choices(self) -> Sequence[str]:
        """The FULLTEXT indexes that cover the text."""
        with self._table.reading() as cursor:
            _, names = self._table.found(cursor)
            return [name for name, columns in self._indexes(cursor).items() if names["text"] in columns]

    def size(self) -> int:
        """How many rows."""
        with self._table.reading() as cursor:
            table, _ = self._table.found(cursor)
            return _number(cursor, f"SELECT count(*) FROM {table}")  # noqa: S608 - a name that the server gave

    def sample(self, most: int) -> Iterable[Row]:
        """Rows of either end by id."""
        with self._table.reading() as cursor:
            table, names = self._table.found(cursor)
            one = f"(SELECT {picked(names, ROLES)} FROM {table} ORDER BY {quoted(names['id'])}"  # noqa: S608 - names that the server gave
            cursor.execute(f"{one} LIMIT {most:d}) UNION ALL {one} DESC LIMIT {most:d})")
            return list(cursor.fetchall())

    def frequencies(self, asked: Sequence[Forms]) -> Sequence[int | None]:
        """In how many rows any of the forms stands."""
        with self._table.reading() as cursor:
            table, _ = self._table.found(cursor)
            statement = f"SELECT count(*) FROM {_doubled(table)} WHERE {self._match(cursor)}"  # noqa: S608 - names that the server gave
            return [_number(cursor, statement, (question,)) if (question := _any_of(forms)) else 0 for forms in asked]

    def matching(self, asked: Sequence[tuple[Forms, float]], most: int) -> Sequence[tuple[object, object, object]]:
        """(id, time, tags) of rows with any of the forms, by the server's own rank."""
        question = " ".join(_any_of(forms) for forms, _ in asked).strip()
        with self._table.reading() as cursor:
            table, names = self._table.found(cursor)
            match = self._match(cursor)
            if not question:
                return []
            columns, key = _doubled(picked(names, ("id", "time", "tags"))), _doubled(quoted(names["id"]))
            cursor.execute(
                f"SELECT {columns} FROM {_doubled(table)} WHERE {match} ORDER BY {match} DESC, {key} LIMIT {most:d}",  # noqa: S608 - names that the server gave
                (question, question),
            )
            return [(key, moment, tags) for key, moment, tags in cursor.fetchall()]

    def _match(self, cursor: Cursor) -> str:
        """The condition over the index's columns; they must be named as the index holds them."""
        indexes = self._indexes(cursor)
        columns = indexes.get(self._columns.search)
        if columns is None:
            has = ", ".join(indexes) or "none"
            raise ConfigError(f"{self._columns.table} has no FULLTEXT index {self._columns.search!r}", f"it has: {has}")
        listed = _doubled(", ".join(quoted(column) for column in columns))
        return f"MATCH ({listed}) AGAINST (%s IN BOOLEAN MODE)"

    def _indexes(self, cursor: Cursor) -> dict[str, list[str]]:
        """The columns of each FULLTEXT index of the table."""
        cursor.execute(
            "SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = DATABASE()"
            " AND table_name = %s AND index_type = 'FULLTEXT' ORDER BY index_name, seq_in_index",
            (self._columns.table,),
        )
        found: dict[str, list[str]] = {}
        for index, column in cursor.fetchall():
            found.setdefault(str(index), []).append(str(column))
        return found


def _doubled(names: str) -> str:
    """Names in a statement that is sent with values: the driver takes a sign of per cent for a place."""
    return names.replace("%", "%%")


def _number(cursor: Cursor, statement: str, values: tuple[str, ...] | None = None) -> int:
    cursor.execute(statement, values)
    row: Any = cursor.fetchone()
    return int(row[0])


def _any_of(forms: Forms) -> str:
    """A question in boolean mode for any of the forms, each as a phrase of words alone: no sign has a meaning."""
    phrases = [" ".join(_WORD.findall(form)) for form in forms]
    return " ".join(f'"{phrase}"' for phrase in phrases if phrase)
