"""Which engine keeps each store: chosen and saved at once, with a test of the connection first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from mmind.config.table import BACKENDS, KNOB_BY_NAME, Knob
from mmind.dashboard.columns import Column, Layout
from mmind.dashboard.knobs_panel import KEEPS_LATER, pinned
from mmind.dashboard.panel import Panel
from mmind.dashboard.rows import Rows
from mmind.dashboard.stores_panel import places
from mmind.dashboard.tints import BAD, FAULT, GOOD, OFF, QUIET, READY, WARN
from mmind.stores.registry import ENGINES
from mmind.text.plain import counted, one_line
from mmind.values.ports import Health
from mmind.wiring import try_store

if TYPE_CHECKING:
    from textual.app import ComposeResult

TEST_SECONDS = 10.0
INTRODUCTION = "Which engine keeps each store. A server's address is neither shown nor saved."
COLUMNS = (
    Column(title="  store", width=10),
    Column(title="engine", width=12),
    Column(title="server", width=28, worth=8),
    Column(title="connection", width=18, grows=True),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One engine that one store may have."""

    store: str
    knob: Knob
    engine: str

    @property
    def server(self) -> Knob | None:
        """The setting with the address of its server; None for an engine that needs none."""
        row = ENGINES.get(self.engine)
        return KNOB_BY_NAME[f"{row.server}_url"] if row is not None and row.server else None


CHOICES = tuple(
    Choice(store, KNOB_BY_NAME[name], engine)
    for store, name in BACKENDS.items()
    for engine in KNOB_BY_NAME[name].choices
)


class EnginesPanel(Panel):
    """Every engine of every slot; a dot marks the one in use."""

    keys = (("c", "test the connection"), ("enter", "use it"), ("d", "default"), ("u", "undo"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "test", "test the connection of this engine"),
        Binding("d", "default", "back to the default engine"),
        Binding("u", "undo", "undo the last save"),
    ]

    def compose(self) -> ComposeResult:
        """Titles, rows, and what is known of the engine under the cursor."""
        yield Static(Text(INTRODUCTION, QUIET), classes="introduction")
        yield Static(id="engines-head", classes="head")
        yield Rows(id="engines-rows")
        with VerticalScroll(id="engines-details"):
            yield Static(id="engines-detail")

    def on_mount(self) -> None:
        """Nothing is tested yet."""
        self.tested: dict[Choice, Health | None] = {}

    @property
    def chosen(self) -> Choice:
        """The engine under the cursor."""
        return CHOICES[min(self.query_one(Rows).cursor, len(CHOICES) - 1)]

    def pulsed(self) -> None:
        """Somebody else may have saved something."""
        self.draw()

    def on_option_list_option_highlighted(self) -> None:
        """Another row: what is known of it."""
        self.write("engines-detail", self._detail())

    def on_option_list_option_selected(self) -> None:
        """Enter: use this engine from now on."""
        choice = self.chosen
        if not self._is_used(choice):
            self.save(lambda: self._keep(choice.knob, choice.engine))
            self._warn(choice)

    def action_default(self) -> None:
        """Back to the engine that comes with mmind."""
        self.save(lambda: self._keep(self.chosen.knob, None))

    def action_undo(self) -> None:
        """Take the last save back."""
        self.save(self.dashboard.undo)

    def action_test(self) -> None:
        """Open the engine as a server would, and ask how it is; nothing is chosen by it."""
        self.tested[self.chosen] = None
        self.draw()
        self.dashboard.aside(self._test, self.chosen)

    def draw(self) -> None:
        """Rows at the present width, then what is known of the one under the cursor."""
        self.write_rows("engines-head", COLUMNS, lambda layout: [self._row(choice, layout) for choice in CHOICES])
        self.write("engines-detail", self._detail())

    def _test(self, choice: Choice) -> None:
        settings = replace(self.session.settings, **{choice.knob.name: choice.engine})  # type: ignore[arg-type] # the field of a backend is text
        health = try_store(choice.store, settings, TEST_SECONDS)
        self.dashboard.hand_over(self._tested, choice, health)

    def _tested(self, choice: Choice, health: Health) -> None:
        self.tested[choice] = health
        self.draw()

    def _keep(self, knob: Knob, text: str | None) -> None:
        self.session.save({knob: text})
        self.dashboard.tell(f"saved {knob.key} = {self.session.value(knob)}; {KEEPS_LATER}")

    def _warn(self, choice: Choice) -> None:
        """What was saved answers nothing until its server's address is known."""
        if self._is_used(choice) and choice.server is not None and not self.session.value(choice.server):
            lacks = f"{choice.server.env} is not set: set it in the environment, for the servers too"
            self.dashboard.tell(f"saved {choice.knob.key} = {choice.engine}, but {lacks}", is_bad=True)

    def _is_used(self, choice: Choice) -> bool:
        return self.session.value(choice.knob) == choice.engine

    def _row(self, choice: Choice, layout: Layout) -> Text:
        is_first = choice.engine == choice.knob.choices[0]
        mark = Text.assemble((READY, GOOD), " ") if self._is_used(choice) else Text(f"{OFF} ", QUIET)
        return layout.row(
            [
                f"  {choice.store if is_first else ''}",
                mark.append(choice.engine, "bold" if self._is_used(choice) else ""),
                self._server(choice),
                self._connection(choice),
            ]
        )

    def _server(self, choice: Choice) -> Text:
        if choice.server is None:
            return Text("none needed", QUIET)
        is_set = bool(self.session.value(choice.server))
        return Text(f"{choice.server.env} is set") if is_set else Text(f"{choice.server.env} unset", QUIET)

    def _connection(self, choice: Choice) -> Text:
        if choice not in self.tested:
            return Text("not tested", QUIET)
        health = self.tested[choice]
        if health is None:
            return Text("testing …", WARN)
        return Text(f"{READY} works", GOOD) if health.usable else Text(f"{FAULT} {one_line(health.reason)}", BAD)

    def _detail(self) -> Text:
        choice = self.chosen
        text = Text.assemble((f"{choice.engine} for the {choice.store} store", "bold"))
        if variable := self.session.pinned_by(choice.knob):
            text.append_text(pinned(variable))
        elif self._is_used(choice):
            text.append("\nin use", GOOD)
        else:
            text.append(f"\nenter uses it; {KEEPS_LATER}. What the other engine keeps stays there.", QUIET)
        if choice.server is not None and not self.session.value(choice.server):
            text.append(f"\nset {choice.server.env} in the environment first, for the servers too", WARN)
        return text.append_text(self._outcome(choice))

    def _outcome(self, choice: Choice) -> Text:
        """What the last test found."""
        health = self.tested.get(choice)
        if health is None:
            return Text()
        text = Text(f"\n{one_line(places(self.session.environ).shorten(health.where))}" if health.where else "")
        if health.usable:
            count = f", {counted(health.entries, 'memory', 'memories')}" if health.entries >= 0 else ""
            text.append(f"\n{READY} it answers{count}", GOOD)
        else:
            text.append(f"\n{FAULT} {one_line(health.reason)}", BAD)
            text.append(f"\n→ {one_line(health.hint)}" if health.hint else "", WARN)
        return text.append("".join(f"\nnote: {one_line(note)}" for note in health.notes), WARN)
