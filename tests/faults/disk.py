"""A disk that is watched and made to fail, for real processes (see disk.c). Linux with a C compiler only."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

_SOURCE = Path(__file__).with_name("disk.c")
_COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
_HEAD = struct.Struct("<cQQQ")

needs_disk = pytest.mark.skipif(
    sys.platform != "linux" or _COMPILER is None, reason="a watched disk needs Linux and a C compiler"
)
IS_THERE = sys.platform == "linux" and _COMPILER is not None


class Change(NamedTuple):
    """One record of a journal, as disk.c describes it."""

    kind: str
    inode: int
    a: int
    data: bytes


@functools.cache
def library() -> Path:
    """The compiled disk; built once in this process."""
    assert _COMPILER is not None
    place = Path(tempfile.mkdtemp(prefix="mmind-disk-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    built = place / "disk.so"
    words = [_COMPILER, "-O1", "-shared", "-fPIC", "-o", str(built), str(_SOURCE), "-ldl", "-lpthread"]
    subprocess.run(words, check=True, timeout=60)
    return built


def watched(root: Path, **settings: object) -> dict[str, str]:
    """The variables under which a process uses the disk beneath `root`; `kill_at=7` becomes DISK_KILL_AT=7."""
    given = {f"DISK_{name.upper()}": str(value) for name, value in settings.items()}
    return {"LD_PRELOAD": str(library()), "DISK_ROOT": os.path.realpath(root), **given}


def journal(file: Path) -> Iterator[Change]:
    """The records of a journal; a last one that was cut off is left out."""
    data = file.read_bytes()
    start = 0
    while start + _HEAD.size <= len(data):
        kind, inode, a, length = _HEAD.unpack_from(data, start)
        end = start + _HEAD.size + length
        if end > len(data):
            return
        yield Change(kind.decode(), inode, a, data[start + _HEAD.size : end])
        start = end
