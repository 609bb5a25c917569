"""The bounds of a query as a condition on memories, so that they narrow the search and not its finished result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmind.index.sources import microseconds
from mmind.text.tags import tag_key
from mmind.values.query import Query

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition over the columns of `memory`, and its values. `is_open` tells that it lets every memory pass."""

    clause: str
    values: tuple[str | int, ...]
    is_open: bool


def filter_of(connection: apsw.Connection, source: int, query: Query) -> Filter:
    """The query's times (a memory without a time is outside any), tags (all of them) and session."""
    parts: list[tuple[str, str | int]] = []
    if query.since is not None:
        parts.append(("memory.time >= ?", microseconds(query.since)))
    if query.until is not None:
        parts.append(("memory.time <= ?", microseconds(query.until)))
    parts += [("instr(memory.tag_keys, ?) > 0", f"\n{tag_key(tag)}\n") for tag in query.tags]
    if connection.execute("SELECT 1 FROM memory WHERE source = ? AND session <> '' LIMIT 1", (source,)).get:
        parts.append(("memory.session IN ('', ?)", query.session))
    clause = " AND ".join(clause for clause, _ in parts) or "1"
    return Filter(clause, tuple(value for _, value in parts), not parts)


def passing(connection: apsw.Connection, source: int, wanted: Filter) -> list[int] | None:
    """The passages whose memories pass; None when all do."""
    if wanted.is_open:
        return None
    statement = (
        "SELECT passage.number FROM memory CROSS JOIN passage ON passage.memory = memory.number"  # noqa: S608 - our own clauses
        f" WHERE memory.source = ? AND {wanted.clause}"
    )
    found: list[Any] = connection.execute(statement, (source, *wanted.values)).fetchall()
    return [number for (number,) in found]
