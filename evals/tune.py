"""What happens when one default moves? Each knob is swept alone over the labelled cases; worlds are built once.

    python -m evals.tune [KNOB ...]        passes of the dev half at each value of each knob (or of those named)
    python -m evals.tune --test            the test half beside it: look once, after choosing
    python -m evals.tune --flips KNOB      which cases of the dev half change at each value
    python -m evals.tune --write           also write evals/sweeps.json, which the documentation plots

A knob is a number of the ranking table, a half-life, or a constant of the scoring. Only the pure steps of a retrieve
run again (`mmind.router.retrieve.answer`): what the stores answered is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from evals.case import NOW, Case, read_cases
from evals.constants import held_at
from evals.grade import answered, failures
from evals.processes import WORKERS, pool, world_of
from evals.world import handles, request_of
from mmind.config.rules import rules_of
from mmind.config.settings import load
from mmind.router.retrieve import Found, answer, find
from mmind.scoring import confidence, relevance
from mmind.text import bm25
from mmind.values.memory import StorePolicy
from mmind.values.ports import Rules
from mmind.values.ranking import Ranking

SWEEPS = Path(__file__).parent / "sweeps.json"
EVERY_HALF_LIFE = "half_lives"
HALF_LIFE_OF = "half_life_"


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
        if self.name == EVERY_HALF_LIFE:
            return 1.0
        if self.name.startswith(HALF_LIFE_OF):
            return rules_of(load({}, None)).policies[self.name.removeprefix(HALF_LIFE_OF)].half_life_days
        return float(getattr(Ranking(), self.name))


KNOBS = (
    Knob("semantic_weight", (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
    Knob("recency_floor", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
    Knob(EVERY_HALF_LIFE, (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)),
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


Swept = dict[str, dict[float, dict[str, bool]]]  # by knob, value and case: whether it passes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case, what its world answered, and the rules in force there."""

    case: Case
    found: Found
    rules: Rules


def sweep(cases: Sequence[Case], knobs: Sequence[str]) -> Swept:
    """Which cases pass with one knob at a value and all others at their defaults, for all values and the default."""
    shares = [cases[place::WORKERS] for place in range(WORKERS)]
    with pool() as processes:
        parts = list(processes.map(_swept, shares, [tuple(knobs)] * WORKERS))
    return {
        name: {value: dict(ChainMap(*(part[name][value] for part in parts))) for value in parts[0][name]}
        for name in knobs
    }


def _swept(cases: Sequence[Case], names: Sequence[str]) -> Swept:
    everything = [_prepared(case) for case in cases]
    return {
        knob.name: {value: _passing(everything, knob, value) for value in {*knob.values, knob.default}}
        for knob in KNOBS
        if knob.name in names
    }


def _prepared(case: Case) -> Prepared:
    """A case asked once, up to the point where ranking begins; what it asks of the model after that is remembered."""
    with world_of(case) as standing:
        found = find(request_of(case, tuple(standing.world.stores)), standing.world, NOW)
        return Prepared(case, found, standing.rules)


def _passing(everything: Sequence[Prepared], knob: Knob, value: float) -> dict[str, bool]:
    with held_at(knob.module, knob.name, value) if knob.module else nullcontext():
        return {one.case.name: not _wrong(one, knob, value) for one in everything}


def _wrong(prepared: Prepared, knob: Knob, value: float) -> list[str]:
    rules = rules_with(prepared.rules, knob, value)
    return failures(prepared.case, answered(answer(prepared.found, rules), handles(prepared.case)))


def rules_with(rules: Rules, knob: Knob, value: float) -> Rules:
    """The rules with a knob of theirs at a value; as they are for the constant of a module."""
    if knob.module is not None:
        return rules
    if knob.name == "semantic_weight":
        return replace(rules, ranking=replace(rules.ranking, semantic_weight=value, lexical_weight=round(1 - value, 9)))
    if knob.name in {field.name for field in fields(Ranking)}:
        changed: dict[str, Any] = {knob.name: value}
        return replace(rules, ranking=replace(rules.ranking, **changed))
    return replace(
        rules, policies={name: _with_half_life(name, one, knob, value) for name, one in rules.policies.items()}
    )


def _with_half_life(name: str, policy: StorePolicy, knob: Knob, value: float) -> StorePolicy:
    if knob.name == EVERY_HALF_LIFE:
        return replace(policy, half_life_days=policy.half_life_days * value)
    return replace(policy, half_life_days=value) if knob.name == HALF_LIFE_OF + name else policy


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
    cases = [case for case in read_cases() if both or case.half == "dev"]
    swept = sweep(cases, [knob.name for knob in knobs])
    counts = {knob.name: _counts(cases, knob, swept[knob.name]) for knob in knobs}
    for knob in knobs:
        print(_table(knob, counts[knob.name]))
        if chosen.flips:
            print("\n".join(_flips(cases, knob, swept[knob.name])))
    if chosen.write:
        SWEEPS.write_text(json.dumps(counts, indent=1) + "\n", "utf-8")
    return 0


def _counts(cases: Sequence[Case], knob: Knob, swept: Mapping[float, Mapping[str, bool]]) -> dict[str, object]:
    halves = {
        half: [sum(swept[value][case.name] for case in cases if case.half == half) for value in knob.values]
        for half in ("dev", "test")
    }
    sizes = {half: sum(case.half == half for case in cases) for half in halves}
    return {"default": knob.default, "values": list(knob.values), **halves, "cases": sizes}


def _table(knob: Knob, counts: Mapping[str, object]) -> str:
    rows = [f"{knob.name} (default {counts['default']:g})"]
    for name in ("values", "dev", "test"):
        numbers = counts[name]
        if isinstance(numbers, list) and any(numbers):
            rows.append(f"  {name:<7}" + "".join(f"{number:>8g}" for number in numbers))
    return "\n".join(rows)


def _flips(cases: Sequence[Case], knob: Knob, swept: Mapping[float, Mapping[str, bool]]) -> Iterator[str]:
    usual = swept[knob.default]
    for value in knob.values:
        for case in cases:
            passes = swept[value][case.name]
            if case.half == "dev" and passes is not usual[case.name]:
                yield f"    {value:g}: {case.name} {'passes' if passes else 'fails'}"


if __name__ == "__main__":
    sys.exit(main())
