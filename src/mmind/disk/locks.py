"""Lock files that processes take in turns; the system frees one when its holder dies, so that none is left behind.

Not the filelock package: where a drive has no such locks it falls back to a file whose mere presence locks, and that
one outlives a killed process.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mmind.disk.durable import make_private_folder

POLL_SECONDS = 0.01
_HELD = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # flock, not lockf: it belongs to the descriptor, so that no other open and close in this process drops it, and
        # two holders in one process exclude each other like two processes
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Turn:
    """An exclusive lock on the file at `path`, which is made when there is none. One thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def try_take(self) -> bool:
        """Take the lock without waiting; False while somebody else holds it. Raises OSError when it cannot be made."""
        return self._try(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))

    def _try(self, descriptor: int) -> bool:
        try:
            _lock(descriptor)
            is_ours = _is_at(self._path, descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _HELD:
                return False
            raise
        if not is_ours:  # the folder was removed and made anew in between: this lock guards nothing
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def give_back(self) -> None:
        """Free the lock. Harmless when it is not held."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)  # closing frees the lock

    def is_taken(self) -> bool:
        """Whether somebody else holds it now. Makes no file: who looks while a folder is removed must not fill it."""
        try:
            descriptor = os.open(self._path, os.O_RDWR)
        except FileNotFoundError:
            return False
        if not self._try(descriptor):
            return True
        self.give_back()
        return False


@contextlib.contextmanager
def held(file: Path, seconds: float, is_stopped: Callable[[], bool] = lambda: False) -> Iterator[bool]:
    """Hold a lock, waiting at most so long or until stopped; gives False when somebody else kept it.

    Gives True where no lock can be made (a drive without locks, a folder that may not be written): for work that may
    be done twice, or that fails by itself there and says why.
    """
    turn = Turn(file)
    try:
        yield _is_taken_in_time(turn, file, seconds, is_stopped)
    finally:
        turn.give_back()


def _is_taken_in_time(turn: Turn, file: Path, seconds: float, is_stopped: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    try:
        make_private_folder(file.parent)
        while not (is_ours := turn.try_take()) and time.monotonic() < deadline and not is_stopped():
            time.sleep(POLL_SECONDS)
    except OSError:
        return True
    return is_ours


def _is_at(path: Path, descriptor: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    return False
