"""The chain: each line carries the hash of the line before it, so an edit anywhere shows."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mmind.text.plain import agreeing

GENESIS = "0" * 64
VERSION = 1
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
# Keys are sorted, and the quotes of a text inside a text would be escaped: nothing but the record's own fields fits.
_LINK = re.compile(r'"hash":"([0-9a-f]{64})",.*?"prev":"([0-9a-f]{64})",.*?"seq":(\d{1,18}),')


@dataclass(frozen=True, slots=True)
class Link:
    """Where a chain stands: the number of its last record and that record's hash."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a walk along the chain found. `broken_at` is the first bad record's number (0: none), `why` says what.

    `torn` counts lines that are no records and that the chain goes on past: a process was killed in mid-write.
    `first` is the number of the first record that is still kept (retention deletes the oldest segments).
    """

    records: int
    head: Link
    broken_at: int = 0
    why: str = ""
    torn: int = 0
    first: int = 1

    @property
    def holds(self) -> bool:
        """Whether nothing was edited, removed, repeated or moved between the first and the last record."""
        return not self.why


def seal(fields: Mapping[str, object], last: Link) -> tuple[str, Link]:
    """One line of JSON (sorted keys, ASCII, no line end) that follows `last`, and the link it becomes.

    hash = SHA-256 over the line as it stands without its own hash.
    """
    body = {**fields, "v": VERSION, "seq": last.seq + 1, "prev": last.hash}
    link = Link(last.seq + 1, hashlib.sha256(_canonical(body).encode("ascii")).hexdigest())
    return _canonical({**body, "hash": link.hash}), link


def parse(line: str) -> dict[str, object] | None:
    """The record of a line, or None when the line is not a JSON object."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def link_of(record: Mapping[str, object]) -> Link | None:
    """The link that a record claims to be, or None when it has no number or no hash."""
    seq, digest = record.get("seq"), record.get("hash")
    is_link = isinstance(seq, int) and not isinstance(seq, bool) and isinstance(digest, str)
    return Link(seq, digest) if is_link else None  # type: ignore[arg-type] # is_link says so


def read_link(line: str) -> Link | None:
    """The link that a line claims to be, or None when it is not a record (a torn write, somebody's edit)."""
    record = parse(line)
    return None if record is None else link_of(record)


def walk(
    lines: Iterable[str],
    start: Link | None = None,
    anchors: Mapping[int, str] | None = None,
    begins_at: int = 1,
) -> Verdict:
    """Follow the chain to its end, or to the first bad record.

    `anchors` are hashes by record number that were kept elsewhere: a log that was written anew as a whole breaks at
    the first of them. Without a `start`, the chain may begin past record 1 if a later record says that the ones
    before were let go of (`forgotten_seq` and `forgotten_hash` of a retention record); `begins_at` is what to call
    its first record should that be the bad one.
    """
    walked = _Walk(start, anchors or {}, begins_at)
    for line in lines:
        problem = walked.step(line)
        if problem:
            return walked.broken(problem)
    return walked.ended()


class _Walk:
    """How far a walk is: the last good link, what it owes an explanation for, and what it counted."""

    def __init__(self, start: Link | None, anchors: Mapping[int, str], begins_at: int) -> None:
        self.last = start or Link()
        self.torn = 0
        self._may_begin_late = start is None
        self._unexplained = Link()
        self._anchors = anchors
        self._count = 0
        self._begins_at = self.last.seq + 1 if start else begins_at
        self._first = self._begins_at

    def step(self, line: str) -> str:
        """Take one line; what is wrong with it, or "" and it is the last good record (or none at all)."""
        found = _LINK.search(line)
        # NULs at the start: a power cut took the page before, and with it records that were not synced. The writer goes
        # on as if the line were not there, and a record that is truly missing shows by the next one.
        is_sealed = found is not None and found[1] == _digest_of(line, found[1])
        if line.startswith("\0") or (not is_sealed and _is_torn(line, has_link=found is not None)):
            self.torn += bool(line.strip())
            return ""
        if found is None or not is_sealed:
            return "the record was edited: its hash does not fit its text"
        link, previous = Link(int(found[3]), found[1]), found[2]
        if self._count == 0 and self._may_begin_late:
            self._begin(Link(link.seq - 1, previous))
        if link.seq != self.last.seq + 1:
            return f"expected record {self.last.seq + 1}, found {link.seq}: records are missing, repeated or moved"
        if previous != self.last.hash:
            return "the record does not follow the one before it"
        if self._anchors.get(link.seq, link.hash) != link.hash:
            return "the record is not the one whose hash was kept: the log was written anew"
        if self._unexplained.seq and self._explains(parse(line) or {}):
            self._unexplained = Link()
        self.last, self._count = link, self._count + 1
        return ""

    def broken(self, why: str) -> Verdict:
        """The verdict at a bad record."""
        is_start_right = not self._unexplained.seq or self._first == self._begins_at
        at = self.last.seq + 1 if self._count else self._first
        return self.verdict(at if is_start_right else self._begins_at, why)

    def ended(self) -> Verdict:
        """The verdict at the end of the log."""
        if last := self._unexplained.seq:
            gone = agreeing(last, "record 1 is", f"records 1 to {last} are")
            return self.verdict(1, f"{gone} missing, and no record tells of it")
        return self.verdict(0, "")

    def verdict(self, broken_at: int, why: str) -> Verdict:
        """What was found so far."""
        return Verdict(self._count, self.last, broken_at, why, self.torn, self._first)

    def _begin(self, before: Link) -> None:
        self._first = before.seq + 1
        if before.seq > 0:
            self.last = self._unexplained = before

    def _explains(self, record: Mapping[str, object]) -> bool:
        """Whether this record says that everything before the first one kept was let go of."""
        seq = record.get("forgotten_seq")
        is_far_enough = isinstance(seq, int) and seq >= self._unexplained.seq > 0
        is_same = seq != self._unexplained.seq or record.get("forgotten_hash") == self._unexplained.hash
        return record.get("event") == "retention" and is_far_enough and is_same


def _canonical(record: Mapping[str, object]) -> str:
    return json.dumps(record, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _is_torn(line: str, has_link: bool) -> bool:
    """Whether a line is no record: not JSON at all, or cut past its number, as a full disk does it."""
    left_open = _STRING.sub("", line)
    is_cut = '"' in left_open or left_open.count("{") != left_open.count("}")
    return is_cut if has_link else parse(line) is None


def _digest_of(line: str, claimed: str) -> str:
    """The hash of a line as it was sealed: of its very characters, so that not even a space can be added."""
    return hashlib.sha256(line.replace(f'"hash":"{claimed}",', "", 1).encode("utf-8")).hexdigest()
