"""Which engines there are: one row each, opened lazily, so that a driver is imported only when its store is used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import cast

from mmind.stores.drivers import install_hint
from mmind.stores.served import ServedAt
from mmind.values.errors import ConfigError, EngineUnavailable
from mmind.values.ports import Embedder, Engine
from mmind.values.wrapped import Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """What an engine may be told beside its place; each reads what concerns it.

    `generated` and `ignore` are globs over ids (`agent/**`, `*.tmp.md`): notes an agent wrote, notes to leave out.
    `exclude` are folders (absolute) that are never entered, because our own files lie there. `follow_links` admits
    symbolic links that lead out of the folder. `embedder` is for engines that keep vectors. `columns` is for tables
    that are wrapped.
    """

    generated: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[Path, ...] = ()
    follow_links: bool = False
    embedder: Embedder | None = None
    columns: Columns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRow:
    """One engine: the slot it can fill, its opener as `module:function`, and the extra that installs its driver.

    An opener takes (store name, location, EngineOptions) and gives an Engine; it is cheap and creates nothing.
    `extra` is "" when the driver comes with mmind. A served engine lives in another program: its location is a
    `ServedAt` and no path, and `server` names the setting with its URL ("postgres": MMIND_POSTGRES_URL).
    """

    slot: str
    opener: str
    extra: str = ""
    server: str = ""

    @property
    def is_served(self) -> bool:
        """Whether it lives in another program."""
        return bool(self.server)


Opener = Callable[[str, Path | ServedAt, EngineOptions], Engine]


ENGINES: Mapping[str, EngineRow] = MappingProxyType(
    {
        "markdown": EngineRow(slot="markdown", opener="mmind.stores.markdown:open_engine"),
        "sqlite": EngineRow(slot="structured", opener="mmind.stores.sqlite:open_engine"),
        "leveldb": EngineRow(slot="session", opener="mmind.stores.leveldb:open_engine"),
        "files": EngineRow(slot="files", opener="mmind.stores.files:open_engine"),
        "local": EngineRow(slot="semantic", opener="mmind.stores.vector:open_engine"),
        "postgres": EngineRow(
            slot="structured", opener="mmind.stores.postgres:open_engine", extra="postgres", server="postgres"
        ),
        "pgvector": EngineRow(
            slot="semantic", opener="mmind.stores.postgres:open_engine", extra="postgres", server="postgres"
        ),
        "mysql": EngineRow(slot="structured", opener="mmind.stores.mysql:open_engine", extra="mysql", server="mysql"),
        "redis": EngineRow(slot="session", opener="mmind.stores.redis:open_engine", extra="redis", server="redis"),
        "qdrant": EngineRow(slot="semantic", opener="mmind.stores.qdrant:open_engine", extra="qdrant", server="qdrant"),
    }
)


# What can be wrapped beside the stores: read in place, never written, under any number of names.
WRAPPERS: Mapping[str, EngineRow] = MappingProxyType(
    {
        "vault": EngineRow(slot="wrapped", opener="mmind.stores.markdown:open_engine"),
        "instructions": EngineRow(slot="wrapped", opener="mmind.stores.instructions:open_engine"),
        "jsonl": EngineRow(slot="wrapped", opener="mmind.stores.graph_file:open_engine"),
        "sqlite": EngineRow(slot="wrapped", opener="mmind.stores.wrapped_sqlite:open_engine"),
        "postgres": EngineRow(
            slot="wrapped", opener="mmind.stores.wrapped_postgres:open_engine", extra="postgres", server="postgres"
        ),
        "mysql": EngineRow(
            slot="wrapped", opener="mmind.stores.wrapped_mysql:open_engine", extra="mysql", server="mysql"
        ),
    }
)


def open_wrapped(kind: str, location: Path | ServedAt, options: EngineOptions, store: str) -> Engine:
    """Open a wrapped source of a kind in `WRAPPERS`. Raises EngineUnavailable when its driver is missing."""
    return load_opener(kind, WRAPPERS[kind])(store, location, options)


def own_words(kind: str, location: Path | ServedAt, columns: Columns) -> Sequence[str]:
    """The full-text columns or indexes of a table, by which it can be searched itself; () for what is no table.

    Raises EngineError, ConfigError.
    """
    row = WRAPPERS[kind]
    load_opener(kind, row)  # says what to install where the driver is missing
    choices = getattr(importlib.import_module(row.opener.partition(":")[0]), "own_words", None)
    return cast("Sequence[str]", choices(location, columns)) if choices else ()


def own_model(kind: str, location: Path | ServedAt, columns: Columns, embedder: Embedder | None) -> str:
    """The identity of the model that made the vectors of a table's own column, which is the one in use.

    Raises ConfigError where it is not, or where this kind of table has none; EngineError.
    """
    row = WRAPPERS[kind]
    load_opener(kind, row)
    model = getattr(importlib.import_module(row.opener.partition(":")[0]), "own_model", None)
    if model is None:
        raise ConfigError(f"a {kind} source has no column of vectors", "leave out --vector")
    return cast("str", model(location, columns, embedder))


def open_engine_row(
    name: str, location: Path | ServedAt, options: EngineOptions | None = None, store: str = ""
) -> Engine:
    """Open the engine called `name` at `location`; the store that it fills is called `store` (default: its name).

    Raises ConfigError for an unknown name or a location of the wrong kind, and EngineUnavailable, with what to
    install, when its driver is missing. No server is asked for anything yet.
    """
    row = ENGINES.get(name)
    if row is None:
        raise ConfigError(f"there is no engine called {name!r}", hint=f"known engines: {', '.join(sorted(ENGINES))}")
    if row.is_served is not isinstance(location, ServedAt):
        raise ConfigError(f"the {name} engine takes {'a URL' if row.is_served else 'a path'}")
    return load_opener(name, row)(store or name, location, options or EngineOptions())


def load_opener(name: str, row: EngineRow) -> Opener:
    """Import the engine's module and give its opener. Raises EngineUnavailable when its driver is missing."""
    module_name, _, function_name = row.opener.partition(":")
    try:
        return cast("Opener", getattr(importlib.import_module(module_name), function_name))
    except ImportError as error:  # also a driver that is there and lacks a library of the system
        if (error.name or "").startswith("mmind"):
            raise
        needs = f"needs {error.name}, which is not installed" if error.name else f"cannot load its driver ({error})"
        raise EngineUnavailable(f"the {name} engine {' '.join(needs.split())}", hint=install_hint(row.extra)) from error
