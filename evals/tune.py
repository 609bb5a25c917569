"""What happens when one default moves? Each knob is swept alone over the labelled cases; worlds are built once.

    python -m evals.tune [KNOB ...]        passes of the dev half at each value of each knob (or of those named)
    python -m evals.tune --test            the test half beside it: look once, after choosing
    python -m evals.tune --flips KNOB      which cases of the dev half change at each value
    python -m evals.tune --write           also write evals/sweeps.json, which the documentation plots

A knob is a number of the ranking table, a half-life, or a constant of the scoring. Only the pure steps of a retrieve
run again: what the stores answered is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from evals.case import NOW, Case, read_cases
from evals.grade import answered, failures
from evals.processes import pool, world_of
from evals.world import Gathered, gathered_of, handles
from mmind.router.assemble import assemble
from mmind.router.conflicts import shown_conflicts
from mmind.router.near_words import with_near_words
from mmind.router.parse import MOST_TOKENS
from mmind.router.retrieve import rank
from mmind.router.score import relevance as relevance_of
from mmind.router.score import scored
from mmind.router.second_look import with_second_look
from mmind.scoring import confidence, relevance
from mmind.text import bm25
from mmind.values.bundle import Bundle
from mmind.values.memory import StorePolicy
from mmind.values.ranking import Ranking

SWEEPS = Path(__file__).parent / "sweeps.json"


@dataclass(frozen=True, slots=True)
class Knob:
    """One number that may move: its name, the values to try, and what holds it.

    `module` defines a constant of that name; without one, it is a field of the ranking table, or a half-life where the
    name starts so ("half_life_sqlite"; "half_lives" multiplies all).
    """

    name: str
    values: tuple[float, ...]
    module: ModuleType | None = None

    @property
    def default(self) -> float:
        """The value in force."""
        if self.module is not None:
            return float(getattr(self.module, self.name))
        return 1.0 if self.name == "half_lives" else float(getattr(Ranking(), self.name, 0.0))

    def holders(self) -> list[ModuleType]:
        """The modules whose constant it is: the one that defines it, and those that took its name from there."""
        if self.module is None:
            return []
        number = getattr(self.module, self.name)
        ours = [module for name, module in sys.modules.items() if name.startswith("mmind.")]
        return [module for module in ours if getattr(module, self.name, None) is number]


KNOBS = (
    Knob("semantic_weight", (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
    Knob("recency_floor", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
    Knob("half_lives", (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)),
    Knob("half_life_markdown", (180, 365, 730, 1095, 2190, 5000)),
    Knob("half_life_sqlite", (30, 90, 180, 365, 730, 1460)),
    Knob("half_life_leveldb", (1, 3, 7, 14, 30, 90, 365)),
    Knob("half_life_files", (90, 180, 365, 730, 1460, 3000)),
    Knob("half_life_vector", (30, 90, 180, 365, 730, 1460)),
    Knob("trust_curated", (1.0, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 2.0)),
    Knob("trust_generated", (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15)),
    Knob("corroboration_boost", (0.0, 0.03, 0.06, 0.12, 0.2, 0.3, 0.5)),
    Knob("duplicate_threshold", (0.5, 0.6, 0.7, 0.76, 0.82, 0.88, 0.94, 1.0)),
    Knob("WEAK_BELOW", (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5), confidence),
    Knob("COSINE_OF_STRANGERS", (0.0, 0.05, 0.1, 0.15, 0.2, 0.25), confidence),
    Knob("COSINE_OF_ANSWERS", (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7), confidence),
    Knob("WORDS_SHARE", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8), confidence),
    Knob("BEST_BM25_FLOOR", (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0), relevance),
    Knob("K1", (0.6, 0.9, 1.2, 1.5, 2.0), bm25),
    Knob("B", (0.0, 0.2, 0.4, 0.6, 0.75, 0.9), bm25),
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case and what its stores answered."""

    case: Case
    gathered: Gathered
    policies: Mapping[str, StorePolicy]
    names: dict[str, str]


def prepare_all(cases: Sequence[Case]) -> list[Prepared]:
    """Every case asked once, up to the point where ranking begins."""
    with pool() as processes:
        return list(processes.map(_prepared, cases, chunksize=4))


def _prepared(case: Case) -> Prepared:
    with world_of(case) as standing:
        return Prepared(case, gathered_of(case, standing), standing.rules.policies, handles(case))


