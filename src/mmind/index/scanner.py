"""The thread that keeps one source level with its engine, and when that is due."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from mmind.disk.locks import held
from mmind.index import sources
from mmind.index.courtesy import Courtesy
from mmind.index.database import Database
from mmind.index.locks import work_lock
from mmind.index.scan import CHEAP_SECONDS, Scan
from mmind.index.sources import Source
from mmind.values.errors import EngineUnavailable, MmindError
from mmind.values.ports import Clock, Progress

REST_FACTOR = 10.0  # a costlier one at most every ten times as long as it takes: a tenth of one core at most
PATIENCE_SECONDS = 0.25  # a wait of this length that was in vain is not repeated
ENGINE_SECONDS = 0.3  # how long the end of a program waits for an engine that is being listed
JOIN_SECONDS = 0.02
TURN_SECONDS = 60.0  # how long to wait for another process that scans


class Scanner:
    """Scans one source when asked, in a thread of its own that starts at the first `ask`. Thread-safe."""

    def __init__(
        self, database: Database, source: Source, clock: Clock, courtesy: Courtesy, on_level: Callable[[], None]
    ) -> None:
        self.source = source
        self.level_at: datetime | None = None
        self.fault: MmindError | None = None
        self._database = database
        self._clock = clock
        self._courtesy = courtesy
        self._on_level = on_level
        self._changed = threading.Condition()
        self._asked = self._answered = 0
        self._is_late = self._stopped = False
        self._thread: threading.Thread | None = None
        self._scan: Scan | None = None

    def is_due(self, state: sources.State | None) -> bool:
        """Whether a question must look for changes first: yes, unless looking is costly and was done not long ago."""
        if state is None or state.finished is None or state.pending or state.fault or state.cost < CHEAP_SECONDS:
            return True
        age = self._clock() - sources.from_microseconds(state.finished)
        return not timedelta(0) <= age < timedelta(seconds=REST_FACTOR * state.cost)

    def ask(self) -> int:
        """Want a scan that begins from now on. Returns at once, with the number to wait for."""
        with self._changed:
            self._asked += 1
            if self._thread is None and not self._stopped:
                self._thread = threading.Thread(target=self._run, name=f"mmind-scan-{self.source.store}", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            return self._asked

    def wait(self, number: int, seconds: float) -> bool:
        """Whether the scan asked for ended in time. One that kept somebody waiting in vain is not waited for."""
        with self._changed:
            if self._is_late:
                return False
            in_time = self._changed.wait_for(lambda: self._answered >= number or self._stopped, seconds)
            self._is_late = not in_time and seconds >= PATIENCE_SECONDS
            return in_time

    def stop(self) -> None:
        """End after the memory under way; `join` waits for it."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def join(self, seconds: float) -> None:
        """Wait for the thread to end, at most so long; for one that is in its engine (a slow drive, a server that is
        silent) only a moment: what it brings is dropped, and it holds nothing of the index."""
        thread, ends = self._thread, time.monotonic() + seconds
        patient_until = time.monotonic() + min(seconds, ENGINE_SECONDS)
        while thread is not None and thread.is_alive() and time.monotonic() < ends:
            is_in_engine = self._scan is not None and self._scan.is_in_engine
            if is_in_engine and time.monotonic() > patient_until:
                return
            thread.join(JOIN_SECONDS)

    def scan(
        self, report: Callable[[Progress], None], pause: Callable[[], bool], turn_seconds: float = math.inf
    ) -> None:
        """Scan in this thread, once other processes that scan the same are done; one of theirs that began after this
        was asked will do. Raises EngineError when the index fails; the engine's faults are kept for `freshness`.
        """
        asked_at = self._clock()
        lock = work_lock(self._database.path, "scan", f"{self.source.store}\n{self.source.location}")
        with held(lock, turn_seconds, lambda: self._stopped) as is_ours:
            if not is_ours:
                return
            if self._is_level_since(asked_at):
                self.level_at = asked_at
                return
            self._scan = Scan(self._database, self.source, self._clock, pause, report)
            if self._scan.run():
                self.level_at = asked_at  # what was edited while it ran may be missing

    def _is_level_since(self, asked_at: datetime) -> bool:
        if not self._database.is_there():
            return False
        with self._database.reading() as connection:
            state = sources.find(connection, self.source)
        return (
            state is not None
            and state.began is not None
            and not state.pending
            and not state.fault
            # A scan of the future was made before the clock was set back, and saw nothing of now.
            and asked_at < sources.from_microseconds(state.began) <= self._clock()
        )

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._asked > self._answered or self._stopped)
                if self._stopped:
                    return
                number = self._asked
            self.fault = self._named(self._scanned)
            with self._changed:
                self._answered, self._is_late = number, False
                self._changed.notify_all()
            self.fault = self.fault or self._named(self._checked)

    def _scanned(self) -> None:
        self.scan(lambda _: None, self._pause, TURN_SECONDS)
        self._on_level()

    def _checked(self) -> None:
        """Once a day, and once nobody waits any more: a million memories take ten seconds of processor."""
        if not self._stopped:
            self._database.check_daily(self._clock())

    def _named(self, work: Callable[[], None]) -> MmindError | None:
        """Do it, and give the fault of the index (the engine's are in its row); freshness tells of it."""
        try:
            work()
        except MmindError as error:
            return error
        except Exception as error:  # noqa: BLE001 - the thread must live on, and somebody must be told
            return EngineUnavailable(f"internal error: {type(error).__name__}: {error}"[:300])
        return None

    def _pause(self) -> bool:
        self._courtesy.give_way(0.2)
        return self._stopped
