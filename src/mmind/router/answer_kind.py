"""After scoring: what could not be an answer of the kind that is asked for stands lower, where others could.

"Who approves a release" asks for a person. Of two notes about releases the one that names nobody does not answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mmind.embedding.languages import is_english_text
from mmind.router.candidate import Candidate
from mmind.router.unstated import MOST_LOOKED_AT
from mmind.text.answer_kinds import Kind, holds, kind_asked
from mmind.values.bundle import Factor

# Long passages hold something of every kind, so it tells of short memories alone. On the dev halves of developer
# memories and of single sentences of XQuAD it gains .002 and .001 nDCG@10, on sixteen other sets nothing.
OF_ANOTHER_KIND = 0.8


def with_other_kinds_lower(candidates: Sequence[Candidate], question: str) -> list[Candidate]:
    """The candidates, best first, those lowered by a factor that hold nothing of the kind which the question asks for.

    Nothing moves where the question does not tell a kind, or none of the best holds any. What is not in English is left
    as it is: so are the kinds read.
    """
    kind = kind_asked(question)
    if kind is None:
        return list(candidates)
    looked = candidates[:MOST_LOOKED_AT]
    could = [holds(kind, one.passage.text) or not is_english_text(one.passage.text) for one in looked]
    if not any(could):
        return list(candidates)
    lowered = [one if fits else _lowered(one, kind) for one, fits in zip(looked, could, strict=True)]
    return sorted([*lowered, *candidates[MOST_LOOKED_AT:]], key=lambda one: one.order)


def _lowered(candidate: Candidate, kind: Kind) -> Candidate:
    factor = Factor("kind", OF_ANOTHER_KIND, f"holds nothing that could be {kind.value}, which is asked for")
    return replace(candidate, score=candidate.score.times(factor))
