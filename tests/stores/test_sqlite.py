from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.stores.registry import EngineOptions
from mmind.stores.sqlite import SqliteEngine, open_engine
from mmind.values.errors import EngineDamaged, EngineUnavailable
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Mark
from tests.stores.processes import open_to_all, put_until_killed, putters, python, sql, without_rights

MODULE = "mmind.stores.sqlite"
WINCH = Memory(
    store="sqlite",
    id="winch",
    text="The ferry winch takes 12 t.",
    title="Winch",
    tags=("ferry", "Fähre, alt"),
    created=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    time=datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC),
    trust=Trust.CURATED,
    writer="Mads",
    session="quay",
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


def engine_on(database: Path) -> SqliteEngine:
    return open_engine("sqlite", database, EngineOptions())


def holding(database: Path, *ids: str) -> SqliteEngine:
    engine = engine_on(database)
    for name in ids:
        engine.put(Memory(store="sqlite", id=name, text=f"text of {name}"))
    return engine


def mark_of(engine: SqliteEngine) -> Mark:
    changes = engine.changes(Mark())
    return Mark(changes.cursor, {memory.id: memory.fingerprint for memory in changes.changed})


def changed_and_gone(engine: SqliteEngine, mark: Mark) -> tuple[list[str], list[str]]:
    changes = engine.changes(mark)
    changed = [memory.id for memory in changes.changed]
    assert changes.total == len(changed)
    return sorted(changed), sorted(changes.gone)


def test_a_person_reads_the_memories_with_any_sqlite_tool(database: Path) -> None:
    engine_on(database).put(WINCH)
    row = sql(database, "SELECT text, title, tags, created, updated, trust, writer, session FROM memories")
    assert row == str(
        [
            (
                "The ferry winch takes 12 t.",
                "Winch",
                '["ferry", "Fähre, alt"]',
                "2026-01-02T03:04:05Z",
                "2026-02-03T04:05:06.000789Z",
                "curated",
                "Mads",
                "quay",
            )
        ]
    )


def test_times_and_path_say_what_they_are(database: Path) -> None:
    kept = engine_on(database).put(WINCH)
    assert (kept.time, kept.time_kind, kept.path) == (WINCH.time, "updated", f"{database}#winch")


@pytest.mark.parametrize(
    ("statement", "changed", "gone"),
    [
        ("INSERT INTO memories(text) VALUES ('typed by hand')", 1, []),
        ("UPDATE memories SET text = 'corrected' WHERE id = 'a'", 1, []),
        ("UPDATE memories SET id = 'z' WHERE id = 'a'", 1, ["a"]),
        ("DELETE FROM memories WHERE id = 'a'", 0, ["a"]),
        ("DELETE FROM memories", 0, ["a", "b"]),
        ("INSERT OR REPLACE INTO memories(id, text) VALUES ('a', 'replaced')", 1, []),
        ("INSERT OR IGNORE INTO memories(id, text) VALUES ('c', 'added, a clause that gives way in triggers')", 1, []),
        ("UPDATE OR REPLACE memories SET id = 'b' WHERE id = 'a'", 1, ["a"]),
    ],
)
def test_edits_by_another_program_are_seen(database: Path, statement: str, changed: int, gone: list[str]) -> None:
    engine = holding(database, "a", "b")
    mark = mark_of(engine)
    sql(database, statement)
    found = changed_and_gone(engine, mark)
    assert (len(found[0]), found[1]) == (changed, gone)


def test_fields_typed_by_hand_are_read_as_far_as_they_make_sense(database: Path) -> None:
    engine = holding(database, "a")
    sql(
        database,
        "UPDATE memories SET tags = 'boats, rope', updated = '2026-05-01', created = 'last week', trust = 'me'",
    )
    memory = engine.get("a")
    assert memory is not None
    assert (memory.tags, memory.created, memory.trust) == (("boats", "rope"), None, Trust.GENERATED)
    assert memory.time == datetime(2026, 5, 1, tzinfo=UTC)


def test_only_what_differs_is_reported_after_a_mark(database: Path) -> None:
    engine = holding(database, "a", "b", "c")
    mark = mark_of(engine)
    assert changed_and_gone(engine, mark) == ([], [])
    engine.put(Memory(store="sqlite", id="b", text="new words"))
    engine.delete("c")
    assert changed_and_gone(engine, mark) == (["b"], ["c"])


def test_another_database_in_its_place_is_compared_in_full(database: Path, tmp_path: Path) -> None:
    engine = holding(database, "a", "b")
    mark = mark_of(engine)
    other = holding(tmp_path / "other.db", "b", "c", "d")
    other.close()
    (tmp_path / "other.db").replace(database)
    assert changed_and_gone(engine, mark) == (["c", "d"], ["a"])


def test_the_file_alone_is_the_whole_store_while_it_rests(database: Path, tmp_path: Path) -> None:
    still_open = holding(database, "a", "b")  # closing it would empty the log
    python("import shutil, sys; shutil.copyfile(*sys.argv[1:])", database, tmp_path / "copied by hand.db")
    assert engine_on(tmp_path / "copied by hand.db").health().entries == 2
    still_open.close()


