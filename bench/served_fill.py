"""What `served_bench.py` measures on: made-up memories, their vectors, and the two engines filled with them in bulk.

A memory is a short note of 12 to 40 words: half of them of its own topic (one of 2,000, each with 80 words), half from
the whole vocabulary, flat enough that the commonest word stands in some six notes of a hundred; no two notes are alike.
Vectors of 384 numbers lie in clusters. Everything comes from fixed seeds.
"""

from __future__ import annotations

import hashlib
import random
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from mmind.index import models, sources
from mmind.index.database import Database
from mmind.index.sources import Source
from mmind.index.writing import SourceWriter
from mmind.stores.postgres import rows, vectors
from mmind.stores.postgres.connections import Connections
from mmind.stores.postgres.schema import Schema
from mmind.stores.served import ServedAt
from mmind.stores.sqlite import write_memory
from mmind.stores.sqlite_file import SqliteFile
from mmind.text.embedded import digest, embedded_text
from mmind.text.prepared import Prepared, PreparedPassage, prepare
from mmind.values.memory import Memory, TextFormat, Trust

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mmind.values.ports import Engine

    Floats = NDArray[np.float32]

Item = TypeVar("Item")

STORE = "sqlite"  # the name of the structured store, whichever engine keeps it
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
WIDTH = 384
CLUSTERS = 500
WORDS = 60_000
TOPICS, TOPIC_WORDS = 2_000, 80
BATCH = 5_000
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

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit vectors; texts that begin with the same word lie in one cluster."""
        seeds = [int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) for text in texts]
        noise = [np.random.default_rng(seed).standard_normal(WIDTH, np.float32) for seed in seeds]
        return self._near(texts, np.stack(noise))

    def embed_many(self, texts: Sequence[str], seed: int) -> Floats:
        """The same in bulk: other vectors of the same clusters, of one seed for all."""
        return self._near(texts, np.random.default_rng(seed).standard_normal((len(texts), WIDTH), np.float32))

    def _near(self, texts: Sequence[str], noise: Floats) -> Floats:
        words = [text.split(maxsplit=1)[0] if text.strip() else "" for text in texts]
        clusters = [int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % CLUSTERS for word in words]
        made: Floats = self._centres[clusters] + noise
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    def close(self) -> None:
        """Nothing is held."""


class Language:
    """The words, how often each is said, and those of each topic."""

    def __init__(self) -> None:
        rng = random.Random(3)
        made = ("".join(rng.choices(SYLLABLES, k=rng.randrange(2, 6))) for _ in range(3 * WORDS))
        self.words = list(dict.fromkeys(made))[:WORDS]
        self.weights = list(accumulate(1 / (rank + 30) for rank in range(len(self.words))))
        self.topics = [rng.sample(self.words, k=TOPIC_WORDS) for _ in range(TOPICS)]

    def said(self, rng: random.Random, topical: int, general: int) -> str:
        """Words of one topic, then words of any kind."""
        topic = rng.choices(self.topics[rng.randrange(TOPICS)], k=topical)
        return " ".join(topic + rng.choices(self.words, cum_weights=self.weights, k=general))

    def common(self, number: int) -> str:
        """One of the twenty commonest words."""
        return self.words[number % 20]


def texts(count: int, first: int = 0) -> Iterator[str]:
    """Distinct texts of 12 to 40 words; `first` is the number of the first, which is in it."""
    language, rng = Language(), random.Random(7 + first)
    for number in range(first, first + count):
        yield f"{language.said(rng, rng.randrange(6, 21), rng.randrange(6, 21))} n{number}."


def memories(count: int, first: int = 0) -> Iterator[Memory]:
    """One of each text, from the last 700 days."""
    for number, text in enumerate(texts(count, first), first):
        when = NOW - timedelta(days=number % 700, seconds=number % 1_000_000)
        yield Memory(
            store=STORE,
            id=f"m{number}",
            text=text,
            created=when,
            time=when,
            trust=Trust.GENERATED,
            writer="bench",
            format=TextFormat.MARKDOWN,
        )


def questions(count: int) -> list[str]:
    """Two to five words of one topic or of any, half of the questions with a very common one."""
    language, rng = Language(), random.Random(11)
    return [
        " ".join(
            [language.said(rng, rng.randrange(1, 4), rng.randrange(1, 3)), *[language.common(number)] * (number % 2)]
        )
        for number in range(count)
    ]


def in_batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Lists of `BATCH`, the last one shorter."""
    left = iter(items)
    while batch := list(islice(left, BATCH)):
        yield batch


