"""Tables that are searched by a full-text column, table or index of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.index import open_index
from mmind.stores.registry import own_words
from mmind.stores.served import ServedAt
from mmind.stores.wrapped_search import SearchingTable, forms_of
from mmind.text.bm25 import bm25
from mmind.text.fields import weighted
from mmind.text.prepared import prepare
from mmind.text.tokens import query_terms
from mmind.values.errors import ConfigError, EngineUnavailable
from mmind.values.ports import Searcher
from mmind.values.query import Hit, Query
from mmind.values.wrapped import Columns
from tests.servers import Servers
from tests.servers.postgres import PASSWORD, PostgresPlaces
from tests.stores.test_wrapped import KINDS, MARKS, ROWS, TABLE, Place

NOTES = Columns(table="notes", id="id", text="body", title="title", time="changed", tags="labels", search="words")
OWN = {
    "sqlite": (
        "CREATE VIRTUAL TABLE words USING fts5(title, body, content='notes', content_rowid='id', tokenize='porter')",
        (
            "CREATE TRIGGER added AFTER INSERT ON notes BEGIN"
            " INSERT INTO words(rowid, title, body) VALUES (new.id, new.title, new.body); END"
        ),
        (
            "CREATE TRIGGER removed AFTER DELETE ON notes BEGIN"
            " INSERT INTO words(words, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END"
        ),
        (
            "CREATE TRIGGER edited AFTER UPDATE ON notes BEGIN"
            " INSERT INTO words(words, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);"
            " INSERT INTO words(rowid, title, body) VALUES (new.id, new.title, new.body); END"
        ),
    ),
    "postgres": (
        (
            "ALTER TABLE notes ADD words tsvector GENERATED ALWAYS AS"
            " (to_tsvector('english', coalesce(title, '') || ' ' || coalesce(body, ''))) STORED"
        ),
        "CREATE INDEX ON notes USING gin(words)",
    ),
    "mysql": ("CREATE FULLTEXT INDEX words ON notes(title, body)",),
}
MORE = (
    "INSERT INTO notes VALUES (3, 'The winch of the winch house: a winch for each ferry.', 'Winches', NULL, NULL)",
    (
        "INSERT INTO notes VALUES (4, 'Tea is drunk at four, far away from any ferry and from any winch that may"
        " be there in the harbour, beside the old house where nobody lives and where nothing is ever heard of the"
        " boats.', 'Tea', '2026-05-04 10:00:00', 'quay')"
    ),
    "INSERT INTO notes VALUES (5, 'The harbour master lives in the old house.', 'Harbour', '2026-05-05 10:00:00', '')",
)
HOSTILE = (
    "' OR '1'='1",
    "winch'; DROP TABLE notes; --",
    'winch" OR "x',
    "winch & | ! <-> :* ( )",
    "+winch -ferry ~drum >a <b @4 *",
    "NEAR(winch ferry, 2) title:winch ^winch {title}: winch",
    "%s %(x)s %% winch {} {0}",
    "winch\0\ud800\\",
    "`winch` $1 $$winch$$ \\' \\\"",
    "ferry/winch.house-4 C++ don't 1,000 備份 🚀",
    "winch " * 5000,
)


def asked(text: str) -> Query:
    return Query(text, query_terms(text))


def ids(hits: object) -> list[str]:
    assert isinstance(hits, list)
    return [hit.memory.id for hit in hits]


@pytest.fixture(params=MARKS)
def place(request: pytest.FixtureRequest, servers: Servers, tmp_path: Path) -> Place:
    made = KINDS[request.param](tmp_path, servers)
    made.run(TABLE, *OWN[request.param], *ROWS, *MORE)
    return made


@pytest.fixture
def postgres(servers: Servers, tmp_path: Path) -> Place:
    return KINDS["postgres"](tmp_path, servers)


def opened(place: Place, columns: Columns = NOTES) -> SearchingTable:
    engine = place.open(columns)
    assert isinstance(engine, SearchingTable)
    return engine


def test_a_hit_is_what_our_own_tokens_make_of_the_row(place: Place) -> None:
    engine = opened(place)
    (hit,) = engine.search(asked("which drums are new?"), 10)
    row = engine.get("2")
    assert row is not None
    (passage,) = prepare(row).passages
    counts, length = weighted(passage.tokens, query_terms("which drums are new?"))
    assert (hit.memory, hit.passage) == (replace(row, text=""), passage.passage)
    assert (hit.counts, hit.length, hit.pairs) == (counts, length, frozenset({0}))
    assert (hit.cosine, hit.vector) == (None, None)
    engine.close()


@pytest.mark.parametrize("text", ["winch", "ferry winch", "the old house", "harbour tea drum", "winches of the quay"])
def test_the_order_and_the_scores_are_those_of_the_derived_index(text: str, place: Place, tmp_path: Path) -> None:
    engine, derived = opened(place), place.open(replace(NOTES, search=""))
    index = open_index(tmp_path / "index.db", {"here": derived}, None, lambda: datetime(2026, 11, 30, tzinfo=UTC))
    index.complete(lambda _: None, rebuild=False)
    own, other = (_scored(searcher, text) for searcher in (engine, index.searcher("here")))
    assert own == other
    assert own
    index.close()
    derived.close()
    engine.close()


def _scored(searcher: Searcher, text: str) -> list[tuple[str, float]]:
    """The hits by the BM25 of their own counts, with statistics that are the same for both."""
    from mmind.values.query import TermStatistics

    query = asked(text)
    statistics = TermStatistics(5, 60.0, dict.fromkeys(query.terms, 2))

    def score(hit: Hit) -> float:
        return round(bm25(hit.counts or {}, hit.length, statistics, query.terms), 6)

    return sorted((hit.memory.id, score(hit)) for hit in searcher.search(query, 10))


def test_statistics_count_rows_passages_and_the_rows_of_each_word(place: Place) -> None:
    engine = opened(place)
    query = asked("winch tea zeppelin")
    engine.search(query, 10)
    told = engine.statistics(query.terms)
    rows = [prepare(row) for key in "12345" if (row := engine.get(key))]
    assert (told.passages, told.frequencies) == (5, {"winch": 3, "tea": 1})
    assert told.total_length == pytest.approx(sum(passage.length for row in rows for passage in row.passages))
    assert (engine.freshness().entries, engine.freshness().pending_words) == (5, 0)
    engine.close()


def test_what_its_own_program_changes_is_in_the_next_answer(place: Place) -> None:
    engine = opened(place)
    assert ids(engine.search(asked("zeppelin"), 10)) == []
    place.run(
        "INSERT INTO notes VALUES (6, 'A zeppelin came.', '', '2026-06-01 10:00:00', '')",
        "UPDATE notes SET body = 'The zeppelin is new.' WHERE id = 2",
        "DELETE FROM notes WHERE id = 3",
    )
    assert sorted(ids(engine.search(asked("zeppelin"), 10))) == ["2", "6"]
    assert ids(engine.search(asked("drum"), 10)) == []
    assert sorted(ids(engine.search(asked("winch"), 10))) == ["1", "4"]
    engine.close()


def test_times_and_tags_bound_what_is_found(place: Place) -> None:
    engine = opened(place)
    query = asked("winch house drum")
    may = datetime(2026, 5, 1, 10, tzinfo=UTC)
    for bounds, expected in (
        ({"since": may}, ["1", "2", "4", "5"]),  # a row without a time is outside any
        ({"since": may.replace(day=2)}, ["2", "4", "5"]),
        ({"until": may}, ["1"]),
        ({"since": may.replace(day=2), "until": may.replace(day=4)}, ["2", "4"]),
        ({"tags": ("#Quay",)}, ["1", "4"]),
        ({"tags": ("quay", "ferry")}, ["1"]),
        ({"tags": ("no such",)}, []),
    ):
        assert sorted(ids(engine.search(replace(query, **bounds), 10))) == expected
    assert len(engine.search(query, 2)) == 2
    assert list(engine.search(query, 0)) == []
    engine.close()


def test_hostile_questions_find_words_and_harm_nothing(place: Place) -> None:
    engine = opened(place)
    for text in HOSTILE:
        query = asked(text)
        found = ids(engine.search(query, 10))
        assert set(found) >= ({"1", "3"} if "winch" in query.terms else set())
        assert engine.statistics(query.terms).passages == 5
        engine.statistics(query.terms)  # without a search before
    assert ids(engine.search(asked("drum"), 10)) == ["2"]
    engine.close()


def test_names_with_every_sign_in_them_are_quoted(place: Place) -> None:
    sign = "`" if place.kind == "mysql" else '"'

    def quoted(name: str) -> str:
        return sign + name.replace(sign, sign * 2) + sign

    table, column, words = f"my {sign}no'tes; --", f"b{sign}o%sdy", f"wo{sign}r%ds'"
    made = {
        "sqlite": f"CREATE VIRTUAL TABLE {quoted(words)} USING fts5({quoted(column)}, content={quoted(table)})",
        "postgres": f"ALTER TABLE {quoted(table)} ADD {quoted(words)} tsvector GENERATED ALWAYS AS"
        f" (to_tsvector('english', {quoted(column)})) STORED",
        "mysql": f"CREATE FULLTEXT INDEX {quoted(words)} ON {quoted(table)}({quoted(column)})",
    }[place.kind]
    filled = [f"INSERT INTO {quoted(words)}({quoted(words)}) VALUES ('rebuild')"] if place.kind == "sqlite" else []
    place.run(
        f"CREATE TABLE {quoted(table)} (id varchar(20), {quoted(column)} varchar(50))",
        made,
        f"INSERT INTO {quoted(table)} VALUES ('a''b', 'The ropes are old.')",
        *filled,
    )
    columns = Columns(table=table, id="id", text=column, search=words)
    assert own_words(place.kind, place.location, columns) == [words]
    engine = opened(place, columns)
    assert ids(engine.search(asked("ropes"), 10)) == ["a'b"]
    engine.close()


def test_a_search_that_is_not_there_is_refused_with_those_that_are(place: Place) -> None:
    engine = opened(place, replace(NOTES, search="wordz"))
    with pytest.raises(ConfigError, match="wordz") as refused:
        engine.search(asked("winch"), 10)
    assert "words" in refused.value.hint
    health = engine.health()
    assert (health.usable, "wordz" in health.reason) == (False, True)
    assert engine.statistics(("winch",)).passages == 0
    engine.close()


def test_a_table_that_searches_itself_is_never_written(place: Place) -> None:
    engine = opened(place)
    row = engine.get("1")
    assert row is not None
    for write in (lambda: engine.put(row), lambda: engine.delete("1")):
        with pytest.raises(EngineUnavailable, match="read in place"):
            write()
    assert engine.health().usable
    assert engine.health().entries == 5
    assert "words" in engine.health().notes[0]
    engine.close()


def test_of_a_long_row_the_passages_that_hold_the_words_are_found(place: Place) -> None:
    parts = "\n\n".join(f"## Part {number}\n\n" + "Nothing is told of it here. " * 60 for number in range(12))
    place.run(f"INSERT INTO notes VALUES (6, '{parts}\n\n## Last\n\nThe zeppelin landed.', '', NULL, '')")
    engine = opened(place)
    (hit,) = engine.search(asked("zeppelin"), 10)
    assert "The zeppelin landed." in hit.passage.text
    assert hit.passage.line_start > 1
    assert ids(engine.search(asked("nothing is told here"), 10)).count("6") == 3
    engine.close()


# How a Postgres column is filled, and questions in its configuration.

FILLED: dict[str, Callable[[str], tuple[str, ...]]] = {
    "generated": lambda language: (
        f"ALTER TABLE notes ADD words tsvector GENERATED ALWAYS AS (to_tsvector('{language}', body)) STORED",
    ),
    "trigger": lambda language: (
        "ALTER TABLE notes ADD words tsvector",
        (
            "CREATE TRIGGER fill BEFORE INSERT OR UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION"
            f" tsvector_update_trigger('words', 'pg_catalog.{language}', 'body')"
        ),
    ),
}


@pytest.mark.server
@pytest.mark.parametrize("filled", FILLED)
def test_the_column_is_asked_in_its_own_configuration(filled: str, postgres: Place) -> None:
    """German cuts both to "haus"; English would ask for "häuser" and find nothing."""
    postgres.run(TABLE, *FILLED[filled]("german"), "INSERT INTO notes VALUES (1, 'Die alten Häuser am Kai.')")
    engine = opened(postgres)
    assert ids(engine.search(asked("Häuser"), 10)) == ["1"]
    assert engine.words.frequencies([["Haus"], ["die"], ["houses"]]) == [1, None, 0]
    engine.close()


@pytest.mark.server
def test_the_only_full_text_column_is_offered_and_of_several_all(postgres: Place) -> None:
    postgres.run(TABLE)
    assert own_words("postgres", postgres.location, replace(NOTES, search="")) == []
    postgres.run("ALTER TABLE notes ADD words tsvector")
    assert own_words("postgres", postgres.location, replace(NOTES, search="")) == ["words"]
    postgres.run("ALTER TABLE notes ADD titles tsvector")
    assert own_words("postgres", postgres.location, replace(NOTES, search="")) == ["words", "titles"]


@pytest.mark.server
def test_a_large_table_is_counted_by_the_planners_estimate(postgres: Place) -> None:
    postgres.run(
        TABLE.replace("CREATE", "CREATE UNLOGGED"),
        *OWN["postgres"],
        "INSERT INTO notes SELECT n, 'Ship ' || n || CASE WHEN n % 10 = 0 THEN ' carries a winch.' ELSE ' is far.' END"
        " FROM generate_series(1, 120000) n",
        "ANALYZE notes",
    )
    engine = opened(postgres)
    winches, ships, nothing = engine.words.frequencies([["winches"], ["ships"], ["zeppelin"]])
    assert winches is not None
    assert 9_000 < winches < 15_000
    assert ships is not None
    assert ships > 110_000
    assert nothing is not None
    assert nothing < 1_000
    assert "110000" in ids(engine.search(asked("ship 110000 winch"), 10))
    engine.close()


def test_the_forms_of_a_term_are_the_words_that_were_asked() -> None:
    text = "Running the atomic_write_json of ferry/winch, running, runs?"
    forms = forms_of(text, query_terms(text))
    assert forms["run"] == ["Running", "runs", "run"]
    assert forms["atom"] == ["atomic", "atom"]
    assert forms["atomicwritejson"] == ["atomic_write_json", "atomicwritejson"]
    assert forms["winch"] == ["winch"]
    assert forms_of("", ("migrat",)) == {"migrat": ["migrat"]}


# Faults name the variable in use, and what to do about a table that is not ours.


@pytest.mark.server
@pytest.mark.parametrize("kind", ["postgres", "mysql"])
def test_a_server_that_is_not_there_is_told_with_the_variable_in_use(kind: str) -> None:
    place = Place(kind, ServedAt(f"{kind}://mads:secret@127.0.0.1:1/crm", "CRM_URL"), lambda: None)
    for columns in (NOTES, replace(NOTES, search="")):
        engine = place.open(columns)
        health = engine.health()
        assert "CRM_URL" in health.hint
        assert "MMIND_" not in health.hint + health.reason
        assert "secret" not in health.hint + health.reason
        engine.close()


@pytest.mark.server
def test_a_role_that_may_not_read_the_table_is_told_which_right_it_lacks(postgres: Place, servers: Servers) -> None:
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    assert isinstance(postgres.location, ServedAt)
    database = postgres.location.url.rpartition("/")[2]
    postgres.run(TABLE, *OWN["postgres"], f"CREATE ROLE poor_{database} LOGIN PASSWORD '{PASSWORD}'")
    url = running.cluster.url(database, f"poor_{database}")
    engine = replace(postgres, location=ServedAt(url, "CRM_URL")).open(NOTES)
    assert "GRANT SELECT ON notes" in engine.health().hint
    assert "schema mmind" not in str(engine.health())
    engine.close()
