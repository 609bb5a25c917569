"""What every engine in another program promises beyond the contract: restarts, crashes, many writers, wrong addresses.

Against real servers, but for Qdrant where none is named: there it is qdrant-client's local mode behind HTTP. What one
engine alone promises stands in its own file; Postgres, which searches too, has all of its tests there.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.errors import ConfigError, EngineUnavailable
from mmind.values.ports import Engine, Mark
from tests.servers import Servers
from tests.servers.programs import wait_a_moment
from tests.servers.silent import silent_server
from tests.stores.contract.rows import WINCH, bare, level_mark, note, taken
from tests.stores.processes import python

Open = Callable[..., Engine]


@dataclass(frozen=True)
class Row:
    """One server: which engine it serves, and where the servers differ.

    `other` is a store's name that a careless engine takes for `here`; `raise_schema` makes what is kept for a key look
    as if a newer version had made it. Where `keeps_all`, an acknowledged write outlives a crash.
    """

    engine: str
    away: str
    other: str
    writers: int
    keeps_all: bool
    raise_schema: Callable[[Any, str], object]


def _newer_mysql(server: Any, key: str) -> None:
    server.execute("INSERT INTO mmind_schema VALUES (99)", database=server.database(key))


def _newer_redis(server: Any, key: str) -> None:
    with server.client(key) as client:
        client.hset("mmind:{here}:head", "schema", 99)


def _newer_qdrant(server: Any, key: str) -> None:
    from qdrant_client import models

    is_ours = models.FieldCondition(key="kind", match=models.MatchValue(value="mmind"))
    with closing(server.client()) as client:
        client.set_payload(f"{server.prefix(key)}here", {"schema": 99}, models.Filter(must=[is_ours]))


GONE = "cannot be reached"
ROWS = {
    "mysql": Row("mysql", rf"{GONE}|stopped answering|closed the connection", "here ", 8, True, _newer_mysql),
    "redis": Row("redis", GONE, "here}:memory", 8, True, _newer_redis),  # syncs each write: appendfsync always
    "redis8": Row("redis", GONE, "here}:memory", 8, True, _newer_redis),
    "qdrant": Row("qdrant", GONE, "there", 4, False, _newer_qdrant),
}
SERVED = [pytest.param(name, marks=pytest.mark.server) for name in ROWS]


@pytest.fixture
def row(name: str) -> Row:
    return ROWS[name]


@pytest.fixture
def server(name: str, servers: Servers) -> Any:
    return servers.get(name)


@pytest.fixture
def own(server: Any) -> Any:
    """A server that the test may stop and change."""
    if not hasattr(server, "process"):
        pytest.skip("a server of somebody else's is not stopped and changed: unset MMIND_TEST_*_URL")
    return server


@pytest.fixture
def key(tmp_path: Path) -> str:
    """What names this test's place in the server."""
    return str(tmp_path)


@pytest.fixture
def opened(row: Row, server: Any, key: str) -> Iterator[Open]:
    """Opens engines over this test's place; closes them after the test."""
    engines: list[Engine] = []

    def open_one(store: str = "here") -> Engine:
        place = ServedAt(server.url(key), f"MMIND_{row.engine.upper()}_URL")
        engines.append(open_engine_row(row.engine, place, EngineOptions(), store=store))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@pytest.mark.parametrize("name", SERVED)
def test_a_server_that_was_restarted_is_used_again_by_the_same_engine(row: Row, own: Any, opened: Open) -> None:
    engine = opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    own.process.stop()
    try:
        for ask in (lambda: engine.get("winch"), lambda: engine.put(WINCH), lambda: engine.changes(mark)):
            with pytest.raises(EngineUnavailable, match=row.away):
                ask()
        assert engine.health().usable is False
    finally:
        own.process.start()
    while not engine.health().usable:
        wait_a_moment()
    engine.put(note("drum", "The drum is new."))
    assert list(taken(engine, mark)) == ["drum"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.server) for name, row in ROWS.items() if row.keeps_all]
)
def test_what_was_acknowledged_outlives_a_crash_of_a_server_that_syncs_each_write(own: Any, opened: Open) -> None:
    """E5: the write is on the disk before `put` returns."""
    engine = opened()
    for number in range(30):
        engine.put(note(str(number), f"acknowledged {number}"))
    own.process.kill()
    own.process.start()
    other = opened()
    while not other.health().usable:
        wait_a_moment()
    assert set(taken(other, Mark())) == {str(number) for number in range(30)}


