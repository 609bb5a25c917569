"""How long one `retrieve` takes where the structured store is Postgres with pgvector, beside the default engines.

    python bench/served_bench.py [--sizes 10000,100000] [--engines sqlite,postgres] [--queries 60] [--json FILE]

A private Postgres of the test suite (`tests/servers/postgres.py`) is started, or MMIND_TEST_POSTGRES_URL is used: its
schema `mmind` is dropped and made anew. Memories of about 60 words (Zipf, fixed seed) with vectors of 384 numbers in
clusters go in by COPY, or in one transaction; how long that takes is no figure of ours. Prints for each size and
engine: p50 and p95 in milliseconds of a whole retrieve and of the search in the store alone, and what one write takes.
Compare the rows of one run on one machine: absolute figures depend on it, and on what else it does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from mmind import wiring
from mmind.config.settings import load
from mmind.router.mind import Mind
from mmind.router.retrieve import World
from mmind.stores.postgres import rows, vectors
from mmind.stores.postgres.connections import Connections
from mmind.stores.postgres.schema import Schema
from mmind.stores.served import ServedAt
from mmind.stores.sqlite import write_memory
from mmind.stores.sqlite_file import SqliteFile
from mmind.text.embedded import embedded_text
from mmind.text.prepared import prepare
from mmind.text.tokens import query_terms
from mmind.values.door import Door
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.query import Query

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.servers.postgres import Cluster, programs_with_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
WIDTH = 384
CLUSTERS = 500
WORDS = 40_000
SYLLABLES = (
    "ba be bi bo bu da de di do du fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne no pa po ra re ri".split()
)


class Clustered:
    """An embedder whose vectors lie in clusters, made of the text alone and in no time."""

    identity = "bench-clustered/384"
    dimension = WIDTH
    is_local = True

    def __init__(self) -> None:
        self._centres = np.random.default_rng(1).normal(size=(CLUSTERS, WIDTH)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors; texts that begin with the same word lie in one cluster."""
        made = np.empty((len(texts), WIDTH), np.float32)
        for place, text in enumerate(texts):
            word = text.split(maxsplit=1)[0] if text.strip() else ""
            cluster = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % CLUSTERS
            seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
            made[place] = self._centres[cluster] + np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32)
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def close(self) -> None:
        """Nothing is held."""


def vocabulary() -> tuple[list[str], list[float]]:
    """Words, and the running sum of how often each stands (Zipf)."""
    rng = random.Random(3)
    words = list(dict.fromkeys("".join(rng.choices(SYLLABLES, k=rng.randrange(2, 5))) for _ in range(2 * WORDS)))[
        :WORDS
    ]
    return words, list(accumulate(1 / (rank + 3) for rank in range(len(words))))


def memories(count: int, store: str) -> Iterator[Memory]:
    """Distinct memories of 40 to 80 words."""
    rng = random.Random(7)
    words, weights = vocabulary()
    for number in range(count):
        said = rng.choices(words, cum_weights=weights, k=rng.randrange(40, 80))
        when = NOW - timedelta(days=number % 700, seconds=number)
        yield Memory(
            store=store,
            id=f"m{number}",
            text=f"{' '.join(said)} n{number}.",
            created=when,
            time=when,
            trust=Trust.GENERATED,
            writer="bench",
            format=TextFormat.MARKDOWN,
        )


def questions(count: int) -> list[str]:
    """Two to five words each, half of them with a very common one."""
    rng = random.Random(11)
    words, weights = vocabulary()
    return [
        " ".join(
            [*rng.choices(words, cum_weights=weights, k=rng.randrange(2, 5)), *rng.choices(words[:5], k=number % 2)]
        )
        for number in range(count)
    ]


def fill_sqlite(path: Path, count: int) -> None:
    """All memories in one transaction; the index is brought level by the caller."""
    file = SqliteFile(path)
    with file.writing() as connection:
        for memory in memories(count, "sqlite"):
            write_memory(connection, "sqlite", memory, path)
    file.close()


def fill_postgres(url: str, count: int, model: Clustered) -> None:
    """All memories by COPY, the two large indexes made afterwards."""
    connections = Connections(ServedAt(url))
    Schema(connections).make()
    with connections.writing(7200) as connection:
        entered = vectors.enter_model(connection, model.identity, WIDTH)
        assert entered is not None
        connection.execute("DROP INDEX mmind.passage_words, mmind.vector_1_near")
        ready = (rows.kept(memory, "bench") for memory in memories(count, "sqlite"))
        numbered = enumerate((prepare(memory) for memory in ready), 1)
        done, length = 0, 0.0
        while batch := list(islice(numbered, 5000)):
            length += _copy(connection, batch, model)
            done += len(batch)
            print(f"  {done:,} copied", file=sys.stderr, flush=True)
        connection.execute("INSERT INTO mmind.tally VALUES ('sqlite', %s, %s, %s)", (done, done, length))
        for table in ("memory", "passage"):
            connection.execute(f"SELECT setval(pg_get_serial_sequence('mmind.{table}', 'number'), {done})".encode())
        connection.execute("SET LOCAL maintenance_work_mem = '2GB'")
        connection.execute("SET LOCAL max_parallel_maintenance_workers = 1")
        connection.execute("CREATE INDEX passage_words ON mmind.passage USING gin(words) WITH (fastupdate = off)")
        connection.execute("CREATE INDEX vector_1_near ON mmind.vector_1 USING hnsw (value halfvec_cosine_ops)")
    with connections.writing(600) as connection:
        connection.execute("ANALYZE")
    connections.close()


