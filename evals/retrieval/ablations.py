"""What each part of the ranking is worth: nDCG@10 without it, less nDCG@10 with it.

    python -m evals.retrieval.ablations [DATA] [--half dev|test] [--only SET ...] [--questions 300] [--cache FOLDER]

The product's own `answer`, one part switched off at a time, over what the stores answered once. Macro averages, as in
the table of all rankings, with the middle 95 % of a bootstrap over the questions of each collection. Where the data is
absent it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

from evals.constants import held_at
from evals.remembering import Remembering
from evals.retrieval.measures import ndcg
from evals.retrieval.rankings import SHOWN, documents_of, found
from evals.retrieval.sets import HALVES, Collection, chosen, read_collections
from evals.retrieval.worlds import Spread, handles, opened
from mmind.embedding.choose import open_embedder
from mmind.router import answer_kind, lines, redundancy
from mmind.router.retrieve import answer
from mmind.scoring import relevance
from mmind.text import bm25
from mmind.values.ports import Embedder


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the ranking, and what switches it off: a constant or function held at another value."""

    name: str
    off: tuple[tuple[ModuleType, str, Any], ...]

    @contextmanager
    def switched_off(self) -> Iterator[None]:
        """Without the part, for a while."""
        with ExitStack() as stack:
            for module, name, value in self.off:
                stack.enter_context(held_at(module, name, value))
            yield


def _as_set(weight: float, _: float) -> float:
    return weight


PARTS = (
    Part("the second look at the best eight", ((relevance, "SECOND_LOOK", 0.0),)),
    Part("the weight of words that follows what the best match attains", ((relevance, "words_weight", _as_set),)),
    Part("what the question repeats weighs more", ((bm25, "K3", 0.0),)),
    Part("feedback of the best passage", ((relevance, "FEEDBACK", 0.0),)),
    Part("coordination: a passage that holds more of the query", ((relevance, "COORDINATION", 0.0),)),
    Part("closeness: terms that stand together", ((bm25, "CLOSENESS", 0.0),)),
    Part("lines of the question by themselves", ((lines, "LINES_SHARE", 0.0),)),
    Part("near words", ((relevance, "AS_OFTEN", 0.0),)),
    Part("words of one family", ((relevance, "OF_ONE_FAMILY", 0.0),)),
    Part("near copies lower", ((redundancy, "MOST_LOST", 0.0),)),
    Part("the kind of answer", ((answer_kind, "OF_ANOTHER_KIND", 1.0),)),
)
ALL = Part("any of them", tuple(off for part in PARTS for off in part.off))
Differences = list[float]  # of each question: nDCG@10 without a part, less that of the whole
Lost = Sequence[tuple[str, Differences]]  # of each collection, with the set that it belongs to


def differences(collection: Collection, cache: Path, embedder: Remembering) -> dict[str, Differences]:
    """By part: what each question of a collection loses or gains without it."""
    documents = handles(collection, Spread.ONE)
    with opened(collection, Spread.ONE, cache, embedder, lambda _: None) as standing:
        parts: dict[str, Differences] = {part.name: [] for part in (ALL, *PARTS)}
        for question in collection.questions:
            told = found(question, standing)
            whole = ndcg(documents_of(answer(told, standing.rules), documents), question.grades, SHOWN)
            for part in (ALL, *PARTS):
                with part.switched_off():
                    without = documents_of(answer(told, standing.rules), documents)
                parts[part.name].append(ndcg(without, question.grades, SHOWN) - whole)
    return parts


def macro(lost: Lost) -> float:
    """The mean over sets of the mean over their groups."""
    sets: dict[str, list[float]] = {}
    for name, values in lost:
        sets.setdefault(name, []).append(fmean(values))
    return fmean(fmean(groups) for groups in sets.values())


def middle(lost: Lost, rounds: int = 2000, seed: int = 7) -> tuple[float, float]:
    """The middle 95 % of `macro`, by resampling the questions of each collection."""
    rng = random.Random(seed)
    drawn = sorted(macro([(name, rng.choices(values, k=len(values))) for name, values in lost]) for _ in range(rounds))
    return drawn[int(0.025 * rounds)], drawn[int(0.975 * rounds)]


def main() -> int:
    """Run the check; see the module's docstring."""
    parser = argparse.ArgumentParser(
        "python -m evals.retrieval.ablations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--half", choices=HALVES, default="dev")
    parser.add_argument("--only", nargs="*", default=(), help="sets whose names start so")
    parser.add_argument("--questions", type=int, default=300, help="of each collection; 0 is all")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mmind-retrieval-eval")
    options = parser.parse_args()
    folder = Path(options.data) / "retrieval"
    if not options.data or not folder.is_dir():
        print("skipped: no folder `retrieval` of labelled sets; give the data folder or set MMIND_EVAL_DATA")
        return 0
    options.cache.mkdir(parents=True, exist_ok=True)
    embedder = Remembering(local_model(), options.cache / "vectors.db")
    collections = [
        replace(one, questions=chosen(one.questions, options.half))
        for one in read_collections(folder, options.questions)
        if not options.only or one.name.startswith(tuple(options.only))
    ]
    lost = [(one.set, differences(one, options.cache, embedder)) for one in collections]
    print(f"without ({options.half} half){'':<44}{'macro nDCG@10':>14}   middle 95 %")
    for part in (ALL, *PARTS):
        of_part = [(name, parts[part.name]) for name, parts in lost]
        low, high = middle(of_part)
        print(f"{part.name:<62}{macro(of_part):>+14.4f}   {low:+.4f} to {high:+.4f}")
    return 0


def local_model() -> Embedder:
    """The model of the defaults."""
    model = open_embedder("local", "", "")
    if model is None:
        raise SystemExit("the local model is not installed")
    return model


if __name__ == "__main__":
    sys.exit(main())
