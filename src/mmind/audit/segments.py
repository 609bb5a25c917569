"""The files of the log: closed segments and the current one, read from their end and searched by time.

Within one segment times never go back (a clock that was set back starts a new segment), so a time is found by halving.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

CURRENT = "audit.jsonl"
_TIME = '"ts":"'
_BLOCK = 65_536
_NEAR = 4 * _BLOCK
"""Where halving stops and reading begins, in bytes."""


def segments(folder: Path) -> list[Path]:
    """The files of the log in the order of their records; the current one last."""
    return [*closed_segments(folder), folder / CURRENT]


def closed_segments(folder: Path) -> list[Path]:
    """The segments that nothing is written to any more, oldest first."""
    return sorted(folder.glob("audit-*-*.jsonl"))


@contextlib.contextmanager
def snapshot(folder: Path) -> Iterator[list[Path | BinaryIO]]:
    """The log as it is now, oldest first, without a lock: what is rotated meanwhile is neither missed nor seen twice.

    The current file is opened before the closed ones are listed; if it is among them then, it was rotated in between.
    """
    try:
        current = (folder / CURRENT).open("rb")
    except FileNotFoundError:
        yield list(closed_segments(folder))
        return
    with current:
        inode = os.fstat(current.fileno()).st_ino
        closed = closed_segments(folder)
        was_rotated = any(_inode(path) == inode for path in closed)
        yield [*closed] if was_rotated else [*closed, current]


@contextlib.contextmanager
def opened(segment: Path | BinaryIO) -> Iterator[BinaryIO]:
    """A segment's bytes. Raises FileNotFoundError when retention removed it meanwhile."""
    if isinstance(segment, Path):
        with segment.open("rb") as file:
            yield file
    else:
        yield segment


def forward(file: BinaryIO) -> Iterator[str]:
    """Every line from the beginning, without line ends."""
    file.seek(0)
    for line in file:
        yield line.rstrip(b"\n").decode("utf-8", "replace")


def backward(file: BinaryIO, end: int) -> Iterator[str]:
    """Every line that starts before byte `end`, last one first, without line ends; reads 64 KiB at a time."""
    rest = b""
    while end > 0:
        start = max(0, end - _BLOCK)
        file.seek(start)
        lines = (file.read(end - start) + rest).split(b"\n")
        rest, end = lines[0], start
        for line in reversed(lines[1:]):
            if line:
                yield line.decode("utf-8", "replace")
    if rest:
        yield rest.decode("utf-8", "replace")


def size_of(file: BinaryIO) -> int:
    """How many bytes there are now."""
    return file.seek(0, os.SEEK_END)


def first_time(file: BinaryIO) -> str:
    """The time of the first record, as it is written; "" where there is none."""
    return next((time for line in forward(file) if (time := time_of(line))), "")


def end_of_time(file: BinaryIO, until: str) -> int:
    """A byte up to which a backward reader has to start to miss no record of `until` or before (not far past it)."""
    low, high = 0, size_of(file)
    while high - low > _NEAR:
        middle = (low + high) // 2
        time = _time_after(file, middle)
        low, high = (middle, high) if time and time <= until else (low, middle)
    file.seek(high)
    file.readline()
    return file.tell()


def _time_after(file: BinaryIO, byte: int) -> str:
    """The time of the first record that begins past a byte."""
    file.seek(byte)
    file.readline()
    return next((time for line in iter(file.readline, b"") if (time := time_of(line.decode("utf-8", "replace")))), "")


def time_of(line: str) -> str:
    """The time of a record, "" where the line has none. Times are written in one width, so they compare as text.

    Found by its characters, for it is asked of every line: inside a JSON text the quotes would be escaped.
    """
    start = line.rfind(_TIME)
    end = line.find('"', start + len(_TIME))
    return line[start + len(_TIME) : end] if start >= 0 and end >= 0 else ""


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return -1
