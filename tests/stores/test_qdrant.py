"""The `qdrant` engine beyond the contract.

Against a real server where MMIND_TEST_QDRANT_URL names one. Else against qdrant-client's local mode behind HTTP
(`tests/servers/qdrant_front.py`), which is no Qdrant: what is shown then is our use of the client, not of the server.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from qdrant_client import models

from mmind.stores import qdrant as engine_module
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import Embedder, Engine, Mark
from tests.servers import Servers
from tests.servers.qdrant import FrontedLocalMode, RealQdrant
from tests.servers.qdrant_front import KEY
from tests.stores.contract.rows import WINCH, level_mark, note, taken
from tests.stores.processes import python

pytestmark = pytest.mark.server

Open = Callable[..., Engine]
MINUTE_MS = 60_000


class Letters:
    """An embedder whose vectors are counts of a and b: near where texts are alike, and easy to check by hand."""

    is_local = True

    def __init__(self, identity: str = "letters/2", is_away: bool = False) -> None:
        self.identity = identity
        self.dimension = 2
        self._is_away = is_away

    def embed(self, texts: Sequence[str]) -> Any:
        if self._is_away:
            raise EngineUnavailable("the model is away", hint="come back later")
        rows = np.array([[text.count("a") + 1, text.count("b") + 1] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def close(self) -> None:
        """Holds nothing."""


@pytest.fixture
def server(servers: Servers) -> FrontedLocalMode | RealQdrant:
    found = servers.get("qdrant")
    assert isinstance(found, FrontedLocalMode | RealQdrant)
    return found


@pytest.fixture
def fronted(server: FrontedLocalMode | RealQdrant) -> FrontedLocalMode:
    """A server that the test may stop, and whose key it knows."""
    if isinstance(server, RealQdrant):
        pytest.skip("a Qdrant of somebody else's is not stopped")
    return server


@pytest.fixture
def key(tmp_path: Path) -> str:
    """What names this test's collections."""
    return str(tmp_path)


@pytest.fixture
def opened(server: FrontedLocalMode | RealQdrant, key: str) -> Iterator[Open]:
    """Opens engines over this test's collections; closes them after the test."""
    engines: list[Engine] = []

    def open_one(embedder: Embedder | None = None, url: str = "", store: str = "here") -> Engine:
        place = ServedAt(url or server.url(key), "MMIND_QDRANT_URL")
        engines.append(open_engine_row("qdrant", place, EngineOptions(embedder=embedder), store=store))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@pytest.fixture
def foreign(server: FrontedLocalMode | RealQdrant) -> Iterator[Any]:
    """Another program's client."""
    with closing(server.client()) as client:
        yield client


@pytest.fixture
def collection(server: FrontedLocalMode | RealQdrant, key: str) -> str:
    """The name of the collection of the store `here`."""
    return f"{server.prefix(key)}here"


def clock_shifted(monkeypatch: pytest.MonkeyPatch, shift_ms: int) -> None:
    """Let this process's clock go wrong by so much, from now on."""
    right = engine_module.time.time_ns() // 1_000_000
    monkeypatch.setattr(engine_module, "_now_ms", lambda: right + shift_ms)


