"""Where is the line between a find and a near miss? Confidence of own and of foreign questions, on public sets.

    python -m evals.confidence [DATA]

DATA (or MMIND_EVAL_DATA) holds `retrieval/`. 120 questions of each of three sets (developer memories, encyclopedia
paragraphs, personal memories) are asked of their own corpus, where an answer lies, and of the two others, where none
does. For each value of WEAK_BELOW it prints how many own questions are answered (the best of the eight best candidates
is not weak), how many right answers are not weak, and how many foreign questions are answered though nothing is there.
Where the data is absent it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.world import model
from mmind.scoring.confidence import confidence
from mmind.scoring.relevance import blend, lexical_share
from mmind.text.bm25 import LEAST_WEIGHT, bm25, coverage
from mmind.text.tokens import query_terms, tokens
from mmind.values.ports import Embedder
from mmind.values.query import TermStatistics

SETS = {"sediment": "", "xquad": "en", "madial": "en"}
QUESTIONS = 120
LONGEST_DOCUMENT, LONGEST_QUESTION = 900, 600  # characters: what fits the model's window
LINES = (0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.50)
SEMANTIC, LEXICAL = 0.7, 0.3


@dataclass(frozen=True, slots=True)
class Set:
    """A corpus, questions about it, and for each question the places of its answers."""

    texts: Sequence[str]
    questions: Sequence[str]
    answers: Sequence[frozenset[int]]


def read_set(folder: Path, language: str) -> Set:
    """The corpus and a fixed sample of its questions."""
    corpus = [row for row in _rows(folder / "corpus.jsonl") if row["id"].startswith(language)]
    places = {row["id"]: place for place, row in enumerate(corpus)}
    right: dict[str, set[int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        question, document, *_ = line.split("\t")
        if document in places:
            right.setdefault(question, set()).add(places[document])
    asked = [row for row in _rows(folder / "queries.jsonl") if row["id"] in right]
    asked = random.Random(5).sample(asked, min(QUESTIONS, len(asked)))
    return Set(
        [row["text"][:LONGEST_DOCUMENT] for row in corpus],
        [row["text"][-LONGEST_QUESTION:] for row in asked],
        [frozenset(right[row["id"]]) for row in asked],
    )


def _rows(file: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, file.open(encoding="utf-8"))


def confidences(own: Set, other: Set, embedder: Embedder) -> Iterator[tuple[float, Mapping[int, float]]]:
    """For each question of `other` asked of the corpus of `own`: the best confidence of the page, and each text's."""
    counted = [Counter(tokens(text)) for text in own.texts]
    frequencies = Counter(term for counts in counted for term in counts)
    length = float(sum(sum(counts.values()) for counts in counted))
    vectors, asked = embedder.embed(own.texts), embedder.embed(other.questions)
    for question, vector in zip(other.questions, asked, strict=True):
        terms = query_terms(question)
        statistics = TermStatistics(len(counted), length, {term: frequencies[term] for term in terms})
        cosines = vectors @ vector
        words = [bm25(counts, sum(counts.values()), statistics, terms) for counts in counted]
        best = max(words)
        scores = [
            blend(lexical_share(word, best), float(cosine), LEXICAL, SEMANTIC)
            for word, cosine in zip(words, cosines, strict=True)
        ]
        sure = {
            place: confidence(coverage(counts, terms, statistics, LEAST_WEIGHT), float(cosines[place]))
            for place, counts in enumerate(counted)
        }
        yield max(sure[int(place)] for place in np.argsort(scores)[-8:]), sure


def main() -> int:
    """Measure and print; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    folder = Path(parser.parse_args().data) / "retrieval"
    embedder = model()
    if embedder is None or not all((folder / name / "corpus.jsonl").exists() for name in SETS):
        print("skipped: no retrieval sets or no model; give the data folder as an argument or in MMIND_EVAL_DATA")
        return 0
    sets = {name: read_set(folder / name, language) for name, language in SETS.items()}
    own: list[float] = []
    right: list[float] = []
    foreign: list[float] = []
    for here, corpus in sets.items():
        for there, asked in sets.items():
            for (best, sure), answers in zip(confidences(corpus, asked, embedder), asked.answers, strict=True):
                if here == there:
                    own.append(best)
                    right.append(max(sure[place] for place in answers))
                else:
                    foreign.append(best)
    print(f"{'WEAK_BELOW':<12}{'own answered':>14}{'right not weak':>16}{'foreign answered':>18}")
    for line in LINES:
        shares = [float(np.mean(np.asarray(group) >= line)) for group in (own, right, foreign)]
        print(f"{line:<12.2f}{shares[0]:>14.3f}{shares[1]:>16.3f}{shares[2]:>18.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
