"""Places of the user's own: tables of three kinds of database, instruction files, a memory server's file."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mmind.stores.registry import WRAPPERS, EngineOptions, open_wrapped
from mmind.stores.served import ServedAt
from mmind.stores.table import time_of
from mmind.values.errors import ConfigError, EngineError, EngineUnavailable
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Engine, Mark
from mmind.values.wrapped import Columns
from tests.servers import Servers
from tests.servers.postgres import PASSWORD, PostgresPlaces
from tests.stores.contract.rows import level_mark, taken, tree

NOTES = Columns(table="notes", id="id", text="body", title="title", time="changed", tags="labels")
WITHOUT_TIME = replace(NOTES, time="")
TABLE = "CREATE TABLE notes(id integer PRIMARY KEY, body text, title text, changed timestamp NULL, labels text)"
ROWS = (
    "INSERT INTO notes VALUES (1, 'The ferry winch takes 12 t.', 'Winch', '2026-05-01 10:00:00', 'ferry, quay')",
    "INSERT INTO notes VALUES (2, 'The drum is new.', '', '2026-05-02 10:00:00', '[\"drum\"]')",
)


@dataclass(frozen=True, slots=True)
class Place:
    """A database of the user's own: where it is, and how its own program changes it."""

    kind: str
    location: Path | ServedAt
    run: Callable[..., None]

    def open(self, columns: Columns, generated: tuple[str, ...] = ()) -> Engine:
        return open_wrapped(self.kind, self.location, EngineOptions(columns=columns, generated=generated), "here")


def _sqlite(folder: Path, servers: Servers) -> Place:
    file = folder / "app.db"

    def run(*statements: str) -> None:
        with sqlite3.connect(file) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    return Place("sqlite", file, run)


def _postgres(folder: Path, servers: Servers) -> Place:
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    name = running.database(str(folder))
    return Place(
        "postgres", ServedAt(running.url(str(folder)), "CRM_URL"), lambda *done: running.cluster.sql(name, *done)
    )


def _mysql(folder: Path, servers: Servers) -> Place:
    from tests.servers.mysql import Mariadb

    running = servers.get("mysql")
    if not isinstance(running, Mariadb):
        pytest.skip("these tests make tables as the server's owner, and MMIND_TEST_MYSQL_URL names somebody else's")
    name = running.database(str(folder))

    def run(*statements: str) -> None:
        for statement in statements:
            running.execute(statement, database=name)

    return Place("mysql", ServedAt(running.url(str(folder)), "CRM_URL"), run)


KINDS = {"sqlite": _sqlite, "postgres": _postgres, "mysql": _mysql}
MARKS = [pytest.param(kind, marks=[pytest.mark.server] if kind != "sqlite" else []) for kind in KINDS]


@pytest.fixture(params=MARKS)
def place(request: pytest.FixtureRequest, servers: Servers, tmp_path: Path) -> Place:
    made = KINDS[request.param](tmp_path, servers)
    made.run(TABLE, *ROWS)
    return made


@pytest.fixture
def sqlite(servers: Servers, tmp_path: Path) -> Place:
    made = _sqlite(tmp_path, servers)
    made.run(TABLE, *ROWS)
    return made


def test_each_row_is_a_memory(place: Place) -> None:
    engine = place.open(NOTES)
    memories = taken(engine, Mark())
    assert set(memories) == {"1", "2"}
    winch = memories["1"]
    assert (winch.text, winch.title, winch.tags) == ("The ferry winch takes 12 t.", "Winch", ("ferry", "quay"))
    assert (winch.time, winch.time_kind) == (datetime(2026, 5, 1, 10, tzinfo=UTC), "updated")
    assert (winch.trust, winch.writer) == (Trust.CURATED, "user")
    assert winch.path.endswith("notes#1")
    assert memories["2"].tags == ("drum",)
    assert engine.get("1") == winch
    assert [engine.get(key) for key in ("3", "x", "", "1; DROP TABLE notes", "' OR '1'='1")] == [None] * 5
    engine.close()


