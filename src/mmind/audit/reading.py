"""Reading the log, for the user alone: verify it, show its end, find where it stands."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from mmind.audit.chain import Link, Verdict, parse, walk
from mmind.audit.log import segments


def verify(folder: Path) -> Verdict:
    """Walk the whole chain over all segments, and hold its end against the head file."""
    verdict = walk(lines(folder))
    head = read_head(folder)
    if verdict.holds and head.seq > verdict.head.seq:
        return Verdict(
            verdict.records,
            verdict.head,
            verdict.head.seq + 1,
            f"records up to {head.seq} were written and are missing",
        )
    if verdict.holds and head.seq == verdict.head.seq and head != verdict.head:
        return Verdict(verdict.records, verdict.head, head.seq, "the last record is not the one that was written")
    return verdict


def read_head(folder: Path) -> Link:
    """Where the chain stood when the last record was written, by the file beside it."""
    try:
        head = json.loads((folder / "head.json").read_text("ascii"))
        return Link(int(head["seq"]), str(head["hash"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Link()


def lines(folder: Path) -> Iterator[str]:
    """Every line of the log, oldest first; nothing when there is no log yet."""
    for segment in segments(folder):
        if segment.is_file():
            with segment.open(encoding="ascii", errors="replace") as file:
                yield from (line.rstrip("\n") for line in file)


def tail(folder: Path, count: int) -> list[dict[str, object]]:
    """The last `count` records, oldest first."""
    records = (record for line in lines(folder) if (record := parse(line)) is not None)
    return list(deque(records, maxlen=count))
