"""Precision and recall of agreement, and the contradictions that agreement or collapse would wrongly count as support.

    python -m evals.agreement_eval DATA [--half dev|test]

DATA (or MMIND_EVAL_DATA) holds `agreement/stsb_en.jsonl` (same at a score of 4 and more, different below 3) and
`conflicts/suite.jsonl`; pairs of our own lie beside this file. Needs the local embedding model. A pair belongs to the
test half where the SHA-256 of its id is odd. Where the data is absent the script exits with 0. The weights are fitted
by `evals.agreement_fit`.
"""

from __future__ import annotations

import argparse
import collections
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.agreement_pairs import Pair, contradictions, cosines, own_pairs, scored_pairs
from mmind.text.agreement import agreement_of
from mmind.text.overlap import overlap
from mmind.text.sameness import difference
from mmind.text.tokens import tokens

COLLAPSE_AT = 0.82


def graded(name: str, pairs: Sequence[Pair]) -> None:
    """Print precision and recall of agreement on pairs that are the same against pairs that are not."""
    found = [agreement_of(pair.left, pair.right, cosine) for pair, cosine in zip(pairs, cosines(pairs), strict=True)]
    linked = collections.Counter(pair.same for pair, agreed in zip(pairs, found, strict=True) if agreed)
    all_of = collections.Counter(pair.same for pair in pairs)
    hits, wrong, same = linked[True], linked[False], all_of[True]
    precision, recall = hits / max(1, hits + wrong), hits / max(1, same)
    print(f"{name}: precision {precision:.3f}, recall {recall:.3f} ({hits} of {same}; {wrong} wrong)")
    if all_of[None]:
        print(f"    pairs in between (scored 3 to 4) that were linked: {linked[None]} of {all_of[None]}")


def swallowed(pairs: Sequence[Pair]) -> None:
    """Print how many labelled contradictions the collapse rule or agreement would count as support."""
    collapsed, agreed = collections.Counter[str](), collections.Counter[str]()
    for pair, cosine in zip(pairs, cosines(pairs), strict=True):
        merged = overlap(tokens(pair.left), tokens(pair.right)) >= COLLAPSE_AT and not difference(pair.left, pair.right)
        linked = agreement_of(pair.left, pair.right, cosine) is not None
        for counts, is_one in ((collapsed, merged), (agreed, linked)):
            counts[pair.kind] += is_one
            counts["(word for word the same text)"] += is_one and pair.left.split() == pair.right.split()
    print(f"contradictions: {len(pairs)}; judged the same by the collapse rule: {dict(+collapsed)}")
    print(f"                counted as agreement: {dict(+agreed)}")


def main() -> int:
    """Run the evaluation; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    options = parser.parse_args()
    data = Path(options.data)
    if not options.data or not all((data / part).exists() for part in ("agreement", "conflicts/suite.jsonl")):
        print("skipped: no agreement/stsb_en.jsonl; give the data folder as an argument or in MMIND_EVAL_DATA")
        return 0
    graded("agreement on STS-b", scored_pairs(data, options.half))
    graded("agreement on our own pairs", own_pairs(options.half))
    swallowed(contradictions(data, options.half))
    return 0


if __name__ == "__main__":
    sys.exit(main())
