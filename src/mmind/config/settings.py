"""The settings of one process, frozen: environment over saved file over defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmind.config.file import Saved, config_path, read_saved
from mmind.config.places import absolute, check_apart, check_foreign, check_once, user_home, working_folder
from mmind.config.reading import Value, is_placeholder, is_unset, read, shown
from mmind.config.sources import read_sources
from mmind.config.suggestion import did_you_mean
from mmind.config.table import BACKENDS, KNOB_BY_ENV, KNOB_BY_NAME, KNOBS, STORES, Kind, Knob
from mmind.values.errors import ConfigError
from mmind.values.memory import Access
from mmind.values.ranking import Ranking
from mmind.values.wrapped import Wrapped

_FOREIGN_PREFIX = "MMIND_TEST_"  # addresses of the servers that the test suite may use; not settings of the program

_UNKNOWN = "unset it (docs/configuration.md lists every setting)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. Secrets are kept out of `repr`.

    `origins` tells where each knob's value came from: knob name to "environment", "argument", "file" or "default".
    `notes` are things worth saying to a person: a placeholder that no client filled in, an argument that lost.
    """

    home: Path
    vault_path: Path | None
    sqlite_path: Path
    leveldb_path: Path
    files_path: Path
    vector_path: Path
    audit_path: Path
    backend_structured: str
    backend_vector: str
    backend_session: str
    access: Mapping[str, Access]
    half_life_days: Mapping[str, float]
    ranking: Ranking
    vault_generated: tuple[str, ...]
    vault_ignore: tuple[str, ...]
    vault_follow_links: bool
    embed_model: str
    log_level: str
    allow_secrets: bool
    audit_content: str
    audit_keep_days: float
    audit_segment_mb: float
    http_token: str = field(repr=False)
    http_read_token: str = field(repr=False)
    sources: tuple[Wrapped, ...]
    openai_base_url: str = field(repr=False)
    openai_api_key: str = field(repr=False)
    postgres_url: str = field(repr=False)
    mysql_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    qdrant_url: str = field(repr=False)
    origins: Mapping[str, str] = field(repr=False)
    notes: tuple[str, ...] = ()

    def engine_of(self, store: str) -> str:
        """The name of the engine that keeps one of the five stores."""
        return str(getattr(self, BACKENDS[store])) if store in BACKENDS else store

    def url_of(self, server: str) -> str:
        """The URL of a server by the name of its setting ("postgres": MMIND_POSTGRES_URL); "" where it is unset."""
        return str(getattr(self, f"{server}_url"))

    def secrets(self) -> list[str]:
        """What must be shown nowhere: every knob that is a secret and the URLs of wrapped servers, where set."""
        words = [str(getattr(self, knob.name)) for knob in KNOBS if knob.secret]
        return [word for word in (*words, *(source.url for source in self.sources)) if word]


@dataclass(frozen=True, slots=True)
class _Choice:
    """The winning raw value of a knob, where it came from, what to call it, and what a relative path starts from."""

    raw: object
    origin: str
    label: str
    against: str


def load(environ: Mapping[str, str], vault_argument: str | None) -> Settings:
    """The settings that the environment, the vault argument, the saved file and the defaults give, in this order.

    Only `environ` is looked at for variables. Relative paths of the environment and the argument start from the
    working directory, those of the file from the data home. Raises ConfigError on anything unknown, out of range or
    contradictory; the message is one line that names the variable or the line of the file.
    """
    return resolve(environ, vault_argument, read_saved(config_path(data_home(environ))))


def data_home(environ: Mapping[str, str]) -> Path:
    """The folder that holds the saved file: MMIND_HOME, else `~/.mmind`."""
    text = environ.get("MMIND_HOME")
    chosen = "~/.mmind" if text is None or is_unset(text) else str(read(KNOB_BY_NAME["home"], text, "MMIND_HOME"))
    return absolute(chosen, user_home(environ), working_folder())


def resolve(environ: Mapping[str, str], vault_argument: str | None, saved: Saved) -> Settings:
    """As `load`, with the saved file already read; a change is checked with it before it is written."""
    _check_variables(environ)
    home = data_home(environ)
    choices = {knob.name: _choose(knob, environ, vault_argument, saved) for knob in KNOBS}
    if not choices["openai_api_key"].raw:  # a variable for other programs as long as there is no key: not judged
        choices["openai_base_url"] = _default(KNOB_BY_NAME["openai_base_url"], home)
    values = {knob.name: _value(knob, choices[knob.name], environ) for knob in KNOBS}
    notes = (*_notes(environ, vault_argument), *_kept_read_only(values, choices))
    settings = _assembled(values, choices, notes, read_sources(saved, environ))
    check_whole(settings)
    return settings


