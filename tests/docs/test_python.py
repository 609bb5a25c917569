"""The Python that the pages show runs, and computes what it says."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import TYPE_CHECKING

from tests.docs.pages import ROOT, blocks

if TYPE_CHECKING:
    import pytest


def test_the_snippets_of_the_page_on_python_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    note = "---\ntags: [home]\nupdated: 2026-01-05\n---\n# Rent\n\nThe rent is due on the third working day.\n"
    (tmp_path / "notes" / "Rent.md").write_text(note, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MMIND_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MMIND_EMBED_MODEL", "none")
    namespace: dict[str, object] = {}
    snippets = list(blocks("python"))
    for snippet in snippets:
        exec(compile(snippet.text, snippet.name, "exec"), namespace)
    assert {snippet.page.name for snippet in snippets} == {"python.md"}
    printed = capsys.readouterr().out
    assert "The rent is due on the third working day." in printed
    assert "query: is blank | ask for something" in printed


def test_the_numbers_of_the_page_on_ranking_are_those_that_the_code_computes() -> None:
    outcome = doctest.testfile(str(ROOT / "docs" / "ranking.md"), module_relative=False)
    assert outcome.attempted > 15
    assert outcome.failed == 0
