"""Writing a file so that it is whole or absent, and making folders that last, whatever stops the machine."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

_TEMPORARY = ".mmind-"
_IS_WINDOWS = os.name == "nt"
_BINARY = getattr(os, "O_BINARY", 0)
_ATTEMPTS = 40  # Windows refuses to replace a file that anybody, also a virus scanner, has open just now
_PAUSE_SECONDS = 0.05


def write_whole(path: Path, data: bytes, *, is_durable: bool = True, mode: int = 0o666) -> None:
    """Write beside the file under a hidden name, then put it in place; durable when this returns. Raises OSError.

    Without `is_durable` a lost power may bring the earlier content back, or an empty file. `mode` are the file's
    permissions, less what the process's umask takes away.
    """
    temporary = path.with_name(f"{_TEMPORARY}{secrets.token_hex(6)}.tmp")
    try:
        with os.fdopen(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, mode), "wb") as file:
            file.write(data)
            file.flush()
            if is_durable:
                os.fsync(file.fileno())
        _replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if is_durable:
        sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file, durably. Raises OSError."""
    path.unlink()
    sync_folder(path.parent)


def make_private_folder(folder: Path) -> None:
    """Make a folder and what is missing above it, durable and for its owner alone. Raises OSError.

    Not `mkdir(parents=True)`: that opens the folders above to all, and a lost power may take a new folder away with all
    that was synced in it.
    """
    if folder.is_dir():
        return
    if not folder.parent.exists():
        make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    with suppress(OSError):  # a folder above that may not be read, as in shared homes, cannot be synced
        sync_folder(folder.parent)


def make_private_file(path: Path) -> None:
    """An empty file that only its owner may read, its name durable, unless something lies there already."""
    make_private_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        sync_folder(path.parent)


def may_be_made(path: Path) -> bool:
    """Whether this user may write the file at `path` and others beside it, or make them. True where something else is
    wrong, as a file in place of a folder: whoever opens it then says what."""
    if path.exists() and not os.access(path, os.W_OK):
        return False
    folder = next((above for above in path.absolute().parents if above.exists()), path.parent)
    return not folder.is_dir() or os.access(folder, os.W_OK)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; Windows does so by itself and cannot be asked."""
    if _IS_WINDOWS:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Remove what writers left that were killed; the caller holds the lock that every writer holds."""
    for path in folder.glob(f"{_TEMPORARY}*.tmp"):
        path.unlink()


def _replace(source: Path, target: Path) -> None:
    for _ in range(_ATTEMPTS if _IS_WINDOWS else 0):
        with suppress(PermissionError):
            source.replace(target)
            return
        time.sleep(_PAUSE_SECONDS)
    source.replace(target)
