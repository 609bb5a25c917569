"""Our tokens in Postgres's full-text types, and in how many passages each of them stands."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from mmind.stores.postgres.connections import Connection
from mmind.text.fields import PassageTokens

# Postgres keeps neither more places of one word nor higher ones; beyond them a passage still counts the word.
MOST_PLACES = 255
LAST_PLACE = 16_383
LONGEST_TERM = 2_046  # bytes
# From so many passages on, the frequencies of the commonest words are taken from the planner's sample: counting one
# that stands in a third of a million passages reads a third of the table.
SAMPLED_FROM = 50_000
COMMON_SHARE = 0.005
SAMPLE_SECONDS = 600.0
COUNT_SECONDS = 60.0  # how long a count of a large table is used again


def tsvector(fields: PassageTokens) -> str:
    """The tokens as the text of a tsvector with places: titles weigh A, headings B, the body D.

    Our own tokens, not a configuration of the server's: what a word is must not differ between engines.
    """
    places: dict[str, list[str]] = {}
    at = 0
    for field, weight in ((fields.title, "A"), (fields.heading, "B"), (fields.body, "")):
        for token in field.split(" ") if field else ():
            at = min(at + 1, LAST_PLACE)
            taken = places.setdefault(token, [])
            if len(taken) < MOST_PLACES:
                taken.append(f"{at}{weight}")
    return " ".join(f"{quoted(token)}:{','.join(taken)}" for token, taken in places.items() if is_askable(token))


def tsquery(terms: Iterable[str]) -> str:
    """The text of a tsquery for passages that hold any of the terms."""
    return " | ".join(quoted(term) for term in terms)


def side_by_side(connection: Connection, store: str, together: Sequence[str], beside: Sequence[str]) -> bool:
    """Whether any passage of a store holds some terms one right behind the other and, if others are named, any of
    those too."""
    if not all(map(is_askable, together)):
        return False
    others = tsquery(term for term in beside if is_askable(term))
    query = " <-> ".join(map(quoted, together)) + (f" & ({others})" if others else "")
    row = connection.execute(
        "SELECT EXISTS(SELECT 1 FROM mmind.passage WHERE store = %s AND words @@ %s::tsquery)", (store, query)
    ).fetchone()
    return row == (True,)


def quoted(term: str) -> str:
    """A term as a lexeme of a tsvector or tsquery, whatever signs it holds."""
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def is_askable(term: str) -> bool:
    """Whether a term can stand in Postgres at all: not NUL, half surrogates or more bytes than a lexeme takes."""
    try:
        return 0 < len(term.encode()) <= LONGEST_TERM and "\0" not in term
    except UnicodeEncodeError:
        return False


class Frequencies:
    """Document frequencies of one store: exact, but for the commonest words of large tables. Thread-safe.

    Counts of large tables are remembered for a minute.
    """

    def __init__(self, store: str) -> None:
        self._store = store
        self._sample: tuple[float, Mapping[str, float]] = (-SAMPLE_SECONDS, {})
        self._counted: dict[str, tuple[float, int]] = {}

    def of(self, connection: Connection, terms: Sequence[str], passages: int) -> dict[str, int]:
        """In how many of the store's `passages` each term stands; terms that stand nowhere are left out."""
        asked = [term for term in dict.fromkeys(terms) if is_askable(term)]
        if passages < SAMPLED_FROM:
            return counts(connection, self._store, asked)
        now = time.monotonic()
        shares = self._shares(connection, now)
        found = {term: int(shares[term] * passages) for term in asked if shares.get(term, 0.0) >= COMMON_SHARE}
        found |= {term: self._counted[term][1] for term in asked if self._is_fresh(term, now)}
        counted = counts(connection, self._store, [term for term in asked if term not in found])
        if len(self._counted) > 10_000:
            self._counted.clear()
        self._counted |= {term: (now, counted.get(term, 0)) for term in asked if term not in found}
        return {term: count for term, count in {**found, **counted}.items() if count}

    def _is_fresh(self, term: str, now: float) -> bool:
        counted = self._counted.get(term)
        return counted is not None and now - counted[0] < COUNT_SECONDS

    def _shares(self, connection: Connection, now: float) -> Mapping[str, float]:
        """The share of passages that hold each of the commonest words, as ANALYZE last saw it."""
        if now - self._sample[0] >= SAMPLE_SECONDS:
            row = connection.execute(
                "SELECT most_common_elems::text::text[], most_common_elem_freqs FROM pg_stats"
                " WHERE schemaname = 'mmind' AND tablename = 'passage' AND attname = 'words'"
            ).fetchone()
            known = zip(row[0], row[1], strict=False) if row and row[0] and row[1] else ()
            self._sample = (now, dict(known))
        return self._sample[1]


def counts(connection: Connection, store: str, terms: Sequence[str]) -> dict[str, int]:
    """In how many passages of a store each of some askable terms stands now; those that stand nowhere are left out."""
    if not terms:
        return {}
    rows = connection.execute(
        "SELECT place, (SELECT count(*) FROM mmind.passage WHERE store = %s AND words @@ asked.query)"
        " FROM unnest(%s::tsquery[]) WITH ORDINALITY AS asked(query, place)",
        (store, [quoted(term) for term in terms]),
    ).fetchall()
    return {terms[place - 1]: count for place, count in rows if count}
