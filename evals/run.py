"""Grade every case, compare with the recorded baseline, and fail if any case got worse.

python -m evals.run                     grade all cases
python -m evals.run --half dev          only the half that may be tuned on (or test)
python -m evals.run --only FAMILY       only the cases whose names start so
python -m evals.run --explain NAME      print one case's answer with its arithmetic
python -m evals.run --record            keep today's grades as the baseline
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.case import NOW, Case, read_cases
from evals.grade import answered, failures, is_about_rank, rank_failures
from evals.processes import WORKERS, pool, world_of
from evals.replaced import best_similarity
from evals.world import Opened, candidates_of, handles, request_of
from mmind.router.retrieve import find, retrieve
from mmind.values.bundle import Bundle

BASELINE = Path(__file__).parent / "baseline.json"


@dataclass(frozen=True, slots=True)
class Grade:
    """How one case went: what the router got wrong, and what the ranking that it replaced got wrong.

    `ranks` says whether the case demands anything of the ranks; `router_ranks` and `replaced_ranks` are the faults
    in these alone, where the replaced ranking, which knows no conflicts and no groups, can compete.
    """

    case: Case
    router: tuple[str, ...]
    replaced: tuple[str, ...]
    router_ranks: tuple[str, ...]
    replaced_ranks: tuple[str, ...]

    @property
    def ranks(self) -> bool:
        """Whether the case demands anything of the ranks."""
        return is_about_rank(self.case.expected)


def ask(case: Case, standing: Opened) -> tuple[Bundle, Grade]:
    """Ask a case's query of its world both ways, and grade both answers."""
    names = handles(case)
    request = request_of(case, tuple(standing.world.stores))
    bundle = retrieve(request, standing.world, standing.rules, NOW)
    candidates = candidates_of(find(request, standing.world, NOW), standing.rules.policies)
    before = best_similarity(case, candidates, names)
    now = answered(bundle, names)
    parts = [tuple(lines(case, answer)) for lines in (failures, rank_failures) for answer in (now, before)]
    return bundle, Grade(case, *parts)


def graded(case: Case) -> Grade:
    """The grade of one case."""
    with world_of(case) as standing:
        return ask(case, standing)[1]


def grade_all(cases: Sequence[Case], workers: int = WORKERS) -> list[Grade]:
    """Every case's grade, in order, on as many processes."""
    if workers == 1 or len(cases) < 2 * workers:
        return [graded(case) for case in cases]
    with pool(workers) as processes:
        return list(processes.map(graded, cases, chunksize=4))


def regressions(grades: Sequence[Grade], baseline: dict[str, bool]) -> list[Grade]:
    """Cases that passed when the baseline was recorded and fail now."""
    return [grade for grade in grades if grade.router and baseline.get(grade.case.name, False)]


def read_baseline() -> dict[str, bool]:
    """Each case's name, and whether it passed when the baseline was recorded."""
    return dict(json.loads(BASELINE.read_text("utf-8"))) if BASELINE.exists() else {}


def report(grades: Sequence[Grade], worse: Sequence[Grade]) -> str:
    """The table for people: passes of both rankings by family, then every failure in words.

    The columns under "ranks only" count the cases that demand something of the ranks, and judge nothing else.
    """
    families: dict[str, list[Grade]] = {}
    for grade in grades:
        families.setdefault(grade.case.family, []).append(grade)
    groups = {
        **families,
        "hard ones": [one for one in grades if one.case.hard],
        "dev half": [one for one in grades if one.case.half == "dev"],
        "test half": [one for one in grades if one.case.half == "test"],
        "all": list(grades),
    }
    rows = [
        f"{'':<18}{'everything judged':>24}{'ranks only':>26}",
        f"{'family':<18}{'cases':>6}{'router':>8}{'replaced':>10}{'cases':>8}{'router':>8}{'replaced':>10}",
        *(_row(name, members) for name, members in groups.items()),
    ]
    rows += [
        f"FAIL {one.case.name}{' (hard)' if one.case.hard else ''}: {'; '.join(one.router)}"
        for one in grades
        if one.router
    ]
    rows += [f"WORSE THAN THE BASELINE: {grade.case.name}" for grade in worse]
    return "\n".join(rows)


def _row(name: str, members: Sequence[Grade]) -> str:
    ranked = [one for one in members if one.ranks]
    counts = (
        len(members),
        sum(not one.router for one in members),
        sum(not one.replaced for one in members),
        len(ranked),
        sum(not one.router_ranks for one in ranked),
        sum(not one.replaced_ranks for one in ranked),
    )
    return f"{name:<18}" + "".join(
        f"{count:>{width}}" for count, width in zip(counts, (6, 8, 10, 8, 8, 10), strict=True)
    )


def explained(case: Case) -> str:
    """One case's answer with every factor, and what is wrong with it."""
    with world_of(case) as standing:
        bundle, grade = ask(case, standing)
    names = handles(case)
    lines = [f"{case.name} ({case.half}): {case.why}", f"query: {case.query}", ""]
    for result in bundle.results:
        factors = " x ".join(f"{factor.name} {factor.value:.4f}" for factor in result.score.factors)
        lines.append(f"{result.rank}. {[names.get(place.id, place.id) for place in result.evidence]} {result.text!r}")
        lines.append(f"   {result.score.value:.4f} = {factors}   confidence {result.confidence:.2f}")
        lines += [f"     {factor.name}: {factor.reason} {dict(factor.inputs)}" for factor in result.score.factors]
        lines += [f"     agrees with {names.get(handle, handle)}" for handle in result.agrees_with]
    for conflict in bundle.conflicts:
        pair, trusted = [names.get(handle, handle) for handle in conflict.ids], names.get(conflict.trusted)
        lines.append(f"conflict {conflict.kind} {pair} {conflict.values}: trusts {trusted}, {conflict.reason}")
    lines += [f"note: {note}" for note in bundle.notes]
    lines += ["", *(grade.router or ["passes"]), *(f"the replaced ranking: {line}" for line in grade.replaced)]
    return "\n".join(lines)


def main() -> int:
    """The command line of the evaluation; exit status 1 when a case got worse than the baseline."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=("dev", "test"), help="grade one half only")
    parser.add_argument("--only", default="", metavar="FAMILY", help="grade the cases whose names start so")
    parser.add_argument("--explain", metavar="NAME", help="print one case's answer with its arithmetic")
    parser.add_argument("--record", action="store_true", help="keep today's grades as the baseline")
    chosen = parser.parse_args()
    cases = read_cases()
    if chosen.explain:
        matching = [case for case in cases if case.name == chosen.explain]
        if not matching:
            parser.error(f"there is no case {chosen.explain!r}; known: {', '.join(case.name for case in cases)}")
        print(explained(matching[0]))
        return 0
    cases = [case for case in cases if chosen.half in (None, case.half) and case.name.startswith(chosen.only)]
    grades = grade_all(cases)
    worse = regressions(grades, read_baseline())
    print(report(grades, worse))
    if chosen.record:
        kept = read_baseline() | {grade.case.name: not grade.router for grade in grades}
        BASELINE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
    return 1 if worse and not chosen.record else 0


if __name__ == "__main__":
    sys.exit(main())
