"""How long one `retrieve` takes, end to end inside a running process, at growing numbers of memories.

    python bench/retrieve_bench.py [--sizes 1000,10000] [--queries 60] [--no-vectors]

Memories are made by rule (fixed seed), a fifth in each of the five stores: notes on disk, rows, keys, documents and
vectors, all through the real engines. Prints p50 and p95 in milliseconds, the median of CPU time in all threads (which
a busy machine disturbs less), and the bytes of ten results. Compare two states of the code on one machine.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mmind.config.rules import rules_of
from mmind.config.settings import load
from mmind.router.mind import Mind
from mmind.router.retrieve import World
from mmind.router.write import content_id
from mmind.values.door import Door
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.wire import bundle_to_json
from mmind.wiring import open_world

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
STORES = ("markdown", "sqlite", "leveldb", "files", "vector")
WHO = "Ana Ben Carla Deniz Emre Fatima Goran Hanna Ivo Jonas Katya Lena Milan Nora Oskar Petra".split()
WHAT = (
    "gateway invoice sensor boiler backup deploy ticket berth recipe router lease meter queue worker dashboard report "
    "migration certificate pump calendar index ledger archive contract warehouse elevator camera printer kiln ferry"
).split()
DID = "moved checked replaced ordered measured repaired documented postponed tested cancelled painted archived".split()
WHERE = "Fjordvik Lyngholm Sandhavn Gdansk Kyoto Odense Hamburg Bergen Turku Riga Vilnius Tallinn Malmo Aarhus".split()


def texts(count: int, seed: int = 7) -> Iterator[str]:
    """Distinct memories of 15 to 60 words."""
    rng = random.Random(seed)
    for number in range(count):
        sentences = [
            f"{rng.choice(WHO)} {rng.choice(DID)} the {rng.choice(WHAT)} {rng.randrange(1000)} in {rng.choice(WHERE)}"
            f" because the {rng.choice(WHAT)} was {rng.choice(DID)} on day {rng.randrange(365)}."
            for _ in range(rng.randrange(1, 4))
        ]
        yield f"Note {number}. " + " ".join(sentences)


def queries(count: int, seed: int = 11) -> list[str]:
    """Questions about things that are there: two to six content words each."""
    rng = random.Random(seed)
    return [
        f"who {rng.choice(DID)} the {rng.choice(WHAT)} in {rng.choice(WHERE)}"
        if rng.random() < 0.7
        else f"{rng.choice(WHAT)} {rng.randrange(1000)}"
        for _ in range(count)
    ]


def fill(world: World, vault: Path, count: int) -> None:
    """A fifth of the memories into each store."""
    for number, text in enumerate(texts(count)):
        store = STORES[number % len(STORES)]
        if store == "markdown":
            (vault / f"{number // 500:03d}").mkdir(exist_ok=True)
            (vault / f"{number // 500:03d}" / f"note {number}.md").write_text(text, "utf-8")
            continue
        engine = world.stores[store].engine
        if engine is None:
            raise SystemExit(f"{store} is off: {world.stores[store].fault}")
        when = NOW - timedelta(days=number % 700)
        engine.put(
            Memory(
                store=store,
                id=content_id(text, ""),
                text=text,
                created=when,
                time=when,
                trust=Trust.GENERATED,
                writer="bench",
                format=TextFormat.MARKDOWN,
            )
        )


def measure(mind: Mind, asked: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of each retrieve, after three that warm caches: as time goes by, and of CPU in all threads."""
    for query in asked[:3]:
        mind.retrieve(query, limit=10)
    taken, worked = [], []
    for query in asked:
        started, began = time.perf_counter(), time.process_time()
        mind.retrieve(query, limit=10)
        taken.append((time.perf_counter() - started) * 1000)
        worked.append((time.process_time() - began) * 1000)
    return taken, worked


def run(size: int, asked: Sequence[str], use_vectors: bool) -> str:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder, "vault")
        vault.mkdir()
        environ = {"MMIND_HOME": str(Path(folder, "home")), **({} if use_vectors else {"MMIND_EMBED_MODEL": "none"})}
        settings = load(environ, str(vault))
        world = open_world(settings, lambda: NOW)
        fill(world, vault, size)
        started = time.perf_counter()
        world.indexer.complete(lambda _: None, rebuild=False)
        indexed = time.perf_counter() - started
        rules = rules_of(settings)
        with Mind(world, lambda: rules, lambda: NOW, Door.AGENT, str(settings.home)) as mind:
            taken, worked = map(sorted, measure(mind, asked))
            size_of_ten = [
                len(json.dumps(bundle_to_json(mind.retrieve(query, limit=10), explain=False))) for query in asked
            ]
    p95 = taken[min(len(taken) - 1, round(0.95 * len(taken)))]
    signals, p50 = "words + vectors" if use_vectors else "words only", statistics.median(taken)
    rate, answer, cpu = size / indexed, statistics.median(size_of_ten), statistics.median(worked)
    return f"{size:>9,} {signals:<16}{p50:>8.1f} {p95:>8.1f} {cpu:>8.1f} {rate:>10.0f} {answer:>12,.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--no-vectors", action="store_true")
    chosen = parser.parse_args()
    names = f"{'p50 ms':>8} {'p95 ms':>8} {'CPU ms':>8} {'indexed/s':>10} {'ten results B':>12}"
    print(f"{'memories':>9} {'signals':<16}{names}")
    for size in map(int, chosen.sizes.split(",")):
        print(run(size, queries(chosen.queries), use_vectors=not chosen.no_vectors), flush=True)


if __name__ == "__main__":
    main()
