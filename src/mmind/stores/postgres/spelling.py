"""The words of one store as they are spelled, kept in `mmind.spelling` beside the passages, whose terms are stems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from mmind.stores.postgres.connections import Connection
from mmind.stores.postgres.rows import key_of
from mmind.stores.postgres.terms import counts, is_askable
from mmind.text.spelling import spellings as spelled
from mmind.text.vocabulary import Vocabulary

LOCK_SECONDS = 2  # that who drops waits for who writes: those who come after him wait, too
DROPPED_AT_ONCE = 1_000


def put(connection: Connection, store: str, spellings: Mapping[str, str]) -> None:
    """Keep words with their terms, as the last step of a transaction whose passages are written.

    In order, so that two writers of the same words wait for one another in turn. A word that is there already is left
    alone and not locked: writers of common words would wait for each other. So whoever drops words first lets all end
    who are here: what they hold is then counted, and who comes later writes anew what was dropped.
    """
    connection.execute("SELECT pg_advisory_xact_lock_shared(hashtextextended('mmind spelling ' || %s, 0))", (store,))
    pairs = sorted((term, word) for word, term in spellings.items())
    connection.execute(
        "INSERT INTO mmind.spelling SELECT %s, term, word, left(word, 1), pg_current_xact_id()"
        " FROM unnest(%s::text[], %s::text[]) AS one(term, word) ON CONFLICT DO NOTHING",
        (store, [term for term, _ in pairs], [word for _, word in pairs]),
    )


def terms_of(connection: Connection, store: str, id: str) -> list[str]:
    """All terms of a memory's passages."""
    found = connection.execute(
        "SELECT p.tokens FROM mmind.passage p JOIN mmind.memory m ON m.number = p.memory"
        " WHERE m.store = %s AND m.key = %s",
        (store, key_of(id)),
    )
    return sorted({term for (tokens,) in found for term in tokens.split() if is_askable(term)})


def drop(connection: Connection, store: str, terms: Sequence[str]) -> None:
    """Forget the words of those terms that stand nowhere any more; in a transaction of its own, for it waits for
    writers while it holds nothing that they want. Raises psycopg's LockNotAvailable when that takes too long."""
    connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'".encode())
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('mmind spelling ' || %s, 0))", (store,))
    left = counts(connection, store, terms)  # a statement after the wait, so that it sees what they wrote
    gone = [term for term in terms if term not in left]
    connection.execute("DELETE FROM mmind.spelling WHERE store = %s AND term = ANY(%s)", (store, gone))


def idle(connection: Connection, store: str) -> list[str]:
    """Terms that seem to stand nowhere any more, as after memories were replaced; reads every passage."""
    found = connection.execute(
        "SELECT DISTINCT term FROM mmind.spelling WHERE store = %s AND term NOT IN (SELECT word FROM"
        " ts_stat('SELECT words FROM mmind.passage WHERE store = ' || quote_literal(%s)))",
        (store, store),
    )
    return [term for (term,) in found]


class Spellings:
    """The words of one store, as far as this process was asked for them. Thread-safe."""

    def __init__(self, store: str) -> None:
        self._store = store
        self._known: dict[str, Vocabulary] = {}

    def alike(self, connection: Connection, asked: Sequence[str]) -> dict[str, list[str]]:
        """For each word the nearest of the store, see `text.vocabulary`."""
        row = connection.execute("SELECT value::text FROM mmind.origin").fetchone()
        vocabulary = self._known.setdefault(row[0] if row else "", Vocabulary())
        load, kept = partial(self._since, connection), partial(self._kept, connection)
        return {word: vocabulary.near(word, load, kept) for word in asked}

    def _kept(self, connection: Connection, asked: Sequence[str]) -> set[str]:
        """Those of some words that are kept."""
        pairs = spelled(asked)
        found = connection.execute(
            "SELECT word FROM mmind.spelling WHERE store = %s"
            " AND (term, word) IN (SELECT * FROM unnest(%s::text[], %s::text[]))",
            (self._store, list(pairs.values()), list(pairs)),
        )
        return {word for (word,) in found}

    def _since(self, connection: Connection, first: str, number: int) -> Iterator[tuple[int, str]]:
        """The words with a first letter of transactions after that number, each with the last that surely is over."""
        yield from connection.execute(
            "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1, word FROM mmind.spelling"
            " WHERE store = %s AND first = %s AND change > %s::text::xid8",
            (self._store, first, str(number)),
        )
