"""A wrapped table that is searched by its own full-text column or index, so that no index of ours holds its rows.

The table proposes rows by its own words, and by its own vectors where it has any of our model; what they are worth is
reckoned here, from our own tokens, as for every store.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mmind.stores.table import Row, TableEngine
from mmind.stores.wrapped_hits import passes, ranked
from mmind.stores.wrapped_meaning import OwnVectors, with_meaning
from mmind.text.bm25 import idf
from mmind.text.prepared import prepare
from mmind.text.tokens import tokens
from mmind.values.errors import ConfigError, EngineError
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Freshness, Health, Mark, Progress
from mmind.values.query import Hit, Query, TermStatistics

OVER = 3  # so many times the pool is read of the rows that the table finds best, and ranked here
MOST_MATCHED = 10_000  # rows that the table may propose, before times and tags are looked at
MOST_ASKED = 24  # terms by which the table is asked; the rarest
MOST_FORMS = 3  # forms of one term ("run", "running") that are asked for
LONGEST_FORM = 200  # characters
SAMPLE = 100  # rows of either end whose lengths stand for all
SUMS_SECONDS = 60.0  # how long counts and lengths of the whole table are used again
SAME_QUESTION_SECONDS = 10.0
_WORD = re.compile(r"[^\W_]+")
WITHOUT_VECTORS = "found by its words only; wrap it again with --derived to be found by meaning as well"
OTHER_MODEL = "its vectors are of {}, which is not the model in use: found by its words only"

Forms = Sequence[str]  # words as people write them, any of which stands for one term of ours


class OwnWords(Protocol):
    """The full-text index that belongs to a table. Everything is read-only and raises EngineError or ConfigError."""

    def label(self) -> str:
        """What it is and its name, for people; asks nothing."""
        ...

    def choices(self) -> Sequence[str]:
        """The names of all full-text columns or indexes that the table has."""
        ...

    def size(self) -> int:
        """How many rows there are, estimated where counting is slow."""
        ...

    def sample(self, most: int) -> Iterable[Row]:
        """At most so many rows of either end of the table."""
        ...

    def frequencies(self, asked: Sequence[Forms]) -> Sequence[int | None]:
        """In how many rows any of the forms stands; None for words that the table's own dictionary leaves out."""
        ...

    def matching(self, asked: Sequence[tuple[Forms, float]], most: int) -> Sequence[tuple[object, object, object]]:
        """(id, time, tags) of rows that hold any of the forms, which weigh as told; about the best first."""
        ...


def forms_of(text: str, terms: Sequence[str]) -> dict[str, list[str]]:
    """For each term the words of the text that it comes from, as they were written, and the term itself.

    The table's dictionary stems in its own way, so it must see the words themselves; where it stems in none, the term
    is often the plain form of a word.
    """
    forms: dict[str, dict[str, str]] = {term: {} for term in terms}
    words, chunks = dict.fromkeys(_WORD.findall(text)), dict.fromkeys(text.split())
    for pieces in (words, chunks):  # of a name with joints (`a.b-c`) the whole, where its words do not tell
        missing = {term for term, known in forms.items() if not known}
        for piece in (piece[:LONGEST_FORM] for piece in pieces):
            for term in missing.intersection(tokens(piece)):
                if len(forms[term]) < MOST_FORMS - 1:
                    forms[term].setdefault(piece.casefold(), _clean(piece))
    return {term: list({**known, term: known.get(term, _clean(term))}.values()) for term, known in forms.items()}


@dataclass(frozen=True, slots=True)
class _Sums:
    """How large the table is: rows, passages and their length in all, and when it was seen."""

    rows: int = 0
    passages: int = 0
    length: float = 0.0
    seen: float = -SUMS_SECONDS


