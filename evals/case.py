"""One labelled case, read from TOML: what lies where, what is asked, and what must come of it."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mmind.values.memory import Trust

CASES = Path(__file__).parent / "cases"
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)  # the moment at which every case is asked: a Monday at noon


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A memory of a case. `ref` is its name in the expectations; in the vault it is a note, and `title` its file name.

    `days` is its age at NOW (below zero: in the future). `by` is user or agent; a vault note is the user's.
    `padding` paragraphs of other talk stand before the text. `copies` puts it into its store so many times, under
    ids of their own (in the vault, as notes in folders of their own).
    """

    ref: str
    store: str
    text: str
    title: str = ""
    days: float = 30.0
    by: str = "agent"
    tags: tuple[str, ...] = ()
    session: str = ""
    padding: int = 0
    copies: int = 1

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

    `first` is the first result, `text` what its passage must hold, `speaker` the memory that speaks for it, and
    `stores` the places that it must list. `order` must appear in this order, all of them. `found` and `absent` must
    (not) be results. `same` groups must each be one result, `apart` pairs must not. `corroborated` results must have
    earned a bonus, `uncorroborated` ones must not. `conflicts` and `agreements` must be told, as pairs;
    `no_conflicts` and `no_agreements` are pairs that must not be, and `quiet` forbids any conflict. `trusts` is the
    side that every told conflict among `conflicts` must trust, where it is part of it. `kinds` are the only kinds
    allowed for them. `nothing` demands that the answer says that nothing relevant was found, `relevant` the opposite.
    """

    first: str = ""
    text: str = ""
    speaker: str = ""
    stores: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    same: tuple[tuple[str, ...], ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()
    corroborated: tuple[str, ...] = ()
    uncorroborated: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, ...], ...] = ()
    no_conflicts: tuple[tuple[str, ...], ...] = ()
    agreements: tuple[tuple[str, ...], ...] = ()
    no_agreements: tuple[tuple[str, ...], ...] = ()
    quiet: bool = False
    trusts: str = ""
    kinds: tuple[str, ...] = ()
    nothing: bool = False
    relevant: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case: `why` says in one sentence what must hold; `hard` marks what few systems get right.

    `session`, `tags`, `stores`, `since`, `until` and `limit` are the arguments of the retrieve; `settings` are
    environment variables that hold for its world.
    """

    name: str
    why: str
    query: str
    memories: tuple[Kept, ...]
    expected: Expected
    session: str = ""
    tags: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    limit: int = 8
    hard: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """What the case is about: the part of its name before the slash."""
        return self.name.partition("/")[0]

    @property
    def half(self) -> str:
        """ "dev" (defaults and rules may be tuned on it) or "test" (looked at afterwards), by a hash of the name."""
        return "test" if hashlib.sha256(self.name.encode()).digest()[-1] % 2 else "dev"


def read_cases(folder: Path = CASES) -> list[Case]:
    """Every case of every file, in order. Raises ValueError on a doubled name, an unknown key or an unknown memory."""
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
        case = _made(Case, {**rest, "memories": memories, "expected": _made(Expected, table["expect"], file)}, file)
        strangers = named(case.expected) - {memory.ref for memory in memories}
        if strangers:
            raise ValueError(f"{case.name} expects {', '.join(sorted(strangers))}, which it does not hold")
        yield case


def named(expected: Expected) -> set[str]:
    """Every memory that the expectations speak of."""
    flat = (expected.order, expected.found, expected.absent, expected.corroborated, expected.uncorroborated)
    grouped = (
        *(expected.same + expected.apart + expected.conflicts + expected.no_conflicts),
        *(expected.agreements + expected.no_agreements),
    )
    single = {expected.first, expected.speaker, expected.trusts} - {""}
    return single | {name for names in (*flat, *grouped) for name in names}


def _made(kind: type[Any], table: Mapping[str, Any], file: Path) -> Any:
    known = {one.name for one in fields(kind)}
    strangers = set(table) - known
    if strangers:
        raise ValueError(f"{file.name}: {kind.__name__} has no {', '.join(sorted(strangers))}")
    return kind(**{key: _frozen(value) for key, value in table.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list | tuple) else value