@pytest.mark.parametrize("name", SERVED)
def test_a_reader_that_follows_many_writers_misses_no_change(row: Row, opened: Open) -> None:
    """A mark never runs ahead of a write that is still under way."""
    engine = opened()
    engine.put(note("first", "makes the tables"))
    seen: dict[str, str] = {}
    done = threading.Event()

    def write(thread: int) -> None:
        for number in range(9):
            engine.put(note(f"{thread}-{number}", f"{thread} said {number}"))
            if number % 3 == 2:
                engine.delete(f"{thread}-{number - 1}")

    def follow() -> None:
        mark, is_last = Mark(), False
        while not is_last:
            is_last = done.is_set()
            changes = engine.changes(mark)
            seen.update({memory.id: memory.fingerprint for memory in changes.changed})
            for gone in changes.gone:
                del seen[gone]
            mark = Mark(changes.cursor, dict(seen))

    with ThreadPoolExecutor(row.writers + 1) as threads:
        following = threads.submit(follow)
        list(threads.map(write, range(row.writers)))
        done.set()
        following.result()
    assert set(seen) == set(taken(engine, Mark()))
    assert len(seen) == 1 + row.writers * 6


@pytest.mark.parametrize("name", [row for row in SERVED if row.values != ("qdrant",)])
def test_many_that_were_written_elsewhere_are_handed_out_before_all_are_compared(
    row: Row, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"mmind.stores.{row.engine}._COMPARED", 4)
    engine = opened()
    engine.put(note("first", "makes the tables"))
    mark = level_mark(engine)
    known = {memory.id: memory.fingerprint for memory in (engine.put(note(f"k{one}", "known")) for one in range(3))}
    for one in range(3):
        engine.put(note(f"n{one}", "new"))
    engine.delete("first")
    changes = engine.changes(Mark(mark.cursor, {**mark.fingerprints, **known}))
    assert (changes.total, list(changes.gone)) == (6, ["first"])
    assert sorted(memory.id for memory in changes.changed) == ["n0", "n1", "n2"]
    assert taken(engine, Mark(changes.cursor, known)) == {}


@pytest.mark.parametrize("name", SERVED)
def test_two_stores_in_one_place_do_not_mix(row: Row, opened: Open) -> None:
    ours, theirs = opened(), opened(row.other)
    ours.put(WINCH)
    theirs.put(replace(WINCH, store=row.other, text="Another winch."))
    assert [memory.text for memory in ours.changes(Mark()).changed] == [WINCH.text]
    assert theirs.delete("winch") is True
    assert ours.get("winch") is not None
    assert (ours.health().entries, theirs.health().entries) == (1, 0)


@pytest.mark.parametrize("name", SERVED)
def test_a_megabyte_of_hostile_text_comes_back(opened: Open) -> None:
    """E8: letters of four bytes, escapes and line ends, whatever the server's defaults."""
    memory = replace(
        WINCH,
        id="*?[a]\r\n",
        text="🚀'\"\\%s\r\n$-1\n\x01" * 90_000,
        title="⚓️" * 1000,
        tags=("';--", "🚀"),
        writer='"',
        session="\\",
    )
    engine = opened()
    engine.put(memory)
    assert [bare(kept) for kept in [engine.get(memory.id)] if kept] == [memory]


@pytest.mark.parametrize("name", SERVED)
def test_what_a_newer_version_made_is_refused_and_left_alone(row: Row, server: Any, key: str, opened: Open) -> None:
    opened().put(WINCH)
    row.raise_schema(server, key)
    later = opened()
    for ask in (lambda: later.put(WINCH), lambda: later.delete("winch"), lambda: later.changes(Mark())):
        with pytest.raises(EngineUnavailable, match=r"newer version of mmind.*update mmind"):
            ask()


