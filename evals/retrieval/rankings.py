"""One question asked of a standing world: what the product answers, and what simpler rankings make of the same hits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evals.case import NOW
from evals.retrieval.sets import Question
from evals.world import Opened
from mmind.router import parse
from mmind.router.fan_out import values
from mmind.router.retrieve import Found, answer, find
from mmind.text.bm25 import idf
from mmind.values.bundle import Bundle
from mmind.values.query import Hit, TermStatistics

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Signals:
    """A passage as the simpler rankings see it: plain BM25 (k1 1.2, b 0.75) and the raw cosine, 0 where unknown."""

    document: str
    bm25: float
    cosine: float


def request_of(text: str, standing: Opened) -> parse.Request:
    """The question with every argument at its default, but for the number of results and the room for their texts."""
    return parse.Request(
        text=parse.parse_text(text),
        limit=SHOWN,
        stores=tuple(standing.world.stores),
        since=None,
        until=None,
        tags=(),
        session="",
        max_tokens=parse.MOST_TOKENS,
    )


def found(question: Question, standing: Opened) -> Found:
    """What the stores tell; the product's answer and the simpler rankings are made of it alike."""
    return find(request_of(question.text, standing), standing.world, NOW)


def answered(question: Question, standing: Opened) -> Bundle:
    """What the product answers."""
    return answer(found(question, standing), standing.rules)


def documents_of(bundle: Bundle, documents: Mapping[str, str]) -> list[str]:
    """The documents of an answer in order: of each result the one that speaks, then those that say the same."""
    found = (documents[place.id] for result in bundle.results for place in result.evidence if place.id in documents)
    return list(dict.fromkeys(found))


def signals(told: Found, documents: Mapping[str, str]) -> list[Signals]:
    """Both raw signals of every passage that any store proposed."""
    return [
        Signals(
            documents[hit.memory.handle],
            plain_bm25(hit, told.query.terms, told.statistics),
            0.0 if hit.cosine is None else hit.cosine,
        )
        for _, hits in values(told.answers)
        for hit in hits
        if hit.memory.handle in documents
    ]


def plain_bm25(hit: Hit, terms: Sequence[str], statistics: TermStatistics) -> float:
    """BM25 as published, written out here so that tuning the product does not move what it is compared with."""
    mean = statistics.total_length / max(1, statistics.passages)
    discount = 1.2 * (0.25 + 0.75 * hit.length / mean) if mean else 1.2
    counts = hit.counts or {}
    return sum(
        idf(statistics.frequencies.get(term, 0), statistics.passages) * count * 2.2 / (count + discount)
        for term in terms
        if (count := counts.get(term, 0.0)) > 0
    )


def by(passages: Sequence[Signals], value: Callable[[Signals], float]) -> list[str]:
    """Documents by the value of their best passage, best first; those with nothing to say for them are left out."""
    best: dict[str, float] = {}
    for one in passages:
        best[one.document] = max(best.get(one.document, 0.0), value(one))
    return sorted(
        (document for document in best if best[document] > 0), key=lambda document: (-best[document], document)
    )


def words_alone(passages: Sequence[Signals]) -> list[str]:
    """By BM25."""
    return by(passages, lambda one: one.bm25)


def vectors_alone(passages: Sequence[Signals]) -> list[str]:
    """By cosine."""
    return by(passages, lambda one: one.cosine)


def rank_fusion(passages: Sequence[Signals]) -> list[str]:
    """Reciprocal rank fusion, k = 60: Cormack, Clarke and Büttcher 2009."""
    value: dict[str, float] = {}
    for ranked in (words_alone(passages), vectors_alone(passages)):
        for rank, document in enumerate(ranked, start=1):
            value[document] = value.get(document, 0.0) + 1 / (60 + rank)
    return sorted(value, key=lambda document: (-value[document], document))


def plain_blend(passages: Sequence[Signals]) -> list[str]:
    """0.7 of the cosine and 0.3 of BM25 over the best of the query: the bar."""
    best = max([3.0, *(one.bm25 for one in passages)])
    return by(passages, lambda one: 0.7 * max(0.0, one.cosine) + 0.3 * one.bm25 / best)


SIMPLER: Mapping[str, Callable[[Sequence[Signals]], list[str]]] = {
    "BM25": words_alone,
    "vectors": vectors_alone,
    "RRF": rank_fusion,
    "blend": plain_blend,
}
