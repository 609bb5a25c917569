"""A list of one-line rows with a cursor: the widget that most panels are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option


class Rows(OptionList, inherit_bindings=False):
    """Rows to choose from. The cursor is drawn in reverse, so that it is seen without colour."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", "one row up", show=False),
        Binding("down", "cursor_down", "one row down", show=False),
        Binding("home", "first", "the first row", show=False),
        Binding("end", "last", "the last row", show=False),
        Binding("pageup", "page_up", "a page up", show=False),
        Binding("pagedown", "page_down", "a page down", show=False),
        Binding("enter", "select", "choose the row", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._rows: list[Text] = []

    def show(self, rows: Sequence[Text]) -> None:
        """Put these rows in place of the present ones; the cursor and the scrolling stay where they are."""
        if len(rows) != self.option_count:
            cursor, self._rows = self.cursor, []  # nothing is painted while the options are changed
            self.set_options([Option(row) for row in rows])
            self._rows = list(rows)
            self.highlighted = min(cursor, len(rows) - 1) if rows else None
        self._rows = list(rows)
        self._paint()

    def watch_highlighted(self, highlighted: int | None) -> None:
        """The cursor moved."""
        super().watch_highlighted(highlighted)
        self._paint()

    def on_focus(self) -> None:
        """The keys come here: the cursor shows it."""
        self._paint()

    def on_blur(self) -> None:
        """The keys go elsewhere."""
        self._paint()

    def _paint(self) -> None:
        for place, row in enumerate(self._rows):
            painted = self._painted(row) if place == self.highlighted else row
            if self.get_option_at_index(place).prompt != painted:
                self.replace_option_prompt_at_index(place, painted)

    def _painted(self, row: Text) -> Text:
        """A row under the cursor: in reverse where the keys come here, else bold."""
        if self.has_focus:
            return Text(row.plain, "reverse", no_wrap=True, overflow="ellipsis")
        return Text(row.plain, "bold", no_wrap=True, overflow="ellipsis")

    @property
    def cursor(self) -> int:
        """The row under the cursor, from 0; 0 where there is none."""
        return self.highlighted or 0
