"""Grade `retrieve` on public labelled sets, beside BM25 alone, vectors alone, rank fusion and the plain blend.

    python -m evals.retrieval [DATA] [--half dev|test|all] [--only SET ...] [--questions 300] [--cache FOLDER]
                              [--spread one scattered curated] [--write]

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
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from evals.retrieval.grading import STRANGERS, Graded, graded
from evals.retrieval.report import tables, write
from evals.retrieval.sets import Collection, Question, chosen, read_collections
from evals.retrieval.worlds import CachedEmbedder, Spread, handles, opened
from mmind.embedding.choose import open_embedder
from mmind.values import ports

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
    parser.add_argument("--spread", nargs="*", type=Spread, choices=list(Spread), default=[Spread.ONE])
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mmind-retrieval-eval")
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
    wanted = [one for one in everything if not options.only or one.name.startswith(tuple(options.only))]
    half = "all" if options.write else options.half
    found = {spread: grade_all(wanted, everything, spread, options.cache, half) for spread in options.spread}
    for line in tables(found, options.half):
        print(line)
    if options.write:
        write(found)
    return 0


def grade_all(
    wanted: Sequence[Collection], everything: Sequence[Collection], spread: Spread, cache: Path, half: str
) -> list[Graded]:
    """The grades of each wanted collection, with a bar on standard error."""
    cache.mkdir(parents=True, exist_ok=True)
    local = open_embedder("local", "", "")
    if local is None:
        raise SystemExit("no local embedding model is installed")
    embedder = CachedEmbedder(local, cache / "vectors.db")
    found = []
    with bars() as progress:
        for collection in wanted:
            asked = replace(collection, questions=chosen(collection.questions, half))
            strangers = chosen(questions_of_others(collection, everything), half)
            name = f"{collection.name} ({spread})"
            bar = progress.add_task(name, total=None)

            with opened(collection, spread, cache, embedder, partial(show, progress, bar, name)) as standing:
                total = len(asked.questions) + len(strangers)
                progress.update(bar, description=name, completed=0, total=total)
                documents = handles(collection, spread)
                found.append(graded(asked, standing, documents, strangers, partial(progress.advance, bar)))
    return found


def show(progress: Progress, bar: TaskID, name: str, at: ports.Progress) -> None:
    """Move a bar to where the indexing is."""
    shown = f"{name}: {at.phase} of {at.store}"
    progress.update(bar, description=shown, completed=at.done, total=at.total if at.total > 0 else None)


def questions_of_others(collection: Collection, everything: Sequence[Collection]) -> list[Question]:
    """A few questions of every collection of the other sets: nothing here answers them."""
    return [
        question
        for other in everything
        if other.set != collection.set
        for question in other.questions[:: max(1, len(other.questions) // STRANGERS)][:STRANGERS]
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