def test_a_restored_backup_that_went_another_way_is_compared_in_full(database: Path, tmp_path: Path) -> None:
    engine = holding(database, "a")
    sql(database, f"VACUUM INTO '{tmp_path / 'backup.db'}'")
    engine.put(Memory(store="sqlite", id="b", text="after the backup"))
    mark = mark_of(engine)
    engine.close()
    (tmp_path / "backup.db").replace(database)
    holding(database, "c", "d").close()
    assert changed_and_gone(engine, mark) == (["c", "d"], ["b"])


def test_a_write_goes_to_the_file_that_lies_there_now(database: Path) -> None:
    engine = holding(database, "a")
    for leftover in database.parent.iterdir():
        leftover.unlink()
    engine.put(Memory(store="sqlite", id="b", text="after the file was removed"))
    assert (engine.get("a"), sql(database, "SELECT id FROM memories")) == (None, "[('b',)]")


def test_a_removed_file_is_gone_memories_and_a_removed_drive_is_a_fault(database: Path) -> None:
    engine = holding(database, "a")
    mark = mark_of(engine)
    engine.close()
    database.unlink()
    assert changed_and_gone(engine, mark) == ([], ["a"])
    database.parent.rmdir()
    with pytest.raises(EngineUnavailable, match="is not there"):
        engine.changes(mark)


def test_an_older_schema_is_brought_up_to_date_after_a_copy_was_made(database: Path) -> None:
    holding(database, "a", "b").close()
    sql(database, "ALTER TABLE memories DROP COLUMN truncated")
    sql(database, "PRAGMA user_version = 0")
    engine = engine_on(database)
    assert engine.get("a") is not None
    copy = database.with_name("memory.db.before-schema-1")
    assert sql(copy, "SELECT count(*) FROM pragma_table_info('memories') WHERE name = 'truncated'") == "[(0,)]"
    assert sql(copy, "SELECT count(*) FROM memories") == "[(2,)]"
    kept = engine.put(Memory(store="sqlite", id="c", text="long", truncated=True))
    assert kept.truncated
    assert engine.health().entries == 3


def test_a_dump_that_was_read_back_is_ours_again(database: Path, tmp_path: Path) -> None:
    holding(database, "a").close()
    code = """
import sqlite3, sys
old, new = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
new.executescript("\\n".join(old.iterdump()))
"""
    python(code, database, tmp_path / "restored.db")
    memory = engine_on(tmp_path / "restored.db").get("a")
    assert memory is not None
    assert memory.text == "text of a"


def test_a_newer_schema_is_refused_and_left_as_it_is(database: Path) -> None:
    holding(database, "a").close()
    sql(database, "PRAGMA user_version = 9999")
    before = database.read_bytes()
    engine = engine_on(database)
    for use in (lambda: engine.get("a"), lambda: engine.put(WINCH), lambda: engine.changes(Mark())):
        with pytest.raises(EngineUnavailable, match="made by a newer version of mmind") as refusal:
            use()
        assert "update mmind" in refusal.value.hint
    health = engine.health()
    engine.close()
    assert (health.usable, "newer version" in health.reason, database.read_bytes() == before) == (False, True, True)


def test_a_database_of_another_program_gets_no_tables_of_ours(database: Path) -> None:
    database.parent.mkdir()
    sql(database, "CREATE TABLE invoices(number)")
    engine = engine_on(database)
    with pytest.raises(EngineUnavailable, match="another program"):
        engine.put(WINCH)
    with pytest.raises(EngineUnavailable, match="another program"):
        engine.get("winch")
    assert sql(database, "SELECT name FROM sqlite_master") == "[('invoices',)]"


def test_a_file_that_is_no_database_is_named_and_left_as_it_is(database: Path) -> None:
    database.parent.mkdir()
    database.write_text("a shopping list, long enough to be taken for a header of a database file by somebody" * 20)
    before = database.read_bytes()
    engine = engine_on(database)
    with pytest.raises(EngineDamaged, match="not a SQLite database"):
        engine.get("a")
    with pytest.raises(EngineDamaged, match="not a SQLite database"):
        engine.put(WINCH)
    assert (engine.health().usable, database.read_bytes()) == (False, before)


def test_a_damaged_page_is_a_fault_with_a_way_out(database: Path) -> None:
    engine = holding(database, *(f"m{number}" for number in range(200)))
    engine.close()
    content = bytearray(database.read_bytes())
    content[4096 : len(content)] = random.Random(5).randbytes(len(content) - 4096)
    database.write_bytes(content)
    with pytest.raises(EngineDamaged) as fault:
        list(engine.changes(Mark()).changed)
    assert "recover" in fault.value.hint or "backup" in fault.value.hint
    assert not engine.health().usable


