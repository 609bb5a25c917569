"""The weights of agreement by logistic regression, and how they fare on pairs that they were not fitted on.

    python -m evals.agreement_fit DATA

Fitted on the dev halves of STS-b and of our own pairs, with labelled contradictions that are in no pair of the test
half. Prints, for some thresholds, precision and recall by ten-fold cross-validation and the bias with which what is
likely by that much is called 0.7; then the weights from all of it.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals.agreement_pairs import Pair, contradictions, cosines, own_pairs, scored_pairs, training_contradictions
from mmind.router.agreements import LEAST_COSINE
from mmind.text.agreement import LEAST_AGREEMENT, likeness
from mmind.text.claims import read_claims
from mmind.text.contradiction import contradiction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FOLDS = 10
RIDGE = 2e-3
# A contradiction counts so much of a pair: there are ten times as many, and they are far more alike than memories are.
OF_CONTRADICTION = 0.3
THRESHOLDS = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class Sample:
    """Some pairs of one source: their features, wanted answers, weights, and the fold of each.

    `total` counts all that are the same, also those that no rule lets pass, which have no row here.
    """

    name: str
    features: Array
    wanted: Array
    weight: float
    folds: NDArray[np.int64]
    total: int


def sample(name: str, pairs: Sequence[Pair], weight: float = 1.0) -> Sample:
    """The pairs that nothing keeps apart, as rows of the bias and `Likeness.features`."""
    graded = [pair for pair in pairs if pair.same is not None and pair.left.split() != pair.right.split()]
    found = [(row, pair) for pair, cosine in zip(graded, cosines(graded), strict=True) if (row := _row(pair, cosine))]
    return Sample(
        name=name,
        features=np.array([row for row, _ in found]),
        wanted=np.array([float(bool(pair.same)) for _, pair in found]),
        weight=weight,
        folds=np.array([hashlib.sha256(pair.left.encode()).digest()[0] % FOLDS for _, pair in found]),
        total=sum(bool(pair.same) for pair in graded),
    )


def _row(pair: Pair, cosine: float) -> tuple[float, ...] | None:
    left, right = read_claims(pair.left, None), read_claims(pair.right, None)
    if cosine < LEAST_COSINE or not left or not right or contradiction(left, right):
        return None
    alike = likeness(left, right)
    return None if alike is None else (1.0, *alike.features(cosine))


def fitted(features: Array, wanted: Array, weight: Array) -> Array:
    """The logistic weights, bias first, by Newton's method with a small ridge on standardised features."""
    centre, spread = features.mean(0), features.std(0) + 1e-9
    centre[0], spread[0] = 0.0, 1.0
    scaled, share = (features - centre) / spread, weight / weight.sum()
    weights, ridge = np.zeros(features.shape[1]), np.diag([1e-9, *[RIDGE] * (features.shape[1] - 1)])
    for _ in range(30):
        likely = _likely(scaled, weights)
        slope = scaled.T @ ((likely - wanted) * share) + ridge @ weights
        bend = (scaled.T * (share * likely * (1 - likely))) @ scaled + ridge
        weights = weights - np.linalg.solve(bend, slope)
    weights = weights / spread
    weights[0] -= weights[1:] @ centre[1:]
    return np.asarray(weights)


def _likely(features: Array, weights: Array) -> Array:
    likely: Array = 1 / (1 + np.exp(-features @ weights))
    return likely


def _fit_all(samples: Sequence[Sample], without: int = -1) -> Array:
    """The weights from every sample, one fold left out."""
    kept = [one.folds != without for one in samples]
    return fitted(
        np.concatenate([one.features[rows] for one, rows in zip(samples, kept, strict=True)]),
        np.concatenate([one.wanted[rows] for one, rows in zip(samples, kept, strict=True)]),
        np.concatenate([np.full(rows.sum(), one.weight) for one, rows in zip(samples, kept, strict=True)]),
    )


def _held_out(samples: Sequence[Sample]) -> list[Array]:
    """How likely each pair is by the weights of the nine folds it is not in."""
    by_fold = [_fit_all(samples, fold) for fold in range(FOLDS)]
    return [
        np.array([float(_likely(row, by_fold[fold])) for row, fold in zip(one.features, one.folds, strict=True)])
        for one in samples
    ]


def report(samples: Sequence[Sample]) -> None:
    """Print the figures by cross-validation, then the weights."""
    held_out, weights = _held_out(samples), _fit_all(samples)
    surely = math.log(LEAST_AGREEMENT / (1 - LEAST_AGREEMENT))
    for least in THRESHOLDS:
        told = [_figures(one, likely >= least) for one, likely in zip(samples, held_out, strict=True)]
        bias = weights[0] + surely - math.log(least / (1 - least))
        print(f"likely by {least:.2f} (bias {bias:.2f}): {'; '.join(told)}")
    print("weights:", ", ".join(f"{weight:.2f}" for weight in weights[1:]))


def _figures(one: Sample, linked: NDArray[np.bool_]) -> str:
    hits, wrong = (int((linked & (one.wanted == same)).sum()) for same in (1, 0))
    if not one.total:
        return f"{one.name} {wrong} wrong"
    return f"{one.name} precision {hits / max(1, hits + wrong):.3f}, recall {hits / one.total:.3f} ({wrong} wrong)"


def main() -> int:
    """Fit and report; see the module's docstring."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("MMIND_EVAL_DATA", ""))
    if not (data / "agreement" / "stsb_en.jsonl").exists():
        print("skipped: no agreement/stsb_en.jsonl; give the data folder as an argument or in MMIND_EVAL_DATA")
        return 0
    report(
        [
            sample("STS-b", scored_pairs(data, "dev")),
            sample("own", own_pairs("dev")),
            sample("suite", contradictions(data, "dev"), OF_CONTRADICTION),
            sample("train", training_contradictions(data), OF_CONTRADICTION),
        ]
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
