"""The words of a source as they are spelled, kept beside its full-text table, whose terms are stems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mmind.index import words
from mmind.text.spelling import spellings as spelled
from mmind.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import apsw


def put(connection: apsw.Connection, source: int, spellings: Mapping[str, str], number: int) -> None:
    """Keep words with their terms; `number` is higher than that of any word kept before, or the same."""
    rows = ((term, word, word[0], number) for word, term in spellings.items())
    connection.executemany(f"INSERT OR IGNORE INTO spelling_{source} VALUES (?, ?, ?, ?)", rows)  # noqa: S608 - a number


def drop(connection: apsw.Connection, source: int, terms: Iterable[str]) -> None:
    """Forget the words of those terms that stand in no passage any more; O(terms), however common they are."""
    gone = ((term,) for term in terms if not words.holds(connection, source, (term,), ()))
    connection.executemany(f"DELETE FROM spelling_{source} WHERE term = ?", list(gone))  # noqa: S608 - a number


def since(connection: apsw.Connection, source: int, first: str, number: int) -> list[tuple[int, str]]:
    """The words with a first letter that came in after those with `number`, and their numbers."""
    found: Any = connection.execute(
        f"SELECT number, word FROM spelling_{source} WHERE first = ? AND number > ?",  # noqa: S608 - a number
        (first, number),
    )
    return list(found)


def kept(connection: apsw.Connection, source: int, asked: Sequence[str]) -> list[str]:
    """Those of some words that are kept."""
    statement = f"SELECT 1 FROM spelling_{source} WHERE term = ? AND word = ?"  # noqa: S608 - a number
    return [word for word, term in spelled(asked).items() if connection.execute(statement, (term, word)).get]


class Spellings:
    """The words of all sources, as far as this process was asked for them. Thread-safe."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Vocabulary] = {}

    def alike(self, connection: apsw.Connection, source: int, asked: Sequence[str]) -> dict[str, list[str]]:
        """For each word the nearest of one source, see `text.vocabulary`; inside a reading transaction."""
        generation = str(connection.execute("SELECT value FROM meta WHERE key = 'generation'").get)
        vocabulary = self._known.setdefault((generation, source), Vocabulary())
        load, still = partial(since, connection, source), partial(kept, connection, source)
        return {word: vocabulary.near(word, load, still) for word in asked}
