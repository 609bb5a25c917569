"""What `values.ports.SelfSearching` promises: an engine that searches for itself answers as the index does.

The index over the `sqlite` engine, with the same memories, is the measure: same passages, same counts, same cosines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from mmind.index import open_index
from mmind.index.index import Index
from mmind.stores.registry import ENGINES, EngineOptions, load_opener, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.memory import Memory, TextFormat
from mmind.values.ports import Engine, Lexicon, SelfSearching
from mmind.values.query import Hit
from tests.index.build import NOON, WordVectors, asked
from tests.stores.contract.conftest import PlaceOf
from tests.stores.contract.rows import SERVED


def _searches(name: str) -> bool:
    return hasattr(load_opener(name, ENGINES[name])("here", _nowhere(name), EngineOptions()), "search")


def _nowhere(name: str) -> ServedAt:
    return ServedAt(f"{ENGINES[name].server}://nowhere/mmind")


SEARCHING = [row for row in SERVED if _searches(str(row.values[0]))]

pytestmark = pytest.mark.parametrize("name", SEARCHING)

# Three passages: of more that say nearly the same an engine may take any three.
LONG = "\n\n".join(f"## Part {n}\n\nThe winch log of day {n} says the drum took {n} t of rope." for n in range(1, 4))
MEMORIES = [
    Memory(store="here", id="winch", text="The ferry winch takes 12 t.", title="Ferry winch", tags=("Ferry", "#Quay")),
    Memory(store="here", id="drum", text="The drum of the winch is new. Its rope is old.", aliases=("rope drum",)),
    Memory(store="here", id="log", text=LONG, title="Log", format=TextFormat.MARKDOWN, writer="Mads"),
    Memory(store="here", id="empty", text="", title="An empty note about anchors"),
    Memory(store="here", id="cjk", text="渡轮绞车的额定负荷是十二吨。"),
    Memory(store="here", id="code", text="call `drum_rope.take(C++)` in it's v2.1-rc; a'b\\c & | ! <-> :* ( )"),
    Memory(store="here", id="may", text="In May the winch was greased.", time=datetime(2026, 5, 1, tzinfo=UTC)),
    Memory(store="here", id="june", text="In June the winch was greased.", time=datetime(2026, 6, 1, tzinfo=UTC)),
    Memory(store="here", id="talk", text="We talked about the winch on the quay.", session="quay"),
]
QUESTIONS = [
    "winch",
    "ferry winch takes",
    "how much rope does the drum take",
    "绞车的负荷",
    "drum_rope.take C++ v2.1-rc it's",
    "a'b\\c & | ! <-> :* ( ) \" ;--",
    "anchors",
    "nothing of the kind, zebra",
]


@dataclass(frozen=True, slots=True)
class Pair:
    """An engine that searches for itself, and the index over SQLite, holding the same."""

    engine: Engine
    index: Index
    local: Engine
    model: WordVectors

    def put(self, memory: Memory) -> None:
        self.engine.put(memory)
        self.index.add(self.local.put(memory))

    def hits(self, text: str, pool: int = 100, **bounds: object) -> tuple[list[Hit], list[Hit]]:
        query = asked(text, self.model, **bounds)
        assert isinstance(self.engine, SelfSearching)
        return list(self.engine.search(query, pool)), list(self.index.searcher("here").search(query, pool))


@pytest.fixture
def pair(name: str, place_of: PlaceOf, tmp_path: Path) -> Iterator[Pair]:
    model = WordVectors()
    engine = open_engine_row(name, place_of(name, tmp_path), EngineOptions(embedder=model), store="here")
    local = open_engine_row("sqlite", tmp_path / "memory.db", store="here")
    index = open_index(tmp_path / "index.db", {"here": local}, model, lambda: NOON)
    yield Pair(engine, index, local, model)
    for one in (engine, index, local):
        one.close()


@pytest.fixture
def full(pair: Pair) -> Pair:
    for memory in MEMORIES:
        pair.put(memory)
    assert isinstance(pair.engine, SelfSearching)
    pair.engine.complete(lambda _: None, False)  # the long one gets its vectors
    pair.index.complete(lambda _: None, False)
    return pair


def signals(hits: Sequence[Hit]) -> dict[tuple[str, int], object]:
    """What a hit says, by memory and passage; numbers of the vectors to six places."""
    return {
        (hit.memory.id, hit.passage.ordinal): (
            hit.passage,
            dict(hit.counts or {}),
            hit.length,
            hit.pairs,
            None if hit.cosine is None else round(hit.cosine, 6),
            None if hit.vector is None else [round(float(part), 6) for part in hit.vector],
        )
        for hit in hits
    }


@pytest.mark.parametrize("text", QUESTIONS)
def test_words_and_vectors_say_what_they_say_in_the_index(text: str, full: Pair) -> None:
    ours, theirs = full.hits(text)
    assert signals(ours) == signals(theirs)
    assert len(ours) == len(signals(ours))


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_counts_of_words_are_those_of_the_index(text: str, full: Pair) -> None:
    assert isinstance(full.engine, SelfSearching)
    terms = (*asked(text).terms, "zebra", "a\0b", "\ud800", "")
    for _ in range(2):  # also when a search has just counted them
        assert full.engine.statistics(terms) == full.index.statistics(terms)
        full.hits(text)


@pytest.mark.parametrize("word", ["wihch", "anchrs", "greasedd", "eranchors", "ropes", "zzzzz", "renummber"])
def test_the_words_that_are_near_to_a_misspelt_one_are_those_of_the_index(word: str, full: Pair) -> None:
    assert isinstance(full.engine, Lexicon)
    assert isinstance(full.index, Lexicon)
    assert sorted(full.engine.alike([word])[word]) == sorted(full.index.alike([word])[word])


def test_words_are_forgotten_with_the_last_memory_that_holds_them_and_known_with_the_first(
    name: str, full: Pair, place_of: PlaceOf, tmp_path: Path
) -> None:
    assert isinstance(full.engine, Lexicon)
    assert list(full.engine.alike(["anchrs"])["anchrs"]) == ["anchors"]
    full.put(Memory(store="here", id="new", text="The manager of the quay"))
    full.put(Memory(store="here", id="another", text="More anchors"))
    assert list(full.engine.alike(["manger"])["manger"]) == ["manager"]
    assert full.engine.delete("new")
    assert full.engine.delete("empty")
    fresh = open_engine_row(name, place_of(name, tmp_path), EngineOptions(), store="here")
    assert isinstance(fresh, Lexicon)
    assert list(fresh.alike(["manger"])["manger"]) == []
    assert list(fresh.alike(["anchrs"])["anchrs"]) == ["anchors"]
    fresh.close()


def test_a_hit_names_its_memory_and_leaves_the_text_out(full: Pair) -> None:
    ours, theirs = full.hits("ferry")
    kept = full.engine.get("winch")
    assert kept is not None
    assert ours[0].memory == replace(kept, text="")
    same = {"path": "", "fingerprint": "", "links": ()}
    assert [replace(hit.memory, **same) for hit in ours] == [replace(hit.memory, **same) for hit in theirs]


@pytest.mark.parametrize(
    "bounds",
    [
        {"since": datetime(2026, 5, 15, tzinfo=UTC)},
        {"until": datetime(2026, 5, 1, tzinfo=UTC)},
        {"tags": ("ferry",)},
        {"tags": ("FERRY", "quay")},
        {"tags": ("nobody has it",)},
        {"session": "quay"},
        {"session": "another"},
        {"session": "it's; DROP TABLE mmind.memory"},
    ],
)
def test_bounds_narrow_the_search_and_not_its_finished_result(bounds: dict[str, object], full: Pair) -> None:
    ours, theirs = full.hits("winch", pool=3, **bounds)
    assert signals(ours) == signals(theirs)


def test_the_pool_bounds_each_signal_and_three_passages_a_memory_are_enough(full: Pair) -> None:
    full.put(replace(MEMORIES[2], id="book", text=LONG + LONG.replace("log", "book") + LONG.replace("day", "night")))
    for pool in (0, 1, 2, 5, 100):
        ours, theirs = full.hits("winch drum rope", pool=pool)
        assert bool(ours) == bool(theirs)
        assert len(ours) <= 2 * pool
        assert max((sum(hit.memory.id == one.memory.id for hit in ours) for one in ours), default=0) <= 6


def test_without_a_vector_in_the_query_there_is_no_cosine(full: Pair) -> None:
    assert isinstance(full.engine, SelfSearching)
    hits = full.engine.search(asked("winch"), 100)
    assert hits
    assert {hit.cosine for hit in hits} == {None}


def test_vectors_of_another_model_are_never_compared(full: Pair) -> None:
    assert isinstance(full.engine, SelfSearching)
    hits = full.engine.search(asked("winch", WordVectors("another-64")), 100)
    assert hits
    assert {hit.cosine for hit in hits} == {None}


def test_a_store_that_holds_nothing_is_searched_and_counted(pair: Pair) -> None:
    ours, _ = pair.hits("winch")
    assert ours == []
    assert isinstance(pair.engine, SelfSearching)
    assert pair.engine.statistics(("winch",)).passages == 0
    pair.engine.complete(lambda _: None, False)


def test_what_is_deleted_is_gone_from_words_and_vectors_and_what_is_replaced_is_found_anew(full: Pair) -> None:
    assert full.engine.delete("winch")
    full.local.delete("winch")
    full.index.remove("here", "winch")
    full.put(replace(MEMORIES[1], text="The drum is of steel."))
    ours, theirs = full.hits("the winch's drum of steel and its rope")
    assert {hit.memory.id for hit in ours} == {hit.memory.id for hit in theirs} >= {"drum", "log"}
    assert "winch" not in {hit.memory.id for hit in ours}
    assert {hit.passage.text for hit in ours if hit.memory.id == "drum"} == {"The drum is of steel."}
    assert isinstance(full.engine, SelfSearching)
    terms = ("winch", "drum", "rope", "steel")
    assert full.engine.statistics(terms) == full.index.statistics(terms)


def test_vectors_are_of_unit_length_and_the_cosine_is_theirs(full: Pair) -> None:
    query = asked("ferry winch", full.model)
    assert isinstance(full.engine, SelfSearching)
    for hit in full.engine.search(query, 100):
        assert hit.vector is not None
        assert hit.cosine is not None
        assert np.linalg.norm(hit.vector) == pytest.approx(1.0, abs=2e-3)
        assert hit.cosine == pytest.approx(float(np.dot(hit.vector, query.vector or ())), abs=1e-6)


def test_a_store_is_not_found_under_another_name(name: str, full: Pair, place_of: PlaceOf, tmp_path: Path) -> None:
    other = open_engine_row(name, place_of(name, tmp_path), EngineOptions(embedder=full.model), store="other")
    assert isinstance(other, SelfSearching)
    other.put(Memory(store="other", id="winch", text="The other winch."))
    assert [hit.memory.text + hit.passage.text for hit in other.search(asked("winch", full.model), 100)] == [
        "The other winch."
    ]
    assert other.statistics(("winch",)).frequencies == {"winch": 1}
    other.close()
    ours, theirs = full.hits("winch")
    assert signals(ours) == signals(theirs)
