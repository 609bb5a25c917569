from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from mmind.config.settings import load
from mmind.dashboard import tuning_panel
from mmind.dashboard.draft import as_variables, table_of
from mmind.dashboard.evaluation import CaseGrades, Evaluation
from mmind.dashboard.evaluation_screen import EvaluationScreen
from mmind.dashboard.tuning_panel import TuningPanel
from mmind.values.door import Door
from mmind.values.ranking import Ranking
from mmind.wiring import open_mind
from tests.dashboard.driving import Driver, ask_in_tuning, drive
from tests.dashboard.sample import NOW, Sample, dashboard

QUESTION = "gateway timeout"
USUAL = Ranking().trust_generated


def saved(home: Sample, name: str) -> float | bool:
    value: float | bool = getattr(load(home.environ, None).ranking, name)
    return value


def detail(panel: TuningPanel) -> str:
    return str(panel.query_one("#tuning-detail", Static).content)


def test_without_a_question_the_screen_says_what_the_next_key_does(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t")
        await driver.sees("Type a question, then enter")
        await driver.press("escape")
        await driver.sees("Press f and type a question")
        await driver.press("f")
        await driver.sees("Type a question, then enter")

    drive(dashboard(home), steps, (120, 40))


def test_moving_a_number_moves_ranks_beside_the_saved_ones_and_saving_keeps_it(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        panel = await ask_in_tuning(driver, QUESTION)
        await driver.to_row("trust generated", "tuning-knobs")
        before = panel.edited_answer
        await driver.press(*["left"] * 18)
        await driver.until(lambda: panel.edited_answer is not before)
        await driver.sees("1→0.1", "draft: 1 number differs", "▲", "▼")
        assert saved(home, "trust_generated") == 1.0
        await driver.press("s")
        await driver.sees(f"saved ranking.trust_generated = {USUAL - 0.9:g}", "the table as it is saved")
        assert saved(home, "trust_generated") == pytest.approx(USUAL - 0.9)
        await driver.press("u", "u")

    drive(dashboard(home), steps)


def test_the_answers_are_those_of_retrieve_and_the_stores_are_asked_once(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        panel = await ask_in_tuning(driver, QUESTION)
        await driver.to_row("recency floor", "tuning-knobs")
        before = panel.edited_answer
        await driver.press("right", "right")
        await driver.until(lambda: panel.edited_answer is not before and "0.4→0.5" in driver.text())
        await driver.until(lambda: panel.edited_answer and floor_of(panel) == 0.5)
        variables = {**home.environ, **as_variables(panel.draft.edited)}
        with open_mind(None, variables, Door.USER, lambda: NOW) as mind:
            asked = mind.retrieve(QUESTION, limit=tuning_panel.ASKED_RESULTS, max_tokens=8000)
        assert panel.edited_answer is not None
        assert [(one.id, one.score) for one in panel.edited_answer.results] == [
            (one.id, one.score) for one in asked.results
        ]
        assert panel.edited_answer.conflicts == asked.conflicts

    def floor_of(panel: TuningPanel) -> object:
        assert panel.edited_answer is not None
        return panel.edited_answer.results[0].score.factors[1].inputs["floor"]

    drive(dashboard(home), steps)


def test_steps_are_undone_one_by_one_and_defaults_come_back(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        panel = driver.app.query_one(TuningPanel)
        panel.knobs.focus()
        await driver.to_row("markdown days", "tuning-knobs")
        await driver.press("right", "left_square_bracket")
        assert panel.draft.edited.half_life_days["markdown"] == pytest.approx(1310, abs=5)
        await driver.press("u")
        assert panel.draft.edited.half_life_days["markdown"] == 1370
        await driver.press("right_square_bracket", "d")
        assert panel.draft.edited.half_life_days["markdown"] == 1095
        await driver.press("home", "right", "down", "left", "D")
        assert not panel.draft.is_changed
        await driver.press("u")
        assert panel.draft.edited.ranking.semantic_weight == 0.75
        assert panel.draft.edited.ranking.lexical_weight == 0.25
        await driver.press("s", "D", "s")
        assert saved(home, "semantic_weight") == 0.7

    drive(dashboard(home), steps)


def test_a_conflict_vanishes_when_its_finding_is_switched_off_and_comes_back(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        panel = await ask_in_tuning(driver, "What is the gateway request timeout?")
        await driver.until(lambda: "≠" in detail(panel))
        await driver.to_row("conflicts", "tuning-knobs")
        await driver.press("enter")
        await driver.until(lambda: "conflict gone" in detail(panel))
        await driver.press("right")
        await driver.until(lambda: "conflict gone" not in detail(panel))

    drive(dashboard(home), steps)


def test_a_number_is_typed_and_one_out_of_range_is_refused(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        panel = driver.app.query_one(TuningPanel)
        panel.knobs.focus()
        await driver.press("home", "enter", "ctrl+u")
        await driver.type("7")
        await driver.sees("ranking.semantic_weight is '7'; set it to a number from 0 to 1")
        await driver.press("ctrl+u")
        await driver.type("0.33")
        assert panel.draft.edited.ranking.semantic_weight == 0.33

    drive(dashboard(home), steps)


def test_what_the_environment_pins_is_shown_as_pinned_and_stays(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        panel = driver.app.query_one(TuningPanel)
        panel.knobs.focus()
        await driver.to_row("recency floor", "tuning-knobs")
        await driver.sees("pinned 0.6", "pinned by MMIND_RANK_RECENCY_FLOOR")
        await driver.press("right")
        await driver.sees("ranking.recency_floor is pinned: MMIND_RANK_RECENCY_FLOOR decides")
        await driver.press("D")
        assert panel.draft.edited.ranking.recency_floor == 0.6

    drive(dashboard(home, MMIND_RANK_RECENCY_FLOOR="0.6"), steps)


def test_each_store_s_curve_is_drawn_and_follows_its_half_life(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        driver.app.query_one(TuningPanel).knobs.focus()
        await driver.to_row("leveldb days", "tuning-knobs")

        def curve(store: str) -> str:
            line = next(line for line in driver.text().split("\n") if f"{store} days" in line)
            return "".join(sign for sign in line if sign in "▁▂▃▄▅▆▇█")

        stores = ("markdown", "sqlite", "leveldb", "files", "vector")
        await driver.sees(*(f"{store} days" for store in stores))
        assert all(curve(store) for store in stores)
        before = curve("leveldb")
        await driver.press(*["right"] * 6)
        await driver.until(lambda: curve("leveldb") > before)

    drive(dashboard(home), steps, (80, 24))


def test_the_factors_of_the_result_under_the_cursor_are_drawn_and_multiply_to_its_score(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        panel = await ask_in_tuning(driver, QUESTION)
        first = detail(panel)
        assert "relevance" in first
        assert "█" in first
        await driver.press("tab", "down")
        await driver.until(lambda: detail(panel) != first)
        assert panel.edited_answer is not None
        assert f"{panel.edited_answer.results[1].score.value:.3f}" in detail(panel)

    drive(dashboard(home), steps)


def test_there_is_nothing_to_evaluate_before_something_is_edited(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        driver.app.query_one(TuningPanel).knobs.focus()
        await driver.press("e")
        await driver.sees("nothing to evaluate")
        await driver.press("s")
        await driver.sees("nothing to save")

    drive(dashboard(home), steps)


def test_where_there_are_no_cases_the_key_says_so(home: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning_panel, "checkout", lambda: None)

    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        driver.app.query_one(TuningPanel).knobs.focus()
        await driver.press("right", "e")
        await driver.sees("no evaluation here: the labelled cases are part of a source checkout")

    drive(dashboard(home), steps)


def test_the_cases_that_would_get_worse_are_shown_before_saving(home: Sample) -> None:
    """The real cases of one family, with a table under which agents outrank the user."""

    async def steps(driver: Driver) -> None:
        tables = table_of(driver.app.session.settings)
        edited = tables.with_value(tuning_panel.RANKING_KNOBS[4], 3.0)
        screen = EvaluationScreen(Evaluation(tables, edited, driver.app.session.environ, only="trust/"))
        await driver.app.push_screen(screen)
        await driver.until(lambda: screen.state != "running")
        assert screen.state == "done"
        assert screen.grades.done == screen.grades.total > 5
        assert screen.grades.worse
        await driver.sees("would get worse", "✕ trust/")
        await driver.press("escape")
        assert len(driver.app.screen_stack) == 1

    drive(dashboard(home), steps)


def test_an_evaluation_that_is_left_ends_its_processes(home: Sample) -> None:
    table = table_of(load(home.environ, None))
    evaluation = Evaluation(table, table, home.environ)

    def stop_at_once(case: CaseGrades, done: int, total: int) -> None:
        assert (done, total > 100, bool(case.name)) == (1, True, True) or evaluation.is_stopped
        evaluation.stop()

    evaluation.run(stop_at_once)
    assert evaluation._process is not None
    assert evaluation._process.poll() == 0  # it waits for its workers


def test_an_evaluation_that_is_stopped_before_it_has_begun_grades_next_to_nothing(home: Sample) -> None:
    table = table_of(load(home.environ, None))
    evaluation = Evaluation(table, table, home.environ)
    evaluation.stop()
    graded: list[int] = []
    evaluation.run(lambda _, done, __: graded.append(done))
    assert len(graded) <= 1


def test_an_edit_from_elsewhere_is_followed_and_what_was_edited_here_stays(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t", "escape")
        panel = driver.app.query_one(TuningPanel)
        panel.knobs.focus()
        await driver.press("home", "right")
        with (home.home / "config.toml").open("a") as file:
            file.write("[ranking]\nrecency_floor = 0.5\nsemantic_weight = 0.6\n")
        await driver.until(lambda: panel.draft.saved.ranking.recency_floor == 0.5)
        assert panel.draft.edited.ranking.recency_floor == 0.5
        assert panel.draft.edited.ranking.semantic_weight == 0.75
        assert panel.draft.saved.ranking.semantic_weight == 0.6

    drive(dashboard(home), steps)


def test_no_question_is_a_hint_and_no_error(bare: Sample, tmp_path: Path) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("t")
        await driver.sees("Type a question, then enter")
        await driver.type("anything at all")
        await driver.sees("no store holds anything like it")

    drive(dashboard(bare), steps)
