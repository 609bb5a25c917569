"""How long one `retrieve` takes as memories grow, with the default engines and with each served one.

    python bench/served_bench.py [--sizes 10000,100000] [--engines sqlite,postgres] [--queries 60]
                                 [--folder FOLDER] [--json bench/served.json]

Engines: sqlite, postgres, mysql, redis, qdrant. Fills each (`served_fill.py`, `served_derived.py`; how long that takes
is no figure of ours), asks, and prints a line for each measured thing: p50 and p95 of the time on the clock in
milliseconds, and the mean processor time of this process and of the server. `--folder` keeps what was filled for the
next run. Private servers of the test suite are started (`served_places.py`), or those that MMIND_TEST_POSTGRES_URL,
MMIND_TEST_MYSQL_URL and MMIND_TEST_QDRANT_URL name are used: the Postgres database must hold nothing of ours or what an
earlier run put there. With `--json` the lines replace those of the same engine and size in that file, which
docs/scaling.md is drawn from.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.served_derived import FILLS, fill_derived
from bench.served_fill import NOW, Clustered, fill_postgres, fill_sqlite, memories, questions
from bench.served_places import Place, asked_of, places

from mmind import wiring
from mmind.config.rules import rules_of
from mmind.config.settings import load
from mmind.router.mind import Mind
from mmind.router.retrieve import World
from mmind.text.tokens import query_terms
from mmind.values.door import Door
from mmind.values.memory import Memory
from mmind.values.ports import Clock
from mmind.values.query import Query

POOL = 60  # hits that a search is asked for by each signal, as the router does
WARMING = 5  # questions before those that count
WRITES = 30


@dataclass(frozen=True, slots=True)
class Line:
    """One measured thing: milliseconds on the clock, and mean processor milliseconds here and in the server."""

    engine: str
    memories: int
    what: str
    p50: float
    p95: float
    cpu: float
    server_cpu: float


class Meter:
    """Times pieces of work of one engine; `server` gives the processor seconds its server has used so far."""

    def __init__(self, engine: str, size: int, server: Callable[[], float]) -> None:
        self._engine, self._size, self._server = engine, size, server
        self.lines = list[Line]()

    def time(self, what: str, work: Sequence[Callable[[], object]], warming: int = WARMING) -> None:
        """Run each once, after the first few once more to warm caches, and note how long they took."""
        for one in work[:warming]:
            one()
        taken, cpu, served = list[float](), time.process_time(), self._server()
        for one in work:
            started = time.perf_counter()
            one()
            taken.append((time.perf_counter() - started) * 1000)
        used, served = (time.process_time() - cpu, self._server() - served)
        p50, p95 = statistics.median(taken), sorted(taken)[min(len(taken) - 1, round(0.95 * len(taken)))]
        each = 1000 / len(work)
        numbers = (round(number, 1) for number in (p50, p95, used * each, served * each))
        line = Line(self._engine, self._size, what, *numbers)
        self.lines.append(line)
        print(
            f"{line.memories:>9,} {line.engine:<9}{what:<28}{line.p50:>9.1f}{line.p95:>9.1f}"
            f"{line.cpu:>8.1f}{line.server_cpu:>8.1f}",
            flush=True,
        )


def measure(meter: Meter, mind: Mind, keep: Keeping, model: Clustered, asked: Sequence[str]) -> None:
    """Everything that is measured of one engine."""
    search = keep.search
    queries = [Query(text, query_terms(text), vector(model, text), model.identity) for text in asked]
    meter.time("first search", [lambda: search(queries[0], POOL)], warming=0)
    meter.time("retrieve", [lambda text=text: mind.retrieve(text, limit=10) for text in asked])
    meter.time("search", [lambda query=query: search(query, POOL) for query in queries])
    words = [replace(query, vector=None) for query in queries]
    meter.time("search, words alone", [lambda query=query: search(query, POOL) for query in words])
    recent = [replace(query, since=NOW - timedelta(days=30)) for query in queries]
    meter.time("search, last 30 days", [lambda query=query: search(query, POOL) for query in recent])
    fresh = list(keep.fresh(2 * WRITES + 1))
    meter.time("write", [lambda one=one: keep.write(one) for one in fresh[1 : WRITES + 1]], warming=0)
    meter.time("another's write, seen", [lambda one=one: keep.see(one) for one in fresh[WRITES + 1 :]], warming=0)
    keep.write(replace(fresh[0], session="bench"))
    meter.time("search beside a session", [lambda query=query: search(query, POOL) for query in queries])
    meter.time("remove, then search", [lambda one=one: keep.found_without(one, queries[0]) for one in fresh], warming=0)


def vector(model: Clustered, text: str) -> list[float]:
    """A question's vector, as the router hands it on."""
    values: list[float] = model.embed([text])[0].tolist()
    return values


