"""The log that everything is written to and no tool can read: one file, one lock, many processes."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from mmind.audit.chain import Link, read_link, seal
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import AuditEvent, Clock

CURRENT = "audit.jsonl"
ROTATE_BYTES = 16 * 1024 * 1024
LOCK_SECONDS = 10.0
MOST_IDS = 20
TAIL_BYTES = 65_536
# What must survive a power cut before anything else happens; a lost query record loses nobody's data.
SYNCED = frozenset({"begun", "denied"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where this process's last record ended; if the file still ends there, its tail need not be read again."""

    inode: int
    size: int
    link: Link


class AuditLog:
    """Appends events to a hash-chained JSONL file. Safe with several threads and processes.

    Creates its folder (mode 0700) at the first event. `rotate_bytes` starts a new segment; the chain goes on across.
    """

    def __init__(self, folder: Path, clock: Clock, rotate_bytes: int = ROTATE_BYTES) -> None:
        self.folder = folder
        self._clock = clock
        self._rotate_bytes = rotate_bytes
        self._thread_lock = threading.Lock()
        self._file_lock: FileLock | None = None
        self._key = b""
        self._place: _Place | None = None

    def record(self, event: AuditEvent) -> None:
        """Append one event; denials, and what announces a write, are synced to the disk before this returns.

        Raises EngineUnavailable when the log cannot be written: callers let writes fail then.
        """
        with self._thread_lock:
            try:
                self._open()
                with self._lock():
                    self._append(self._fields(event), must_sync=event.outcome in SYNCED)
            except (OSError, Timeout) as error:
                raise EngineUnavailable(
                    f"the audit log in {self.folder} cannot be written ({type(error).__name__})",
                    "free space or fix the permissions of that folder, or move it with MMIND_AUDIT_PATH",
                ) from error

    def _open(self) -> None:
        if self._key:
            return
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file_lock = FileLock(self.folder / ".lock", timeout=LOCK_SECONDS, mode=0o600)
        with self._file_lock:
            self._key = _key(self.folder / ".key")

    def _lock(self) -> contextlib.AbstractContextManager[object]:
        return self._file_lock if self._file_lock is not None else contextlib.nullcontext()

    def _append(self, fields: Mapping[str, object], must_sync: bool) -> None:
        path = self.folder / CURRENT
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        try:
            last, is_torn = self._last(descriptor)
            line, link = seal(fields, last)
            written = ("\n" if is_torn else "") + line + "\n"
            os.write(descriptor, written.encode("ascii"))
            if must_sync:
                os.fsync(descriptor)
            status = os.fstat(descriptor)
            self._place = _Place(status.st_ino, status.st_size, link)
        finally:
            os.close(descriptor)
        _write_head(self.folder / "head.json", link)
        if status.st_size >= self._rotate_bytes:
            self._rotate(path, link)

    def _last(self, descriptor: int) -> tuple[Link, bool]:
        """The link that the next record follows, and whether the file ends in the middle of a line."""
        status = os.fstat(descriptor)
        place = self._place
        if place is not None and (status.st_ino, status.st_size) == (place.inode, place.size):
            return place.link, False
        start = max(0, status.st_size - TAIL_BYTES)
        os.lseek(descriptor, start, os.SEEK_SET)
        tail = os.read(descriptor, TAIL_BYTES).decode("ascii", "replace")
        links = (link for line in reversed(tail.splitlines()) if (link := read_link(line)) is not None)
        last = next(links, None) or self._last_of_segments()
        return last, bool(tail) and not tail.endswith("\n")

    def _last_of_segments(self) -> Link:
        """Where the newest closed segment ends; the very beginning when there is none."""
        closed = segments(self.folder)[:-1]
        if not closed:
            return Link()
        lines = closed[-1].read_text("ascii", "replace").splitlines()
        return next((link for line in reversed(lines) if (link := read_link(line)) is not None), Link())

    def _rotate(self, path: Path, last: Link) -> None:
        first = read_link(_first_line(path)) or Link(1)
        path.rename(self.folder / f"audit-{first.seq:012d}-{last.seq:012d}.jsonl")
        self._place = None
        self._append({"event": "rotate", "outcome": "ok", "ts": self._time(), "pid": os.getpid()}, must_sync=True)

    def _time(self) -> str:
        return self._clock().isoformat(timespec="microseconds").replace("+00:00", "Z")

    def _fields(self, event: AuditEvent) -> dict[str, object]:
        """What is logged: hashes of queries (keyed, so short ones cannot be guessed), ids, sizes; never a text."""
        hashed = hmac.new(self._key, event.query.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
        fields = {
            "ts": self._time(),
            "event": event.kind,
            "outcome": event.outcome,
            "store": event.store,
            "ids": list(event.ids[:MOST_IDS]),
            "n_results": event.results,
            "dur_ms": round(event.elapsed_ms, 3),
            "bytes": event.size_bytes,
            "writer": event.writer,
            "session": event.session,
            "error": event.error,
            "query_hmac": hashed if event.query else "",
        }
        return {"pid": os.getpid(), **{key: value for key, value in fields.items() if value not in ("", 0, [])}}


def segments(folder: Path) -> list[Path]:
    """The files of the log in the order of their records; the current one last."""
    return [*sorted(folder.glob("audit-*.jsonl")), folder / CURRENT]


def _key(path: Path) -> bytes:
    """The key of this log, made at the first use."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        made = secrets.token_bytes(32)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
        return made


def _write_head(path: Path, link: Link) -> None:
    """Keep the chain's end beside it, so that cutting records off the end shows too."""
    staged = path.with_suffix(".new")
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        json.dump({"hash": link.hash, "seq": link.seq}, file)
    staged.replace(path)


def _first_line(path: Path) -> str:
    with path.open(encoding="ascii", errors="replace") as file:
        return next((line for line in file if read_link(line) is not None), "")
