"""Power cuts: one writer is watched, and what the disk would hold is worked out for many instants of its life."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

from mmind.audit.reading import tail, verify
from tests.crash.killing import ROOT, Tally, answers, environment, found_in
from tests.crash.oracle import Oracle, id_of
from tests.faults import disk
from tests.faults.disk import Change
from tests.faults.powercut import Names, PowerCut, lines_until

ANSWERS_EVERY = 20
# TAIL: records of questions and of ends are not synced one by one. A power cut may take the last of them, and the log
# says so, for it cannot know a power cut from scissors. What announces a write is synced: that is checked below.


def cut_often(store: str, place: Path, cuts: int, seed: int, names: Names = Names.JOURNALED) -> Tally:
    """Cut the power at so many instants of one writer's life, and hold each disk against what was acknowledged."""
    rng, tally = random.Random(f"{seed}-power-{store}"), Tally()
    ground = place / "watched"
    changes = journal_of(store, ground, f"p{store[0]}{seed}")
    instants = sorted(rng.randrange(1, len(changes) + 1) for _ in range(cuts))
    power = PowerCut(os.path.realpath(ground), names)
    made = 0
    for number, instant in enumerate(instants):
        while made < instant:
            power.make(changes[made])
            made += 1
        left = place / "left"
        left.mkdir()
        power.cut(left, rng)
        oracle = Oracle()
        tally.acknowledged += oracle.hear(lines_until(changes[:instant]))
        tally.kills += 1
        tally.complain(_complaints(store, left / "home", oracle, rng, is_asked=number % ANSWERS_EVERY == 0), instant)
        shutil.rmtree(left)
    return tally


def journal_of(store: str, ground: Path, who: str) -> list[Change]:
    """Everything a writer did to the disk, from an empty folder on."""
    ground.mkdir()
    file = ground.with_name("journal")
    more = disk.watched(ground, journal=file)
    words = [sys.executable, "-m", "tests.crash.worker", store, who, "60"]
    subprocess.run(
        words, env=environment(ground / "home", more), cwd=ROOT, check=True, timeout=120, stdout=subprocess.DEVNULL
    )
    return list(disk.journal(file))


def _complaints(store: str, home: Path, oracle: Oracle, rng: random.Random, *, is_asked: bool) -> list[str]:
    found = found_in(store, home)
    said = oracle.complaints(found)
    verdict = verify(home / "audit")
    if not verdict.holds and "were written and are missing" not in verdict.why:  # see TAIL
        said.append(f"audit: {verdict}")
    announced = {id_ for record in tail(home / "audit", 10_000) for id_ in record.get("ids", ())}  # type: ignore[attr-defined]
    said += [f"kept without a trace: {token}" for token in oracle.kept if f"{store}:{id_of(token)}" not in announced]
    if is_asked:
        oracle.settle(found)
        said += answers(store, home, oracle, rng)
    return said
