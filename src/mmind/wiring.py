"""Settings -> Mind: the only place that knows configuration and engines at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from mmind.audit.log import AuditLog
from mmind.config.settings import Settings, load
from mmind.embedding.choose import open_embedder
from mmind.index import open_index
from mmind.router.fan_out import FanOut
from mmind.router.mind import Mind
from mmind.router.retrieve import World
from mmind.stores.registry import ENGINES, EngineOptions, open_engine_row
from mmind.values.door import Door
from mmind.values.errors import MmindError
from mmind.values.memory import StorePolicy, Trust
from mmind.values.ports import Clock, Embedder, Engine, Rules, Store

ROLES = {
    "markdown": "notes that already exist",
    "sqlite": "structured, queryable memory",
    "leveldb": "fast key-value session state",
    "files": "documents of any kind",
    "vector": "semantic search",
}


def open_mind(
    vault: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    door: Door = Door.AGENT,
    clock: Clock | None = None,
) -> Mind:
    """Open the mind that environment, saved file and defaults describe; nothing is scanned or loaded yet.

    Raises ConfigError on a setting that is unknown or out of range. A store that cannot be opened does not stop the
    others: it is named in every answer. `door` stamps trust: generated for an agent's tools, curated for the user.
    `clock` stands in for the time of day.
    """
    variables = os.environ if environ is None else environ
    argument = None if vault is None else os.fspath(vault)
    settings = load(variables, argument)
    now = clock or _now
    rules = LiveRules(settings, lambda: load(variables, argument))
    return Mind(open_world(settings, now), rules, now, door, str(settings.home))


def open_world(settings: Settings, clock: Clock) -> World:
    """Every store, the index over them, the model and the log, as the settings describe them."""
    embedder = open_embedder(settings.embed_model, settings.openai_api_key, settings.openai_base_url)
    opened = {name: _open(name, settings, embedder) for name in ROLES}
    engines = {name: engine for name, (engine, _) in opened.items() if engine is not None}
    index = open_index(settings.home / "index.db", engines, embedder, clock)
    stores = {
        name: Store(name, engine, index.searcher(name) if engine else None, *_reason(fault))
        for name, (engine, fault) in opened.items()
    }
    log = AuditLog(settings.audit_path, clock)
    return World(stores, (index,), index, embedder, FanOut(), log.record)


def _now() -> datetime:
    """The clock of the whole process: read at the top of each call, passed down from there."""
    return datetime.now(UTC)


class LiveRules:
    """The ranking table and the policies, read anew when the saved file changes, so that an edit acts at once.

    A file that cannot be read while it is being edited leaves the last good rules in force.
    """

    def __init__(self, settings: Settings, reload: Callable[[], Settings]) -> None:
        self._file = settings.home / "config.toml"
        self._reload = reload
        self._seen = _stamp(self._file)
        self._rules = rules_of(settings)

    def __call__(self) -> Rules:
        stamp = _stamp(self._file)
        if stamp != self._seen:
            self._seen = stamp
            try:
                self._rules = rules_of(self._reload())
            except MmindError:
                return self._rules
        return self._rules


def rules_of(settings: Settings) -> Rules:
    """What the settings say about ranking, and about each store."""
    engines = {
        "markdown": "markdown",
        "sqlite": settings.backend_structured,
        "leveldb": settings.backend_session,
        "files": "files",
        "vector": settings.backend_vector,
    }
    policies = {
        name: StorePolicy(
            name=name,
            engine=engines[name],
            role=role,
            access=settings.access[name],
            half_life_days=settings.half_life_days[name],
            trust=Trust.CURATED if name == "markdown" else None,
        )
        for name, role in ROLES.items()
    }
    return Rules(settings.ranking, policies)


def _open(name: str, settings: Settings, embedder: Embedder | None) -> tuple[Engine | None, MmindError | None]:
    """The engine of one store, or the reason why there is none."""
    engine = rules_of(settings).policies[name].engine
    location = _location(name, settings)
    if location is None:
        return None, MmindError(
            "no vault is configured", "start `mmind VAULT`, or set MMIND_VAULT_PATH to a folder of notes"
        )
    if engine not in ENGINES:
        return None, MmindError(
            f"the {engine} engine is not part of this version",
            f"unset MMIND_BACKEND_* to use the built-in one for {name}",
        )
    try:
        return open_engine_row(engine, location, _options(name, settings, embedder), store=name), None
    except MmindError as fault:
        return None, fault


def _options(name: str, settings: Settings, embedder: Embedder | None) -> EngineOptions:
    if name != "markdown":
        return EngineOptions(embedder=embedder)
    return EngineOptions(
        generated=settings.vault_generated,
        ignore=settings.vault_ignore,
        exclude=(
            settings.home,
            settings.audit_path,
            settings.sqlite_path,
            settings.leveldb_path,
            settings.files_path,
            settings.vector_path,
        ),
        follow_links=settings.vault_follow_links,
    )


def _location(name: str, settings: Settings) -> Path | None:
    return {
        "markdown": settings.vault_path,
        "sqlite": settings.sqlite_path,
        "leveldb": settings.leveldb_path,
        "files": settings.files_path,
        "vector": settings.vector_path,
    }[name]


def _reason(fault: MmindError | None) -> tuple[str, str]:
    return (fault.message, fault.hint) if fault else ("", "")


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
