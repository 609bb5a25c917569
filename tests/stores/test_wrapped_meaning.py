"""Tables of Postgres that are found by a column of vectors of their own, which our model made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from mmind.embedding.choose import open_embedder
from mmind.index import open_index
from mmind.stores.registry import EngineOptions, open_wrapped, own_model
from mmind.stores.served import ServedAt
from mmind.stores.wrapped_search import SearchingTable
from mmind.text.embedded import embedded_text
from mmind.text.tokens import query_terms
from mmind.values.errors import ConfigError
from mmind.values.ports import Embedder
from mmind.values.query import Hit, Query
from mmind.values.wrapped import Columns
from tests.servers import Servers
from tests.stores.test_wrapped import KINDS, Place

pytestmark = pytest.mark.server

NOTES = Columns(
    table="notes", id="id", text="body", title="title", time="changed", tags="labels", search="words", vector="meaning"
)
TABLE = (
    "CREATE TABLE notes(id integer PRIMARY KEY, body text, title text, changed timestamp NULL, labels text[])",
    "ALTER TABLE notes ADD words tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED",
)
ROWS = (
    (1, "The ferry winch takes 12 t.", "Winch", "2026-05-01 10:00:00", "{quay}"),
    (2, "Everybody gets a cup of tea at four in the afternoon.", "", "2026-05-02 10:00:00", "{}"),
    (3, "The dog needs a walk twice a day.", "Rex", "2026-05-03 10:00:00", "{home}"),
    (4, "Water the tomatoes before breakfast.", "Garden", None, "{home}"),
)
MEANT = {"How heavy a load can the boat's hoist lift?": "1", "When is our coffee break?": "2", "caring for a pet": "3"}


class Even:
    """A model of eight numbers by the letters of a text, for thousands of rows."""

    identity = "even/8"
    dimension = 8
    is_local = True

    def embed(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        """A direction for each text, by its first letters."""
        made = np.array([[1 + ord(sign) % 61 for sign in f"{text:8.8}"] for text in texts], np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture(scope="module")
def model() -> Iterator[Embedder]:
    opened = open_embedder("local", "", "")
    assert opened is not None
    yield opened
    opened.close()


@pytest.fixture
def place(servers: Servers, tmp_path: Path) -> Place:
    made = KINDS["postgres"](tmp_path, servers)
    made.run(*TABLE)
    return made


def literal(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{float(value):.7g}" for value in vector) + "]"


def filled(place: Place, model: Embedder, kind: str = "vector(384)") -> Place:
    """The rows with the vectors that our index would make of them, each of another length."""
    vectors = model.embed([embedded_text(title, (), body) for _, body, title, *_ in ROWS])
    place.run(f"ALTER TABLE notes ADD meaning {kind}")
    for (number, body, title, changed, labels), vector in zip(ROWS, vectors, strict=True):
        when = f"'{changed}'" if changed else "NULL"
        place.run(
            f"INSERT INTO notes VALUES ({number}, '{body}', '{title}', {when}, '{labels}', DEFAULT,"
            f" '{literal(number**3 * vector)}')"
        )
    return place


def opened(place: Place, model: Embedder, columns: Columns = NOTES) -> SearchingTable:
    named = replace(columns, vector_model=columns.vector_model or model.identity)
    engine = open_wrapped("postgres", place.location, EngineOptions(columns=named, embedder=model), "here")
    assert isinstance(engine, SearchingTable)
    return engine


def asked(text: str, model: Embedder) -> Query:
    vector: list[float] = model.embed([text])[0].tolist()
    return Query(text, query_terms(text), vector, model.identity)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.memory.id for hit in hits]


def nearest(hits: Sequence[Hit]) -> str:
    return max(hits, key=lambda hit: -2.0 if hit.cosine is None else hit.cosine).memory.id


@pytest.mark.parametrize(("text", "meant"), MEANT.items())
@pytest.mark.parametrize("kind", ["vector(384)", "vector", "halfvec(384)"])
def test_a_row_is_found_that_shares_no_word_with_the_question(
    kind: str, text: str, meant: str, place: Place, model: Embedder
) -> None:
    engine = opened(filled(place, model, kind), model)
    found = engine.search(asked(text, model), 10)
    assert nearest(found) == meant
    assert ids(engine.search(asked(text, model), 1)) == [meant]
    assert sorted(ids(found)) == ["1", "2", "3", "4"]
    assert engine.search(replace(asked(text, model), vector=None), 10) == []
    engine.close()


def test_cosines_counts_and_passages_are_those_of_the_derived_index(
    place: Place, model: Embedder, tmp_path: Path
) -> None:
    engine = opened(filled(place, model), model)
    derived = open_wrapped(
        "postgres", place.location, EngineOptions(columns=replace(NOTES, search="", vector="")), "here"
    )
    index = open_index(tmp_path / "index.db", {"here": derived}, model, lambda: datetime(2026, 11, 30, tzinfo=UTC))
    index.complete(lambda _: None, rebuild=False)
    for text in (*MEANT, "winch", "a cup of tea for the dog"):
        query = asked(text, model)
        own, other = ({hit.memory.id: hit for hit in s.search(query, 10)} for s in (engine, index.searcher("here")))
        assert own.keys() == other.keys()
        for key, hit in own.items():
            assert (hit.passage, hit.counts, hit.length) == (other[key].passage, other[key].counts, other[key].length)
            assert hit.cosine == pytest.approx(other[key].cosine, abs=0.002)
            assert hit.vector == pytest.approx(other[key].vector, abs=0.002)
    index.close()
    derived.close()
    engine.close()


def test_rows_without_a_vector_or_with_one_of_zeros_are_found_by_their_words(place: Place, model: Embedder) -> None:
    filled(place, model).run(
        "UPDATE notes SET meaning = NULL WHERE id = 1",
        f"UPDATE notes SET meaning = '{literal([0.0] * 384)}' WHERE id = 2",
    )
    engine = opened(place, model)
    found = {hit.memory.id: hit for hit in engine.search(asked("a winch and a cup of tea", model), 10)}
    assert [(found[key].cosine, bool(found[key].counts)) for key in "12"] == [(None, True), (None, True)]
    assert found["3"].cosine is not None
    engine.close()


@pytest.mark.parametrize("kind", ["vector", "halfvec"])
def test_a_row_whose_vector_has_another_length_is_found_by_its_words_and_silences_no_other(
    kind: str, place: Place, model: Embedder
) -> None:
    engine = opened(filled(place, model, kind), model)
    place.run("UPDATE notes SET meaning = '[1,2,3]' WHERE id = 1")
    found = {hit.memory.id: hit for hit in engine.search(asked("a winch and caring for a pet", model), 10)}
    assert (found["1"].cosine, bool(found["1"].counts)) == (None, True)
    assert found["3"].cosine is not None
    engine.close()


def test_a_column_that_was_given_another_length_is_told_in_one_line(place: Place, model: Embedder) -> None:
    engine = opened(filled(place, model), model)
    place.run("UPDATE notes SET meaning = NULL", "ALTER TABLE notes ALTER meaning TYPE vector(3)")
    place.run("UPDATE notes SET meaning = '[1,2,3]'")
    with pytest.raises(ConfigError, match="meaning of notes now holds vectors of 3 numbers") as refused:
        engine.search(asked("winch", model), 10)
    assert refused.value.hint
    engine.close()


def test_times_and_tags_bound_what_is_near(place: Place, model: Embedder) -> None:
    engine = opened(filled(place, model), model)
    query = asked("caring for a pet", model)
    for bounds, expected in (
        ({"since": datetime(2026, 5, 2, 10, tzinfo=UTC)}, ["2", "3"]),
        ({"until": datetime(2026, 5, 1, 10, tzinfo=UTC)}, ["1"]),
        ({"tags": ("home",)}, ["3", "4"]),
    ):
        assert sorted(ids(engine.search(replace(query, **bounds), 10))) == expected
    assert ids(engine.search(query, 1)) == ["3"]
    engine.close()


def test_of_a_long_row_the_passage_that_says_most_is_shown(place: Place, model: Embedder) -> None:
    long = "\n\n".join(f"## Part {number}\n\n" + "Nothing is told of it here. " * 60 for number in range(5))
    body = f"{long}\n\n## Last\n\nA zeppelin landed."
    place.run(
        "ALTER TABLE notes ADD meaning vector",
        f"INSERT INTO notes VALUES (1, '{body}', '', NULL, NULL, DEFAULT, '{literal(model.embed([body])[0])}')",
    )
    engine = opened(place, model)
    (hit,) = engine.search(asked("zeppelin", model), 10)
    assert "A zeppelin landed." in hit.passage.text
    assert hit.cosine is not None
    (first,) = engine.search(asked("quarrel", model), 10)
    assert (first.passage.ordinal, first.counts) == (0, {})
    engine.close()


def test_a_question_of_another_model_is_answered_by_words_and_the_source_says_so(place: Place, model: Embedder) -> None:
    filled(place, model)
    ours, other = opened(place, model), opened(place, Even(), replace(NOTES, vector_model=model.identity))
    assert any(model.identity in note and "column meaning" in note for note in ours.health().notes)
    assert ids(other.search(asked("winch", Even()), 10)) == ["1"]
    assert other.search(asked("winch", Even()), 10)[0].cosine is None
    assert any("not the model in use" in note for note in other.health().notes)
    ours.close()
    other.close()


def test_an_index_for_the_distance_is_walked_as_far_as_is_asked(place: Place) -> None:
    """By itself pgvector would give forty rows."""
    model = Even()
    rows = ", ".join(
        f"({n}, 'Ship {n}.', '', '2026-05-01', '{{}}', DEFAULT, '{literal(v)}')"
        for n, v in enumerate(model.embed([f"{n * 7919 % 10_000_019:08}" for n in range(3000)]))
    )
    place.run(
        "ALTER TABLE notes ADD meaning vector(8)",
        f"INSERT INTO notes VALUES {rows}",
        "CREATE INDEX ON notes USING hnsw (meaning vector_cosine_ops)",
        "ANALYZE notes",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_seqscan = off', current_database()); END $$",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_sort = off', current_database()); END $$",
    )
    engine = opened(place, model)
    assert engine.vectors is not None
    vector = asked("00000042", model).vector
    assert vector is not None
    found = engine.vectors.nearest(vector, 300)
    assert len({key for key, *_ in found}) == 300
    engine.close()


def test_names_with_every_sign_and_pgvector_in_a_schema_of_its_own(place: Place, model: Embedder) -> None:
    filled(place, model).run(
        'CREATE SCHEMA "odd \'schema"',
        'ALTER EXTENSION vector SET SCHEMA "odd \'schema"',
        'ALTER TABLE notes RENAME meaning TO "m""ea%sn; --"',
        "CREATE DOMAIN key AS integer",
        "ALTER TABLE notes ALTER id TYPE key",
    )
    columns = replace(NOTES, vector='m"ea%sn; --')
    assert own_model("postgres", place.location, columns, model) == model.identity
    engine = opened(place, model, columns)
    assert nearest(engine.search(asked("caring for a pet", model), 10)) == "3"
    engine.close()


# Which vectors are taken.


@pytest.mark.parametrize("name", ["", "all-MiniLM-L6-v2", "ALL-minilm-l6-v2"])
def test_vectors_are_taken_that_the_model_in_use_makes_of_the_rows(name: str, place: Place, model: Embedder) -> None:
    """Also where they were made of the text alone, without the title."""
    vectors = model.embed([body for _, body, *_ in ROWS])
    filled(place, model)
    for (number, *_), vector in zip(ROWS, vectors, strict=True):
        place.run(f"UPDATE notes SET meaning = '{literal(5 * vector)}' WHERE id = {number}")
    assert own_model("postgres", place.location, replace(NOTES, vector_model=name), model) == model.identity


def test_a_column_that_is_still_empty_is_taken_by_its_dimension(place: Place, model: Embedder) -> None:
    place.run("ALTER TABLE notes ADD meaning vector(384)")
    assert own_model("postgres", place.location, NOTES, model) == model.identity


def test_vectors_of_another_model_are_refused_in_one_line(place: Place, model: Embedder) -> None:
    place.run("ALTER TABLE notes ADD meaning vector", "ALTER TABLE notes ADD short halfvec(8)")
    strange = np.random.default_rng(7).normal(size=384)
    place.run(f"INSERT INTO notes VALUES (1, 'The winch.', '', NULL, NULL, DEFAULT, '{literal(strange)}', NULL)")
    refusals = {
        "is not what all-MiniLM-L6-v2": (NOTES, model),
        "vectors of text-embedding-3-small cannot be compared": (
            replace(NOTES, vector_model="text-embedding-3-small"),
            model,
        ),
        "holds vectors of 8 numbers, and all-MiniLM": (replace(NOTES, vector="short"), model),
        "holds vectors of 384 numbers, and even/8 makes 8": (NOTES, Even()),
        "no column 'body' of type vector": (replace(NOTES, vector="body"), model),
        "without an embedding model": (NOTES, None),
    }
    for said, (columns, embedder) in refusals.items():
        with pytest.raises(ConfigError, match=said) as refused:
            own_model("postgres", place.location, columns, embedder)
        assert "\n" not in refused.value.message + refused.value.hint
        assert refused.value.hint
    with pytest.raises(ConfigError, match="a mysql source has no column of vectors"):
        own_model("mysql", ServedAt("mysql://x@127.0.0.1:1/x"), NOTES, model)


def test_a_column_that_went_is_told_with_those_that_are_there(place: Place, model: Embedder) -> None:
    engine = opened(filled(place, model), model)
    place.run("ALTER TABLE notes RENAME meaning TO sense")
    health = engine.health()
    assert (health.usable, "no column 'meaning'" in health.reason, health.hint) == (False, True, "it has: sense")
    with pytest.raises(ConfigError, match="meaning"):
        engine.search(asked("winch", model), 10)
    engine.close()
