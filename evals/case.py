"""One labelled case, read from TOML: what lies where, what is asked, and what must come of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mmind.values.memory import Trust

CASES = Path(__file__).parent / "cases"
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)  # the moment at which every case is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A memory of a case. `ref` is its name in the expectations; in the vault it is a note, and `title` its file name.

    `days` is its age at NOW (below zero: in the future). `by` is user or agent; a vault note is the user's.
    """

    ref: str
    store: str
    text: str
    title: str = ""
    days: float = 30.0
    by: str = "agent"
    tags: tuple[str, ...] = ()
    session: str = ""

    @property
    def time(self) -> datetime:
        """When it was said."""
        return NOW - timedelta(days=self.days)

    @property
    def trust(self) -> Trust:
        """The tier that its writer gives it."""
        return Trust.CURATED if self.by == "user" or self.store == "markdown" else Trust.GENERATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the answer must be; whatever is not named is not judged.

    `first` is the first result. `order` must appear in this order, all of them. `found` and `absent` must (not) be
    results. `same` groups must each be one result, `apart` pairs must not. `conflicts` and `agreements` must be told,
    as pairs; `no_conflicts` are pairs that must not be, or `quiet` forbids any. `trusts` is the side that every told
    conflict among `conflicts` must trust. `kinds` are the only kinds allowed for them. `nothing` demands that the
    answer says that nothing relevant was found. `stores` are the places that the first result must list.
    """

    first: str = ""
    order: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    same: tuple[tuple[str, ...], ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()
    conflicts: tuple[tuple[str, ...], ...] = ()
    no_conflicts: tuple[tuple[str, ...], ...] = ()
    agreements: tuple[tuple[str, ...], ...] = ()
    no_agreements: tuple[tuple[str, ...], ...] = ()
    quiet: bool = False
    trusts: str = ""
    kinds: tuple[str, ...] = ()
    nothing: bool = False
    relevant: bool = False
    stores: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case with the file it stands in."""

    name: str
    why: str
    query: str
    memories: tuple[Kept, ...]
    expected: Expected
    session: str = ""
    limit: int = 8


def read_cases(folder: Path = CASES) -> list[Case]:
    """Every case of every file, in order. Raises ValueError on a doubled name or an unknown key."""
    cases = [case for file in sorted(folder.glob("*.toml")) for case in _read(file)]
    names = [case.name for case in cases]
    doubles = {name for name in names if names.count(name) > 1}
    if doubles:
        raise ValueError(f"cases named twice: {', '.join(sorted(doubles))}")
    return cases


def _read(file: Path) -> Iterator[Case]:
    for table in tomllib.loads(file.read_text("utf-8"))["case"]:
        memories = tuple(_made(Kept, memory, file) for memory in table["memory"])
        rest = {key: value for key, value in table.items() if key not in {"memory", "expect"}}
        yield _made(Case, {**rest, "memories": memories, "expected": _made(Expected, table["expect"], file)}, file)


def _made(kind: type[Any], table: Mapping[str, Any], file: Path) -> Any:
    known = {field.name for field in fields(kind)}
    strangers = set(table) - known
    if strangers:
        raise ValueError(f"{file.name}: {kind.__name__} has no {', '.join(sorted(strangers))}")
    return kind(**{key: _frozen(value) for key, value in table.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list | tuple) else value
