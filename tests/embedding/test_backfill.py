from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from mmind.embedding import backfill
from mmind.embedding.backfill import Backfill, Task
from mmind.values.errors import EngineUnavailable, MmindError
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
    def claimed(self, is_stopped: Callable[[], bool], aside: AbstractSet[bytes]) -> Iterator[list[Task]]:
        assert not is_stopped()
        if self.fault:
            raise EngineUnavailable(self.fault)
        tasks = [Task(key, text) for key, text in self.waiting.items() if key not in aside][:40]
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

    def claimed(is_stopped: Callable[[], bool], aside: AbstractSet[bytes]) -> object:
        if work.fault is not None:
            failed.set()
        return real(is_stopped, aside)

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
        return real(texts)[: len(texts) - (len(told) < 5)]  # the three at once, then each of them

    model.embed = embed  # type: ignore[method-assign] # of this one alone
    with at_work(tray, model) as work:
        work.wake()
        assert is_level(tray)
    assert told == ["None"] * 2 + ["the embedding model failed: ValueError: 0 vectors for 1 texts"] * 3
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


class Choosy(WordVectors):
    """Fails at every list that holds a text about a crane; counts what it was asked."""

    def __init__(self, is_local: bool = True) -> None:
        super().__init__()
        self.is_local = is_local
        self.asked = list[Sequence[str]]()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(texts)
        if any("crane" in text for text in texts):
            raise EngineUnavailable("no cranes", "buy one")
        return super().embed(texts)


def mixed(count: int, is_crane: Callable[[int], bool]) -> Tray:
    return Tray({str(n).encode(): f"{'crane' if is_crane(n) else 'winch'} {n}" for n in range(count)})


def test_a_text_at_which_a_local_model_fails_holds_up_no_other_and_is_told_at_the_end() -> None:
    tray, model = mixed(100, lambda number: number % 3 == 0), Choosy()
    with at_work(tray, model) as work, pytest.raises(EngineUnavailable, match="no cranes; buy one"):
        work.complete("notes", lambda _: None)
    assert len(tray.kept) == 66
    assert all("crane" in text for text in tray.waiting.values())
    assert set(tray.given_back) == set(tray.waiting)
    assert str(work.fault) == "no cranes; buy one"
    assert max(model.asked.count([text]) for text in tray.waiting.values()) == 1


def test_many_texts_in_a_row_at_which_a_model_fails_hide_none_behind_them_while_it_works_at_all() -> None:
    tray = mixed(100, lambda number: number < 90)
    with at_work(tray, Choosy()) as work, pytest.raises(EngineUnavailable):
        work.complete("notes", lambda _: None)
    assert len(tray.kept) == 10


def test_a_model_that_fails_at_everything_is_not_asked_for_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill, "WORD", "crane")
    tray, model = mixed(1000, lambda _: True), Choosy()
    with at_work(tray, model) as work, pytest.raises(EngineUnavailable, match="no cranes"):
        work.complete("notes", lambda _: None)
    assert len(model.asked) == 1 + backfill.FAILURES_IN_A_ROW + 1
    assert len(tray.waiting) == 1000


def test_a_round_ends_where_too_many_texts_were_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill, "MOST_ASIDE", 30)
    tray, model = mixed(1000, lambda _: True), Choosy()
    with at_work(tray, model) as work, pytest.raises(EngineUnavailable, match="no cranes"):
        work.complete("notes", lambda _: None)
    assert len(model.asked) < 40


def test_a_service_that_fails_is_asked_once() -> None:
    tray, other, model = mixed(200, lambda _: True), mixed(200, lambda _: True), Choosy(is_local=False)
    work = Backfill(model, {"notes": tray, "others": other})
    with pytest.raises(EngineUnavailable, match="no cranes"):
        work.complete("notes", lambda _: None)
    assert len(model.asked) == 1
    assert not work._is_level(backfill._Round())
    assert len(model.asked) == 2
    work.embed_now("notes", {b"new": "winch"})
    work.stop()
    assert b"new" not in tray.kept


def test_what_fails_in_one_store_holds_up_no_other_store_nor_what_is_written_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backfill, "RETRY_SECONDS", (3600.0,))
    first, broken, last = mixed(3, lambda number: number == 1), Tray.of(3), Tray({b"last": "winch of the last"})
    broken.fault = "the place is out"
    model = Choosy()
    work = Backfill(model, {"first": first, "broken": broken, "last": last})
    try:
        work.wake()
        wait_until(lambda: not last.waiting and len(work._faults) == 2)
        work.embed_now("first", {b"few": "winch of few"})
        assert b"few" in first.kept
        many = {f"many {number}".encode(): f"winch of many {number}" for number in range(backfill.AT_ONCE + 1)}
        last.waiting |= many
        work.embed_now("last", many)
        wait_until(lambda: not last.waiting)
        assert list(first.waiting.values()) == ["crane 1"]
        assert model.asked.count(["crane 1"]) == 1
        assert {name: str(fault) for name, fault in work._faults.items()} == {
            "first": "no cranes; buy one",
            "broken": "the place is out",
        }
    finally:
        work.stop()


def test_of_few_texts_written_those_that_can_be_have_their_vectors_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Backfill, "wake", lambda _: None)
    tray = Tray()
    with at_work(tray, Choosy()) as work:
        work.embed_now("notes", {b"a": "winch", b"b": "crane", b"c": "rope"})
        assert set(tray.kept) == {b"a", b"c"}
        assert isinstance(work.fault, MmindError)
        work.embed_now("notes", {b"d": "drum"})
        assert b"d" in tray.kept
        assert isinstance(work.fault, MmindError)


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)
