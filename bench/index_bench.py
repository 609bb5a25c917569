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
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from mmind.embedding.choose import open_embedder
from mmind.index import open_index
from mmind.text.tokens import query_terms
from mmind.values.memory import Memory, TextFormat
from mmind.values.ports import Changes, Embedder, Health, Mark
from mmind.values.query import Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSION = 384
EMBEDDED_NOTES = 200
QUERIES = 200
POOL = 100
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
        import numpy as np

        self._random = np.random.default_rng(7)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

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


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds by the wall and by the processor: on a busy machine only the second says what the code costs."""

    wall: float
    processor: float


@contextmanager
def timed(times: list[Times]) -> Iterator[None]:
    """Appends what the block took; the processor's time is that of all threads."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    times.append(Times(time.perf_counter() - wall, time.process_time() - processor))


def filled(home: Path, count: int, embedder: Embedder | None) -> Times:
    """Make an index of so many notes, and give what it took."""
    index = open_index(home / "index.db", {"notes": Notes(count)}, embedder, lambda: NOON)
    times: list[Times] = []
    with timed(times):
        index.complete(lambda _: None, rebuild=False)
    index.close()
    return times[0]


def searched(home: Path, count: int) -> tuple[list[Times], list[Times], list[Times]]:
    """The first search of an open index, then each search by words alone, and each by both signals."""
    embedder = RandomVectors()
    index = open_index(home / "index.db", {"notes": Notes(count)}, embedder, lambda: NOON)
    searcher = index.searcher("notes")
    first, by_words, by_both = list[Times](), list[Times](), list[Times]()
    vector = embedder.embed(["any"])[0].tolist()
    asked = [query_terms(text) for text in queries(QUERIES)]
    with timed(first):
        searcher.search(Query("", asked[0], vector, embedder.identity), POOL)
    for terms in asked:
        for times, query in ((by_words, Query("", terms)), (by_both, Query("", terms, vector, embedder.identity))):
            with timed(times):
                searcher.search(query, POOL)
                index.statistics(terms)
    index.close()
    return first, by_words, by_both


def row(name: str, *values: str) -> None:
    """One line of the table."""
    print(f"{name:<44}" + "".join(f"{value:>16}" for value in values), flush=True)


def rate(name: str, count: int, times: Times) -> None:
    """A line of things per second."""
    row(name, f"{count / times.wall:.0f}", f"{count / times.processor:.0f}")


def spread(name: str, times: Sequence[Times]) -> None:
    """A line of p50 / p95 in milliseconds."""
    columns = ([one.wall for one in times], [one.processor for one in times])
    cuts = [statistics.quantiles(column, n=20) for column in columns]
    row(name, *(f"{1000 * cut[9]:.1f} / {1000 * cut[18]:.1f}" for cut in cuts))


def main() -> None:
    sizes = [int(argument) for argument in sys.argv[1:]] or [1000, 10_000]
    row("", "wall", "processor")
    with tempfile.TemporaryDirectory() as folder:
        model = open_embedder("local", "", "")
        assert model is not None
        model.embed(["load it"])
        rate("notes/s, words and local vectors", EMBEDDED_NOTES, filled(Path(folder) / "e", EMBEDDED_NOTES, model))
        for size in sizes:
            home = Path(folder) / str(size)
            rate(f"{size:,} notes: notes/s, words only", size, filled(home, size, None))
            filled(home, size, RandomVectors())
            first, by_words, by_both = searched(home, size)
            row(f"{size:,} notes: first search, ms", f"{first[0].wall * 1000:.0f}", f"{first[0].processor * 1000:.0f}")
            spread(f"{size:,} notes: search by words, p50 / p95 ms", by_words)
            spread(f"{size:,} notes: search by both, p50 / p95 ms", by_both)
            row(f"{size:,} notes: index.db, MB", f"{(home / 'index.db').stat().st_size / 1e6:.1f}")
    row("peak memory, MB", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


if __name__ == "__main__":
    main()
