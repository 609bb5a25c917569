"""Grade every case, compare with the recorded baseline, and fail if any case got worse.

python -m evals.run                  grade all cases
python -m evals.run --explain NAME   print one case's answer with its arithmetic
python -m evals.run --record         keep today's grades as the baseline
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from evals.case import NOW, Case, read_cases
from evals.grade import answered, failures, rank_failures
from evals.replaced import best_similarity
from evals.world import handles, opened
from mmind.router import parse
from mmind.router.retrieve import retrieve
from mmind.values.bundle import Bundle

BASELINE = Path(__file__).parent / "baseline.json"


@dataclass(frozen=True, slots=True)
class Grade:
    """How one case went: what the router got wrong, and what the ranking it replaced got wrong of the ranks alone."""

    name: str
    router: tuple[str, ...]
    replaced: tuple[str, ...]


def ask(case: Case, folder: Path) -> tuple[Bundle, Grade]:
    """Build the case's world in `folder`, ask its query both ways, and grade both answers."""
    names = handles(case)
    with opened(case, folder) as (world, rules):
        request = parse.Request(
            text=parse.parse_text(case.query),
            limit=case.limit,
            stores=tuple(world.stores),
            since=None,
            until=None,
            tags=(),
            session=case.session,
            max_tokens=8000,
        )
        bundle = retrieve(request, world, rules, NOW)
        before = best_similarity(case, world, rules, names)
    grade = Grade(case.name, tuple(failures(case, answered(bundle, names))), tuple(rank_failures(case, before)))
    return bundle, grade


def graded(case: Case) -> Grade:
    """The grade of one case, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        return ask(case, Path(folder))[1]


def grade_all(cases: Sequence[Case], workers: int = 2) -> list[Grade]:
    """Every case's grade, in order, on two processes."""
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(graded, cases, chunksize=4))


def regressions(grades: Sequence[Grade], baseline: dict[str, bool]) -> list[Grade]:
    """Cases that passed when the baseline was recorded and fail now."""
    return [grade for grade in grades if grade.router and baseline.get(grade.name, False)]


def read_baseline() -> dict[str, bool]:
    """Each case's name, and whether it passed when the baseline was recorded."""
    return dict(json.loads(BASELINE.read_text("utf-8"))) if BASELINE.exists() else {}


def report(grades: Sequence[Grade], worse: Sequence[Grade]) -> str:
    """The table for people: passes of both rankings by family, then every failure in words."""
    families: dict[str, list[Grade]] = {}
    for grade in grades:
        families.setdefault(grade.name.partition("/")[0], []).append(grade)
    rows = [f"{'family':<16}{'cases':>6}{'router':>8}{'replaced':>10}"]
    for family, members in [*families.items(), ("all", list(grades))]:
        passes, before = sum(not one.router for one in members), sum(not one.replaced for one in members)
        rows.append(f"{family:<16}{len(members):>6}{passes:>8}{before:>10}")
    rows += [f"FAIL {grade.name}: {'; '.join(grade.router)}" for grade in grades if grade.router]
    rows += [f"WORSE THAN THE BASELINE: {grade.name}" for grade in worse]
    return "\n".join(rows)


def explain(case: Case) -> None:
    """Print one case's answer with every factor."""
    with tempfile.TemporaryDirectory() as folder:
        bundle, grade = ask(case, Path(folder))
    names = handles(case)
    print(f"{case.name}: {case.why}\nquery: {case.query}\n")
    for result in bundle.results:
        factors = " x ".join(f"{factor.name} {factor.value:.4f}" for factor in result.score.factors)
        print(f"{result.rank}. {[names.get(place.id, place.id) for place in result.evidence]}")
        print(f"   {result.score.value:.4f} = {factors}   confidence {result.confidence:.2f}")
        for factor in result.score.factors:
            print(f"     {factor.name}: {factor.reason} {dict(factor.inputs)}")
    for conflict in bundle.conflicts:
        pair, trusted = [names.get(handle, handle) for handle in conflict.ids], names.get(conflict.trusted)
        print(f"conflict {conflict.kind} {pair} {conflict.values}: trusts {trusted}, {conflict.reason}")
    print("\n".join(["", *grade.router]) or "passes")


def main() -> int:
    """The command line of the evaluation; exit status 1 when a case got worse than the baseline."""
    parser = argparse.ArgumentParser(prog="python -m evals.run", description=__doc__)
    parser.add_argument("--explain", metavar="NAME", help="print one case's answer with its arithmetic")
    parser.add_argument("--record", action="store_true", help="keep today's grades as the baseline")
    chosen = parser.parse_args()
    cases = read_cases()
    if chosen.explain:
        matching = [case for case in cases if case.name == chosen.explain]
        if not matching:
            parser.error(f"there is no case {chosen.explain!r}; known: {', '.join(case.name for case in cases)}")
        explain(matching[0])
        return 0
    grades = grade_all(cases)
    worse = regressions(grades, read_baseline())
    print(report(grades, worse))
    if chosen.record:
        kept = {grade.name: not grade.router for grade in grades}
        BASELINE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
    return 1 if worse and not chosen.record else 0


if __name__ == "__main__":
    sys.exit(main())
