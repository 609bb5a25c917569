"""Relevance: how well a passage answers, from what words say and what vectors say."""

from __future__ import annotations

import math

# A passage without a vector is taken to have the cosine that its words make likely (where others have one, see
# `likely_cosine`). With the default weights this
# gives 0.3 + 0.7 * 0.643 = 0.75 of its lexical score, which won on eight public sets with half of the vectors removed
# (.557 macro nDCG@10, against .523 for plain renormalising and .376 for counting the silence as zero).
COSINE_FROM_WORDS = 0.643
# The mirror image, for a passage that only vectors know. No store of ours lacks words; kept below 1 so that one
# signal alone never looks like two that agree.
WORDS_FROM_COSINE = 0.5

# BM25 is divided by the best of the query, so the top word match counts as 1; below this floor even the best match is
# a poor one and must not look certain. 3 is about one rare word found once.
BEST_BM25_FLOOR = 3.0

# What a passage loses that holds next to nothing of the query beside the word that found it. On six public sets 0.2
# gained .002 nDCG@10 on the dev halves and .001 on the test halves; 0.4 gained .005 and lost .002.
COORDINATION = 0.2

# Times the root of what the best match attains: 1 at a quarter; six public sets attain .03 in the middle (dialogues as
# queries), .2 (keywords) and .4 (claims and questions). On the dev halves 1.75 to 2.1 gain alike (within .001).
WORDS_GAIN = 2.0
# A question and its answer in one language have a cosine of .48 in the mean (the multilingual model, paragraphs of
# XQuAD in German and Chinese), in two .37. In a vault of three languages the more is added, the more answers in another
# language are found (nDCG@10 .57, .61, .63, .65 with .05 to .2) and the fewer in one's own (.991, .989, .988, .984).
LOST_BETWEEN_LANGUAGES = 0.1
# How far a query is moved towards its best passage. 0.2 to 0.5 gained alike on the dev halves of six public sets.
FEEDBACK = 0.3
# The share that a second look at the words has in the meaning, for each share of what the best match attains, and the
# most. On the dev halves of six public sets 0.8 and 1.2 gain .007 and .009 with a bound of 0.5, and as much without.
SECOND_LOOK = 1.2
MOST_SECOND_LOOK = 0.5
# From this cosine on a word stands for one of the question that is not there, at a cosine of 1 as often as is said.
# On the dev halves of six public sets it gains .001 macro nDCG@10, on nine sets made of other texts .002, most in
# German (.007), whose words change their ends; from 0.5 on, or half as often, no more.
STANDS_FOR = 0.6
AS_OFTEN = 0.8
# How often a term counts as found in a passage that holds one of its family (handler for handle). On the dev halves of
# six public sets 0.2 to 0.6 gain alike (.002 macro nDCG@10, in five of them), on nine sets made of other texts nothing.
OF_ONE_FAMILY = 0.2


def lexical_share(bm25: float, best: float) -> float:
    """BM25 on a scale of 0 to 1 within one query: divided by the query's best, or by the floor if that is higher."""
    return bm25 / max(best, BEST_BM25_FLOOR)


def words_score(bm25: float, closeness: float, coverage: float) -> float:
    """What the words of a passage are worth, on the scale of BM25; `coverage` is the share of the query held, by idf.

    BM25 alone ranks a passage that repeats one rare word above one that holds the whole question once.
    """
    return (bm25 + closeness) * (1.0 - COORDINATION * (1.0 - coverage))


def words_weight(lexical_weight: float, attained: float) -> float:
    """The weight of words in one query, from the weight that is set and from how well any passage matches it in words.

    `attained` is the best word score of the query over what no passage can exceed, in [0, 1]. The weight that is set
    holds at a quarter; where the best match attains more, words are worth more, and on a pasted dialogue, of which
    every passage holds a few common words, much less. One number for the whole query, so order by words alone is
    unmoved.
    """
    return lexical_weight * WORDS_GAIN * math.sqrt(attained)


def likely_cosine(lexical: float, coverage: float | None) -> float:
    """The cosine to expect of a passage whose vector is not made yet, beside others that have theirs, in [0, 1].

    From the mean of its lexical share and the idf-weighted share of the query that it holds (None: nothing to hold).
    The lexical share alone is low in a small store, where no word is rare, be the match as good as can be. With half of
    the vectors taken away on the dev halves of seven public sets the mean won: .739 macro nDCG@10, .729 by the lexical
    share, .713 by coverage.
    """
    return COSINE_FROM_WORDS * (lexical if coverage is None else (lexical + coverage) / 2)


def drawn(cosine: float, likeness: float, cosine_of_best: float) -> float:
    """The cosine with a query that was moved a little towards its best passage, in [-1, 1].

    `likeness` is the passage's cosine with that best passage, `cosine_of_best` the best passage's with the query.
    Rocchio 1971, in its vector form: (q + f d) / |q + f d|, with one passage d taken as relevant, for unit vectors.
    """
    length = math.sqrt(1.0 + 2.0 * FEEDBACK * cosine_of_best + FEEDBACK * FEEDBACK)
    return max(-1.0, min(1.0, (cosine + FEEDBACK * likeness) / length))


def counted_as_found(cosine: float) -> float:
    """How often a term that a passage lacks counts as found in it, by the cosine of its nearest word, in [0, 0.8]."""
    return AS_OFTEN * max(0.0, cosine - STANDS_FOR) / (1.0 - STANDS_FOR)


def looked_again(cosine: float, match: float, distance: float, attained: float) -> float:
    """The cosine of one of the best passages after a second look at its words, in [-1, 1].

    `match` says how well the passage's words answer the query's, each by what it means alone, and `distance` how far
    matches lie above cosines on average among those that are looked at; so only the order among these changes. What
    words may say grows with `attained`, as their weight does: a pasted dialogue has a near word for everything.
    """
    share = min(MOST_SECOND_LOOK, SECOND_LOOK * attained)
    return max(-1.0, min(1.0, (1.0 - share) * cosine + share * (match - distance)))


def blend(lexical: float | None, semantic: float | None, lexical_weight: float, semantic_weight: float) -> float:
    """Relevance in [0, 1] from a lexical share in [0, 1] and a cosine in [-1, 1]; None is no opinion, never zero.

    weight-averaged; a signal that did not speak is filled in from the one that did, at a discount.
    """
    heard_semantic = None if semantic is None else max(0.0, semantic)
    if lexical is None and heard_semantic is None:
        return 0.0
    words = lexical if lexical is not None else WORDS_FROM_COSINE * (heard_semantic or 0.0)
    meaning = heard_semantic if heard_semantic is not None else COSINE_FROM_WORDS * words
    total = lexical_weight + semantic_weight
    return (lexical_weight * words + semantic_weight * meaning) / total if total > 0 else 0.0
