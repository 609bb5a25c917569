"""What the tests of vaults stand on: a vault of real files, a mind over it, and what must not change."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def tree(folder: Path) -> dict[str, tuple[str, int, int, bytes]]:
    """Everything beneath a folder: kind and mode, mtime, size, and the bytes of regular files (or a link's target)."""
    found = {}
    for above, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(above) / name
            status = path.lstat()
            data = b""
            if stat.S_ISREG(status.st_mode) and os.access(path, os.R_OK):
                data = path.read_bytes()
            elif stat.S_ISLNK(status.st_mode):
                data = os.fsencode(path.readlink())
            found[os.fsencode(path).decode("utf-8", "backslashreplace")] = (
                stat.filemode(status.st_mode),
                status.st_mtime_ns,
                status.st_size,
                data,
            )
    return found
