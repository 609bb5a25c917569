"""Passages get their vectors: a short memory at once, all others from a background thread, shared among processes."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mmind.stores.postgres import near_index, vectors
from mmind.stores.postgres.connections import Connections, Cursor
from mmind.stores.postgres.model import Model
from mmind.stores.postgres.vectors import Task
from mmind.text.embedded import embedded_text
from mmind.text.prepared import Prepared
from mmind.values.errors import EngineUnavailable, MmindError
from mmind.values.ports import Embedder, Progress

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

CHUNK = 512  # passages taken on at a time
LOCAL_BATCH = 16  # passages between two commits; a batch must not make close() wait
REMOTE_BATCH = 64  # fewer round trips
AT_ONCE = 4  # passages that `put` embeds before it returns
RETRY_SECONDS = (5.0, 30.0, 120.0, 600.0)
CLOSE_SECONDS = 5.0
ASK_AGAIN_SECONDS = 300.0  # how often a database without pgvector is asked whether it has it now
WRITE_SECONDS = 60.0
# A new model lets all passages wait: a minute for a million, for which no write must wait.
ENTER_SECONDS, ENTER_AT_ONCE_SECONDS = 1800.0, 5.0


class Backfill:
    """Makes the vectors of one embedder for one store. Thread-safe; its thread starts at the first `wake`."""

    def __init__(self, connections: Connections, store: str, embedder: Embedder) -> None:
        self._connections = connections
        self._store = store
        self._embedder = embedder
        self._model: Model | None = None
        self._asked = -ASK_AGAIN_SECONDS
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
                self._thread = threading.Thread(target=self._run, name="mmind-postgres-vectors", daemon=True)
                self._thread.start()
                atexit.register(self.stop)  # a thread inside a model when the interpreter ends could crash it

    def stop(self) -> None:
        """End after the batch under way."""
        self._stopped.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)
            atexit.unregister(self.stop)

    def embed_now(self, prepared: Prepared) -> None:
        """Give a memory that was just written its vectors, if they are few and the embedder works; else wake the
        thread. Never raises: what was written stays, and words find it."""
        texts = {
            one.digest: embedded_text(prepared.memory.title, one.passage.heading, one.passage.text)
            for one in prepared.passages
        }
        if self.fault is not None or len(texts) > AT_ONCE:
            self.wake()
            return
        try:
            model = self._entered(ENTER_AT_ONCE_SECONDS)
            if model is not None:
                known = self._known(model, list(texts))
                self._embed(model, [Task(key, text) for key, text in texts.items() if key not in known])
        except MmindError:
            self.wake()

    def complete(self, report: Callable[[Progress], None]) -> None:
        """Embed all that waits in this thread.

        Where very many wait, the index over their vectors is made when they are all there, by the process that is done
        last. Raises EngineError when the model or the server fails.
        """
        self._asked = -ASK_AGAIN_SECONDS
        model = self._entered(ENTER_SECONDS)
        if model is None:
            return
        with self._connections.writing(WRITE_SECONDS) as connection:
            near_index.put_off(connection, model)
        self._embed_all(model, report)
        with self._connections.writing(near_index.BUILD_SECONDS) as connection:
            if vectors.extension(connection) and near_index.is_due(connection, model):
                self._index(connection, model, report)

    def _index(self, connection: Cursor, model: Model, report: Callable[[Progress], None]) -> None:
        count = vectors.count(connection, model)
        report(Progress(self._store, "index of vectors", 0, count))
        near_index.make(connection, model)
        report(Progress(self._store, "index of vectors", count, count))

    def _embed_all(self, model: Model, report: Callable[[Progress], None]) -> None:
        most = 0
        while True:
            with self._connections.reading(WRITE_SECONDS) as connection:
                left = vectors.count_pending(connection, model, self._store)
            most = max(most, left)
            report(Progress(self._store, "vectors", most - left, most))
            done = 0
            for done in self._chunk(model):
                report(Progress(self._store, "vectors", min(most - left + done, most), most))
            if not done:
                return

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
            model = self._entered(ENTER_SECONDS)
            while model is not None and list(self._chunk(model)):
                pass
        except MmindError as error:
            self.fault = error
            return False
        except Exception as error:  # noqa: BLE001 - the thread must live on, and somebody must be told
            self.fault = EngineUnavailable(f"internal error: {type(error).__name__}: {error}"[:300])
            return False
        return True

    def _entered(self, seconds: float) -> Model | None:
        """The embedder's model in the database; None where that has no pgvector."""
        if self._model is None and time.monotonic() - self._asked >= ASK_AGAIN_SECONDS:
            with self._connections.writing(seconds) as connection:
                self._model = vectors.enter_model(connection, self._embedder.identity, self._embedder.dimension)
            self._asked = time.monotonic()
        return self._model

    def _known(self, model: Model, digests: Sequence[bytes]) -> set[bytes]:
        with self._connections.reading() as connection:
            return vectors.with_vectors(connection, model, digests)

    def _chunk(self, model: Model) -> Iterator[int]:
        """Embed the most wanted texts, a batch at a time; yields how many are done, nothing when none waits that is
        free. What is left when it is stopped, or fails, is given back."""
        if self._stopped.is_set():
            return
        with self._connections.writing() as connection:
            tasks = vectors.claim(connection, model, self._store, CHUNK)
        size, done = LOCAL_BATCH if self._embedder.is_local else REMOTE_BATCH, 0
        try:
            while done < len(tasks) and not self._stopped.is_set():
                self._embed(model, tasks[done : done + size])
                done = min(done + size, len(tasks))
                yield done
        finally:
            if done < len(tasks):
                with self._connections.writing() as connection:
                    vectors.unclaim(connection, model, tasks[done:])

    def _embed(self, model: Model, tasks: Sequence[Task]) -> None:
        unique = list({task.digest: task for task in tasks}.values())
        if not unique:
            return
        made = self._vectors([task.text for task in unique])
        with self._connections.writing(WRITE_SECONDS) as connection:
            vectors.extension(connection)
            vectors.put_vectors(connection, model, unique, made)

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        try:
            made = self._embedder.embed(texts)
            if len(made) != len(texts):
                raise ValueError(f"{len(made)} vectors for {len(texts)} texts")
        except MmindError as error:
            self.fault = error
            raise
        except Exception as error:
            self.fault = EngineUnavailable(f"the embedding model failed: {type(error).__name__}: {error}"[:300])
            raise self.fault from error
        self.fault = None
        return made
