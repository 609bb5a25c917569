"""The `mysql` engine alone, against a real MariaDB: other hands, rights, sizes, TLS (`test_served.py` has the rest)."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mmind.stores.registry import EngineOptions, open_engine_row, open_wrapped
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.ports import Engine, Mark
from mmind.values.wrapped import Columns
from tests.servers import Servers
from tests.servers.certificates import certificates
from tests.servers.mysql import PASSWORD, Mariadb, start_mariadb
from tests.stores.contract.rows import WINCH, bare, level_mark, note, taken
from tests.stores.processes import running

pytestmark = pytest.mark.server

Open = Callable[..., Engine]


@pytest.fixture
def mariadb(servers: Servers) -> Mariadb:
    found = servers.get("mysql")
    if not isinstance(found, Mariadb):
        pytest.skip("a server of somebody else's is not stopped and changed: unset MMIND_TEST_MYSQL_URL")
    return found


@pytest.fixture
def key(tmp_path: Path) -> str:
    """What names this test's database."""
    return str(tmp_path)


@pytest.fixture
def opened(mariadb: Mariadb, key: str) -> Iterator[Open]:
    """Opens engines over this test's database, or over another address; closes them after the test."""
    engines: list[Engine] = []

    def open_one(url: str = "", store: str = "here") -> Engine:
        place = ServedAt(url or mariadb.url(key), "MMIND_MYSQL_URL")
        engines.append(open_engine_row("mysql", place, EngineOptions(), store=store))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@contextmanager
def setting(server: Mariadb, name: str, value: object, usual: object) -> Iterator[None]:
    """A global setting of the server, as long as the block lasts."""
    server.execute(f"SET GLOBAL {name} = {value}")
    try:
        yield
    finally:
        server.execute(f"SET GLOBAL {name} = {usual}")


def test_what_another_program_adds_edits_and_removes_is_seen(opened: Open, mariadb: Mariadb, key: str) -> None:
    engine = opened()
    for name in ("winch", "drum", "rope"):
        engine.put(note(name, f"The {name} is old."))
    mark = level_mark(engine)
    database = mariadb.database(key)
    mariadb.execute("UPDATE mmind_memories SET text = 'The winch is new.' WHERE id = 'winch'", database=database)
    mariadb.execute("DELETE FROM mmind_memories WHERE id = 'drum'", database=database)
    mariadb.execute("INSERT INTO mmind_memories(store, id, text) VALUES ('here', 'mast', 'Tall.')", database=database)
    changes = engine.changes(mark)
    assert {memory.id: memory.text for memory in changes.changed} == {"winch": "The winch is new.", "mast": "Tall."}
    assert list(changes.gone) == ["drum"]
    again = level_mark(engine)
    assert taken(engine, again) == {}
    engine.put(note("mast", "Short."))
    assert [memory.text for memory in engine.changes(again).changed] == ["Short."]


def test_rows_that_another_program_laid_down_are_memories(opened: Open, mariadb: Mariadb, key: str) -> None:
    """A database without a single write of ours in it, but with our tables."""
    engine = opened()
    engine.put(WINCH)
    database = mariadb.database(key)
    for table in ("mmind_stores", "mmind_memories"):
        mariadb.execute(f"DELETE FROM {table}", database=database)
    statement = "INSERT INTO mmind_memories(store, id, text, tags) VALUES ('here', 'a', 'By hand.', 'one, two')"
    mariadb.execute(statement, database=database)
    other = opened()
    assert [(memory.text, memory.tags) for memory in other.changes(Mark()).changed] == [("By hand.", ("one", "two"))]
    assert taken(other, level_mark(other)) == {}


