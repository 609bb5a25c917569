"""The program: one screen with seven places, the keys that lead to them, and what is looked at while it runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.filter import NoColor
from textual.theme import Theme
from textual.widgets import ContentSwitcher, Input, Static

from mmind.dashboard import servers
from mmind.dashboard.ask_panel import AskPanel
from mmind.dashboard.audit_panel import AuditPanel
from mmind.dashboard.engines_panel import EnginesPanel
from mmind.dashboard.help_screen import Help
from mmind.dashboard.knobs_panel import ACCESS, PATHS, KnobsPanel
from mmind.dashboard.panel import Panel
from mmind.dashboard.session import Session
from mmind.dashboard.stores_panel import StoresPanel
from mmind.dashboard.tints import BAD, MAIN, QUIET
from mmind.dashboard.tuning_panel import TuningPanel
from mmind.text.plain import one_line
from mmind.values.errors import MmindError
from mmind.values.reports import Status

PULSE_SECONDS = 1.0
STORES_SECONDS = 5.0
WIDTH_OF_TABS = 80
PLACES = {  # name: the key that leads there, and what the first line of the screen calls it
    "stores": ("escape", "esc stores"),
    "access": ("a", "a access"),
    "engines": ("b", "b backends"),
    "tuning": ("t", "t tuning"),
    "audit": ("l", "l log"),
    "paths": ("p", "p paths"),
    "ask": ("slash", "/ ask"),
}
EVERYWHERE = (
    ("esc", "back to the stores; out of a line: to the rows"),
    ("a", "access: what agents may do with each store"),
    ("b", "backends: each store's engine, and a connection test"),
    ("t", "tuning: move the ranking's numbers and watch ranks"),
    ("l", "the audit log: filter, follow, verify"),
    ("p", "paths: where everything lies"),
    ("/", "ask: try a query"),
    ("r", "look at the stores again now"),
    ("?", "this help"),
    ("q, ctrl+q", "quit"),
    ("tab, shift+tab", "to the next part of the screen, and back"),
    ("↑ ↓ home end", "move the cursor; page up and page down too"),
)
THEME = Theme(
    name="mmind",
    primary="#7fb4d0",
    foreground="#d7dadf",
    background="#15181d",
    surface="#15181d",
    panel="#20252c",
    variables={"border": "#3a424d", "input-cursor-background": "#7fb4d0"},
)


class Dashboard(App[None]):
    """Everything in a terminal. Nothing that may wait runs on the thread that draws."""

    CSS_PATH = "dashboard.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "mmind"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "retreat", "back to the stores"),
        # At once, before the next key is looked at: what is typed right after "/" belongs into the line.
        *(Binding(key, f"go('{name}')", name, priority=True) for name, (key, _) in PLACES.items() if key != "escape"),
        Binding("r", "look", "look at the stores again now"),
        Binding("question_mark", "help", "all keys"),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.last_query = ""
        self._said = Text()
        self._is_looking = self._is_look_due = False
        self._is_beating = False
        if self.no_color:
            self._filters = [NoColor()]

    def compose(self) -> ComposeResult:
        """The places above, the present one, what is in force, the present keys."""
        yield Static(id="tabs")
        with ContentSwitcher(initial="stores", id="places"):
            yield StoresPanel(id="stores")
            yield KnobsPanel(ACCESS, id="access")
            yield EnginesPanel(id="engines")
            yield TuningPanel(id="tuning")
            yield AuditPanel(id="audit")
            yield KnobsPanel(PATHS, id="paths")
            yield AskPanel(id="ask")
        yield Static(id="status")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Begin to look at things."""
        self.register_theme(THEME)
        self.theme = THEME.name
        self.action_go("stores")
        self.look(is_recorded=True)
        self.set_interval(PULSE_SECONDS, lambda: self.aside(self._beat))
        self.set_interval(STORES_SECONDS, lambda: self.look(is_recorded=False))

    @property
    def defect(self) -> Exception | None:
        """What ended the program, if it was not the user."""
        return self._exception

    @property
    def place(self) -> Panel:
        """The panel in front."""
        current = self.query_one("#places", ContentSwitcher).visible_content
        assert isinstance(current, Panel)
        return current

    def action_go(self, name: str) -> None:
        """Bring a panel to the front; what was said of the one before is no news there."""
        places = self.query_one("#places", ContentSwitcher)
        if places.current != name:
            self._said = Text()
        places.current = name
        self.place.entered()
        self._draw_frame()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the framework's
        """No key leads away from a line that is typed in, nor from a page that lies above all."""
        is_elsewhere = len(self.screen_stack) > 1 or isinstance(self.focused, Input)
        return not (action == "go" and is_elsewhere)

    def action_retreat(self) -> None:
        """Out of a line that is typed in; else to the first screen."""
        leave = getattr(self.place, "leave_line", None)
        if leave is None or not leave():
            self.action_go("stores")

    def action_look(self) -> None:
        """Ask the stores now."""
        self.look(is_recorded=True)

    def look(self, *, is_recorded: bool) -> None:
        """Ask every store how it is, aside; the log gets a record where the user asked for it.

        While the stores are still being asked, one further look that is to be recorded waits for its turn.
        """
        if not self._is_looking:
            self._is_looking = True
            self.aside(self._look, is_recorded)
        elif is_recorded:
            self._is_look_due = True

    def action_help(self) -> None:
        """Every key."""
        panels = ((words, self.query_one(f"#{name}", Panel)) for name, (_, words) in PLACES.items())
        sections = [(words, panel.all_keys or panel.keys) for words, panel in panels]
        self.push_screen(Help([("everywhere", EVERYWHERE), *sections]))

    def attempt(self, change: Callable[[], None]) -> None:
        """Do what may be refused; the refusal is told at the foot."""
        try:
            change()
        except MmindError as error:
            self.tell(str(error), is_bad=True)

    def aside(self, work: Callable[..., None], *arguments: object) -> None:
        """Do what may wait, on a thread that cannot keep the program from ending: not the framework's workers, which
        a store that hangs would keep waiting at the end."""
        threading.Thread(target=self._aside, args=(work, *arguments), name="mmind-aside", daemon=True).start()

    def _aside(self, work: Callable[..., None], *arguments: object) -> None:
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001 - a defect ends the program as one on the drawing thread does
            self.hand_over(self._handle_exception, error)

    def hand_over(self, then: Callable[..., None], *arguments: object) -> None:
        """From a thread that waited: go on, on the thread that draws. Nothing happens once the program is leaving."""
        with contextlib.suppress(RuntimeError):  # its loop has ended meanwhile
            self.call_later(self._if_here, partial(then, *arguments))

    def _if_here(self, then: Callable[[], None]) -> None:
        if self.is_running and self.query("#tabs"):
            then()

    def undo(self) -> None:
        """Take the last save back, and say what is in force again."""
        knobs = self.session.undo()
        now = ", ".join(f"{knob.key} = {self.session.value(knob) or 'unset'}" for knob in knobs)
        self.tell(f"undone: {now}" if knobs else "nothing was saved here yet, so there is nothing to undo")

    def tell(self, what: str, *, is_bad: bool = False) -> None:
        """Say what has just happened; it stays until the next thing happens, or another panel comes."""
        self._said = Text(one_line(self.session.shortened(what)), BAD if is_bad else "bold")
        self._draw_frame()

    def _fatal_error(self) -> None:
        """A defect ends the program without the framework's trace, which would print variables, secrets among them."""
        self.bell()
        self._close_messages_no_wait()

    def _draw_frame(self) -> None:
        current = self.query_one("#places", ContentSwitcher).current
        self.query_one("#tabs", Static).update(_tabs(current or "", self.size.width))
        self.query_one("#status", Static).update(self._status())
        self.query_one("#keys", Static).update(_keys(self.place.keys))

    def _status(self) -> Text:
        """What was done last, then who has it in force."""
        said = Text().append_text(self._said)
        if said:
            said.append(" · ", QUIET)
        return said.append_text(servers.sentence(self.session.pulse))

    def _beat(self) -> None:
        if self._is_beating:
            return
        self._is_beating = True
        try:
            self.session.look()
            self.hand_over(self._beaten)
        finally:
            self._is_beating = False

    def _beaten(self) -> None:
        self.place.pulsed()
        self._draw_frame()

    def _look(self, is_recorded: bool) -> None:
        try:
            status = self.session.mind().sources(is_recorded=is_recorded)
            self.hand_over(self._looked, status if is_recorded else self._as_known(status), "")
        except MmindError as error:
            self.hand_over(self._looked, None, str(error))

    def _as_known(self, status: Status) -> Status:
        """A look that was not recorded cannot tell whether the log can be written: the last word on that stands."""
        known = self.query_one(StoresPanel).status
        return replace(status, audit_fault=known.audit_fault) if known else status

    def _looked(self, status: Status | None, fault: str) -> None:
        self._is_looking = False
        self.query_one(StoresPanel).told(status, fault)
        if self._is_look_due:
            self._is_look_due = False
            self.look(is_recorded=True)


def _tabs(current: str, width: int) -> Text:
    """Where one can go; on a narrow screen only the present place has its name, and the others their keys."""
    line = Text().append(" mmind", "bold")
    for name, (_, words) in PLACES.items():
        shown = words if name == current or width >= WIDTH_OF_TABS else words.split()[0]
        line.append(f" {shown} ", "bold reverse" if name == current else "")
    return line.append(" ? help", MAIN)


def _keys(keys: tuple[tuple[str, str], ...]) -> Text:
    line = Text(" ", no_wrap=True, overflow="ellipsis")
    for key, purpose in (*keys, ("q", "quit")):
        line.append(key, f"bold {MAIN}").append(f" {purpose}   ", QUIET)
    return line
