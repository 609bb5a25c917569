"""`mmind audit` over a real log that real commands wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def mmind(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"MMIND_HOME": str(home), "MMIND_EMBED_MODEL": "none", "PATH": "", "SYSTEMROOT": ""}
    return subprocess.run(
        [sys.executable, "-m", "mmind", *words], capture_output=True, text=True, env=environ, check=False
    )


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A data home in which something was stored and asked."""
    assert mmind(tmp_path, "store", "the tide bell is rung by hand").returncode == 0
    assert mmind(tmp_path, "retrieve", "tide bell rung").returncode == 0
    return tmp_path


def test_a_log_that_nobody_touched_holds(used: Path) -> None:
    done = mmind(used, "audit", "verify", "--json")
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["holds"], verdict["records"]) == (0, True, 3)


def test_tail_shows_what_happened_and_no_text(used: Path) -> None:
    done = mmind(used, "audit", "tail", "-n", "2")
    first, second = done.stdout.splitlines()
    assert "write" in first
    assert "query" in second
    assert "tide bell" not in done.stdout


def test_a_log_that_was_edited_is_named_with_the_record(used: Path) -> None:
    log = used / "audit" / "audit.jsonl"
    log.write_text(log.read_text().replace('"event":"query"', '"event":"read"'))
    done = mmind(used, "audit")
    assert done.returncode == 1
    assert "broken at record 3" in done.stdout


def test_one_record_is_told_in_the_singular(tmp_path: Path) -> None:
    assert mmind(tmp_path, "retrieve", "tide bell").returncode == 1
    assert mmind(tmp_path, "audit").stdout == "the audit log holds: 1 record, none changed, removed or moved\n"


def test_head_is_the_last_record(used: Path) -> None:
    number, digest = mmind(used, "audit", "head").stdout.split()
    assert (number, len(digest)) == ("3", 64)


def test_an_empty_log_is_no_error(tmp_path: Path) -> None:
    assert mmind(tmp_path, "audit", "verify").returncode == 0
    assert "nothing was asked" in mmind(tmp_path, "audit", "tail").stderr


def test_a_count_out_of_range_is_refused_by_name(tmp_path: Path) -> None:
    done = mmind(tmp_path, "audit", "tail", "-n", "0")
    assert (done.returncode, done.stderr.startswith("mmind: -n: must be from 1")) == (2, True)
