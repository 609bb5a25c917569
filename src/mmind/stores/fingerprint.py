"""How a file is told apart from its earlier self without reading it: what the file system says, then a digest.

A fingerprint is `[g]mtime-size-inode-ctime(o|m|u)`, a space, `=` or `~`, a digest of the content and, after a space,
what is wrong with the file. `g` marks what an agent wrote; `o` a memory that has a time of its own, `m` one that has
only its file's, `u` one whose file has only that of a copy, which is no time at all. `~` says that the file was so
young when it was read that a later edit could carry the same time: whoever meets it again compares the digest (git
calls this racily clean).
"""

from __future__ import annotations

import codecs
import os
import time
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

_IS_WINDOWS = os.name == "nt"
_HEAD_BYTES = 65536
_BYTE_ORDER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)  # UTF-32-LE opens like UTF-16-LE
OF_ITSELF, OF_THE_FILE, OF_A_COPY = "o", "m", "u"  # no hexadecimal digits, so that they end the last number
# Which time a memory may have been read with: that of a file says nothing where the file's is a copy's.
TIMES, TIMES_OF_A_COPY = OF_ITSELF + OF_THE_FILE, OF_ITSELF + OF_A_COPY
YOUNG_NS = 2_000_000_000  # FAT keeps times in steps of two seconds, the coarsest of the file systems in use


class Content(NamedTuple):
    """The bytes of a file (at most a bound; `is_cut` beyond it), and what the file system said of it just then."""

    data: bytes
    is_cut: bool
    status: os.stat_result
    is_young: bool


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A fingerprint in its parts."""

    key: str
    is_young: bool
    digest: str
    problem: str = ""

    def __str__(self) -> str:
        text = f"{self.key} {'~' if self.is_young else '='}{self.digest}"
        return f"{text} {self.problem}" if self.problem else text


def parsed(text: str) -> Fingerprint:
    """The parts of a fingerprint; one that we did not write gives empty parts, which equal no file's."""
    key, _, rest = text.partition(" ")
    body, _, problem = rest.partition(" ")
    return Fingerprint(key, not body.startswith("="), body[1:], problem)


def stat_key(status: os.stat_result, mark: str = "") -> str:
    """What the file system says of a file, as text; ctime catches an edit that puts the old mtime back.

    On Windows a folder listing knows no inode, and ctime is the time of creation: both are 0 there.
    """
    if _IS_WINDOWS:
        return f"{mark}{status.st_mtime_ns:x}-{status.st_size:x}-0-0"
    return f"{mark}{status.st_mtime_ns:x}-{status.st_size:x}-{status.st_ino:x}-{status.st_ctime_ns:x}"


def is_settled(known: str, key: str, times: str) -> bool:
    """Whether a fingerprint tells that a file is as it was, read with one of `times`, and need not be read again."""
    return known.startswith(key) and known[len(key) : len(key) + 1] in times and known[len(key) + 1 :].startswith(" =")


def is_same_but_for_ctime(key: str, other: str) -> bool:
    """Whether two keys differ at most in the time of the last change of the inode (a new name, a new mode)."""
    return key.rpartition("-")[0] == other.rpartition("-")[0]


def digest_of(data: bytes) -> str:
    """Sixteen hexadecimal digits of BLAKE2b; nearly free beside reading the file."""
    return blake2b(data, digest_size=8).hexdigest()


def read_content(descriptor: int, limit: int) -> Content:
    """Read at most `limit` bytes of an open file, and close it; a file that is cut ends at a line. Raises OSError."""
    with open(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        head = file.read(_HEAD_BYTES)
        is_binary = before.st_size > _HEAD_BYTES and b"\0" in head and not head.startswith(_BYTE_ORDER_MARKS)
        data = head if is_binary else head + file.read(limit + 1 - len(head))  # no need to read a film to its end
        after = os.fstat(descriptor)
    last_change = after.st_mtime_ns if _IS_WINDOWS else after.st_ctime_ns  # nobody can set ctime back
    is_young = abs(time.time_ns() - last_change) < YOUNG_NS or stat_key(before) != stat_key(after)
    is_cut = len(data) > limit
    return Content(_whole_lines(data[:limit]) if is_cut else data, is_cut, after, is_young)


def _whole_lines(data: bytes) -> bytes:
    """The start of a longer text, cut after its last line, or else not within a letter of UTF-8."""
    end = data.rfind(b"\n", len(data) - _HEAD_BYTES) + 1
    if end:
        return data[:end]
    letter = len(data)
    while letter > len(data) - 4 and data[letter - 1] & 0xC0 == 0x80:
        letter -= 1
    return data[: letter - 1]
