"""What waits for a vector gets it: at once where it is little, from a background thread otherwise.

One way for all that keep vectors: each says how what waits there is taken on, saved and counted (`Backlog`).
"""

from __future__ import annotations

import atexit
import functools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from mmind.values.errors import EngineUnavailable, MmindError
from mmind.values.ports import Embedder, Progress

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

LOCAL_BATCH = 16  # texts between two commits; a batch must not make `stop` wait
REMOTE_BATCH = 64  # fewer round trips
AT_ONCE = 4  # texts that a write embeds before it returns
RETRY_SECONDS = (5.0, 30.0, 120.0, 600.0)
CLOSE_SECONDS = 5.0
# What waits is counted anew when a fiftieth of it is done, for others embed it too: to count a million takes 22 ms.
COUNTS = 50
# A local model may fail at some texts only (those of other languages, when their model is damaged). After so many in a
# row it is asked whether it works at all, by a word that every model knows.
FAILURES_IN_A_ROW = 16
WORD = "warm"
# More texts set aside than these end a round: each costs a try, and the claims of others pass them over one by one.
MOST_ASIDE = 10_000


@dataclass(frozen=True, slots=True)
class Task:
    """A text to embed, and the key of its vector."""

    digest: bytes
    text: str


@dataclass(slots=True)
class _Round:
    """What one pass over what waits could not embed: it is not tried again before the next one."""

    aside: set[bytes] = field(default_factory=set)
    faults: dict[str, MmindError] = field(default_factory=dict)  # by store
    in_a_row: int = 0  # failures since the last success
    broken: set[str] = field(default_factory=set)  # stores whose place failed
    is_over: bool = False  # the model does not work at all


class Backlog(Protocol):
    """The passages of one store that wait for vectors of one model, shared among processes.

    Every method may be called from any thread and may raise EngineError.
    """

    def claimed(self, is_stopped: Callable[[], bool], aside: AbstractSet[bytes]) -> AbstractContextManager[list[Task]]:
        """The texts wanted most, without doubles and those set aside (by digest), which no other process takes on until
        the end of the block.

        None when nothing else waits that is free. Whatever is in the list at the end is given back. May wait for
        another process, until `is_stopped`.
        """
        ...

    def save(self, tasks: Sequence[Task], vectors: Vectors) -> None:
        """Keep vectors (n, d), one a task; their passages wait no longer."""
        ...

    def lacking(self, digests: Sequence[bytes]) -> set[bytes]:
        """Those of some texts that have no vector and can get one."""
        ...

    def count(self) -> int:
        """How many passages wait."""
        ...


def _go_on() -> None:
    return None


