"""Precision and recall of agreement, and the contradictions that agreement or collapse would wrongly count as support.

    python -m evals.agreement_eval DATA [--half dev|test] [--fit]

DATA (or MMIND_EVAL_DATA) holds `agreement/stsb_en.jsonl` (same at a score of 4 and more, different below 3) and
`conflicts/suite.jsonl`. Needs the local embedding model. `--fit` prints the logistic weights that the dev half gives,
with contradictions of `conflicts/train` that are in no pair of the test half. A pair belongs to the test half where
the SHA-256 of its id is odd. Where the data is absent the script exits with 0.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.contradiction_eval import half_of
from mmind.embedding.choose import open_embedder
from mmind.text.claims import read_claims
from mmind.text.contradiction import contradiction
from mmind.text.overlap import overlap
from mmind.text.sameness import agreement_of, difference, likeness
from mmind.text.tokens import tokens

COLLAPSE_AT = 0.82
OF_CONTRADICTION = 0.2
OF_EACH_SET = 500
LONGEST = 300  # characters of a text to fit on


def cosines(rows: Sequence[dict[str, object]]) -> list[float]:
    """The cosine of each pair by the local model."""
    embedder = open_embedder("local", "", "")
    assert embedder is not None
    texts = sorted({str(row[side]) for row in rows for side in ("a", "b")}, key=len)
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    return [float(vectors[str(row["a"])] @ vectors[str(row["b"])]) for row in rows]


def load(path: Path, half: str) -> list[dict[str, object]]:
    """The rows of one half."""
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [row for row in rows if half_of(row["id"]) == half]


def contradictions(folder: Path) -> list[dict[str, object]]:
    """Up to 500 contradictions of each set to train on, by the hash of their texts; none that the test half holds."""
    held = {frozenset((str(row["a"]), str(row["b"]))) for row in load(folder / "suite.jsonl", "test")}
    chosen: list[dict[str, object]] = []
    for file in sorted((folder / "train").glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        rows = [row for row in rows if row["label"] in ("contradiction", "different") and len(row["a"]) < LONGEST]
        free = [row for row in rows if frozenset((row["a"], row["b"])) not in held]
        chosen += sorted(free, key=lambda row: hashlib.sha256((row["a"] + row["b"]).encode()).digest())[:OF_EACH_SET]
    return chosen


def graded(rows: Sequence[dict[str, object]]) -> None:
    """Print precision and recall of agreement on pairs scored at least 4 against pairs scored below 3."""
    found = [
        agreement_of(str(row["a"]), str(row["b"]), cosine) for row, cosine in zip(rows, cosines(rows), strict=True)
    ]
    scores = [float(str(row["score"])) for row in rows]
    hits = sum(score >= 4 and bool(agreed) for score, agreed in zip(scores, found, strict=True))
    wrong = sum(score < 3 and bool(agreed) for score, agreed in zip(scores, found, strict=True))
    between = sum(3 <= score < 4 and bool(agreed) for score, agreed in zip(scores, found, strict=True))
    same = sum(score >= 4 for score in scores)
    precision, recall = hits / max(1, hits + wrong), hits / max(1, same)
    print(f"agreement: precision {precision:.3f}, recall {recall:.3f} ({hits} of {same}; {wrong} wrong)")
    print(f"           pairs scored 3 to 4 that were linked: {between} of {sum(3 <= score < 4 for score in scores)}")


def swallowed(rows: Sequence[dict[str, object]]) -> None:
    """Print how many labelled contradictions the collapse rule or agreement would count as support."""
    rows = [row for row in rows if row["label"] == "contradiction"]
    collapsed, agreed = collections.Counter[str](), collections.Counter[str]()
    for row, cosine in zip(rows, cosines(rows), strict=True):
        left, right = str(row["a"]), str(row["b"])
        merged = overlap(tokens(left), tokens(right)) >= COLLAPSE_AT and not difference(left, right)
        collapsed[str(row["kind"])] += merged
        collapsed["(word for word the same text)"] += merged and left.split() == right.split()
        agreed[str(row["kind"])] += agreement_of(left, right, cosine) is not None
    print(f"contradictions: {len(rows)}; judged the same by the collapse rule: {dict(+collapsed)}")
    print(f"                counted as agreement: {dict(+agreed)}")


def fit(rows: Sequence[dict[str, object]], against: Sequence[dict[str, object]]) -> None:
    """Print the weights of bias, cosine and `Likeness.features` by logistic regression.

    `rows` are scored pairs; the contradictions `against` them count as different, each a fifth of a pair, since
    they are far more alike than what users keep.
    """
    import numpy as np

    known = [(row, float(str(row["score"])) >= 4, 1.0) for row in rows if not 3 <= float(str(row["score"])) < 4]
    known += [(row, False, OF_CONTRADICTION) for row in against]
    given, wanted, weighing = [], [], []
    for (row, same, weight), cosine in zip(known, cosines([row for row, _, _ in known]), strict=True):
        left, right = (read_claims(str(row[side]), None) for side in ("a", "b"))
        alike = likeness(left, right) if left and right and not contradiction(left, right, cosine) else None
        if alike is not None:
            given.append((1.0, cosine, *alike.features))
            wanted.append(float(same))
            weighing.append(weight)
    features, target, share = np.array(given), np.array(wanted), np.array(weighing) / sum(weighing)
    centre, spread = features.mean(0), np.maximum(features.std(0), 1e-9)
    centre[0], spread[0] = 0.0, 1.0
    scaled, weights = (features - centre) / spread, np.zeros(features.shape[1])
    for _ in range(20_000):
        likely = 1 / (1 + np.exp(-scaled @ weights))
        weights -= 0.5 * (scaled.T @ ((likely - target) * share) + 1e-3 * weights)
    weights /= spread
    weights[0] -= weights[1:] @ centre[1:]
    print("weights of bias, cosine, share, exchanged, further, length, slotted:", np.round(weights, 2))


def main() -> int:
    """Run the evaluation; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    similar, conflicts = (Path(options.data) / part for part in ("agreement/stsb_en.jsonl", "conflicts/suite.jsonl"))
    if not options.data or not similar.exists() or not conflicts.exists():
        print("skipped: no agreement/stsb_en.jsonl; give the data folder as an argument or in MMIND_EVAL_DATA")
        return 0
    if options.fit:
        dev = [row for row in load(conflicts, "dev") if row["label"] == "contradiction"]
        fit(load(similar, "dev"), dev + contradictions(Path(options.data) / "conflicts"))
        return 0
    graded(load(similar, options.half))
    swallowed(load(conflicts, options.half))
    return 0


if __name__ == "__main__":
    sys.exit(main())
