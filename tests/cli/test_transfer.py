"""`mmind export` and `import`: whole memories, their tiers, twice the same as once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.cli.running import Run, refused


@pytest.fixture
def filled(mmind: Run, tmp_path: Path) -> Run:
    mmind("store", "The router is in the cellar", "--title", "Router", "--tag", "home")
    mmind("store", "Standup is at nine", "--store", "files")
    environ = {"HOME": str(tmp_path), "MMIND_HOME": str(tmp_path / "data"), "MMIND_EMBED_MODEL": "none"}
    with open_mind(None, environ, Door.AGENT) as mind:
        mind.store("An agent thinks the router is blue", store="leveldb", writer="bot")
    return mmind


def test_what_was_exported_is_taken_in_elsewhere_whole(filled: Run, tmp_path: Path) -> None:
    written = filled("export").stdout
    file = tmp_path / "memories.jsonl"
    file.write_text(written, encoding="utf-8")
    done = filled("import", str(file), MMIND_HOME=str(tmp_path / "other"))
    assert done.stdout == "3 taken in\n"
    again = filled("export", MMIND_HOME=str(tmp_path / "other")).stdout
    assert again == written
    tiers = {row["store"]: row["trust"] for row in map(json.loads, again.splitlines())}
    assert tiers == {"sqlite": "curated", "files": "curated", "leveldb": "generated"}


def test_twice_is_the_same_as_once(filled: Run, tmp_path: Path) -> None:
    written = filled("export").stdout.encode()
    assert filled("import", "-", stdin=written).stdout == "3 known already\n"


def test_what_is_newer_here_stays(filled: Run, tmp_path: Path) -> None:
    row = json.loads(filled("export", "--store", "files").stdout)
    older = {**row, "title": "an older title", "updated": "2020-01-01T00:00:00Z"}
    done = filled("import", "-", stdin=json.dumps(older).encode())
    assert done.stdout == "1 left out, for what is kept is newer or the user's own\n"
    newer = {**older, "updated": "2040-01-01T00:00:00Z"}
    assert filled("import", "-", stdin=json.dumps(newer).encode()).stdout == "1 brought up to date\n"


def test_what_an_agent_wrote_does_not_replace_what_the_user_wrote(filled: Run) -> None:
    row = json.loads(filled("export", "--store", "sqlite").stdout)
    forged = {**row, "trust": "generated", "text": "gone", "updated": "2040-01-01T00:00:00Z"}
    assert "left out" in filled("import", "-", stdin=json.dumps(forged).encode()).stdout


def test_everything_can_go_into_one_store(filled: Run, tmp_path: Path) -> None:
    written = filled("export").stdout.encode()
    filled("import", "-", "--store", "vector", stdin=written, MMIND_HOME=str(tmp_path / "other"))
    rows = filled("export", MMIND_HOME=str(tmp_path / "other")).stdout.splitlines()
    assert {json.loads(row)["store"] for row in rows} == {"vector"}


def test_the_vault_can_be_exported_by_name_and_takes_nothing(filled: Run, vault: Path) -> None:
    rows = filled("export", "--store", "markdown", "--vault", str(vault)).stdout
    assert [json.loads(row)["id"] for row in rows.splitlines()] == ["home/flat.md", "plants.md"]
    code, line = refused(filled("import", "-", "--vault", str(vault), stdin=rows.encode()))
    assert code == 4
    assert line.startswith("mmind: line 1: the markdown store is read-only")


@pytest.mark.parametrize("line", ["no json", "[]", '{"store": "sqlite"}', '{"store":"sqlite","id":"","text":"x"}'])
def test_a_line_that_is_no_memory_is_named(mmind: Run, line: str) -> None:
    code, told = refused(mmind("import", "-", stdin=b"\n" + line.encode()))
    assert (code, told) == (2, "mmind: line 2 is not a memory; import takes what `mmind export` wrote")


def test_a_file_that_is_there_is_not_overwritten(filled: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    file.write_text("mine", encoding="utf-8")
    code, _ = refused(filled("export", "--output", str(file)))
    assert (code, file.read_text("utf-8")) == (2, "mine")


def test_a_new_file_is_for_its_owner_alone(filled: Run, tmp_path: Path) -> None:
    file = tmp_path / "new.jsonl"
    filled("export", "--output", str(file))
    assert len(file.read_text("utf-8").splitlines()) == 3
    assert file.stat().st_mode & 0o077 == 0
