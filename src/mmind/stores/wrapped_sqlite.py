"""A table of any SQLite file, wrapped: read through connections that cannot write and leave nothing beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mmind.stores.registry import EngineOptions
from mmind.stores.table import TableEngine
from mmind.stores.wrapped_search import SearchingTable
from mmind.stores.wrapped_sqlite_table import SqliteTable
from mmind.stores.wrapped_sqlite_words import SqliteWords
from mmind.values.errors import ConfigError
from mmind.values.memory import Trust
from mmind.values.wrapped import Columns


def open_engine(store: str, location: Path, options: EngineOptions) -> TableEngine | SearchingTable:
    """The table that `options.columns` names in the file at `location`. Cheap; the file is not touched yet."""
    if options.columns is None:
        raise ConfigError(f"the {store} source names no table", "wrap it again with --table, --id and --text")
    trust = Trust.GENERATED if options.generated else Trust.CURATED
    table = SqliteTable(location, options.columns)
    engine = TableEngine(store, table, bool(options.columns.time), trust)
    return SearchingTable(engine, SqliteWords(table, options.columns)) if options.columns.search else engine


def own_words(location: Path, columns: Columns) -> Sequence[str]:
    """The FTS5 tables over the table's rows. Raises EngineError or ConfigError."""
    return SqliteWords(SqliteTable(location, columns), columns).choices()