class Keeping:
    """The one store of a world that is measured: searched, written and cleared again."""

    def __init__(self, world: World, store: str) -> None:
        engine, searcher = world.stores[store].engine, world.stores[store].searcher
        assert engine is not None
        assert searcher is not None
        self._engine, self._store, self._indexer = engine, store, world.indexer
        self.search = searcher.search

    def fresh(self, count: int) -> Iterator[Memory]:
        """Memories that are new in every run over kept folders."""
        return (replace(one, store=self._store) for one in memories(count, first=int(time.time())))

    def write(self, memory: Memory) -> None:
        """One write, until it can be found."""
        self._indexer.add(self._engine.put(memory))

    def see(self, memory: Memory) -> None:
        """A write past this process's index, as another program makes it, and the scan that sees it."""
        self._engine.put(memory)
        self._indexer.refresh(3600)

    def found_without(self, memory: Memory, query: Query) -> None:
        """Take back what was written, for the next run too, and search."""
        self._engine.delete(memory.id)
        self._indexer.remove(self._store, memory.id)
        self.search(query, POOL)


def run(place: Place, size: int, count: int) -> list[Line]:
    """Fill one engine where that is still to be done, and measure it."""
    model, now = Clustered(), [NOW]
    meter = Meter(place.engine, size, place.server_seconds)
    with opened(place, model, lambda: now[0]) as world:
        fill(place, size, world, model)
        for what in ("first scan", "next scan"):  # a process may look at everything once; the rest after it is long
            now[0] += timedelta(hours=1)
            meter.time(what, [lambda: world.indexer.refresh(3600)], warming=0)
        rules = rules_of(load(place.settings, None))
        with Mind(world, lambda: rules, lambda: now[0], Door.AGENT, str(place.home)) as mind:
            measure(meter, mind, Keeping(world, place.store), model, questions(count))
    memory, index = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, place.home / "index.db"
    disk = index.stat().st_size / 1e9 if index.exists() else 0.0
    print(f"{'':>10}peak memory of this process {memory:.1f} GB, index.db {disk:.2f} GB", flush=True)
    return meter.lines


def fill(place: Place, size: int, world: World, model: Clustered) -> None:
    """Put the memories in, unless an earlier run did."""
    if place.engine in FILLS:
        fill_derived(place, size, world, model)
    elif place.engine == "postgres":
        if not asked_of(place.url, "SELECT to_regclass('mmind.vector_1_near') IS NOT NULL"):
            fill_postgres(place.url, size, model)
    elif not (place.home / "filled").exists():
        engine = world.stores[place.store].engine
        assert engine is not None
        fill_sqlite(place.home, engine, size, model)
        (place.home / "filled").touch()


@contextmanager
def opened(place: Place, model: Clustered, clock: Clock) -> Iterator[World]:
    """The world of a place, with made-up vectors."""
    with patch.object(wiring, "open_embedder", lambda *_: model):
        yield wiring.open_world(load(place.settings, None), clock)


def keep(path: Path, found: Sequence[Line]) -> None:
    """Put lines into a file in place of those of the same engine and size; the order is always the same."""
    lines = [Line(**one) for one in json.loads(path.read_text("utf-8"))] if path.exists() else []
    new = {(line.engine, line.memories) for line in found}
    kept_lines = [line for line in lines if (line.engine, line.memories) not in new] + list(found)
    kept_lines.sort(key=lambda line: (line.engine, line.memories))
    path.write_text("[\n" + ",\n".join(json.dumps(asdict(line)) for line in kept_lines) + "\n]\n", "utf-8")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--engines", default="sqlite,postgres")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--folder", default="", help="keep what was filled here")
    parser.add_argument("--json", default="", help="put the figures into this file")
    chosen = parser.parse_args()
    print(f"{'memories':>9} {'engine':<9}{'':<28}{'p50 ms':>9}{'p95':>9}{'cpu':>8}{'server':>8}")
    with tempfile.TemporaryDirectory() as passing, places(Path(chosen.folder or passing)) as made:
        for size in map(int, chosen.sizes.split(",")):
            for engine in chosen.engines.split(","):
                found = run(made.place(engine, size), size, chosen.queries)
                if chosen.json:
                    keep(Path(chosen.json), found)


if __name__ == "__main__":
    main()
