"""Real vaults: is a passage found by its own words, first and with the right lines?

    python -m evals.vaults FOLDER [--questions 100] [--vectors]

Takes passages of the vault at random (fixed seed), asks for each by its rarest words, and counts how often the
passage's note comes first, and how often with lines that hold the passage. The vault is only read.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import mmind
from mmind.cli.progress import progress
from mmind.cli.terminal import Terminal
from mmind.text.decode import decode
from mmind.text.passages import cut
from mmind.text.tokens import tokens
from mmind.values.bundle import Evidence
from mmind.values.memory import TextFormat

WORDS_A_QUESTION = 6
FEWEST_WORDS = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A question made of a passage's rarest words, and where the passage stands."""

    query: str
    id: str
    line_start: int
    line_end: int


def questions(vault: Path, count: int) -> list[Asked]:
    """Questions for passages that are long enough to be told apart, one a note at most."""
    rng = random.Random(5)
    notes = sorted(file for file in vault.rglob("*.md") if not any(part.startswith(".") for part in file.parts))
    chosen = rng.sample(notes, min(len(notes), 4 * count))
    frequency = Counter(word for file in chosen for word in set(tokens(_text(file))))
    found = (one for file in chosen for one in _question(file, vault, frequency, rng))
    return [one for one, _ in zip(found, range(count), strict=False)]


def _text(file: Path) -> str:
    return decode(file.read_bytes()).text or ""


def _question(file: Path, vault: Path, frequency: Counter[str], rng: random.Random) -> Iterator[Asked]:
    passages = [one for one in cut(_text(file), TextFormat.MARKDOWN) if len(set(tokens(one.text))) >= FEWEST_WORDS]
    if passages:
        passage = rng.choice(passages)
        words = [word for word in dict.fromkeys(passage.text.split()) if tokens(word)]
        rarest = sorted(words, key=lambda word: min(frequency[token] for token in tokens(word)))[:WORDS_A_QUESTION]
        yield Asked(
            " ".join(rarest), f"markdown:{file.relative_to(vault).as_posix()}", passage.line_start, passage.line_end
        )


def _holds(place: Evidence, asked: Asked) -> bool:
    """Whether a place is the passage that the question was made of, or one that holds it."""
    return place.id == asked.id and place.line_start <= asked.line_start <= asked.line_end <= place.line_end


def main() -> None:
    """Index the vault with a progress bar, ask, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--vectors", action="store_true")
    chosen = parser.parse_args()
    asked = questions(chosen.folder.resolve(), chosen.questions)
    with tempfile.TemporaryDirectory() as home:
        environ = {"MMIND_HOME": home, **({} if chosen.vectors else {"MMIND_EMBED_MODEL": "none"})}
        with mmind.open(chosen.folder, environ) as mind:
            started = time.perf_counter()
            with progress(Terminal(environ, sys.stdin, sys.stdout, sys.stderr, is_quiet=False)) as report:
                mind.index(report)
            took = time.perf_counter() - started
            entries = next(store.entries for store in mind.sources().stores if store.name == "markdown")
            first = [(one, mind.retrieve(one.query, limit=1).results) for one in asked]
    right_note = [one for one, results in first if results and results[0].id == one.id]
    right_lines = [one for one, results in first if results and _holds(results[0].evidence[0], one)]
    print(f"{entries:,} notes indexed in {took:.1f} s")
    print(f"{len(asked)} questions: note first {len(right_note)}, with the right lines {len(right_lines)}")
    missed = [one for one in asked if one not in right_note]
    print("\n".join(f"missed {one.id}:{one.line_start} by {one.query!r}" for one in missed[:10]))


if __name__ == "__main__":
    main()
