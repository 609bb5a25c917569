"""A lock file that processes take in turns; the system frees it when its holder dies, so that it is never left behind.

Not the filelock package: where a drive has no such locks it falls back to a file whose mere presence locks, and that
one outlives a killed process.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

_HELD = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # flock, not lockf: it belongs to the descriptor, so that no other open and close in this process drops it
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Turn:
    """An exclusive lock on the file at `path`, which is made when there is none. One thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def try_take(self) -> bool:
        """Take the lock without waiting; False while somebody else holds it. Raises OSError when it cannot be made."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
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
        """Whether somebody else holds it now."""
        if not self.try_take():
            return True
        self.give_back()
        return False


def _is_at(path: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    return False
