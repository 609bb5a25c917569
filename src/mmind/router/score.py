"""Step 5: the score of a candidate, as the product of factors that say why they are what they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from mmind.router.candidate import Candidate
from mmind.router.feedback import with_feedback
from mmind.scoring.recency import recency
from mmind.scoring.relevance import blend, words_weight
from mmind.values.bundle import Factor, Score
from mmind.values.memory import Memory, Trust
from mmind.values.ranking import Ranking

SECONDS_A_DAY = 86_400.0
# Settles a tie for what was kept for this very piece of work; less than what the user's own word weighs (trust).
OF_THE_SESSION = 1.1
SESSION = Factor("session", OF_THE_SESSION, "kept for the session that was asked for")


def scored(candidates: Iterable[Candidate], ranking: Ranking, now: datetime) -> list[Candidate]:
    """The candidates with their scores, best first; what shares neither word nor meaning with the query is left out."""
    heard = with_feedback(list(candidates), lambda candidate: relevance(candidate, ranking))
    done = (replace(candidate, score=score(candidate, ranking, now)) for candidate in heard)
    return sorted((one for one in done if one.score.value > 0), key=lambda candidate: candidate.order)


def score(candidate: Candidate, ranking: Ranking, now: datetime) -> Score:
    """relevance x recency x trust, and session where one was asked for; corroboration joins when copies are known."""
    factors = (_relevance(candidate, ranking), _recency(candidate, ranking, now), _trust(candidate, ranking))
    # A memory of a session is seen by a question with that session's name only, so it is of the one asked for.
    return Score((*factors, SESSION) if candidate.memory.session else factors)


def age_days(memory: Memory, now: datetime) -> float | None:
    """Days between the memory's time and now; below zero in the future, None when nobody knows the time."""
    return None if memory.time is None else (now - memory.time).total_seconds() / SECONDS_A_DAY


def relevance(candidate: Candidate, ranking: Ranking) -> float:
    """Words and meaning blended, in [0, 1]."""
    meaning = candidate.cosine if candidate.meaning is None else candidate.meaning
    return blend(candidate.lexical, meaning, lexical_weight(candidate, ranking), ranking.semantic_weight)


def lexical_weight(candidate: Candidate, ranking: Ranking) -> float:
    """What words weigh in this query; as it is set where nobody knows what they could attain."""
    if candidate.attained is None:
        return ranking.lexical_weight
    return words_weight(ranking.lexical_weight, candidate.attained)


def _relevance(candidate: Candidate, ranking: Ranking) -> Factor:
    heard = [
        name for name, signal in (("words", candidate.lexical), ("meaning", candidate.cosine)) if signal is not None
    ]
    return Factor(
        "relevance",
        relevance(candidate, ranking),
        " and ".join(heard) + (" only" if len(heard) == 1 else ""),
        {
            "bm25": candidate.bm25,
            "closeness": candidate.closeness,
            "coverage": candidate.coverage,
            "lexical": candidate.lexical,
            "cosine": candidate.cosine,
            "meaning": candidate.meaning,
            "attained": candidate.attained,
            "lexical_weight": lexical_weight(candidate, ranking),
            "semantic_weight": ranking.semantic_weight,
        },
    )


def _recency(candidate: Candidate, ranking: Ranking, now: datetime) -> Factor:
    half_life = candidate.policy.half_life_days
    age = age_days(candidate.memory, now)
    value = recency(age, half_life, ranking.recency_floor)
    inputs = {"age_days": age, "half_life_days": half_life, "floor": ranking.recency_floor}
    return Factor("recency", value, _age_in_words(age), inputs)


def _age_in_words(age: float | None) -> str:
    if age is None:
        return "no time known: counts as one half-life"
    if age < 0:
        return "dated in the future: counts as now"
    return "today" if age < 1 else f"{age:,.0f} day{'s' if age >= 1.5 else ''} old"


def _trust(candidate: Candidate, ranking: Ranking) -> Factor:
    is_curated = candidate.memory.trust is Trust.CURATED
    return Factor(
        "trust",
        ranking.trust_curated if is_curated else ranking.trust_generated,
        "curated: the user wrote or filed it" if is_curated else "generated: an agent wrote it",
    )
