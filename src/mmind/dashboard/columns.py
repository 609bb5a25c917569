"""Rows of cells fitted to the width of a screen. Pure: the widths are given, nothing is measured but text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from mmind.dashboard.tints import QUIET

GAP = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its title, its least width in cells, and whether it takes what is left over (`grows`).

    Where the screen is too narrow for all, the column with the lowest `worth` goes first.
    """

    title: str
    width: int
    grows: bool = False
    is_right: bool = False
    worth: int = 9


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns are shown, by their place, and how wide each is."""

    columns: tuple[Column, ...]
    widths: tuple[int, ...]

    def heading(self) -> Text:
        """The titles."""
        return self.row([Text(column.title, QUIET) for column in self.columns])

    def row(self, cells: Sequence[Text | str]) -> Text:
        """One line; each cell cut or filled up to its width."""
        line = Text(no_wrap=True, overflow="ellipsis")
        for place, width in enumerate(self.widths):
            if width:
                cell = cells[place]
                line.append_text(_cell(cell if isinstance(cell, Text) else Text(cell), self.columns[place], width))
                line.append(" " * GAP)
        line.right_crop(GAP)
        return line


def fitted(columns: Sequence[Column], width: int) -> Layout:
    """The columns that fit into `width` cells; 0 is the width of one that is left out."""
    shown = list(range(len(columns)))
    while len(shown) > 1 and _needed(columns, shown) > width:
        shown.remove(min(reversed(shown), key=lambda place: columns[place].worth))
    growing = [place for place in shown if columns[place].grows]
    left = max(0, width - _needed(columns, shown))
    share = left // len(growing) if growing else 0
    widths = [columns[place].width + (share if place in growing else 0) for place in range(len(columns))]
    return Layout(tuple(columns), tuple(size if place in shown else 0 for place, size in enumerate(widths)))


def _needed(columns: Sequence[Column], shown: Sequence[int]) -> int:
    return sum(columns[place].width + GAP for place in shown) - GAP


def _cell(text: Text, column: Column, width: int) -> Text:
    cell = text.copy()
    cell.truncate(width, overflow="ellipsis")
    if column.is_right:
        cell.pad_left(width - cell.cell_len)
    else:
        cell.pad_right(width - cell.cell_len)
    return cell
