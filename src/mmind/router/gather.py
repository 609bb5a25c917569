"""Step 4: hits of all stores become candidates, with both signals on one scale for the whole query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mmind.router.candidate import Candidate
from mmind.scoring.confidence import confidence
from mmind.scoring.relevance import lexical_share
from mmind.text.bm25 import bm25, coverage
from mmind.values.memory import StorePolicy
from mmind.values.query import Hit, Query, TermStatistics


def summed(parts: Iterable[TermStatistics]) -> TermStatistics:
    """The statistics of several corpora as of one: passages, lengths and document frequencies are added up."""
    passages, length, frequencies = 0, 0.0, dict[str, int]()
    for part in parts:
        passages += part.passages
        length += part.total_length
        for term, count in part.frequencies.items():
            frequencies[term] = frequencies.get(term, 0) + count
    return TermStatistics(passages, length, frequencies)


def gather(
    answers: Iterable[tuple[str, Sequence[Hit]]],
    policies: Mapping[str, StorePolicy],
    query: Query,
    statistics: TermStatistics,
    use_meaning: bool,
) -> list[Candidate]:
    """Every hit as a candidate; one BM25 with the summed statistics scores them all.

    `use_meaning` False drops the cosines: the model does not know the language of the query, and its similarity
    would be noise.
    """
    hits = [(policies[name], hit) for name, found in answers for hit in found]
    raw = [_words(hit, query, statistics) for _, hit in hits]
    best = max((value for value in raw if value is not None), default=0.0)
    return [
        _candidate(policy, hit, value, best, query, statistics, use_meaning)
        for (policy, hit), value in zip(hits, raw, strict=True)
    ]


def _words(hit: Hit, query: Query, statistics: TermStatistics) -> float | None:
    if hit.counts is None or not query.terms:
        return None
    return bm25(hit.counts, hit.length, statistics, query.terms)


def _candidate(
    policy: StorePolicy,
    hit: Hit,
    raw: float | None,
    best: float,
    query: Query,
    statistics: TermStatistics,
    use_meaning: bool,
) -> Candidate:
    cosine = hit.cosine if use_meaning else None
    share = None if hit.counts is None or not query.terms else coverage(hit.counts, query.terms, statistics)
    return Candidate(
        policy=policy,
        hit=hit,
        bm25=raw,
        lexical=None if raw is None else lexical_share(raw, best),
        cosine=cosine,
        coverage=share,
        confidence=confidence(share, cosine),
    )
