"""Confidence: one number that means the same for every query, and can say that nothing was found."""

from __future__ import annotations

# Cosines of the local model between a question and a passage that has nothing to do with it lie around .05 to .2, and
# between a question and its answer around .45 to .7: the scale runs from the first to the second. On the dev halves of
# seven public collections 0.2 sends away .90 of the questions of other sets and calls .008 of their own weak; 0.15
# .86 and .003; 0.25 .93 and .024, among these one in nine of the dialogues.
COSINE_OF_STRANGERS = 0.2
COSINE_OF_ANSWERS = 0.60
# Words carry less of the verdict than meaning where both speak: one shared rare word is easily an accident.
WORDS_SHARE = 0.4
# In a language that the model was not taught, where strangers have cosines of .2 to .4. Of 125 German questions about
# half of the paragraphs of XQuAD as many are answered with .4 and .6 (.936), and of 115 about the other half .104 in
# place of .348; .5 lets .243 pass and .7 .096, and calls more right answers weak.
WORDS_SHARE_ABROAD = 0.6
# The same between two languages. So .84 to .89 of strange questions are sent away and .08 to .33 of the own called weak
# (English and German, English and Chinese, both ways, paragraphs of XQuAD); .05 higher .98 and .23 to .54, .05 lower
# .66 and .01 to .10.
COSINE_OF_STRANGERS_ABROAD = 0.15
COSINE_OF_ANSWERS_ABROAD = 0.55
# Below this a result is shown as a near miss.
WEAK_BELOW = 0.30


def confidence(coverage: float | None, cosine: float | None, words_share: float = WORDS_SHARE) -> float:
    """In [0, 1]: how sure it is that the passage is about the query at all.

    `coverage` is the share of the query's terms that the passage holds, weighted by their idf, in [0, 1];
    `cosine` is in [-1, 1]; None is no opinion and leaves the verdict to the other. `words_share` is
    what words weigh where both speak.
    """
    meaning = None if cosine is None else _between(cosine, COSINE_OF_STRANGERS, COSINE_OF_ANSWERS)
    if coverage is None:
        return meaning or 0.0
    if meaning is None:
        return coverage
    return words_share * coverage + (1 - words_share) * meaning


def confidence_abroad(cosine: float) -> float:
    """In [0, 1]: how sure it is that a passage in another language than the query is about it; words tell nothing."""
    return _between(cosine, COSINE_OF_STRANGERS_ABROAD, COSINE_OF_ANSWERS_ABROAD)


def _between(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))
