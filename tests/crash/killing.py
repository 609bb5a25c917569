"""Kills writers without warning, again and again on one data home, and holds what is left against the oracle.

Two ways to choose the instant, in turn: at the n-th change of a file (with half of that write made, now and then), so
that every state a disk can be left in is reached; and by the clock, some microseconds after the n-th acknowledgement.
All choices come from one seed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from mmind.audit.reading import verify
from mmind.router.mind import Mind
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.door import Door
from mmind.values.ports import Engine, Mark
from mmind.wiring import open_mind
from tests.crash.oracle import Oracle, id_of
from tests.faults import disk

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
PLACES = {
    "sqlite": ("sqlite", "memory.db"),
    "leveldb": ("leveldb", "leveldb"),
    "files": ("files", "files"),
    "vector": ("local", "vector-index"),
}
ROUNDS_A_LOOK = 8  # after so many kills a mind is opened over the home and asked
ASKED_AT_ONCE = 12  # of the acknowledged memories, how many are looked for by retrieve after each round
MOST_CHANGES, MOST_ACKNOWLEDGED, MOST_MICROSECONDS = 900, 12, 4000


@dataclass(slots=True)
class Tally:
    """What was tried and what was wrong."""

    kills: int = 0
    ended: int = 0
    acknowledged: int = 0
    complaints: list[str] = field(default_factory=list)

    def complain(self, said: Sequence[str], seed: object) -> None:
        """Keep complaints, with the seed that repeats them."""
        self.complaints += [f"[{seed}] {one}" for one in said]


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of a process on this data home, and of this machine only what a process needs to start."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR") if name in os.environ}
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    own = {"HOME": str(home), "MMIND_HOME": str(home), "PYTHONPATH": paths, "MMIND_EMBED_MODEL": "none"}
    return {**kept, **own, **(more or {})}


def killed(words: Sequence[str], home: Path, rng: random.Random) -> tuple[list[str], bool]:
    """What a process said before it was killed, and whether it was (it may also have come to its end)."""
    if disk.IS_THERE and rng.random() < 0.5:
        kill_at = rng.randrange(1, MOST_CHANGES)
        more = disk.watched(home.parent, kill_at=kill_at, kill_half=int(rng.random() < 0.3))
        with _running(words, home, more) as process:
            assert process.stdout is not None
            return list(process.stdout), process.wait(PATIENCE) != 0
    after, microseconds = rng.randrange(1, MOST_ACKNOWLEDGED), rng.randrange(MOST_MICROSECONDS)
    with _running(words, home, {}) as process:
        assert process.stdout is not None
        lines = list(_until_done(process.stdout, after))
        try:
            process.wait(microseconds / 1e6)  # the instant of the kill is the experiment, not a wait for something
        except subprocess.TimeoutExpired:
            process.kill()
        return [*lines, *process.stdout], process.wait(PATIENCE) != 0


@contextmanager
def _running(words: Sequence[str], home: Path, more: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(home, more), cwd=ROOT
    ) as process:
        try:
            yield process
            assert process.stderr is not None
            said = process.stderr.read()
            assert not said, said
        finally:
            process.kill()


def _until_done(lines: IO[str], count: int) -> Iterator[str]:
    for line in lines:
        yield line
        count -= line.startswith("done")
        if count <= 0:
            return


def opened(store: str, home: Path) -> Engine:
    """The engine of a store of this home, as a process that starts now opens it."""
    engine, place = PLACES[store]
    return open_engine_row(engine, home / place, EngineOptions(), store=store)


def found_in(store: str, home: Path) -> dict[str, str]:
    """Every memory of a store, text by id, as a fresh engine reads it."""
    engine = opened(store, home)
    try:
        listed = {memory.id: memory.text for memory in engine.changes(Mark()).changed}
        for id_, text in list(listed.items())[:5]:
            memory = engine.get(id_)
            assert memory is not None
            assert memory.text == text
        return listed
    finally:
        engine.close()


@contextmanager
def mind_on(home: Path, vault: Path | None = None) -> Iterator[Mind]:
    """The mind over a home, as a new process has it."""
    with open_mind(vault, environment(home), Door.AGENT) as mind:
        yield mind


def answers(store: str, home: Path, oracle: Oracle, rng: random.Random) -> list[str]:
    """What a mind over the home gets wrong: what was acknowledged is found, what was forgotten is not, all stores
    answer, and the chain of the log holds."""
    said = []
    with mind_on(home) as mind:
        for token in rng.sample(sorted(oracle.kept), min(ASKED_AT_ONCE, len(oracle.kept))):
            bundle = mind.retrieve(f"{token} opens")
            if f"{store}:{id_of(token)}" not in {result.id for result in bundle.results}:
                said.append(f"not found by retrieve: {token} ({bundle.faults}, {bundle.notes})")
            said += [f"silent: {fault}" for fault in bundle.faults if fault.store != "markdown"]
        for token in rng.sample(sorted(oracle.gone), min(3, len(oracle.gone))):
            bundle = mind.retrieve(f"{token} opens")
            if f"{store}:{id_of(token)}" in {result.id for result in bundle.results}:
                said.append(f"forgotten and still found: {token}")
        unusable = [status for status in mind.sources().stores if not status.usable and status.name != "markdown"]
        said += [f"not usable: {status.name}: {status.reason}" for status in unusable]
    verdict = verify(home / "audit")
    return said if verdict.holds else [*said, f"audit: {verdict}"]


def index_complaints(home: Path) -> list[str]:
    """Whether SQLite and FTS5 find every part of `index.db` in order, and its sums are those of its rows."""
    import apsw

    file = home / "index.db"
    if not file.exists():
        return []
    connection = apsw.Connection(str(file))
    try:
        said = [] if connection.execute("PRAGMA integrity_check").get == "ok" else ["index.db: integrity_check"]
        rows = connection.execute("SELECT number, memories, passages FROM source").fetchall()
        for number, memories, passages in rows:
            connection.execute(f"INSERT INTO words_{number}(words_{number}) VALUES ('integrity-check')")
            counted = [
                connection.execute(f"SELECT count(*) FROM {table} WHERE source = ?", (number,)).get
                for table in ("memory", "passage")
            ]
            if counted != [memories, passages]:
                said.append(f"index.db: sums {memories, passages}, rows {counted}")
        return said
    finally:
        connection.close()


def kill_writers(store: str, home: Path, kills: int, seed: int) -> Tally:
    """Kill so many writers of one store; after each the store is read in full, after some a mind is asked."""
    rng, oracle, tally = random.Random(f"{seed}-{store}"), Oracle(), Tally()
    round_ = 0
    while tally.kills < kills:
        who = f"{store[0]}{seed}r{round_}"
        lines, was_killed = killed([sys.executable, "-m", "tests.crash.worker", store, who, "40"], home, rng)
        tally.acknowledged += oracle.hear(lines)
        tally.kills += was_killed
        tally.ended += not was_killed
        found = found_in(store, home)
        tally.complain(oracle.complaints(found), who)
        oracle.settle(found)
        round_ += 1
        if round_ % ROUNDS_A_LOOK == 0 or tally.kills == kills:
            tally.complain([*answers(store, home, oracle, rng), *index_complaints(home)], who)
    return tally


def kill_indexers(place: Path, kills: int, seed: int) -> Tally:
    """Kill so many processes in the middle of indexing a vault that changes between them; after each a new one must
    find every note by its newest text, and nothing of the notes that are gone."""
    rng, tally, notes = random.Random(f"{seed}-index"), Tally(), dict[str, str]()
    home, vault = place / "home", place / "vault"
    vault.mkdir()
    for round_ in range(10 * kills):
        gone = _edit(vault, notes, rng, round_)
        words = [sys.executable, "-m", "tests.crash.indexer", str(vault), f"{seed}r{round_}"]
        lines, was_killed = killed(words, home, rng)
        tally.acknowledged += sum(line.startswith("done") for line in lines)
        tally.kills += was_killed
        tally.ended += not was_killed
        said = _lookups(home, vault, notes, gone, rng)  # first, for an index that was killed at its birth has no tables
        tally.complain([*said, *index_complaints(home)], f"{seed}r{round_}")
        if tally.kills == kills:
            break
    return tally


def _edit(vault: Path, notes: dict[str, str], rng: random.Random, round_: int) -> set[str]:
    """Write some notes, rewrite some and delete one; gives the words that are nowhere any more."""
    gone = set()
    for number in rng.sample(range(60), 25 if round_ == 0 else 4):
        name, word = f"n{number}.md", f"w{round_}n{number}"
        gone |= {notes[name]} if name in notes else set()
        notes[name] = word
        (vault / name).write_text(f"# Winch {number}\n\n{word} is today's word.\n\n" + "The winch turns. " * 60)
    name = rng.choice(sorted(notes))
    gone.add(notes.pop(name))
    (vault / name).unlink()
    return gone


def _lookups(home: Path, vault: Path, notes: Mapping[str, str], gone: set[str], rng: random.Random) -> list[str]:
    said = []
    with mind_on(home, vault) as mind:
        for name, word in rng.sample(sorted(notes.items()), 6):
            bundle = mind.retrieve(f"{word} today's word")
            if f"markdown:{name}" not in {result.id for result in bundle.results}:
                said.append(f"note not found: {name} {word} ({bundle.faults}, {bundle.notes})")
        for word in sorted(gone)[:3]:
            bundle = mind.retrieve(f"{word} today's word")
            said += [f"gone and found: {word}" for result in bundle.results if f"{word} is today" in result.text]
    return said