def fill_sqlite(home: Path, engine: Engine, count: int, model: Clustered) -> None:
    """`memory.db` and `index.db`, written side by side in large transactions."""
    file, index = SqliteFile(home / "memory.db"), Database(home / "index.db")
    source = Source(STORE, engine)
    for done, batch in enumerate(in_batches(memories(count))):
        with file.writing() as connection:
            kept = [write_memory(connection, STORE, memory, home / "memory.db") for memory in batch]
        with index.writing() as connection:
            number = models.enter_model(connection, model.identity, NOW)
            state = sources.enter(connection, source, NOW)
            ready = [prepare(memory) for memory in kept]
            halves = model.embed_many([memory.text for memory in kept], done).astype(np.float16)
            connection.executemany(
                "INSERT INTO vector(model, digest, value) VALUES (?, ?, ?)",
                ((number, one.passages[0].digest, half.tobytes()) for one, half in zip(ready, halves, strict=True)),
            )
            writer = SourceWriter(connection, state.number, source.written)
            for one in ready:
                writer.put(one)
            writer.settle()
        _report("sqlite", (done + 1) * BATCH)
    file.close()
    index.close()


def fill_postgres(url: str, count: int, model: Clustered) -> None:
    """Vectors by COPY first, so that their index is built while words are copied; the words' index last."""
    connections = Connections(ServedAt(url))
    Schema(connections).make()
    with connections.writing(7200) as connection:
        entered = vectors.enter_model(connection, model.identity, WIDTH)
        assert entered is not None
        connection.execute("DROP INDEX mmind.passage_words, mmind.vector_1_near")
        _copy_vectors(connection, count, model)
    near = threading.Thread(target=_index_vectors, args=(connections,))
    near.start()
    length = 0.0
    for done, batch in enumerate(in_batches(enumerate(map(_prepared, memories(count)), 1))):
        with connections.writing(7200) as connection:
            length += _copy(connection, batch)
        _report("postgres", (done + 1) * BATCH)
    with connections.writing(7200) as connection:
        connection.execute("INSERT INTO mmind.tally VALUES (%s, %s, %s, %s)", (STORE, count, count, length))
        for table in ("memory", "passage"):
            connection.execute(f"SELECT setval(pg_get_serial_sequence('mmind.{table}', 'number'), {count})".encode())
        connection.execute("SET LOCAL maintenance_work_mem = '1GB'")
        connection.execute("CREATE INDEX passage_words ON mmind.passage USING gin(words) WITH (fastupdate = off)")
    _report("words indexed", count)
    near.join()
    with connections.writing(600) as connection:
        connection.execute("ANALYZE")
    connections.close()


def _prepared(memory: Memory) -> Prepared:
    return prepare(rows.kept(memory, "bench"))


def _index_vectors(connections: Connections) -> None:
    with connections.writing(7200) as connection:
        connection.execute("SET LOCAL maintenance_work_mem = '3GB'")
        connection.execute("SET LOCAL max_parallel_maintenance_workers = 1")
        connection.execute("CREATE INDEX vector_1_near ON mmind.vector_1 USING hnsw (value halfvec_cosine_ops)")
    print("  vectors indexed", file=sys.stderr, flush=True)


def _copy_vectors(connection: Any, count: int, model: Clustered) -> None:
    """As COPY's binary form has it: number of fields, then each field's bytes behind their count."""
    fields = [("fields", ">i2"), ("digest_bytes", ">i4"), ("digest", "V16"), ("value_bytes", ">i4")]
    form = np.dtype([*fields, ("width", ">i2"), ("unused", ">i2"), ("value", ">f2", (WIDTH,))])
    with connection.cursor().copy(b"COPY mmind.vector_1(digest, value) FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for done, batch in enumerate(in_batches(texts(count))):
            block = np.zeros(len(batch), form)
            block["fields"], block["digest_bytes"], block["value_bytes"] = 2, 16, 4 + 2 * WIDTH
            keys = b"".join(digest(embedded_text("", (), text)) for text in batch)
            block["digest"] = np.frombuffer(keys, "V16")
            block["width"], block["value"] = WIDTH, model.embed_many(batch, done)
            copy.write(block.tobytes())
            _report("vectors", (done + 1) * BATCH)
        copy.write(b"\xff\xff")


def _copy(connection: Any, batch: Sequence[tuple[int, Prepared]]) -> float:
    columns = list(rows.memory_values(batch[0][1].memory))
    cursor = connection.cursor()
    with cursor.copy(f"COPY mmind.memory(number, {', '.join(columns)}, change) FROM STDIN".encode()) as copy:
        for number, one in batch:
            copy.write_row([number, *rows.memory_values(one.memory).values(), "3"])
    whole: list[tuple[int, PreparedPassage]] = [(number, one.passages[0]) for number, one in batch]
    facts = [rows.passage_values(STORE, number, passage) for number, passage in whole]
    with cursor.copy(f"COPY mmind.passage({', '.join(facts[0])}) FROM STDIN".encode()) as copy:
        for fact in facts:
            copy.write_row(list(fact.values()))
    return sum(passage.length for _, passage in whole)


def _report(what: str, done: int) -> None:
    if done % 50_000 == 0:
        print(f"  {what} {done:,}", file=sys.stderr, flush=True)
