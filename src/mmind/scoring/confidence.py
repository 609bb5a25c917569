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
# In other languages than English answers are not as near, and with a word in common strangers are nearer: two German
# texts are alike in being German. On the dev halves of XQuAD in German, pages of commands in German, and dialogues in
# Chinese .98, 1 and .94 of the questions of another set in that language are sent away and .03, .24 and .10 of the own
# called weak; on the scale of English .98, 1 and .98 and .07, .33 and .19.
COSINE_OF_STRANGERS_ABROAD = 0.15
COSINE_OF_ANSWERS_ABROAD = 0.50
WORDS_SHARE_ABROAD = 0.6
# Below this a result is shown as a near miss.
WEAK_BELOW = 0.30


def confidence(coverage: float | None, cosine: float | None, *, in_english: bool = True) -> float:
    """In [0, 1]: how sure it is that the passage is about the query at all.

    `coverage` is the share of the query's terms that the passage holds, weighted by their idf, in [0, 1];
    `cosine` is in [-1, 1]; None is no opinion and leaves the verdict to the other. `in_english` says that both are, or
    that a model speaks which knows all languages alike.
    """
    if in_english:
        strange, sure, words_share = COSINE_OF_STRANGERS, COSINE_OF_ANSWERS, WORDS_SHARE
    else:
        strange, sure, words_share = COSINE_OF_STRANGERS_ABROAD, COSINE_OF_ANSWERS_ABROAD, WORDS_SHARE_ABROAD
    meaning = None if cosine is None else _between(cosine, strange, sure)
    if coverage is None:
        return meaning or 0.0
    if meaning is None:
        return coverage
    return words_share * coverage + (1 - words_share) * meaning


def confidence_between(cosine: float, *, is_named: bool) -> float:
    """In [0, 1]: how sure it is that a passage in another language than the query is about it.

    `is_named` says that it holds the names that the query holds; no other words of the query could stand in it. On the
    scale of English: among notes and paragraphs of XQuAD 9 and 14 of 60 strange questions are then taken for answered
    in Chinese and German, and 17 and 14 of 60 answered ones called weak; with .05 less at both ends 26 and 35, and 10
    and 5.
    """
    meaning = _between(cosine, COSINE_OF_STRANGERS, COSINE_OF_ANSWERS)
    return WORDS_SHARE + (1 - WORDS_SHARE) * meaning if is_named else meaning


def _between(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))
