"""Grade every case with two ranking tables: what would get worse if the second one were saved? The dashboard asks so.

    python -m evals.edited < tables.json

`tables.json` is one line, `{"saved": {...}, "edited": {...}}`, each a table as MMIND_RANK_… variables. Each case's
world is built once and its stores are asked once; only what follows is computed twice. One line of JSON a case, as it
is done: `{"done": 3, "total": 452, "case": "trust/…", "saved": [], "edited": ["first must be …"]}`. With `--while-open`
the end of standard input ends the grading, whether somebody closes it or is gone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from pathlib import Path

from evals.case import NOW, Case, read_cases
from evals.grade import answered, failures
from evals.processes import WORKERS, load_model, pool, world_of
from evals.world import handles, request_of
from mmind.config.rules import rules_of
from mmind.config.settings import load
from mmind.router.retrieve import answer, find
from mmind.values.ports import Rules

Variables = Mapping[str, str]


def graded_with(tables: Sequence[Variables], case: Case) -> list[list[str]]:
    """What the router gets wrong of a case with each table, in their order."""
    with world_of(case) as standing:
        found = find(request_of(case, tuple(standing.world.stores)), standing.world, NOW)
        names = handles(case)
        return [failures(case, answered(answer(found, _rules(table, case, standing.home)), names)) for table in tables]


def _rules(table: Variables, case: Case, home: Path) -> Rules:
    """The table's rules; what a case sets for itself holds with every table."""
    return rules_of(load({"MMIND_HOME": str(home), **table, **case.settings}, None))


def grades(tables: Sequence[Variables], cases: Sequence[Case]) -> Generator[list[list[str]], None, None]:
    """Every case's failures with each table, in the order of the cases, as they are done."""
    with pool(WORKERS, _get_ready_aside) as processes:
        yield from processes.map(partial(graded_with, tables), cases)


def _get_ready_aside() -> None:
    """As for any grading, and out of the way of what the user is doing meanwhile."""
    if hasattr(os, "nice"):
        os.nice(10)
    load_model()


def _set_at_the_end_of_input(is_left: threading.Event) -> None:
    while os.read(sys.stdin.fileno(), 1_000):  # past the buffer, whose lock a waiting thread would hold at the end
        pass
    is_left.set()


def main() -> int:
    """The command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="FAMILY", help="grade the cases whose names start so")
    parser.add_argument("--while-open", action="store_true", help="stop when standard input ends")
    chosen = parser.parse_args()
    tables = json.loads(sys.stdin.readline())
    is_left = threading.Event()
    if chosen.while_open:
        threading.Thread(target=_set_at_the_end_of_input, args=(is_left,), daemon=True).start()
    cases = [case for case in read_cases() if case.name.startswith(chosen.only)]
    with contextlib.closing(grades([tables["saved"], tables["edited"]], cases)) as graded:
        for done, (case, (saved, edited)) in enumerate(zip(cases, graded, strict=True), 1):
            if is_left.is_set():
                break
            line = {"done": done, "total": len(cases), "case": case.name, "saved": saved, "edited": edited}
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
