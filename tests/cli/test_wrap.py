"""`mmind wrap` and `mmind unwrap`, as processes."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.running import Run, answered, refused
from tests.servers import Servers
from tests.servers.postgres import PASSWORD, PostgresPlaces


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    file = tmp_path / "tickets.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE tickets(number integer PRIMARY KEY, body text, subject text, changed text)")
        connection.execute(
            "INSERT INTO tickets VALUES (7, 'The crane at pier 4 is out of order.', 'Crane', '2026-05-01')"
        )
    connection.close()
    return file


COLUMNS = ("--table", "tickets", "--id", "number", "--text", "body", "--title", "subject", "--time", "changed")


def test_a_wrapped_table_is_a_source_that_answers_and_is_never_written(mmind: Run, tickets: Path) -> None:
    before = tickets.read_bytes()
    done = mmind("wrap", "sqlite", str(tickets), *COLUMNS, "--name", "desk")
    assert (done.returncode, done.stdout) == (0, f"wrapped desk: {tickets}/tickets\n")
    found = answered(mmind("retrieve", "crane at the pier", "--store", "desk", "--json"))
    assert [result["id"] for result in found["results"]] == ["desk:7"]
    assert found["results"][0]["provenance"][0]["time"].startswith("2026-05-01")
    assert mmind("get", "desk:7").stdout == "The crane at pier 4 is out of order."
    sources = {store["name"]: store for store in answered(mmind("sources", "--json"))["stores"]}
    assert (sources["desk"]["engine"], sources["desk"]["access"]) == ("sqlite", "read")
    assert "only reads it" in refused(mmind("store", "x", "--store", "desk"))[1]
    assert "only reads it" in refused(mmind("forget", "desk:7", "--yes"))[1]
    assert tickets.read_bytes() == before


def test_a_table_with_one_full_text_table_is_searched_by_it_unless_the_user_says_otherwise(
    mmind: Run, tickets: Path
) -> None:
    with sqlite3.connect(tickets) as connection:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(body, content='tickets', content_rowid='number')")
        connection.execute("INSERT INTO words(words) VALUES ('rebuild')")
    connection.close()
    done = mmind("wrap", "sqlite", str(tickets), *COLUMNS, "--name", "desk")
    assert "searched by its own FTS5 table words" in done.stderr
    derived = shutil.copy(tickets, tickets.with_name("derived.db"))
    mmind("wrap", "sqlite", str(derived), *COLUMNS, "--name", "both", "--derived")
    found = answered(mmind("retrieve", "crane at the pier", "--json"))
    places = {place["store"] for result in found["results"] for place in result["provenance"]}
    assert places == {"desk", "both"}
    stores = {store["name"]: store for store in answered(mmind("sources", "--json"))["stores"]}
    assert any("own FTS5 table" in note for note in stores["desk"]["notes"])
    assert not any("own FTS5 table" in note for note in stores["both"].get("notes", ()))
    code, said = refused(mmind("wrap", "sqlite", str(tickets), *COLUMNS, "--name", "desk", "--search", "wordz"))
    assert (code, "there are: words" in said) == (5, True)


def test_two_vaults_stand_beside_each_other(mmind: Run, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "crane.md").write_text("The crane at pier 4 is out of order.\n")
    mmind("wrap", "vault", str(tmp_path / "work"))
    found = answered(mmind("retrieve", "crane or rent", "--json", MMIND_VAULT_PATH=str(vault)))
    assert {"work:crane.md", "markdown:home/flat.md"} <= {result["id"] for result in found["results"]}


def test_an_unwrapped_source_is_searched_no_longer(mmind: Run, tickets: Path) -> None:
    mmind("wrap", "sqlite", str(tickets), *COLUMNS)
    assert mmind("unwrap", "tickets").returncode == 0
    assert "tickets" not in {store["name"] for store in answered(mmind("sources", "--json"))["stores"]}
    assert refused(mmind("unwrap", "tickets"))[0] == 3
    assert refused(mmind("unwrap", "sqlite"))[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sqlite", "FILE", "--table", "tickets", "--id", "number"), "needs --text"),
        (("sqlite", "--table", "tickets", "--id", "number", "--text", "body"), "needs PATH"),
        (("sqlite", "FILE", "--table", "ticket", "--id", "number", "--text", "body"), "its tables: tickets"),
        (("sqlite", "FILE", "--table", "tickets", "--id", "number", "--text", "boddy"), "its columns: number, body"),
        (("sqlite", "FILE", *COLUMNS, "--name", "leveldb"), "leveldb is a store already"),
        (("sqlite", "FILE", *COLUMNS, "--name", "../x"), "cannot be a source's name"),
        (("vault", "FILE.gone"), "does not exist"),
        (("jsonl", "FILE"), "no line of it is an entity"),
        (("postgres", "--table", "t", "--id", "i", "--text", "b"), "set MMIND_POSTGRES_URL"),
        (("postgres", "--table", "t", "--id", "i", "--text", "b", "--url-env", "CRM_URL"), "set CRM_URL"),
    ],
)
def test_what_cannot_be_read_is_refused_and_not_kept(
    words: tuple[str, ...], said: str, mmind: Run, tickets: Path
) -> None:
    done = mmind("wrap", *(word.replace("FILE", str(tickets)) for word in words))
    assert done.returncode in (2, 5, 6)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(answered(mmind("sources", "--json"))["stores"]) == 5


def test_what_mmind_keeps_itself_cannot_be_wrapped(mmind: Run) -> None:
    """Agents' documents would come back with the trust of the user's notes."""
    mmind("store", "The crane is out of order.", "--store", "files")
    mmind("store", "The crane is out of order.")
    home = Path(mmind("config", "path").stdout.strip()).parent
    for words in (
        ("vault", str(home / "files")),
        ("sqlite", str(home / "memory.db"), "--table", "memories", "--id", "id", "--text", "text"),
    ):
        code, said = refused(mmind("wrap", *words))
        assert "it is searched already" in said
        assert code == 2


def test_a_source_in_the_saved_file_that_makes_no_sense_is_told_with_its_line(mmind: Run, tickets: Path) -> None:
    mmind("wrap", "sqlite", str(tickets), *COLUMNS)
    config = Path(mmind("config", "path").stdout.strip())
    config.write_text(config.read_text().replace('kind = "sqlite"', 'kind = "sqlight"'))
    done = mmind("sources")
    assert "sources.tickets has kind 'sqlight'" in done.stderr
    assert "config.toml line " in done.stderr


@pytest.mark.server
def test_the_url_of_a_wrapped_table_comes_from_the_environment_and_is_kept_nowhere(
    mmind: Run, servers: Servers, tmp_path: Path
) -> None:
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    running.cluster.sql(
        running.database(str(tmp_path)),
        "CREATE TABLE notes(id bigint, body text)",
        "INSERT INTO notes VALUES (7, 'The crane at pier 4 is out of order.')",
    )
    url = running.url(str(tmp_path))
    columns = ("--table", "notes", "--id", "id", "--text", "body")
    done = mmind("wrap", "postgres", *columns, "--name", "team", "--url-env", "TEAM_URL", TEAM_URL=url)
    assert done.returncode == 0, done.stderr
    found = answered(mmind("retrieve", "crane", "--store", "team", "--json", TEAM_URL=url))
    assert [result["id"] for result in found["results"]] == ["team:7"]
    silent = mmind("retrieve", "crane", "--store", "team", "--json")
    assert "set TEAM_URL" in silent.stdout + silent.stderr
    shown = done.stdout + done.stderr + mmind("sources", TEAM_URL=url).stdout + str(found)
    home = Path(mmind("config", "path").stdout.strip()).parent
    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert PASSWORD not in shown
    assert url not in shown
    assert PASSWORD.encode() not in kept
    assert url.encode() not in kept


@pytest.mark.server
def test_a_table_with_a_full_text_column_answers_without_being_indexed_here(
    mmind: Run, servers: Servers, tmp_path: Path
) -> None:
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    database = running.database(str(tmp_path))
    running.cluster.sql(
        database,
        "CREATE TABLE notes(id bigint PRIMARY KEY, body text NOT NULL, changed timestamptz, labels text[],"
        " words tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED)",
        "CREATE INDEX ON notes USING gin(words)",
        "INSERT INTO notes SELECT n, 'Ship ' || n || ' lies in the harbour since spring.', '2026-05-01', '{ship}'"
        " FROM generate_series(1, 5000) n",
        "INSERT INTO notes VALUES (9001, 'The winches of the ferry were running hot.', '2026-06-01', '{ferry,winch}')",
    )
    url = running.url(str(tmp_path))
    columns = ("--table", "notes", "--id", "id", "--text", "body", "--time", "changed", "--tags", "labels")
    assert mmind("wrap", "postgres", *columns, "--name", "team", MMIND_POSTGRES_URL=url).returncode == 0
    mmind("store", "The winch of the crane runs cold.")

    def found(*words: str) -> list[str]:
        done = mmind("retrieve", *words, "--json", MMIND_POSTGRES_URL=url)
        assert done.stderr == ""
        return [result["id"] for result in json.loads(done.stdout)["results"]]

    assert found("which ferry winch runs hot?")[0] == "team:9001"
    assert len(found("which winch runs?")) == 2
    assert found("ship 4711 in the harbour", "--store", "team")[0] == "team:4711"
    assert found("winch", "--store", "team", "--until", "2026-05-15") == []
    assert found("ferry winch ship", "--store", "team", "--tag", "winch") == ["team:9001"]
    assert found("'; DROP TABLE notes; -- zeppelin", "--store", "team") == []
    running.cluster.sql(database, "UPDATE notes SET body = 'A zeppelin came.' WHERE id = 3")
    assert found("zeppelin", "--store", "team") == ["team:3"]
    running.cluster.sql(database, "DELETE FROM notes WHERE id = 3")
    assert found("zeppelin", "--store", "team") == []
    index = Path(mmind("config", "path").stdout.strip()).with_name("index.db")
    with sqlite3.connect(index) as connection:
        ((memories,),) = connection.execute("SELECT count(*) FROM memory").fetchall()
    connection.close()
    assert memories == 1


@pytest.mark.server
def test_a_table_with_vectors_of_our_model_is_found_by_meaning_without_being_indexed_here(
    mmind: Run, servers: Servers, tmp_path: Path
) -> None:
    from mmind.embedding.choose import open_embedder

    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    embedder = open_embedder("local", "", "")
    assert embedder is not None
    texts = ("The ferry winch takes 12 t.", "The dog needs a walk twice a day.")
    rows = [
        f"({number}, '{text}', DEFAULT, '[{','.join(map(str, vector.tolist()))}]')"
        for number, (text, vector) in enumerate(zip(texts, embedder.embed(texts), strict=True))
    ]
    running.cluster.sql(
        running.database(str(tmp_path)),
        "CREATE TABLE notes(id bigint, body text, words tsvector GENERATED ALWAYS AS (to_tsvector('english', body))"
        " STORED, meaning vector(384), other vector(3))",
        f"INSERT INTO notes VALUES {', '.join(rows)}",
    )
    local = {"MMIND_POSTGRES_URL": running.url(str(tmp_path)), "MMIND_EMBED_MODEL": "local"}
    columns = ("--table", "notes", "--id", "id", "--text", "body", "--name", "team")

    def refusal(*words: str, **environ: str) -> str:
        return refused(mmind("wrap", "postgres", *columns, *words, **{**local, **environ}))[1]

    assert "holds vectors of 3 numbers" in refusal("--vector", "other")
    assert "without an embedding model" in refusal("--vector", "meaning", MMIND_EMBED_MODEL="none")
    assert "--derived makes vectors here" in refusal("--vector", "meaning", "--derived")
    assert "name their column with --vector" in refusal("--vector-model", "all-MiniLM-L6-v2")
    assert len(answered(mmind("sources", "--json", **local))["stores"]) == 5
    done = mmind("wrap", "postgres", *columns, "--vector", "meaning", **local)
    assert done.returncode == 0, done.stderr
    assert f"by vectors of {embedder.identity} in its own column meaning" in done.stderr
    found = json.loads(mmind("retrieve", "how heavy a load can the hoist lift?", "--json", **local).stdout)
    assert found["results"][0]["id"] == "team:0"
    index = Path(mmind("config", "path").stdout.strip()).with_name("index.db")
    assert not index.exists() or b"winch" not in index.read_bytes()
    embedder.close()


@pytest.mark.server
def test_vectors_without_full_text_search_beside_them_are_refused(
    mmind: Run, servers: Servers, tmp_path: Path, tickets: Path
) -> None:
    running = servers.get("postgres")
    assert isinstance(running, PostgresPlaces)
    running.cluster.sql(running.database(str(tmp_path)), "CREATE TABLE notes(id bigint, body text, meaning vector(3))")
    columns = ("--table", "notes", "--id", "id", "--text", "body", "--vector", "meaning")
    url = running.url(str(tmp_path))
    assert "needs a full-text column" in refused(mmind("wrap", "postgres", *columns, MMIND_POSTGRES_URL=url))[1]
    assert "no column of vectors" in refused(mmind("wrap", "sqlite", str(tickets), *COLUMNS, "--vector", "body"))[1]
    config = Path(mmind("config", "path").stdout.strip())
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(
        '[sources.team]\nkind = "postgres"\ntable = "notes"\nid = "id"\ntext = "body"\nvector = "meaning"\n'
    )
    assert "needs search and vector_model beside it" in mmind("sources").stderr
