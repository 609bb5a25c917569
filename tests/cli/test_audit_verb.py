"""`mmind audit` over a real log that real commands wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mmind.audit.entry import EVENTS
from tests import warm_start


def mmind(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"MMIND_HOME": str(home), "MMIND_EMBED_MODEL": "none", "PATH": "", "SYSTEMROOT": ""}
    return warm_start.run(words, environ)


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
    assert "writer=user" in first
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


def test_tail_shows_a_span_of_time_and_a_kind_of_event(used: Path) -> None:
    whole = json.loads(mmind(used, "audit", "tail", "--json").stdout)["records"]
    middle = whole[1]["ts"]
    later = json.loads(mmind(used, "audit", "tail", "--since", middle, "--json").stdout)["records"]
    until = json.loads(mmind(used, "audit", "tail", "--until", middle, "--json").stdout)["records"]
    writes = json.loads(mmind(used, "audit", "tail", "--event", "write", "--json").stdout)["records"]
    of_vault = mmind(used, "audit", "tail", "--store", "markdown")
    assert [record["seq"] for record in later] == [record["seq"] for record in whole if record["ts"] >= middle]
    assert [record["seq"] for record in until] == [record["seq"] for record in whole if record["ts"] <= middle]
    assert [record["outcome"] for record in writes] == ["begun", "ok"]
    assert "no record is like that" in of_vault.stderr
    assert {record["transport"] for record in whole} == {"cli"}


def test_an_event_that_no_log_knows_is_refused_with_the_known_ones(used: Path) -> None:
    done = mmind(used, "audit", "tail", "--event", "bogus")
    assert done.returncode == 2
    assert "'bogus' is not known; use one of query, read, write" in done.stderr
    assert all(mmind(used, "audit", "tail", "--event", event).returncode == 0 for event in EVENTS)


@pytest.mark.parametrize("word", ["--since", "--until"])
def test_what_is_no_time_is_refused(used: Path, word: str) -> None:
    assert mmind(used, "audit", "tail", word, "yesterday").returncode == 2


def test_a_head_that_was_kept_elsewhere_shows_a_log_that_was_written_anew(used: Path) -> None:
    kept = mmind(used, "audit", "head").stdout.strip()
    assert mmind(used, "audit", "verify", "--against", kept).returncode == 0
    for file in (used / "audit").glob("*.json*"):
        file.unlink()
    for _ in range(2):
        assert mmind(used, "store", "another tide bell").returncode == 0
    assert mmind(used, "audit", "verify").returncode == 0
    done = mmind(used, "audit", "verify", "--against", kept)
    assert (done.returncode, "written anew" in done.stdout) == (1, True)
    assert mmind(used, "audit", "verify", "--against", "7").returncode == 2


def test_following_goes_on_with_what_another_process_writes(used: Path) -> None:
    environ = {"MMIND_HOME": str(used), "MMIND_EMBED_MODEL": "none", "PATH": "", "SYSTEMROOT": ""}
    command = [sys.executable, "-m", "mmind", "audit", "tail", "-n", "1", "--event", "write", "--follow", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as following:
        try:
            assert following.stdout
            first = json.loads(following.stdout.readline())
            assert mmind(used, "store", "the bell was rung again").returncode == 0
            second, third = (json.loads(following.stdout.readline()) for _ in range(2))
        finally:
            following.kill()  # it would follow for ever
    assert [record["outcome"] for record in (first, second, third)] == ["ok", "begun", "ok"]
    assert first["seq"] < second["seq"] < third["seq"]
