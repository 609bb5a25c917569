"""A part of a long log is found from its end and by halving (spec M4.2), and always the part that was asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.audit.chain import parse
from mmind.audit.log import AuditLog, LogPolicy
from mmind.audit.reading import Selection, follow, lines, tail
from mmind.values.ports import AuditEvent

START = datetime(2026, 1, 1, tzinfo=UTC)
COUNT = 400


class Clock:
    """Goes on by a minute at each look."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=30)
        return self.now


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of some ten segments, one of them with a record that is longer than a block."""
    log = AuditLog(tmp_path_factory.mktemp("audit"), Clock(), LogPolicy(rotate_bytes=16_000))
    kinds = ("query", "read", "write", "deny")
    for number in range(COUNT):
        kind = kinds[number % 4]
        store = "files" if number % 3 else "sqlite"
        error = "x" * 100_000 if number == 200 else ""
        log.record(AuditEvent(kind, "ok", store="" if kind == "query" else store, ids=(f"{store}:a",), error=error))
    return log.folder


def by_hand(folder: Path, wanted: Selection) -> list[object]:
    """What the selection means, said without any of its shortcuts."""
    found = []
    for record in filter(None, map(parse, lines(folder))):
        moment = datetime.fromisoformat(str(record["ts"]))
        stores = {str(record.get("store", "")), *(str(one).partition(":")[0] for one in record.get("ids", []))}  # type: ignore[attr-defined]
        if (wanted.since and moment < wanted.since) or (wanted.until and moment > wanted.until):
            continue
        if (wanted.events and record["event"] not in wanted.events) or (
            wanted.stores and not stores & set(wanted.stores)
        ):
            continue
        if int(str(record["seq"])) > wanted.after:
            found.append(record["seq"])
    return found[-wanted.count :]


moments = st.none() | st.integers(-5, COUNT + 30).map(lambda n: START + n * timedelta(seconds=30))


@given(
    count=st.integers(1, 500),
    since=moments,
    until=moments,
    events=st.sampled_from([(), ("deny",), ("query", "write"), ("never",)]),
    stores=st.sampled_from([(), ("files",), ("sqlite", "files"), ("vector",)]),
    after=st.sampled_from([0, 0, 7, 250, 10_000]),
)
@settings(max_examples=150, deadline=None)
def test_every_selection_gives_what_it_means(
    folder: Path,
    count: int,
    since: datetime | None,
    until: datetime | None,
    events: tuple[str, ...],
    stores: tuple[str, ...],
    after: int,
) -> None:
    wanted = Selection(count, since, until, events, stores, after)
    assert [record["seq"] for record in tail(folder, wanted)] == by_hand(folder, wanted)


def test_following_gives_what_is_written_from_a_record_on_also_over_a_rotation(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, Clock(), LogPolicy(rotate_bytes=800))
    log.record(AuditEvent("query", "ok"))
    coming = follow(tmp_path, Selection(events=("deny",)), after=1, every_seconds=0.0)
    log.record(AuditEvent("deny", "denied", error="first"))
    first = next(coming)
    for number in range(9):
        log.record(AuditEvent("deny", "denied", error=str(number)))
        log.record(AuditEvent("read", "ok"))
    rest = list(islice(coming, 9))
    assert [record["error"] for record in (first, *rest)] == ["first", *map(str, range(9))]


def test_a_log_that_is_not_there_has_nothing_to_show(tmp_path: Path) -> None:
    assert tail(tmp_path / "none", 5) == []
