"""The `postgres` and `pgvector` engines: memories in one schema of a Postgres database, searched there."""

from __future__ import annotations

from pathlib import Path

from mmind.stores.postgres.engine import PostgresEngine
from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.values.errors import ConfigError


def open_engine(store: str, location: Path | ServedAt, options: EngineOptions) -> PostgresEngine:
    """The engine over the database at `location`, for either slot: words and vectors are kept in both.

    Cheap; no connection is made before the first question, and nothing is created before the first put.
    """
    if not isinstance(location, ServedAt):
        raise ConfigError("the postgres engine takes a URL")
    return PostgresEngine(store, location, options.embedder)
