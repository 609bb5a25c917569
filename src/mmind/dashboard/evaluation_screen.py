"""The grading while it runs: progress, and which cases would get worse before anything is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from mmind.dashboard.evaluation import CaseGrades, Evaluation, Grades
from mmind.dashboard.tints import BAD, GOOD, MAIN, QUIET
from mmind.text.bars import bar
from mmind.text.plain import counted, one_line
from mmind.values.errors import MmindError

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from mmind.dashboard.app import Dashboard


class EvaluationScreen(ModalScreen[None]):
    """Grades the edited table on the labelled cases. Escape stops it, or closes it when it is done."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "stop and close")]

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__()
        self._evaluation = evaluation
        self.grades = Grades()
        self.state = "running"

    def compose(self) -> ComposeResult:
        """Progress above, cases below."""
        with Vertical(id="evaluation"):
            yield Static(id="evaluation-head")
            with VerticalScroll(id="evaluation-cases"):
                yield Static(id="evaluation-list")

    def on_mount(self) -> None:
        """Start."""
        self.query_one("#evaluation-cases").focus()
        self.draw()
        self._dashboard.aside(self._run)

    def action_leave(self) -> None:
        """Stop what runs, and go."""
        self._evaluation.stop()
        self.dismiss()

    @property
    def _dashboard(self) -> Dashboard:
        return cast("Dashboard", self.app)

    def draw(self) -> None:
        """How far it is, and what it found."""
        self.query_one("#evaluation-head", Static).update(self._head())
        self.query_one("#evaluation-list", Static).update(found(self.grades, is_done=self.state == "done"))

    def _run(self) -> None:
        try:
            self._evaluation.run(self._later)
            self._finish("stopped" if self._evaluation.is_stopped else "done")
        except MmindError as error:
            self._finish(str(error))

    def _later(self, case: CaseGrades, done: int, total: int) -> None:
        if not self._evaluation.is_stopped:
            self._dashboard.hand_over(self._add, case, done, total)

    def _add(self, case: CaseGrades, done: int, total: int) -> None:
        self.grades.add(case, done, total)
        self.draw()

    def _finish(self, state: str) -> None:
        if not self._evaluation.is_stopped:
            self._dashboard.hand_over(self._finished, state)

    def _finished(self, state: str) -> None:
        self.state = state
        self.draw()

    def _head(self) -> Text:
        grades = self.grades
        if self.state not in ("running", "done"):
            return Text().append(f"{one_line(self.state)}\n", BAD).append("esc closes this", QUIET)
        share = grades.done / grades.total if grades.total else 0.0
        all_cases = counted(grades.total, "case", "cases") if grades.total else "… cases"
        text = Text().append("The labelled cases with the edited table, beside the saved one\n", "bold")
        text.append(bar(share, 30), MAIN).append(f" {grades.done:,} of {all_cases}\n")
        text.append(f"passed: saved {grades.passed_saved:,}, edited {grades.passed_edited:,}\n")
        return text.append("esc closes this" if self.state == "done" else "esc stops it", QUIET)


def found(grades: Grades, *, is_done: bool) -> Text:
    """Which cases would get worse, and which better."""
    text = Text()
    if is_done and not grades.worse:
        text.append("No case would get worse.\n", GOOD)
    if grades.worse:
        text.append(f"{counted(len(grades.worse), 'case', 'cases')} would get worse:\n", BAD)
    for case in grades.worse:
        text.append(f"  ✕ {case.name}\n").append(f"    {one_line('; '.join(case.edited))}\n", QUIET)
    if grades.better:
        text.append(f"{counted(len(grades.better), 'case', 'cases')} would get better:\n", GOOD)
    for case in grades.better:
        text.append(f"  ● {case.name}\n")
    return text