ADDRESSES = [
    ("mysql", "mysql://mads@nowhere", "names no database"),
    ("mysql", "mysql://mads:hush-hush@nowhere:port/db", "is no address"),
    ("mysql", "mysql://mads:hush-hush@nowhere/db?ssl_mod=required", "an option that is not known here: ssl_mod"),
    ("mysql", "mysql://mads:hush-hush@nowhere/db?ssl-mode=perhaps", "is not known: perhaps"),
    ("redis", "redis://:hush-hush@nowhere:port/0", "is no address"),
    ("redis", "redis://:hush-hush@nowhere/0?socket_timeuot=3", "an option that is not known here: socket_timeuot"),
    ("redis", "redis://:hush-hush@nowhere/0?expire_days=soon", "is no number of days"),
    ("redis", "redis://:hush-hush@nowhere/0?expire_days=-1", "is no number of days"),
    ("redis", "redis://:hush-hush@nowhere/0?db=one", "is no address"),
    ("qdrant", "http://hush-hush@nowhere:port", "is no address"),
    ("qdrant", "http://hush-hush@nowhere?colection_prefix=a", "an option that is not known here: colection_prefix"),
    ("qdrant", "http://hush-hush@nowhere?collection_prefix=../a", "cannot be the name of a Qdrant collection"),
    ("qdrant", "http://hush-hüsh@nowhere", "letters that HTTP does not carry"),
]


@pytest.mark.parametrize(("engine", "url", "message"), ADDRESSES)
def test_an_address_that_makes_no_sense_is_refused_without_its_password(engine: str, url: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as refused:
        open_engine_row(engine, ServedAt(url, f"MMIND_{engine.upper()}_URL"))
    assert refused.value.hint
    assert "hush-h" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize(
    ("engine", "url", "limit", "seconds"),
    [
        ("mysql", "mysql://mads@127.0.0.1:{port}/db", "mmind.stores.mysql_login.CONNECT_SECONDS", 0.2),
        ("redis", "redis://127.0.0.1:{port}/0", "mmind.stores.redis_server.ANSWER_SECONDS", 0.2),
        ("qdrant", "http://127.0.0.1:{port}", "mmind.stores.qdrant_server.ANSWER_SECONDS", 1),
    ],
    ids=["mysql", "redis", "qdrant"],
)
def test_nobody_there_and_nobody_answering_are_faults_and_no_hangs(
    engine: str, url: str, limit: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limit, seconds)
    with silent_server() as silent:
        for port in (silent, 1):
            opened = open_engine_row(engine, ServedAt(url.format(port=port)))
            with pytest.raises(EngineUnavailable, match=r"cannot be reached|stopped answering|did not answer in time"):
                opened.put(WINCH)
            assert opened.health().reason
            opened.close()


# As on a machine where the driver was never installed: neither found nor imported.
_WITHOUT_THE_DRIVER = """
import importlib.util, sys
driver, engine, url = sys.argv[1:]
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == driver else find(name, package)
sys.modules[driver] = None
from mmind.stores.registry import open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineUnavailable
try:
    open_engine_row(engine, ServedAt(url))
except EngineUnavailable as fault:
    print(fault)
"""


@pytest.mark.parametrize(
    ("engine", "driver", "url", "named"),
    [
        ("mysql", "pymysql", "mysql://nowhere/db", "pymysql"),
        ("redis", "redis", "redis://nowhere/0", "redis"),
        ("qdrant", "qdrant_client", "http://nowhere", "qdrant-client"),
    ],
    ids=["mysql", "redis", "qdrant"],
)
def test_without_its_driver_it_says_what_to_install(engine: str, driver: str, url: str, named: str) -> None:
    told = python(_WITHOUT_THE_DRIVER, driver, engine, url)
    assert f"needs {driver}, which is not installed" in told
    assert f'pip install --upgrade "{named}' in told
