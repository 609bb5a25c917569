"""Before the second look: a word that a passage lacks counts a little where the passage holds one that means nearly it.

BM25 knows equal words only: "film" asked for and "movie" found are strangers to it. Here a term that is not there is
counted as found a part of a time, by the cosine of the nearest word of the passage. A translation model (Berger and
Lafferty 1999) whose probabilities are those cosines, as in Zuccon and others 2015, for a few of the best passages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mmind.router.candidate import Candidate
from mmind.router.named import is_called
from mmind.router.second_look import best_texts
from mmind.scoring.relevance import OF_ONE_FAMILY, counted_as_found, lexical_share, words_score
from mmind.text.bm25 import bm25, coverage
from mmind.text.families import families, has_kin
from mmind.text.tokens import distinct, is_unspaced, tokens
from mmind.values.errors import MmindError
from mmind.values.query import Query, TermStatistics

# For each text and each word how near the text comes to it, in [-1, 1]; None: it cannot tell.
Nearest = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]] | None]

_WORD = re.compile(r"[^\W\d_]{2,}")  # no numbers: 2012 and 2013 are near, and never mean each other


def with_near_words(
    candidates: Sequence[Candidate],
    relevance: Callable[[Candidate], float],
    query: Query,
    statistics: TermStatistics,
    nearest: Nearest | None,
) -> list[Candidate]:
    """The candidates, the `lexical` of the best of them raised by words that are near to those they lack (`near`).

    Nothing moves where `nearest` cannot tell, or where a memory is called what was asked: then nothing is missing.
    """
    words = words_of(query)
    asked = frozenset(query.terms)
    if nearest is None or not words or any(is_called(one.hit, asked) for one in candidates):
        return list(candidates)
    looked = best_texts(candidates, relevance)
    try:
        told = nearest(list(words), list(looked)) if looked else None
    except MmindError:  # the model was let go of meanwhile
        told = None
    if told is None:
        return list(candidates)
    best = max((_score(one) for one in candidates), default=0.0)
    found = list(candidates)
    for (text, places), of_words in zip(looked.items(), told, strict=True):
        near = _counts(words, of_words, families(distinct(text)))
        for place in places:
            added = _added(candidates[place], near, query, statistics)
            if added > 0.0:
                lexical = (candidates[place].lexical or 0.0) + lexical_share(added, best)
                found[place] = replace(candidates[place], lexical=lexical, near=added)
    return found


def words_of(query: Query) -> dict[str, list[str]]:
    """The words of a question that its terms were made of, each with these terms."""
    telling = frozenset(query.terms).difference(guess.unknown for guess in query.guesses)
    written = (word for word in _WORD.findall(query.text) if not is_unspaced(word))
    of = {word: [term for term in tokens(word) if term in telling] for word in written}
    return {word: terms for word, terms in of.items() if terms}


def _counts(
    words: Mapping[str, Sequence[str]], nearest: Sequence[float], families: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """How often each term counts as found: by the nearest word to any that stands for it, or by one of its family.

    Only what counts at all. `families` are the terms of the passage as `text.families` has them.
    """
    found: dict[str, float] = {}
    for terms, cosine in zip(words.values(), nearest, strict=True):
        for term in terms:
            of_family = OF_ONE_FAMILY if has_kin(term, families) else 0.0
            found[term] = max(found.get(term, 0.0), counted_as_found(cosine), of_family)
    return {term: count for term, count in found.items() if count > 0.0}


def _score(candidate: Candidate) -> float:
    if candidate.bm25 is None or candidate.closeness is None or candidate.coverage is None:
        return 0.0
    return words_score(candidate.bm25, candidate.closeness, candidate.coverage)


def _added(candidate: Candidate, near: Mapping[str, float], query: Query, statistics: TermStatistics) -> float:
    """What near words add to the word score of a passage, on the scale of BM25."""
    counts, close = candidate.hit.counts, candidate.closeness
    if counts is None or close is None or candidate.coverage is None:
        return 0.0
    more = {term: count for term, count in near.items() if not counts.get(term)}
    if not more:
        return 0.0
    held = {**counts, **more}
    raw = bm25(held, candidate.hit.length, statistics, query.terms, query.repeats)
    return words_score(raw, close, coverage(held, query.terms, statistics)) - _score(candidate)
