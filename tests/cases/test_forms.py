"""Small cases of our own: forms of steps and files that the file of cases may hold, and neighbours of its cases."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.cases.judging import judged
from tests.cases.playing import played
from tests.cases.reading import Case, written_out

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs pipes and signals of a POSIX system")
WORDS_ONLY = {"MMIND_EMBED_MODEL": "none"}


def complaints(root: Path, setup: dict[str, Any], action: dict[str, Any], check: dict[str, Any]) -> list[str]:
    return judged(played(Case("own", "own", "own", setup, action, check, (), ()), WORDS_ONLY, root / "case"))


def asked(query: str, **more: Any) -> dict[str, Any]:
    return {"tool": "retrieve", "args": {"query": query, **more}}


def test_every_kind_of_edit_in_the_vault_shows_in_the_next_answer(tmp_path: Path) -> None:
    note = "vault/tide.md"
    steps = [
        asked("tide table"),
        {"fs": "write", "path": note, "content": "The sluice is open.\n"},
        asked("sluice open"),
        {"fs": "replace_atomically", "path": note, "content": "The winch is oiled.\n"},
        asked("winch oiled"),
        {"fs": "rename", "path": note, "to": "vault/deep/winch.md"},
        asked("winch oiled", limit=2),
        {"fs": "delete", "path": "vault/deep"},
        asked("winch oiled", limit=3),
    ]
    check = {
        "not_error": True,
        "steps_check": {
            "0": {"top_id": note},
            "2": {"top_id": note},
            "4": {"top_id": note},
            "6": {"top_id": "vault/deep/winch.md", "not_contains_ids": [note]},
            "8": {"results_max": 0},
        },
    }
    assert complaints(tmp_path, {"files": {note: "The tide table hangs by the door.\n"}}, {"steps": steps}, check) == []


@POSIX
def test_a_pipe_in_the_vault_keeps_nobody_waiting_and_is_named(tmp_path: Path) -> None:
    setup = {"files": {"vault/pipe.md": {"fifo": True}, "vault/a.md": "The buoy is red.\n"}}
    steps = [asked("buoy red"), {"tool": "sources", "args": {}}]
    check = {"not_error": True, "steps_check": {"0": {"top_id": "vault/a.md"}}, "warnings_name": ["pipe.md"]}
    assert complaints(tmp_path, setup, {"steps": steps}, check) == []


@POSIX
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_server_ends_well_on_each_signal_that_asks_it_to(tmp_path: Path, name: str) -> None:
    steps = [{"start": True}, asked("anything"), {"signal": name}, {"expect_exit_within": 15}]
    assert complaints(tmp_path, {}, {"steps": steps}, {"all_exits_in_time": True}) == []


def test_documents_survive_an_index_that_is_torn_in_half(tmp_path: Path) -> None:
    def store(number: int) -> dict[str, Any]:
        return {"tool": "store", "args": {"content": f"mole {number} was surveyed", "store": "files"}}

    steps = [
        *(store(number) for number in range(4)),
        {"stop": True},
        {"fs": "truncate_half", "glob": "data/files/index.json"},
        asked("mole surveyed"),
        store(9),
        asked("mole surveyed", limit=20),
        {"tool": "sources", "args": {}},
    ]
    check = {"not_error": True, "steps_check": {"8": {"min_results": 5}}, "sources": {"files": {"entries": 5}}}
    assert complaints(tmp_path, {}, {"steps": steps}, check) == []


def test_memories_come_with_their_times_and_trust_and_are_listed_in_order(tmp_path: Path) -> None:
    setup = {
        "memories": [
            {"ref": "old", "store": "sqlite", "content": "Dredger hire: ask Ines.", "time": "-900d"},
            {
                "ref": "mine",
                "store": "files",
                "content": "Dredger hire: ask the port.",
                "time": "-1d",
                "trust": "curated",
            },
        ]
    }
    check = {"order": ["mine", "old"], "rows_unchanged": True, "explain": {"recency_between": [0.4, 1.0]}}
    assert complaints(tmp_path, setup, asked("dredger hire", explain=True), check) == []


def test_notes_by_rule_and_the_command_line_are_judged_alike(tmp_path: Path) -> None:
    setup = {
        "generate": [
            {"path": "vault/n{n}.md", "n": [7, 21], "template": "Pontoon {n} is moored.\n"},
            {"path": "vault/long.md", "paragraphs": 3, "template": "Line {i} of the log.\n\n"},
        ]
    }
    check = {"not_error": True, "steps_check": {"0": {"error": False}}, "sources": {"markdown": {"entries": 3}}}
    steps = [{"cli": "mmind retrieve 'pontoon 21'"}, asked("pontoon 21"), {"tool": "sources", "args": {}}]
    check |= {"per_query": [{"query": "pontoon 21", "top_id": "vault/n21.md"}]}
    assert complaints(tmp_path, setup, {"steps": steps}, check) == []


@pytest.mark.parametrize("query", ["|||", "\0", "()", "---", "…", "\ufffd", '"', "\\", "%%", "***"])
def test_marks_alone_find_nothing_and_are_no_error(tmp_path: Path, query: str) -> None:
    setup = {"memories": [{"ref": "m", "store": "sqlite", "content": "The bell is rung by hand.", "time": "-1d"}]}
    assert complaints(tmp_path, setup, asked(query), {"not_error": True, "results_max": 0}) == []


def test_the_judge_complains_of_what_does_not_hold(tmp_path: Path) -> None:
    setup = {"files": {"vault/a.md": "The buoy is red.\n", "vault/b.md": "The ramp is steep.\n"}}
    wrong = {
        "top_id": "vault/b.md",
        "contains_ids": ["vault/c.md"],
        "not_contains_ids": ["vault/a.md"],
        "contains_text": ["green"],
        "results_max": 0,
        "title": "ramp",
        "error": True,
        "conflicts": {"min": 1},
        "sources": {"markdown": {"entries": 9}},
        "warnings_name": ["a.md"],
        "audit_contains": ["no such word"],
        "exists": ["vault/c.md"],
    }
    found = complaints(tmp_path, setup, {"steps": [asked("buoy red")]}, wrong)
    assert {one.split(":")[0] for one in found} == wrong.keys()


@pytest.mark.parametrize("check", [{"no_such_check": 1}, {"per_query": [{"query": "buoy", "no_such_check": 1}]}])
def test_a_check_that_the_judge_does_not_know_fails_the_case(tmp_path: Path, check: dict[str, Any]) -> None:
    (found,) = complaints(tmp_path, {"files": {"vault/a.md": "The buoy.\n"}}, asked("buoy"), check)
    assert "does not know the check 'no_such_check'" in found


def test_a_text_by_repetition_is_written_out_wherever_it_stands() -> None:
    assert written_out({"args": [{"repeat": 3, "text": "ab"}]}) == {"args": ["ababab"]}
