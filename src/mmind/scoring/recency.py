"""Recency: an old memory fades towards a floor; it never vanishes and is never preferred for being new alone."""

from __future__ import annotations

import math


def recency(age_days: float | None, half_life_days: float, floor: float) -> float:
    """A multiplier in [floor, 1]: halves every `half_life_days`, stops at `floor`.

    An age below zero (a clock that runs ahead) counts as now. None (nobody knows the time) counts as one half-life:
    neither fresh nor forgotten.
    """
    age = half_life_days if age_days is None else max(0.0, age_days)
    return max(floor, math.exp2(-age / half_life_days))
