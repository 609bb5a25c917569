"""The file is shared, killed, deleted, damaged and of another version: with real processes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from mmind.index import schema
from mmind.index.database import CHECKED_EVERY
from mmind.index.index import Index
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.errors import EngineDamaged, EngineUnavailable
from mmind.values.memory import Memory
from tests.index.build import Clock, Shelf, WordVectors, asked, found, hits, index_of, level, memory
from tests.index.conftest import Closing

PATIENCE = 100.0

START = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mmind.index import open_index
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.memory import Memory
from tests.index.build import WordVectors
home, who = Path(sys.argv[1]), sys.argv[2]
engine = open_engine_row("sqlite", home / "memory.db", EngineOptions(), store="notes")
index = open_index(home / "index.db", {"notes": engine}, WordVectors(), lambda: datetime.now(UTC))
"""

ADD = """
print("up", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    index.add(engine.put(Memory(store="notes", id=f"{who}-{number}", text=f"winch {who} {number}")))
    if number % 10 == 0:
        index.refresh(5.0)
index.close()
"""

ADD_AND_REMOVE = """
print("up", flush=True)
sys.stdin.readline()
words = ["kubernetes", "manager", "harbour"]
for number in range(60):
    id = f"{who}-{number % 3}"
    index.add(engine.put(Memory(store="notes", id=id, text=f"winch {words[number % 3]} {words[number % 2]}")))
    if number < 57 and number % 2:
        engine.delete(id)
        index.remove("notes", id)
index.close()
"""

COMPLETE = """
def report(progress):
    print(progress.phase, progress.done, flush=True)
while True:
    index.complete(report, rebuild=True)
"""


