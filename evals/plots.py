"""The pictures of the docs, drawn from what was measured: `make plots`, or python -m evals.plots.

Each picture holds a digest of the numbers that it shows; a test compares it with the numbers of today. The same
numbers give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.retrieval.report import RESULTS
from evals.tune import SWEEPS
from mmind.config.rules import rules_of
from mmind.config.settings import load
from mmind.scoring.recency import recency
from mmind.values.ranking import Ranking

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
# Okabe and Ito's colours for all kinds of eyes; text and axes in a grey that shows on white and on black.
BLUE, ORANGE, GREEN, PURPLE, SKY = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9"
GREY = "#848484"
STYLE = {
    "svg.hashsalt": "mmind",
    "svg.fonttype": "none",
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), GREY),
}
SHOWN_KNOBS = {
    "semantic_weight": "weight of meaning (words: 0.3)",
    "recency_floor": "floor of recency",
    "half_lives": "all half-lives, times",
    "trust_curated": "trust of the user's own",
    "trust_generated": "trust of what agents wrote",
    "corroboration_boost": "bonus for a further origin",
    "duplicate_threshold": "overlap of duplicates",
    "WEAK_BELOW": "confidence of a find",
}
RANKINGS = {"BM25": SKY, "vectors": PURPLE, "RRF": GREEN, "blend": ORANGE, "mmind": BLUE}
SERVED = Path(__file__).parent.parent / "bench" / "served.json"
ENGINES = {
    "sqlite": ("default engines", BLUE, "o"),
    "postgres": ("Postgres with pgvector", ORANGE, "s"),
    "mysql": ("MariaDB", GREEN, "^"),
    "redis": ("Redis", PURPLE, "v"),
    "qdrant": ("Qdrant's local mode", SKY, "D"),
}
DAYS = [0.5 * 1.15**step for step in range(66)]  # half a day to twelve years


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its name, what it shows in a sentence, the numbers behind it, and how they are drawn."""

    name: str
    title: str
    numbers: Callable[[], Any]
    draw: Callable[[Any], Figure]

    @property
    def path(self) -> Path:
        """Where it lies."""
        return PICTURES / f"{self.name}.svg"

    def digest(self) -> str:
        """16 hex digits of the numbers of today."""
        return hashlib.sha256(json.dumps(self.numbers(), sort_keys=True).encode()).hexdigest()[:16]

    def is_fresh(self) -> bool:
        """Whether the picture shows the numbers of today."""
        return self.path.exists() and f"numbers {self.digest()}" in self.path.read_text("utf-8")

    def write(self) -> None:
        """Draw it anew."""
        import matplotlib as mpl

        mpl.use("svg")
        with mpl.rc_context(STYLE):
            figure = self.draw(self.numbers())
            described = {
                "Title": self.title,
                "Description": f"numbers {self.digest()}",
                "Date": None,
                "Creator": "mmind",
            }
            PICTURES.mkdir(exist_ok=True)
            figure.savefig(self.path, transparent=True, bbox_inches="tight", metadata=described)
        text = self.path.read_text("utf-8")
        self.path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", "utf-8")


def sweeps() -> dict[str, Any]:
    """Passes of the labelled cases at each value of each knob that is shown."""
    swept = json.loads(SWEEPS.read_text("utf-8"))
    return {name: swept[name] for name in SHOWN_KNOBS}


def half_lives() -> dict[str, float]:
    """Days by store, and the floor."""
    unused_home = str(PICTURES / "no home")  # the defaults, whatever this machine's user has saved
    policies = rules_of(load({"MMIND_HOME": unused_home}, None)).policies
    found = {name: policy.half_life_days for name, policy in policies.items()}
    return {**found, "floor": Ranking().recency_floor}


def retrieval() -> dict[str, dict[str, float]]:
    """nDCG@10 of each ranking on the test half, by collection, and the macro average last."""
    half = json.loads(RESULTS.read_text("utf-8"))["one"]["test"]
    named = {name: collection["rankings"] for name, collection in half["collections"].items()} | {
        "average": half["macro"]
    }
    return {name: {ranking: measured[ranking]["nDCG@10"] for ranking in RANKINGS} for name, measured in named.items()}


def scaling() -> dict[str, dict[str, list[list[float]]]]:
    """Of one retrieve by engine, smallest size first: memories, p50 and p95 in milliseconds on the clock (`clock`);
    memories and mean milliseconds of processor, ours and the server's together (`processor`)."""
    lines = [line for line in json.loads(SERVED.read_text("utf-8")) if line["what"] == "retrieve"]
    lines.sort(key=lambda line: line["memories"])
    named = {engine: [line for line in lines if line["engine"] == engine] for engine in ENGINES}
    return {
        "clock": {engine: [[one["memories"], one["p50"], one["p95"]] for one in of] for engine, of in named.items()},
        "processor": {
            engine: [[one["memories"], one["cpu"] + one["server_cpu"]] for one in of] for engine, of in named.items()
        },
    }


