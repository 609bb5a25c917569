"""After corroboration: where languages mix, a near miss does not stand above what is surely about the question.

Between languages the confidence knows what the order does not: words that two passages share with the question weigh in
the order of those in its language alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mmind.router.assemble import Ranked, confidence_of
from mmind.scoring.confidence import WEAK_BELOW
from mmind.values.bundle import Factor

# Of the near miss's score: what has less is so far from it that the order is righter than the labels. In a vault of
# paragraphs of XQuAD, each in one of three languages (605 questions of the dev half), nDCG@10 is .748 without this,
# .760, .758 and .754 from 0.5, 0.6 and 0.7 on; about paragraphs in the question's own language .980, .981, .981 and
# .981; in a vault in German alone .980, .979, .980 and .980. A weak result stands above a sure one on .21 of the pages
# without it, and on .06, .08 and .10 with it.
WITHIN_REACH = 0.6
JUST_BELOW = 0.999


def with_near_misses_lower(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The groups, each weak one scored just below those within reach that are not, where either is in another language.

    The factor is called *unsure*. In one language nothing moves.
    """
    if not any(one.group.best.abroad for one in ranked):
        return list(ranked)
    sure = [one for one in ranked if confidence_of(one) >= WEAK_BELOW]
    return [one if confidence_of(one) >= WEAK_BELOW else _lowered(one, sure) for one in ranked]


def _lowered(weak: Ranked, sure: Sequence[Ranked]) -> Ranked:
    own = weak.score.value
    surer = [
        one
        for one in sure
        if WITHIN_REACH * own <= one.score.value <= own and (one.group.best.abroad or weak.group.best.abroad)
    ]
    if not surer:
        return weak
    last = min(surer, key=lambda one: one.score.value)
    reason = f"a near miss, and {last.group.speaker.memory.handle} is surely about it"
    factor = Factor("unsure", JUST_BELOW * last.score.value / own, reason, {"score_of_the_surer": last.score.value})
    return replace(weak, score=weak.score.times(factor))