def test_a_backup_that_was_put_back_and_written_to_is_noticed(opened: Open, mariadb: Mariadb, key: str) -> None:
    """The index knows revisions that the database never had, under numbers that were given out anew."""
    engine = opened()
    engine.put(note("kept", "in the backup"))
    database = mariadb.database(key)
    tables = ("mmind_stores", "mmind_memories", "mmind_gone")
    for table in tables:
        mariadb.execute(f"CREATE TABLE old_{table} AS SELECT * FROM {table}", database=database)
    engine.put(note("lost", "after the backup"))
    mark = level_mark(engine)
    for table in tables:
        mariadb.execute(f"DELETE FROM {table}", database=database)
        mariadb.execute(f"INSERT INTO {table} SELECT * FROM old_{table}", database=database)
    for number in range(3):
        engine.put(note(f"new {number}", "after the restore"))
    changes = engine.changes(mark)
    assert {memory.id for memory in changes.changed} == {"new 0", "new 1", "new 2"}
    assert list(changes.gone) == ["lost"]


def test_ids_that_collations_take_for_equal_are_different_memories(opened: Open) -> None:
    engine = opened()
    names = ["a", "A", "a ", "á", "ａ", "ß", "ss", "", "\t"]
    for name in filter(None, names):
        engine.put(note(name, f"<{name}>"))
    assert {name: memory.text for name, memory in taken(engine, Mark()).items()} == {n: f"<{n}>" for n in names if n}


def test_what_is_too_large_for_the_server_is_refused_in_one_line(opened: Open) -> None:
    engine = opened()
    engine.put(WINCH)
    with pytest.raises(EngineUnavailable, match=r"max_allowed_packet|lost|closed|stopped") as refused:
        engine.put(replace(WINCH, text="x" * 40_000_000))
    assert "\n" not in str(refused.value)
    with pytest.raises(EngineUnavailable, match="ids of 1 to 2048 bytes"):
        engine.put(replace(WINCH, id="x" * 3000))
    assert engine.get("x" * 3000) is None
    assert [bare(kept) for kept in [engine.get("winch")] if kept] == [WINCH]


def test_a_user_who_may_only_read_can_read_and_is_told_what_writing_needs(
    opened: Open, mariadb: Mariadb, key: str
) -> None:
    opened().put(WINCH)
    database = mariadb.database(key)
    mariadb.execute(f"CREATE USER {database}@'127.0.0.1' IDENTIFIED BY 'reader'")
    mariadb.execute(f"GRANT SELECT ON {database}.* TO {database}@'127.0.0.1'")
    reader = opened(f"mysql://{database}:reader@127.0.0.1:{mariadb.port}/{database}")
    assert list(taken(reader, Mark())) == ["winch"]
    with pytest.raises(
        EngineUnavailable, match=f"SELECT, INSERT, UPDATE, DELETE and CREATE on the database {database}"
    ):
        reader.put(WINCH)


def test_a_read_only_server_answers_and_refuses_writes_with_the_way_out(opened: Open, mariadb: Mariadb) -> None:
    engine = opened()
    engine.put(WINCH)
    with setting(mariadb, "read_only", 1, 0):
        assert engine.get("winch")
        with pytest.raises(EngineUnavailable, match="is read-only now; write to the primary"):
            engine.put(WINCH)
    engine.put(WINCH)


def test_a_server_that_may_lose_the_last_second_is_told_of(opened: Open, mariadb: Mariadb) -> None:
    engine = opened()
    engine.put(WINCH)
    assert engine.health().notes == ()
    with setting(mariadb, "innodb_flush_log_at_trx_commit", 2, 1):
        assert "may lose the last second" in engine.health().notes[0]


def test_a_client_that_dies_in_the_middle_of_making_the_tables_is_finished_by_the_next(
    opened: Open, mariadb: Mariadb, key: str
) -> None:
    mariadb.execute("CREATE TABLE mmind_schema(version INT NOT NULL PRIMARY KEY)", database=mariadb.database(key))
    engine = opened()
    assert engine.get("winch") is None
    engine.put(WINCH)
    assert list(taken(engine, Mark())) == ["winch"]


_HOLD_THE_LOCK = """
import sys, pymysql
connection = pymysql.connect(unix_socket=sys.argv[1], user="root", database=sys.argv[2])
connection.cursor().execute("SELECT * FROM mmind_stores FOR UPDATE")
print("up", flush=True)
sys.stdin.readline()
"""


