"""One line to fill in, at the foot of the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from mmind.dashboard.tints import BAD
from mmind.text.plain import one_line
from mmind.values.errors import MmindError

if TYPE_CHECKING:
    from textual.app import ComposeResult


class Prompt(ModalScreen[None]):
    """Asks for a line and hands it to `accept`; what that refuses is told here, and the line can be mended."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave it as it is")]

    def __init__(self, label: str, takes: str, text: str, accept: Callable[[str], None]) -> None:
        super().__init__()
        self._label = label
        self._takes = takes
        self._text = text
        self._accept = accept

    def compose(self) -> ComposeResult:
        """The label, the line, and what it takes."""
        with Vertical(id="prompt"):
            yield Static(Text(self._label, "bold"), id="prompt-label")
            yield Input(self._text, id="prompt-line")
            yield Static(self._foot(), id="prompt-foot")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: hand the line over."""
        event.stop()
        try:
            self._accept(event.value)
        except MmindError as error:
            self.query_one("#prompt-foot", Static).update(Text(one_line(str(error)), BAD))
            return
        self.dismiss()

    def action_leave(self) -> None:
        """Escape: nothing is changed."""
        self.dismiss()

    def _foot(self) -> Text:
        return Text(f"takes {self._takes} · enter keeps it · esc leaves it as it is", "dim")
