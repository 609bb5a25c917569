"""Do many agent scraps push few curated notes off the page?

    python -m evals.retrieval.scraps [DATA] [--set sediment] [--notes 50] [--scraps 10000] [--cache FOLDER]

So many documents of a set, each the answer to a question, lie in the vault; so many scraps, made by rule of words of
those same notes, were stored by an agent on the same day. Prints how often the answer is on the first page, with the
scraps and without them. Where the data is absent it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from evals.remembering import Remembering
from evals.retrieval.rankings import answered, documents_of
from evals.retrieval.sets import Collection, Document, read_collections
from evals.retrieval.worlds import SCRAP, Spread, handles, opened
from mmind.embedding.choose import open_embedder
from mmind.text.tokens import STOP_WORDS

FORMS = (
    "Session {n}: asked about {a} and {b}, nothing was decided.",
    "Scratch {n}. {a}, {b}, {c}: look again later.",
    "Step {n}: opened the file on {a}; grep for {b} gave {c}.",
    "The user mentioned {a} {b} in passing (turn {n}).",
    "Tried {a} with {b}, run {n}, then went back to {c}.",
    "{a} {b} {c} - draft {n}, to be thrown away.",
)


def scraps(notes: Sequence[Document], count: int, seed: int = 5) -> Iterator[Document]:
    """Distinct short texts that share words with the notes and answer nothing."""
    rng = random.Random(seed)
    words = [[word for word in note.text.split() if len(word) > 3 and word.lower() not in STOP_WORDS] for note in notes]
    for number in range(count):
        own = rng.choice(words)
        a, b, c = rng.choices(own, k=3)
        text = rng.choice(FORMS).format(n=number, a=a, b=b, c=c)
        yield Document(f"{SCRAP}{number}", text)


def collection_of(whole: Collection, notes: int, count: int) -> Collection:
    """The documents that answer the first so many questions, and scraps beside them."""
    asked = [one for one in whole.questions if len(one.grades) == 1][:notes]
    wanted = {document for question in asked for document in question.grades}
    kept = tuple(document for document in whole.documents if document.id in wanted)
    return replace(whole, group=f"scraps-{count}", documents=(*kept, *scraps(kept, count)), questions=tuple(asked))


def shares(collection: Collection, cache: Path, embedder: Remembering) -> tuple[float, float, float]:
    """How often the answer is first, among the first five, and on the page of ten."""
    with ExitStack() as stack:
        standing = stack.enter_context(opened(collection, Spread.NOTES, cache, embedder, lambda _: None))
        documents = handles(collection, Spread.NOTES)
        pages = [(documents_of(answered(one, standing), documents), one.grades) for one in collection.questions]
    return tuple(fmean(any(one in grades for one in page[:depth]) for page, grades in pages) for depth in (1, 5, 10))  # type: ignore[return-value]


def main() -> int:
    """Run the check; see the module's docstring."""
    parser = argparse.ArgumentParser(
        "python -m evals.retrieval.scraps", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--set", default="sediment")
    parser.add_argument("--notes", type=int, default=50)
    parser.add_argument("--scraps", type=int, default=10_000)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mmind-retrieval-eval")
    options = parser.parse_args()
    folder = Path(options.data) / "retrieval"
    if not options.data or not (folder / options.set).is_dir():
        print(f"skipped: no folder retrieval/{options.set}; give the data folder or set MMIND_EVAL_DATA")
        return 0
    whole = next(one for one in read_collections(folder) if one.set == options.set)
    options.cache.mkdir(parents=True, exist_ok=True)
    local = open_embedder("local", "", "")
    if local is None:
        raise SystemExit("no local embedding model is installed")
    embedder = Remembering(local, options.cache / "vectors.db")
    print(f"{'scraps':>8}{'first':>8}{'in 5':>8}{'in 10':>8}")
    for count in (0, options.scraps):
        found = shares(collection_of(whole, options.notes, count), options.cache, embedder)
        print(f"{count:>8,}" + "".join(f"{share:>8.2f}" for share in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