@pytest.mark.parametrize("shift_minutes", [-9, 9, -60, 60])
def test_a_write_by_a_machine_whose_clock_is_wrong_is_seen(
    shift_minutes: int, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once: within ten minutes by the window, beyond that because the number of memories does not add up."""
    engine = opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    with monkeypatch.context() as wrong:
        clock_shifted(wrong, shift_minutes * MINUTE_MS)
        engine.put(note("drum", "The drum is new."))
    assert list(taken(engine, mark)) == ["drum"]


def test_an_edit_that_no_clock_shows_is_seen_ten_minutes_later(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """By comparing everything, which is done every ten minutes."""
    engine = opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    with monkeypatch.context() as wrong:
        clock_shifted(wrong, -60 * MINUTE_MS)
        engine.put(replace(WINCH, text="It takes 14 t."))
    assert taken(engine, mark) == {}
    clock_shifted(monkeypatch, 11 * MINUTE_MS)
    assert [memory.text for memory in engine.changes(mark).changed] == ["It takes 14 t."]


def test_a_mark_stays_the_same_while_nothing_happens(opened: Open) -> None:
    """A cursor that changed at every look would make the index write at every question."""
    engine = opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    assert [engine.changes(mark).cursor for _ in range(3)] == [mark.cursor] * 3


def test_what_another_program_removed_is_seen_at_once(opened: Open, foreign: Any, collection: str) -> None:
    engine = opened()
    engine.put(WINCH)
    engine.put(note("drum", "The drum is new."))
    mark = level_mark(engine)
    is_winch = models.FieldCondition(key="id", match=models.MatchValue(value="winch"))
    foreign.delete(collection, models.FilterSelector(filter=models.Filter(must=[is_winch])))
    assert list(engine.changes(mark).gone) == ["winch"]


def test_a_collection_that_was_removed_holds_nothing_and_is_made_anew(
    opened: Open, foreign: Any, collection: str
) -> None:
    engine = opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    foreign.delete_collection(collection)
    assert list(engine.changes(mark).gone) == ["winch"]
    engine.put(note("drum", "The drum is new."))
    changes = engine.changes(mark)
    assert ([memory.id for memory in changes.changed], list(changes.gone)) == (["drum"], ["winch"])


def test_other_tools_find_memories_by_the_vectors_beside_them(opened: Open, foreign: Any, collection: str) -> None:
    engine = opened(Letters())
    engine.put(note("anna", "aaaaaaaaa"))
    engine.put(note("bob", "bbbbbbbbb"))
    engine.put(note("lost", "aaaaaaaaaaaaaaa"))
    engine.delete("lost")
    found = foreign.query_points(collection, [1.0, 0.0], using="letters-2", limit=3, with_payload=True).points
    assert [point.payload["id"] for point in found] == ["anna", "bob"]
    assert found[0].score > found[1].score
    assert engine.health().notes == ()


def test_a_model_that_fails_costs_the_vector_and_not_the_memory(opened: Open, foreign: Any, collection: str) -> None:
    engine = opened(Letters(is_away=True))
    engine.put(note("anna", "aaaaaaaaa"))
    assert list(taken(engine, Mark())) == ["anna"]
    assert "stored without a vector: the model is away" in engine.health().notes[0]
    later = opened(Letters())
    later.put(note("bob", "bbbbbbbbb"))
    found = foreign.query_points(collection, [1.0, 0.0], using="letters-2", limit=3, with_payload=True).points
    assert [point.payload["id"] for point in found] == ["bob"]


def test_vectors_of_another_model_are_never_mixed_with_those_that_are_there(opened: Open) -> None:
    opened(Letters()).put(note("anna", "aaaaaaaaa"))
    other = opened(Letters("other/2"))
    other.put(note("bob", "bbbbbbbbb"))
    assert set(taken(other, Mark())) == {"anna", "bob"}
    assert "keeps vectors of letters-2, not of other/2" in other.health().notes[0]


def test_a_collection_of_another_program_is_refused_and_left_alone(opened: Open, foreign: Any, collection: str) -> None:
    foreign.create_collection(collection, {})
    foreign.upsert(collection, [models.PointStruct(id=1, vector={}, payload={"a": 1})])
    engine = opened()
    for ask in (lambda: engine.put(WINCH), lambda: engine.changes(Mark())):
        with pytest.raises(EngineUnavailable, match="collection of another program; set another collection_prefix"):
            ask()
    assert foreign.count(collection).count == 1


def test_the_key_is_taken_from_each_of_its_places_and_a_wrong_one_is_told_without_it(
    opened: Open, fronted: FrontedLocalMode, key: str
) -> None:
    url = fronted.url(key)
    quoted = url.partition("://:")[2].partition("@")[0]
    place, _, options = url.partition("@")[2].partition("?")
    for right in (url, f"http://{quoted}@{place}?{options}", f"http://{place}?{options}&api-key={quoted}"):
        opened(url=right).put(WINCH)
    engine = opened(url=f"http://:hush-hush@{place}?{options}")
    with pytest.raises(EngineUnavailable, match="refused the key; correct the key") as refused:
        engine.get("winch")
    told = "".join(traceback.format_exception(refused.value))
    assert "hush-hush" not in told
    assert KEY not in told


def test_opening_it_does_not_load_its_driver() -> None:
    code = (
        "import sys; from mmind.stores.registry import open_engine_row; from mmind.stores.served import ServedAt;"
        " open_engine_row('qdrant', ServedAt('http://nowhere')).close(); print('qdrant_client' in sys.modules)"
    )
    assert python(code) == "False"
