"""Passages get their vectors: at once for a short memory, from a background thread for all others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mmind.disk.locks import held
from mmind.index import models, sources
from mmind.index.agenda import Agenda
from mmind.index.courtesy import Courtesy
from mmind.index.database import Database
from mmind.index.locks import work_lock
from mmind.index.models import Task
from mmind.index.sources import Source
from mmind.index.tidying import tidy
from mmind.text.embedded import embedded_text
from mmind.text.prepared import Prepared
from mmind.values.errors import EngineUnavailable, MmindError
from mmind.values.ports import Clock, Embedder, Progress

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

LOCAL_BATCH = 16  # passages between two commits; a batch must not make close() wait
REMOTE_BATCH = 64  # fewer round trips
AT_ONCE = 4  # passages that `add` embeds before it returns
RETRY_SECONDS = (5.0, 30.0, 120.0, 600.0)
LEASE_SECONDS = 5.0  # how long to wait for another process before looking whether there is work left
BREATH_SECONDS = 0.03  # between two chunks, so that another process that waits for the lease gets it


class EmbeddingWork:
    """Makes the vectors of one embedder for all sources. Thread-safe; its thread starts at the first `wake`."""

    def __init__(
        self, database: Database, all_sources: Sequence[Source], embedder: Embedder, clock: Clock, courtesy: Courtesy
    ) -> None:
        self._database = database
        self._sources = all_sources
        self._embedder = embedder
        self._clock = clock
        self._courtesy = courtesy
        self._agendas = {source.store: Agenda() for source in all_sources}  # each for who holds the lease
        self._lease = work_lock(database.path, "embed", embedder.identity)
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_tidy = False  # once in the life of a process is enough
        self.fault: MmindError | None = None

    def wake(self) -> None:
        """There may be something to embed. Returns at once."""
        self._wanted.set()
        with self._starting:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="mmind-vectors", daemon=True)
                self._thread.start()

    def stop(self, seconds: float) -> None:
        """End after the batch under way; waits at most so long."""
        self._stopped.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(seconds)

    def embed_now(self, prepared: Prepared) -> None:
        """Give a memory that was just written its vectors, if they are few and the embedder works; else wake the
        thread. Raises EngineError when the index fails."""
        texts = {
            one.digest: embedded_text(prepared.memory.title, one.passage.heading, one.passage.text)
            for one in prepared.passages
        }
        if self.fault is not None or len(texts) > AT_ONCE:
            self.wake()
            return
        with self._database.reading() as connection:
            model = models.find_model(connection, self._embedder.identity)
            known = set() if model is None else models.with_vectors(connection, model, list(texts))
        try:
            self._embed([Task(key, text) for key, text in texts.items() if key not in known])
        except EngineUnavailable:
            self.wake()

    def complete(self, source: Source, report: Callable[[Progress], None]) -> None:
        """Embed all that waits of one source in this thread, in turns with other processes.

        Raises EngineUnavailable when the model or the index fails.
        """
        most = 0
        for left in self._rounds(source):
            most = max(most, left)
            report(Progress(source.store, "vectors", most - left, most))

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
        """Work off what waits; False when that failed, as `fault` or the scans tell."""
        try:
            for source in self._sources:
                for _ in self._rounds(source):
                    self._courtesy.give_way(0.2)
            if not (self._is_tidy or self._stopped.is_set()):
                tidy(self._database, self._embedder.identity, self._clock())
                self._is_tidy = True
        except MmindError:
            return False
        except Exception as error:  # noqa: BLE001 - the thread must live on, and somebody must be told
            self.fault = EngineUnavailable(f"internal error: {type(error).__name__}: {error}"[:300])
            return False
        return True

    def _rounds(self, source: Source) -> Iterator[int]:
        """Embed what waits of a source, in turns with other processes; yields about how many passages are left: they
        are counted anew only where this process alone cannot tell."""
        left = self._pending(source)
        while left and not self._stopped.is_set():
            yield left
            embedded = 0
            with held(self._lease, LEASE_SECONDS, self._stopped.is_set) as is_ours:
                for embedded in self._batches(source, left) if is_ours else ():
                    yield max(0, left - embedded)
            self._stopped.wait(BREATH_SECONDS)
            left = left - embedded if 0 < embedded < left else self._pending(source)
        yield left

    def _pending(self, source: Source) -> int:
        if not self._database.is_there():
            return 0
        with self._database.reading() as connection:
            state = sources.find(connection, source)
            model = models.find_model(connection, self._embedder.identity)
            if state is None or model is None:
                return state.passages if state else 0
            return models.count_pending(connection, model, state.number)

    def _batches(self, source: Source, waiting: int) -> Iterator[int]:
        """Embed the most wanted texts of a source, up to a chunk, pausing after each batch; yields how many so far."""
        with self._database.writing() as connection:
            state = sources.find(connection, source)
            model = models.enter_model(connection, self._embedder.identity, self._clock())
            agenda = self._agendas[source.store]
            tasks = agenda.take(connection, model, state.number, waiting) if state else []
        size = LOCAL_BATCH if self._embedder.is_local else REMOTE_BATCH
        for start in range(0, len(tasks), size):
            if self._stopped.is_set():
                return
            self._embed(tasks[start : start + size])
            yield min(start + size, len(tasks))

    def _embed(self, tasks: Sequence[Task]) -> None:
        if not tasks:
            return
        vectors = self._vectors([task.text for task in tasks])
        with self._database.writing() as connection:
            model = models.enter_model(connection, self._embedder.identity, self._clock())
            models.put_vectors(connection, model, tasks, vectors)

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