def test_a_writer_that_is_killed_with_the_lock_in_its_hand_stops_nobody(
    opened: Open, mariadb: Mariadb, key: str
) -> None:
    engine = opened()
    engine.put(WINCH)
    with running(_HOLD_THE_LOCK, mariadb.socket, mariadb.database(key)) as holder, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(engine.put, note("drum", "The drum is new."))
        holder.kill()
        assert waiting.result().id == "drum"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda url: url.replace("mmind:", "mmind:wrong"), "refused the login; correct the user"),
        (lambda url: url.replace("/t", "/no_such_"), "refused the use of this database|has no such database"),
        (lambda url: url.replace("mysql://mmind", "mysql://nobody"), "refused the login"),
    ],
)
def test_a_login_that_fails_is_told_in_one_line_without_user_and_password(
    change: Callable[[str], str], message: str, opened: Open, mariadb: Mariadb, key: str
) -> None:
    engine = opened(change(mariadb.url(key)))
    with pytest.raises(EngineUnavailable, match=message) as refused:
        engine.get("winch")
    told = "".join(traceback.format_exception(refused.value))
    assert PASSWORD not in told
    assert "p%40ss" not in told
    assert "nobody" not in str(refused.value)
    assert engine.health().hint


def test_a_server_is_reached_by_its_socket_and_by_the_other_scheme(opened: Open, mariadb: Mariadb, key: str) -> None:
    opened().put(WINCH)
    database = mariadb.database(key)
    for url in (
        f"mysql://root@localhost/{database}?unix_socket={mariadb.socket}",
        mariadb.url(key).replace("mysql://", "mariadb://"),
    ):
        assert opened(url).get("winch") is not None


def test_tls_is_used_as_the_address_says(mariadb: Mariadb, tmp_path: Path) -> None:
    files = certificates(tmp_path)
    more = (f"--ssl-ca={files.authority}", f"--ssl-cert={files.certificate}", f"--ssl-key={files.key}")
    server = start_mariadb(tmp_path, more)
    try:
        server.execute("ALTER USER mmind@'127.0.0.1' REQUIRE SSL")
        url = server.url("tls")

        def ask(options: str) -> Any:
            engine = open_engine_row("mysql", ServedAt(url + options), store="here")
            try:
                return engine.health()
            finally:
                engine.close()

        assert ask("").usable
        assert ask("?ssl-mode=required").usable
        assert ask(f"?ssl-ca={files.authority}").usable
        assert ask(f"?ssl-mode=verify-identity&ssl-ca={files.authority}").usable
        assert not ask("?ssl-mode=disabled").usable
        assert not ask(f"?ssl-ca={files.certificate}").usable  # not the authority that signed it
    finally:
        server.stop()


def test_errors_are_of_the_kinds_that_the_router_knows(opened: Open, mariadb: Mariadb, key: str) -> None:
    """Tables that somebody changed by hand are damage, and told so."""
    engine = opened()
    engine.put(WINCH)
    mariadb.execute("ALTER TABLE mmind_memories DROP COLUMN writer", database=mariadb.database(key))
    with pytest.raises(EngineError, match="other columns than mmind made") as damaged:
        engine.get("winch")
    assert type(damaged.value).__name__ == "EngineDamaged"


def test_a_wrapped_table_may_have_any_name_and_its_faults_name_its_own_variable(mariadb: Mariadb, key: str) -> None:
    database = mariadb.database(key)
    mariadb.execute("CREATE TABLE `a%s``b` (`i%d` INT PRIMARY KEY, `te``%(x)s` TEXT)", database=database)
    mariadb.execute("INSERT INTO `a%s``b` VALUES (1, 'The winch.')", database=database)
    options = EngineOptions(columns=Columns(table="a%s`b", id="i%d", text="te`%(x)s"))
    engine = open_wrapped("mysql", ServedAt(mariadb.url(key), "CRM_URL"), options, "crm")
    assert [memory.text for memory in engine.changes(Mark()).changed] == ["The winch."]
    assert [kept.text for kept in [engine.get("1")] if kept] == ["The winch."]
    refused = open_wrapped("mysql", ServedAt("mysql://mads@127.0.0.1:1/db", "CRM_URL"), options, "crm").health()
    assert "CRM_URL" in refused.hint
