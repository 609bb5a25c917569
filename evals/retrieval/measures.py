"""How good one ranking is: nDCG, recall, reciprocal rank, hit; and whether two rankings really differ."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import fmean

MEASURES = ("nDCG@10", "recall@5", "recall@10", "MRR", "hit@5")


def measures(ranked: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """Every measure of one ranking (documents, best first), each in [0, 1]; `MRR` looks at the first ten."""
    return {
        "nDCG@10": ndcg(ranked, grades, 10),
        "recall@5": recall(ranked, grades, 5),
        "recall@10": recall(ranked, grades, 10),
        "MRR": reciprocal_rank(ranked[:10], grades),
        "hit@5": float(any(grades.get(document, 0) > 0 for document in ranked[:5])),
    }


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """Discounted cumulative gain over that of the ideal order: gain = grade, discount = log2(rank + 1).

    Järvelin and Kekäläinen 2002; with the linear gain of trec_eval.
    """
    gained = sum(grades.get(document, 0) / math.log2(rank + 1) for rank, document in enumerate(ranked[:depth], start=1))
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:depth]
    best = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(ideal, start=1))
    return gained / best if best else 0.0


def recall(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """The share of the answering documents that stand among the first `depth`."""
    wanted = {document for document, grade in grades.items() if grade > 0}
    return len(wanted.intersection(ranked[:depth])) / len(wanted) if wanted else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """One over the rank of the first answering document; 0 without one."""
    return next((1 / rank for rank, document in enumerate(ranked, start=1) if grades.get(document, 0) > 0), 0.0)


def area_under_curve(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """ROC-AUC: how often an answerable question has the higher number of the two; ties count half."""
    both = sorted([(value, 1) for value in answerable] + [(value, 0) for value in unanswerable])
    ranks, start = 0.0, 0
    while start < len(both):
        end = start
        while end < len(both) and both[end][0] == both[start][0]:
            end += 1
        ranks += sum(label for _, label in both[start:end]) * (start + end + 1) / 2
        start = end
    positives, negatives = len(answerable), len(unanswerable)
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def bootstrap(differences: Sequence[float], rounds: int = 2000, seed: int = 7) -> tuple[float, float]:
    """The middle 95 % of the mean of paired differences, by resampling the questions."""
    rng = random.Random(seed)
    means = sorted(fmean(rng.choices(differences, k=len(differences))) for _ in range(rounds))
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]
