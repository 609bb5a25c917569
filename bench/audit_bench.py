"""The audit log at a million records: appending, verifying, and reading spans of time.

    python bench/audit_bench.py [RECORDS]

Writes into a temporary folder, and prints one line a measure.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mmind.audit.chain import Link, seal
from mmind.audit.log import AuditLog, LogPolicy, written
from mmind.audit.reading import Selection, tail, verify
from mmind.values.ports import AuditEvent

START = datetime(2026, 1, 1, tzinfo=UTC)
EVERY = timedelta(seconds=20)
A_SEGMENT = 40_000
KINDS = ("query", "query", "query", "read", "write", "sources", "deny")


def fill(folder: Path, records: int) -> None:
    """The log as it would be after so many events, in segments; sealed here, since appending would take minutes."""
    folder.mkdir(parents=True)
    last, first, lines = Link(), 1, []
    for number in range(records):
        kind = KINDS[number % len(KINDS)] if number % 1000 else "deny"
        fields = {"event": kind, "outcome": "ok", "ts": written(START + number * EVERY), "ids": ["sqlite:abc"] * 4}
        line, last = seal({**fields, "pid": 1, "store": "sqlite", "dur_ms": 1.5, "query_hmac": "a" * 64}, last)
        lines.append(line + "\n")
        if len(lines) == A_SEGMENT or number == records - 1:
            is_last = number == records - 1
            name = "audit.jsonl" if is_last else f"audit-{first:012d}-{last.seq:012d}.jsonl"
            (folder / name).write_text("".join(lines), "ascii")
            first, lines = last.seq + 1, []


def measured(what: str, work: Callable[[], object], times: int = 5) -> None:
    """Print the median of a few runs."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        shown = work()
        taken.append(time.perf_counter() - started)
    print(f"{what:46} {sorted(taken)[times // 2] * 1000:10.2f} ms   {shown}")


def main() -> None:
    """Run every measure."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "audit"
        fill(folder, records)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{records:,} records, {size / 1e6:.0f} MB in {len(list(folder.iterdir()))} files")
        middle = START + records // 2 * EVERY
        hour = Selection(10_000, since=middle, until=middle + timedelta(hours=1))
        measured("the last 20", lambda: len(tail(folder, 20)))
        measured("one hour in the middle", lambda: len(tail(folder, hour)))
        day = Selection(10_000, since=middle, until=middle + timedelta(days=1))
        measured("one day in the middle", lambda: len(tail(folder, day)))
        measured("the last 20 denials", lambda: len(tail(folder, Selection(20, events=("deny",)))))
        never = Selection(20, events=("forget",))
        measured("a kind that never occurred (reads all)", lambda: len(tail(folder, never)), 1)
        measured("verify all", lambda: verify(folder).holds, 1)
        log = AuditLog(Path(scratch) / "fresh", lambda: START, LogPolicy())
        measured("append 1,000 (not synced)", lambda: [log.record(AuditEvent("query", "ok")) for _ in range(1000)][:0])


if __name__ == "__main__":
    main()
