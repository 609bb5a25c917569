from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from mmind.embedding import backfill
from mmind.embedding.backfill import Backfill, Task
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import Progress
from tests.index.build import WordVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

PATIENCE = 30.0


@dataclass
class Tray:
    """A backlog in memory: texts by key, handed out forty at a time."""

    waiting: dict[bytes, str] = field(default_factory=dict)
    kept: dict[bytes, object] = field(default_factory=dict)
    given_back: list[bytes] = field(default_factory=list)
    fault: str = ""
    level: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def of(cls, count: int) -> Tray:
        return cls({str(number).encode(): f"winch {number}" for number in range(count)})

    @contextmanager
    def claimed(self, is_stopped: Callable[[], bool]) -> Iterator[list[Task]]:
        assert not is_stopped()
        if self.fault:
            raise EngineUnavailable(self.fault)
        tasks = [Task(key, text) for key, text in self.waiting.items()][:40]
        try:
            yield tasks
        finally:
            self.given_back += [task.digest for task in tasks]

    def save(self, tasks: Sequence[Task], vectors: Vectors) -> None:
        for task, vector in zip(tasks, vectors, strict=True):
            self.kept[task.digest] = vector
            self.waiting.pop(task.digest, None)

    def lacking(self, digests: Sequence[bytes]) -> set[bytes]:
        return set(digests) - set(self.kept)

    def count(self) -> int:
        return len(self.waiting)


@contextmanager
def at_work(tray: Tray, model: WordVectors) -> Iterator[Backfill]:
    work = Backfill(model, {"notes": tray}, at_level=tray.level.set)
    try:
        yield work
    finally:
        work.stop()


def is_level(tray: Tray) -> bool:
    return tray.level.wait(PATIENCE)


def test_all_that_waits_gets_its_vector_and_the_progress_ends_at_the_whole() -> None:
    tray, seen = Tray.of(100), list[Progress]()
    with at_work(tray, WordVectors()) as work:
        work.complete("notes", seen.append)
    assert (len(tray.kept), tray.waiting, tray.given_back) == (100, {}, [])
    assert seen[0] == Progress("notes", "vectors", 0, 100)
    assert seen[-1] == Progress("notes", "vectors", 100, 100)
    assert [one.done for one in seen] == sorted(one.done for one in seen)


def test_what_a_failing_model_leaves_is_given_back() -> None:
    tray, model = Tray.of(40), WordVectors()
    with at_work(tray, model) as work:

        def report(progress: Progress) -> None:
            model.fault = "the power is out" if progress.done >= 16 else ""

        with pytest.raises(EngineUnavailable, match="power is out"):
            work.complete("notes", report)
    assert len(tray.kept) == 16
    assert set(tray.given_back) == set(tray.waiting)
    assert "power is out" in str(work.fault)


def test_few_texts_have_their_vectors_at_once_and_many_from_the_thread() -> None:
    tray = Tray()
    with at_work(tray, WordVectors()) as work:
        work.embed_now("notes", {b"a": "winch", b"b": "crane"})
        assert set(tray.kept) == {b"a", b"b"}
        tray.waiting = {str(number).encode(): f"winch {number}" for number in range(backfill.AT_ONCE + 1)}
        work.embed_now("notes", dict(tray.waiting))
        assert is_level(tray)
    assert len(tray.kept) == 2 + backfill.AT_ONCE + 1


def test_what_failed_in_the_thread_is_told_tried_again_and_forgotten_once_all_is_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backfill, "RETRY_SECONDS", (0.0,))
    tray, failed = Tray(fault="the place is out"), threading.Event()
    real = tray.claimed

    def claimed(is_stopped: Callable[[], bool]) -> object:
        if work.fault is not None:
            failed.set()
        return real(is_stopped)

    tray.claimed = claimed  # type: ignore[assignment, method-assign] # of this one alone
    with at_work(tray, WordVectors()) as work:
        work.wake()
        assert failed.wait(PATIENCE)
        assert "the place is out" in str(work.fault)
        tray.fault = ""
        assert is_level(tray)
    assert work.fault is None


def test_a_model_that_answers_nonsense_is_named_and_ends_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill, "RETRY_SECONDS", (0.0,))
    tray, model = Tray.of(3), WordVectors()
    real, told = model.embed, list[str]()

    def embed(texts: Sequence[str]) -> Vectors:
        told.append(str(work.fault))
        return real(texts)[: len(texts) - (len(told) < 3)]

    model.embed = embed  # type: ignore[method-assign] # of this one alone
    with at_work(tray, model) as work:
        work.wake()
        assert is_level(tray)
    assert told == ["None", *["the embedding model failed: ValueError: 2 vectors for 3 texts"] * 2]
    assert len(tray.kept) == 3


def test_stopping_ends_the_thread_after_its_batch_and_none_starts_later() -> None:
    tray, model, is_inside, may_go_on = Tray.of(40), WordVectors(), threading.Event(), threading.Event()
    real = model.embed

    def embed(texts: Sequence[str]) -> Vectors:
        is_inside.set()
        assert may_go_on.wait(PATIENCE)
        return real(texts)

    model.embed = embed  # type: ignore[method-assign] # of this one alone
    with at_work(tray, model) as work:
        work.wake()
        assert is_inside.wait(PATIENCE)
        stopping = threading.Thread(target=work.stop)
        stopping.start()
        while not work._stopped.is_set():
            stopping.join(0.01)
        may_go_on.set()
        stopping.join(PATIENCE)
        work.wake()
    assert work._thread is not None
    assert not work._thread.is_alive()
    assert len(tray.kept) == backfill.LOCAL_BATCH
    assert len(tray.given_back) == 40 - backfill.LOCAL_BATCH
