"""Precision and recall of contradiction detection on labelled pairs.

    python -m evals.contradiction_eval DATA [--half dev|test] [--show wrong|missed] [--kind KIND] [--source NAME]

DATA (or MMIND_EVAL_DATA) holds `conflicts/suite.jsonl`. A pair belongs to the test half where the SHA-256 of its id is
odd. The sentences of the test half are never printed. Where the data is absent the script says so and exits with 0.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mmind.text.comparison import Contradiction
from mmind.text.contradiction import contradiction_of

HARD_KINDS = ("negation", "numeric", "temporal", "update")
Row = Mapping[str, str]
Verdicts = Sequence[tuple[Row, Contradiction | None]]


def half_of(identity: str) -> str:
    """The half a pair belongs to, by the SHA-256 of its id."""
    return "test" if int(hashlib.sha256(identity.encode()).hexdigest(), 16) % 2 else "dev"


def load(data: Path, half: str) -> list[Row]:
    """The labelled pairs of one half."""
    rows = [json.loads(line) for line in (data / "conflicts" / "suite.jsonl").open(encoding="utf-8")]
    return [row for row in rows if half_of(row["id"]) == half]


def figures(verdicts: Verdicts) -> str:
    """Precision, recall, F1 and false alarms per 100 pairs without contradiction, as one line."""
    hits = sum(row["label"] == "contradiction" and bool(found) for row, found in verdicts)
    alarms = sum(row["label"] != "contradiction" and bool(found) for row, found in verdicts)
    positives = sum(row["label"] == "contradiction" for row, _ in verdicts)
    negatives = len(verdicts) - positives
    precision = hits / (hits + alarms) if hits + alarms else 0.0
    recall = hits / positives if positives else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    rate = 100 * alarms / negatives if negatives else 0.0
    return f"{precision:9.3f} {recall:7.3f} {f1:6.3f} {alarms:4d}/{negatives:<5d} {rate:6.2f}   {hits:4d}/{positives}"


def report(verdicts: Verdicts) -> None:
    """Print the figures by kind, for the hard kinds together, for all pairs, and by source."""
    print(f"{'':28s}precision  recall     F1   alarms    per 100    hits")
    groups: dict[str, list[tuple[Row, Contradiction | None]]] = collections.defaultdict(list)
    for row, found in verdicts:
        groups[row["kind"]].append((row, found))
        groups[f"  {row['source']}" if row["kind"] in HARD_KINDS else "  lexical and paragraphs"].append((row, found))
        groups["ALL PAIRS"].append((row, found))
        if row["kind"] in HARD_KINDS:
            groups["HARD KINDS"].append((row, found))
    for name in sorted(groups):
        print(f"{name:28s}{figures(groups[name])}")


def show(verdicts: Iterable[tuple[Row, Contradiction | None]], which: str) -> None:
    """Print the pairs that were judged wrongly (`wrong`: false alarms, `missed`: contradictions not found)."""
    for row, found in verdicts:
        is_contradiction = row["label"] == "contradiction"
        if (which == "wrong" and found and not is_contradiction) or (
            which == "missed" and not found and is_contradiction
        ):
            print(f"- {row['kind']} {row['source']} {row['source_label']}\n    {row['a']}\n    {row['b']}")
            if found:
                print(f"    = {found.kind} {found.values} {found.confidence}")


def main() -> int:
    """Run the evaluation; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--half", choices=("dev", "test"), default="dev")
    parser.add_argument("--show", choices=("wrong", "missed"))
    parser.add_argument("--kind", default="")
    parser.add_argument("--source", default="")
    options = parser.parse_args()
    if not options.data or not (Path(options.data) / "conflicts" / "suite.jsonl").exists():
        print("skipped: no conflicts/suite.jsonl; give the data folder as an argument or in MMIND_EVAL_DATA")
        return 0
    rows = [
        row
        for row in load(Path(options.data), options.half)
        if options.kind in row["kind"] and options.source in row["source"]
    ]
    verdicts = [(row, contradiction_of(row["a"], row["b"])) for row in rows]
    if options.show and options.half == "dev":
        show(verdicts, options.show)
    report(verdicts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
