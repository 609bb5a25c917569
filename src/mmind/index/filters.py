"""The bounds of a query as a condition on memories, so that they narrow the search and not its finished result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mmind.index.sources import State, microseconds
from mmind.text.tags import tag_key
from mmind.values.query import Query

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition over the columns of `memory`, and its values.

    `is_open` tells that it lets every memory pass, `is_of_sessions` that it keeps out other sessions and nothing else.
    """

    clause: str
    values: tuple[str | int, ...]
    is_open: bool
    is_of_sessions: bool


@dataclass(frozen=True, slots=True)
class Passing:
    """The numbers of the passages that pass, or, where that list is the shorter one, of those that are barred."""

    listed: Sequence[int]
    are_barred: bool


def filter_of(connection: apsw.Connection, source: int, query: Query) -> Filter:
    """The query's times (a memory without a time is outside any), tags (all of them) and session."""
    parts: list[tuple[str, str | int]] = []
    if query.since is not None:
        parts.append(("memory.time >= ?", microseconds(query.since)))
    if query.until is not None:
        parts.append(("memory.time <= ?", microseconds(query.until)))
    parts += [("instr(memory.tag_keys, ?) > 0", f"\n{tag_key(tag)}\n") for tag in query.tags]
    has_sessions = connection.execute("SELECT 1 FROM memory WHERE source = ? AND session <> '' LIMIT 1", (source,)).get
    is_bounded = bool(parts)
    if has_sessions:
        parts.append(("memory.session IN ('', ?)", query.session))
    clause = " AND ".join(clause for clause, _ in parts) or "1"
    return Filter(clause, tuple(value for _, value in parts), not parts, bool(parts) and not is_bounded)


def passing(connection: apsw.Connection, state: State, wanted: Filter) -> Passing | None:
    """Which passages of a source pass; None when all do."""
    if wanted.is_open:
        return None
    if wanted.is_of_sessions:
        (sessions,) = cast("tuple[int]", connection.execute(_OF_SESSIONS, (state.number,)).fetchone())
        if 2 * sessions < state.memories:
            return Passing(
                _numbers(connection, "memory.session <> '' AND memory.session <> ?", (state.number, *wanted.values)),
                True,
            )
    return Passing(_numbers(connection, wanted.clause, (state.number, *wanted.values)), False)


_OF_SESSIONS = "SELECT count(*) FROM memory WHERE source = ? AND session <> ''"


def _numbers(connection: apsw.Connection, clause: str, values: tuple[str | int, ...]) -> list[int]:
    statement = (
        "SELECT passage.number FROM memory CROSS JOIN passage ON passage.memory = memory.number"  # noqa: S608 - our own clauses
        f" WHERE memory.source = ? AND {clause}"
    )
    found: list[Any] = connection.execute(statement, values).fetchall()
    return [number for (number,) in found]
