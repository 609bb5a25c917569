from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rich.text import Text

from mmind.config.presence import InForce, RunningServer, in_force
from mmind.config.settings import load
from mmind.config.table import KNOB_BY_NAME
from mmind.dashboard.columns import Column, fitted
from mmind.dashboard.draft import RANKING_KNOBS, Draft, as_variables, differences, stepped, table_of
from mmind.dashboard.movement import conflict_moves, moves
from mmind.dashboard.servers import sentence
from mmind.dashboard.session import Pulse
from mmind.text.bars import age_axis, ages, bar, curve, decay_curve
from mmind.values.bundle import Bundle, Conflict, Evidence, Factor, Result, Score
from mmind.values.memory import Trust

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SETTINGS = load({"HOME": "/nowhere"}, None)
FLOOR, FILES = KNOB_BY_NAME["recency_floor"], KNOB_BY_NAME["half_life_files"]


@pytest.mark.parametrize(
    ("share", "drawn"),
    [(0.0, "    "), (1.0, "████"), (0.5, "██  "), (0.25 / 8, "▏   "), (-1.0, "    "), (7.0, "████"), (0.9, "███▋")],
)
def test_a_bar_is_exact_to_an_eighth_of_a_cell_and_always_as_wide(share: float, drawn: str) -> None:
    assert bar(share, 4) == drawn


def test_a_curve_falls_from_full_to_the_floor() -> None:
    drawn = decay_curve(7, 0.4, 20)
    assert len(drawn) == 20
    assert list(drawn) == sorted(drawn, reverse=True)
    assert drawn[0] == "▇"
    assert drawn[-1] == curve([0.4])
    assert decay_curve(100_000, 0.0, 5) == "█████"


def test_the_axis_has_its_ends_and_fits() -> None:
    assert age_axis(23) == "1d       1m     1y  10y"
    assert age_axis(8) == "1d   10y"
    assert age_axis(3) == ""
    assert [round(age) for age in ages(3)] == [1, 60, 3650]


def test_columns_leave_by_their_worth_and_what_is_left_over_is_shared_out() -> None:
    columns = [Column(title="a", width=4, grows=True), Column(title="b", width=4, worth=1), Column(title="c", width=4)]
    assert fitted(columns, 20).widths == (8, 4, 4)
    assert fitted(columns, 12).widths == (6, 0, 4)
    assert fitted(columns, 3).widths[1] == 0
    row = fitted(columns, 20).row(["abcdefghij", Text("味噌汁"), "z"])
    assert row.plain == "abcdefg…  味… z   ".replace("味… ", "味…   ") or row.cell_len == 20
    assert row.cell_len == 20


def test_steps_stay_in_range_and_half_lives_move_by_a_quarter() -> None:
    assert stepped(FLOOR, 0.98, 1) == 1
    assert stepped(FLOOR, 0.4, -1) == 0.35
    assert stepped(FLOOR, 0.4, 1, is_fine=True) == 0.41
    assert stepped(FILES, 730.0, 1) == 912
    assert stepped(FILES, 0.01, -1) == 0.01
    assert stepped(KNOB_BY_NAME["conflict_detection"], value=True, steps=1) is False


def test_a_draft_undoes_steps_and_follows_what_others_save() -> None:
    saved = table_of(SETTINGS)
    draft = Draft(saved)
    draft.change(saved.with_value(FLOOR, 0.5))
    draft.change(draft.edited.with_value(FILES, 10.0))
    assert differences(draft.saved, draft.edited) == {FLOOR: "0.5", FILES: "10"}
    draft.rebase(saved.with_value(FILES, 99.0).with_value(KNOB_BY_NAME["trust_curated"], 2.0))
    assert draft.edited.half_life_days["files"] == 10
    assert draft.edited.ranking.trust_curated == 2
    assert draft.undo()
    assert draft.undo()
    assert not draft.undo()


def test_a_table_as_variables_is_the_same_table_again() -> None:
    edited = table_of(SETTINGS).with_value(FLOOR, 0.55).with_value(FILES, 12.5)
    variables = as_variables(edited)
    assert len(variables) == len(RANKING_KNOBS)
    assert table_of(load({"HOME": "/nowhere", **variables}, None)) == edited


