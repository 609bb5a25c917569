"""A list of one-line rows with a cursor: the widget that most panels are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from rich.text import Text


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

    def show(self, rows: Sequence[Text]) -> None:
        """Put these rows in place of the present ones; the cursor and the scrolling stay where they are."""
        if len(rows) == self.option_count:
            for place, row in enumerate(rows):
                if self.get_option_at_index(place).prompt != row:
                    self.replace_option_prompt_at_index(place, row)
            return
        cursor = self.highlighted or 0
        self.set_options([Option(row) for row in rows])
        if rows:
            self.highlighted = min(cursor, len(rows) - 1)

    @property
    def cursor(self) -> int:
        """The row under the cursor, from 0; 0 where there is none."""
        return self.highlighted or 0
