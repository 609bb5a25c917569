"""Walking a folder: which files it holds, what the file system says of each, and what was left out and why."""

# Strings, not Path objects: names on disk keep their own form, and ten thousand of them their speed.
# ruff: noqa: PTH110, PTH112, PTH116

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from mmind.disk.refusals import reason, way_out
from mmind.stores.containment import is_beneath, labels, printable, real_path
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import Skipped

DEPENDENCY_FOLDERS = frozenset({"node_modules", "bower_components", "__pycache__", "__pypackages__", "site-packages"})
VIRTUAL_ENVIRONMENT_FILE = "pyvenv.cfg"
NOT_REGULAR = "not a regular file"
LINK_LEADS_OUT = "a link that leads out of the folder, and such links are not followed"


def _nothing(_id: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRules:
    """What a scan takes: `takes` is asked of file names, `ignored` of ids; `excluded` are ids of folders to leave."""

    takes: Callable[[str], bool]
    ignored: Callable[[str], bool] = _nothing
    excluded: frozenset[str] = frozenset()
    follow_links: bool = False

    def admits(self, id_: str) -> bool:
        """Whether a file of this id would be taken, by its name and the folders that it lies in."""
        *folders, name = id_.split("/")
        above = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
        if name.startswith(".") or not self.takes(name) or self.ignored(id_):
            return False
        return not any(self.leaves_out(folder, folder.rpartition("/")[2]) for folder in above)

    def leaves_out(self, id_: str, name: str) -> bool:
        """Whether a folder is not entered."""
        return name.startswith(".") or name in DEPENDENCY_FOLDERS or id_ in self.excluded or self.ignored(id_)


class Found(NamedTuple):
    """A file: its place (POSIX path in the folder, NFC), its path on disk, what the file system says of it.

    `is_outside` tells that a link led out of the folder to it.
    """

    place: str
    path: str
    status: os.stat_result
    is_outside: bool = False


@dataclass(slots=True)
class Scan:
    """What a walk found. `unread` are places that nobody could look at: files, or folders with a slash at the end."""

    files: list[Found] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def is_unread(self, id_: str) -> bool:
        """Whether nothing is known about this id, so that it must not be taken for gone."""
        return any(id_ == place or (place.endswith("/") and id_.startswith(place)) for place in self.unread)


def scan_folder(root: str, rules: ScanRules) -> Scan:
    """Walk the folder; symbolic links are looked at last. Raises EngineUnavailable when the root cannot be listed."""
    walk = _Walk(root, rules)
    try:
        walk.enter(root, "")
    except OSError as error:
        raise root_unavailable(root, error) from error
    walk.descend()
    walk.look_at_links()
    return walk.scan


def root_unavailable(root: str, error: OSError | None = None) -> EngineUnavailable:
    """Why a folder cannot be used, in words, and what to do."""
    shown = printable(root)
    if error is None or isinstance(error, (FileNotFoundError, NotADirectoryError)):
        if os.path.lexists(root):
            return EngineUnavailable(f"{shown} is a file, not a folder", hint="name the folder that the notes lie in")
        return EngineUnavailable(
            f"{shown} does not exist", hint="create the folder, mount its drive or correct the path"
        )
    hint = "allow this user to read the folder" if isinstance(error, PermissionError) else "check the drive it lies on"
    return EngineUnavailable(f"{shown} cannot be read: {reason(error)}", hint=way_out(error, hint))


class _Walk:
    """One walk in progress: folders still to enter, and links put off to the end, so that real paths come first.

    `met` are the folders and files (device, inode) seen on the far side of links; None while no link was followed,
    since a folder without links is a tree in which nothing is met twice.
    """

    def __init__(self, root: str, rules: ScanRules) -> None:
        self.root = root
        self.rules = rules
        self.scan = Scan()
        self.folders: list[tuple[str, str]] = []
        self.links: list[tuple[str, str]] = []
        self.met: set[tuple[int, int]] | None = None

    def descend(self) -> None:
        while self.folders:
            path, prefix = self.folders.pop()
            try:
                self.enter(path, prefix)
            except (FileNotFoundError, NotADirectoryError):
                continue  # it went away since its parent was listed
            except OSError as error:
                self._leave_unread(prefix, error)

    def enter(self, path: str, prefix: str) -> None:
        with os.scandir(path) as listing:
            entries = list(listing)
        names = [entry.name for entry in entries]
        if prefix and VIRTUAL_ENVIRONMENT_FILE in names:
            return
        called = None if all(map(str.isascii, names)) else labels(names)
        for entry, name in zip(entries, names, strict=True):
            if name[0] == ".":
                continue
            id_ = prefix + (called[name] if called else name)
            try:
                self._take(entry, name, id_)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._leave_unread(id_, error)

    def _take(self, entry: os.DirEntry[str], name: str, id_: str) -> None:
        rules = self.rules
        if _is_link(entry):
            self.links.append((entry.path, id_))
        elif entry.is_dir(follow_symlinks=False):
            if not rules.leaves_out(id_, name) and self._is_new(entry.path):
                self.folders.append((entry.path, id_ + "/"))
        elif rules.takes(name) and not rules.ignored(id_):
            if not entry.is_file(follow_symlinks=False):
                self.scan.skipped.append(Skipped(id_, NOT_REGULAR))
            elif self.met is None:
                self.scan.files.append(Found(id_, entry.path, entry.stat(follow_symlinks=False)))
            elif self._is_new(entry.path):
                self.scan.files.append(Found(id_, entry.path, entry.stat(follow_symlinks=False), is_outside=True))

    def look_at_links(self) -> None:
        """What lies inside the root was found under its own name; what lies outside is read only when asked for."""
        real_root = os.path.realpath(self.root)
        while self.links:
            path, id_ = self.links.pop()
            if not self._is_wanted_from_outside(path, id_, real_root):
                continue
            if self.rules.follow_links:
                self._go_outside(path, id_)
            else:
                self.scan.skipped.append(Skipped(id_, LINK_LEADS_OUT))

    def _is_wanted_from_outside(self, path: str, id_: str, real_root: str) -> bool:
        try:
            real, name = real_path(path), id_.rpartition("/")[2]
        except FileNotFoundError:  # it does not stand still: the next scan takes it
            return False
        if not os.path.exists(real) or is_beneath(real, real_root):  # it dangles, turns in a circle, or stays inside
            return False
        if os.path.isdir(real):
            return not self.rules.leaves_out(id_, name)
        return self.rules.takes(name) and not self.rules.ignored(id_)

    def _go_outside(self, path: str, id_: str) -> None:
        if self.met is None:
            self.met = {_identity(os.stat(self.root))}
        status = os.stat(path)
        if not self._is_new(path):
            return
        if stat.S_ISDIR(status.st_mode):
            self.folders.append((path, id_ + "/"))
            self.descend()
        elif stat.S_ISREG(status.st_mode):
            self.scan.files.append(Found(id_, path, status, is_outside=True))
        else:
            self.scan.skipped.append(Skipped(id_, NOT_REGULAR))

    def _is_new(self, path: str) -> bool:
        if self.met is None:
            return True
        identity = _identity(os.stat(path))
        is_new = identity not in self.met
        self.met.add(identity)
        return is_new

    def _leave_unread(self, place: str, error: OSError) -> None:
        self.scan.unread.append(place)
        self.scan.skipped.append(Skipped(place, f"cannot be read: {reason(error)}"))


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _is_link(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return True
    if os.name != "nt":
        return False
    tag = getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0)
    return tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)  # a junction, which is no symlink to Python 3.11