def _copy(connection: Any, batch: Sequence[tuple[int, Any]], model: Clustered) -> float:
    columns = list(rows.memory_values(batch[0][1].memory))
    cursor = connection.cursor()
    with cursor.copy(f"COPY mmind.memory(number, {', '.join(columns)}, change) FROM STDIN".encode()) as copy:
        for number, one in batch:
            copy.write_row([number, *rows.memory_values(one.memory).values(), "3"])
    whole = [(number, passage) for number, one in batch for passage in one.passages[:1]]
    facts = [rows.passage_values("sqlite", number, passage) for number, passage in whole]
    with cursor.copy(f"COPY mmind.passage({', '.join(facts[0])}) FROM STDIN".encode()) as copy:
        for fact in facts:
            copy.write_row(list(fact.values()))
    made = model.embed([embedded_text("", (), str(fact["text"])) for fact in facts]).astype(np.float16)
    with cursor.copy(b"COPY mmind.vector_1(digest, value) FROM STDIN") as copy:
        for fact, vector in zip(facts, made, strict=True):
            copy.write_row([fact["digest"], vectors.literal(vector.tolist())])
    return float(sum(passage.length for _, passage in whole))


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds."""

    engine: str
    memories: int
    retrieve_p50: float
    retrieve_p95: float
    search_p50: float
    search_p95: float
    put_p50: float


def measured(engine: str, size: int, asked: Sequence[str], url: str) -> Figures:
    """One row of the table."""
    model = Clustered()
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder), engine, url, model) as world:
        if engine == "sqlite":
            fill_sqlite(Path(folder) / "memory.db", size)
            world.indexer.complete(lambda _: None, rebuild=False)
        else:
            fill_postgres(url, size, model)
        settings = load({"MMIND_HOME": folder}, None)
        rules = wiring.rules_of(settings)
        with Mind(world, lambda: rules, lambda: NOW, Door.AGENT, folder) as mind:
            whole = timed(asked, lambda query: mind.retrieve(query, limit=10))
            searcher = world.stores["sqlite"].searcher
            assert searcher is not None
            queries = {
                text: Query(text, query_terms(text), model.embed([text])[0].tolist(), model.identity) for text in asked
            }
            alone = timed(asked, lambda query: searcher.search(queries[query], 60))
            fresh = [replace(memory, id=f"new{memory.id}") for memory in memories(30, "sqlite")]
            put = timed([str(number) for number in range(30)], lambda place: kept(world, fresh[int(place)]))
    return Figures(engine, size, *spread(whole), *spread(alone), spread(put)[0])


def embedded(text: str, model: Clustered) -> Query:
    """A question as the router makes it."""
    return Query(text, query_terms(text), model.embed([text])[0].tolist(), model.identity)


def kept(world: World, memory: Memory) -> None:
    """One write, until it can be found."""
    engine = world.stores["sqlite"].engine
    assert engine is not None
    world.indexer.add(engine.put(memory))


@contextmanager
def opened(folder: Path, engine: str, url: str, model: Clustered) -> Iterator[World]:
    """The world of a data home, with one engine behind its structured store."""
    served = {"MMIND_BACKEND_STRUCTURED": engine, "MMIND_POSTGRES_URL": url} if engine != "sqlite" else {}
    with patch.object(wiring, "open_embedder", lambda *_: model):
        yield wiring.open_world(load({"MMIND_HOME": str(folder), **served}, None), lambda: NOW)


def timed(asked: Sequence[str], work: Callable[[str], object]) -> list[float]:
    """Milliseconds of each, in order of size, after three that warm caches."""
    taken = []
    for place, query in enumerate([*asked[:3], *asked]):
        started = time.perf_counter()
        work(query)
        if place >= 3:
            taken.append((time.perf_counter() - started) * 1000)
    return sorted(taken)


def spread(taken: Sequence[float]) -> tuple[float, float]:
    """p50 and p95."""
    return statistics.median(taken), taken[min(len(taken) - 1, round(0.95 * len(taken)))]


@contextmanager
def server() -> Iterator[Callable[[], str]]:
    """Gives the URL of an empty database at each call."""
    if given := os.environ.get("MMIND_TEST_POSTGRES_URL"):

        def emptied() -> str:
            connections = Connections(ServedAt(given))
            with connections.writing(600) as connection:
                connection.execute("DROP SCHEMA IF EXISTS mmind CASCADE")
            connections.close()
            return given

        yield emptied
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder), programs_with_vectors(), settings="-c shared_buffers=1GB -c max_wal_size=8GB")
        numbers = iter(range(1000))
        yield lambda: cluster.url(cluster.database(f"bench {next(numbers)}"))
        cluster.stop("immediate")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--engines", default="sqlite,postgres")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--json", default="", help="append the figures to this file, a line each")
    chosen = parser.parse_args()
    print(f"{'memories':>9} {'engine':<9}{'retrieve p50':>13}{'p95':>8}{'search p50':>12}{'p95':>8}{'write p50':>11}")
    with server() as emptied:
        for size in map(int, chosen.sizes.split(",")):
            for engine in chosen.engines.split(","):
                row = measured(engine, size, questions(chosen.queries), emptied() if engine != "sqlite" else "")
                print(
                    f"{size:>9,} {engine:<9}{row.retrieve_p50:>13.1f}{row.retrieve_p95:>8.1f}"
                    f"{row.search_p50:>12.1f}{row.search_p95:>8.1f}{row.put_p50:>11.1f}",
                    flush=True,
                )
                if chosen.json:
                    with Path(chosen.json).open("a") as file:
                        file.write(json.dumps({name: getattr(row, name) for name in row.__dataclass_fields__}) + "\n")


if __name__ == "__main__":
    main()
