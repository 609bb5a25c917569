"""The wrapped sources in the saved file: `[sources.NAME]` tables, read and judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mmind.config.file import SOURCES, Saved
from mmind.config.places import absolute, user_home
from mmind.config.reading import is_unset, shown
from mmind.config.suggestion import did_you_mean
from mmind.config.table import STORES
from mmind.values.errors import ConfigError
from mmind.values.wrapped import Columns, Wrapped

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_LONGEST_HALF_LIFE = 1_000_000.0
URL_VARIABLES = {"postgres": "MMIND_POSTGRES_URL", "mysql": "MMIND_MYSQL_URL"}
COLUMNS = tuple(Columns.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of source is made of: the keys it must and may have, and the days in which its freshness halves."""

    needed: tuple[str, ...]
    possible: tuple[str, ...]
    half_life_days: float


_TABLE = ("table", "id", "text")
_MAPPED = ("title", "time", "tags", "search", "generated")
KINDS: Mapping[str, Kind] = {
    "vault": Kind(("path",), ("generated",), 1095.0),
    "instructions": Kind(("path",), (), 1095.0),
    "jsonl": Kind(("path",), (), 365.0),
    "sqlite": Kind(("path", *_TABLE), _MAPPED, 365.0),
    "postgres": Kind(_TABLE, (*_MAPPED, "vector", "vector_model", "url_env"), 365.0),
    "mysql": Kind(_TABLE, (*_MAPPED, "url_env"), 365.0),
}


def read_sources(saved: Saved, environ: Mapping[str, str]) -> tuple[Wrapped, ...]:
    """The sources of the saved file, in its order. Raises ConfigError that names the line."""
    tables: dict[str, dict[str, object]] = {}
    for key, value in saved.values.items():
        if key.startswith(SOURCES + "."):
            name, _, fact = key.removeprefix(SOURCES + ".").partition(".")
            tables.setdefault(name, {})[fact] = value
    labels = {name: _label(saved, name) for name in tables}
    return tuple(source_of(name, facts, labels[name], saved.path.parent, environ) for name, facts in tables.items())


def source_of(name: str, facts: Mapping[str, object], label: str, home: Path, environ: Mapping[str, str]) -> Wrapped:
    """A source from its name and facts, as the file holds them. Raises ConfigError with `label` in front."""
    check_name(name, label)
    kind = str(facts.get("kind", ""))
    if kind not in KINDS:
        raise ConfigError(f"{label} has kind {shown(kind)!r}", f"set it to one of {', '.join(KINDS)}")
    for problem in _problems(kind, facts):
        raise ConfigError(f"{label} {problem}", f"a {kind} source takes {', '.join(_keys(kind))}")
    path = facts.get("path")
    variable = str(facts.get("url_env") or URL_VARIABLES.get(kind, ""))
    url = environ.get(variable, "") if variable else ""
    columns = {key: str(facts[key]) for key in COLUMNS if key in facts}
    return Wrapped(
        name=name,
        kind=kind,
        path=absolute(str(path), user_home(environ), str(home)) if path else None,
        url_variable=variable,
        url="" if is_unset(url) else url,
        columns=Columns(**columns) if columns else None,
        is_generated=bool(facts.get("generated", False)),
        half_life_days=_half_life(facts.get("half_life_days", KINDS[kind].half_life_days), label),
    )


def check_name(name: str, label: str) -> None:
    """Refuse a name that is one of the five stores, or that could not stand in a handle. Raises ConfigError."""
    if name in STORES:
        raise ConfigError(f"{label}: {name} is a store already", "choose another name")
    if not _NAME.fullmatch(name):
        hint = "use up to 32 small letters, digits, - and _, a letter first"
        raise ConfigError(f"{label}: {shown(name)!r} cannot be a source's name", hint)


def _problems(kind: str, facts: Mapping[str, object]) -> Iterator[str]:
    for key in KINDS[kind].needed:
        if not facts.get(key):
            yield f"lacks {key}"
    if facts.get("vector") and not (facts.get("search") and facts.get("vector_model")):
        yield "has vector, which needs search and vector_model beside it"
    for key, value in facts.items():
        if key not in _keys(kind):
            yield f"has {shown(key)!r}, which is not known ({did_you_mean(key, _keys(kind), 'take it out')})"
        elif key == "generated" and not isinstance(value, bool):
            yield "wants true or false for generated"
        elif key not in ("generated", "half_life_days") and not (isinstance(value, str) and "\0" not in value):
            yield f"wants text for {key}"


def _keys(kind: str) -> tuple[str, ...]:
    return ("kind", *KINDS[kind].needed, *KINDS[kind].possible, "half_life_days")


def _half_life(value: object, label: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.01 <= value <= _LONGEST_HALF_LIFE:
        return float(value)
    raise ConfigError(f"{label} has half_life_days {shown(value)}", "set it to a number of days from 0.01")


def _label(saved: Saved, name: str) -> str:
    first = next(label for key, label in saved.labels.items() if key.startswith(f"{SOURCES}.{name}."))
    return f"{first.rpartition(': ')[0]}: {SOURCES}.{name}"
