"""How well the words of a passage answer the words of a query: BM25 over counts that are weighted by field."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from mmind.values.query import TermStatistics

# Robertson and Zaragoza 2009, The Probabilistic Relevance Framework, section 3.5: k1 in 1.2 to 2, b in 0.5 to 0.8.
K1 = 1.2  # how soon repeats of a word stop counting
B = 0.75  # how much a long passage is discounted
# How soon repeats of a word in the query stop counting; Okapi had 7 or 8 (Robertson and others, TREC-3 to 7). On
# the dev halves of six public sets 4 to 100 gain .004 to .006 macro nDCG@10: .019 on abstracts that several sentences
# ask for, .026 and .012 on dialogues, nothing elsewhere. Counted for closeness and coverage too, it gains less.
K3 = 8.0
ONCE: Mapping[str, int] = {}
# A passage shorter than this share of the mean counts as so long: that three properties are all a note has makes none
# of them say more. Costs nothing on seven public collections (macro nDCG@10 on dev within .0003), where 1 costs .018
# on Chinese dialogues.
SHORTEST = 0.5
# What a pair of terms that stand together adds, in units of its idf; a term found once in a passage of mean length
# adds 1. On the dev halves of six public sets 0.5 and 1 gained alike, 1.5 and 2 lost .01 on scientific claims.
CLOSENESS = 0.5
# No passage holds the whole of a pasted dialogue. By words alone (Chinese dialogues about personal memories) every
# question that has an answer lay below the line of a find without this bound, and none does with it; at 30 two in
# three do. The price: over Chinese paragraphs one in six of the strange questions, dialogues, passes for answerable.
MOST_EXPECTED = 16
# For confidence no term weighs less than this share of one that no passage holds. The idf of a word that
# stands everywhere is next to nothing, and then a vault about one thing, or a hundred copies of one claim by an agent,
# would make a passage with three of the five words that were asked look like one without any. On three public sets
# (`evals.confidence`) .961 in place of .958 of the own questions are answered, and as few of the others', .018.
LEAST_WEIGHT = 0.3


@lru_cache(maxsize=1 << 12)  # asked for every term of every passage of a query, with the same few frequencies
def idf(document_frequency: int, passages: int) -> float:
    """How telling a term is: ln(1 + (N - df + 0.5) / (df + 0.5)), above 0 for every df in [0, N].

    The form of Lucene's BM25Similarity, which never turns negative for a term in more than half of the passages.
    A frequency above the number of passages (sums of unequal sources) counts as that number.
    """
    frequency = min(max(document_frequency, 0), max(passages, 0))
    return math.log(1.0 + (max(passages, 0) - frequency + 0.5) / (frequency + 0.5))


def emphasis(times: int) -> float:
    """What a term weighs that the query says so many times: (k3 + 1) * n / (k3 + n), 1 for one that it says once."""
    return (K3 + 1.0) * times / (K3 + times)


def bm25(
    counts: Mapping[str, float],
    length: float,
    statistics: TermStatistics,
    terms: Collection[str],
    repeats: Mapping[str, int] = ONCE,
) -> float:
    """BM25 of one passage, 0 or more.

    The sum over terms of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)) * emphasis, with a length
    of half of the mean or more.
    `counts` and `length` are weighted by field (BM25F, Robertson, Zaragoza and Taylor 2004). `terms` are distinct,
    `repeats` how often the query says those that it says more than once.
    """
    mean = statistics.total_length / statistics.passages if statistics.passages > 0 else 0.0
    discount = K1 * (1.0 - B + B * max(SHORTEST, length / mean if mean > 0.0 else 1.0))
    score = 0.0
    for term in terms:
        count = counts.get(term, 0.0)
        if count > 0.0:
            weight = _idf_of(term, statistics) * emphasis(repeats.get(term, 1))
            score += weight * count * (K1 + 1.0) / (count + discount)
    return score


def closeness(pairs: Collection[int], terms: Sequence[str], statistics: TermStatistics) -> float:
    """What a passage earns for terms that stand together in it as they do in the query, on the scale of `bm25`.

    The sum, over the `pairs` of `text.proximity`, of the smaller idf of the two terms: a rare word beside a common
    one says no more than the common one. After Metzler and Croft 2005, A Markov random field model for term
    dependencies, whose sequential pairs these are.
    """
    return CLOSENESS * sum(min(_idf_of(terms[at], statistics), _idf_of(terms[at + 1], statistics)) for at in pairs)


def attainable(terms: Collection[str], statistics: TermStatistics, repeats: Mapping[str, int] = ONCE) -> float:
    """The score that no passage can exceed: every term present, infinitely often. 0 without terms."""
    return (K1 + 1.0) * sum(_idf_of(term, statistics) * emphasis(repeats.get(term, 1)) for term in terms)


def coverage(
    counts: Mapping[str, float], terms: Collection[str], statistics: TermStatistics, least_weight: float = 0.0
) -> float:
    """The share of the query's terms that a passage holds, each weighing its idf, in [0, 1]; 0 without terms.

    A term that no passage of the corpus holds weighs most of all, so a query about nothing known is hardly covered;
    none weighs less than the share `least_weight` of that.
    Of a query that asks for more than `MOST_EXPECTED` such terms, so many count as the whole.
    """
    frequencies = tuple([statistics.frequencies.get(term, 0) for term in terms])
    weights, asked = _asked(frequencies, statistics.passages, least_weight)
    held = sum([weight for term, weight in zip(terms, weights, strict=True) if counts.get(term, 0.0) > 0.0])
    return min(1.0, held / asked) if asked > 0.0 else 0.0


@lru_cache(maxsize=64)  # the same for every passage of a query
def _asked(frequencies: tuple[int, ...], passages: int, least_weight: float) -> tuple[tuple[float, ...], float]:
    """What each term of a query weighs, and what counts as the whole of them."""
    most = idf(0, passages)
    weights = tuple(max(idf(frequency, passages), least_weight * most) for frequency in frequencies)
    return weights, min(sum(weights), MOST_EXPECTED * most)


def _idf_of(term: str, statistics: TermStatistics) -> float:
    return idf(statistics.frequencies.get(term, 0), statistics.passages)
