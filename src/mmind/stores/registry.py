"""Which engines there are: one row each, opened lazily, so that a driver is imported only when its store is used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import cast

from mmind.values.errors import ConfigError, EngineUnavailable
from mmind.values.ports import Embedder, Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """What an engine may be told beside its place; each reads what concerns it.

    `generated` and `ignore` are globs over ids (`agent/**`, `*.tmp.md`): notes an agent wrote, notes to leave out.
    `exclude` are folders (absolute) that are never entered, because our own files lie there. `follow_links` admits
    symbolic links that lead out of the folder. `embedder` is for engines that keep vectors.
    """

    generated: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[Path, ...] = ()
    follow_links: bool = False
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRow:
    """One engine: the slot it can fill, its opener as `module:function`, and the extra that installs its driver.

    An opener takes (store name, location, EngineOptions) and gives an Engine; it is cheap and creates nothing.
    `extra` is "" when the driver comes with mmind. A served engine lives in another program and searches for itself.
    """

    slot: str
    opener: str
    extra: str = ""
    is_served: bool = False


ENGINES: Mapping[str, EngineRow] = MappingProxyType(
    {
        "markdown": EngineRow(slot="markdown", opener="mmind.stores.markdown:open_engine"),
        "sqlite": EngineRow(slot="structured", opener="mmind.stores.sqlite:open_engine"),
        "leveldb": EngineRow(slot="session", opener="mmind.stores.leveldb:open_engine"),
        "files": EngineRow(slot="files", opener="mmind.stores.files:open_engine"),
        "local": EngineRow(slot="semantic", opener="mmind.stores.vector:open_engine"),
    }
)


def open_engine_row(
    name: str, location: Path, options: EngineOptions | None = None, *, store: str = "", row: EngineRow | None = None
) -> Engine:
    """Open the engine called `name` at `location`; the store that it fills is called `store` (default: its name).

    `row` stands in for the registry's own row. Raises ConfigError for an unknown name, and EngineUnavailable, with
    what to install, when its driver is missing.
    """
    found = row or ENGINES.get(name)
    if found is None:
        raise ConfigError(f"there is no engine called {name!r}", hint=f"known engines: {', '.join(sorted(ENGINES))}")
    module_name, _, function_name = found.opener.partition(":")
    try:
        opener = getattr(importlib.import_module(module_name), function_name)
    except ModuleNotFoundError as error:
        raise EngineUnavailable(f"the {name} engine needs {error.name}", hint=_install_hint(found.extra)) from error
    return cast("Engine", opener(store or name, location, options or EngineOptions()))


def _install_hint(extra: str) -> str:
    package = f"multimodemind[{extra}]" if extra else "multimodemind"
    return f'install it with: pip install --upgrade "{package}"'
