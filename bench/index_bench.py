"""How fast the index takes notes in and answers: `python bench/index_bench.py [sizes …]`, default 1000 10000.

Notes are 60 to 180 English words by Zipf's law under two headings; queries are two to five words, of which one is often
very common. Vectors for the search figures are random unit vectors: their arithmetic costs the same as real ones.
"""

from __future__ import annotations

import gzip
import itertools
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmind.embedding.choose import open_embedder
from mmind.index import open_index
from mmind.text.tokens import query_terms
from mmind.values.memory import Memory, TextFormat
from mmind.values.ports import Changes, Embedder, Health, Mark
from mmind.values.query import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSION = 384
EMBEDDED_NOTES = 200
QUERIES = 200
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Notes:
    """An engine that makes its notes up."""

    def __init__(self, count: int) -> None:
        self.count = count

    def get(self, id: str) -> Memory | None:
        return note(int(id))

    def put(self, memory: Memory) -> Memory:
        return memory

    def delete(self, id: str) -> bool:
        return self.get(id) is None

    def changes(self, since: Mark) -> Changes:
        if since.cursor == str(self.count):
            return Changes(iter(()), (), since.cursor, 0)
        return Changes((note(number) for number in range(self.count)), (), str(self.count), self.count)

    def health(self) -> Health:
        return Health(True, "made up")

    def close(self) -> None:
        return None


class RandomVectors:
    """An embedder that costs nothing, to measure search apart from the model."""

    identity = "random"
    dimension = DIMENSION
    is_local = True

    def __init__(self) -> None:
        self._random = np.random.default_rng(7)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._random.standard_normal((len(texts), DIMENSION), dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _vocabulary() -> list[str]:
    """English words, the commonest first: the plain words of the model's vocabulary, which is ordered so."""
    packed = resources.files("mmind.embedding").joinpath("data/bert_base_uncased_vocabulary.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode().split("\n")
    return [line for line in lines if len(line) > 1 and line.isascii() and line.isalpha()]


WORDS = _vocabulary()
WEIGHTS = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(WORDS))))
COMMON = slice(100, 130)  # words beyond the stop words that stand in one passage of five or so


def words(source: random.Random, count: int) -> list[str]:
    """Words whose frequencies follow Zipf's law."""
    return source.choices(WORDS, cum_weights=WEIGHTS, k=count)


def note(number: int) -> Memory:
    """Note `number`, the same at every call."""
    source = random.Random(number)
    parts = [" ".join(words(source, source.randint(30, 90))) for _ in range(2)]
    text = f"## {' '.join(words(source, 2))}\n\n{parts[0]}.\n\n## {' '.join(words(source, 2))}\n\n{parts[1]}.\n"
    return Memory(
        store="notes",
        id=str(number),
        text=text,
        title=" ".join(words(source, 3)),
        time=NOON,
        fingerprint="1",
        format=TextFormat.MARKDOWN,
    )


def queries(count: int) -> Iterator[str]:
    """Queries, half of them with a very common word."""
    source = random.Random(1)
    for number in range(count):
        common = [source.choice(WORDS[COMMON])] if number % 2 else []
        yield " ".join(common + words(source, source.randint(2, 4)))


def filled(home: Path, count: int, embedder: Embedder | None) -> float:
    """Make an index of so many notes, and give the seconds it took."""
    index = open_index(home / "index.db", {"notes": Notes(count)}, embedder, lambda: NOON)
    started = time.perf_counter()
    index.complete(lambda _: None, rebuild=False)
    seconds = time.perf_counter() - started
    index.close()
    return seconds


def searched(home: Path, count: int) -> tuple[float, list[float], list[float]]:
    """The first search of an open index, then the milliseconds of each search by words alone and by both."""
    embedder = RandomVectors()
    index = open_index(home / "index.db", {"notes": Notes(count)}, embedder, lambda: NOON)
    searcher = index.searcher("notes")
    by_words, by_both = [], []
    vector = embedder.embed(["any"])[0].tolist()
    asked = [query_terms(text) for text in queries(QUERIES)]
    started = time.perf_counter()
    searcher.search(Query("", asked[0], vector, embedder.identity), 100)
    first = (time.perf_counter() - started) * 1000
    for terms in asked:
        for times, query in ((by_words, Query("", terms)), (by_both, Query("", terms, vector, embedder.identity))):
            started = time.perf_counter()
            searcher.search(query, 100)
            index.statistics(terms)
            times.append((time.perf_counter() - started) * 1000)
    index.close()
    return first, by_words, by_both


def row(name: str, *values: str) -> None:
    """One line of the table."""
    print(f"{name:<44}" + "".join(f"{value:>12}" for value in values))


def spread(times: Sequence[float]) -> str:
    """p50 / p95 in milliseconds."""
    cuts = statistics.quantiles(times, n=20)
    return f"{cuts[9]:.1f} / {cuts[18]:.1f}"


def main() -> None:
    sizes = [int(argument) for argument in sys.argv[1:]] or [1000, 10_000]
    with tempfile.TemporaryDirectory() as folder:
        model = open_embedder("local", "", "")
        assert model is not None
        model.embed(["load it"])
        seconds = filled(Path(folder) / "embedded", EMBEDDED_NOTES, model)
        row("notes/s with words and local vectors", f"{EMBEDDED_NOTES / seconds:.0f}")
        for size in sizes:
            home = Path(folder) / str(size)
            row(f"{size:,} notes: notes/s with words only", f"{size / filled(home, size, None):.0f}")
            filled(home, size, RandomVectors())
            first, by_words, by_both = searched(home, size)
            row(f"{size:,} notes: index.db, MB", f"{(home / 'index.db').stat().st_size / 1e6:.1f}")
            row(f"{size:,} notes: first search, ms", f"{first:.0f}")
            row(f"{size:,} notes: search by words, p50 / p95 ms", spread(by_words))
            row(f"{size:,} notes: search by both, p50 / p95 ms", spread(by_both))
    row("peak memory, MB", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


if __name__ == "__main__":
    main()
