"""A whole collection graded: every ranking of every question, and how sure the product is of what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from evals.retrieval.measures import MEASURES, measures
from evals.retrieval.rankings import SIMPLER, answered, documents_of, found, signals
from evals.retrieval.sets import Collection, Question
from evals.world import Opened
from mmind.router.retrieve import answer
from mmind.values.bundle import Result

PRODUCT = "mmind"


@dataclass(frozen=True, slots=True)
class Graded:
    """A collection's grades.

    `grades[ranking][measure]` has one number for each question, in the order of `halves`. `sure` and `unsure` are the
    best confidences of answers to its own questions and to those of other sets, `found` and `fooled` whether these
    answers said that something relevant was found; `strange_halves` are the halves of the other sets' questions.
    """

    name: str
    set: str
    halves: tuple[str, ...]
    grades: Mapping[str, Mapping[str, tuple[float, ...]]]
    sure: tuple[float, ...]
    found: tuple[bool, ...]
    unsure: tuple[float, ...]
    fooled: tuple[bool, ...]
    strange_halves: tuple[str, ...]

    def of(self, ranking: str, measure: str, half: str) -> list[float]:
        """The numbers of one half ("all": of both)."""
        return in_half(self.grades[ranking][measure], self.halves, half)

    def mean(self, ranking: str, measure: str, half: str) -> float:
        """The mean over the questions of one half."""
        return fmean(self.of(ranking, measure, half))


def in_half(values: Sequence[float], halves: Sequence[str], half: str) -> list[float]:
    """Those values that belong to a half."""
    return [value for value, its in zip(values, halves, strict=True) if half in (its, "all")]


def graded(
    collection: Collection,
    standing: Opened,
    documents: Mapping[str, str],
    strangers: Sequence[Question],
    tick: Callable[[], None],
) -> Graded:
    """Ask everything; `documents` are the documents by handle, `tick` is called once a question."""
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in (*SIMPLER, PRODUCT)}
    own = []
    for question in collection.questions:
        told = found(question, standing)
        bundle = answer(told, standing.rules)
        own.append((best_confidence(bundle.results), bundle.relevant))
        rows[PRODUCT].append(measures(documents_of(bundle, documents), question.grades))
        passages = signals(told, documents)
        for name, ranking in SIMPLER.items():
            rows[name].append(measures(ranking(passages), question.grades))
        tick()
    strange = []
    for question in strangers:
        bundle = answered(question, standing)
        strange.append((best_confidence(bundle.results), bundle.relevant))
        tick()
    return Graded(
        name=collection.name,
        set=collection.set,
        halves=tuple(question.half for question in collection.questions),
        grades={name: {one: tuple(row[one] for row in grades) for one in MEASURES} for name, grades in rows.items()},
        sure=tuple(confidence for confidence, _ in own),
        found=tuple(relevant for _, relevant in own),
        unsure=tuple(confidence for confidence, _ in strange),
        fooled=tuple(relevant for _, relevant in strange),
        strange_halves=tuple(question.half for question in strangers),
    )


def best_confidence(results: Iterable[Result]) -> float:
    """How sure an answer is that it found anything; 0 when it is empty."""
    return max((result.confidence for result in results), default=0.0)


def macro(values: Iterable[tuple[Graded, float]]) -> float:
    """The mean over sets of the mean over their groups."""
    sets: dict[str, list[float]] = {}
    for one, value in values:
        sets.setdefault(one.set, []).append(value)
    return fmean(fmean(found) for found in sets.values())