def draw_sweeps(swept: Mapping[str, Any]) -> Figure:
    """Small multiples: share of cases that pass, dev and test, over the values of one knob."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.4, 3.6))
    for axes, (name, counts) in zip(figure.subplots(2, 4, sharey=True).flat, swept.items(), strict=True):
        _sweep(axes, SHOWN_KNOBS[name], counts)
    figure.axes[0].set_ylabel("cases that pass, %")
    figure.axes[4].set_ylabel("cases that pass, %")
    figure.axes[0].legend(frameon=False, fontsize=7, loc="lower right")
    figure.tight_layout(w_pad=0.8, h_pad=1.2)
    return figure


def _sweep(axes: Axes, title: str, counts: Mapping[str, Any]) -> None:
    values = counts["values"]
    for half, colour, marker in (("dev", BLUE, "o"), ("test", ORANGE, "s")):
        passed = [100 * count / counts["cases"][half] for count in counts[half]]
        axes.plot(values, passed, color=colour, marker=marker, markersize=2.5, linewidth=1.2, label=f"{half} half")
    if min(values) > 0 and max(values) / min(values) > 20:
        axes.set_xscale("log")
    axes.axvline(counts["default"], color=GREY, linewidth=0.8, linestyle=":")
    axes.set_title(title)


def draw_recency(days: Mapping[str, float]) -> Figure:
    """One curve a store over the age, on a logarithmic axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 2.7))
    axes = figure.subplots()
    floor = days["floor"]
    stores = [(store, half) for store, half in days.items() if store != "floor"]
    looks = zip(
        stores, (BLUE, ORANGE, GREEN, PURPLE, SKY), ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1))), strict=True
    )
    for (store, half_life), colour, line in looks:
        curve = [recency(age, half_life, floor) for age in DAYS]
        axes.plot(DAYS, curve, color=colour, linestyle=line, linewidth=1.6, label=f"{store} ({half_life:,.0f} days)")
    axes.set_xscale("log")
    axes.set_xticks([1, 7, 30, 365, 3650], ["1 day", "1 week", "1 month", "1 year", "10 years"])
    axes.minorticks_off()
    axes.set_ylim(0, 1.03)
    axes.set_ylabel("recency")
    axes.set_xlabel("age of the memory")
    axes.legend(frameon=False, fontsize=7.5, title="half-life")
    return figure


def draw_retrieval(measured: Mapping[str, Mapping[str, float]]) -> Figure:
    """A group of bars for each collection, one bar a ranking."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.4, 2.9))
    axes = figure.subplots()
    names, width = list(measured), 0.8 / len(RANKINGS)
    for place, (ranking, colour) in enumerate(RANKINGS.items()):
        starts = [at + (place - (len(RANKINGS) - 1) / 2) * width for at in range(len(names))]
        axes.bar(starts, [measured[name][ranking] for name in names], width, color=colour, label=ranking)
    axes.set_xticks(range(len(names)), [_wrapped(name) for name in names])
    axes.set_ylabel("nDCG@10, test half")
    axes.legend(frameon=False, fontsize=7.5, ncols=len(RANKINGS), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def draw_scaling(measured: Mapping[str, Mapping[str, Sequence[Sequence[float]]]]) -> Figure:
    """Milliseconds over memories, both logarithmic: a line an engine, on the clock and of the processor."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.4, 3.3))
    titles = {"clock": "time on the clock: p50, dashed p95", "processor": "processor time, server included: mean"}
    for axes, (what, engines) in zip(figure.subplots(1, 2), measured.items(), strict=True):
        for engine, points in engines.items():
            name, colour, marker = ENGINES[engine]
            sizes, *series = zip(*points, strict=True)
            for values, line, width in zip(series, ("-", "--"), (1.6, 0.9), strict=False):
                label = name if line == "-" else None
                axes.plot(
                    sizes, values, color=colour, linestyle=line, linewidth=width, marker=marker, ms=4, label=label
                )
        axes.set(xscale="log", yscale="log", title=titles[what], xlabel="memories")
        axes.set_xticks([10_000, 100_000, 1_000_000], ["10,000", "100,000", "1,000,000"])
        axes.set_yticks([30, 100, 300, 1000], ["30", "100", "300", "1,000"])
        axes.set_ylim(25, 1500)
        axes.minorticks_off()
    figure.axes[0].set_ylabel("milliseconds of one retrieve")
    figure.axes[1].legend(frameon=False, fontsize=7.5, loc="upper left")
    figure.tight_layout(w_pad=1.5)
    return figure


def _wrapped(name: str) -> str:
    return name.replace("/", "\n").replace("_", "\n")


PLOTS = (
    Picture("sweeps", "Labelled cases that pass when one default moves", sweeps, draw_sweeps),
    Picture("recency", "Recency over age, one curve a store", half_lives, draw_recency),
    Picture("retrieval", "Retrieval quality of five rankings on nine public collections", retrieval, draw_retrieval),
    Picture("scaling", "Time of one question over the number of memories, by engine", scaling, draw_scaling),
)


def main(arguments: Sequence[str] = ()) -> int:
    """Draw what is stale, or everything with `--all`."""
    for picture in PLOTS:
        if "--all" in arguments or not picture.is_fresh():
            picture.write()
            print(f"{picture.path.name}: {picture.path.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
