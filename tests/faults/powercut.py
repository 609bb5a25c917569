"""What a disk holds after a power cut, worked out from the journal of a real process: what was not synced is gone.

The claim is another than that of a kill, where all that was written survives in the system's memory. Of the changes up
to the cut this keeps what the process made durable, and of the rest nothing, or by lot some:

* the bytes of a file up to its last fsync; of later writes by lot each page of 4 KiB survives or not, in any order;
* the names in folders (create, rename, unlink) in the order they were made. `Names.JOURNALED`: any fsync makes all
  earlier names durable, as on ext4, XFS, Btrfs and APFS. `Names.STRICT`: a name lasts only once its folder was synced,
  which is all that POSIX promises. Of later names a first part survives, by lot.

What it does not cover: a disk that lies about a sync, sectors torn within a page, and memory-mapped writes. The only
ones here are SQLite's `-shm`, which holds nothing that must last and is left out.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tests.faults.disk import Change

PAGE = 4096


class Names(Enum):
    """Which rule makes a name durable."""

    JOURNALED = "journaled"
    STRICT = "strict"


@dataclass(slots=True)
class _File:
    """A file's bytes as of its last sync, and what was done to it since."""

    durable: bytearray = field(default_factory=bytearray)
    later: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        for change in self.later:
            _apply(self.durable, change.kind, change.a, change.data)
        self.later.clear()

    def after_the_cut(self, rng: random.Random, share: float) -> bytes:
        left = bytearray(self.durable)
        for change in self.later:
            if change.kind == "T":
                if rng.random() < share:
                    _apply(left, "T", change.a, b"")
                continue
            for start in _pages(change.a, len(change.data)):
                if rng.random() < share:
                    end = min(change.a + len(change.data), (start // PAGE + 1) * PAGE)
                    _apply(left, "W", start, change.data[start - change.a : end - change.a])
        return bytes(left)


@dataclass(slots=True)
class PowerCut:
    """A disk beneath `root` on which the changes of a journal are made one by one, and that is then cut off."""

    root: str
    names: Names
    _files: dict[int, _File] = field(default_factory=dict)
    _number_of: dict[int, int] = field(default_factory=dict)
    _durable: dict[str, int] = field(default_factory=dict)
    _later: list[Change] = field(default_factory=list)

    def make(self, change: Change) -> None:
        """One change of the process."""
        if change.kind == "C":  # the inode may be that of a file removed before: ours are numbered anew
            self._number_of[change.inode] = len(self._files) + 1
            self._files[len(self._files) + 1] = _File()
        change = change._replace(inode=self._number_of.get(change.inode, 0))
        match change.kind:
            case "W" | "T":
                self._files[change.inode].later.append(change)
            case "S" | "D":
                self._sync(change)
            case "C" | "R" | "U" | "M":
                self._later.append(change)

    def cut(self, place: Path, rng: random.Random) -> None:
        """Lay down beneath `place` what is left."""
        share = rng.choice((0.0, 0.0, 0.5, 0.9))
        names = dict(self._durable)
        survivors = 0 if share == 0.0 else rng.randrange(len(self._later) + 1)
        for change in self._later[:survivors]:
            _rename(names, change)
        for name, inode in sorted(names.items()):
            path = place / os.path.relpath(name, self.root)
            if not inode:
                path.mkdir(parents=True, exist_ok=True)
            elif self._has_folders(name, names) and not name.endswith("-shm"):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._files[inode].after_the_cut(rng, share))

    def _has_folders(self, name: str, names: dict[str, int]) -> bool:
        above = name.rpartition("/")[0]
        return above == self.root or (above in names and self._has_folders(above, names))

    def _sync(self, change: Change) -> None:
        if change.kind == "S" and change.inode in self._files:
            self._files[change.inode].sync()
        if self.names is Names.JOURNALED:
            for name in self._later:
                _rename(self._durable, name)
            self._later.clear()
        elif change.kind == "D":
            folder = change.data.decode()
            for name in [name for name in self._later if _folder_of(name) == folder]:
                _rename(self._durable, name)
                self._later.remove(name)


def lines_until(changes: Sequence[Change]) -> list[str]:
    """What the process had said on its standard output, by whole lines."""
    said = b"".join(change.data for change in changes if change.kind == "A").decode()
    return [line for line in said.splitlines(keepends=True) if line.endswith("\n")]


def _apply(content: bytearray, kind: str, start: int, data: bytes) -> None:
    end = start + len(data)
    if kind == "T":
        del content[start:]
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    content[start:end] = data


def _pages(start: int, length: int) -> Sequence[int]:
    """Where the pieces of a write begin, cut at the borders of pages."""
    first = (start // PAGE + 1) * PAGE
    return [start, *range(first, start + length, PAGE)] if length else []


def _folder_of(change: Change) -> str:
    return change.data.split(b"\0")[-1].decode().rpartition("/")[0]


def _rename(names: dict[str, int], change: Change) -> None:
    """Make a change of names; a folder is kept as 0."""
    first, _, second = change.data.partition(b"\0")
    name = first.decode()
    match change.kind:
        case "C":
            names[name] = change.inode
        case "M":
            names[name] = 0
        case "U":
            names.pop(name, None)
        case "R" if name in names:
            names[second.decode()] = names.pop(name)
