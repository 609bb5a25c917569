"""The search of a wrapped Postgres table by its own column of type tsvector."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import sql

from mmind.stores.postgres.connections import READ_SECONDS, Connection
from mmind.stores.table import ROLES, Row
from mmind.stores.wrapped_postgres_table import Found, PostgresTable, identifier
from mmind.stores.wrapped_search import MOST_FORMS, Forms
from mmind.values.errors import ConfigError
from mmind.values.wrapped import Columns

ESTIMATED_FROM = 100_000  # rows: counting more, or the rows of a common word, takes longer than an answer may
# What a place of a word counts beside one of weight A: where labels are used at all they tell titles from bodies.
_WEIGHTS = [0.7, 0.8, 0.9, 1.0]  # Postgres's order: D, C, B, A
_BY_LENGTH = 1  # of ts_rank's normalizations: 1 + the logarithm of the length
_CONFIGURED = re.compile(r"'((?:[^']|'')+)'::regconfig")
_BY_TRIGGER = "tsvector_update_trigger"


class PostgresWords:
    """Keeps the promises of `stores.wrapped_search.OwnWords` over a column of type tsvector."""

    def __init__(self, table: PostgresTable, columns: Columns) -> None:
        self._table = table
        self._columns = columns

    def label(self) -> str:
        """For people."""
        return f"column {self._columns.search}"

    def choices(self) -> Sequence[str]:
        """The columns of type tsvector."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            return [name for name, _ in _vectors(connection, found)]

    def size(self) -> int:
        """How many rows; of large tables as the planner estimates it."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            return _size(connection, found)

    def sample(self, most: int) -> Iterable[Row]:
        """Rows of either end by id."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            key = identifier(found.names["id"])
            one = sql.SQL("(SELECT {} FROM {} ORDER BY {} {} LIMIT %(most)s)")
            ends = [one.format(found.picked(ROLES), found.name, key, sql.SQL(way)) for way in ("ASC", "DESC")]
            return connection.execute(sql.SQL(" UNION ALL ").join(ends), {"most": most}).fetchall()

    def frequencies(self, asked: Sequence[Forms]) -> Sequence[int | None]:
        """In how many rows any of the forms stands; of large tables as the planner estimates it."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            column, queries = self._questions(connection, found, asked)
            is_large = _size(connection, found) >= ESTIMATED_FROM
            count = _estimated if is_large else _counted
            return [count(connection, found, column, query) if query else None for query in queries]

    def matching(self, asked: Sequence[tuple[Forms, float]], most: int) -> Sequence[tuple[object, object, object]]:
        """(id, time, tags) of rows with any of the forms, by the sum of weight * ts_rank."""
        with self._table.reading(READ_SECONDS) as (connection, found):
            column, queries = self._questions(connection, found, [forms for forms, _ in asked])
            heard = [(query, weight) for query, (_, weight) in zip(queries, asked, strict=True) if query]
            if not heard:
                return []
            rank = sql.SQL("%s::float8 * ts_rank(%s::real[], {}, %s::tsquery, %s)").format(column)
            statement = sql.SQL("SELECT {} FROM {} WHERE {} @@ %s::tsquery ORDER BY {} DESC, {} LIMIT %s").format(
                found.picked(("id", "time", "tags")),
                found.name,
                column,
                sql.SQL(" + ").join([rank] * len(heard)),
                identifier(found.names["id"]),
            )
            ranks = [value for query, weight in heard for value in (weight, _WEIGHTS, query, _BY_LENGTH)]
            values = [" | ".join(query for query, _ in heard), *ranks, most]
            return [tuple(row) for row in connection.execute(statement, values)]

    def _questions(self, connection: Connection, found: Found, asked: Sequence[Forms]) -> tuple[sql.SQL, Sequence[str]]:
        """The column, and for each group of forms the tsquery of its configuration; "" where that leaves nothing."""
        kept = dict(_vectors(connection, found))
        name = next((name for name in kept if name == self._columns.search), None)
        if name is None:
            has = ", ".join(kept) or "none"
            raise ConfigError(
                f"{self._columns.table} has no column {self._columns.search!r} of type tsvector", f"it has: {has}"
            )
        forms = [(place, form) for place, group in enumerate(asked) for form in group[:MOST_FORMS]]
        rows = connection.execute(
            "SELECT place, plainto_tsquery(coalesce(nullif(%s, '')::regconfig, get_current_ts_config()), form)::text"
            " FROM unnest(%s::int[], %s::text[]) AS asked(place, form)",
            (kept[name], [place for place, _ in forms], [form for _, form in forms]),
        ).fetchall()
        queries = [dict.fromkeys(query for at, query in rows if at == place and query) for place in range(len(asked))]
        return identifier(name), [" | ".join(f"({query})" for query in group) for group in queries]


def _vectors(connection: Connection, found: Found) -> list[tuple[str, str]]:
    """Each tsvector column and the configuration that fills it; "" where neither its expression nor a trigger tells."""
    rows: list[Any] = connection.execute(
        "SELECT attname, coalesce(pg_get_expr(adbin, adrelid), ''), coalesce((SELECT string_agg(regexp_replace("
        " pg_get_triggerdef(t.oid), '^.*tsvector_update_trigger', 'tsvector_update_trigger'), E'\\n') FROM pg_trigger t"
        " WHERE t.tgrelid = attrelid AND NOT t.tgisinternal), '') FROM pg_attribute"
        " LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum"
        " WHERE attrelid = %s AND atttypid = 'tsvector'::regtype AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (found.number,),
    ).fetchall()
    return [(name, _configuration(name, expression, triggers)) for name, expression, triggers in rows]


def _configuration(column: str, expression: str, triggers: str) -> str:
    """`'english'::regconfig` of a generated column, or the second argument of the trigger that Postgres comes with."""
    generated = _CONFIGURED.search(expression)
    quoted = re.escape(column.replace("'", "''"))
    filled = re.search(rf"{_BY_TRIGGER}\('{quoted}', '((?:[^']|'')+)'", triggers)
    told = generated or filled
    return told[1].replace("''", "'") if told else ""


def _size(connection: Connection, found: Found) -> int:
    row = connection.execute("SELECT reltuples::bigint FROM pg_class WHERE oid = %s", (found.number,)).fetchone()
    estimated = int(row[0]) if row else 0
    if estimated >= ESTIMATED_FROM:
        return estimated
    row = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(found.name), ()).fetchone()
    return int(row[0]) if row else 0


def _counted(connection: Connection, found: Found, column: sql.SQL, query: str) -> int:
    statement = sql.SQL("SELECT count(*) FROM {} WHERE {} @@ %s::tsquery").format(found.name, column)
    row = connection.execute(statement, (query,)).fetchone()
    return int(row[0]) if row else 0


def _estimated(connection: Connection, found: Found, column: sql.SQL, query: str) -> int:
    """What the planner takes it for, from the sample that ANALYZE took; at least one."""
    statement = sql.SQL("EXPLAIN (FORMAT JSON) SELECT 1 FROM {} WHERE {} @@ %s::tsquery").format(found.name, column)
    row: Any = connection.execute(statement, (query,)).fetchone()
    return max(1, int(row[0][0]["Plan"]["Plan Rows"]))
