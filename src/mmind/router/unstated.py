"""After scoring: what only wishes or asks is no answer, however well its words and meaning fit the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mmind.router.candidate import Candidate
from mmind.text.wishes import asks_for_wishes, states_nothing
from mmind.values.bundle import Factor

# What states nothing is not worth believing more for being the user's: it loses what trust gives (1.15).
OF_WHAT_STATES_NOTHING = 0.87
UNSTATED = Factor("unstated", OF_WHAT_STATES_NOTHING, "it only wishes or asks, and states nothing")
MOST_LOOKED_AT = 50  # passages, the best ones: as many as a page may hold


def with_the_unstated_lower(candidates: Sequence[Candidate], question: str) -> list[Candidate]:
    """The candidates, best first, those of which every sentence is a wish or a question lowered by a factor.

    Nothing moves where wishes, ideas or questions are what is asked for.
    """
    if asks_for_wishes(question):
        return list(candidates)
    looked = [
        replace(one, score=one.score.times(UNSTATED)) if states_nothing(one.passage.text) else one
        for one in candidates[:MOST_LOOKED_AT]
    ]
    return sorted([*looked, *candidates[MOST_LOOKED_AT:]], key=lambda one: one.order)
