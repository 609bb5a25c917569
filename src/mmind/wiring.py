"""Settings -> Mind: the only place that knows configuration and engines at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from mmind.audit.entry import Content
from mmind.audit.log import AuditLog, LogPolicy
from mmind.config.places import check_out_of_log
from mmind.config.presence import InForce
from mmind.config.rules import ROLES, LiveRules
from mmind.config.settings import Settings, load
from mmind.embedding.choose import open_embedder
from mmind.index import open_index
from mmind.router.fan_out import FanOut
from mmind.router.levels import Levels
from mmind.router.mind import Mind
from mmind.router.retrieve import World
from mmind.stores.registry import ENGINES, EngineOptions, open_engine_row, open_wrapped, own_model, own_words
from mmind.stores.scrub import scrub_leveldb, scrub_sqlite
from mmind.stores.served import ServedAt
from mmind.text.secrets import masked
from mmind.values.door import Door
from mmind.values.errors import ConfigError, MmindError
from mmind.values.ports import Clock, Embedder, Engine, Health, Searcher, SelfSearching, Store
from mmind.values.wrapped import Wrapped


def open_mind(
    vault: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    door: Door = Door.AGENT,
    clock: Clock | None = None,
    took_up: Callable[[InForce], None] | None = None,
) -> Mind:
    """Open the mind that environment, saved file and defaults describe; nothing is scanned or loaded yet.

    Raises ConfigError on a setting that is unknown or out of range. A store that cannot be opened does not stop the
    others: it is named in every answer. `door` stamps trust: generated for an agent's tools, curated for the user.
    `clock` stands in for the time of day. `took_up` is told what is in force, now and whenever a change is taken up.
    """
    variables = os.environ if environ is None else environ
    argument = None if vault is None else os.fspath(vault)
    settings = load(variables, argument)
    now = clock or _now
    rules = LiveRules(settings, lambda: load(variables, argument), took_up)
    return Mind(open_world(settings, now), rules, now, door, str(settings.home))


def open_world(settings: Settings, clock: Clock) -> World:
    """Every store, the index over them, the model and the log, as the settings describe them.

    An engine that searches for itself is its own searcher and corpus; `index.db` holds all the others.
    """
    embedder = _embedder(settings)
    opened = {name: _open(name, settings, embedder) for name in ROLES}
    opened |= {source.name: _open_wrapped(source, settings, embedder) for source in settings.sources}
    engines = {name: engine for name, engine in opened.items() if not isinstance(engine, MmindError)}
    served = {name: engine for name, engine in engines.items() if isinstance(engine, SelfSearching)}
    held = {name: engine for name, engine in engines.items() if name not in served}
    index = open_index(settings.home / "index.db", held, embedder, clock)
    searchers: dict[str, Searcher] = {**{name: index.searcher(name) for name in held}, **served}
    stores = {name: _store(name, engine, searchers.get(name)) for name, engine in opened.items()}
    log = AuditLog(settings.audit_path, clock, log_policy(settings))
    indexer = Levels(index, served) if served else index
    return World(stores, (index, *served.values()), indexer, embedder, FanOut(), log.record)


def _store(name: str, opened: Engine | MmindError, searcher: Searcher | None) -> Store:
    if isinstance(opened, MmindError):
        return Store(name, None, None, opened.message, opened.hint)
    return Store(name, opened, searcher)


def try_store(name: str, settings: Settings, limit_seconds: float) -> Health:
    """Open the engine of one store by itself, ask how it is and let go of it: the test of a connection.

    Never raises; a store that cannot be opened, or is silent for `limit_seconds`, says so as its reason.
    """
    fan_out = FanOut()
    (answer,) = fan_out.ask({name: lambda: _asked(_open(name, settings, None))}, limit_seconds)
    fan_out.close()
    return answer.value or Health(usable=False, where="", reason=answer.fault, hint=answer.hint)


def _asked(opened: Engine | MmindError) -> Health:
    """How an engine is that was opened for this question alone. Raises why it could not be opened."""
    if isinstance(opened, MmindError):
        raise opened
    try:
        return opened.health()
    finally:
        opened.close()


def _now() -> datetime:
    """The clock of the whole process: read at the top of each call, passed down from there."""
    return datetime.now(UTC)


def scrub(settings: Settings) -> list[str]:
    """After a purge: rewrite what keeps deleted text (see `stores.scrub`). Gives why that could not be done."""
    files = (settings.sqlite_path, settings.vector_path / "vectors.db", settings.home / "index.db")
    reasons = [*(scrub_sqlite(file) for file in files), scrub_leveldb(settings.leveldb_path)]
    return [reason for reason in reasons if reason]


def log_policy(settings: Settings) -> LogPolicy:
    """How the audit log is kept. The secrets of this process are masked in it whatever they look like."""
    return LogPolicy(
        rotate_bytes=int(settings.audit_segment_mb * 1_000_000),
        keep=timedelta(days=settings.audit_keep_days) if settings.audit_keep_days else None,
        content=Content(settings.audit_content),
        redacted=partial(masked, secrets=settings.secrets()),
    )


def _open(name: str, settings: Settings, embedder: Embedder | None) -> Engine | MmindError:
    """The engine of one store, or the reason why there is none."""
    engine = settings.engine_of(name)
    try:
        location = _location(name, engine, settings)
        return open_engine_row(engine, location, _options(name, settings, embedder), store=name)
    except MmindError as fault:
        return fault


def wrapped_health(source: Wrapped, settings: Settings) -> Health:
    """Open a wrapped source by itself, ask how it is and let go of it. Raises ConfigError or EngineError."""
    has_vectors = source.columns is not None and bool(source.columns.vector)
    return _asked(_open_wrapped(source, settings, _embedder(settings) if has_vectors else None))


def wrapped_words(source: Wrapped, settings: Settings) -> Sequence[str]:
    """The full-text columns or indexes that a wrapped table has. Raises ConfigError or EngineError."""
    if source.columns is None:
        return ()
    if source.path is not None:
        check_out_of_log(source.name, source.path, settings.audit_path, may_hold=source.kind != "vault")
    return own_words(source.kind, _place_of(source), source.columns)


def wrapped_model(source: Wrapped, settings: Settings) -> str:
    """The identity of the model in use, if a wrapped table's own vectors are its. Raises ConfigError or EngineError."""
    if source.columns is None:
        raise ConfigError(f"{source.name} is no table", "leave out --vector")
    embedder = _embedder(settings)
    try:
        return own_model(source.kind, _place_of(source), source.columns, embedder)
    finally:
        if embedder is not None:
            embedder.close()


