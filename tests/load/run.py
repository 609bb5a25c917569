"""`make load`: two minutes of five servers and the command line on one home, a vault of 20,000 notes, 10,000 swaps.

`python -m tests.load.run [--seconds 120] [--seed N] [--model none|local] [--notes 20000] [--swaps 10000]`
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from tests.crash.killing import mind_on
from tests.load.big_vault import look_at
from tests.load.hammer import Hammer
from tests.vaults.swapping import swap_while_asked


def main(arguments: list[str]) -> int:
    """Do both, print what was done, and fail when anything was wrong."""
    parser = argparse.ArgumentParser(prog="make load")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--model", default="none")
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--swaps", type=int, default=10_000)
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}", flush=True)
    complaints: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mmind-load-") as place:
        if asked.seconds:
            complaints += _hammered(Path(place), asked)
    with tempfile.TemporaryDirectory(prefix="mmind-load-") as place:
        if asked.notes:
            complaints += look_at(Path(place), asked.notes, print)
    with tempfile.TemporaryDirectory(prefix="mmind-load-") as place:
        if asked.swaps:
            complaints += _swapped(Path(place), asked.swaps)
    for complaint in complaints[:40]:
        print(f"  {complaint}")
    print(f"{len(complaints)} complaints")
    return int(bool(complaints))


def _hammered(place: Path, asked: argparse.Namespace) -> list[str]:
    hammer = Hammer(place, asked.seed, asked.model)
    try:
        record = hammer.run(asked.seconds)
    finally:
        hammer.close()
    kept = {store: len(oracle.kept) for store, oracle in record.oracles.items()}
    gone = sum(len(oracle.gone) for oracle in record.oracles.values())
    replies = ", ".join(f"{count} {what}" for what, count in sorted(record.replies.items()))
    print(f"{asked.seconds:.0f} s: {replies}; {record.late} answers said that they lag", flush=True)
    print(f"kept {kept}, forgotten {gone}", flush=True)
    return record.complaints


def _swapped(place: Path, swaps: int) -> list[str]:
    vault, evil = place / "vault", place / "vault-evil"
    for folder in (vault, evil):
        folder.mkdir()
    (evil / "canary.md").write_text("canary xq17 sings\n")
    with mind_on(place / "home", vault) as mind:
        shown = swap_while_asked(mind, vault, evil / "canary.md", swaps)
    print(f"{swaps} swaps of a note for a link that leads out: shown {len(shown)} times", flush=True)
    return [f"shown from outside: {one[:200]}" for one in shown]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
