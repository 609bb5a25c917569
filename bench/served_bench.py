"""How long one `retrieve` takes as memories grow, with the default engines and with Postgres and pgvector.

    python bench/served_bench.py [--sizes 10000,100000] [--engines sqlite,postgres] [--queries 60]
                                 [--folder FOLDER] [--json bench/served.json]

Fills each engine (`served_fill.py`; how long that takes is no figure of ours), asks, and prints a line for each
measured thing: p50 and p95 of the time on the clock in milliseconds, and the mean processor time of this process and of
the server. `--folder` keeps what was filled for the next run. A private Postgres of the test suite is started, or
MMIND_TEST_POSTGRES_URL is used, whose database must hold nothing of ours or what an earlier run put there. With
`--json` the lines replace those of the same engine and size in that file, which docs/scaling.md is drawn from.
"""

from __future__ import annotations

import argparse
import json
import os
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
from typing import cast
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.served_fill import NOW, STORE, Clustered, fill_postgres, fill_sqlite, memories, questions
from tests.servers.postgres import Cluster, programs_with_vectors

from mmind import wiring
from mmind.config.settings import load
from mmind.router.mind import Mind
from mmind.router.retrieve import World
from mmind.stores.postgres.connections import Connections
from mmind.stores.served import ServedAt
from mmind.text.tokens import query_terms
from mmind.values.door import Door
from mmind.values.memory import Memory
from mmind.values.ports import Clock
from mmind.values.query import Query

POOL = 60  # hits that a search is asked for by each signal, as the router does
WARMING = 5  # questions before those that count
WRITES = 30
SETTINGS = "-c shared_buffers=1GB -c max_wal_size=8GB"


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


def measure(meter: Meter, mind: Mind, world: World, model: Clustered, asked: Sequence[str]) -> None:
    """Everything that is measured of one engine."""
    store = world.stores[STORE]
    assert store.searcher is not None
    search = store.searcher.search
    queries = [Query(text, query_terms(text), vector(model, text), model.identity) for text in asked]
    meter.time("first search", [lambda: search(queries[0], POOL)], warming=0)
    meter.time("retrieve", [lambda text=text: mind.retrieve(text, limit=10) for text in asked])
    meter.time("search", [lambda query=query: search(query, POOL) for query in queries])
    words = [replace(query, vector=None) for query in queries]
    meter.time("search, words alone", [lambda query=query: search(query, POOL) for query in words])
    recent = [replace(query, since=NOW - timedelta(days=30)) for query in queries]
    meter.time("search, last 30 days", [lambda query=query: search(query, POOL) for query in recent])
    fresh = list(memories(WRITES + 1, first=int(time.time())))  # new ones in every run over kept folders
    meter.time("write", [lambda one=one: kept(world, one) for one in fresh[1:]], warming=0)
    kept(world, replace(fresh[0], session="bench"))
    meter.time("search beside a session", [lambda query=query: search(query, POOL) for query in queries])
    forgotten(world, fresh)


def vector(model: Clustered, text: str) -> list[float]:
    """A question's vector, as the router hands it on."""
    values: list[float] = model.embed([text])[0].tolist()
    return values


def kept(world: World, memory: Memory) -> None:
    """One write, until it can be found."""
    engine = world.stores[STORE].engine
    assert engine is not None
    world.indexer.add(engine.put(memory))


def forgotten(world: World, written: Sequence[Memory]) -> None:
    """Take back what was written, for the next run."""
    engine = world.stores[STORE].engine
    assert engine is not None
    for memory in written:
        engine.delete(memory.id)
        world.indexer.remove(STORE, memory.id)


def run(engine: str, size: int, count: int, home: Path, url: str) -> list[Line]:
    """Fill one engine where that is still to be done, and measure it."""
    model, now = Clustered(), [NOW]
    server = (lambda: server_seconds(url)) if url else (lambda: 0.0)
    meter = Meter(engine, size, server)
    with opened(home, url, model, lambda: now[0]) as world:
        fill(engine, size, home, url, world, model)
        for _ in range(2):  # the first scan compares every memory, and the rest after so costly a one is long
            now[0] += timedelta(hours=1)
            world.indexer.refresh(3600)
        settings = load({"MMIND_HOME": str(home)}, None)
        rules = wiring.rules_of(settings)
        with Mind(world, lambda: rules, lambda: now[0], Door.AGENT, str(home)) as mind:
            measure(meter, mind, world, model, questions(count))
    print(f"{'':>10}peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")
    return meter.lines


def fill(engine: str, size: int, home: Path, url: str, world: World, model: Clustered) -> None:
    """Put the memories in, unless an earlier run did."""
    if engine == "sqlite":
        if not (home / "filled").exists():
            kept_by = world.stores[STORE].engine
            assert kept_by is not None
            fill_sqlite(home, kept_by, size, model)
            (home / "filled").touch()
    elif not asked_of(url, "SELECT to_regclass('mmind.vector_1_near') IS NOT NULL"):
        fill_postgres(url, size, model)


@contextmanager
def opened(home: Path, url: str, model: Clustered, clock: Clock) -> Iterator[World]:
    """The world of a data home; with a URL Postgres is behind its structured store."""
    served = {"MMIND_BACKEND_STRUCTURED": "postgres", "MMIND_POSTGRES_URL": url} if url else {}
    with patch.object(wiring, "open_embedder", lambda *_: model):
        yield wiring.open_world(load({"MMIND_HOME": str(home), **served}, None), clock)


def asked_of(url: str, statement: str) -> object:
    """The one value of a statement."""
    connections = Connections(ServedAt(url))
    with connections.writing(600) as connection:
        row = connection.execute(statement.encode()).fetchone()
    connections.close()
    return row[0] if row else None


def server_seconds(url: str) -> float:
    """Processor seconds of the living backends of a database, where its Postgres is on this machine."""
    listed = (
        "SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    backends = cast("list[int] | None", asked_of(url, listed)) or []
    return sum(map(_ticks, backends)) / os.sysconf("SC_CLK_TCK")


def _ticks(process: int) -> int:
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:  # it has ended, or is on another machine
        return 0
    return int(fields[11]) + int(fields[12])


@contextmanager
def places(folder: Path) -> Iterator[Callable[[str, int], tuple[Path, str]]]:
    """Gives the data home of an engine and a size, and the URL of its server; a private server starts when it must."""
    started = list[Cluster]()

    def place(engine: str, size: int) -> tuple[Path, str]:
        home = folder / f"{engine}-{size}"
        home.mkdir(exist_ok=True)
        if engine == "sqlite":
            return home, ""
        if given := os.environ.get("MMIND_TEST_POSTGRES_URL"):
            return home, given
        if not started:
            data = Path(tempfile.mkdtemp(dir=folder))
            data.chmod(0o755)
            started.append(Cluster(data, programs_with_vectors(), settings=SETTINGS))
        return home, started[0].url(started[0].database(f"bench {size}"))

    try:
        yield place
    finally:
        for cluster in started:
            cluster.stop("immediate")


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
    with tempfile.TemporaryDirectory() as passing:
        folder = Path(chosen.folder or passing)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        with places(folder) as place:
            for size in map(int, chosen.sizes.split(",")):
                for engine in chosen.engines.split(","):
                    found = run(engine, size, chosen.queries, *place(engine, size))
                    if chosen.json:
                        keep(Path(chosen.json), found)


if __name__ == "__main__":
    main()
