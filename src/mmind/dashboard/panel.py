"""What every panel of the dashboard has: a place for its rows, its own keys, and the way to the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from textual.containers import Vertical
from textual.widgets import Input, Static

from mmind.dashboard.columns import Column, Layout, fitted
from mmind.dashboard.rows import Rows
from mmind.dashboard.session import Session

if TYPE_CHECKING:
    from rich.text import Text
    from textual.widget import Widget

    from mmind.dashboard.app import Dashboard


Keys = tuple[tuple[str, str], ...]
"""What is told of keys: a key, and what it does."""


class Panel(Vertical):
    """One of the places of the dashboard.

    `keys` are what the last line of the screen tells; `all_keys` is what the help says instead, where there is more.
    """

    keys: Keys = ()
    all_keys: Keys = ()

    @property
    def dashboard(self) -> Dashboard:
        """The program around the panel."""
        return cast("Dashboard", self.app)

    @property
    def session(self) -> Session:
        """What the panels work with."""
        return self.dashboard.session

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the framework's
        """The panel's keys are letters like any other while a line is typed in."""
        return not isinstance(self.app.focused, Input)

    def entered(self) -> None:
        """The panel comes to the front: it draws itself, and its rows take the keys."""
        self.draw()
        self.take_keys(self.query_one(Rows))

    def pulsed(self) -> None:
        """The settings or the servers were looked at again."""

    def draw(self) -> None:
        """Draw everything anew, at the present size."""

    def on_resize(self) -> None:
        """Everything is fitted to the width, so another width is another drawing."""
        self.draw()

    def take_keys(self, widget: Widget) -> None:
        """Give the keys to a part of the panel now: `Widget.focus` does so later, and fast typing would go astray."""
        self.screen.set_focus(widget)

    def write(self, part: str, text: Text) -> None:
        """Put text into the part of the panel with this id."""
        self.query_one(f"#{part}", Static).update(text)

    def write_rows(self, head: str, columns: Sequence[Column], rows: Callable[[Layout], Sequence[Text]]) -> None:
        """Titles into the part `head` and rows into the panel's list, as high as it is long, at the present width."""
        layout = fitted(columns, self.size.width - 1)  # a list that is longer than its place has a bar to scroll it
        self.write(head, layout.heading())
        listed = self.query_one(Rows)
        listed.show(rows(layout))
        listed.styles.height = max(1, listed.option_count)

    def save(self, done: Callable[[], None]) -> None:
        """Do what saves something; a refusal is told, and everything stays as it was."""
        self.dashboard.attempt(done)
        self.draw()
