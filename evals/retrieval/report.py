"""The figures as tables, and as a JSON that documents quote and plot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from evals.retrieval.grading import PRODUCT, Graded, in_half, macro
from evals.retrieval.measures import MEASURES, area_under_curve, bootstrap
from evals.retrieval.rankings import SIMPLER
from evals.retrieval.sets import HALVES
from evals.retrieval.worlds import Spread

RESULTS = Path(__file__).parent / "results.json"
RANKINGS = (*SIMPLER, PRODUCT)
DIGITS = 4
Found = Mapping[Spread, Sequence[Graded]]


def tables(found: Found, half: str) -> Iterator[str]:
    """Lines to print: nDCG@10 of every ranking, other measures of the product, and its confidence."""
    for spread, collections in found.items():
        yield f"\nnDCG@10, {half} half, {spread}"
        yield f"{'':<18}{'questions':>10}" + "".join(f"{name:>10}" for name in RANKINGS) + "   over blend (95 %)"
        for one in collections:
            means = [one.mean(name, "nDCG@10", half) for name in RANKINGS]
            low, high = bootstrap(differences(one, "blend", half))
            numbers = "".join(f"{value:>10.4f}" for value in means)
            count = len(one.of(PRODUCT, "nDCG@10", half))
            yield f"{one.name:<18}{count:>10}{numbers}   {means[-1] - means[-2]:+.4f} ({low:+.4f} to {high:+.4f})"
        for measure in MEASURES:
            values = [macro((one, one.mean(name, measure, half)) for one in collections) for name in RANKINGS]
            yield f"{'macro ' + measure:<28}" + "".join(f"{value:>10.4f}" for value in values)
        yield from confidence_lines(collections, half)


def differences(one: Graded, other: str, half: str) -> list[float]:
    """nDCG@10 of the product less that of another ranking, question by question."""
    pairs = zip(one.of(PRODUCT, "nDCG@10", half), one.of(other, "nDCG@10", half), strict=True)
    return [mine - theirs for mine, theirs in pairs]


def confidence_lines(collections: Sequence[Graded], half: str) -> Iterator[str]:
    """How well the best confidence of an answer tells a set's own questions from those of other sets."""
    yield f"{'confidence':<18}{'ROC-AUC':>10}{'weak own':>10}{'sent away':>10}"
    rows = [(one, verdict(one, half)) for one in collections]
    for one, said in rows:
        yield f"{one.name:<18}" + "".join(f"{said[key]:>10.4f}" for key in ("auc", "weak_own", "sent_away"))
    both = [macro((one, verdict(one, half)[key]) for one in collections) for key in ("auc", "weak_own", "sent_away")]
    yield f"{'macro':<18}" + "".join(f"{value:>10.4f}" for value in both)


def verdict(one: Graded, half: str) -> dict[str, float]:
    """ROC-AUC, the share of own questions called weak, and the share of strange ones rightly sent away."""
    return {
        "auc": area_under_curve(in_half(one.sure, one.halves, half), in_half(one.unsure, one.strange_halves, half)),
        "weak_own": 1 - fmean(in_half(one.found, one.halves, half)),
        "sent_away": 1 - fmean(in_half(one.fooled, one.strange_halves, half)),
    }


def write(found: Found) -> None:
    """Keep every figure of both halves."""
    known: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for spread, collections in found.items():
        known[spread.value] = {half: figures(collections, half) for half in HALVES}
    RESULTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")


def figures(collections: Sequence[Graded], half: str) -> dict[str, Any]:
    """One half: each collection's measures by ranking and its verdict, and their macro averages."""
    return {
        "collections": {
            one.name: {
                "questions": len(one.of(PRODUCT, "nDCG@10", half)),
                "rankings": {
                    name: {measure: round(one.mean(name, measure, half), DIGITS) for measure in MEASURES}
                    for name in RANKINGS
                },
                "over_blend_95": [round(end, DIGITS) for end in bootstrap(differences(one, "blend", half))],
                "confidence": {key: round(value, DIGITS) for key, value in verdict(one, half).items()},
            }
            for one in collections
        },
        "macro": {
            name: {
                measure: round(macro((one, one.mean(name, measure, half)) for one in collections), DIGITS)
                for measure in MEASURES
            }
            for name in RANKINGS
        },
        "macro_confidence": {
            key: round(macro((one, verdict(one, half)[key]) for one in collections), DIGITS)
            for key in ("auc", "weak_own", "sent_away")
        },
    }
