"""`mmind explain`: why each result stands where it stands, as bars in the terminal or as a picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mmind.cli.exits import NOTHING_RELEVANT, OK
from mmind.cli.plain import one_line
from mmind.cli.terminal import Terminal
from mmind.cli.verbs import asked
from mmind.text.bars import bar
from mmind.values.bundle import Bundle, Result
from mmind.wire import bundle_to_json

BAR_WIDTH = 20
FULL_AT = 1.5
"""Multipliers such as trust lie around 1: their bars are full here; relevance and recency are shares of 1."""


def explain(arguments: Namespace, terminal: Terminal) -> int:
    """Ask every store, and show the factors; 1 when nothing relevant was found."""
    bundle = asked(arguments, terminal)
    if arguments.json:
        terminal.give(bundle_to_json(bundle, explain=True))
    else:
        terminal.show(render_factors(bundle))
    if arguments.plot:
        from mmind.cli.explain_plot import plot_answer

        file = Path(arguments.plot).expanduser()
        plot_answer(bundle, file)
        terminal.say(f"drawn into {file}")
    return OK if bundle.relevant else NOTHING_RELEVANT


def render_factors(bundle: Bundle) -> RenderableType:
    """Every result with its factors as bars."""
    blocks: list[RenderableType] = []
    for result in bundle.results:
        blocks += [_head(result), Padding(_factors(result), (0, 0, 1, 3))]
    return Group(*blocks) if blocks else Text("nothing was found")


def _head(result: Result) -> Text:
    title = one_line(result.title or result.id)
    return Text.assemble(
        (f"{result.rank}. ", "bold"),
        (f"{result.score.value:.3f} ", "cyan"),
        title,
        (" · weak" if result.weak else "", "yellow"),
    )


def _factors(result: Result) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(width=BAR_WIDTH, no_wrap=True)
    table.add_column(overflow="fold")
    for name, value, drawn, reason in _rows(result):
        table.add_row(Text(name), Text(f"{value:.3f}"), Text(drawn, "blue"), Text(one_line(reason), "dim"))
    return table


def _rows(result: Result) -> Iterator[tuple[str, float, str, str]]:
    for factor in result.score.factors:
        share = factor.value if factor.name in ("relevance", "recency") else factor.value / FULL_AT
        yield factor.name, factor.value, bar(share, BAR_WIDTH), factor.reason
    yield "= score", result.score.value, bar(result.score.value, BAR_WIDTH), "the product of the above"
