"""The whole ranking table as one value; every number of it can be set, and none of it is read from anywhere else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The weights of the router. Ranges are in `config.table`; the reasons for the defaults are in docs/ranking.md."""

    semantic_weight: float = 0.7
    lexical_weight: float = 0.3
    recency_floor: float = 0.4
    trust_curated: float = 1.15
    # Cases grade alike from 0.85 to 1.0, and above 1.05 agents beat the user. Where the same documents lie in many
    # stores, every step below 1 costs: 0.9 costs .05 more nDCG@10 on public sets than 1.0 does.
    trust_generated: float = 1.0
    corroboration_boost: float = 0.12
    duplicate_threshold: float = 0.82
    conflict_detection: bool = True
