"""One scan of one source: ask its engine what differs from the index, and write that in small transactions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from mmind.index import sources
from mmind.index.database import Database
from mmind.index.sources import Source, State
from mmind.index.writing import SourceWriter
from mmind.text.prepared import Prepared, prepare
from mmind.values.errors import EngineError, MmindError
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Clock, Mark, Progress, Skipped

BATCH_MEMORIES = 200  # of short texts 50 cost a third more: each transaction writes the pages it touched
BATCH_SETTLED = 1000
BATCH_CHARACTERS = 1_000_000  # long notes make short batches, so that memory and waiting writers stay bounded
BATCH_SECONDS = 1.0  # what is read so far can be found while a slow engine reads on
MOST_SKIPPED = 200
CHEAP_SECONDS = 0.05  # a scan that takes less is made at every question
WAITING_SHARE = 0.25
NOTED_EVERY = timedelta(minutes=1)


@dataclass(slots=True)
class Scan:
    """A scan under way. `pause` is called between memories and tells whether to stop there.

    `cost` adds up the seconds in which the engine found out what changed: the listing and the first memory, but not
    the reading of all others, which the next scan will not do. `is_in_engine` tells that nothing of the index is open.
    """

    database: Database
    source: Source
    clock: Clock
    pause: Callable[[], bool] = lambda: False
    report: Callable[[Progress], None] = lambda _: None
    cost: float = 0.0
    done: int = 0
    is_in_engine: bool = False
    skipped: list[Skipped] = field(default_factory=list)

    def run(self) -> bool:
        """Whether the scan came to its end. Raises EngineError when the index fails; the engine's faults are kept
        in the source's row, and what is indexed of it stays."""
        began = self.clock()
        state = self._state(began)
        mark = Mark(state.cursor, sources.Fingerprints(self.database, state.number))
        try:
            changes = self._asked(mark)
        except _EngineFault as fault:
            self._fail(state, fault)
            return False
        self._settle(state, changes, mark)
        return self._take(state, changes, began)

    def _state(self, now: datetime) -> State:
        with self.database.reading() as connection:
            state = sources.find(connection, self.source)
        if state is None:
            with self.database.writing() as connection:
                state = sources.enter(connection, self.source, now)
        return state

    def _asked(self, mark: Mark) -> Changes:
        started = _Watch()
        self.is_in_engine = True
        try:
            return self.source.engine.changes(mark)
        except Exception as error:
            raise _EngineFault.of(error) from error
        finally:
            self.is_in_engine = False
            self.cost += started.spent()

    def _take(self, state: State, changes: Changes, began: datetime) -> bool:
        for start in range(0, len(changes.gone), BATCH_MEMORIES):
            self._drop(state, changes.gone[start : start + BATCH_MEMORIES])
        try:
            for batch in self._batches(changes):
                self._write(state, batch, changes.total)
        except _EngineFault as fault:
            self._fail(state, fault)
            return False
        if self.pause():
            return False
        self._finish(state, changes, began)
        return True

    def _batches(self, changes: Changes) -> Iterator[list[Prepared]]:
        """Prepared memories in batches that may be empty; ends early when told to stop."""
        batch, characters, started = list[Prepared](), 0, time.monotonic()
        fault = None
        try:
            for memory in self._memories(changes):
                self.done += 1
                prepared = self._prepared(memory)
                if prepared is not None:
                    batch.append(prepared)
                    characters += len(memory.text)
                is_full = len(batch) >= BATCH_MEMORIES or characters >= BATCH_CHARACTERS
                if is_full or time.monotonic() - started > BATCH_SECONDS:
                    yield batch
                    batch, characters, started = [], 0, time.monotonic()
                if self.pause():
                    break
        except _EngineFault as failed:
            fault = failed  # what a damaged store gave before it failed is kept
        yield batch
        if fault is not None:
            raise fault

    def _memories(self, changes: Changes) -> Iterator[Memory]:
        """The engine's memories; its faults are told apart from our own."""
        iterator = iter(changes.changed)
        for count in range(-1, 1 << 62):
            started = _Watch()
            self.is_in_engine = True
            try:
                memory = next(iterator, None)
            except Exception as error:
                raise _EngineFault.of(error) from error
            finally:
                self.is_in_engine = False
            if count < 0:
                self.cost += started.spent()
            if memory is None:
                return
            yield memory

    def _prepared(self, memory: Memory) -> Prepared | None:
        try:
            return prepare(memory)
        except UnicodeEncodeError:
            self.skipped.append(Skipped(repr(memory.id)[1:-1], "its name or text cannot be written as UTF-8"))
        except Exception as error:  # noqa: BLE001 - one memory must not keep the others out; it is named
            self.skipped.append(Skipped(memory.id, f"could not be indexed: {type(error).__name__}: {error}"[:300]))
        return None

    def _drop(self, state: State, ids: Sequence[str]) -> None:
        with self.database.writing() as connection:
            writer = SourceWriter(connection, state.number, self.source.written)
            for gone in ids:
                writer.drop(gone)
            writer.settle()

    def _settle(self, state: State, changes: Changes, mark: Mark) -> None:
        """Keep the new fingerprints of what is as it was, where no other process wrote it anew meanwhile."""
        ids = list(changes.settled)
        for start in range(0, len(ids), BATCH_SETTLED):
            with self.database.writing() as connection:
                connection.executemany(
                    "UPDATE memory SET fingerprint = ? WHERE source = ? AND id = ? AND fingerprint = ?",
                    [
                        (changes.settled[id_], state.number, id_, mark.fingerprints[id_])
                        for id_ in ids[start : start + BATCH_SETTLED]
                    ],
                )

    def _write(self, state: State, batch: Sequence[Prepared], total: int) -> None:
        left = max(0, total - self.done) if total >= 0 else -1
        if batch or (left and self.done):  # what cannot be read is looked at each time, and is no lag
            with self.database.writing() as connection:
                writer = SourceWriter(connection, state.number, self.source.written)
                for prepared in batch:
                    writer.put(prepared)
                writer.settle()
                connection.execute("UPDATE source SET pending = ? WHERE number = ?", (left, state.number))
            writer.remember()
        self.report(Progress(self.source.store, "words", self.done, total))

    def _finish(self, state: State, changes: Changes, began: datetime) -> None:
        now = self.clock()
        skipped = _listed([*changes.skipped, *self.skipped])
        is_quiet = not self.done and not changes.gone and not state.pending and not state.fault
        if is_quiet and (changes.cursor, skipped) == (state.cursor, state.skipped) and not self._is_news(state, now):
            return
        times = (sources.microseconds(began), sources.microseconds(now), sources.microseconds(now))
        with self.database.writing() as connection:
            connection.execute(
                "UPDATE source SET cursor = ?, began = ?, finished = ?, used = ?, cost = ?, pending = 0, fault = '',"
                " hint = '', skipped = ? WHERE number = ?",
                (changes.cursor, *times, self.cost, skipped, state.number),
            )

    def _is_news(self, state: State, now: datetime) -> bool:
        """Whether the time of a scan that found nothing must be written down: a costly one spares others theirs."""
        if state.finished is None or max(self.cost, state.cost) >= CHEAP_SECONDS:
            return True
        return not timedelta(0) <= now - sources.from_microseconds(state.finished) < NOTED_EVERY

    def _fail(self, state: State, fault: _EngineFault) -> None:
        with self.database.writing() as connection:
            connection.execute(
                "UPDATE source SET fault = ?, hint = ? WHERE number = ?", (fault.message, fault.hint, state.number)
            )


class _Watch:
    """What a piece of work costs: its processor time, or a share of the time it took, if that is more.

    A share, because on a busy machine most of that time is spent waiting for the processor; not none of it, because a
    slow drive costs no processor time.
    """

    def __init__(self) -> None:
        self._began, self._ran = time.perf_counter(), time.thread_time()

    def spent(self) -> float:
        """Seconds."""
        return max(time.thread_time() - self._ran, WAITING_SHARE * (time.perf_counter() - self._began))


def _listed(skipped: Sequence[Skipped]) -> str:
    """As the source's row keeps it, bounded."""
    pairs = [(one.name, one.reason) for one in skipped[:MOST_SKIPPED]]
    if len(skipped) > MOST_SKIPPED:
        pairs.append(("…", f"{len(skipped) - MOST_SKIPPED:,} more"))
    return json.dumps(pairs)


class _EngineFault(MmindError):
    """What an engine raised, told apart from what the index raises while the engine's memories are taken."""

    @classmethod
    def of(cls, error: Exception) -> _EngineFault:
        if isinstance(error, EngineError):
            return cls(error.message, error.hint)
        return cls(f"internal error: {type(error).__name__}: {error}"[:300])