class Backfill:
    """Makes the vectors of one embedder for the stores whose backlogs it has, by name. Thread-safe.

    Its thread starts at the first `wake`, and calls `give_way` after each batch and `at_level` each time that it has
    worked off what waits. A text at which a local model fails holds up no other: it is set aside until the next round.
    """

    def __init__(
        self,
        embedder: Embedder,
        backlogs: Mapping[str, Backlog],
        give_way: Callable[[], None] = _go_on,
        at_level: Callable[[], None] = _go_on,
    ) -> None:
        self._embedder = embedder
        self._backlogs = backlogs
        self._give_way = give_way
        self._at_level = at_level
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._faults: dict[str, MmindError] = {}

    @property
    def fault(self) -> MmindError | None:
        """Why there are texts for which no vector could be made lately, in any of the stores."""
        return next(iter(list(self._faults.values())), None)

    def wake(self) -> None:
        """There may be something to embed. Returns at once."""
        self._wanted.set()
        with self._starting:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="mmind-vectors", daemon=True)
                self._thread.start()
                atexit.register(self.stop)  # a thread inside a model when the interpreter ends could crash it

    def stop(self) -> None:
        """End after the batch under way, for which it waits five seconds at most. Harmless when repeated."""
        with self._starting:
            self._stopped.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)
            atexit.unregister(self.stop)

    def embed_now(self, store: str, texts: Mapping[bytes, str]) -> None:
        """Give the texts of what was just written their vectors, by key, if they are few and the embedder works; else
        wake the thread. Never raises: what was written stays, and words find it."""
        is_silent = self.fault is not None and not self._embedder.is_local
        if is_silent or len(texts) > AT_ONCE or not self._is_embedded(store, texts):
            self.wake()

    def complete(self, store: str, report: Callable[[Progress], None]) -> None:
        """Embed all that waits of one store, and is free, in this thread.

        Raises MmindError when the place of the vectors fails, or the model: at the end, where some texts alone failed.
        """
        backlog, since, tried = self._backlogs[store], 0, _Round()
        left = most = backlog.count()
        report(Progress(store, "vectors", 0, most))
        for done in self._batches(store, tried):
            since += done
            if since > left // COUNTS:
                left, since = backlog.count(), 0
                most = max(most, left)
            report(Progress(store, "vectors", min(most - left + since, most), most))
        report(Progress(store, "vectors", most - min(backlog.count(), most), most))
        self._note(store, tried)
        if store in tried.faults:
            raise tried.faults[store]

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            self._wanted.wait()
            self._wanted.clear()
            tried = _Round()
            if self._is_level(tried):
                failures = 0
                continue
            pause = RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)]
            self._embed_others(tried, time.monotonic() + pause)
            failures += 1
            self._wanted.set()

    def _embed_others(self, tried: _Round, until: float) -> None:
        """Until what failed is tried again, embed what else comes to wait, if the model works at all."""
        while not self._stopped.is_set() and (left := until - time.monotonic()) > 0:
            if tried.is_over:
                self._stopped.wait(left)
            elif self._wanted.wait(left):
                self._wanted.clear()
                self._is_level(tried)

    def _is_level(self, tried: _Round) -> bool:
        """Work off what waits in every store; False when some of it failed, as `fault` tells."""
        for store in self._backlogs:
            if not tried.is_over and store not in tried.broken:
                self._attempt(store, functools.partial(self._work_off, store, tried), tried)
        if not tried.faults and not self._stopped.is_set():
            self._attempt("", self._at_level, tried)
        return not tried.faults

    def _attempt(self, name: str, work: Callable[[], None], tried: _Round) -> None:
        try:
            work()
        except MmindError as error:
            tried.faults[name] = error
            tried.broken.add(name)
        except Exception as error:  # noqa: BLE001 - the thread must live on, and somebody must be told
            tried.faults[name] = EngineUnavailable(f"internal error: {type(error).__name__}: {error}"[:300])
            tried.broken.add(name)
        self._note(name, tried)

    def _work_off(self, store: str, tried: _Round) -> None:
        for _ in self._batches(store, tried):
            self._give_way()

    def _note(self, name: str, tried: _Round) -> None:
        if name in tried.faults:
            self._faults[name] = tried.faults[name]
        else:
            self._faults.pop(name, None)

    def _batches(self, store: str, tried: _Round) -> Iterator[int]:
        """Embed the texts wanted most until none waits that is free and not set aside, or the model does not work, or
        it is stopped; yields how many at a time."""
        size = LOCAL_BATCH if self._embedder.is_local else REMOTE_BATCH
        while not self._stopped.is_set() and not tried.is_over:
            with self._backlogs[store].claimed(self._stopped.is_set, tried.aside) as tasks:
                if not tasks:
                    return
                left = list[Task]()
                try:
                    while tasks and not self._stopped.is_set() and not tried.is_over:
                        batch = tasks[:size]
                        kept = self._embed(store, batch, tried)
                        del tasks[:size]
                        left += kept
                        yield len(batch) - len(kept)
                finally:
                    tasks.extend(left)  # they are given back

    def _is_embedded(self, store: str, texts: Mapping[bytes, str]) -> bool:
        tried = _Round()
        try:
            lacking = self._backlogs[store].lacking(list(texts))
            tasks = [Task(key, text) for key, text in texts.items() if key in lacking]
            return not tasks or not self._embed(store, tasks, tried)
        except MmindError:
            return False

    def _embed(self, store: str, tasks: Sequence[Task], tried: _Round) -> list[Task]:
        """Save the vectors of some texts, of which a local model may fail at a few; those that got none.

        Raises MmindError when the place of the vectors fails.
        """
        try:
            vectors = self._vectors([task.text for task in tasks])
        except MmindError as fault:
            if len(tasks) > 1 and self._embedder.is_local:
                return self._embed_one_by_one(store, tasks, tried)
            self._faults[store] = tried.faults[store] = fault
            self._set_aside(tasks, tried)
            return list(tasks)
        tried.in_a_row = 0
        self._backlogs[store].save(tasks, vectors)
        return []

    def _embed_one_by_one(self, store: str, tasks: Sequence[Task], tried: _Round) -> list[Task]:
        left = list[Task]()
        for task in tasks:
            is_for_later = tried.is_over or self._stopped.is_set()
            left += [task] if is_for_later else self._embed(store, [task], tried)
        return left

    def _set_aside(self, tasks: Sequence[Task], tried: _Round) -> None:
        tried.aside.update(task.digest for task in tasks)
        tried.in_a_row += 1
        is_doubtful = tried.in_a_row % FAILURES_IN_A_ROW == 0
        is_too_much = len(tried.aside) >= MOST_ASIDE
        tried.is_over = not self._embedder.is_local or is_too_much or (is_doubtful and not self._works())

    def _works(self) -> bool:
        try:
            self._vectors([WORD])
        except MmindError:
            return False
        return True

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        try:
            vectors = self._embedder.embed(texts)
            if len(vectors) != len(texts):
                raise ValueError(f"{len(vectors)} vectors for {len(texts)} texts")
        except MmindError:
            raise
        except Exception as error:
            raise EngineUnavailable(f"the embedding model failed: {type(error).__name__}: {error}"[:300]) from error
        return vectors