@pytest.mark.parametrize("columns", [NOTES, WITHOUT_TIME], ids=["by time", "by digest"])
def test_what_its_own_program_changes_is_followed(columns: Columns, place: Place) -> None:
    engine = place.open(columns)
    mark = level_mark(engine)
    assert taken(engine, mark) == {}
    assert list(engine.changes(mark).gone) == []
    place.run(
        "UPDATE notes SET body = 'The winch takes 14 t.', changed = '2026-06-01 10:00:00' WHERE id = 1",
        "DELETE FROM notes WHERE id = 2",
        "INSERT INTO notes VALUES (3, 'The rope is old.', NULL, '2026-04-01 10:00:00', NULL)",
    )
    changes = engine.changes(mark)
    assert {memory.id: memory.text for memory in changes.changed} == {
        "1": "The winch takes 14 t.",
        "3": "The rope is old.",
    }
    assert list(changes.gone) == ["2"]
    assert taken(engine, level_mark(engine)) == {}
    engine.close()


def test_a_row_without_text_is_named_and_stops_nothing(place: Place) -> None:
    place.run("INSERT INTO notes VALUES (3, NULL, 'empty', '2026-05-03 10:00:00', NULL)")
    engine = place.open(NOTES)
    changes = engine.changes(Mark())
    assert {memory.id for memory in changes.changed} == {"1", "2"}
    assert [(one.name, one.reason) for one in changes.skipped] == [("3", "its text is null")]
    engine.close()


def test_a_view_is_read_like_a_table(place: Place) -> None:
    place.run("CREATE VIEW recent AS SELECT id, body FROM notes WHERE id > 1")
    engine = place.open(Columns(table="recent", id="id", text="body"))
    assert {memory.text for memory in taken(engine, Mark()).values()} == {"The drum is new."}
    engine.close()


def test_a_table_or_column_that_is_not_there_is_refused_with_those_that_are(place: Place) -> None:
    for columns, said in (
        (replace(NOTES, table="nots"), "notes"),
        (replace(NOTES, table="notes; DROP TABLE notes"), "notes"),
        (replace(NOTES, text="body FROM notes; --"), "body"),
        (replace(NOTES, id="1"), "id"),
    ):
        engine = place.open(columns)
        with pytest.raises(ConfigError) as refused:
            engine.changes(Mark())
        assert said in refused.value.hint
        assert not engine.health().usable
        engine.close()
    engine = place.open(NOTES)
    assert set(taken(engine, Mark())) == {"1", "2"}
    engine.close()


def test_names_with_every_sign_in_them_are_quoted(place: Place) -> None:
    sign = "`" if place.kind == "mysql" else '"'
    table, column = f"my {sign}no'tes; --", f"b{sign}ody\\"

    def quoted(name: str) -> str:
        return sign + name.replace(sign, sign * 2) + sign

    place.run(
        f"CREATE TABLE {quoted(table)} (id varchar(20), {quoted(column)} varchar(50))",
        f"INSERT INTO {quoted(table)} VALUES ('a''b', 'The rope is old.')",
    )
    engine = place.open(Columns(table=table, id="id", text=column))
    assert {key: memory.text for key, memory in taken(engine, Mark()).items()} == {"a'b": "The rope is old."}
    assert engine.get("a'b") is not None
    engine.close()


def test_a_table_that_is_dropped_is_a_fault_and_not_an_empty_store(place: Place) -> None:
    engine = place.open(NOTES)
    mark = level_mark(engine)
    place.run("DROP TABLE notes")
    with pytest.raises((EngineError, ConfigError)):
        engine.changes(mark)
    assert "notes" in engine.health().reason
    engine.close()


def test_nothing_is_ever_written(place: Place) -> None:
    engine = place.open(NOTES)
    for write in (lambda: engine.put(Memory(store="here", id="9", text="x")), lambda: engine.delete("1")):
        with pytest.raises(EngineUnavailable, match="read in place"):
            write()
    engine.close()


def test_a_table_that_agents_fill_is_generated(place: Place) -> None:
    engine = place.open(NOTES, generated=("**",))
    assert {(memory.trust, memory.writer) for memory in taken(engine, Mark()).values()} == {(Trust.GENERATED, "agent")}
    engine.close()


