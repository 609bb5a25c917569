"""Schema `mmind` of the database: made at the first write, brought up to date by numbered steps, one process at a time.

Both stores (structured and semantic) live in the same tables, told apart by `store`. A memory is found by a digest of
its id, for ids may be longer than an index entry. Vectors are kept by what was embedded, in one table a model
(`vector_1`, …), so that those of two models never meet and a text that moves keeps its vector. `tally` holds sums as
many small rows, so that writers do not wait for one another; they are folded now and then. `spelling` holds the
words of a store as they are spelled, each with the term it is found by.
"""

from __future__ import annotations

from psycopg import errors

from mmind.stores.postgres.connections import Connection, Connections
from mmind.values.errors import EngineUnavailable

LOCK = 0x6D6D696E64  # "mmind": the advisory lock for changes of the schema

STEPS = (
    """
CREATE TABLE mmind.origin(value uuid NOT NULL);
INSERT INTO mmind.origin VALUES (gen_random_uuid());
CREATE TABLE mmind.memory(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, store text NOT NULL, key bytea NOT NULL, id text NOT NULL,
  text text NOT NULL, title text NOT NULL, tags text[] NOT NULL, aliases text[] NOT NULL, links text[] NOT NULL,
  created timestamptz, time timestamptz, trust text NOT NULL, writer text NOT NULL, session text NOT NULL,
  format text NOT NULL, truncated boolean NOT NULL, tag_keys text[] NOT NULL, fingerprint text NOT NULL,
  cut text NOT NULL, change xid8 NOT NULL, UNIQUE(store, key));
CREATE INDEX memory_change ON mmind.memory(store, change);
CREATE INDEX memory_time ON mmind.memory(store, time);
CREATE INDEX memory_session ON mmind.memory(store, session) WHERE session <> '';
CREATE INDEX memory_tags ON mmind.memory USING gin(tag_keys);
CREATE TABLE mmind.removal(
  store text NOT NULL, key bytea NOT NULL, id text NOT NULL, change xid8 NOT NULL, PRIMARY KEY(store, key));
CREATE INDEX removal_change ON mmind.removal(store, change);
CREATE TABLE mmind.passage(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, store text NOT NULL,
  memory bigint NOT NULL REFERENCES mmind.memory ON DELETE CASCADE, ordinal integer NOT NULL, heading text[] NOT NULL,
  line_start integer NOT NULL, line_end integer NOT NULL, text text NOT NULL, tokens text NOT NULL,
  length double precision NOT NULL, digest bytea NOT NULL, words tsvector NOT NULL);
CREATE INDEX passage_memory ON mmind.passage(memory);
CREATE INDEX passage_digest ON mmind.passage(digest);
CREATE INDEX passage_words ON mmind.passage USING gin(words) WITH (fastupdate = off);
CREATE TABLE mmind.tally(
  store text NOT NULL, memories bigint NOT NULL, passages bigint NOT NULL, length double precision NOT NULL);
CREATE INDEX tally_store ON mmind.tally(store);
CREATE TABLE mmind.model(
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identity text NOT NULL UNIQUE, dimension integer NOT NULL,
  kind text NOT NULL, used timestamptz NOT NULL DEFAULT now());
CREATE TABLE mmind.pending(
  passage bigint NOT NULL REFERENCES mmind.passage ON DELETE CASCADE,
  model integer NOT NULL REFERENCES mmind.model ON DELETE CASCADE,
  store text NOT NULL, claimed timestamptz, PRIMARY KEY(passage, model));
CREATE INDEX pending_model ON mmind.pending(model, store);
""",
    """
CREATE TABLE mmind.spelling(
  store text NOT NULL, term text NOT NULL, word text NOT NULL, first text NOT NULL, change xid8 NOT NULL,
  PRIMARY KEY(store, term, word));
CREATE INDEX spelling_first ON mmind.spelling(store, first, change);
""",
)


class Schema:
    """Whether the tables are there and of our version; remembered once they are. Thread-safe."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._is_ready = False

    def is_there(self, connection: Connection) -> bool:
        """Whether there is anything to read; older tables are brought up to date first. Raises EngineError."""
        if not self._is_ready and _version(connection):
            self.make()
        return self._is_ready

    def make(self) -> None:
        """Make what is missing. Raises EngineError, with the right that is missing where it is one."""
        if self._is_ready:
            return
        with self._connections.writing() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            done = _version(connection)
            if done == 0:
                self._begin(connection)
            for number, step in enumerate(STEPS[done:], done + 1):
                connection.execute(step.encode())
                connection.execute("INSERT INTO mmind.step(number) VALUES (%s)", (number,))
        self._is_ready = True

    def forget(self) -> None:
        """Look anew: somebody dropped the tables."""
        self._is_ready = False

    def _begin(self, connection: Connection) -> None:
        encoding = connection.execute("SELECT current_setting('server_encoding')").fetchone()
        if encoding != ("UTF8",):
            raise EngineUnavailable(
                f"the database at {self._connections.place.address} cannot hold every text: its encoding is not UTF8",
                "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and use that one",
            )
        try:
            if connection.execute("SELECT to_regnamespace('mmind')").fetchone() == (None,):
                connection.execute("CREATE SCHEMA mmind")
            connection.execute("CREATE TABLE mmind.step(number integer PRIMARY KEY, applied timestamptz DEFAULT now())")
        except errors.InsufficientPrivilege:
            raise EngineUnavailable(
                f"this role may not make schema mmind in {self._connections.place.address}",
                "let the database's owner run: CREATE SCHEMA mmind AUTHORIZATION <this role>",
            ) from None


def _version(connection: Connection) -> int:
    """How many steps were taken; 0 for a database that mmind never wrote to. Raises EngineUnavailable."""
    # Not to_regclass: who found nothing once is told so again when a wait for the lock ends, from a cache.
    listed = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'mmind' AND tablename = 'step'"
    if connection.execute(listed).fetchone() is None:
        return 0
    row = connection.execute("SELECT coalesce(max(number), 0) FROM mmind.step").fetchone()
    done = int(row[0]) if row else 0
    if done > len(STEPS):
        raise EngineUnavailable("schema mmind was made by a newer mmind", "upgrade mmind on this machine")
    return done
