from __future__ import annotations

import pytest

from mmind.stores.globs import matcher


@pytest.mark.parametrize(
    ("pattern", "id"),
    [
        ("agent/**", "agent/a/b.md"),
        ("agent", "agent/a.md"),
        ("agent/", "agent/a.md"),
        ("agent", "deep/agent/a.md"),
        ("*.tmp.md", "x/y.tmp.md"),
        ("a/*.md", "a/b.md"),
        ("a/**/c.md", "a/c.md"),
        ("a/**/c.md", "a/x/y/c.md"),
        ("**/x", "q/x/y.md"),
        ("/top.md", "top.md"),
        ("n?te.md", "note.md"),
        ("[draft] *.md", "[draft] winch.md"),
        ("Журнал/*", "Журнал/один.md"),
        ("a*b*c.md", "a--b--c.md"),
        ("**", "anything/at/all.md"),
    ],
)
def test_a_glob_matches_as_in_ignore_files(pattern: str, id: str) -> None:
    assert matcher([pattern])(id)


@pytest.mark.parametrize(
    ("pattern", "id"),
    [
        ("a/*.md", "a/b/c.md"),
        ("agent", "xagent/a.md"),
        ("agent", "agents/a.md"),
        ("*.md", "a.txt"),
        ("a?c", "a/c"),
        ("/top.md", "deep/top.md"),
        ("a.md", "a-md"),
        ("[ab].md", "a.md"),
        ("", "a.md"),
        ("/", "a.md"),
    ],
)
def test_a_glob_matches_nothing_else(pattern: str, id: str) -> None:
    assert not matcher([pattern])(id)


def test_no_pattern_matches_nothing() -> None:
    assert not matcher([])("a.md")


def test_a_row_of_stars_is_decided_at_once() -> None:
    """Backtracking over twenty stars would outlast the test's time limit by far."""
    assert not matcher(["*a" * 20 + "b"])("a" * 4000)
