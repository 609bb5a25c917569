"""Grade every case with two ranking tables: what would get worse if the second one were saved? The dashboard asks so.

    python -m evals.edited < tables.json

`tables.json` holds `{"saved": {...}, "edited": {...}}`, each a table as MMIND_RANK_… variables. Each case's world is
built once and its stores are asked once; only what follows is computed twice. One line of JSON a case, as it is done:
`{"done": 3, "total": 452, "case": "trust/…", "saved": [], "edited": ["first must be …"]}`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
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


def grades(tables: Sequence[Variables], cases: Sequence[Case]) -> Iterator[list[list[str]]]:
    """Every case's failures with each table, in the order of the cases, as they are done."""
    with pool(WORKERS, _get_ready_aside) as processes:
        try:
            yield from processes.map(partial(graded_with, tables), cases)
        except BaseException:
            processes.shutdown(wait=False, cancel_futures=True)
            raise


def _get_ready_aside() -> None:
    """As for any grading, and out of the way of what the user is doing meanwhile."""
    if hasattr(os, "nice"):
        os.nice(10)
    load_model()


def main() -> int:
    """The command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="FAMILY", help="grade the cases whose names start so")
    only = parser.parse_args().only
    tables = json.load(sys.stdin)
    cases = [case for case in read_cases() if case.name.startswith(only)]
    both = [tables["saved"], tables["edited"]]
    with contextlib.suppress(KeyboardInterrupt):
        for done, (case, (saved, edited)) in enumerate(zip(cases, grades(both, cases), strict=True), 1):
            line = {"done": done, "total": len(cases), "case": case.name, "saved": saved, "edited": edited}
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
