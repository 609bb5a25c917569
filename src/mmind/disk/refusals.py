"""What the system's refusal of a file means for the person who reads it: one table of errors and ways out."""

from __future__ import annotations

import errno
import os

_FREE_SPACE = "free some space on its drive"
_UNREACHABLE = "its drive does not answer: mount it again, then try again"
_WAYS_OUT = {
    "ENOSPC": _FREE_SPACE,
    "EDQUOT": "your share of its drive is used up: free some space there, or ask for a larger share",
    "EROFS": "its drive is mounted read-only: mount it for writing, or name a place elsewhere",
    "EIO": "its drive fails: copy what you can to another one, then check it",
    "EMFILE": "this program has too many files open: end it and start it again, or raise the limit (ulimit -n)",
    "ENFILE": "the system has too many files open: end programs that you do not need",
    "ENAMETOOLONG": "choose a shorter name or folder",
    "ELOOP": "links lead in a circle there: mend or remove them",
    "ESTALE": _UNREACHABLE,
    "EHOSTDOWN": _UNREACHABLE,
    "ENOTCONN": _UNREACHABLE,
    "ETIMEDOUT": _UNREACHABLE,
}
FORBIDDEN = (errno.EACCES, errno.EPERM)
_BY_NUMBER = {number: hint for name, hint in _WAYS_OUT.items() if (number := getattr(errno, name, None)) is not None}


def reason(error: OSError) -> str:
    """What the system said, without the path: callers name it in words of their own."""
    return error.strerror or str(error) or type(error).__name__


def way_out(error: Exception, otherwise: str) -> str:
    """What to do about a file that could not be read or written.

    `otherwise` is for what only the caller can tell: above all who should be let in (EACCES, EPERM), and what is
    missing.
    """
    return _BY_NUMBER.get(number_of(error), otherwise)


def number_of(error: Exception) -> int:
    """The number of the system's error (`errno`), which LevelDB's driver has in words only; 0 where nothing tells."""
    if isinstance(error, OSError) and error.errno:
        return error.errno
    said = str(error)
    if "disk is full" in said:  # SQLite's words
        return errno.ENOSPC
    return next((number for number in (*FORBIDDEN, *_BY_NUMBER) if os.strerror(number) in said), 0)
