"""Numbers as bars and curves made of block characters. Pure: numbers in, text out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mmind.scoring.recency import recency

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEVELS = "▁▂▃▄▅▆▇█"
OLDEST_DAYS = 3650.0
"""Where a decay curve ends: ten years."""


def bar(share: float, width: int) -> str:
    """A bar of `width` cells that is full at 1; shares below 0 and above 1 are cut there. Exact to an eighth cell."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (_EIGHTHS[part] if part else "")).ljust(width)


def curve(shares: Sequence[float]) -> str:
    """One character for each share in [0, 1]: the higher, the fuller."""
    return "".join(_LEVELS[round(min(1.0, max(0.0, share)) * (len(_LEVELS) - 1))] for share in shares)


def ages(count: int) -> list[float]:
    """So many ages in days, from one day to ten years, each the same multiple of the one before."""
    return [OLDEST_DAYS ** (place / max(1, count - 1)) for place in range(count)]


def decay_curve(half_life_days: float, floor: float, width: int) -> str:
    """What recency makes of a memory as it ages from one day (left) to ten years (right), on a logarithmic axis."""
    return curve([recency(age, half_life_days, floor) for age in ages(width)])


def age_axis(width: int) -> str:
    """What stands below a decay curve of this width: `1d` and `10y` at its ends, `1m` and `1y` where they belong."""
    if width < 7:
        return ""
    line = list("1d".ljust(width - 3) + "10y")
    for days, label in ((30.0, "1m"), (365.0, "1y")):
        place = round(math.log(days) / math.log(OLDEST_DAYS) * (width - 1))
        if all(sign == " " for sign in line[place - 1 : place + 3]):
            line[place : place + 2] = label
    return "".join(line)
