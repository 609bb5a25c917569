"""The log that everything is written to and no tool can read: one file, one lock, many processes."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import secrets
import threading
import time as clock_time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from mmind.audit.caller import current
from mmind.audit.chain import Link, read_link, seal
from mmind.audit.entry import Content, entry
from mmind.audit.retention import forgettable, forgotten
from mmind.audit.segments import CURRENT, backward, closed_segments, first_time, forward, opened, size_of, time_of
from mmind.disk.durable import make_private_file, make_private_folder, write_whole
from mmind.disk.locks import Turn
from mmind.disk.refusals import reason, way_out
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import AuditEvent, Clock

ROTATE_BYTES = 16 * 1024 * 1024
ROTATE_AFTER = timedelta(days=31)
LOCK_SECONDS = 10.0
LOOK_SECONDS = 0.002
"""How often a lock that another process holds is tried again; a record takes some 0.1 ms."""

_HEAD_BYTES = 128

SAME_MOMENT = timedelta(seconds=2)
"""A clock that steps back by no more than this is being adjusted; the record then takes the time before it."""

# What must survive a power cut before anything else happens; a lost query record loses nobody's data.
SYNCED = frozenset({"begun", "denied"})


@dataclass(frozen=True, slots=True)
class LogPolicy:
    """How a log is kept: when a new segment starts, how long segments stay (None: for ever), which texts go in.

    `redacted` takes secrets out of every text before it is hashed into the chain.
    """

    rotate_bytes: int = ROTATE_BYTES
    rotate_after: timedelta = ROTATE_AFTER
    keep: timedelta | None = None
    content: Content = Content.NONE
    redacted: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the log ends: the last link and its time, since when the current segment runs, and the file's extent."""

    link: Link
    time: str
    since: str
    inode: int = -1
    size: int = 0
    is_torn: bool = False


