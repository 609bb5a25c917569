"""What the router answers: one ranked bundle, where every line says where it came from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mmind.values.memory import Trust


@dataclass(frozen=True, slots=True)
class Factor:
    """One number of the product, and why it is what it is. `inputs` are the numbers it was computed from."""

    name: str
    value: float
    reason: str
    inputs: Mapping[str, float | str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Score:
    """A score is its reasons: the value is the product of the factors that `explain` prints."""

    factors: tuple[Factor, ...]

    @property
    def value(self) -> float:
        """The product of all factors."""
        return math.prod(factor.value for factor in self.factors)

    def times(self, factor: Factor) -> Score:
        """This score with one more reason."""
        return Score((*self.factors, factor))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One place where a result was found. Lines count from 1; `time` is UTC, or None when nobody knows it."""

    store: str
    engine: str
    id: str
    path: str
    heading: tuple[str, ...]
    line_start: int
    line_end: int
    time: datetime | None
    time_kind: str
    trust: Trust
    writer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One ranked passage, with every place it was found in; the first place is the one that speaks.

    `id` is the handle that `get` takes. `confidence` in [0, 1] means the same for every query, and `weak` marks a
    result below the line that separates finds from near misses. `cut` tells that the text was shortened to fit.
    `more` are further passages of the same memory that matched (line ranges, from 1, inclusive).
    """

    rank: int
    id: str
    title: str
    text: str
    tags: tuple[str, ...]
    score: Score
    confidence: float
    weak: bool
    cut: bool
    evidence: tuple[Evidence, ...]
    more: tuple[tuple[int, int], ...] = ()
    agrees_with: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two memories that cannot both hold, which of them the router trusts, and why.

    `kind` is numeric, temporal, negation or correction; `confidence` is in [0, 1]; `trusted` is one of the two ids.
    """

    kind: str
    ids: tuple[str, str]
    sentences: tuple[str, str]
    values: tuple[str, str]
    trusted: str
    reason: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Fault:
    """A store that was asked and could not answer: which, why, and what to do."""

    store: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The whole answer to one query.

    `relevant` is False when nothing above the line of confidence was found; the results are then near misses.
    `faults` name the silent stores, `notes` say what else the reader must know (index behind, no vectors yet),
    `omitted` counts the results that did not fit the bounds, `searched` names the stores that answered.
    `now` is the moment of the query, read once.
    """

    query: str
    results: tuple[Result, ...]
    conflicts: tuple[Conflict, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    searched: tuple[str, ...]
    relevant: bool
    omitted: int
    now: datetime
    elapsed_ms: float
