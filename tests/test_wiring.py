"""Settings to Mind: where served engines and wrapped sources find their place."""

from __future__ import annotations

import json
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mmind.config.settings import Settings, load
from mmind.config.table import KNOBS, Knob
from mmind.router.levels import Levels
from mmind.router.retrieve import World
from mmind.values.ports import SelfSearching
from mmind.wiring import log_policy, open_mind, open_world
from tests.index.build import NOON
from tests.wrapped import TICKETS

OpenWorld = Callable[[dict[str, str]], World]


@pytest.fixture
def settings(tmp_path: Path) -> Callable[..., Settings]:
    def made(**variables: str) -> Settings:
        return load({"MMIND_HOME": str(tmp_path / "home"), "MMIND_EMBED_MODEL": "none", **variables}, None)

    return made


@pytest.fixture
def world(settings: Callable[..., Settings]) -> Iterator[OpenWorld]:
    """Opens the world of some variables; closes it after the test."""
    opened: list[World] = []

    def open_one(variables: dict[str, str]) -> World:
        opened.append(open_world(settings(**variables), lambda: NOON))
        return opened[-1]

    yield open_one
    for one in opened:
        one.indexer.close()
        one.fan_out.close()
        for store in one.stores.values():
            if store.engine is not None:
                store.engine.close()


@pytest.mark.parametrize(
    ("slot", "engine", "store", "variable"),
    [
        ("STRUCTURED", "postgres", "sqlite", "MMIND_POSTGRES_URL"),
        ("STRUCTURED", "mysql", "sqlite", "MMIND_MYSQL_URL"),
        ("VECTOR", "pgvector", "vector", "MMIND_POSTGRES_URL"),
        ("VECTOR", "qdrant", "vector", "MMIND_QDRANT_URL"),
        ("SESSION", "redis", "leveldb", "MMIND_REDIS_URL"),
    ],
)
def test_a_served_store_without_a_url_says_which_variable_to_set_and_stops_nobody(
    slot: str, engine: str, store: str, variable: str, world: OpenWorld
) -> None:
    opened = world({f"MMIND_BACKEND_{slot}": engine})
    assert opened.stores[store].fault == f"the {engine} engine has no server"
    assert opened.stores[store].hint == f"set {variable} in the environment"
    assert opened.stores["files"].engine is not None


def test_an_engine_that_searches_for_itself_is_its_own_searcher_and_corpus(world: OpenWorld) -> None:
    url = "postgresql://mads:hunter2@127.0.0.1:1/notes"
    opened = world({"MMIND_BACKEND_STRUCTURED": "postgres", "MMIND_POSTGRES_URL": url})
    engine = opened.stores["sqlite"].engine
    assert isinstance(engine, SelfSearching)
    assert opened.stores["sqlite"].searcher is engine
    assert engine in opened.corpora
    assert len(opened.corpora) == 2
    assert isinstance(opened.indexer, Levels)
    assert set(opened.indexer.freshness()) == {"sqlite", "leveldb", "files", "vector"}
    assert "hunter2" not in repr(opened)


@pytest.fixture
def unused_port() -> Iterator[socket.socket]:
    """A port where nobody listens, held so that nobody else does meanwhile."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield unused


def test_a_server_that_is_away_is_named_and_the_others_answer(tmp_path: Path, unused_port: socket.socket) -> None:
    port = unused_port.getsockname()[1]
    environ = {
        "MMIND_HOME": str(tmp_path),
        "MMIND_EMBED_MODEL": "none",
        "MMIND_BACKEND_STRUCTURED": "postgres",
        "MMIND_BACKEND_VECTOR": "pgvector",
        "MMIND_POSTGRES_URL": f"postgresql://mads:hunter2@127.0.0.1:{port}/notes",
    }
    with open_mind(None, environ) as mind:
        mind.store("The ferry winch takes 12 t.", store="files")
        bundle = mind.retrieve("ferry winch")
        status = mind.sources()
    assert [result.evidence[0].store for result in bundle.results] == ["files"]
    silent = {fault.store: fault.reason for fault in bundle.faults}
    assert {store for store, reason in silent.items() if "connection refused" in reason} == {"sqlite", "vector"}
    assert "hunter2" not in repr(bundle) + repr(status)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"hunter2" in path.read_bytes()]


def _tickets(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text(TICKETS)
    with sqlite3.connect(home / "tickets.db") as connection:
        connection.execute("CREATE TABLE tickets(id integer, body text)")
        connection.execute("INSERT INTO tickets VALUES (7, 'The crane is out of order.')")
    connection.close()


def test_a_wrapped_source_is_a_store_like_the_others(world: OpenWorld, tmp_path: Path) -> None:
    _tickets(tmp_path / "home")
    opened = world({})
    assert list(opened.stores)[-1] == "tickets"
    opened.indexer.complete(lambda _: None, False)
    assert opened.indexer.freshness()["tickets"].entries == 1


@pytest.mark.parametrize("knob", [knob for knob in KNOBS if knob.secret], ids=lambda knob: knob.name)
def test_the_audit_log_masks_every_setting_that_is_a_secret(settings: Callable[..., Settings], knob: Knob) -> None:
    secret = f"{knob.choices[0]}://mads:hunter2@db/notes" if knob.choices else "hunter2-" * 8
    policy = log_policy(settings(**{knob.env: secret}))
    assert secret not in policy.redacted(f"the server said: {secret}")


def test_the_audit_log_masks_the_url_of_a_wrapped_server(settings: Callable[..., Settings], tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    source = TICKETS.replace('"sqlite"', '"postgres"').replace('path = "tickets.db"', 'url_env = "TEAM_URL"')
    (tmp_path / "home" / "config.toml").write_text(source)
    url = "postgresql://mads:hunter2@db/notes"
    policy = log_policy(settings(TEAM_URL=url))
    assert "hunter2" not in policy.redacted(f"connect to {url} now")
    assert "hunter2" not in repr(settings(TEAM_URL=url))


def test_the_index_is_brought_level_also_where_nobody_asks_how_far_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("the winch", encoding="utf-8")
    with open_mind(tmp_path / "notes", {"MMIND_HOME": str(tmp_path / "home"), "MMIND_EMBED_MODEL": "none"}) as mind:
        mind.index()
        assert [store.entries for store in mind.sources().stores if store.name == "markdown"] == [1]
        mind.index(rebuild=True)
        assert [result.title for result in mind.retrieve("winch").results] == ["a"]


def test_what_contradicts_a_memory_that_was_stored_is_told_and_what_does_not_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("The gateway timeout is 30 seconds.", encoding="utf-8")
    with open_mind(tmp_path / "notes", {"MMIND_HOME": str(tmp_path / "home"), "MMIND_EMBED_MODEL": "none"}) as mind:
        mind.index()  # while the first scan goes on nothing is compared
        stored = mind.store("The gateway timeout is 60 seconds.")
        (conflict,) = mind.compared(stored).conflicts
        assert set(conflict.ids) == {stored.memory.handle, "markdown:a.md"}
        assert conflict.trusted == "markdown:a.md"
        assert mind.compared(mind.store("Anna likes the sea.")).conflicts == ()
    log = [json.loads(line) for line in (tmp_path / "home" / "audit" / "audit.jsonl").read_text().splitlines()]
    assert [event["ids"] for event in log if event["event"] == "read"] == [["markdown:a.md"]]
