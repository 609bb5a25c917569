"""A result's factors as bars. Pure: results in, text out."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from mmind.dashboard.tints import BAD, GOOD, MAIN, QUIET
from mmind.text.bars import bar
from mmind.text.plain import one_line
from mmind.values.bundle import Factor, Result

_ABOVE_ONE = 1.5
"""Multipliers such as trust lie around 1: their bars are full here."""


def factor_lines(result: Result, width: int, before: Result | None = None) -> Iterator[Text]:
    """One line for each factor of a score: name, value, bar and reason, and the product.

    `before` is the same result under another table: a factor that differs shows its earlier value.
    """
    earlier = {factor.name: factor.value for factor in before.score.factors} if before else {}
    room = max(6, min(20, width - 46))
    for factor in result.score.factors:
        line = Text(f"{factor.name:<14}")
        line.append(f"{factor.value:>6.3f} ").append(drawn(factor, room), MAIN)
        if abs(earlier.get(factor.name, factor.value) - factor.value) >= 0.0005:
            line.append(f" was {earlier[factor.name]:.3f}", GOOD if factor.value > earlier[factor.name] else BAD)
        line.append(f" {one_line(factor.reason)}", QUIET).truncate(width, overflow="ellipsis")
        yield line
    product = (
        Text().append(f"{'= score':<14}{result.score.value:>6.3f} ", "bold").append(bar(result.score.value, room), MAIN)
    )
    if before and abs(before.score.value - result.score.value) >= 0.0005:
        product.append(f" was {before.score.value:.3f}", QUIET)
    yield product


def drawn(factor: Factor, width: int) -> str:
    """The bar of one factor: shares of 1 as they are, multipliers on a scale that ends at 1.5."""
    is_share = factor.name in ("relevance", "recency")
    return bar(factor.value if is_share else factor.value / _ABOVE_ONE, width)


def small_bars(result: Result) -> Text:
    """Relevance and recency as two short bars, and the other factors as what they multiply by."""
    by_name = {factor.name: factor.value for factor in result.score.factors}
    text = Text(no_wrap=True)
    for name, width in (("relevance", 6), ("recency", 4)):
        text.append(bar(by_name.pop(name, 0.0), width), MAIN if name == "relevance" else GOOD).append(" ")
    rest = 1.0
    for value in by_name.values():
        rest *= value
    return text.append(f"×{rest:.2f}", QUIET)
