"""Step 3: every store is asked at the same time, each has a time limit, and a silent one is named."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from mmind.values.errors import MmindError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What one store said: a value, or why there is none."""

    store: str
    value: T | None = None
    fault: str = ""
    hint: str = ""


class FanOut:
    """One waiting thread for each store, so that a slow store delays nobody else and connections are kept.

    The threads are daemons: a store that hangs for ever cannot keep the process from ending.
    """

    def __init__(self) -> None:
        self._workers: dict[str, _Worker] = {}
        self._lock = threading.Lock()

    def ask(self, questions: Mapping[str, Callable[[], T]], limit_seconds: float) -> list[Answer[T]]:
        """Ask all, wait at most `limit_seconds` for each, and answer in the order asked. Never raises."""
        pending = [(name, self._worker(name).submit(question)) for name, question in questions.items()]
        clock = _Countdown(limit_seconds)
        return [_collect(name, box, clock) for name, box in pending]

    def close(self) -> None:
        """Let idle threads end."""
        with self._lock:
            for worker in self._workers.values():
                worker.end()
            self._workers.clear()

    def _worker(self, name: str) -> _Worker:
        with self._lock:
            if name not in self._workers:
                self._workers[name] = _Worker(name)
            return self._workers[name]


class _Worker:
    """A thread that answers one question after the other."""

    def __init__(self, name: str) -> None:
        self._questions: queue.SimpleQueue[tuple[Callable[[], object], _Box] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"mmind-{name}", daemon=True)
        self._thread.start()

    def submit(self, question: Callable[[], object]) -> _Box:
        box: _Box = queue.SimpleQueue()
        self._questions.put((question, box))
        return box

    def end(self) -> None:
        self._questions.put(None)

    def _run(self) -> None:
        while (item := self._questions.get()) is not None:
            question, box = item
            try:
                box.put((question(), None))
            except MmindError as error:
                box.put((None, error))
            except Exception as error:  # noqa: BLE001 - one store's defect must not silence the others; it is named
                box.put((None, MmindError(f"internal error: {type(error).__name__}: {error}"[:300])))


_Box = queue.SimpleQueue[tuple[object, MmindError | None]]


class _Countdown:
    """What is left of a shared time limit; all stores started together, so they share one."""

    def __init__(self, seconds: float) -> None:
        import time

        self._now = time.monotonic
        self.limit = seconds
        self._end = self._now() + seconds

    def left(self) -> float:
        return max(0.0, self._end - self._now())


def _collect(name: str, box: _Box, clock: _Countdown) -> Answer[T]:
    try:
        value, error = box.get(timeout=max(clock.left(), 0.001))
    except queue.Empty:
        return Answer(name, fault=f"did not answer within {clock.limit:g} s", hint="ask again, or see `mmind sources`")
    if error is not None:
        return Answer(name, fault=error.message, hint=error.hint)
    return Answer(name, value=cast("T", value))  # the box carries what the question returned


def values(answers: Sequence[Answer[T]]) -> list[tuple[str, T]]:
    """The stores that spoke, with what they said."""
    return [(answer.store, answer.value) for answer in answers if answer.value is not None]