class AuditLog:
    """Appends events to a hash-chained JSONL file. Safe with several threads and processes.

    Creates its folder (mode 0700) at the first event. The chain goes on across segments.
    """

    def __init__(self, folder: Path, clock: Clock, policy: LogPolicy | None = None) -> None:
        self.folder = folder
        self._clock = clock
        self._policy = policy or LogPolicy()
        self._thread_lock = threading.Lock()
        self._turn = Turn(folder / ".lock")
        self._host = platform.node()[:64]  # logs of several machines that share a server are read side by side
        self._key = b""
        self._place: _Place | None = None

    def record(self, event: AuditEvent) -> None:
        """Append one event; denials, and what announces a write, are synced to the disk before this returns.

        Raises EngineUnavailable when the log cannot be written: callers let writes fail then.
        """
        with self._thread_lock:
            try:
                make_private_folder(self.folder)
                with self._turn_taken():
                    self._key = self._key or _key(self.folder / ".key")
                    fields = entry(event, current(), self._key, self._policy.content, self._policy.redacted)
                    self._append(fields, must_sync=event.outcome in SYNCED)
            except OSError as error:
                is_held = isinstance(error, TimeoutError)
                hint = way_out(error, "try again in a moment" if is_held else "fix the permissions of that folder")
                raise EngineUnavailable(
                    f"the audit log in {self.folder} cannot be written ({reason(error)})",
                    f"{hint}, or move the log with MMIND_AUDIT_PATH",
                ) from error

    @contextlib.contextmanager
    def _turn_taken(self) -> Iterator[None]:
        """Hold the lock of the log. Raises OSError when another process keeps it, or where no lock can be made."""
        deadline = clock_time.monotonic() + LOCK_SECONDS
        while not self._turn.try_take():
            if clock_time.monotonic() > deadline:
                raise TimeoutError("another process holds its lock")
            clock_time.sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            self._turn.give_back()

    def _append(self, fields: Mapping[str, object], must_sync: bool) -> None:
        """Write one record at the end, in a new segment where the current one is full, old, or ahead of the clock."""
        now = self._clock()
        descriptor = _opened(self.folder / CURRENT)
        try:
            place = self._end(descriptor)
            if not self._is_full(place, now):
                self._write(descriptor, place, fields, now, must_sync)
                return
        finally:
            os.close(descriptor)
        self._rotate(place, now)
        self._write_alone(None, fields, now)

    def _write(
        self, descriptor: int, place: _Place, fields: Mapping[str, object], now: datetime, must_sync: bool
    ) -> None:
        time = max(written(now), place.time)
        line, link = seal({**fields, "ts": time, "pid": os.getpid(), "host": self._host}, place.link)
        data = ("\n" if place.is_torn else "") + line + "\n"
        self._place = None
        if os.write(descriptor, data.encode("ascii")) != len(data):
            # A part of a record is closed and passed over by the next one.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if must_sync:
            os.fsync(descriptor)
        status = os.fstat(descriptor)
        self._place = _Place(link, time, place.since or time, status.st_ino, status.st_size)
        _write_head(self.folder / "head.json", link)

    def _is_full(self, place: _Place, now: datetime) -> bool:
        if not place.size or not place.since:
            return False
        is_old = now - datetime.fromisoformat(place.since) >= self._policy.rotate_after
        is_ahead = datetime.fromisoformat(place.time) - now > SAME_MOMENT
        return place.size >= self._policy.rotate_bytes or is_old or is_ahead

    def _end(self, descriptor: int) -> _Place:
        """Where the log ends; if the file is as this process left it, it need not be read."""
        status = os.fstat(descriptor)
        known = self._place
        if known is not None and (status.st_ino, status.st_size) == (known.inode, known.size):
            return known
        with os.fdopen(os.dup(descriptor), "rb") as file:
            size = size_of(file)
            file.seek(max(0, size - 1))
            is_torn = file.read(1) not in (b"", b"\n")
            last = next(((link, time_of(line)) for line in backward(file, size) if (link := read_link(line))), None)
            link, time = last or (self._last_of_segments(), "")
            return _Place(link, time, first_time(file) if last else "", status.st_ino, size, is_torn)

    def _last_of_segments(self) -> Link:
        """Where the newest closed segment ends; the very beginning when there is none."""
        for segment in reversed(closed_segments(self.folder)):
            with opened(segment) as file:
                last = next((link for line in backward(file, size_of(file)) if (link := read_link(line))), None)
            if last is not None:
                return last
        return Link()

    def _rotate(self, place: _Place, now: datetime) -> None:
        """Close the current segment; the new one starts with a record that says so, and what was let go of."""
        current_file = self.folder / CURRENT
        with opened(current_file) as file:
            first = next((link for line in forward(file) if (link := read_link(line))), place.link)
        closed = self.folder / f"audit-{first.seq:012d}-{place.link.seq:012d}.jsonl"
        current_file.rename(closed)
        self._place = None
        fresh = _Place(place.link, "", "")
        self._write_alone(fresh, {"event": "rotate", "outcome": "ok", "segment": closed.name}, now)
        self._forget_old(now)

    def _forget_old(self, now: datetime) -> None:
        """Delete whole segments that are too old: told first, in a synced record, and then done."""
        old = forgettable(self.folder, now - self._policy.keep) if self._policy.keep is not None else []
        if not old:
            return
        self._write_alone(None, forgotten(old), now)
        for segment in old:
            segment.unlink(missing_ok=True)

    def _write_alone(self, place: _Place | None, fields: Mapping[str, object], now: datetime) -> None:
        descriptor = _opened(self.folder / CURRENT)
        try:
            self._write(descriptor, place or self._end(descriptor), fields, now, must_sync=True)
        finally:
            os.close(descriptor)


def _opened(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    make_private_file(path)  # its name is durable before its first record is
    return os.open(path, flags, 0o600)


def written(moment: datetime) -> str:
    """A time in one width, so that times compare as text."""
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _key(path: Path) -> bytes:
    """The key of this log, made at the first use; one that a crash left empty is made anew."""
    with contextlib.suppress(FileNotFoundError):
        if known := path.read_bytes():
            return known
    made = secrets.token_bytes(32)
    write_whole(path, made, mode=0o600)
    return made


def _write_head(path: Path, link: Link) -> None:
    """Keep the chain's end beside it, so that cutting records off the end shows too.

    Written in place, in one width: replacing the file by another makes ext4 flush it, 3 ms a record.
    """
    text = json.dumps({"hash": link.hash, "seq": link.seq}).ljust(_HEAD_BYTES - 1) + "\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        os.write(descriptor, text.encode("ascii"))
    finally:
        os.close(descriptor)
