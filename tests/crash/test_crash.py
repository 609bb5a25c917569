"""A small share, with fixed seeds, of what `make crash` does in full."""

from __future__ import annotations

import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.audit.log import AuditLog
from mmind.audit.reading import verify
from mmind.values.ports import AuditEvent
from tests.crash import cutting
from tests.crash.cutting import cut_often
from tests.crash.faces import kill_commands, kill_servers
from tests.crash.killing import PLACES, kill_indexers, kill_writers
from tests.crash.oracle import Oracle, id_of, text_of
from tests.faults.disk import Change, needs_disk
from tests.faults.powercut import Names

needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is not to be had here")
SEED = 5


@needs_kill
@pytest.mark.parametrize("store", PLACES)
def test_killed_writers_lose_nothing_acknowledged_and_leave_nothing_half_written(store: str, tmp_path: Path) -> None:
    """R22, M1.2."""
    tally = kill_writers(store, tmp_path / "home", kills=6, seed=SEED)
    assert tally.complaints == []
    assert tally.acknowledged > 0


@needs_kill
@pytest.mark.parametrize("store", PLACES)
def test_killed_servers_keep_what_they_answered_for(store: str, tmp_path: Path) -> None:
    tally = kill_servers(store, tmp_path / "home", kills=1, seed=SEED)
    assert tally.complaints == []
    assert tally.acknowledged > 0


@needs_disk
@pytest.mark.parametrize("store", ["files", "sqlite"])
def test_killed_commands_leave_a_store_in_order(store: str, tmp_path: Path) -> None:
    assert kill_commands(store, tmp_path / "home", kills=2, seed=SEED).complaints == []


@needs_kill
def test_killed_indexers_leave_an_index_that_mends_itself(tmp_path: Path) -> None:
    assert kill_indexers(tmp_path, kills=6, seed=SEED).complaints == []


@needs_disk
@pytest.mark.parametrize("store", PLACES)
def test_a_power_cut_takes_nothing_that_was_acknowledged(store: str, tmp_path: Path) -> None:
    """R22's second claim, with the stricter rule for names."""
    tally = cut_often(store, tmp_path, cuts=15, seed=SEED, names=Names.STRICT)
    assert tally.complaints == []
    assert tally.acknowledged > 0


@needs_disk
def test_the_simulated_power_cut_takes_what_was_never_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of the check: on a disk whose syncs do nothing, memories must be missed."""
    watched = cutting.journal_of

    def without_syncs(*arguments: object) -> list[Change]:
        return [change for change in watched(*arguments) if change.kind not in "SD"]  # type: ignore[arg-type]

    monkeypatch.setattr(cutting, "journal_of", without_syncs)
    complaints = cut_often("files", tmp_path, cuts=10, seed=SEED).complaints
    assert any("lost" in complaint for complaint in complaints)


def test_a_log_whose_last_page_was_lost_goes_on_and_still_tells_a_missing_record(tmp_path: Path) -> None:
    """What a power cut leaves of records that were not synced: NULs where they were, and a later one behind them."""
    log = AuditLog(tmp_path, lambda: datetime(2026, 3, 1, tzinfo=UTC))
    for _ in range(4):
        log.record(AuditEvent("query", "ok"))
    file = tmp_path / "audit.jsonl"
    first, second, third, fourth = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + second + b"\0" * len(third) + fourth)
    AuditLog(tmp_path, lambda: datetime(2026, 3, 2, tzinfo=UTC)).record(AuditEvent("query", "ok"))
    AuditLog(tmp_path, lambda: datetime(2026, 3, 2, tzinfo=UTC)).record(AuditEvent("query", "ok"))
    assert verify(tmp_path).holds
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([first, b"\0" + second, *lines[2:]]))
    assert "missing" in verify(tmp_path).why


def test_the_oracle_tells_lost_half_written_and_risen_memories_apart() -> None:
    oracle = Oracle()
    oracle.hear(["begin put a\n", "done put a\n", "begin put b\n", "done put b\n", "begin forget b\n", "begin put c\n"])
    assert oracle.complaints({id_of("a"): text_of("a")}) == []
    assert oracle.complaints({id_of("a"): text_of("a"), id_of("b"): text_of("b"), id_of("c"): text_of("c")}) == []
    (lost,) = oracle.complaints({})
    (half,) = oracle.complaints({id_of("a"): text_of("a")[:20]})
    assert (lost[:4], half[:4]) == ("lost", "half")
    oracle.done("forget", "b")
    (risen,) = oracle.complaints({id_of("a"): text_of("a"), id_of("b"): text_of("b")})
    assert risen.startswith("not asked for")
