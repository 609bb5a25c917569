"""How much of an answer a screen shows; a pipe and `--json` get everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.text import Text

from mmind.cli.plain import counted
from mmind.values.bundle import Bundle, Result

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

LEAST_CONFIDENCE = 0.05  # below it a near miss shares a common word with the question, and nothing else


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The most near misses of an answer and the most lines of a passage; None shows all of them."""

    near_misses: int | None = None
    passage_lines: int | None = None


WHOLE = Extent()
SCREEN = Extent(near_misses=3, passage_lines=6)
SCREEN_WITH_LIMIT = replace(SCREEN, near_misses=None)  # who names a limit wants that many


def shown_part(bundle: Bundle, extent: Extent) -> Bundle:
    """The answer with every find, and with as few near misses as the extent says, counted from 1 without a gap.

    Nothing but this screen goes by these numbers (an `agrees with`, a side of a conflict): every verb takes handles.
    """
    shown = _shown(bundle.results, extent.near_misses)
    return replace(bundle, results=tuple(replace(one, rank=rank) for rank, one in enumerate(shown, start=1)))


def _shown(results: tuple[Result, ...], most: int | None) -> Iterator[Result]:
    near_misses = 0
    for result in results:
        if result.weak and most is not None:
            if near_misses >= most or result.confidence < LEAST_CONFIDENCE:
                continue
            near_misses += 1
        yield result


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a text where most is marked: at most `rows` rows of the screen, and `rest`, which shows all of it."""

    text: Text
    rows: int
    rest: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The protocol of `rich`: what to print at this width."""
        rows = self.text.wrap(console, options.max_width)
        if len(rows) <= self.rows + 1:  # the line that tells of one more row would take its place
            yield self.text
            return
        starts = range(len(rows) - self.rows + 1)
        start = max(starts, key=lambda first: sum(len(row.spans) for row in rows[first : first + self.rows]))
        yield from rows[start : start + self.rows]
        left_out = counted(len(rows) - self.rows, "more line", "more lines")
        yield Text(f"… {left_out}: {self.rest}", "dim")
