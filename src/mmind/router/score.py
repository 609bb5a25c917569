"""Step 5: the score of a candidate, as the product of factors that say why they are what they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from mmind.router.candidate import Candidate
from mmind.router.feedback import with_feedback
from mmind.scoring.recency import recency
from mmind.scoring.relevance import blend, words_weight
from mmind.scoring.standing import sharpened
from mmind.values.bundle import Factor, Score
from mmind.values.memory import Memory, Trust
from mmind.values.ranking import Ranking

SECONDS_A_DAY = 86_400.0
# Settles a tie for what was kept for this very piece of work; less than what the user's own word weighs (trust).
OF_THE_SESSION = 1.1
SESSION = Factor("session", OF_THE_SESSION, "kept for the session that was asked for")
# No answer holds more: 50 memories are compared and may be shown as one, and 50 results may stand on a page. Copies of
# one text are not counted, and the best of the user's own are never cut off by what agents wrote.
MOST_TEXTS = 100
MOST_CURATED = 25

Numbers = tuple[float, ...]


def scored(candidates: Iterable[Candidate], ranking: Ranking, now: datetime) -> list[Candidate]:
    """The candidates of every memory that an answer may need, with their scores, best first.

    What shares neither word nor meaning with the query is left out. All are ranked by the product of their numbers;
    the reasons are then given to those that can be shown, around the same numbers.
    """
    heard = with_feedback(list(candidates), lambda candidate: relevance(candidate, ranking))
    blends = [relevance(candidate, ranking) for candidate in heard]
    most = max(blends, default=0.0)
    multiplied = [
        (numbers(candidate, sharpened(value, most), ranking, now), candidate)
        for candidate, value in zip(heard, blends, strict=True)
    ]
    found = [(math.prod(of), of, candidate) for of, candidate in multiplied]
    best = sorted((one for one in found if one[0] > 0), key=_order)
    return [
        replace(one, score=score(one, of, ranking, now), standing=of[0] / most)
        for _, of, one in _of_best_memories(best)
    ]


def _order(found: tuple[float, Numbers, Candidate]) -> tuple[float, float, str, int]:
    """As `Candidate.order` will have it, once the candidate has its score."""
    return (-found[0], *found[2].order[1:])


def _of_best_memories(found: Sequence[tuple[float, Numbers, Candidate]]) -> list[tuple[float, Numbers, Candidate]]:
    """What belongs to a memory that can be shown, compared, or counted as a copy of one."""
    kept: set[str] = set()
    texts, curated = set[str](), set[str]()
    for _, _, one in found:
        is_curated = one.memory.trust is Trust.CURATED and len(curated) < MOST_CURATED
        if one.passage.text in texts or len(texts) < MOST_TEXTS or is_curated:
            kept.add(one.memory.handle)
            texts.add(one.passage.text)
            if is_curated:
                curated.add(one.memory.handle)
    return [one for one in found if one[2].memory.handle in kept]


def numbers(candidate: Candidate, to_the_point: float, ranking: Ranking, now: datetime) -> Numbers:
    """What is multiplied: relevance (`to_the_point`, in [0, 1]), recency, trust, and session where one was asked."""
    of = (
        to_the_point,
        recency(age_days(candidate.memory, now), candidate.policy.half_life_days, ranking.recency_floor),
        ranking.trust_curated if candidate.memory.trust is Trust.CURATED else ranking.trust_generated,
    )
    # A memory of a session is seen by a question with that session's name only, so it is of the one asked for.
    return (*of, OF_THE_SESSION) if candidate.memory.session else of


def score(candidate: Candidate, of: Numbers, ranking: Ranking, now: datetime) -> Score:
    """The reasons around the numbers of a candidate; corroboration joins when copies are known."""
    factors = (
        _relevance(candidate, of[0], ranking),
        _recency(candidate, of[1], ranking, now),
        _trust(candidate, of[2]),
    )
    return Score((*factors, SESSION) if candidate.memory.session else factors)


def age_days(memory: Memory, now: datetime) -> float | None:
    """Days between the memory's time and now; below zero in the future, None when nobody knows the time."""
    return None if memory.time is None else (now - memory.time).total_seconds() / SECONDS_A_DAY


def relevance(candidate: Candidate, ranking: Ranking) -> float:
    """Words and meaning blended, in [0, 1]; `sharpened` makes the factor of it."""
    meaning = candidate.cosine if candidate.meaning is None else candidate.meaning
    return blend(candidate.lexical, meaning, lexical_weight(candidate, ranking), ranking.semantic_weight)


def lexical_weight(candidate: Candidate, ranking: Ranking) -> float:
    """What words weigh in this query; as it is set where nobody knows what they could attain."""
    if candidate.attained is None:
        return ranking.lexical_weight
    return words_weight(ranking.lexical_weight, candidate.attained)


def _relevance(candidate: Candidate, value: float, ranking: Ranking) -> Factor:
    heard = [
        name for name, signal in (("words", candidate.lexical), ("meaning", candidate.cosine)) if signal is not None
    ]
    return Factor(
        "relevance",
        value,
        " and ".join(heard)
        + (" only" if len(heard) == 1 else "")
        + (", in another language" if candidate.abroad else ""),
        {
            "bm25": candidate.bm25,
            "closeness": candidate.closeness,
            "near": candidate.near,
            "coverage": candidate.coverage,
            "lexical": candidate.lexical,
            "cosine": candidate.cosine,
            "match": candidate.match,
            "meaning": candidate.meaning,
            "blend": relevance(candidate, ranking),
            "attained": candidate.attained,
            "lexical_weight": lexical_weight(candidate, ranking),
            "semantic_weight": ranking.semantic_weight,
            **({"guessed": candidate.guessed} if candidate.guessed else {}),
        },
    )


def _recency(candidate: Candidate, value: float, ranking: Ranking, now: datetime) -> Factor:
    age = age_days(candidate.memory, now)
    inputs = {"age_days": age, "half_life_days": candidate.policy.half_life_days, "floor": ranking.recency_floor}
    return Factor("recency", value, _age_in_words(age), inputs)


def _age_in_words(age: float | None) -> str:
    if age is None:
        return "no time known: counts as a sixth of a half-life"
    if age < 0:
        return "dated in the future: counts as now"
    return "today" if age < 1 else f"{age:,.0f} day{'s' if age >= 1.5 else ''} old"


def _trust(candidate: Candidate, value: float) -> Factor:
    is_curated = candidate.memory.trust is Trust.CURATED
    return Factor(
        "trust", value, "curated: the user wrote or filed it" if is_curated else "generated: an agent wrote it"
    )
