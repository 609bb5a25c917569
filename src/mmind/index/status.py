"""How far the index is with each store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mmind.index import models, sources
from mmind.index.database import Database
from mmind.index.scanner import Scanner
from mmind.index.sources import State
from mmind.values.errors import MmindError
from mmind.values.ports import Freshness

if TYPE_CHECKING:
    import apsw

AT_ONCE_SECONDS = 1.0  # another process may begin a scan after this one looked at the clock


def freshness(
    database: Database, scanners: Sequence[Scanner], model: str, vector_fault: MmindError | None, now: datetime
) -> dict[str, Freshness]:
    """The state of every source, by store. `model` is "" where no vectors are made. Raises EngineError."""
    if not database.is_there():
        return {scanner.source.store: _unknown(scanner) for scanner in scanners}
    with database.reading() as connection:
        return {scanner.source.store: _of(connection, scanner, model, vector_fault, now) for scanner in scanners}


def _of(
    connection: apsw.Connection, scanner: Scanner, model: str, vector_fault: MmindError | None, now: datetime
) -> Freshness:
    state = sources.find(connection, scanner.source)
    if state is None:
        return _unknown(scanner)
    fault, hint = _fault(state, scanner)
    age = _age(state, scanner, now)
    pending = -1 if age is None and not state.pending else state.pending
    return Freshness(
        store=scanner.source.store,
        entries=state.memories,
        passages=state.passages,
        age_seconds=age,
        pending_words=0 if fault else pending,
        pending_vectors=models.waiting(connection, model, state) if model else 0,
        fault=fault,
        hint=hint or (f"no new vectors: {vector_fault}" if vector_fault else ""),
        skipped=state.skipped_things(),
    )


def _unknown(scanner: Scanner) -> Freshness:
    fault = scanner.fault
    return Freshness(
        scanner.source.store,
        pending_words=0 if fault else -1,
        fault=fault.message if fault else "",
        hint=fault.hint if fault else "",
    )


def _fault(state: State, scanner: Scanner) -> tuple[str, str]:
    """Why the last scan failed: the index could not take it, or the engine could not tell."""
    if scanner.fault is not None:
        return scanner.fault.message, scanner.fault.hint
    return state.fault, state.hint


def _age(state: State, scanner: Scanner, now: datetime) -> float | None:
    """Seconds since the last complete scan began, by any process that wrote it down, or by this one: what was edited
    since then may be missing. A scan of the future was made before the clock was set back, and saw nothing of now."""
    times = [sources.from_microseconds(state.began)] if state.began is not None else []
    if scanner.level_at is not None:
        times.append(scanner.level_at)
    ages = [age for time in times if (age := (now - time).total_seconds()) > -AT_ONCE_SECONDS]
    return max(0.0, min(ages)) if ages else None
