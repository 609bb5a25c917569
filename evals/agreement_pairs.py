"""The labelled pairs that agreement is fitted and graded on: STS-b, pairs of our own, labelled contradictions."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.contradiction_eval import half_of
from mmind.embedding.choose import open_embedder

OWN = Path(__file__).with_suffix(".txt")
SAME, DIFFERENT = 4.0, 3.0  # scores of STS-b: the same from 4 on, different below 3
OF_EACH_SET = 1_500
LONGEST = 300  # characters of a text to fit on


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, whether they state one fact (None: in between), and of which kind they are ("" where none is told)."""

    left: str
    right: str
    same: bool | None
    kind: str = ""


def scored_pairs(data: Path, half: str) -> list[Pair]:
    """One half of STS-b, by the SHA-256 of its ids."""
    rows = _of_half(data / "agreement" / "stsb_en.jsonl", half)
    return [Pair(row["a"], row["b"], _same(float(row["score"]))) for row in rows]


def own_pairs(half: str) -> list[Pair]:
    """One half of our own pairs of memories, by the SHA-256 of their lines."""
    lines = [line.strip() for line in OWN.read_text(encoding="utf-8").splitlines() if line[:1] in ("=", "!")]
    chosen = [line for line in lines if half_of(line[1:].strip()) == half]
    parts = [(line[1:].strip().partition(" | "), line[0] == "=") for line in chosen]
    return [Pair(left, right, same) for (left, _, right), same in parts]


def contradictions(data: Path, half: str) -> list[Pair]:
    """The contradictions of one half of the suite."""
    rows = _of_half(data / "conflicts" / "suite.jsonl", half)
    return [Pair(row["a"], row["b"], False, row["kind"]) for row in rows if row["label"] == "contradiction"]


def training_contradictions(data: Path) -> list[Pair]:
    """Up to 1,500 contradictions of each set to train on, by the hash of their texts; none that the test half holds."""
    held = {frozenset((pair.left, pair.right)) for pair in contradictions(data, "test")}
    chosen: list[Pair] = []
    for file in sorted((data / "conflicts" / "train").glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        rows = [row for row in rows if row["label"] in ("contradiction", "different") and len(row["a"]) < LONGEST]
        pairs = [Pair(row["a"], row["b"], False, file.name.partition(".")[0]) for row in rows]
        free = [pair for pair in pairs if frozenset((pair.left, pair.right)) not in held]
        chosen += sorted(free, key=lambda pair: _digest(pair.left + pair.right))[:OF_EACH_SET]
    return chosen


def cosines(pairs: Sequence[Pair]) -> list[float]:
    """The cosine of each pair by the local model."""
    embedder = open_embedder("local", "", "")
    assert embedder is not None
    texts = sorted({text for pair in pairs for text in (pair.left, pair.right)}, key=len)
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    return [float(vectors[pair.left] @ vectors[pair.right]) for pair in pairs]


def _of_half(path: Path, half: str) -> list[dict[str, str]]:
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [row for row in rows if half_of(row["id"]) == half]


def _same(score: float) -> bool | None:
    return True if score >= SAME else False if score < DIFFERENT else None


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