@pytest.mark.parametrize("mode", ["wal", "delete"])
@pytest.mark.parametrize("is_in_use", [True, False])
def test_reading_a_file_changes_no_byte_and_leaves_no_file(mode: str, is_in_use: bool, sqlite: Place) -> None:
    """Also where its own program has it open, with a transaction under way."""
    file = sqlite.location
    assert isinstance(file, Path)
    other = sqlite3.connect(file)
    other.execute(f"PRAGMA journal_mode = {mode}")
    other.execute("INSERT INTO notes VALUES (3, 'The rope is old.', '', '2026-05-03 10:00:00', '')")
    other.commit()
    if not is_in_use:
        other.close()
    before = tree(file.parent)
    for columns in (NOTES, WITHOUT_TIME):
        engine = sqlite.open(columns)
        assert set(taken(engine, Mark())) == {"1", "2", "3"}
        assert engine.health().usable
        engine.close()
    after = tree(file.parent)
    assert {path: state for path, state in after.items() if not path.endswith("-shm")} == {
        path: state for path, state in before.items() if not path.endswith("-shm")
    }
    assert set(after) == set(before)
    other.close()


def test_a_file_that_is_gone_or_no_database_is_told(sqlite: Place, tmp_path: Path) -> None:
    engine = sqlite.open(NOTES)
    mark = level_mark(engine)
    assert isinstance(sqlite.location, Path)
    sqlite.location.rename(tmp_path / "elsewhere.db")
    with pytest.raises(EngineUnavailable, match="is not there"):
        engine.changes(mark)
    assert not sqlite.location.exists()
    sqlite.location.write_bytes(b"no database at all" * 200)
    with pytest.raises(EngineUnavailable, match="no SQLite file"):
        engine.changes(mark)


@pytest.mark.server
def test_a_role_that_may_only_select_is_enough_and_its_url_is_never_shown(servers: Servers, tmp_path: Path) -> None:
    made = _postgres(tmp_path, servers)
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    name = f"reader_{running.database(str(tmp_path))}"
    running.cluster.sql("postgres", f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'")
    made.run("CREATE SCHEMA crm", TABLE.replace("notes", "crm.notes"), ROWS[0].replace("notes", "crm.notes"))
    made.run(f"GRANT USAGE ON SCHEMA crm TO {name}", f"GRANT SELECT ON crm.notes TO {name}")
    place = ServedAt(running.cluster.url(running.database(str(tmp_path)), name), "CRM_URL")
    engine = open_wrapped("postgres", place, EngineOptions(columns=replace(NOTES, table="crm.notes")), "crm")
    assert set(taken(engine, Mark())) == {"1"}
    assert PASSWORD not in repr(engine.health()) + repr(engine) + repr(taken(engine, Mark()))
    made.run(f"REVOKE SELECT ON crm.notes FROM {name}")
    with pytest.raises(EngineUnavailable, match="does not allow this role"):
        engine.changes(Mark())
    engine.close()


@pytest.mark.server
@pytest.mark.parametrize("kind", ["timestamptz", "timestamp", "date"])
def test_a_row_whose_time_has_no_end_has_no_time_and_silences_no_other(
    kind: str, servers: Servers, tmp_path: Path
) -> None:
    made = _postgres(tmp_path, servers)
    made.run(f"CREATE TABLE notes(id text, body text, changed {kind})")
    for at in ("infinity", "-infinity", "0044-03-15 BC", "20000-01-01", "2026-05-01"):
        made.run(f"INSERT INTO notes VALUES ('{at}', 'The rope is old.', '{at}')")
    engine = made.open(Columns(table="notes", id="id", text="body", time="changed"))
    times = {key: memory.time for key, memory in taken(engine, Mark()).items()}
    assert times.pop("2026-05-01") == datetime(2026, 5, 1, tzinfo=UTC)
    assert set(times.values()) == {None}
    assert len(times) == 4
    engine.close()


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        (datetime(2026, 5, 1, 10, tzinfo=UTC), datetime(2026, 5, 1, 10, tzinfo=UTC)),
        (datetime(2026, 5, 1, 10), datetime(2026, 5, 1, 10, tzinfo=UTC)),  # noqa: DTZ001 - what drivers give
        (date(2026, 5, 1), datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026-05-01 10:00:00", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        ("2026-05-01T12:00:00+02:00", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        (1777629600, datetime(2026, 5, 1, 10, tzinfo=UTC)),
        (1777629600000, datetime(2026, 5, 1, 10, tzinfo=UTC)),
        ("1777629600", datetime(2026, 5, 1, 10, tzinfo=UTC)),
        (1777629600.5, datetime(2026, 5, 1, 10, 0, 0, 500_000, tzinfo=UTC)),
        (None, None),
        ("", None),
        ("soon", None),
        (True, None),
        (1e300, None),
        (b"\xff", None),
    ],
)
def test_times_of_every_kind_are_understood(value: object, moment: datetime | None) -> None:
    assert time_of(value) == moment


