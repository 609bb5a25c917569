"""The tuning workbench: move a number of the ranking and watch what it does to your own question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Static

from mmind.config.reading import expected, read, written
from mmind.config.table import Kind, Knob
from mmind.dashboard.columns import fitted
from mmind.dashboard.draft import RANKING_KNOBS, Draft, Table, differences, stepped, table_of
from mmind.dashboard.evaluation import Evaluation, checkout
from mmind.dashboard.evaluation_screen import EvaluationScreen
from mmind.dashboard.factors import factor_lines
from mmind.dashboard.movement import Move, conflict_moves, moves
from mmind.dashboard.panel import Panel
from mmind.dashboard.prompt import Prompt
from mmind.dashboard.rows import Rows
from mmind.dashboard.tints import BAD, QUIET, WARN
from mmind.dashboard.tuning_rows import KNOB_COLUMNS, RESULT_COLUMNS, conflict_line, knob_row, meaning, result_row
from mmind.text.bars import age_axis
from mmind.text.plain import counted, one_line
from mmind.values.bundle import Bundle
from mmind.values.errors import MmindError
from mmind.values.ports import Rules

if TYPE_CHECKING:
    from textual.app import ComposeResult

ASKED_RESULTS = 20
"""So many results are compared: what falls off the page must be seen falling."""


class TuningPanel(Panel):
    """The ranking table left, the answer under it right: ranks and scores as saved and as edited."""

    all_keys = (
        ("f", "type a question"),
        ("← →", "less, more of the number under the cursor"),
        ("[ ]", "a fifth of that"),
        ("enter", "type the number; throw the switch"),
        ("d", "this number's default"),
        ("D", "every default"),
        ("u", "undo a step of the draft, then the last save"),
        ("s", "save all that differs, at once"),
        ("e", "evaluate: which labelled cases would get worse"),
        ("tab", "to the results: their factors are drawn below"),
    )
    keys = (
        ("f", "ask"),
        ("← →", "move"),
        ("s", "save"),
        ("u", "undo"),
        ("d", "default"),
        ("D", "all"),
        ("e", "eval"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "question", "type a question", priority=True),
        Binding("right", "move(1)", "more", show=False),
        Binding("left", "move(-1)", "less", show=False),
        Binding("right_square_bracket", "move_finely(1)", "a little more", show=False),
        Binding("left_square_bracket", "move_finely(-1)", "a little less", show=False),
        Binding("s", "save", "save the edited table"),
        Binding("u", "undo", "undo a step, then the last save"),
        Binding("d", "default", "this number's default"),
        Binding("D", "all_defaults", "every default"),
        Binding("e", "evaluate", "grade the labelled cases before saving"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.saved_answer: Bundle | None = None
        self.edited_answer: Bundle | None = None
        self._answers: Callable[[Rules], Bundle] | None = None
        self._news = Text()
        self._query = ""

    def compose(self) -> ComposeResult:
        """The question, the table with what its numbers mean, the answer with what its scores are made of."""
        yield Input(placeholder="a question to tune with, for example: when is the rent due", id="tuning-line")
        yield Static(id="tuning-state")
        with Horizontal():
            with Vertical(id="tuning-left"):
                yield Rows(id="tuning-knobs")
                yield Static(id="tuning-axis")
                with VerticalScroll(id="tuning-meanings", can_focus=False):
                    yield Static(id="tuning-meaning")
            with Vertical(id="tuning-right"):
                yield Static(id="tuning-head", classes="head")
                yield Rows(id="tuning-results")
                with VerticalScroll(id="tuning-details"):
                    yield Static(id="tuning-detail")

    def on_mount(self) -> None:
        """The draft starts as what is saved."""
        self.draft = Draft(table_of(self.session.settings))

    @property
    def knobs(self) -> Rows:
        """The list of numbers."""
        return self.query_one("#tuning-knobs", Rows)

    @property
    def chosen(self) -> Knob:
        """The number under the cursor."""
        return RANKING_KNOBS[min(self.knobs.cursor, len(RANKING_KNOBS) - 1)]

    def entered(self) -> None:
        """With what was asked last; without a question the line takes the keys."""
        self.pulsed()
        query = self.dashboard.last_query
        if query and query != self._query:
            self.query_one(Input).value = query
            self.ask(query)
        self.take_keys(self.knobs if query else self.query_one(Input))

    def pulsed(self) -> None:
        """The saved table may be another one: by this panel, by a command, by hand."""
        saved = table_of(self.session.settings)
        if saved != self.draft.saved:
            self.draft.rebase(saved)
            self._rank_anew()
        self.draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: ask, and go to the numbers."""
        if event.value.strip():
            self.ask(event.value)
            self.take_keys(self.knobs)

    def leave_line(self) -> bool:
        """Escape in the line goes to the numbers."""
        if not self.query_one(Input).has_focus:
            return False
        self.take_keys(self.knobs)
        return True

    def on_descendant_focus(self) -> None:
        """Where the keys go decides what is said of them."""
        self._draw_texts()

    def ask(self, query: str) -> None:
        """Ask every store once; after that only numbers move."""
        self._query = self.dashboard.last_query = query
        self.saved_answer = self.edited_answer = self._answers = None
        self._news = Text("asking every store …", WARN)
        self.draw()
        self.dashboard.aside(self._ask, query)

    def on_option_list_option_highlighted(self) -> None:
        """Another number or another result."""
        self._draw_texts()

    def on_option_list_option_selected(self, event: Rows.OptionSelected) -> None:
        """Enter on a number: type it, or throw the switch."""
        if event.option_list is not self.knobs:
            return
        knob = self.chosen
        if knob.kind is Kind.SWITCH or self.session.pinned_by(knob):
            self.action_move(1)
        else:
            self.app.push_screen(Prompt(knob.key, expected(knob), written(self.draft.edited.value(knob)), self._typed))

    def action_question(self) -> None:
        """Type another question."""
        self.take_keys(self.query_one(Input))

    def action_move(self, steps: int) -> None:
        """Move the number under the cursor."""
        self._change(lambda knob, value: stepped(knob, value, steps))

    def action_move_finely(self, steps: int) -> None:
        """Move it by a fifth of a step."""
        self._change(lambda knob, value: stepped(knob, value, steps, is_fine=True))

    def action_default(self) -> None:
        """The default of the number under the cursor."""
        self._change(lambda knob, _: read(knob, knob.default, knob.key))  # type: ignore[arg-type,return-value] # numbers and a switch

    def action_all_defaults(self) -> None:
        """Every default, but for what is pinned; one step for undo."""
        table = self.draft.edited
        for knob in RANKING_KNOBS:
            if not self.session.pinned_by(knob):
                table = table.with_value(knob, knob.default)  # type: ignore[arg-type] # numbers and a switch
        self._go_on_with(table)

    def action_undo(self) -> None:
        """Take a step of the draft back; when there is none, the last save."""
        if self.draft.undo():
            self._rank_anew()
            self.draw()
        else:
            self.save(self.dashboard.undo)
            self.pulsed()

    def action_save(self) -> None:
        """Keep the edited table, all of it at once."""
        changes = differences(self.draft.saved, self.draft.edited)
        if not changes:
            self.dashboard.tell("nothing to save: the table is as it was saved")
            return
        self.save(lambda: self._save(changes))

    def action_evaluate(self) -> None:
        """Grade the labelled cases with the edited table beside the saved one."""
        if checkout() is None:
            self.dashboard.tell(f"no evaluation here: {Evaluation.NEEDS}", is_bad=True)
        elif not self.draft.is_changed:
            self.dashboard.tell("nothing to evaluate: the table is as it was saved")
        else:
            evaluation = Evaluation(self.draft.saved, self.draft.edited, self.session.environ)
            self.app.push_screen(EvaluationScreen(evaluation))

    def draw(self) -> None:
        """Everything at the present size."""
        layout = fitted(KNOB_COLUMNS, self.knobs.size.width or 38)
        self.knobs.show([knob_row(knob, self.draft, self.session.pinned_by(knob), layout) for knob in RANKING_KNOBS])
        curves = layout.widths[2]
        axis = Text("age ".rjust(max(0, self.knobs.size.width - curves)), QUIET)
        self.write("tuning-axis", axis.append(age_axis(curves)))
        results = self.query_one("#tuning-results", Rows)
        width = results.size.width - 1 or 40
        shown = fitted(RESULT_COLUMNS, width)
        self.write("tuning-head", shown.heading() if self._moves else Text())
        results.show([result_row(move, shown) for move in self._moves])
        self._draw_texts()

    @property
    def _moves(self) -> list[Move]:
        if self.saved_answer is None or self.edited_answer is None:
            return []
        return moves(self.saved_answer, self.edited_answer)

    def _draw_texts(self) -> None:
        self.write("tuning-state", self._state())
        self.write("tuning-meaning", meaning(self.chosen, self.session.pinned_by(self.chosen)))
        self.write("tuning-detail", Text("\n").join(self._detail()))

    def _typed(self, text: str) -> None:
        value = read(self.chosen, text, self.chosen.key)
        self._go_on_with(self.draft.edited.with_value(self.chosen, value))  # type: ignore[arg-type] # numbers only

    def _change(self, change: Callable[[Knob, float | bool], float | bool]) -> None:
        knob = self.chosen
        if variable := self.session.pinned_by(knob):
            self.dashboard.tell(f"{knob.key} is pinned: {variable} decides", is_bad=True)
            return
        table = self.draft.edited
        self._go_on_with(table.with_value(knob, change(knob, table.value(knob))))

    def _go_on_with(self, table: Table) -> None:
        self.draft.change(table)
        self._rank_anew()
        self.draw()

    def _save(self, changes: dict[Knob, str]) -> None:
        self.session.save(changes)
        self.pulsed()
        kept = ", ".join(f"{knob.key} = {text}" for knob, text in changes.items())
        self.dashboard.tell(f"saved {kept}")

    def _ask(self, query: str) -> None:
        try:
            answers = self.session.mind().rehearse(query, limit=ASKED_RESULTS)
            self.dashboard.hand_over(self._asked, query, answers, "")
        except MmindError as error:
            self.dashboard.hand_over(self._asked, query, None, str(error))

    def _asked(self, query: str, answers: Callable[[Rules], Bundle] | None, fault: str) -> None:
        if query != self._query:
            return
        self._answers = answers
        self._news = Text(one_line(fault), BAD)
        self._rank_anew()
        self.draw()

    def _rank_anew(self) -> None:
        if self._answers is not None:
            self.dashboard.aside(self._rank, self._answers, self.draft.saved, self.draft.edited)

    def _rank(self, answers: Callable[[Rules], Bundle], saved: Table, edited: Table) -> None:
        try:
            rules = self.session.mind().rules()
            before = answers(saved.rules(rules))
            after = before if edited == saved else answers(edited.rules(rules))
        except MmindError as error:
            self.dashboard.hand_over(self._asked, self._query, None, str(error))
            return
        self.dashboard.hand_over(self._ranked, answers, (saved, edited), (before, after))

    def _ranked(
        self, answers: Callable[[Rules], Bundle], tables: tuple[Table, Table], bundles: tuple[Bundle, Bundle]
    ) -> None:
        """Take the answers, unless the numbers moved on meanwhile."""
        if answers is self._answers and tables == (self.draft.saved, self.draft.edited):
            self.saved_answer, self.edited_answer = bundles
            self._news = Text()
            self.draw()

    def _state(self) -> Text:
        if self._news:
            return self._news
        changed = differences(self.draft.saved, self.draft.edited)
        if not changed:
            return Text("the table as it is saved; ← → move the number under the cursor", QUIET)
        text = Text().append(
            f"draft: {counted(len(changed), 'number differs', 'numbers differ')} from what is saved", WARN
        )
        return text.append(" · s saves, u undoes, e evaluates", QUIET)

    def _detail(self) -> Iterator[Text]:
        """Conflicts that come and go, then the factors of the result under the cursor."""
        if self.saved_answer is None or self.edited_answer is None:
            if not self._query:
                is_typing = self.query_one(Input).has_focus
                how = "Type a question, then enter" if is_typing else "Press f and type a question"
                yield Text(f"{how}. Its answer appears here, and moves as you move the numbers.", QUIET)
            return
        if not self._moves:
            yield Text("no store holds anything like it", WARN)
            return
        yield from (
            conflict_line(one, self.edited_answer) for one in conflict_moves(self.saved_answer, self.edited_answer)
        )
        results = self.query_one("#tuning-results", Rows)
        move = self._moves[min(results.cursor, len(self._moves) - 1)]
        yield Text(f"#{move.shown.rank} {one_line(move.shown.title) or one_line(move.shown.text)}", "bold")
        yield from factor_lines(move.shown, self.query_one("#tuning-detail").size.width or 40, move.saved)
