"""Grade `retrieve` on public labelled sets, beside BM25 alone, vectors alone, rank fusion and the plain blend.

    python -m evals.retrieval [DATA] [--half dev|test|all] [--only SET ...] [--questions 300] [--cache FOLDER]
                              [--spread one scattered curated] [--model local] [--write]

DATA (or MMIND_EVAL_DATA) holds `retrieval/`, one folder a set (see `evals.retrieval.sets`). Where it is absent this
says so and exits with 0. Worlds and vectors are kept in FOLDER (default: in the system's folder for temporary files),
so only the first run embeds. `--write` keeps the figures of both halves in evals/retrieval/results.json.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from evals.remembering import Remembering
from evals.retrieval.grading import Graded, graded
from evals.retrieval.report import tables, write
from evals.retrieval.sets import Collection, Question, chosen, read_collections
from evals.retrieval.worlds import Spread, handles, opened
from mmind.embedding.choose import open_embedder
from mmind.values import ports

STRANGERS = 25  # questions of each other set that are asked of a collection, to see whether they are sent away
MOST_QUESTIONS = 300  # of each collection; the largest has 1,190


def arguments() -> argparse.Namespace:
    """What was asked on the command line."""
    parser = argparse.ArgumentParser(
        "python -m evals.retrieval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--half", choices=("dev", "test", "all"), default="dev")
    parser.add_argument("--only", nargs="*", default=(), help="sets whose names start so")
    parser.add_argument("--questions", type=int, default=MOST_QUESTIONS, help="of each collection; 0 is all")
    parser.add_argument("--strangers", type=int, default=STRANGERS, help="questions of each other set; at least 2")
    parser.add_argument("--spread", nargs="*", type=Spread, choices=list(Spread), default=[Spread.ONE])
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mmind-retrieval-eval")
    parser.add_argument("--model", default="local", help="as MMIND_EMBED_MODEL has it")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main() -> int:
    """Run the evaluation; see the module's docstring."""
    options = arguments()
    folder = Path(options.data) / "retrieval"
    if not options.data or not folder.is_dir():
        print("skipped: no folder `retrieval` of labelled sets; give the data folder or set MMIND_EVAL_DATA")
        return 0
    everything = read_collections(folder, options.questions)
    half = "all" if options.write else options.half
    asked = [
        Asked(
            replace(one, questions=chosen(one.questions, half)),
            chosen(questions_of_others(one, everything, options.strangers), half),
        )
        for one in everything
        if not options.only or one.name.startswith(tuple(options.only))
    ]
    found = {spread: grade_all(asked, spread, options.cache, options.model) for spread in options.spread}
    for line in tables(found, options.half):
        print(line)
    if options.write:
        write(found)
    return 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A collection with the questions that are asked of it: its own, and those of other sets."""

    collection: Collection
    strangers: Sequence[Question]


def grade_all(asked: Sequence[Asked], spread: Spread, cache: Path, model: str) -> list[Graded]:
    """The grades of each collection, with a bar on standard error."""
    cache.mkdir(parents=True, exist_ok=True)
    chosen_model = open_embedder(model, "", "")
    if chosen_model is None:
        raise SystemExit("rankings are compared with what vectors say: name a model")
    embedder = Remembering(chosen_model, cache / "vectors.db")
    found = []
    with bars() as progress:
        for one in asked:
            name, total = f"{one.collection.name} ({spread})", len(one.collection.questions) + len(one.strangers)
            bar = progress.add_task(name, total=None)
            with opened(one.collection, spread, cache, embedder, partial(show, progress, bar, name)) as standing:
                progress.update(bar, description=name, completed=0, total=total)
                documents = handles(one.collection, spread)
                tick = partial(progress.advance, bar)
                found.append(graded(one.collection, standing, documents, one.strangers, tick))
            if not progress.console.is_terminal:
                progress.console.print(f"{name}: {total} questions")
    return found


def show(progress: Progress, bar: TaskID, name: str, at: ports.Progress) -> None:
    """Move a bar to where the indexing is."""
    shown = f"{name}: {at.phase} of {at.store}"
    progress.update(bar, description=shown, completed=at.done, total=at.total if at.total > 0 else None)


def questions_of_others(collection: Collection, everything: Sequence[Collection], most: int) -> list[Question]:
    """A few questions of every collection of the other sets: nothing here answers them."""
    return [
        question
        for other in everything
        if other.set != collection.set
        for question in other.questions[:: max(1, len(other.questions) // most)][:most]
    ]


@contextmanager
def bars() -> Iterator[Progress]:
    """Progress bars on standard error; nothing where that is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield progress


if __name__ == "__main__":
    sys.exit(main())
