"""The log over threads, processes, rotations and full disks (spec M4.2)."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.audit.log import CURRENT, AuditLog, segments
from mmind.audit.reading import lines, tail, verify
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import AuditEvent

NOON = datetime(2026, 5, 31, 12, tzinfo=UTC)
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mmind.audit.log import AuditLog
from mmind.values.ports import AuditEvent
log = AuditLog(Path(sys.argv[1]), lambda: datetime(2026, 5, 31, 12, tzinfo=UTC), rotate_bytes=20_000)
for number in range(50):
    log.record(AuditEvent("query", "ok", query=f"question {number}"))
"""


def log_in(folder: Path, rotate_bytes: int = 1_000_000) -> AuditLog:
    return AuditLog(folder / "audit", lambda: NOON, rotate_bytes)


def test_an_event_is_one_line_without_the_text_of_the_query(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    log.record(AuditEvent("query", "ok", query="where is the spare key", ids=("sqlite:a",), results=1))
    (record,) = tail(log.folder, 10)
    assert (record["event"], record["ids"], record["ts"]) == ("query", ["sqlite:a"], "2026-05-31T12:00:00.000000Z")
    assert "spare key" not in (log.folder / CURRENT).read_text()


def test_nothing_is_created_before_the_first_event(tmp_path: Path) -> None:
    assert not log_in(tmp_path).folder.exists()


def test_the_chain_goes_on_over_rotations(tmp_path: Path) -> None:
    log = log_in(tmp_path, rotate_bytes=2_000)
    for number in range(40):
        log.record(AuditEvent("query", "ok", query=str(number)))
    assert len(segments(log.folder)) > 3
    assert verify(log.folder).holds
    assert sum(1 for record in tail(log.folder, 1000) if record["event"] == "query") == 40


def test_records_cut_off_the_end_show_by_the_head_file(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    for _ in range(5):
        log.record(AuditEvent("query", "ok", query="x"))
    current = log.folder / CURRENT
    current.write_text("".join(f"{line}\n" for line in list(lines(log.folder))[:3]))
    verdict = verify(log.folder)
    assert (verdict.holds, verdict.broken_at) == (False, 4)


def test_a_torn_last_line_is_closed_and_the_chain_goes_on(tmp_path: Path) -> None:
    log_in(tmp_path).record(AuditEvent("query", "ok", query="x"))
    with (tmp_path / "audit" / CURRENT).open("a") as file:
        file.write('{"event":"que')
    log_in(tmp_path).record(AuditEvent("query", "ok", query="y"))
    verdict = verify(tmp_path / "audit")
    assert (verdict.holds, verdict.records) == (True, 2)


def test_threads_and_processes_make_one_chain_without_loss(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(folder)]) for _ in range(3)]
    log = AuditLog(folder, lambda: NOON, rotate_bytes=20_000)
    threads = [
        threading.Thread(target=lambda: [log.record(AuditEvent("read", "ok")) for _ in range(20)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    kinds = [record["event"] for record in tail(folder, 10_000)]
    assert (kinds.count("query"), kinds.count("read"), verify(folder).holds) == (150, 80, True)


def test_a_log_that_cannot_be_written_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "audit").write_text("a file where the folder should be")
    with pytest.raises(EngineUnavailable, match="audit log") as caught:
        log_in(tmp_path).record(AuditEvent("write", "begun"))
    assert "MMIND_AUDIT_PATH" in caught.value.hint
