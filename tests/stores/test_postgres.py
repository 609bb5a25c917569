"""What Postgres alone promises: restarts, silence, rights, the extension, vectors made later; on real servers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from mmind.embedding import backfill
from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.embedding.multilingual import MultilingualEmbedder
from mmind.stores.postgres import (
    backlog,
    near_index,
    nearest,
    open_engine,
    rows,
    search,
    spelling,
    terms,
    vectors,
    writing,
)
from mmind.stores.postgres.engine import PostgresEngine
from mmind.stores.postgres.schema import LOCK, STEPS
from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.text.prepared import prepare
from mmind.values.errors import EngineDamaged, EngineError, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Embedder, Mark, Progress
from tests.index.build import WordVectors, asked
from tests.servers import Servers
from tests.servers.postgres import PASSWORD, Cluster, PostgresPlaces
from tests.stores.processes import putters

pytestmark = pytest.mark.server

LONG = "\n\n".join(f"Paragraph {n} says that the winch took {n} t of rope. " * 12 for n in range(1, 12))

Opened = Callable[..., PostgresEngine]


@pytest.fixture
def places(servers: Servers) -> PostgresPlaces:
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    return running


@pytest.fixture
def plain(servers: Servers) -> PostgresPlaces:
    running = servers.get("postgres_plain")
    assert isinstance(running, PostgresPlaces)
    return running


@pytest.fixture
def at() -> Iterator[Opened]:
    """Opens the engine at a URL, with an embedder or without; closes it after the test."""
    opened: list[PostgresEngine] = []

    def open_one(url: str, model: Embedder | None = None, store: str = "here") -> PostgresEngine:
        opened.append(open_engine(store, ServedAt(url, "MMIND_POSTGRES_URL"), EngineOptions(embedder=model)))
        return opened[-1]

    yield open_one
    for engine in opened:
        engine.close()


def note(id: str, text: str) -> Memory:
    return Memory(store="here", id=id, text=text)


def found(engine: PostgresEngine, text: str, model: WordVectors | None = None, **bounds: object) -> list[str]:
    return list(dict.fromkeys(hit.memory.id for hit in engine.search(asked(text, model, **bounds), 60)))


# The server goes, and comes back.


def test_a_restart_of_the_server_is_survived_without_a_word(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    places.cluster.stop("immediate")
    with pytest.raises(EngineUnavailable, match="connection refused") as gone:
        engine.search(asked("winch"), 10)
    assert "MMIND_POSTGRES_URL" in gone.value.hint
    assert not engine.health().usable
    places.cluster.start()
    assert found(engine, "winch") == ["winch"]
    engine.put(note("drum", "The drum is new."))
    places.cluster.stop()
    places.cluster.start()
    engine.put(note("rope", "The rope is old."))
    assert found(engine, "drum rope") == ["drum", "rope"]


@contextmanager
def frozen(cluster: Cluster) -> Iterator[None]:
    """Every process of the server stands still: it takes connections and says nothing."""
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(cluster.pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    processes = [cluster.pid, *map(int, children)]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@pytest.mark.skipif("sys.platform == 'win32'", reason="no SIGSTOP there")
def test_a_server_that_stands_still_is_told_and_not_waited_for(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    with frozen(places.cluster):
        for question in (lambda: engine.get("winch"), lambda: engine.put(note("drum", "The drum is new."))):
            with pytest.raises(EngineUnavailable) as silent:
                question()
            assert "did not answer" in str(silent.value)
        assert "did not answer" in engine.health().reason
        assert engine.statistics(("winch",)).passages == 0  # and nobody waits for it again at once
    wait_for(lambda: engine.health().usable)
    assert engine.get("winch") is not None


def test_a_server_that_falls_silent_in_the_middle_of_a_question_is_hung_up_on(
    places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mmind.stores.postgres.connections.GRACE_SECONDS", 0.2)
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    with pytest.raises(EngineUnavailable, match="did not answer"):  # noqa: SIM117 - the question's
        with engine._connections.reading(0.2) as connection, frozen(places.cluster):
            connection.execute("SELECT 1")
    wait_for(lambda: engine.health().usable)
    assert engine.get("winch") is not None


def test_a_statement_that_takes_too_long_is_cancelled_and_told(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    engine = at(places.url(str(tmp_path)))
    with pytest.raises(EngineUnavailable, match=r"did not answer within 0\.1 s"):  # noqa: SIM117 - as above
        with engine._connections.reading(0.1) as connection:
            connection.execute("SELECT pg_sleep(20)")
    assert engine.health().usable


# What is said when it cannot work, and what is never said.


def _nobody(port: int) -> list[tuple[str, str]]:
    secret = "hunter2"
    return [
        (f"postgresql://mads:{secret}@127.0.0.1:{port}/notes", "connection refused"),
        (f"postgresql://mads:{secret}@no-such-host.invalid/notes", "host is unknown"),
        (f"postgresql://mads:{secret}@127.0.0.1:port/notes", "not a URL"),
        (f"postgresql://mads:%zz{secret}@127.0.0.1/notes", "not a URL"),
        (f"postgresql://mads@127.0.0.1/notes?password={secret}&nonsense=1", "not a URL"),
    ]


@pytest.mark.parametrize("number", range(5))
def test_what_is_wrong_is_one_line_without_the_password(number: int, at: Opened) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and held, so that nobody else listens there meanwhile
        url, said = _nobody(unused.getsockname()[1])[number]
        engine = at(url)
        with pytest.raises(EngineUnavailable) as fault:
            engine.put(note("winch", "The ferry winch takes 12 t."))
        shown = "".join(traceback.format_exception(fault.value)) + repr(engine.health()) + repr(engine)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)
    assert "hunter2" not in shown
    assert "MMIND_POSTGRES_URL" in str(fault.value)
    assert engine.statistics(("winch",)).passages == 0


@pytest.mark.parametrize(
    ("user", "database", "said"),
    [("owner", "nowhere", "no such database"), ("stranger", "postgres", "refuses the user or password")],
)
def test_a_refused_login_is_told_without_the_login(
    user: str, database: str, said: str, places: PostgresPlaces, at: Opened
) -> None:
    engine = at(places.cluster.url(database, user))
    with pytest.raises(EngineUnavailable, match=said) as fault:
        engine.get("winch")
    shown = "".join(traceback.format_exception(fault.value)) + repr(engine.health())
    assert PASSWORD not in shown
    assert "stranger" not in shown


def test_health_names_both_versions_and_counts(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(places.url(str(tmp_path)))
    assert engine.health().entries == 0
    engine.put(note("winch", "The ferry winch takes 12 t."))
    health = engine.health()
    assert (health.usable, health.entries) == (True, 1)
    assert health.notes[0].startswith("PostgreSQL 1")
    assert "pgvector 0." in health.notes[0]
    assert health.where == ServedAt(places.url(str(tmp_path))).address


# Rights, and the extension.


def role(places: PostgresPlaces, key: str, *rights: str) -> str:
    """The URL of a key's database for a role of its own that is no superuser and has these rights only."""
    name, database = f"role_{places.database(key)}", places.database(key)
    places.cluster.sql("postgres", f"CREATE ROLE {name} LOGIN NOSUPERUSER PASSWORD '{PASSWORD}'")
    places.cluster.sql(database, *(right.format(role=name, database=database) for right in rights))
    return places.cluster.url(database, name)


