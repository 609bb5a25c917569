"""Candidates written out, for tests of the router's pure steps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mmind.router.candidate import Candidate
from mmind.values.bundle import Factor, Score
from mmind.values.memory import Access, Memory, Passage, StorePolicy, Trust
from mmind.values.query import Hit

NOON = datetime(2026, 5, 31, 12, tzinfo=UTC)


def candidate(
    text: str = "the spare key hangs behind the blue door",
    *,
    store: str = "sqlite",
    id: str = "",
    lexical: float | None = 0.5,
    cosine: float | None = None,
    days: float | None = 0.0,
    trust: Trust = Trust.GENERATED,
    half_life: float = 365.0,
    score: float | None = None,
    session: str = "",
    time_kind: str = "",
) -> Candidate:
    """One candidate; `days` is its age at NOON, `score` sets the whole score at once."""
    memory = Memory(
        store=store,
        id=id or f"{abs(hash((text, store))):x}",
        text="",
        created=None if days is None or time_kind else NOON - timedelta(days=days),
        time=None if days is None else NOON - timedelta(days=days),
        trust=trust,
        session=session,
        time_kind=time_kind or ("" if days is None else "created"),
    )
    hit = Hit(memory, Passage(0, text, 1, 1), None if lexical is None else {"key": 1.0}, 8.0, cosine)
    return Candidate(
        policy=StorePolicy(store, "engine", "role", Access.READ_WRITE, half_life),
        hit=hit,
        bm25=lexical,
        lexical=lexical,
        cosine=cosine,
        coverage=lexical,
        confidence=lexical or 0.0,
        score=Score(()) if score is None else Score((Factor("relevance", score, "set by the test"),)),
    )
