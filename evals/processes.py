"""Many cases on all processors: each in a world of its own that is thrown away, with one model a process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from evals.case import Case
from evals.world import Opened, model, opened

WORKERS = 2

_model = lru_cache(maxsize=1)(model)  # loading it takes longer than a world


def load_model() -> None:
    """Get a process ready before its first case."""
    _model()


@contextmanager
def world_of(case: Case) -> Iterator[Opened]:
    """A case's world, with this process's model, in a folder that is thrown away.

    It lies in memory where that can be had: worlds are small, and every write in them is synced.
    """
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, opened(case, Path(folder), _model()) as standing:
        yield standing


@contextmanager
def pool(workers: int = WORKERS, get_ready: Callable[[], None] = load_model) -> Iterator[ProcessPoolExecutor]:
    """Processes that grade; each gets ready before its first case. Whoever leaves early waits for begun cases only."""
    spawn = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    with ProcessPoolExecutor(workers, mp_context=spawn, initializer=_begin, initargs=(get_ready,)) as processes:
        try:
            yield processes
        except BaseException:
            processes.shutdown(wait=False, cancel_futures=True)
            raise


def _begin(get_ready: Callable[[], None]) -> None:
    """Ctrl-C is for the one who waits: a worker that it ends with a lock of the pool in its hand holds up the rest."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    get_ready()