@contextmanager
def running(code: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """A fresh Python that runs the code after `START`; killed at the end."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    with subprocess.Popen(
        [sys.executable, "-c", START + code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def sqlite_index(home: Path) -> Index:
    """An index in this process over the SQLite store that the other processes use."""
    engine = open_engine_row("sqlite", home / "memory.db", EngineOptions(), store="notes")
    return index_of(home, engine, WordVectors())


def filled(home: Path, count: int) -> None:
    """So many memories in the store, none of them indexed."""
    engine = open_engine_row("sqlite", home / "memory.db", EngineOptions(), store="notes")
    for number in range(count):
        engine.put(Memory(store="notes", id=f"n{number}", text=f"winch number {number}"))
    engine.close()


def assert_sound(home: Path) -> None:
    """SQLite and FTS5 find everything in order, and the sums are those of the rows."""
    connection = apsw.Connection(str(home / "index.db"))
    try:
        assert connection.execute("PRAGMA integrity_check").get == "ok"
        for number, memories, passages in connection.execute(
            "SELECT number, memories, passages FROM source"
        ).fetchall():
            connection.execute(f"INSERT INTO words_{number}(words_{number}) VALUES ('integrity-check')")
            for table, count in (("memory", memories), ("passage", passages)):
                assert connection.execute(f"SELECT count(*) FROM {table} WHERE source = ?", (number,)).get == count
            assert connection.execute(f"SELECT count(*) FROM words_{number}").get == passages
    finally:
        connection.close()


def test_no_spelling_is_lost_to_processes_that_write_and_remove_the_same_words(
    tmp_path: Path, closing: Closing
) -> None:
    with running(ADD_AND_REMOVE, tmp_path, "ada") as ada, running(ADD_AND_REMOVE, tmp_path, "bob") as bob:
        for process in (ada, bob):
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
        for process in (ada, bob):
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in (ada, bob):
            process.communicate(timeout=PATIENCE)
            assert process.returncode == 0
    index = closing(sqlite_index(tmp_path))
    index.refresh(PATIENCE)
    misspelt = ["kuberentes", "manger", "harobur", "wnich"]
    assert [list(index.alike([word])[word]) for word in misspelt] == [
        ["kubernetes"],
        ["manager"],
        ["harbour"],
        ["winch"],
    ]


def test_two_processes_add_at_once_and_both_find_everything(tmp_path: Path, closing: Closing) -> None:
    with running(ADD, tmp_path, "ada", "40") as ada, running(ADD, tmp_path, "bob", "40") as bob:
        for process in (ada, bob):
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
        for process in (ada, bob):
            process.communicate("go\n", timeout=PATIENCE)
            assert process.returncode == 0
    index = closing(sqlite_index(tmp_path))
    index.refresh(PATIENCE)
    assert index.statistics(["winch", "ada", "bob"]).frequencies == {"winch": 80, "ada": 40, "bob": 40}
    assert index.freshness()["notes"].entries == 80
    assert len(found(index, "winch")) == 80
    index.close()
    assert_sound(tmp_path)


def test_what_one_process_adds_the_next_answer_of_another_has(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    index = closing(sqlite_index(tmp_path))
    index.refresh(PATIENCE)
    assert found(index, asked("winch", model)) == []
    with running(ADD, tmp_path, "ada", "1") as process:
        process.communicate("go\n", timeout=PATIENCE)
    first = hits(index, asked("winch", model))[0]
    assert first.memory.id == "ada-0"
    assert first.cosine is not None


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is not to be had here")
@pytest.mark.parametrize("lines", [2, 5, 9])
def test_a_process_killed_while_it_indexes_leaves_an_index_that_is_completed(lines: int, tmp_path: Path) -> None:
    filled(tmp_path, 130)
    with running(COMPLETE, tmp_path, "killed") as process:
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
    index = level(sqlite_index(tmp_path))
    state = index.freshness()["notes"]
    assert (state.entries, state.pending_words, state.pending_vectors) == (130, 0, 0)
    index.close()
    assert_sound(tmp_path)


def test_an_index_deleted_under_a_running_process_is_made_again(tmp_path: Path, closing: Closing) -> None:
    model, shelf = WordVectors(), Shelf.of(memory("a", "winch"))
    index = level(closing(index_of(tmp_path, shelf, model)))
    assert found(index, asked("winch", model)) == ["a"]
    (tmp_path / "index.db").unlink()
    index.refresh(PATIENCE)
    assert found(index, "winch") == ["a"]
    level(index)
    assert hits(index, asked("winch", model))[0].cosine is not None
    index.close()
    assert_sound(tmp_path)


def test_closing_a_connection_of_a_deleted_index_spares_the_new_one(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(memory("a", "winch"))
    old = level(index_of(tmp_path, shelf))
    (tmp_path / "index.db").unlink()
    new = level(closing(index_of(tmp_path, shelf)))
    old.close()
    new.add(memory("b", "winch"))
    assert sorted(found(closing(index_of(tmp_path, shelf)), "winch")) == ["a", "b"]


@pytest.mark.parametrize("part", ["SCHEMA_VERSION", "TOKENIZER_VERSION", "PASSAGES_VERSION"])
def test_an_index_of_an_older_version_is_made_anew(
    part: str, tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, shelf = WordVectors(), Shelf.of(memory("a", "winch"))
    level(index_of(tmp_path, shelf, model)).close()
    newer = schema.SCHEMA_VERSION + 1 if part == "SCHEMA_VERSION" else "9 better"
    monkeypatch.setattr(schema, part, newer)
    index = closing(index_of(tmp_path, shelf, model))
    assert hits(index, "winch") == []
    level(index)
    assert found(index, "winch") == ["a"]
    assert shelf.read == ["a", "a"]
    assert model.embedded.count("winch") == (2 if part == "SCHEMA_VERSION" else 1)


def test_a_running_older_program_leaves_a_newer_index_alone(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf.of(memory("a", "winch"))
    older = level(closing(index_of(tmp_path, shelf)))
    with monkeypatch.context() as newer:
        newer.setattr(schema, "TOKENIZER_VERSION", "2 better")
        level(index_of(tmp_path, shelf)).close()
    with pytest.raises(EngineUnavailable, match="newer mmind"):
        hits(older, "winch")
    older.refresh(PATIENCE)
    assert "newer mmind" in older.freshness()["notes"].fault
    assert older.statistics(["winch"]).passages == 0
    older.complete(lambda _: None, rebuild=True)
    assert found(older, "winch") == ["a"]


def damage(file: Path, start: int, length: int) -> None:
    """Write over a part of a file that no connection of this process holds."""
    with file.open("r+b") as stream:
        stream.seek(start)
        stream.write(b"\xa5" * length)


@pytest.mark.parametrize("kind", ["header", "pages", "half", "empty"])
def test_a_damaged_index_is_named_once_and_made_anew(kind: str, tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number} " * 20) for number in range(50)))
    level(index_of(tmp_path, shelf)).close()
    file = tmp_path / "index.db"
    size = file.stat().st_size
    if kind == "header":
        damage(file, 0, 100)
    elif kind == "pages":
        damage(file, 4096, size - 4096)
    else:
        os.truncate(file, size // 2 if kind == "half" else 0)
    index = closing(index_of(tmp_path, shelf))
    try:
        assert hits(index, "winch") == []
    except EngineDamaged as error:
        assert "made anew" in str(error)  # noqa: PT017 - either is right: found when it is opened, or when it is read
    index.refresh(PATIENCE)
    assert len(found(index, "winch")) == 50
    assert index.freshness()["notes"].fault == ""
    index.close()
    assert_sound(tmp_path)


def test_any_damaged_page_is_found_by_complete(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number} " * 20) for number in range(50)))
    level(index_of(tmp_path, shelf)).close()
    size = (tmp_path / "index.db").stat().st_size
    for page in range(1, size // 4096, 5):
        damage(tmp_path / "index.db", page * 4096, 64)
        index = level(index_of(tmp_path, shelf))
        assert len(found(index, "winch 7", pool=100)) == 50
        index.close()
        assert_sound(tmp_path)


def test_a_damaged_page_that_no_question_meets_is_found_within_a_day(tmp_path: Path, closing: Closing) -> None:
    shelf, clock = Shelf.of(*(memory(f"n{number}", f"winch {number} " * 20) for number in range(50))), Clock()
    index = index_of(tmp_path, shelf, clock=clock)
    for _ in range(2):  # the first look at the file comes after the first scan, and before the second
        index.refresh(PATIENCE)
    index.close()
    connection = apsw.Connection(str(tmp_path / "index.db"))
    # of no use without a model, so that nothing reads it
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'passage_digest'").get
    connection.close()
    damage(tmp_path / "index.db", (page - 1) * 4096, 4096)
    clock.pass_seconds(CHECKED_EVERY.total_seconds() + 1)
    index = closing(index_of(tmp_path, shelf, clock=clock))
    for _ in range(3):
        index.refresh(PATIENCE)
    assert index.freshness()["notes"].fault == ""
    assert len(found(index, "winch")) == 50
    index.close()
    assert_sound(tmp_path)


def test_a_file_that_is_no_database_is_replaced(tmp_path: Path, closing: Closing) -> None:
    (tmp_path / "index.db").write_bytes(b"not a database, just some text that lay here" * 100)
    index = closing(index_of(tmp_path, Shelf.of(memory("a", "winch"))))
    index.refresh(PATIENCE)
    assert found(index, "winch") == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_only_the_user_can_read_the_index(tmp_path: Path, closing: Closing) -> None:
    home = tmp_path / "home"
    level(closing(index_of(home, Shelf.of(memory("a", "winch")))))
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    for file in home.rglob("*"):
        assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file.name


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom the system can refuse")
def test_a_home_that_cannot_be_written_is_indexed_elsewhere(tmp_path: Path, closing: Closing) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    index = closing(index_of(home, Shelf.of(memory("a", "winch"))))
    index.refresh(PATIENCE)
    assert found(index, "winch") == ["a"]
    assert list(home.iterdir()) == []


def test_a_home_that_is_a_file_is_named(tmp_path: Path, closing: Closing) -> None:
    (tmp_path / "home").write_text("in the way", encoding="utf-8")
    index = closing(index_of(tmp_path / "home", Shelf.of(memory("a", "winch"))))
    index.refresh(PATIENCE)
    assert "cannot be used" in index.freshness()["notes"].fault
    with pytest.raises(EngineUnavailable, match="check the free space"):
        index.add(memory("a", "winch"))


def test_a_program_ends_while_a_scan_hangs(tmp_path: Path) -> None:
    hang = """
import threading
from tests.index.build import Clock, Shelf, memory
forever = threading.Event()
shelf = Shelf.of(memory("a", "winch"))
shelf.before_each = lambda _: (print("hanging", flush=True), forever.wait())
import mmind.index.index
mmind.index.index.CLOSE_SECONDS = 3600.0  # a scan that hangs in its engine must not be waited for
index = open_index(home / "index.db", {"notes": shelf}, None, lambda: datetime.now(UTC))
index.refresh(0.0)
sys.stdin.readline()
"""
    with running(hang, tmp_path, "hang") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "hanging\n"
        process.communicate("end\n", timeout=PATIENCE)
        assert process.returncode == 0
