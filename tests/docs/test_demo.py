"""`make demo`: the main job, as a process of its own."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.conftest import SAMPLE
from tests.docs.pages import ROOT


def run_demo(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MMIND_", "OPENAI_"))}
    return subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py"), *arguments],
        env={**kept, **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )


def state(folder: Path) -> dict[str, tuple[str, int]]:
    """Bytes and time of every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) for path in files}


def test_the_demo_over_the_sample_vault_stores_asks_and_shows_the_conflict(tmp_path: Path, demo: ModuleType) -> None:
    vault = state(SAMPLE)
    done = run_demo(str(SAMPLE), str(tmp_path / "home"))
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    shown = done.stdout
    for store in ("sqlite:", "files:", "vector:", "leveldb:"):
        assert store in shown
    for number, question in enumerate(demo.QUESTIONS, start=4):
        assert f"\n{number}  {question}\n" in shown
    timeout, dogs, soup = (shown.split(question)[1] for question in demo.QUESTIONS)
    assert "conflict · numeric" in timeout
    assert "trusted  The gateway request timeout is 60 seconds since last week" in timeout
    assert dogs.split("\n1. ")[1].split("\n")[0].endswith("markdown · Ingrid Sørensen")
    assert "markdown · 味噌汁" in soup.split("\n1. ")[1].split("\n")[0]
    assert "\x1b[" not in shown
    assert state(SAMPLE) == vault


def test_the_demo_over_another_vault_asks_what_the_titles_say_and_leaves_the_vault_alone(tmp_path: Path) -> None:
    vault = tmp_path / "notes"
    shutil.copytree(SAMPLE / "Recipes", vault / "Küche & Keller")
    before = state(vault)
    done = run_demo(str(vault), str(tmp_path / "home"), MMIND_EMBED_MODEL="none")
    assert done.returncode == 0, done.stderr
    for title in ("Chilli oil", "Crème brûlée", "Sourdough"):
        assert f"  {title}\n" in done.stdout
        assert f"markdown · {title}" in done.stdout
    assert state(vault) == before


def test_the_demo_asks_what_the_person_asks(tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = run_demo(str(SAMPLE / "Home"), str(home), MMIND_EMBED_MODEL="none", ASK="when is the rent due")
    assert done.returncode == 0, done.stderr
    assert "\n4  when is the rent due\n" in done.stdout
    assert "\n5  " not in done.stdout


def test_the_demo_keeps_out_of_the_stores_that_the_environment_names(tmp_path: Path) -> None:
    own = tmp_path / "own.db"
    done = run_demo(
        str(SAMPLE / "Home"), str(tmp_path / "home"), MMIND_SQLITE_PATH=str(own), MMIND_EMBED_MODEL="none", ASK="rent"
    )
    assert done.returncode == 0, done.stderr
    assert not own.exists()


@pytest.mark.parametrize("kind", ["missing", "a file", "empty"])
def test_a_vault_that_is_none_ends_the_demo_with_one_clear_line(kind: str, tmp_path: Path) -> None:
    vault = tmp_path / "notes"
    if kind == "a file":
        vault.write_text("# Not a folder\n", "utf-8")
    if kind == "empty":
        vault.mkdir()
    done = run_demo(str(vault), str(tmp_path / "home"), MMIND_EMBED_MODEL="none")
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if not line.startswith("mmind: "))
    assert line.startswith(f"demo: {vault}")


def test_a_folder_that_the_demo_did_not_make_is_never_emptied(tmp_path: Path) -> None:
    home = tmp_path / "precious"
    home.mkdir()
    (home / "thesis.md").write_text("years of work", "utf-8")
    done = run_demo(str(SAMPLE), str(home))
    assert done.returncode == 1
    assert done.stderr.startswith(f"demo: {home} is there already")
    assert (home / "thesis.md").read_text("utf-8") == "years of work"
