"""Help: every key, by place, on one scrolling page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from mmind.dashboard.tints import MAIN

if TYPE_CHECKING:
    from textual.app import ComposeResult

WORDS = """\
Every number here comes from the stores themselves or from the audit log.
access, backends and paths are saved as you change them; tuning is a draft
until you press s. Running servers take access and ranking up within a second
or at their next answer, and the line at the foot says when each of them has.
Paths and engines count from a server's next start.
What an environment variable decides is marked "pinned" and cannot be changed
here; the variable is named. Secrets come from the environment alone: they are
neither shown nor saved.
"""


class Help(ModalScreen[None]):
    """All keys. `sections` are (title, rows of key and purpose)."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "close", "close the help")]

    def __init__(self, sections: Iterable[tuple[str, tuple[tuple[str, str], ...]]]) -> None:
        super().__init__()
        self._sections = tuple(sections)

    def compose(self) -> ComposeResult:
        """The page."""
        with VerticalScroll(id="help"):
            yield Static(self._page())

    def on_mount(self) -> None:
        """The keys scroll the page."""
        self.query_one("#help").focus()

    def action_close(self) -> None:
        """Back to where the help was asked for."""
        self.dismiss()

    def _page(self) -> Text:
        page = Text()
        for title, rows in self._sections:
            page.append(f"{title}\n", "bold")
            for key, purpose in rows:
                page.append(f"  {key:<16}", MAIN).append(f"{purpose}\n")
            page.append("\n")
        return page.append(WORDS, "dim").append("\nesc closes this page.", "dim")
