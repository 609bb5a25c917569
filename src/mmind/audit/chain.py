"""The chain: each line carries the hash of the line before it, so an edit anywhere shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

GENESIS = "0" * 64
VERSION = 1


@dataclass(frozen=True, slots=True)
class Link:
    """Where a chain stands: the number of its last record and that record's hash."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a walk along the chain found. `broken_at` is the first bad record's number (0: none), `why` says what."""

    records: int
    head: Link
    broken_at: int = 0
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing was edited, removed, repeated or moved between the first and the last record."""
        return not self.why


def seal(fields: Mapping[str, object], last: Link) -> tuple[str, Link]:
    """One line of JSON (sorted keys, ASCII, no line end) that follows `last`, and the link it becomes.

    hash = SHA-256 over the line as it stands without its own hash.
    """
    body = {**fields, "v": VERSION, "seq": last.seq + 1, "prev": last.hash}
    link = Link(last.seq + 1, _digest(body))
    return _canonical({**body, "hash": link.hash}), link


def read_link(line: str) -> Link | None:
    """The link that a line claims to be, or None when it is not a record (a torn write, somebody's edit)."""
    record = parse(line) or {}
    seq, digest = record.get("seq"), record.get("hash")
    return Link(seq, digest) if isinstance(seq, int) and isinstance(digest, str) else None


def parse(line: str) -> dict[str, object] | None:
    """The record of a line, or None when the line is not a JSON object."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def walk(lines: Iterable[str], start: Link | None = None) -> Verdict:
    """Follow the chain from `start` (default: the first record of all) to its end, or to the first bad record.

    A torn line (a process killed in mid-write) is passed over when the next record still follows the one before it.
    """
    last, count = start or Link(), 0
    for line in lines:
        record = parse(line)
        if record is None:
            continue
        problem = _problem(record, last)
        if problem:
            return Verdict(count, last, last.seq + 1, problem)
        last, count = Link(last.seq + 1, str(record["hash"])), count + 1
    return Verdict(count, last)


def _problem(record: Mapping[str, object], last: Link) -> str:
    body = {key: value for key, value in record.items() if key != "hash"}
    if record.get("hash") != _digest(body):
        return "the record was edited: its hash does not fit its text"
    if record.get("seq") != last.seq + 1:
        return f"expected record {last.seq + 1}, found {record.get('seq')}: records are missing, repeated or moved"
    if record.get("prev") != last.hash:
        return "the record does not follow the one before it"
    return ""


def _canonical(record: Mapping[str, object]) -> str:
    return json.dumps(record, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _digest(record: Mapping[str, object]) -> str:
    return hashlib.sha256(_canonical(record).encode("ascii")).hexdigest()
