"""A candidate: one passage on its way from a store's hit to a place in the answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from mmind.values.bundle import Score
from mmind.values.memory import Memory, Passage, StorePolicy
from mmind.values.query import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A hit with its store's policy, both signals on the query's scale, and (once scored) its score.

    `bm25` is raw, `closeness` what is added to it for terms that stand together, and `lexical` the share of the
    query's best that both have, in [0, 1]; `cosine` is in [-1, 1]; each is None where
    nothing was said. `coverage` is the idf-weighted share of the query's terms, `confidence` in [0, 1].
    `attained` is how much of what words can attain the query's best match does, in [0, 1]; it is the same for all
    candidates of a query. `meaning` is the cosine after lines, a second look and feedback (see `router.lines` and on),
    or the likely one where a vector is missing beside others that are there; None where neither is so.
    `match` is how well its words answer the query's, where it was looked at twice (see `router.second_look`).
    `near` is what words near to those it lacks add to its words, on the scale of BM25 (see `router.near_words`).
    `standing` is the factor of relevance over that of the most relevant candidate of the query, in [0, 1].
    `guessed` tells which of its words were searched for in place of others that no store knows.
    `abroad` says that it is in another language than the question (see `router.abroad`).
    `more` are line ranges of further passages of the same memory that were found as well.
    """

    policy: StorePolicy
    hit: Hit
    bm25: float | None
    lexical: float | None
    cosine: float | None
    coverage: float | None
    confidence: float
    closeness: float | None = None
    attained: float | None = None
    meaning: float | None = None
    match: float | None = None
    near: float | None = None
    standing: float = 1.0
    score: Score = field(default_factory=lambda: Score(()))
    guessed: str = ""
    abroad: bool = False
    more: tuple[tuple[int, int], ...] = ()

    @property
    def memory(self) -> Memory:
        """The memory that the passage stands in (without its text)."""
        return self.hit.memory

    @property
    def passage(self) -> Passage:
        """The passage itself."""
        return self.hit.passage

    @property
    def order(self) -> tuple[float, float, str, int]:
        """Sort key: best score first; ties by confidence, then by id and place, so that order never wavers."""
        return (-self.score.value, -self.confidence, self.memory.handle, self.passage.ordinal)