def wrong(prepared: Prepared, ranking: Ranking, half_lives: Mapping[str, float]) -> list[str]:
    """What the pure steps get wrong of a case with these numbers."""
    policies = {
        name: replace(policy, half_life_days=half_lives.get(name, policy.half_life_days) * half_lives.get("*", 1.0))
        for name, policy in prepared.policies.items()
    }
    told = prepared.gathered
    weighed = partial(relevance_of, ranking=ranking)
    raised = with_near_words(told.candidates(policies), weighed, told.query, told.statistics, told.nearest)
    looked = with_second_look(raised, weighed, told.match)
    candidates = scored(looked, ranking, NOW)
    ranked, disputes = rank(candidates, ranking, prepared.case.query)
    results = assemble(ranked, prepared.case.limit, MOST_TOKENS, prepared.gathered.query.terms)
    bundle = Bundle(
        query=prepared.case.query,
        results=tuple(results),
        conflicts=tuple(shown_conflicts(disputes, ranked[: len(results)], prepared.gathered.query.terms)),
        faults=(),
        notes=(),
        searched=(),
        relevant=any(not result.weak for result in results),
        omitted=0,
        now=NOW,
        elapsed_ms=0.0,
    )
    return failures(prepared.case, answered(bundle, prepared.names))


def passing(everything: Sequence[Prepared], knob: Knob, value: float) -> dict[str, bool]:
    """Which cases pass with one knob at a value and all others at their defaults."""
    with _turned(knob, value) as (ranking, half_lives):
        return {one.case.name: not wrong(one, ranking, half_lives) for one in everything}


@contextmanager
def _turned(knob: Knob, value: float) -> Iterator[tuple[Ranking, dict[str, float]]]:
    with ExitStack() as stack:
        for module in knob.holders():
            stack.enter_context(patch.object(module, knob.name, value))
        if knob.module is not None:
            yield Ranking(), {}
        elif knob.name == "semantic_weight":
            yield replace(Ranking(), semantic_weight=value, lexical_weight=1 - value), {}
        elif knob.name in {field.name for field in fields(Ranking)}:
            changed: dict[str, Any] = {knob.name: value}
            yield replace(Ranking(), **changed), {}
        else:
            yield Ranking(), {knob.name.removeprefix("half_life_").replace("half_lives", "*"): value}


def main() -> int:
    """The command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("knobs", nargs="*", help="the knobs to sweep; all without a name")
    parser.add_argument("--test", action="store_true", help="show the test half as well")
    parser.add_argument("--flips", action="store_true", help="name the cases of the dev half that change")
    parser.add_argument("--write", action="store_true", help="write sweeps.json (both halves)")
    chosen = parser.parse_args()
    knobs = [knob for knob in KNOBS if not chosen.knobs or knob.name in chosen.knobs]
    both = chosen.test or chosen.write
    everything = prepare_all([case for case in read_cases() if both or case.half == "dev"])
    sweeps = {}
    for knob in knobs:
        swept = {value: passing(everything, knob, value) for value in knob.values}
        sweeps[knob.name] = _counts(everything, knob, swept)
        print(_table(knob, sweeps[knob.name]))
        if chosen.flips:
            print("\n".join(_flips(everything, knob, swept)))
    if chosen.write:
        SWEEPS.write_text(json.dumps(sweeps, indent=1) + "\n", "utf-8")
    return 0


def _counts(everything: Sequence[Prepared], knob: Knob, swept: Mapping[float, Mapping[str, bool]]) -> dict[str, object]:
    halves = {
        half: [sum(passes[one.case.name] for one in everything if one.case.half == half) for passes in swept.values()]
        for half in ("dev", "test")
    }
    sizes = {half: sum(one.case.half == half for one in everything) for half in halves}
    return {"default": _default(knob, everything), "values": list(swept), **halves, "cases": sizes}


def _default(knob: Knob, everything: Sequence[Prepared]) -> float:
    store = knob.name.removeprefix("half_life_")
    return everything[0].policies[store].half_life_days if store != knob.name else knob.default


def _table(knob: Knob, counts: Mapping[str, object]) -> str:
    rows = [f"{knob.name} (default {counts['default']:g})"]
    for name in ("values", "dev", "test"):
        numbers = counts[name]
        if isinstance(numbers, list) and any(numbers):
            rows.append(f"  {name:<7}" + "".join(f"{number:>8g}" for number in numbers))
    return "\n".join(rows)


def _flips(everything: Sequence[Prepared], knob: Knob, swept: Mapping[float, Mapping[str, bool]]) -> Iterator[str]:
    usual = passing(everything, knob, _default(knob, everything))
    for value, passes in swept.items():
        for one in everything:
            name = one.case.name
            if one.case.half == "dev" and passes[name] is not usual[name]:
                yield f"    {value:g}: {name} {'passes' if passes[name] else 'fails'}"


if __name__ == "__main__":
    sys.exit(main())
