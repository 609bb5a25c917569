"""`make load`: two minutes of five servers and the command line on one home, then a vault of 20,000 notes.

`python -m tests.load.run [--seconds 120] [--seed N] [--model none|local] [--notes 20000]`
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from tests.load.big_vault import look_at
from tests.load.hammer import Hammer


def main(arguments: list[str]) -> int:
    """Do both, print what was done, and fail when anything was wrong."""
    parser = argparse.ArgumentParser(prog="make load")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--model", default="none")
    parser.add_argument("--notes", type=int, default=20_000)
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}", flush=True)
    complaints: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mmind-load-") as place:
        if asked.seconds:
            complaints += _hammered(Path(place), asked)
    with tempfile.TemporaryDirectory(prefix="mmind-load-") as place:
        if asked.notes:
            complaints += look_at(Path(place), asked.notes, print)
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