def _embedder(settings: Settings) -> Embedder | None:
    return open_embedder(settings.embed_model, settings.openai_api_key, settings.openai_base_url)


def _open_wrapped(source: Wrapped, settings: Settings, embedder: Embedder | None) -> Engine | MmindError:
    """The engine of a wrapped source, or the reason why there is none."""
    options = EngineOptions(
        generated=("**",) if source.is_generated else (),
        exclude=(*_ours(settings), *_vaults_apart(source, settings)),
        columns=source.columns,
        embedder=embedder,
    )
    try:
        if source.path is not None:
            check_out_of_log(source.name, source.path, settings.audit_path, may_hold=source.kind != "vault")
        return open_wrapped(source.kind, _place_of(source), options, source.name)
    except MmindError as fault:
        return fault


def _vaults_apart(source: Wrapped, settings: Settings) -> tuple[Path, ...]:
    """The vaults that a folder of instructions leaves out: their notes are found there, and once is enough."""
    if source.kind != "instructions":
        return ()
    vaults = (settings.vault_path, *(other.path for other in settings.sources if other.kind == "vault"))
    return tuple(vault for vault in vaults if vault is not None)


def _place_of(source: Wrapped) -> Path | ServedAt:
    if source.path is not None:
        return source.path
    if not source.url:
        raise ConfigError(f"{source.name} has no server", f"set {source.url_variable} in the environment")
    return ServedAt(source.url, source.url_variable)


def _ours(settings: Settings) -> tuple[Path, ...]:
    """The places that mmind itself writes to; what lies there is no note."""
    own = (settings.sqlite_path, settings.leveldb_path, settings.files_path, settings.vector_path)
    return (settings.home, settings.audit_path, *own)


def _options(name: str, settings: Settings, embedder: Embedder | None) -> EngineOptions:
    if name != "markdown":
        return EngineOptions(embedder=embedder)
    return EngineOptions(
        generated=settings.vault_generated,
        ignore=settings.vault_ignore,
        exclude=_ours(settings),
        follow_links=settings.vault_follow_links,
    )


def _location(name: str, engine: str, settings: Settings) -> Path | ServedAt:
    """Where the engine of a store finds what it keeps. Raises ConfigError where nothing is configured."""
    row = ENGINES.get(engine)
    if row is None:
        raise ConfigError(
            f"the {engine} engine is not part of this version",
            f"unset MMIND_BACKEND_* to use the built-in one for {name}",
        )
    if row.is_served:
        return _server(engine, row.server, settings)
    path = {
        "markdown": settings.vault_path,
        "sqlite": settings.sqlite_path,
        "leveldb": settings.leveldb_path,
        "files": settings.files_path,
        "vector": settings.vector_path,
    }[name]
    if path is None:
        raise ConfigError("no vault is configured", "start `mmind VAULT`, or set MMIND_VAULT_PATH to a folder of notes")
    return path


def _server(engine: str, server: str, settings: Settings) -> ServedAt:
    """The server of an engine. Raises ConfigError when its URL is not set."""
    url = settings.url_of(server)
    variable = f"MMIND_{server.upper()}_URL"
    if not url:
        raise ConfigError(f"the {engine} engine has no server", f"set {variable} in the environment")
    return ServedAt(url, variable)