def _check_variables(environ: Mapping[str, str]) -> None:
    """A misspelt variable is an error: `MMIND_ACESS_SQLITE=read` must not leave the store writable in silence."""
    for name in sorted(environ):
        ours = name.startswith("MMIND_") and not name.startswith(_FOREIGN_PREFIX)
        if ours and name not in KNOB_BY_ENV and not is_unset(environ[name]):
            raise ConfigError(f"{name} is not a setting", did_you_mean(name, KNOB_BY_ENV, _UNKNOWN))


def _choose(knob: Knob, environ: Mapping[str, str], vault_argument: str | None, saved: Saved) -> _Choice:
    here = working_folder()
    if not is_unset(environ.get(knob.env)):
        return _Choice(environ[knob.env], "environment", knob.env, here)
    if knob.name == "vault_path" and not is_unset(vault_argument):
        return _Choice(vault_argument, "argument", "the vault argument", here)
    raw = saved.values.get(knob.file_key)
    if raw is not None and not (isinstance(raw, str) and is_unset(raw)):
        return _Choice(raw, "file", saved.labels[knob.file_key], str(saved.path.parent))
    return _default(knob, saved.path.parent)


def _default(knob: Knob, home: Path) -> _Choice:
    return _Choice(knob.default, "default", knob.key, str(home))


def _value(knob: Knob, choice: _Choice, environ: Mapping[str, str]) -> Value | Path | None:
    """Defaults are values already; everything else is read. Paths become absolute, an unset one None."""
    value = choice.raw if choice.origin == "default" else read(knob, choice.raw, choice.label)
    if knob.kind is not Kind.PATH:
        return value  # type: ignore[return-value] # a default has the type of its kind; a test holds the table to it
    return absolute(str(value), user_home(environ), choice.against) if value else None


def _assembled(
    values: Mapping[str, Any], choices: Mapping[str, _Choice], notes: tuple[str, ...], sources: tuple[Wrapped, ...]
) -> Settings:
    ranking = {name: values[name] for name in Ranking.__dataclass_fields__}
    own = {name: values[name] for name in Settings.__dataclass_fields__ if name in values}
    return Settings(
        **own,
        access={store: values[f"access_{store}"] for store in STORES},
        half_life_days={store: values[f"half_life_{store}"] for store in STORES},
        ranking=Ranking(**ranking),
        origins={name: choice.origin for name, choice in choices.items()},
        notes=notes,
        sources=sources,
    )


def _notes(environ: Mapping[str, str], vault_argument: str | None) -> Iterator[str]:
    given = {knob.env: environ.get(knob.env, "") for knob in KNOBS}
    for name, text in {**given, "the vault argument": vault_argument or ""}.items():
        if is_placeholder(text):
            yield f"{name} holds a placeholder that nothing filled in, and counts as unset"
    if not is_unset(vault_argument) and not is_unset(environ.get("MMIND_VAULT_PATH")):
        yield f"MMIND_VAULT_PATH beats the vault argument {shown(vault_argument)!r}"


def _kept_read_only(values: dict[str, Any], choices: Mapping[str, _Choice]) -> Iterator[str]:
    """Turns back what a store cannot give: an error would stop the other stores for the sake of one wish."""
    for knob in KNOBS:
        if knob.read_only_because and values[knob.name] is Access.READ_WRITE:
            values[knob.name] = Access.READ
            yield f"{choices[knob.name].label} asks for read/write, but {knob.read_only_because}: it stays read"


def check_whole(settings: Settings) -> None:
    """What no single knob can know: weights that leave nothing to rank by, and places that lie in one another."""
    if settings.ranking.semantic_weight == settings.ranking.lexical_weight == 0:
        raise ConfigError(
            "MMIND_RANK_SEMANTIC_WEIGHT and MMIND_RANK_LEXICAL_WEIGHT are both 0", "set at least one above 0"
        )
    kept = {
        "MMIND_FILES_PATH": settings.files_path,
        "MMIND_LEVELDB_PATH": settings.leveldb_path,
        "MMIND_VECTOR_PATH": settings.vector_path,
        "MMIND_AUDIT_PATH": settings.audit_path,
    }
    check_apart(settings.vault_path, kept, {"MMIND_HOME": settings.home, "MMIND_SQLITE_PATH": settings.sqlite_path})
    for source in settings.sources:
        if source.path is not None:
            check_foreign(source.name, source.path, {**kept, "MMIND_SQLITE_PATH": settings.sqlite_path})
    check_once(settings.sources, settings.vault_path)