def test_a_text_that_is_not_utf8_is_shown_as_far_as_it_is_and_silences_no_other(database: Path) -> None:
    holding(database, "a", "b").close()
    sql(database, "UPDATE memories SET text = CAST(x'746578742080206f66206120' AS TEXT) WHERE id = 'a'")
    engine = engine_on(database)
    texts = {memory.id: memory.text for memory in engine.changes(Mark()).changed}
    assert texts == {"a": "text \ufffd of a ", "b": "text of b"}
    assert changed_and_gone(engine, mark_of(engine)) == ([], [])
    memory = engine.get("a")
    assert memory is not None
    assert memory.text == texts["a"]


def test_one_damaged_page_costs_its_own_memories_only_and_is_named(database: Path) -> None:
    names = [f"m{number}" for number in range(200)]
    engine = holding(database, *names)
    mark = mark_of(engine)
    engine.close()
    content = bytearray(database.read_bytes())
    page = content.index(b"text of m100") // 4096 * 4096
    content[page : page + 4096] = bytes(4096)
    database.write_bytes(content)
    engine, found = engine_on(database), list[str]()
    changes = engine.changes(Mark())
    with pytest.raises(EngineDamaged, match="damaged") as fault:
        found.extend(memory.id for memory in changes.changed)
    assert "recover" in fault.value.hint
    assert 100 < len(found) < 200
    assert set(found) < set(names)
    assert list(changes.gone) == []
    later = engine.changes(Mark("", mark.fingerprints))  # an index that knows all of them loses none
    with pytest.raises(EngineDamaged):
        found.extend(memory.id for memory in later.changed)
    assert list(later.gone) == []


@pytest.mark.parametrize("make", [Path.mkdir, getattr(os, "mkfifo", Path.mkdir)], ids=["folder", "pipe"])
def test_what_is_no_file_is_named(database: Path, make: object) -> None:
    database.parent.mkdir()
    make(database)  # type: ignore[operator]
    engine = engine_on(database)
    with pytest.raises(EngineUnavailable, match="where a database file is expected"):
        engine.get("a")
    assert "expected" in engine.health().reason


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_the_file_is_private_to_its_owner(database: Path) -> None:
    holding(database, "a").close()
    assert (database.stat().st_mode & 0o777, database.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_a_folder_that_may_not_be_written_refuses_a_memory_in_words() -> None:
    code = """
import sys
from pathlib import Path
from mmind.stores.registry import EngineOptions
from mmind.stores.sqlite import open_engine
from mmind.values.memory import Memory
# drop rights
engine = open_engine("sqlite", Path(sys.argv[1]), EngineOptions())
try:
    engine.put(Memory(store="sqlite", id="a", text="x"))
except Exception as error:
    print(type(error).__name__, error)
print(engine.health().usable)
"""
    with open_to_all() as folder:
        holding(folder / "closed" / "memory.db", "b").close()
        (folder / "closed").chmod(0o555)
        (folder / "closed" / "memory.db").chmod(0o444)
        said = without_rights(code, folder / "closed" / "memory.db")
        (folder / "closed").chmod(0o755)
    assert said.startswith("EngineUnavailable")
    assert "check the permissions" in said


FULL_DISK = """
import importlib, resource, sys
from pathlib import Path
from mmind.stores.registry import EngineOptions
from mmind.values.errors import EngineError
from mmind.values.memory import Memory
place = Path(sys.argv[2])
engine = importlib.import_module(sys.argv[1]).open_engine("here", place, EngineOptions())
engine.put(Memory(store="here", id="before", text="x"))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    engine.put(Memory(store="here", id="too big", text="y" * 1_000_000))
except EngineError as error:
    print(type(error).__name__, "kept" if engine.get("before") else "lost", engine.get("too big"))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
engine.put(Memory(store="here", id="after", text="z"))
print([memory.id for memory in engine.changes(__import__("mmind.values.ports").values.ports.Mark()).changed])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes to stand in for a full disk")
def test_a_drive_that_takes_no_more_loses_nothing_that_was_kept(database: Path) -> None:
    assert python(FULL_DISK, MODULE, database).split("\n") == [
        "EngineUnavailable kept None",
        "['before', 'after']",
    ]


def test_values_are_bound_and_never_run(database: Path) -> None:
    sharp = "a'; DROP TABLE memories; --"
    engine = engine_on(database)
    engine.put(Memory(store="sqlite", id=sharp, text=sharp, title=sharp, tags=(sharp,)))
    kept = engine.get(sharp)
    assert kept is not None
    assert (kept.text, kept.tags, engine.health().entries) == (sharp, (sharp,), 1)


def test_four_processes_lose_nothing(database: Path) -> None:
    acknowledged = putters(MODULE, database, processes=4, count=40)
    kept = {memory.id for memory in engine_on(database).changes(Mark()).changed}
    assert (len(acknowledged), kept) == (160, set(acknowledged))


def test_a_killed_process_loses_nothing_that_it_acknowledged(database: Path) -> None:
    chance, acknowledged = random.Random(20260531), []
    for number in range(5):
        acknowledged += put_until_killed(MODULE, database, f"k{number}", after=chance.randrange(3, 40))
    kept = {memory.id for memory in engine_on(database).changes(Mark()).changed}
    assert len(acknowledged) >= 15
    assert set(acknowledged) <= kept
    assert sql(database, "PRAGMA integrity_check") == "[('ok',)]"