@dataclass(slots=True)
class SearchingTable:
    """`TableEngine`, and `values.ports.SelfSearching` by the table's own words. Thread-safe.

    Frequencies count rows where BM25 wants passages: the same for rows of one passage, and for rare words.
    """

    engine: TableEngine
    words: OwnWords
    vectors: OwnVectors | None = None
    _sums: _Sums = field(default_factory=_Sums)
    _asked: dict[tuple[str, ...], tuple[float, TermStatistics]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def where(self) -> str:
        """The database and the table, as they may be shown; asks no server."""
        return self.engine.where

    def get(self, id: str) -> Memory | None:
        """The row with this id, or None. Raises EngineError."""
        return self.engine.get(id)

    def put(self, memory: Memory) -> Memory:
        """Refuse: raises EngineUnavailable."""
        return self.engine.put(memory)

    def delete(self, id: str) -> bool:
        """Refuse: raises EngineUnavailable."""
        return self.engine.delete(id)

    def changes(self, since: Mark) -> Changes:
        """As `TableEngine`: for exports. Raises EngineError."""
        return self.engine.changes(since)

    def search(self, query: Query, pool: int) -> Sequence[Hit]:
        """At most `pool` hits by words, best first, at most three of one row, and `pool` rows by their vectors, where
        the table has any of the query's model. Raises EngineError or ConfigError."""
        if pool < 1:
            return []
        statistics = TermStatistics()
        found = list[Hit]()
        if query.terms:
            statistics, found = self._by_words(query, pool)
        if self.vectors is None or query.vector is None or query.model != self.vectors.model:
            return found
        return with_meaning(self.engine, self.vectors, query, (statistics, found), pool)

    def _by_words(self, query: Query, pool: int) -> tuple[TermStatistics, list[Hit]]:
        forms = forms_of(query.text, query.terms)
        statistics = self._counted(query.terms, forms)
        with self._lock:
            if len(self._asked) > 16:
                self._asked.clear()
            self._asked[query.terms] = (time.monotonic(), statistics)
        asked = [(forms[term], idf(count, statistics.passages)) for term, count in _telling(statistics)]
        found = self.words.matching(asked, MOST_MATCHED) if asked else ()
        keys = [key for key, moment, tags in found if key is not None and passes(query, moment, tags)]
        return statistics, ranked(self.engine.read(keys[: OVER * pool]), query, statistics, pool)

    def statistics(self, terms: Sequence[str]) -> TermStatistics:
        """Sums for BM25 over the table. Those of a search for the same terms just now are used again, once.

        All zero while the database cannot be asked: the search names that fault.
        """
        with self._lock:
            seen, known = self._asked.pop(tuple(terms), (0.0, None))
        if known is not None and time.monotonic() - seen < SAME_QUESTION_SECONDS:
            return known
        try:
            return self._counted(terms, forms_of("", terms))
        except (EngineError, ConfigError):
            return TermStatistics()

    def freshness(self) -> Freshness:
        """Always level: the table is asked itself. Asks nothing, never raises."""
        sums = self._sums
        return Freshness(self.engine.store, entries=sums.rows, passages=sums.passages, age_seconds=0.0)

    def complete(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        """Nothing is to be done."""

    def health(self) -> Health:
        """Whether the table, its columns and its full-text index are there and answer. Never raises."""
        try:
            rows = self.words.size()
            self.words.matching([(["a"], 1.0)], 1)
            if self.vectors is not None:
                self.vectors.check()
        except (EngineError, ConfigError) as fault:
            return Health(False, self.where, reason=fault.message, hint=fault.hint)
        return Health(True, self.where, rows, notes=(f"searched by its own {self.words.label()}", self._meaning()))

    def close(self) -> None:
        """Let go of connections."""
        self.engine.close()

    def _meaning(self) -> str:
        """Whether it is found by meaning, for people."""
        if self.vectors is None:
            return WITHOUT_VECTORS
        return self.vectors.label() if self.vectors.is_usable else OTHER_MODEL.format(self.vectors.model)

    def _counted(self, terms: Sequence[str], forms: Mapping[str, Forms]) -> TermStatistics:
        sums = self._level()
        counts = self.words.frequencies([forms[term] for term in terms])
        frequencies = {
            term: sums.passages if count is None else count
            for term, count in zip(terms, counts, strict=True)
            if count != 0
        }
        return TermStatistics(sums.passages, sums.length, frequencies)

    def _level(self) -> _Sums:
        """The sums, counted anew after a minute; an empty table is looked at each time."""
        sums, now = self._sums, time.monotonic()
        if sums.rows and now - sums.seen < SUMS_SECONDS:
            return sums
        rows = self.words.size()
        cut = [prepare(memory) for memory in self.engine.taken(self.words.sample(SAMPLE))]
        lengths = [passage.length for one in cut for passage in one.passages]
        share = rows / len(cut) if cut else 0.0
        self._sums = _Sums(rows, max(rows, round(share * len(lengths))), share * sum(lengths), now)
        return self._sums


def _telling(statistics: TermStatistics) -> list[tuple[str, int]]:
    """The terms that stand in the table, rarest first, as far as their rows together stay few."""
    kept, rows = list[tuple[str, int]](), 0
    for term, count in sorted(statistics.frequencies.items(), key=lambda one: (one[1], one[0]))[:MOST_ASKED]:
        rows += count
        if kept and rows > MOST_MATCHED:
            break
        kept.append((term, count))
    return kept


def _clean(word: str) -> str:
    """Without what a database does not take in a question: NUL and half surrogates."""
    return word.replace("\0", " ").encode("utf-8", "replace").decode()
