"""The lines of the tuning workbench: a number of the ranking, a result as it moves, a conflict that comes or goes."""

from __future__ import annotations

from rich.text import Text

from mmind.config.reading import expected, written
from mmind.config.table import Kind, Knob
from mmind.dashboard.columns import Column, Layout
from mmind.dashboard.draft import Draft, Table
from mmind.dashboard.factors import small_bars
from mmind.dashboard.movement import ConflictMove, Move
from mmind.dashboard.tints import BAD, GOOD, MAIN, QUIET, WARN
from mmind.text.bars import bar, decay_curve
from mmind.text.plain import one_line
from mmind.values.bundle import Bundle

SHORT = {
    "corroboration_boost": "agreement boost",
    "duplicate_threshold": "dupl. threshold",
    "conflict_detection": "conflicts",
}
KNOB_COLUMNS = (
    Column(title="", width=16),
    Column(title="value", width=10),
    Column(title="", width=8, grows=True),
)
RESULT_COLUMNS = (
    Column(title="rank", width=8),
    Column(title="score", width=13),
    Column(title="relev. rec. rest", width=17, worth=4),
    Column(title="store", width=8, worth=5),
    Column(title="memory", width=12, grows=True),
)


def knob_row(knob: Knob, draft: Draft, pin: str, layout: Layout) -> Text:
    """Name, value and picture of a number; `pin` is the variable that decides it, or "". A star marks what differs."""
    value, saved = draft.edited.value(knob), draft.saved.value(knob)
    is_moved = written(value) != written(saved)
    text = Text(written(value), "bold")
    if pin:
        text = Text(f"pinned {written(value)}", WARN)
    elif is_moved:
        text = Text.assemble((f"{written(saved)}→", QUIET), (written(value), f"bold {WARN}"))
    return layout.row(
        [f"{'*' if is_moved else ' '}{label(knob)}", text, _picture(knob, draft.edited, layout.widths[2])]
    )


def _picture(knob: Knob, table: Table, width: int) -> Text:
    """A half-life as the curve by which it fades; another number as a bar over its range."""
    if knob.name.startswith("half_life_"):
        return Text(decay_curve(float(table.value(knob)), table.ranking.recency_floor, width), MAIN)
    if knob.kind is Kind.SWITCH:
        return Text()
    return Text(bar((table.value(knob) - knob.minimum) / (knob.maximum - knob.minimum), width), QUIET)


def meaning(knob: Knob, pin: str) -> Text:
    """What a number is for, what it may be, and what pins it."""
    text = Text.assemble((knob.key, "bold"), "\n")
    if pin:
        text.append(f"pinned by {pin}\n", WARN)
    return text.append(f"{knob.help}\n").append(f"{expected(knob)}; default {written(knob.default)}", QUIET)


def label(knob: Knob) -> str:
    """The name of a number as the narrow column shows it; the full one stands in its explanation."""
    if knob.name.startswith("half_life_"):
        return f"{knob.name.removeprefix('half_life_')} days"
    return SHORT.get(knob.name, knob.name.replace("_", " "))


def result_row(move: Move, layout: Layout) -> Text:
    """A result where it stands as edited, and how far it went."""
    result = move.shown
    return layout.row(
        [
            _ranks(move),
            _scores(move),
            small_bars(result),
            result.evidence[0].store,
            Text(one_line(result.title) or one_line(result.text), QUIET if result.weak else ""),
        ]
    )


def _ranks(move: Move) -> Text:
    """`3→1 ▲`, `2`, `new`, `out`."""
    if move.saved is None:
        return Text(f"{move.shown.rank} new", GOOD)
    if move.edited is None:
        return Text(f"{move.saved.rank} out", BAD)
    if not move.climbed:
        return Text(f"{move.edited.rank}")
    sign, style = ("▲", GOOD) if move.climbed > 0 else ("▼", BAD)
    return Text(f"{move.saved.rank}→{move.edited.rank} {sign}", style)


def _scores(move: Move) -> Text:
    if move.saved and move.edited and abs(move.saved.score.value - move.edited.score.value) >= 0.0005:
        return Text.assemble((f"{move.saved.score.value:.3f}→", QUIET), (f"{move.edited.score.value:.3f}", "bold"))
    return Text(f"{move.shown.score.value:.3f}")


def conflict_line(one: ConflictMove, bundle: Bundle) -> Text:
    """A conflict that is there, is new, or is gone; by the ranks of its two results in `bundle`."""
    ranks = {result.id: f"#{result.rank}" for result in bundle.results}
    left, right = (ranks.get(handle, one_line(handle)) for handle in one.conflict.ids)
    values = " or ".join(one_line(value) for value in dict.fromkeys(one.conflict.values) if value)
    what = f"{left} against {right} ({one.conflict.kind}{': ' + values if values else ''})"
    if not one.in_edited:
        return Text(f"conflict gone: {what}", GOOD)
    return Text(f"{'≠' if one.in_saved else '≠ new conflict:'} {what}", BAD)
