"""Locks between processes, as files beside the index; the system frees a lock when its holder dies.

Not the filelock package: on a drive without locks it falls back to a file whose presence locks, which outlives a
killed process. What is guarded here is work that may be done twice, so on such a drive everybody goes on.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_POLL_SECONDS = 0.01
_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # flock belongs to the descriptor: two indexes in one process exclude each other like two processes
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def held(file: Path, seconds: float, is_stopped: Callable[[], bool] = lambda: False) -> Iterator[bool]:
    """Hold a lock, waiting at most so long or until stopped; gives False when somebody else kept it.

    Gives True where no lock can be made: whoever then opens the index beside it says what is wrong there.
    """
    deadline = time.monotonic() + seconds
    try:
        _make_private(file.parent)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield True
        return
    try:
        while not (is_ours := _try_lock(descriptor)) and time.monotonic() < deadline and not is_stopped():
            time.sleep(_POLL_SECONDS)
        yield is_ours
    finally:
        os.close(descriptor)


def work_lock(index: Path, kind: str, what: str) -> Path:
    """The lock file for one kind of work ("scan", "embed") on one thing (a source, a model)."""
    digest = hashlib.blake2b(what.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return index.with_name(index.name + ".locks") / f"{kind}-{digest}"


def _make_private(folder: Path) -> None:
    """Make a folder and what is missing above it, for the user alone; `mkdir(parents=True)` opens the latter to all."""
    if not folder.exists():
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _try_lock(descriptor: int) -> bool:
    try:
        _lock(descriptor)
    except OSError as error:
        return error.errno not in _TAKEN
    return True
