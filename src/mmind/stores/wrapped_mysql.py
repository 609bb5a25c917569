"""A table or view of a MySQL or MariaDB database, wrapped: read in transactions that cannot write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.stores.server_address import address_of
from mmind.stores.table import TableEngine
from mmind.stores.wrapped_mysql_table import PORT, MysqlTable
from mmind.stores.wrapped_mysql_words import MysqlWords
from mmind.stores.wrapped_search import SearchingTable
from mmind.values.errors import ConfigError
from mmind.values.memory import Trust
from mmind.values.wrapped import Columns


def open_engine(store: str, location: Path | ServedAt, options: EngineOptions) -> TableEngine | SearchingTable:
    """The table that `options.columns` names in the database at `location`. Cheap; nothing is connected yet."""
    if options.columns is None or not isinstance(location, ServedAt):
        raise ConfigError(f"the {store} source names no table", "wrap it again with --table, --id and --text")
    trust = Trust.GENERATED if options.generated else Trust.CURATED
    table = MysqlTable(address_of(location.url, PORT, location.variable), options.columns)
    engine = TableEngine(store, table, bool(options.columns.time), trust)
    return SearchingTable(engine, MysqlWords(table, options.columns)) if options.columns.search else engine


def own_words(location: Path | ServedAt, columns: Columns) -> Sequence[str]:
    """The FULLTEXT indexes over the table's text. Raises EngineError or ConfigError."""
    if not isinstance(location, ServedAt):
        raise ConfigError("a mysql source takes a URL")
    table = MysqlTable(address_of(location.url, PORT, location.variable), columns)
    return MysqlWords(table, columns).choices()
