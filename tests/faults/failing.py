"""A writer whose disk fails for a while: what it acknowledged must be there afterwards, what it refused said why."""

from __future__ import annotations

import errno
import random
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.crash.killing import ROOT, Tally, answers, environment, found_in, index_complaints
from tests.crash.oracle import Oracle
from tests.faults import disk

MOST_CHANGES = {"": 700, "index.db": 300, "audit": 150}  # how many changes there are of everything, and of parts
PARTS = {"sqlite": "memory.db", "leveldb": "leveldb", "files": "files", "vector": "vector-index"}
OPERATIONS = 25


@dataclass(frozen=True, slots=True)
class Fault:
    """How a disk fails: the error, the kinds of changes that meet it (letters of disk.c), and how many of them."""

    name: str
    error: int
    kinds: str
    most: int


FAULTS = (
    Fault("disk full", errno.ENOSPC, "CWTM", 60),
    Fault("write error", errno.EIO, "W", 3),
    Fault("sync error", errno.EIO, "S", 2),
    Fault("rename error", errno.EIO, "RU", 2),
    Fault("read-only all at once", errno.EROFS, "CWTSRUM", 60),
)


def fail_often(store: str, place: Path, faults: int, seed: int) -> Tally:
    """So many writers whose disk fails at a random change, each on a home of its own; then all is held against what
    they acknowledged, on a disk that works again."""
    rng, tally = random.Random(f"{seed}-fault-{store}"), Tally()
    for number in range(faults):
        fault = FAULTS[number % len(FAULTS)]
        ground = place / str(number)
        ground.mkdir()
        part = ("", PARTS[store], PARTS[store], "index.db", "audit")[number // len(FAULTS) % 5]
        settings = {
            "part": part,
            "fail_from": rng.randrange(1, MOST_CHANGES.get(part, 80)),
            "fail_count": rng.randrange(1, fault.most + 1),
            "fail_errno": fault.error,
            "fail_kinds": fault.kinds,
        }
        tally.complain(_failed(store, ground / "home", settings, rng, tally), f"{seed} {fault.name} {settings}")
        tally.kills += 1
    return tally


def _failed(store: str, home: Path, settings: Mapping[str, object], rng: random.Random, tally: Tally) -> list[str]:
    more = {**disk.watched(home.parent, **settings), "GO_ON": "1"}
    words = [sys.executable, "-m", "tests.crash.worker", store, f"f{store[0]}", str(OPERATIONS)]
    done = subprocess.run(
        words, env=environment(home, more), cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    oracle = Oracle()
    tally.acknowledged += oracle.hear(done.stdout.splitlines(keepends=True))
    tally.ended += done.stdout.count("failed ")
    said = [] if done.returncode == 0 else [f"died: {done.stderr[-2000:]}"]
    said += [f"no way out: {line!r}" for line in done.stderr.splitlines() if not _is_refusal(line)]
    found = found_in(store, home)
    said += oracle.complaints(found)
    oracle.settle(found)
    return [*said, *answers(store, home, oracle, rng), *index_complaints(home)]


def _is_refusal(line: str) -> bool:
    """Whether a line tells what was refused, why, and what to do."""
    parts = line.split("\t")
    return len(parts) == 3 and all(parts)
