"""The tables of `index.db`, and when they are of another version than this program reads and writes.

`passage` numbers and `vector` numbers are never used again (AUTOINCREMENT), so that "newer than the last I saw" is a
number. A passage is never changed in place: a changed memory gets new ones. Each source (a store at a location) has a
full-text table of its own, `words_<source>`: a search reads nothing of other stores or of another project's vault,
its document frequencies need no counting, and a source is forgotten by dropping its table. Beside it stands
`spelling_<source>` with the words as they are spelled, each with the term it is found by.
"""

from __future__ import annotations

import os
import re
import string
from typing import TYPE_CHECKING

from mmind.disk.transaction import transaction
from mmind.text.passages import PASSAGES_VERSION
from mmind.text.spelling import SPELLING_VERSION
from mmind.text.tokens import TOKENIZER_VERSION
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    import apsw

SCHEMA_VERSION = 1

_VECTOR_TABLES = """
CREATE TABLE IF NOT EXISTS model(number INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS vector(
  number INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, digest BLOB NOT NULL, value BLOB NOT NULL,
  UNIQUE(model, digest));
"""

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source(
  number INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT NOT NULL, location TEXT NOT NULL, used INTEGER NOT NULL,
  cursor TEXT NOT NULL DEFAULT '', began INTEGER, finished INTEGER, cost REAL NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT -1, fault TEXT NOT NULL DEFAULT '', hint TEXT NOT NULL DEFAULT '',
  skipped TEXT NOT NULL DEFAULT '[]', memories INTEGER NOT NULL DEFAULT 0, passages INTEGER NOT NULL DEFAULT 0,
  length REAL NOT NULL DEFAULT 0, removals INTEGER NOT NULL DEFAULT 0, UNIQUE(store, location));
CREATE TABLE memory(
  number INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL,
  tags TEXT NOT NULL, aliases TEXT NOT NULL, created INTEGER, time INTEGER, time_kind TEXT NOT NULL,
  trust TEXT NOT NULL, writer TEXT NOT NULL, session TEXT NOT NULL, path TEXT NOT NULL, fingerprint TEXT NOT NULL,
  format TEXT NOT NULL, truncated INTEGER NOT NULL, tag_keys TEXT NOT NULL, UNIQUE(source, id));
CREATE INDEX memory_session ON memory(source, session) WHERE session <> '';
CREATE TABLE passage(
  number INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, memory INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  heading TEXT NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL, text TEXT NOT NULL,
  tokens TEXT NOT NULL, length REAL NOT NULL, digest BLOB NOT NULL);
CREATE INDEX passage_memory ON passage(memory);
CREATE INDEX passage_digest ON passage(digest);
CREATE INDEX passage_source ON passage(source, number);
CREATE TABLE pending(
  model INTEGER NOT NULL, source INTEGER NOT NULL, passage INTEGER NOT NULL,
  PRIMARY KEY(model, source, passage)) WITHOUT ROWID;
"""

# Every printable ASCII sign belongs to a token, and all beyond ASCII does too, so that FTS5 neither splits nor folds
# what our tokenizer made; only the blank between tokens separates.
_SIGNS = "".join(sign for sign in string.printable if sign.isprintable() and not sign.isalnum() and sign != " ")
_TOKENIZE = "ascii tokenchars '" + _SIGNS.replace("'", "''") + "'"
_QUOTED_TOKENIZE = '"' + _TOKENIZE.replace('"', '""') + '"'


def versions() -> str:
    """What an index must have been made by to be read by this program: schema, tokenizer, passages and spellings."""
    return f"{SCHEMA_VERSION}/{TOKENIZER_VERSION}/{PASSAGES_VERSION}/{SPELLING_VERSION}"


def stored_versions(connection: apsw.Connection) -> str:
    """The versions an index was made by; "" for a new file."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get:
        return ""
    return str(connection.execute("SELECT value FROM meta WHERE key = 'versions'").get or "")


def create(connection: apsw.Connection) -> None:
    """Make all tables, in place of those of another version. Raises EngineUnavailable when a newer mmind made them.

    Vectors are keyed by what was embedded, so they outlive another tokenizer or another way to cut passages.
    """
    if stored_versions(connection) == versions():
        return
    with transaction(connection, "BEGIN IMMEDIATE"):
        stored = stored_versions(connection)
        if stored == versions():
            return
        if _ranks(stored) > _ranks(versions()):
            raise EngineUnavailable(
                "the search index was made by a newer mmind",
                hint="restart this program, or run `mmind index --rebuild` to go back to the older one",
            )
        has_vectors = _ranks(stored)[0] == SCHEMA_VERSION
        _drop_tables(connection, keep_vectors=has_vectors)
        connection.execute(_VECTOR_TABLES + _TABLES)
        entries = [("versions", versions()), ("generation", os.urandom(8).hex())]
        entries += [("outlived", "")] if has_vectors else []  # `index.tidying` dates it
        connection.executemany("INSERT INTO meta VALUES (?, ?)", entries)


def _ranks(stored: str) -> list[int]:
    """The number that each part of the versions starts with, so that an old program leaves a newer index alone
    instead of making it anew at every turn."""
    return [int("0" + re.split(r"\D", part)[0]) for part in stored.split("/")]


def empty(connection: apsw.Connection) -> None:
    """Drop everything, whoever made it."""
    with transaction(connection, "BEGIN IMMEDIATE"):
        _drop_tables(connection, keep_vectors=False)


def create_words(connection: apsw.Connection, source: int) -> None:
    """The full-text table of one source, a column a field; contentless, since `passage.tokens` holds the tokens."""
    connection.execute(
        f"CREATE VIRTUAL TABLE words_{source} USING fts5("
        f"title, heading, body, content='', contentless_delete=1, tokenize={_QUOTED_TOKENIZE})"
    )
    connection.execute(f"CREATE VIRTUAL TABLE vocabulary_{source} USING fts5vocab(words_{source}, 'row')")
    connection.execute(
        f"CREATE TABLE spelling_{source}("
        "term TEXT NOT NULL, word TEXT NOT NULL, first TEXT NOT NULL, number INTEGER NOT NULL,"
        " PRIMARY KEY(term, word)) WITHOUT ROWID"
    )
    connection.execute(f"CREATE INDEX spelling_{source}_first ON spelling_{source}(first, number)")


def drop_words(connection: apsw.Connection, source: int) -> None:
    """Forget the full-text table of one source."""
    for name in (f"vocabulary_{source}", f"words_{source}", f"spelling_{source}"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")


def _drop_tables(connection: apsw.Connection, *, keep_vectors: bool) -> None:
    kept = {"vector", "model"} if keep_vectors else set[str]()
    listed = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE ? AND name NOT LIKE 'sqlite_%'"
    for pattern in ("CREATE VIRTUAL TABLE vocabulary%", "CREATE VIRTUAL TABLE%", "CREATE TABLE%"):
        for (name,) in connection.execute(listed, (pattern,)).fetchall():
            if name not in kept:
                connection.execute(f'DROP TABLE IF EXISTS "{name}"')
