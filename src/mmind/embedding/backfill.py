"""What waits for a vector gets it: at once where it is little, from a background thread otherwise.

One way for all that keep vectors: each says how what waits there is taken on, saved and counted (`Backlog`).
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Task:
    """A text to embed, and the key of its vector."""

    digest: bytes
    text: str


class Backlog(Protocol):
    """The passages of one store that wait for vectors of one model, shared among processes.

    Every method may be called from any thread and may raise EngineError.
    """

    def claimed(self, is_stopped: Callable[[], bool]) -> AbstractContextManager[list[Task]]:
        """The texts wanted most, without doubles, which no other process takes on until the end of the block.

        None when nothing waits that is free. Whatever is still in the list at the end is given back. May wait for
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
    worked off what waits. `fault` is why no vector could be made lately.
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
        self.fault: MmindError | None = None

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
        if self.fault is not None or len(texts) > AT_ONCE:
            self.wake()
            return
        try:
            lacking = self._backlogs[store].lacking(list(texts))
            tasks = [Task(key, text) for key, text in texts.items() if key in lacking]
            if tasks:
                self._embed(self._backlogs[store], tasks)
        except MmindError:
            self.wake()

    def complete(self, store: str, report: Callable[[Progress], None]) -> None:
        """Embed all that waits of one store, and is free, in this thread.

        Raises MmindError when the model or the place of the vectors fails.
        """
        backlog, since = self._backlogs[store], 0
        left = most = backlog.count()
        report(Progress(store, "vectors", 0, most))
        for done in self._batches(backlog):
            since += done
            if since > left // COUNTS:
                left, since = backlog.count(), 0
                most = max(most, left)
            report(Progress(store, "vectors", min(most - left + since, most), most))
        report(Progress(store, "vectors", most - min(backlog.count(), most), most))

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            self._wanted.wait()
            self._wanted.clear()
            if self._is_level():
                failures = 0
                continue
            self._stopped.wait(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1
            self._wanted.set()

    def _is_level(self) -> bool:
        """Work off what waits; False when that failed, as `fault` tells."""
        try:
            for backlog in self._backlogs.values():
                for _ in self._batches(backlog):
                    self._give_way()
            if not self._stopped.is_set():
                self._at_level()
        except MmindError as error:
            self.fault = error
            return False
        except Exception as error:  # noqa: BLE001 - the thread must live on, and somebody must be told
            self.fault = EngineUnavailable(f"internal error: {type(error).__name__}: {error}"[:300])
            return False
        self.fault = None
        return True

    def _batches(self, backlog: Backlog) -> Iterator[int]:
        """Embed the texts wanted most until none waits that is free, or it is stopped; yields how many at a time."""
        size = LOCAL_BATCH if self._embedder.is_local else REMOTE_BATCH
        while not self._stopped.is_set():
            with backlog.claimed(self._stopped.is_set) as tasks:
                if not tasks:
                    return
                while tasks and not self._stopped.is_set():
                    batch = tasks[:size]
                    self._embed(backlog, batch)
                    del tasks[:size]
                    yield len(batch)

    def _embed(self, backlog: Backlog, tasks: Sequence[Task]) -> None:
        backlog.save(tasks, self._vectors([task.text for task in tasks]))

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        try:
            vectors = self._embedder.embed(texts)
            if len(vectors) != len(texts):
                raise ValueError(f"{len(vectors)} vectors for {len(texts)} texts")
        except MmindError as error:
            self.fault = error
            raise
        except Exception as error:
            self.fault = EngineUnavailable(f"the embedding model failed: {type(error).__name__}: {error}"[:300])
            raise self.fault from error
        self.fault = None
        return vectors