def result(rank: int, handle: str, score: float = 0.5) -> Result:
    place = Evidence(
        store="sqlite",
        engine="sqlite",
        id=handle,
        path="",
        heading=(),
        line_start=1,
        line_end=1,
        time=None,
        time_kind="",
        trust=Trust.CURATED,
        writer="",
    )
    return Result(
        rank=rank,
        id=handle,
        title=handle,
        text="",
        tags=(),
        score=Score((Factor("relevance", score, ""),)),
        confidence=1.0,
        weak=False,
        cut=False,
        evidence=(place,),
    )


def bundle(*handles: str, conflicts: tuple[Conflict, ...] = ()) -> Bundle:
    return Bundle(
        query="q",
        results=tuple(result(rank, handle) for rank, handle in enumerate(handles, 1)),
        conflicts=conflicts,
        faults=(),
        notes=(),
        searched=(),
        relevant=True,
        omitted=0,
        now=NOON,
        elapsed_ms=0,
    )


def test_moves_pair_results_and_name_what_came_and_what_fell_out() -> None:
    found = moves(bundle("a", "b", "c"), bundle("b", "a", "d"))
    assert [(one.shown.id, one.climbed) for one in found] == [("b", 1), ("a", -1), ("d", 0), ("c", 0)]
    assert found[2].saved is None
    assert found[3].edited is None


def test_a_result_for_which_another_copy_speaks_is_the_same_result() -> None:
    twins = result(1, "a")
    other = result(2, "b")
    both = Bundle(**{name: getattr(bundle(), name) for name in Bundle.__dataclass_fields__} | {"results": (twins,)})
    joined = result(1, "b")
    object.__setattr__(joined, "evidence", (*other.evidence, *twins.evidence))
    after = Bundle(**{name: getattr(bundle(), name) for name in Bundle.__dataclass_fields__} | {"results": (joined,)})
    assert [(one.saved, one.edited) for one in moves(both, after)] == [(twins, joined)]


def test_conflicts_come_and_go() -> None:
    def conflict(left: str, right: str) -> Conflict:
        return Conflict(
            kind="numeric",
            ids=(left, right),
            sentences=("", ""),
            values=("1", "2"),
            trusted=left,
            reason="",
            confidence=1.0,
        )

    before = bundle("a", "b", "c", conflicts=(conflict("a", "b"), conflict("a", "c")))
    after = bundle("a", "b", "c", conflicts=(conflict("b", "a"), conflict("b", "c")))
    told = [(one.conflict.ids, one.in_saved, one.in_edited) for one in conflict_moves(before, after)]
    assert told == [(("b", "a"), True, True), (("b", "c"), False, True), (("a", "c"), True, False)]


def server(pid: int, stamp: tuple[int, int], **changes: object) -> RunningServer:
    now = in_force(SETTINGS, stamp)
    fields = {name: getattr(now, name) for name in InForce.__dataclass_fields__} | changes
    return RunningServer(pid, NOON, InForce(**fields))  # type: ignore[arg-type] # fields of InForce by name


@pytest.mark.parametrize(
    ("servers", "told"),
    [
        ((), "no server is running"),
        ((server(7, (1, 1)),), "server 7 has this in force"),
        ((server(7, (1, 1)), server(8, (1, 1))), "2 servers (7, 8) have this in force"),
        ((server(7, (1, 1)), server(8, (0, 1))), "server 8 has not taken the last edit up yet"),
        ((server(7, (1, 1), fault="line 3 is wrong"),), "server 7 keeps its old settings: line 3 is wrong"),
        (
            (server(7, (1, 1), pinned=("access_files",), values={"access_files": "read"}),),
            "server 7 keeps access.files at read: MMIND_ACCESS_FILES is set in its environment",
        ),
    ],
)
def test_what_is_said_of_servers(servers: tuple[RunningServer, ...], told: str) -> None:
    assert told in sentence(Pulse(SETTINGS, (1, 1), servers)).plain


def test_one_result_is_told_in_the_singular() -> None:
    from mmind.dashboard.audit_panel import _what

    assert _what({"n_results": 1, "ids": ["sqlite:a"]}) == "1 result: sqlite:a"
    assert _what({"n_results": 0}) == "0 results"
