"""The log over threads, processes, rotations and full disks (spec M4.2)."""

from __future__ import annotations

import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mmind.audit.caller import Caller, calling
from mmind.audit.chain import Link
from mmind.audit.entry import Content
from mmind.audit.log import AuditLog, LogPolicy
from mmind.audit.reading import lines, read_head, tail, verify
from mmind.audit.segments import CURRENT, closed_segments, segments
from mmind.text.secrets import redacted
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import AuditEvent

NOON = datetime(2026, 5, 31, 12, tzinfo=UTC)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mmind.audit.log import AuditLog, LogPolicy
from mmind.values.ports import AuditEvent
log = AuditLog(Path(sys.argv[1]), lambda: datetime.now(UTC), LogPolicy(rotate_bytes=20_000))
for number in range(int(sys.argv[2])):
    log.record(AuditEvent("query", "ok", query=f"question {number}"))
    print(number, flush=True)
"""


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def log_in(folder: Path, **policy: object) -> AuditLog:
    return AuditLog(folder / "audit", lambda: NOON, LogPolicy(**policy))  # type: ignore[arg-type]


def ask(log: AuditLog, count: int) -> None:
    for number in range(count):
        log.record(AuditEvent("query", "ok", query=str(number)))


def test_an_event_is_one_line_without_the_text_of_the_query(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    log.record(AuditEvent("query", "ok", query="where is the spare key", ids=("sqlite:a",), results=1))
    (record,) = tail(log.folder, 10)
    assert (record["event"], record["ids"], record["ts"]) == ("query", ["sqlite:a"], "2026-05-31T12:00:00.000000Z")
    assert "spare key" not in (log.folder / CURRENT).read_text()


def test_nothing_is_created_before_the_first_event(tmp_path: Path) -> None:
    assert not log_in(tmp_path).folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")
def test_the_folder_is_for_its_owner_and_so_is_every_file(tmp_path: Path) -> None:
    log = log_in(tmp_path, rotate_bytes=1_000)
    ask(log, 10)
    assert stat.S_IMODE(log.folder.stat().st_mode) == 0o700
    assert {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in log.folder.iterdir()} == {
        file.name: "0o600" for file in log.folder.iterdir()
    }


def test_the_chain_goes_on_over_rotations(tmp_path: Path) -> None:
    log = log_in(tmp_path, rotate_bytes=2_000)
    ask(log, 40)
    assert len(segments(log.folder)) > 3
    assert verify(log.folder).holds
    assert sum(1 for record in tail(log.folder, 1000) if record["event"] == "query") == 40


def test_a_segment_is_named_by_its_records_and_the_next_one_starts_by_telling_of_it(tmp_path: Path) -> None:
    log = log_in(tmp_path, rotate_bytes=1_000)
    ask(log, 5)
    (first, *_) = closed_segments(log.folder)
    rotations = [record for record in tail(log.folder, 100) if record["event"] == "rotate"]
    assert first.name.startswith("audit-000000000001-")
    assert rotations[0]["segment"] == first.name


def test_a_segment_that_is_a_month_old_is_closed(tmp_path: Path) -> None:
    clock = Clock()
    log = AuditLog(tmp_path, clock)
    ask(log, 2)
    clock.now += timedelta(days=31)
    ask(log, 1)
    assert [segment.name for segment in closed_segments(tmp_path)] == ["audit-000000000001-000000000002.jsonl"]
    assert verify(tmp_path).holds


def test_a_clock_that_was_set_back_starts_a_new_segment_so_that_times_only_grow_in_one(tmp_path: Path) -> None:
    clock = Clock()
    log = AuditLog(tmp_path, clock)
    ask(log, 2)
    clock.now -= timedelta(hours=1)
    ask(log, 2)
    assert len(closed_segments(tmp_path)) == 1
    assert verify(tmp_path).holds


def test_a_clock_that_is_adjusted_by_a_second_gives_the_time_before(tmp_path: Path) -> None:
    clock = Clock()
    log = AuditLog(tmp_path, clock)
    ask(log, 1)
    clock.now -= timedelta(seconds=1)
    ask(log, 1)
    assert [record["ts"] for record in tail(tmp_path, 2)] == ["2026-05-31T12:00:00.000000Z"] * 2
    assert not closed_segments(tmp_path)


def with_retention(folder: Path) -> AuditLog:
    """A log of several segments, the first of which were let go of."""
    clock = Clock()
    log = AuditLog(folder, clock, LogPolicy(rotate_bytes=1_500, keep=timedelta(days=10)))
    for _ in range(30):
        ask(log, 2)
        clock.now += timedelta(days=1)
    return log


def test_retention_deletes_whole_segments_and_tells_of_it(tmp_path: Path) -> None:
    with_retention(tmp_path)
    verdict = verify(tmp_path)
    told = [record for record in tail(tmp_path, 1000) if record["event"] == "retention"]
    assert (verdict.holds, verdict.first > 1, bool(told)) == (True, True, True)
    assert not [name for record in told for name in record["segments"] if (tmp_path / str(name)).exists()]  # type: ignore[attr-defined]


def test_a_segment_that_is_deleted_beyond_what_retention_told_shows(tmp_path: Path) -> None:
    with_retention(tmp_path)
    closed_segments(tmp_path)[0].unlink()
    verdict = verify(tmp_path)
    assert (verdict.holds, verdict.broken_at) == (False, 1)


def test_the_first_segment_of_a_log_without_retention_cannot_be_deleted_unseen(tmp_path: Path) -> None:
    log = log_in(tmp_path, rotate_bytes=1_000)
    ask(log, 20)
    closed_segments(log.folder)[0].unlink()
    assert (verify(log.folder).holds, verify(log.folder).broken_at) == (False, 1)


def test_records_cut_off_the_end_show_by_the_head_file(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    ask(log, 5)
    current = log.folder / CURRENT
    current.write_text("".join(f"{line}\n" for line in list(lines(log.folder))[:3]))
    verdict = verify(log.folder)
    assert (verdict.holds, verdict.broken_at) == (False, 4)


@pytest.mark.parametrize("damage", ["", "{{{", "[1, 2]", '{"seq": 1e999, "hash": ""}', '{"seq": "x", "hash": 5}'])
def test_a_head_file_that_cannot_be_read_is_as_good_as_none(damage: str, tmp_path: Path) -> None:
    log = log_in(tmp_path)
    ask(log, 2)
    (log.folder / "head.json").write_text(damage)
    assert (read_head(log.folder), verify(log.folder).holds) == (Link(), True)


def test_a_log_that_was_written_anew_as_a_whole_shows_by_a_head_kept_elsewhere(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    ask(log, 5)
    kept = read_head(log.folder)
    forged = AuditLog(tmp_path / "forged", lambda: NOON)
    for _ in range(6):
        forged.record(AuditEvent("read", "ok"))
    assert verify(forged.folder).holds
    assert (verify(forged.folder, kept).holds, verify(forged.folder, kept).broken_at) == (False, 5)
    assert verify(log.folder, kept).holds
    assert verify(log.folder, Link(9, kept.hash)).broken_at == 6


def test_a_torn_last_line_is_closed_and_the_chain_goes_on(tmp_path: Path) -> None:
    ask(log_in(tmp_path), 1)
    with (tmp_path / "audit" / CURRENT).open("a") as file:
        file.write('{"event":"que')
    ask(log_in(tmp_path), 1)
    verdict = verify(tmp_path / "audit")
    assert (verdict.holds, verdict.records, verdict.torn) == (True, 2, 1)


def test_a_record_longer_than_any_block_is_followed_by_the_next(tmp_path: Path) -> None:
    long = AuditEvent("write", "begun", content="é" * 100_000)
    log_in(tmp_path, content=Content.FULL).record(long)
    ask(log_in(tmp_path), 1)
    assert (verify(tmp_path / "audit").holds, verify(tmp_path / "audit").records) == (True, 2)


def test_threads_and_processes_make_one_chain_without_loss(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder), "50"], stdout=subprocess.DEVNULL) for _ in range(5)
    ]
    log = AuditLog(folder, lambda: datetime.now(UTC), LogPolicy(rotate_bytes=20_000))
    threads = [
        threading.Thread(target=lambda: [log.record(AuditEvent("read", "ok")) for _ in range(20)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.wait(100) for process in processes] == [0] * 5
    kinds = [record["event"] for record in tail(folder, 10_000)]
    assert (kinds.count("query"), kinds.count("read"), verify(folder).holds) == (250, 80, True)


def test_writers_killed_in_the_middle_lose_no_record_that_was_acknowledged(tmp_path: Path) -> None:
    acknowledged = 0
    for after in range(1, 9):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), "100000"], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            for _ in range(after * 7):
                process.stdout.readline()
            process.kill()
            acknowledged += after * 7 + len(process.stdout.read().splitlines())
    verdict = verify(tmp_path)
    written = sum(record["event"] == "query" for record in tail(tmp_path, 1_000_000))
    assert verdict.holds, verdict
    assert acknowledged <= written <= acknowledged + 8 + 8


def test_a_log_that_cannot_be_written_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "audit").write_text("a file where the folder should be")
    with pytest.raises(EngineUnavailable, match="audit log") as caught:
        log_in(tmp_path).record(AuditEvent("write", "begun"))
    assert "MMIND_AUDIT_PATH" in caught.value.hint


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_an_error_and_never_half_a_record_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_in(tmp_path)
    ask(log, 2)
    monkeypatch.setattr("mmind.audit.log.os.write", lambda _, data: len(data) // 2)
    with pytest.raises(EngineUnavailable, match="full"):
        ask(log, 1)
    monkeypatch.undo()
    ask(log, 1)
    assert (verify(log.folder).holds, verify(log.folder).records) == (True, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_link_in_place_of_the_log_is_not_written_through(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    log.folder.mkdir()
    (tmp_path / "victim.md").write_text("a note")
    (log.folder / CURRENT).symlink_to(tmp_path / "victim.md")
    with pytest.raises(EngineUnavailable):
        ask(log, 1)
    assert (tmp_path / "victim.md").read_text() == "a note"


@pytest.mark.parametrize(
    ("content", "query", "text"),
    [(Content.NONE, None, None), (Content.QUERIES, "where", None), (Content.FULL, "where", "in the cellar")],
)
def test_texts_are_kept_only_as_the_user_asked(
    tmp_path: Path, content: Content, query: str | None, text: str | None
) -> None:
    log = log_in(tmp_path, content=content)
    log.record(AuditEvent("query", "ok", query="where"))
    log.record(AuditEvent("write", "begun", content="in the cellar"))
    asked, written = tail(log.folder, 2)
    assert (asked.get("query"), written.get("content")) == (query, text)


def test_secrets_are_masked_before_the_record_is_sealed(tmp_path: Path) -> None:
    log = log_in(tmp_path, content=Content.FULL, redacted=redacted)
    with calling(Caller("http", f"client {TOKEN}", "read", TOKEN)):
        log.record(
            AuditEvent("write", "begun", content=f"key {TOKEN}", query=TOKEN, error=f"at redis://:hunt3r22@h:1 {TOKEN}")
        )
    text = (log.folder / CURRENT).read_text()
    assert TOKEN not in text
    assert "hunt3r22" not in text
    assert verify(log.folder).holds


def test_a_record_tells_who_called_and_how(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    with calling(Caller("http", "some client", "read", "7")):
        ask(log, 1)
    ask(log, 1)
    first, second = tail(log.folder, 2)
    assert (first["transport"], first["client"], first["scope"], first["request_id"]) == (
        "http",
        "some client",
        "read",
        "7",
    )
    assert "client" not in second
