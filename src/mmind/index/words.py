"""Which passages of a source hold the words of a query, best first, and in how many each word stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmind.index.filters import Filter
from mmind.text.fields import BODY_WEIGHT, HEADING_WEIGHT, TITLE_WEIGHT

if TYPE_CHECKING:
    import apsw

# FTS5 weighs every passage that holds one of the words. On nine queries over vaults of 13,000 and 52,000 passages a
# budget of 8,000 lost none of the ten best and saved up to half of the time; 4,000 lost some.
MOST_POSTINGS = 10_000


@dataclass(frozen=True, slots=True)
class Pool:
    """How many passages a signal may propose, and how many of them may be of one memory."""

    most: int
    most_of_one: int


def best(connection: apsw.Connection, source: int, terms: Sequence[str], pool: Pool, wanted: Filter) -> list[int]:
    """The passages that hold most of the words, weighed by rarity and field, best first.

    The order is FTS5's BM25 with our field weights, over this source; the router computes the score that counts.
    Where the words stand in very many passages, the commonest propose none (they still count in the score).
    """
    asked = _telling(connection, source, terms)
    if not asked:
        return []
    statement = (
        f"SELECT words.rowid, passage.memory FROM words_{source} AS words"  # noqa: S608 - a number and our own clause
        " CROSS JOIN passage ON passage.number = words.rowid CROSS JOIN memory ON memory.number = passage.memory"
        f" WHERE words_{source} MATCH ? AND rank MATCH ? AND {wanted.clause} ORDER BY rank"
    )
    expression = " OR ".join(map(_quoted, asked))
    weights = f"bm25({TITLE_WEIGHT}, {HEADING_WEIGHT}, {BODY_WEIGHT})"
    return _capped(connection.execute(statement, (expression, weights, *wanted.values)), pool)


def frequencies(connection: apsw.Connection, source: int, terms: Iterable[str]) -> dict[str, int]:
    """In how many passages of the source each term stands; terms that stand nowhere are left out."""
    statement = f"SELECT doc FROM vocabulary_{source} WHERE term = ?"  # noqa: S608 - a number
    found = {term: connection.execute(statement, (term,)).get for term in terms if is_indexable(term)}
    return {term: count for term, count in found.items() if count}


def holds(connection: apsw.Connection, source: int, together: Sequence[str], beside: Sequence[str]) -> bool:
    """Whether any passage of the source holds some terms one right behind the other and, if others are named, any of
    those too."""
    if not all(map(is_indexable, together)):
        return False
    asked = " OR ".join(_quoted(term) for term in beside if is_indexable(term))
    expression = " + ".join(map(_quoted, together)) + (f" AND ({asked})" if asked else "")
    statement = f"SELECT 1 FROM words_{source} WHERE words_{source} MATCH ? LIMIT 1"  # noqa: S608 - a number
    return connection.execute(statement, (expression,)).get is not None


def is_indexable(term: str) -> bool:
    """Whether a term can stand in the index at all; white space, control characters and half surrogates cannot."""
    return bool(term) and all(" " < sign < "\x7f" or "\x7f" < sign < "\ud800" or sign > "\udfff" for sign in term)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _telling(connection: apsw.Connection, source: int, terms: Sequence[str]) -> list[str]:
    """The terms that stand in the source, rarest first, as far as their passages together stay few."""
    found = frequencies(connection, source, terms)
    kept, postings = list[str](), 0
    for term in sorted(found, key=lambda term: (found[term], term)):
        postings += found[term]
        if kept and postings > MOST_POSTINGS:
            break
        kept.append(term)
    return kept


def _capped(found: Iterable[Any], pool: Pool) -> list[int]:
    passages, taken = list[int](), dict[int, int]()
    for passage, memory in found:
        taken[memory] = taken.get(memory, 0) + 1
        if taken[memory] <= pool.most_of_one:
            passages.append(passage)
            if len(passages) == pool.most:
                break
    return passages
