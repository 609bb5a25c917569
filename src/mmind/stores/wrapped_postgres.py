"""A table or view of a Postgres database, wrapped: read in transactions that cannot write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.stores.table import TableEngine
from mmind.stores.wrapped_postgres_table import PostgresTable
from mmind.stores.wrapped_postgres_words import PostgresWords
from mmind.stores.wrapped_search import SearchingTable
from mmind.values.errors import ConfigError
from mmind.values.memory import Trust
from mmind.values.wrapped import Columns


def open_engine(store: str, location: Path | ServedAt, options: EngineOptions) -> TableEngine | SearchingTable:
    """The table that `options.columns` names in the database at `location`. Cheap; nothing is connected yet."""
    if options.columns is None or not isinstance(location, ServedAt):
        raise ConfigError(f"the {store} source names no table", "wrap it again with --table, --id and --text")
    trust = Trust.GENERATED if options.generated else Trust.CURATED
    table = PostgresTable(location, options.columns)
    engine = TableEngine(store, table, bool(options.columns.time), trust)
    return SearchingTable(engine, PostgresWords(table, options.columns)) if options.columns.search else engine


def own_words(location: Path | ServedAt, columns: Columns) -> Sequence[str]:
    """The columns of type tsvector that the table has. Raises EngineError or ConfigError."""
    if not isinstance(location, ServedAt):
        raise ConfigError("a postgres source takes a URL")
    table = PostgresTable(location, columns)
    try:
        return PostgresWords(table, columns).choices()
    finally:
        table.close()
