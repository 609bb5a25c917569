"""A table or view of a Postgres database, wrapped: read in transactions that cannot write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.stores.table import TableEngine
from mmind.stores.wrapped_meaning import check_dimension, check_model, check_sample
from mmind.stores.wrapped_postgres_table import PostgresTable
from mmind.stores.wrapped_postgres_vectors import PostgresVectors
from mmind.stores.wrapped_postgres_words import PostgresWords
from mmind.stores.wrapped_search import SearchingTable
from mmind.values.errors import ConfigError
from mmind.values.memory import Trust
from mmind.values.ports import Embedder
from mmind.values.wrapped import Columns


def open_engine(store: str, location: Path | ServedAt, options: EngineOptions) -> TableEngine | SearchingTable:
    """The table that `options.columns` names in the database at `location`. Cheap; nothing is connected yet."""
    if options.columns is None or not isinstance(location, ServedAt):
        raise ConfigError(f"the {store} source names no table", "wrap it again with --table, --id and --text")
    trust = Trust.GENERATED if options.generated else Trust.CURATED
    table = PostgresTable(location, options.columns)
    engine = TableEngine(store, table, bool(options.columns.time), trust)
    if not options.columns.search:
        return engine
    in_use = options.embedder.identity if options.embedder else ""
    vectors = PostgresVectors(table, options.columns, in_use) if options.columns.vector else None
    return SearchingTable(engine, PostgresWords(table, options.columns), vectors)


def own_words(location: Path | ServedAt, columns: Columns) -> Sequence[str]:
    """The columns of type tsvector that the table has. Raises EngineError or ConfigError."""
    if not isinstance(location, ServedAt):
        raise ConfigError("a postgres source takes a URL")
    table = PostgresTable(location, columns)
    try:
        return PostgresWords(table, columns).choices()
    finally:
        table.close()


def own_model(location: Path | ServedAt, columns: Columns, embedder: Embedder | None) -> str:
    """The identity of the embedder in use, if the table's own column of vectors is what it makes of the rows.

    The dimension is looked up and some rows are embedded. Raises EngineError or ConfigError.
    """
    if not isinstance(location, ServedAt):
        raise ConfigError("a postgres source takes a URL")
    ours = check_model(columns.vector_model, embedder)
    table, where = PostgresTable(location, columns), f"column {columns.vector} of {columns.table}"
    vectors = PostgresVectors(table, columns, ours.identity)
    try:
        check_dimension(where, vectors.check(), ours)
        check_sample(where, vectors.sample(), ours)
    finally:
        table.close()
    return ours.identity
