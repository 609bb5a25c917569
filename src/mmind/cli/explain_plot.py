"""The factors of an answer as a picture, drawn by matplotlib: a row a result, a column a factor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mmind.cli.plain import one_line
from mmind.disk.refusals import reason, way_out
from mmind.stores.drivers import install_hint
from mmind.values.bundle import Bundle, Result
from mmind.values.errors import BadRequest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = (".svg", ".png", ".pdf")
WIDEST = 1.5  # multipliers lie around 1; what is larger is cut and its number says so
SHARE, FACTOR, SCORE, LINE = "#5b9bc4", "#8fb996", "#d08c60", "#888888"
LONGEST_TITLE = 38


def plot_answer(bundle: Bundle, file: Path) -> None:
    """Draw the answer into a file; its ending names the kind. Raises BadRequest on another ending, or no matplotlib."""
    if file.suffix.lower() not in KINDS:
        raise BadRequest(f"{file} has an ending that is not known", f"use one of {', '.join(KINDS)}")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise BadRequest("a plot needs matplotlib, which is not installed", install_hint("plot")) from None
    names = list(dict.fromkeys(factor.name for result in bundle.results for factor in result.score.factors))
    columns = [*names, "score"]
    figure = Figure(figsize=(2.6 + 1.5 * len(columns), 1.0 + 0.45 * max(1, len(bundle.results))), layout="constrained")
    axes = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axis, name in zip(axes, columns, strict=True):
        _column(axis, name, bundle.results)
    axes[0].set_yticks(range(len(bundle.results)), [_label(result) for result in bundle.results])
    axes[0].invert_yaxis()
    figure.suptitle(one_line(bundle.query)[:80], fontsize=11)
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mmind"}):
        try:
            figure.savefig(file, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)
        except OSError as error:
            hint = way_out(error, "name another file")
            raise BadRequest(f"{file} cannot be written: {reason(error)}", hint) from None


def _column(axis: Axes, name: str, results: tuple[Result, ...]) -> None:
    """One factor of every result; a result without it has no bar, which multiplies by 1."""
    colour = SCORE if name == "score" else SHARE if name in ("relevance", "recency") else FACTOR
    for place, result in enumerate(results):
        value = result.score.value if name == "score" else _value(result, name)
        if value is not None:
            axis.barh(place, min(value, WIDEST), color=colour, height=0.6)
            axis.text(min(value, WIDEST) + 0.03, place, f"{value:.3f}", va="center", fontsize=8)
    axis.axvline(1.0, color=LINE, linewidth=0.8, linestyle=":")
    axis.set_xlim(0, WIDEST + 0.4)
    axis.set_xticks([])
    axis.set_title(name.replace("_", " "), fontsize=9)
    axis.spines[["top", "right", "bottom"]].set_visible(False)
    axis.tick_params(axis="y", length=0, labelsize=9)


def _value(result: Result, name: str) -> float | None:
    return next((factor.value for factor in result.score.factors if factor.name == name), None)


def _label(result: Result) -> str:
    title = one_line(result.title or result.id).replace("$", r"\$")
    return f"{result.rank}. {title[: LONGEST_TITLE - 1]}…" if len(title) > LONGEST_TITLE else f"{result.rank}. {title}"
