"""What is copied all at once, by a clone or a restore, has new times that say nothing of its age."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.stores.copies import MANY, copied_times
from mmind.stores.markdown import MarkdownEngine, open_engine
from mmind.stores.registry import EngineOptions
from mmind.values.memory import Memory
from mmind.values.ports import Mark

SECOND = 1_000_000_000
DAY = 86_400 * SECOND
MAY = int(datetime(2026, 5, 1, tzinfo=UTC).timestamp()) * SECOND


def engine_on(vault: Path) -> MarkdownEngine:
    return open_engine("markdown", vault, EngineOptions())


def taken(engine: MarkdownEngine, mark: Mark | None = None) -> dict[str, Memory]:
    return {memory.id: memory for memory in engine.changes(mark or Mark()).changed}


def mark_of(memories: dict[str, Memory]) -> Mark:
    return Mark("", {key: memory.fingerprint for key, memory in memories.items()})


def kinds(memories: dict[str, Memory]) -> set[str]:
    return {memory.time_kind for memory in memories.values()}


def write(vault: Path, numbers: range, step_ns: int, start_ns: int = MAY) -> None:
    vault.mkdir(exist_ok=True)
    for number in numbers:
        note = vault / f"note {number}.md"
        note.write_text(f"The winch {number} is greased in spring.\n", "utf-8")
        os.utime(note, ns=(start_ns + number * step_ns,) * 2)


def git(*words: str, within: Path) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(("git", *who, *words), cwd=within, check=True, capture_output=True)


def test_twenty_files_of_one_minute_are_copies_and_nineteen_are_not() -> None:
    minute = [MAY + number * SECOND for number in range(MANY)]
    assert copied_times(minute) == frozenset(minute)
    assert copied_times(minute[1:]) == frozenset()


def test_a_file_a_minute_is_a_persons_pace_and_others_than_the_copied_keep_their_times() -> None:
    slow = [MAY + number * 60 * SECOND for number in range(100)]
    assert copied_times(slow) == frozenset()
    burst = [MAY + 30 * DAY + number for number in range(500)]
    assert copied_times([*burst, *slow]) == frozenset(burst)


def test_a_cloned_vault_is_of_unknown_age_but_for_its_dated_notes(tmp_path: Path) -> None:
    vault, clone = tmp_path / "vault", tmp_path / "clone"
    write(vault, range(40), step_ns=-DAY)
    (vault / "2025-03-01 Survey.md").write_text("The hull was surveyed.\n", "utf-8")
    (vault / "dated.md").write_text("---\nupdated: 2025-02-03\n---\nThe hull is blue.\n", "utf-8")
    assert kinds(taken(engine_on(vault))) == {"file mtime", "file name", "front matter"}
    git("init", "-q", within=vault)
    git("add", ".", within=vault)
    git("commit", "-q", "-m", "all notes", within=vault)
    git("clone", "-q", str(vault), str(clone), within=tmp_path)
    cloned = taken(engine_on(clone))
    assert len(cloned) == 42
    assert kinds(cloned) == {"", "file name", "front matter"}
    assert cloned["note 7.md"].time is None
    assert cloned["dated.md"].time == datetime(2025, 2, 3, tzinfo=UTC)


def test_a_note_that_is_edited_after_the_clone_has_the_time_of_the_edit(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault, range(30), step_ns=1)
    engine = engine_on(vault)
    known = taken(engine)
    assert kinds(known) == {""}
    write(vault, range(3, 4), step_ns=1, start_ns=MAY + 9 * DAY)
    edited = taken(engine, mark_of(known))
    assert [(id_, memory.time_kind) for id_, memory in edited.items()] == [("note 3.md", "file mtime")]


@pytest.mark.parametrize("edited", [3, 11, 25])
def test_an_index_that_grew_with_the_vault_and_one_made_today_tell_the_same_times(tmp_path: Path, edited: int) -> None:
    vault = tmp_path / "vault"
    write(vault, range(30), step_ns=1)
    engine = engine_on(vault)
    known = taken(engine)
    write(vault, range(edited), step_ns=DAY, start_ns=MAY + 9 * DAY)
    grown = {**known, **taken(engine, mark_of(known))}
    made_today = taken(engine_on(vault))
    assert {id_: one.time for id_, one in grown.items()} == {id_: one.time for id_, one in made_today.items()}
    assert taken(engine_on(vault), mark_of(grown)) == {}


def test_a_fingerprint_that_does_not_say_which_time_was_read_is_taken_anew(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault, range(30), step_ns=1)
    of_old = {id_: one.fingerprint.replace("u ", " ") for id_, one in taken(engine_on(vault)).items()}
    assert len(taken(engine_on(vault), Mark("", of_old))) == 30


def test_notes_that_arrived_first_are_taken_again_when_the_rest_of_the_copy_arrives(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault, range(10), step_ns=SECOND)
    engine = engine_on(vault)
    known = taken(engine)
    assert kinds(known) == {"file mtime"}
    write(vault, range(10, 30), step_ns=SECOND)
    now = taken(engine, mark_of(known))
    assert (len(now), kinds(now)) == (30, {""})
    assert taken(engine, mark_of(now)) == {}


def test_one_note_read_alone_tells_the_same_time_as_a_scan(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault, range(30), step_ns=1)
    alone = engine_on(vault).get("note 5.md")
    assert alone is not None
    assert (alone.time, alone.time_kind) == (None, "")


def test_the_state_of_the_vault_says_that_times_are_those_of_a_copy(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault, range(30), step_ns=1)
    engine = engine_on(vault)
    taken(engine)
    (note,) = engine.health().notes
    assert note.startswith("30 notes were written at once")
