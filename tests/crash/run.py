"""`make crash`: the full count of kills, with a seed that is printed and repeats them.

`python -m tests.crash.run [--kills 200] [--faces 25] [--cuts 400] [--seed N] [WHAT …]`; WHAT is a store (or
STORE-writers, STORE-faces), index, power, faults or bytes.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.crash import cutting, faces, killing
from tests.crash.killing import PLACES, Tally
from tests.faults import failing, flipping
from tests.faults.powercut import Names

Round = Callable[[Path], Tally]


def rounds(kills: int, faces_kills: int, cuts: int, seed: int) -> dict[str, list[tuple[str, Round]]]:
    """What is to be done, by name."""
    made = {store: _deaths(store, kills, faces_kills, seed) for store in PLACES}
    made |= {f"{store}-writers": made[store][:1] for store in PLACES}
    made |= {f"{store}-faces": made[store][1:] for store in PLACES}
    made["index"] = [("index: indexers", lambda place: killing.kill_indexers(place, kills, seed))]
    made["faults"] = [_faults(store, cuts // 4, seed) for store in PLACES]
    made["bytes"] = [_bytes(store, cuts, seed) for store in PLACES]
    made["bytes"].append(("index: turned bits", lambda place: flipping.flip_index(place, cuts // 2, seed)))
    made["power"] = [_cuts(store, cuts, seed, names) for store in PLACES for names in Names]
    return made


def _deaths(store: str, kills: int, faces_kills: int, seed: int) -> list[tuple[str, Round]]:
    return [
        (f"{store}: writers", lambda place: killing.kill_writers(store, place / "home", kills, seed)),
        (f"{store}: servers", lambda place: faces.kill_servers(store, place / "home", faces_kills, seed)),
        (f"{store}: commands", lambda place: faces.kill_commands(store, place / "home", faces_kills, seed)),
    ]


def _cuts(store: str, cuts: int, seed: int, names: Names) -> tuple[str, Round]:
    title = f"{store} and the audit log: power cuts, {names.value} names"
    return title, lambda place: cutting.cut_often(store, place, cuts, seed, names)


def _faults(store: str, count: int, seed: int) -> tuple[str, Round]:
    return f"{store}: failing disks", lambda place: failing.fail_often(store, place, count, seed)


def _bytes(store: str, count: int, seed: int) -> tuple[str, Round]:
    return f"{store}: turned bits", lambda place: flipping.flip_often(store, place, count, seed)


def main(arguments: list[str]) -> int:
    """Do it all, print a line each, and fail when anything was wrong."""
    parser = argparse.ArgumentParser(prog="make crash")
    parser.add_argument("what", nargs="*", default=[])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--faces", type=int, default=25)
    parser.add_argument("--cuts", type=int, default=400)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    asked = parser.parse_args(arguments)
    made = rounds(asked.kills, asked.faces, asked.cuts, asked.seed)
    print(f"seed {asked.seed}", flush=True)
    is_wrong = False
    for name in asked.what or [name for name in made if "-" not in name]:
        for title, round_ in made[name]:
            is_wrong |= _run(title, round_)
    return int(is_wrong)


def _run(title: str, round_: Round) -> bool:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mmind-crash-") as place:
        tally = round_(Path(place))
    seconds = time.monotonic() - started
    print(
        f"{title}: {tally.kills} tried, {tally.acknowledged} acknowledged, "
        f"{len(tally.complaints)} complaints ({seconds:.0f} s)",
        flush=True,
    )
    for complaint in tally.complaints[:20]:
        print(f"  {complaint}", flush=True)
    return bool(tally.complaints)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
