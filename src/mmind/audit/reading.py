"""Reading the log, for the user alone: verify it, show a part of it, find where it stands."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, TypeVar

from mmind.audit.chain import Link, Verdict, parse, walk
from mmind.audit.log import written
from mmind.audit.segments import (
    backward,
    closed_segments,
    end_of_time,
    first_time,
    forward,
    opened,
    size_of,
    snapshot,
    time_of,
)

Record = dict[str, object]
T = TypeVar("T")

TRIES = 3
"""How often a reading starts over when retention deletes what it was about to read."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records are wanted: the last `count` of a span of time, of some kinds, of some stores.

    Both ends of the span count in. Empty means all. `after` leaves out everything up to that record number.
    """

    count: int = 20
    since: datetime | None = None
    until: datetime | None = None
    events: Collection[str] = ()
    stores: Collection[str] = ()
    after: int = 0


def verify(folder: Path, anchor: Link | None = None) -> Verdict:
    """Walk the whole chain over all segments, and hold it against the head file and what the user kept elsewhere.

    `anchor` is a link that `mmind audit head` once printed.
    """
    head = read_head(folder)  # before the files are looked at: the log may grow meanwhile, and must not seem cut
    anchors = {link.seq: link.hash for link in (head, anchor) if link is not None and link.seq}
    closed = closed_segments(folder)
    verdict = _steady(lambda: walk(lines(folder), anchors=anchors, begins_at=_first_number(closed)))
    kept = max((link for link in (head, anchor) if link is not None), key=lambda link: link.seq)
    if verdict.holds and kept.seq > verdict.head.seq:
        why = f"records up to {kept.seq} were written and are missing"
        return Verdict(verdict.records, verdict.head, verdict.head.seq + 1, why, verdict.torn, verdict.first)
    return verdict


def read_head(folder: Path) -> Link:
    """Where the chain stood when the last record was written, by the file beside it."""
    try:
        head = json.loads((folder / "head.json").read_text("ascii"))
        return Link(int(head["seq"]), str(head["hash"]))
    except (OSError, ArithmeticError, ValueError, KeyError, TypeError):  # JSON has numbers without end: 1e999
        return Link()


def lines(folder: Path) -> Iterator[str]:
    """Every line of the log, oldest first; nothing when there is no log yet."""
    with snapshot(folder) as found:
        for segment in found:
            with opened(segment) as file:
                yield from forward(file)


def tail(folder: Path, wanted: Selection | int) -> list[Record]:
    """The last records that are wanted, oldest first.

    Reads from the end: segments and, by halving, parts of segments that lie outside the span of time are not read.
    """
    selection = Selection(wanted) if isinstance(wanted, int) else wanted
    return _steady(lambda: _tail(folder, selection))


def follow(folder: Path, wanted: Selection, after: int, every_seconds: float = 0.3) -> Iterator[Record]:
    """The wanted records past number `after`, as they come; ends when the caller stops asking."""
    while True:
        head = read_head(folder).seq  # before the reading: what is written during it is read again, and not missed
        found = tail(folder, _after(wanted, after))
        yield from found
        after = max([after, head, *(int(str(record["seq"])) for record in found)])
        time.sleep(every_seconds)


def _after(wanted: Selection, number: int) -> Selection:
    return Selection(1_000_000, None, wanted.until, wanted.events, wanted.stores, number)


def _tail(folder: Path, wanted: Selection) -> list[Record]:
    found: list[Record] = []
    with snapshot(folder) as segments:
        for segment in reversed(segments):
            with opened(segment) as file:
                found += _wanted_of(file, wanted, wanted.count - len(found))
                is_over = _starts_before(file, wanted)
            if is_over or len(found) >= wanted.count:
                break
    return found[::-1]


def _wanted_of(file: BinaryIO, wanted: Selection, most: int) -> list[Record]:
    """The wanted records of one segment, newest first."""
    until = written(wanted.until) if wanted.until else ""
    since = written(wanted.since) if wanted.since else ""
    if until and first_time(file) > until:
        return []
    end = end_of_time(file, until) if until else size_of(file)
    found: list[Record] = []
    for line in takewhile(_is_in(since, wanted.after), backward(file, end)):
        if len(found) == most:
            break
        record = parse(line) if _may_be_wanted(line, wanted) else None
        if record is not None and _is_wanted(record, wanted, until):
            found.append(record)
    return found


def _is_in(since: str, after: int) -> Callable[[str], bool]:
    """Whether a line may still belong to the span; false ends the reading, since what is before is older."""

    def is_in(line: str) -> bool:
        moment = time_of(line) if since else ""
        if moment and moment < since:
            return False
        return not (after and f'"seq":{after},' in line)

    return is_in


def _starts_before(file: BinaryIO, wanted: Selection) -> bool:
    """Whether nothing before this segment can be wanted."""
    first = next((record for line in forward(file) if (record := parse(line)) is not None), {})
    number = first.get("seq")
    return bool(wanted.after) and isinstance(number, int) and number <= wanted.after + 1


def _may_be_wanted(line: str, wanted: Selection) -> bool:
    """A look at the characters before the line is parsed: most lines of a long log are not wanted."""
    has_event = not wanted.events or any(f'"event":"{event}"' in line for event in wanted.events)
    return has_event and (not wanted.stores or any(f'"{store}' in line for store in wanted.stores))


def _is_wanted(record: Mapping[str, object], wanted: Selection, until: str) -> bool:
    number = record.get("seq")
    if (until and str(record.get("ts", "")) > until) or (isinstance(number, int) and number <= wanted.after):
        return False
    if wanted.events and record.get("event") not in wanted.events:
        return False
    return not wanted.stores or bool(_stores_of(record) & set(wanted.stores))


def _stores_of(record: Mapping[str, object]) -> set[str]:
    ids = record.get("ids")
    named = ids if isinstance(ids, list) else []
    return {str(record.get("store", "")), *(str(handle).partition(":")[0] for handle in named)}


def _first_number(closed: list[Path]) -> int:
    """The number of the oldest record that is kept, by the name of its segment."""
    number = closed[0].name.split("-")[1] if closed else ""
    return int(number) if number.isdigit() else 1


def _steady(read: Callable[[], T]) -> T:
    """What was read, once no segment vanished in the middle of it."""
    for _ in range(TRIES):
        with contextlib.suppress(FileNotFoundError):
            return read()
    return read()
