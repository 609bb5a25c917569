"""Keeping to a folder: names that stay in it, links that lead out of it, and opening without following any."""

# Strings, not Path objects: names on disk keep their own form, and ten thousand of them their speed.
# ruff: noqa: PTH100, PTH116, PTH118, PTH208

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

_IS_WINDOWS = os.name == "nt"
_HAS_FOLDER_HANDLES = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_OPEN_FILE = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DIRECTORY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class LeadsElsewhere(OSError):
    """A named pipe, a socket, a device, a folder or a link, where a file was expected."""


def id_parts(id_: str) -> tuple[str, ...] | None:
    """The names in a POSIX path that stays beneath its root, or None where it could lead anywhere else.

    Refused are absolute paths, empty names, `.` and `..`, NUL, and on Windows also backslashes, colons (drives and
    streams) and names that end in a dot or a space, which Windows drops.
    """
    parts = tuple(id_.split("/"))
    if "\0" in id_ or any(part in {"", ".", ".."} for part in parts):
        return None
    if _IS_WINDOWS and any(set(part) & set("\\:") or part[-1] in ". " for part in parts):
        return None
    return parts


def is_beneath(path: str, root: str) -> bool:
    """Whether a resolved path is the root or lies beneath it, compared name by name (never by string prefix)."""
    try:
        return os.path.commonpath([os.path.normcase(path), os.path.normcase(root)]) == os.path.normcase(root)
    except ValueError:  # two drives, which have nothing in common
        return False


def labels(names: Iterable[str]) -> Mapping[str, str]:
    """What each name of one folder is called in ids: its NFC form, valid UTF-8.

    Two names that have the same NFC form are both kept: the one that is in NFC keeps the form, others keep their own.
    """
    names = list(names)
    forms = {name: unicodedata.normalize("NFC", printable(name)) for name in names}
    taken: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (forms[name] != name, name)):
        form = forms[name] if forms[name] not in taken else printable(name)
        while form in taken:
            form += "~"
        taken[form] = name
    return {name: form for form, name in taken.items()}


def real_path(path: str) -> str:
    """`os.path.realpath`, for a path that may turn from a link into a file while it is looked at.

    Python before 3.12 raises EINVAL then; the path is looked at again, and one that never stands still is not there.
    """
    for _ in range(5):
        try:
            return os.path.realpath(path)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def printable(name: str) -> str:
    """The name with bytes that are not UTF-8 written as `\\xe9`, so that it can be stored and shown."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    return name


def long_path(path: str) -> str:
    """The absolute path, on Windows in the form that lifts the limit of 260 characters."""
    path = os.path.abspath(path)
    if not _IS_WINDOWS or path.startswith("\\\\?\\"):
        return path
    return "\\\\?\\UNC" + path[1:] if path.startswith("\\\\") else "\\\\?\\" + path


def shown_path(path: str) -> str:
    """The path as people write it: the reverse of `long_path`, and printable."""
    path = printable(path)
    if path.startswith("\\\\?\\UNC\\"):
        return "\\" + path[7:]
    return path.removeprefix("\\\\?\\")


def ids_beneath(root: str, paths: Iterable[str]) -> frozenset[str]:
    """The ids that these paths have in the folder; those that lie elsewhere, or are the folder, have none."""
    real_root = os.path.realpath(root)
    inside = (real for path in paths if is_beneath(real := os.path.realpath(path), real_root) and real != real_root)
    relative = (os.path.relpath(real, real_root).replace(os.sep, "/") for real in inside)
    return frozenset(unicodedata.normalize("NFC", printable(path)) for path in relative)


def names_on_disk(root: str, parts: Sequence[str]) -> list[str] | None:
    """What the names of an id are called on disk, or None where there is no such file. Raises OSError.

    Folders are listed, since opening alone would take `NOTE.MD` for `note.md` on some file systems.
    """
    found: list[str] = []
    for part in parts:
        try:
            listed = os.listdir(os.path.join(root, *found))
        except (FileNotFoundError, NotADirectoryError):
            return None
        is_plain = part.isascii() and part in listed  # such a name is its own label
        name = part if is_plain else next((name for name, label in labels(listed).items() if label == part), None)
        if name is None:
            return None
        found.append(name)
    return found


def open_beneath(root: str, names: Sequence[str]) -> int:
    """Open a regular file for reading and give its descriptor; no link beneath the root is followed, at any moment.

    Raises LeadsElsewhere for anything else than a file, and OSError. Opening never waits, as a named pipe would.
    """
    if _HAS_FOLDER_HANDLES:
        try:
            return _open_by_handles(root, names)
        except OSError as error:
            if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.ENXIO}:  # a link; a link for a folder; a socket
                raise LeadsElsewhere(f"{printable(names[-1])} is not a regular file") from error
            raise
    path = os.path.join(root, *names)
    descriptor = open_regular(path)
    real = os.path.realpath(path)
    if is_beneath(real, os.path.realpath(root)) and os.path.samestat(os.fstat(descriptor), os.stat(real)):
        return descriptor
    os.close(descriptor)
    raise LeadsElsewhere(f"{printable(names[-1])} leads out of its folder")


def open_regular(path: str, folder: int | None = None, flags: int = 0) -> int:
    """Open a regular file for reading, without waiting; `folder` is the descriptor that a relative path starts at.

    Looks before it opens, since opening a device may do something, and after, since the file may have been swapped.
    """
    status = os.stat(path, dir_fd=folder, follow_symlinks=not flags & _NO_FOLLOW)
    if not stat.S_ISREG(status.st_mode):
        raise LeadsElsewhere(f"{printable(path)} is not a regular file")
    descriptor = os.open(path, _OPEN_FILE | flags, dir_fd=folder)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise LeadsElsewhere(f"{printable(path)} is not a regular file")


def _open_by_handles(root: str, names: Sequence[str]) -> int:
    folder = os.open(root, _OPEN_FOLDER)
    try:
        for name in names[:-1]:
            inner = os.open(name, _OPEN_FOLDER | _NO_FOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return open_regular(names[-1], folder, _NO_FOLLOW)
    finally:
        os.close(folder)
