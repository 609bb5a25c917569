"""Settings in rows, saved as they are changed: what the panels for access and paths are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from mmind.config.presence import acts_at_once
from mmind.config.reading import expected
from mmind.config.table import KNOBS, Kind, Knob
from mmind.dashboard.columns import Column, Layout
from mmind.dashboard.panel import Panel
from mmind.dashboard.prompt import Prompt
from mmind.dashboard.rows import Rows
from mmind.dashboard.stores_panel import places
from mmind.dashboard.tints import GOOD, QUIET, WARN
from mmind.text.plain import one_line

if TYPE_CHECKING:
    from textual.app import ComposeResult

COLUMNS = (
    Column(title="  setting", width=20),
    Column(title="value", width=22, grows=True),
    Column(title="from", width=27, worth=8),
)
ORIGINS = {"default": "default", "file": "saved file"}
KEEPS_AT_ONCE = "servers that run take it up at once"
KEEPS_LATER = "servers take it up at their next start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a panel of settings is about: which settings, a sentence on them, and the keys that it tells."""

    is_of: Callable[[Knob], bool]
    introduction: str
    keys: tuple[tuple[str, str], ...]


class KnobsPanel(Panel):
    """The settings of some sections of the table. Enter changes the one under the cursor, and it is saved at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "change", "change it", show=False),
        Binding("d", "default", "back to the default"),
        Binding("u", "undo", "undo the last save"),
    ]

    def __init__(self, subject: Subject, *, id: str) -> None:
        super().__init__(id=id)
        self.subject = subject
        self.keys = subject.keys

    def compose(self) -> ComposeResult:
        """Titles, rows, and what the one under the cursor means."""
        yield Static(Text(self.subject.introduction, QUIET), classes="introduction")
        yield Static(id=f"{self.id}-head", classes="head")
        yield Rows(id=f"{self.id}-rows")
        with VerticalScroll(id=f"{self.id}-details"):
            yield Static(id=f"{self.id}-detail")

    @property
    def knobs(self) -> Sequence[Knob]:
        """The settings of the panel, in the order of the table."""
        return [knob for knob in KNOBS if self.subject.is_of(knob) and not knob.secret]

    @property
    def chosen(self) -> Knob:
        """The setting under the cursor."""
        return self.knobs[min(self.query_one(Rows).cursor, len(self.knobs) - 1)]

    def pulsed(self) -> None:
        """Somebody else may have saved something."""
        self.draw()

    def on_option_list_option_highlighted(self) -> None:
        """Another row: what it means."""
        self.write(f"{self.id}-detail", self._detail())

    def on_option_list_option_selected(self) -> None:
        """Enter."""
        self.action_change()

    def draw(self) -> None:
        """Rows at the present width, then what the one under the cursor means."""
        self.write_rows(f"{self.id}-head", COLUMNS, lambda layout: [self._row(knob, layout) for knob in self.knobs])
        self.write(f"{self.id}-detail", self._detail())

    def action_change(self) -> None:
        """Throw a switch, take the other mode, or ask for a line."""
        knob = self.chosen
        if variable := self.session.pinned_by(knob):
            self.dashboard.tell(f"{knob.key} is pinned: {variable} decides", is_bad=True)
        elif following := following_value(knob, self.session.value(knob)):
            self.save(lambda: self._keep(knob, following))
        else:
            self.app.push_screen(Prompt(knob.key, expected(knob), self.session.value(knob), self._accept))

    def action_default(self) -> None:
        """Take the setting out of the saved file."""
        self.save(lambda: self._keep(self.chosen, None))

    def action_undo(self) -> None:
        """Take the last save back, whichever setting it concerned."""
        self.save(self.dashboard.undo)

    def _accept(self, text: str) -> None:
        """A line from the prompt; an empty one means the default."""
        self._keep(self.chosen, text.strip() or None)
        self.draw()

    def _keep(self, knob: Knob, text: str | None) -> None:
        self.session.save({knob: text})
        when = KEEPS_AT_ONCE if acts_at_once(knob) else KEEPS_LATER
        self.dashboard.tell(f"saved {knob.key} = {self.session.value(knob) or 'unset'}; {when}")

    def _row(self, knob: Knob, layout: Layout) -> Text:
        shorten = places(self.session.environ).shorten
        value = one_line(shorten(self.session.value(knob)))
        variable = self.session.pinned_by(knob)
        origin = self.session.settings.origins[knob.name]
        source = Text(f"pinned: {variable}", WARN) if variable else Text(ORIGINS.get(origin, origin), QUIET)
        return layout.row(
            [f"  {knob.key.removeprefix('paths.').removeprefix('access.')}", Text(value or "unset", "bold"), source]
        )

    def _detail(self) -> Text:
        knob = self.chosen
        text = Text.assemble((knob.key, "bold"), "\n", knob.help, "\n")
        text.append(f"takes {expected(knob)}", QUIET)
        if variable := self.session.pinned_by(knob):
            return text.append_text(pinned(variable))
        if not knob.file_key:
            return text.append(f"\nset it with {knob.env} in the environment", WARN)
        text.append(f"\nsaved at once; {KEEPS_AT_ONCE if acts_at_once(knob) else KEEPS_LATER}", GOOD)
        return text.append(f"\nin a terminal: mmind config set {knob.key} VALUE, or {knob.env}", QUIET)


def pinned(variable: str) -> Text:
    """The line that says why a setting cannot be changed here."""
    return Text(f"\npinned by {variable}: it beats the saved file, so it cannot be changed here", WARN)


def following_value(knob: Knob, value: str) -> str:
    """The next value of a setting that has few; "" where a line must be asked for."""
    match knob.kind:
        case Kind.ACCESS:
            return "read" if value == "read/write" else "read/write"
        case Kind.SWITCH:
            return "off" if value == "on" else "on"
        case Kind.CHOICE:
            return knob.choices[(knob.choices.index(value) + 1) % len(knob.choices)]
        case _:
            return ""


ACCESS = Subject(
    is_of=lambda knob: knob.section == "Access",
    introduction="What agents may do with each store. Every write passes this check, and every refusal is logged.",
    keys=(("enter", "read ⇄ read/write"), ("d", "default"), ("u", "undo")),
)
PATHS = Subject(
    is_of=lambda knob: knob.section not in ("Access", "Ranking") and not knob.name.startswith("backend_"),
    introduction="Where everything lies, and what no other place shows. The vault is never written.",
    keys=(("enter", "change"), ("d", "default"), ("u", "undo"), ("tab", "scroll the details")),
)