def test_no_superuser_is_needed(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    model = WordVectors()
    engine = at(role(places, str(tmp_path), "GRANT CREATE ON DATABASE {database} TO {role}"), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    hits = engine.search(asked("ferry winch", model), 10)
    assert [hit.memory.id for hit in hits] == ["winch"]
    assert hits[0].cosine is not None


def test_a_schema_that_the_administrator_made_is_enough(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(role(places, str(tmp_path), "CREATE SCHEMA mmind AUTHORIZATION {role}"))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    assert found(engine, "winch") == ["winch"]


def test_a_role_without_rights_is_told_what_to_ask_for(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(role(places, str(tmp_path)))
    assert engine.search(asked("winch"), 10) == []
    with pytest.raises(EngineUnavailable, match="may not make schema mmind") as fault:
        engine.put(note("winch", "The ferry winch takes 12 t."))
    assert "CREATE SCHEMA mmind AUTHORIZATION" in fault.value.hint


def test_a_role_that_may_only_read_finds_and_is_told_why_it_cannot_write(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    at(places.url(str(tmp_path))).put(note("winch", "The ferry winch takes 12 t."))
    reader = at(
        role(
            places,
            str(tmp_path),
            "GRANT USAGE ON SCHEMA mmind TO {role}",
            "GRANT SELECT ON ALL TABLES IN SCHEMA mmind TO {role}",
        )
    )
    assert found(reader, "winch") == ["winch"]
    with pytest.raises(EngineUnavailable, match="does not allow this role") as fault:
        reader.put(note("drum", "The drum is new."))
    assert "GRANT" in fault.value.hint
    with pytest.raises(EngineUnavailable, match="does not allow this role"):
        reader.delete("winch")


def test_without_the_extension_words_answer_and_one_line_says_what_to_do(
    plain: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    model = WordVectors()
    engine = at(plain.url(str(tmp_path)), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    hits = engine.search(asked("ferry winch", model), 10)
    assert [(hit.memory.id, hit.cosine) for hit in hits] == [("winch", None)]
    said = [note for note in engine.health().notes if "CREATE EXTENSION vector" in note]
    assert len(said) == 1
    engine.complete(lambda _: None, False)
    assert engine.freshness().pending_vectors == 0


def test_an_extension_that_comes_later_gives_every_passage_its_vector(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    name = places.database(str(tmp_path))
    places.cluster.sql(name, "DROP EXTENSION vector")
    model = WordVectors()
    engine = at(role(places, str(tmp_path), "GRANT CREATE ON DATABASE {database} TO {role}"), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    engine.put(note("log", LONG))
    assert {hit.cosine for hit in engine.search(asked("winch", model), 60)} == {None}
    places.cluster.sql(name, "CREATE SCHEMA extensions", "CREATE EXTENSION vector SCHEMA extensions")
    with pytest.raises(EngineUnavailable, match="does not show pgvector"):
        engine.complete(lambda _: None, False)
    assert set(found(engine, "winch")) == {"winch", "log"}
    places.cluster.sql(name, "GRANT USAGE ON SCHEMA extensions TO PUBLIC")
    engine.complete(lambda _: None, False)
    assert None not in {hit.cosine for hit in engine.search(asked("winch", model), 60)}


def test_an_extension_that_is_dropped_with_all_its_vectors_costs_no_memory(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    places.cluster.sql(places.database(str(tmp_path)), "DROP EXTENSION vector CASCADE")
    engine.put(note("drum", "The drum of the winch is new."))
    assert {hit.cosine for hit in engine.search(asked("winch", model), 60)} == {None}
    engine.close()
    places.cluster.sql(places.database(str(tmp_path)), "CREATE EXTENSION vector")
    again = at(places.url(str(tmp_path)), model)
    again.complete(lambda _: None, False)
    assert None not in {hit.cosine for hit in again.search(asked("winch", model), 60)}
    assert set(found(again, "winch")) == {"winch", "drum"}


# Vectors.


def wait_for(condition: Callable[[], bool]) -> None:
    """Until the condition holds; the test's own time limit ends a wait in vain."""
    tick = threading.Event()
    while not condition():
        tick.wait(0.02)


def test_a_long_memory_gets_its_vectors_in_the_background(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("log", LONG))
    assert found(engine, "winch rope") == ["log"]
    wait_for(lambda: None not in {hit.cosine for hit in engine.search(asked("winch", model), 60)})
    wait_for(lambda: bool(engine.search(asked("winch", model), 60)) and engine.freshness().pending_vectors == 0)


def test_another_model_embeds_anew_and_the_old_vectors_stay(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    old, new = WordVectors("old-64"), WordVectors("new-64")
    first = at(places.url(str(tmp_path)), old)
    first.put(note("winch", "The ferry winch takes 12 t."))
    second = at(places.url(str(tmp_path)), new)
    second.search(asked("winch", new), 10)  # sees that the model has no vectors here
    wait_for(lambda: None not in {hit.cosine for hit in second.search(asked("winch", new), 10)})
    assert None not in {hit.cosine for hit in first.search(asked("winch", old), 10)}


def test_a_model_that_fails_costs_no_write_and_is_told(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("drum", "The drum is new."))
    model.fault = "the model is out"
    engine.put(note("winch", "The ferry winch takes 12 t."))
    assert found(engine, "winch") == ["winch"]
    assert any("the model is out" in note for note in engine.health().notes)
    with pytest.raises(EngineUnavailable, match="the model is out"):
        engine.complete(lambda _: None, False)
    model.fault = ""
    engine.complete(lambda _: None, False)
    assert None not in {hit.cosine for hit in engine.search(asked("winch", model), 10)}


def test_what_a_killed_process_took_on_is_free_again(
    places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "AT_ONCE", 0)
    monkeypatch.setattr(backfill.Backfill, "wake", lambda _: None)
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    with engine._connections.writing() as connection:
        entered = vectors.enter_model(connection, model.identity, model.dimension)
        assert entered is not None
        assert len(vectors.claim(connection, entered, "here", 10)) == 1
        assert vectors.claim(connection, entered, "here", 10) == []
        connection.execute("UPDATE mmind.pending SET claimed = now() - interval '1 hour'")
        assert len(vectors.claim(connection, entered, "here", 10)) == 1


def test_a_text_that_moves_keeps_its_vector(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    engine.put(replace(note("winch", "The ferry winch takes 12 t."), tags=("ferry",)))
    engine.put(note("twin", "The ferry winch takes 12 t."))
    assert model.embedded.count("The ferry winch takes 12 t.") == 1
    assert len({hit.cosine for hit in engine.search(asked("winch", model), 10)} - {None}) == 1


@pytest.mark.parametrize("version", [(0, 8), (0, 7)])
def test_a_filter_does_not_starve_a_search_through_the_index(
    version: tuple[int, int], places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two of two hundred that pass are found, though a hundred and more others are nearer."""
    monkeypatch.setattr(nearest, "EXACT_UP_TO", 1)
    monkeypatch.setattr(nearest, "STEP_COSTS", 0)
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    for number in range(60):
        engine.put(note(f"near-{number}", f"winch winch winch number{number}"))
    for number in range(2):
        engine.put(replace(note(f"far-{number}", f"other words altogether {number}"), tags=("rare",)))
    real = vectors.extension

    def older(connection: object) -> object:
        return real(connection) and version  # type: ignore[arg-type] # a connection

    monkeypatch.setattr(vectors, "extension", older)
    monkeypatch.setattr(search, "_candidates", lambda scope, _: scope.passages)
    hits = engine.search(asked("winch", model, tags=("rare",)), 10)
    assert {hit.memory.id for hit in hits} == {"far-0", "far-1"}
    assert len(found(engine, "winch", model)) >= 60


@pytest.mark.parametrize("bounds", [{"tags": ("rare",)}, {"since": datetime(2026, 1, 1, tzinfo=UTC)}, {"session": "s"}])
def test_a_filter_over_more_passages_than_are_compared_one_by_one_is_answered(
    bounds: dict[str, object], places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "EXACT_UP_TO", 2)
    monkeypatch.setattr(nearest, "STEP_COSTS", 0)
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    for number in range(6):
        other = replace(note(f"other{number}", f"winch {number}"), session="t", time=datetime(2020, 1, 1, tzinfo=UTC))
        engine.put(other)
        engine.put(replace(other, id=f"n{number}", tags=("rare",), session="s", time=datetime(2026, 2, 1, tzinfo=UTC)))
    assert set(found(engine, "winch", model, **{"session": "s", **bounds})) == {f"n{number}" for number in range(6)}


def test_a_filter_that_lets_few_of_very_many_pass_is_compared_one_by_one() -> None:
    assert nearest.exact_up_to(300_000, 240) == 16_970
    assert nearest.exact_up_to(10_000, 240) == nearest.EXACT_UP_TO


def test_the_nearest_are_found_through_the_index_as_one_by_one(
    places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    for number in range(200):
        engine.put(note(f"n{number}", f"winch{number % 7} rope{number % 11} drum{number % 13} quay{number}"))
    query = replace(asked("winch3 rope5 drum7", model), terms=())
    exact = {hit.memory.id: hit.cosine for hit in engine.search(query, 10)}
    monkeypatch.setattr(nearest, "EXACT_UP_TO", 1)
    monkeypatch.setattr(nearest, "STEP_COSTS", 0)
    walked = {hit.memory.id: hit.cosine for hit in engine.search(query, 10)}
    assert sorted(walked.values()) == pytest.approx(sorted(exact.values()))


# A first fill: the index over the vectors is made when they are all there.


def has_index(places: PostgresPlaces, key: str) -> bool:
    there = "SELECT to_regclass('mmind.vector_1_near') IS NOT NULL"
    return places.cluster.sql(places.database(key), there) == [(True,)]


def watched(model: WordVectors, look: Callable[[], object]) -> WordVectors:
    """The model, which calls `look` before it embeds."""
    real = model.embed
    model.embed = lambda texts: (look(), real(texts))[1]  # type: ignore[method-assign] # of this one alone
    return model


@pytest.fixture
def loaded(places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a database into which forty memories were put without a model."""
    monkeypatch.setattr(near_index, "FIRST_FILL", 30)
    without = at(places.url(str(tmp_path)))
    for number in range(40):
        without.put(note(f"n{number}", f"winch{number} of the ferry"))
    return places.url(str(tmp_path))


def test_a_first_fill_makes_the_index_when_all_vectors_are_there(
    loaded: str, places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[bool]()
    model = watched(WordVectors(), lambda: seen.append(has_index(places, str(tmp_path))))
    engine, told = at(loaded, model), list[Progress]()
    engine.complete(told.append, False)
    assert told[-2:] == [Progress("here", "index of vectors", done, 40) for done in (0, 40)]
    assert set(seen) == {False}
    assert has_index(places, str(tmp_path))
    monkeypatch.setattr(nearest, "EXACT_UP_TO", 1)
    monkeypatch.setattr(nearest, "STEP_COSTS", 0)
    assert found(engine, "winch7", model)[0] == "n7"
    seen.clear()
    engine.put(note("one", "One more drum."))
    engine.complete(lambda _: None, False)
    assert set(seen) == {True}


def test_a_first_fill_that_was_broken_off_is_searched_vector_by_vector_and_taken_up_again(
    loaded: str, places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill.Backfill, "wake", lambda _: None)
    model, is_out = WordVectors(), [True]

    def out() -> None:
        model.fault = "the power is out" if is_out[0] and len(model.embedded) > 16 else ""

    watched(model, out)
    engine = at(loaded, model)
    with pytest.raises(EngineUnavailable, match="power is out"):
        engine.complete(lambda _: None, False)
    assert not has_index(places, str(tmp_path))
    assert near_index.MISSING in engine.health().notes
    monkeypatch.setattr(nearest, "EXACT_UP_TO", 1)
    monkeypatch.setattr(nearest, "STEP_COSTS", 0)
    is_out[0] = False
    known = model.embedded[0].split()[0]
    only_meant = replace(asked(known, model), terms=())
    assert engine.search(only_meant, 5)[0].cosine is not None
    with monkeypatch.context() as very_many:
        very_many.setattr(near_index, "MOST_WITHOUT", 10)
        assert engine.search(only_meant, 5) == []
        assert engine.search(asked(known, model), 5)[0].cosine is not None
    engine.complete(lambda _: None, False)
    assert has_index(places, str(tmp_path))
    assert near_index.MISSING not in engine.health().notes


def test_two_machines_that_are_done_at_once_make_one_index_and_neither_fails(
    loaded: str, places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    model, database = WordVectors(), places.database(str(tmp_path))
    at(loaded, model).complete(lambda _: None, False)
    places.cluster.sql(database, "DROP INDEX mmind.vector_1_near")
    with psycopg.connect(loaded) as one, psycopg.connect(loaded) as other, ThreadPoolExecutor(1) as machine:
        kept = vectors.find_model(one.cursor(), model.identity)
        assert kept is not None
        assert near_index.is_due(one.cursor(), kept)
        assert near_index.is_due(other.cursor(), kept)
        near_index.make(one.cursor(), kept)
        waits = f"SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND pid = {other.info.backend_pid}"
        done = machine.submit(near_index.make, other.cursor(), kept)
        wait_for(lambda: places.cluster.sql(database, waits) == [(True,)])
        one.commit()
        done.result()
    assert has_index(places, str(tmp_path))


def test_a_fill_that_fails_gives_back_what_it_took_on_and_embeds_no_text_twice(
    loaded: str, places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill.Backfill, "wake", lambda _: None)
    at(loaded).put(note("twin", "winch3 of the ferry"))
    model, is_out = WordVectors(), [True]

    def out() -> None:
        model.fault = "the power is out" if is_out[0] and len(model.embedded) == 2 * backfill.LOCAL_BATCH else ""

    engine = at(loaded, watched(model, out))
    with pytest.raises(EngineUnavailable, match="power is out"):
        engine.complete(lambda _: None, False)
    waiting = "SELECT count(*), count(claimed) FROM mmind.pending"
    ((left, claimed),) = places.cluster.sql(places.database(str(tmp_path)), waiting)
    assert (left, claimed) == (8, 0)
    is_out[0] = False
    engine.complete(lambda _: None, False)
    assert places.cluster.sql(places.database(str(tmp_path)), waiting) == [(0, 0)]
    assert len(model.embedded) == len(set(model.embedded)) == 40


def test_texts_at_which_a_local_model_fails_hold_up_no_other_and_are_free_afterwards(
    loaded: str, places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise EngineUnavailable("the second model is missing", "get it")

    monkeypatch.setattr("mmind.embedding.multilingual.load_universal", missing)
    monkeypatch.setattr(backlog, "CHUNK", 8)
    monkeypatch.setattr(backfill.Backfill, "wake", lambda _: None)
    at(loaded).put(note("german", "Der Hund schläft auf dem Sofa und die Katze liegt unter dem Tisch."))
    at(loaded).put(note("twin", "Der Hund schläft auf dem Sofa und die Katze liegt unter dem Tisch."))
    for number in range(20):
        at(loaded).put(note(f"n{number}", f"The winch {number} of the ferry lifts the boat."))
    for number in range(20, 40):
        at(loaded).put(note(f"n{number}", f"Die Winde {number} der Fähre hebt das Boot und den Anker."))
    engine = at(loaded, MultilingualEmbedder(LocalEmbedder(PACKAGED)))
    with pytest.raises(EngineUnavailable, match="the second model is missing; get it"):
        engine.complete(lambda _: None, False)
    waiting = "SELECT count(*), count(claimed) FROM mmind.pending"
    assert places.cluster.sql(places.database(str(tmp_path)), waiting) == [(22, 0)]
    engine.put(note("later", "The rope of the winch is new."))
    assert places.cluster.sql(places.database(str(tmp_path)), waiting) == [(22, 0)]
    assert any("the second model is missing; get it" in line for line in engine.health().notes)


def test_of_several_machines_that_fill_the_last_one_makes_the_index(
    loaded: str, places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "CHUNK", 16)
    engine, database = at(loaded, WordVectors()), places.database(str(tmp_path))

    def taken_on() -> None:  # by another machine, which is at work on it
        oldest = "(SELECT min(passage) FROM mmind.pending)"
        places.cluster.sql(database, f"UPDATE mmind.pending SET claimed = now() WHERE passage = {oldest}")

    first = at(loaded, watched(WordVectors(), taken_on))
    first.complete(lambda _: None, False)
    assert not has_index(places, str(tmp_path))
    places.cluster.sql(database, "UPDATE mmind.pending SET claimed = NULL")
    engine.complete(lambda _: None, False)
    assert has_index(places, str(tmp_path))


def test_a_write_while_the_index_is_made_leaves_its_vector_for_later(
    places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill.Backfill, "wake", lambda _: None)
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("drum", "The drum is new."))
    with psycopg.connect(places.url(str(tmp_path))) as other:
        other.execute("LOCK TABLE mmind.vector_1 IN SHARE MODE")  # as CREATE INDEX takes
        engine.put(note("winch", "The ferry winch takes 12 t."))
        assert [hit.cosine for hit in engine.search(asked("winch", None), 10)] == [None]
        (waiting,) = other.execute("SELECT count(*) FROM mmind.pending").fetchone() or (None,)
        assert waiting == 1
    engine.complete(lambda _: None, False)
    assert None not in {hit.cosine for hit in engine.search(asked("winch", model), 10)}


# Several at once.


def test_who_asked_an_empty_database_and_waits_for_the_schema_of_another_machine_uses_it(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    url = places.url(str(tmp_path))
    waiting = at(url)
    assert waiting.get("a") is None  # its server process has seen that there is nothing
    with psycopg.connect(url) as making, ThreadPoolExecutor(1) as threads:
        making.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        put = threads.submit(waiting.put, note("b", "the crane"))
        while not making.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").fetchone():
            assert not put.done()
        making.execute("CREATE SCHEMA mmind; CREATE TABLE mmind.step(number integer PRIMARY KEY, applied timestamptz)")
        for number, step in enumerate(STEPS, 1):
            making.execute(step.encode())
            making.execute("INSERT INTO mmind.step(number) VALUES (%s)", (number,))
        making.commit()
        put.result()
    assert found(waiting, "crane") == ["b"]


def test_two_processes_that_start_on_an_empty_database_make_one_schema(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    place = ServedAt(places.url(str(tmp_path)))
    acknowledged = putters("mmind.stores.postgres", place, processes=3, count=10)
    engine = at(place.url)
    assert len(acknowledged) == 30
    assert {memory.id for memory in engine.changes(Mark()).changed} == set(acknowledged)
    name = places.database(str(tmp_path))
    assert places.cluster.sql(name, "SELECT count(*) FROM mmind.step") == [(len(STEPS),)]


def test_the_sums_are_those_of_the_rows_after_many_writers(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(places.url(str(tmp_path)))

    def work(thread: int) -> None:
        for number in range(30):
            engine.put(note(f"{number % 10}", f"thread {thread} says {number}. " * (number + 1)))
            if number % 4 == 0:
                engine.delete(f"{number % 10}")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(6)))
    kept = places.cluster.sql(
        places.database(str(tmp_path)),
        "SELECT (SELECT count(*) FROM mmind.memory), count(*), sum(length) FROM mmind.passage",
    )
    sums = places.cluster.sql(
        places.database(str(tmp_path)), "SELECT sum(memories), sum(passages), sum(length) FROM mmind.tally"
    )
    rows = places.cluster.sql(places.database(str(tmp_path)), "SELECT count(*) FROM mmind.tally")
    assert kept == sums
    assert int(str(rows[0][0])) < 180
    assert engine.statistics(("says",)).passages == kept[0][1]


def test_what_is_committed_late_is_not_missed(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    """A transaction that began before a cursor was taken, and ended after it."""
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    other = at(places.url(str(tmp_path)))
    with other._connections.writing() as connection:
        connection.execute(
            "UPDATE mmind.memory SET title = 'late', fingerprint = 'late', change = pg_current_xact_id()"
        )
        engine.put(note("drum", "The drum is new."))
        first = engine.changes(Mark())
        known = {memory.id: memory.fingerprint for memory in first.changed}
    assert [memory.title for memory in engine.changes(Mark(first.cursor, known)).changed] == ["late"]


@pytest.mark.parametrize("is_tidied", [False, True])
def test_a_word_that_one_machine_drops_and_another_is_writing_stays(
    places: PostgresPlaces, at: Opened, tmp_path: Path, is_tidied: bool
) -> None:
    url = places.url(str(tmp_path))
    engine, other = at(url), at(url)
    engine.put(note("a", "the manager of the harbour"))
    if is_tidied:
        engine.put(note("a", "the harbour"))  # `manager` stands nowhere, and only a tidying looks for it
    with psycopg.connect(url) as watching, ThreadPoolExecutor(1) as threads:
        watching.autocommit = True
        with other._connections.writing() as connection:
            writing.put(connection, prepare(rows.kept(note("b", "another manager"), "there")))
            dropped = threads.submit(_complete, engine) if is_tidied else threads.submit(engine.delete, "a")
            while not dropped.done() and not _waits_for_a_writer(watching):
                pass
        dropped.result()
    assert engine.get("b") is not None
    assert list(engine.alike(["manger"])["manger"]) == ["manager"]


def test_a_word_that_was_dropped_while_its_writer_had_not_come_to_it_is_written_by_that_writer(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    url = places.url(str(tmp_path))
    engine = at(url)
    engine.put(note("a", "the manager"))
    with psycopg.connect(url) as holding, ThreadPoolExecutor(1) as threads:
        holding.execute("LOCK TABLE mmind.tally")  # a put comes to its words after that
        put = threads.submit(at(url).put, note("b", "another manager"))
        while not holding.execute("SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND NOT granted").fetchone():
            assert not put.done()
        assert holding.execute("DELETE FROM mmind.passage").rowcount == 1
        spelling.drop(holding, "here", ["manag"])
        holding.commit()
        put.result()
    assert list(engine.alike(["manger"])["manger"]) == ["manager"]


def test_no_word_is_lost_to_machines_that_write_and_remove_it_at_once(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    url = places.url(str(tmp_path))
    engines = [at(url) for _ in range(4)]

    def work(place: int) -> None:
        for number in range(20):
            engines[place].put(note(f"{place}-{number}", "a manager and an engineer"))
            if number < 19 or place:
                assert engines[place].delete(f"{place}-{number}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert engines[0].alike(["manger", "enginer"]) == {"manger": ["manager"], "enginer": ["engineer"]}


def test_a_count_that_is_a_minute_old_drops_no_word(
    places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terms, "SAMPLED_FROM", 1)
    engine, other = at(places.url(str(tmp_path))), at(places.url(str(tmp_path)))
    engine.put(note("harbour", "the harbour"))
    assert engine.statistics(("manag",)).frequencies == {}  # is remembered for a minute
    engine.put(note("a", "the manager"))
    other.put(note("b", "another manager"))
    assert engine.delete("a")
    assert list(other.alike(["manger"])["manger"]) == ["manager"]


def _complete(engine: PostgresEngine) -> None:
    engine.complete(lambda _: None, rebuild=False)


def _waits_for_a_writer(watching: psycopg.Connection) -> bool:
    waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    return watching.execute(waiting).fetchone() is not None


_ANSWERS = """
import sys
import mmind
with mmind.open() as mind:
    for line in sys.stdin:
        print([result.id for result in mind.retrieve(line.strip(), stores=["sqlite", "vector"]).results], flush=True)
"""
_STORES = """
import sys
import mmind
with mmind.open() as mind:
    print(mind.store(sys.argv[2], store=sys.argv[1]).memory.handle, flush=True)
"""


def test_one_url_backs_both_slots_and_one_process_finds_at_once_what_another_wrote(
    places: PostgresPlaces, tmp_path: Path
) -> None:
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MMIND_")},
        "MMIND_HOME": str(tmp_path / "home"),
        "MMIND_BACKEND_STRUCTURED": "postgres",
        "MMIND_BACKEND_VECTOR": "pgvector",
        "MMIND_POSTGRES_URL": places.url(str(tmp_path)),
        "MMIND_EMBED_MODEL": "none",
    }

    def stored(store: str, text: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", _STORES, store, text], env=environ, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    with subprocess.Popen(
        [sys.executable, "-c", _ANSWERS], env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as answering:
        assert answering.stdin is not None
        assert answering.stdout is not None
        answers = []
        for store, text in (("sqlite", "The ferry winch takes 12 t."), ("vector", "The ferry winch is painted red.")):
            handle = stored(store, text)
            answering.stdin.write("ferry winch\n")
            answering.stdin.flush()
            answers.append((handle, answering.stdout.readline()))
        answering.stdin.close()
    assert all(handle in line for handle, line in answers)
    name = places.database(str(tmp_path))
    assert places.cluster.sql(name, "SELECT store, count(*) FROM mmind.memory GROUP BY store ORDER BY store") == [
        ("sqlite", 1),
        ("vector", 1),
    ]
    secret = PASSWORD.encode()
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file() and secret in path.read_bytes()]


# What lies there.


def test_tables_of_a_newer_mmind_are_left_alone(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    at(places.url(str(tmp_path))).put(note("winch", "The ferry winch takes 12 t."))
    places.cluster.sql(places.database(str(tmp_path)), "INSERT INTO mmind.step(number) VALUES (999)")
    engine = at(places.url(str(tmp_path)))
    for work in (lambda: engine.get("winch"), lambda: engine.put(note("drum", "new"))):
        with pytest.raises(EngineUnavailable, match="newer mmind"):
            work()
    assert "newer mmind" in engine.health().reason


def test_tables_that_somebody_dropped_are_named_and_made_again_by_the_next_write(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    places.cluster.sql(places.database(str(tmp_path)), "DROP SCHEMA mmind CASCADE")
    with pytest.raises(EngineDamaged, match="lacks a part of schema mmind"):
        engine.get("winch")
    assert engine.get("winch") is None
    engine.put(note("drum", "The drum is new."))
    assert found(engine, "drum") == ["drum"]


def test_vectors_are_made_again_after_somebody_dropped_the_tables_under_a_running_process(
    places: PostgresPlaces, at: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "ASK_AGAIN_SECONDS", 0.0)
    model = WordVectors()
    engine = at(places.url(str(tmp_path)), model)
    engine.put(note("winch", "The ferry winch takes 12 t."))
    places.cluster.sql(places.database(str(tmp_path)), "DROP SCHEMA mmind CASCADE")
    with pytest.raises(EngineDamaged):
        engine.get("winch")
    engine.put(note("drum", "The drum is new."))
    wait_for(lambda: [hit.cosine for hit in engine.search(asked("drum", model), 10)] not in ([], [None]))
    assert found(engine, "drum") == ["drum"]


def test_a_database_that_cannot_hold_every_text_is_refused(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    name = f"latin{places.database(str(tmp_path))}"
    places.cluster.sql("postgres", f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1'")
    with pytest.raises(EngineUnavailable, match="not UTF8"):
        at(places.cluster.url(name)).put(note("winch", "The ferry winch takes 12 t."))


def test_passages_cut_by_another_version_are_cut_anew(places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    places.cluster.sql(
        places.database(str(tmp_path)),
        "UPDATE mmind.memory SET cut = '0/0'",
        "UPDATE mmind.passage SET tokens = '', words = ''",
    )
    assert found(engine, "winch") == []
    engine.complete(lambda _: None, False)
    assert found(engine, "winch") == ["winch"]


@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)]
)
def test_the_ends_of_time_are_kept(moment: datetime, places: PostgresPlaces, at: Opened, tmp_path: Path) -> None:
    engine = at(places.url(str(tmp_path)))
    kept = engine.put(replace(note("winch", "then"), created=moment, time=moment))
    assert engine.get("winch") == kept
    assert kept.time == moment


def test_what_cannot_be_kept_is_refused_with_nothing_written(
    places: PostgresPlaces, at: Opened, tmp_path: Path
) -> None:
    engine = at(places.url(str(tmp_path)))
    engine.put(note("winch", "The ferry winch takes 12 t."))
    with pytest.raises(EngineError):
        engine.put(note("nul", "a\0b"))
    assert [memory.id for memory in engine.changes(Mark()).changed] == ["winch"]