# Instruction files.


def test_instruction_files_are_the_users_and_agents_notes_are_generated(tmp_path: Path) -> None:
    texts = {
        "CLAUDE.md": "Run the tests before a commit.",
        "app/AGENTS.md": "Use tabs.",
        "app/README.md": "Not for agents.",
        "memory/MEMORY.md": "- likes short answers",
        "memory/topics.md": "The user sails.",
        "app/.hidden/CLAUDE.md": "hidden",
        "app/claude.txt": "no Markdown",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    before = tree(tmp_path)
    engine = open_wrapped("instructions", tmp_path, EngineOptions(), "agents")
    assert {key: memory.trust.value for key, memory in taken(engine, Mark()).items()} == {
        "CLAUDE.md": "curated",
        "app/AGENTS.md": "curated",
        "memory/MEMORY.md": "generated",
        "memory/topics.md": "generated",
    }
    assert engine.get("app/README.md") is None
    assert tree(tmp_path) == before


def test_a_folder_that_is_an_agents_memory_is_taken_whole(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- likes short answers")
    (tmp_path / "debugging.md").write_text("The cache is stale after a rebase.")
    engine = open_wrapped("instructions", tmp_path, EngineOptions(), "agents")
    assert {(key, memory.trust) for key, memory in taken(engine, Mark()).items()} == {
        ("MEMORY.md", Trust.GENERATED),
        ("debugging.md", Trust.GENERATED),
    }


# The file of the reference memory server.


def lines(*facts: object) -> str:
    return "".join(json.dumps(fact) + "\n" for fact in facts)


MADS = {"type": "entity", "name": "Mads", "entityType": "person", "observations": ["works at the ferry", "likes tea"]}
WORKS = {"type": "relation", "from": "Mads", "to": "Ferry", "relationType": "works at"}


def test_an_entity_is_a_memory_with_what_was_observed_and_what_it_is_to_others(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(lines(MADS, WORKS) + "\nnot json\n[1]\n" + lines({"type": "entity", "name": 3}))
    engine = open_wrapped("jsonl", file, EngineOptions(), "graph")
    changes = engine.changes(Mark())
    (mads,) = changes.changed
    assert mads.text == "works at the ferry\n\nlikes tea\n\nMads works at Ferry."
    assert (mads.id, mads.title, mads.tags, mads.trust) == ("Mads", "Mads", ("person",), Trust.GENERATED)
    assert [one.name for one in changes.skipped] == ["line 4", "line 5", "line 6"]
    assert engine.get("Mads") == mads
    assert engine.get("Ferry") is None


def test_what_the_memory_server_writes_is_followed(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(lines(MADS, {**MADS, "name": "Ida"}))
    engine = open_wrapped("jsonl", file, EngineOptions(), "graph")
    mark = level_mark(engine)
    os.utime(file, (1, 1))
    assert taken(engine, mark) == {}
    file.write_text(lines({**MADS, "observations": ["left the ferry"]}))
    changes = engine.changes(mark)
    assert [memory.text for memory in changes.changed] == ["left the ferry"]
    assert list(changes.gone) == ["Ida"]
    file.unlink()
    with pytest.raises(EngineUnavailable, match="cannot be read"):
        engine.changes(mark)


@pytest.mark.parametrize("name", ["\ud800", "a\0b", "it's; DROP", "汉字"])
def test_hostile_names_and_texts_become_legal_memories(name: str, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(lines({**MADS, "name": name, "observations": [name]}))
    engine = open_wrapped("jsonl", file, EngineOptions(), "graph")
    (memory,) = engine.changes(Mark()).changed
    assert "\0" not in memory.id + memory.text
    (memory.id + memory.text).encode()


def test_every_wrapper_can_be_opened() -> None:
    assert set(WRAPPERS) == {"vault", "instructions", "jsonl", *KINDS}
