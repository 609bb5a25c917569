"""How long it takes to find updates, conflicts, duplicates and agreements among the fifty best of an answer.

    python bench/evidence_bench.py [--questions 60] [--texts FILE.jsonl]

A question is one text of a corpus, its candidates are the fifty texts nearest to it (local model), and `rank` does the
rest of a retrieve after scoring. Short notes are those of `retrieve_bench`; abstracts are made by rule, some nine
sentences of a thousand characters; `--texts` adds a corpus of your own, one JSON object with "text" a line. Three
columns: "never seen" with every memory of texts and sentences cleared (single words stay known), "as they come" in a
process that has answered the other questions, "again" for a question just asked. Milliseconds of CPU time, which a busy
machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from mmind.embedding.choose import open_embedder
from mmind.router.candidate import Candidate
from mmind.router.retrieve import rank
from mmind.router.score import scored
from mmind.router.shortlist import COMPARED
from mmind.values.memory import Access, Memory, Passage, StorePolicy, Trust
from mmind.values.query import Hit
from mmind.values.ranking import Ranking
from retrieve_bench import texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
STORES = ("markdown", "sqlite", "leveldb", "files", "vector")
POLICIES = {name: StorePolicy(name, name, "", Access.READ_WRITE, 365.0) for name in STORES}
CORPUS = 600
# What reads texts and remembers what it read; word lists are read once in a process and stay.
READERS: tuple[str, ...] = (
    "router.group",
    "router.agreements",
    "text.pairs",
    "text.skimming",
    "text.claims",
    "text.clauses",
)
READERS += (
    "text.sentences",
    "text.sameness",
    "text.agreement",
    "text.casting",
    "text.news",
    "text.labels",
    "text.rewording",
    "text.properties",
    "text.overlap",
    "router.shortlist",
)
# Single words stay known, as word lists do: a process that has read some texts has met most words of the next.
OF_WORDS = ("words_of", "keys_of", "_kind_of")
SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu bel cor dan fil gor".split()


def abstracts(count: int, seed: int = 5) -> Iterator[str]:
    """Texts of about a thousand characters, eight to ten sentences each, in words of our own.

    Words are as rare as in prose (Zipf), of 4,000; five in a text are its subject and come in most of its sentences.
    """
    rng = random.Random(seed)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randrange(2, 5))) for _ in range(4_000)]
    weights = [1.0 / rank for rank in range(1, len(words) + 1)]
    for _ in range(count):
        subject = rng.choices(words, k=5)
        said = (_sentence(rng, [*rng.choices(words, weights, k=7), *subject]) for _ in range(rng.randrange(8, 11)))
        yield " ".join(said)


def _sentence(rng: random.Random, words: Sequence[str]) -> str:
    a, b, c, d, e, f, g, h = rng.sample(words, 8)
    number = rng.randrange(3, 96)
    return rng.choice(
        (
            f"Studies of {a} {b} have so far relied on {c}, and little is known about the {d} of {e} in {f} {g}.",
            f"Here the {a} of {b} was measured in {number} {c} over {number % 9 + 2} years by {d} {e} and {f} {g}.",
            f"In {a} {b}, {c} {d} increased by {number}% and was not related to {e} or to the {f} {g} of {h}.",
            f"No effect of {a} on {b} {c} was found, although {number} of the {d} {e} had {f} without {g} {h}.",
            f"After correction for {a} {b}, the {c} of {d} {e} decreased from {number + 5} to {number} {f} {g}.",
            f"These results suggest that {a} {b} depends on {c} more than earlier work on {d} {e} in {f} had shown.",
        )
    )


def candidates_of(said: Sequence[str], vectors: NDArray[np.float32], question: int) -> list[Candidate]:
    """The fifty texts nearest to one of them, as scored candidates, spread over stores, times and tiers of trust."""
    cosines = vectors @ vectors[question]
    nearest = np.argsort(-cosines)[:COMPARED]
    made = (_candidate(said[place], float(cosines[place]), vectors[place], int(place)) for place in nearest)
    return scored(made, Ranking(), NOW)


def _candidate(text: str, cosine: float, vector: NDArray[np.float32], number: int) -> Candidate:
    when = NOW - timedelta(days=number % 700)
    trust = Trust.CURATED if number % 3 == 0 else Trust.GENERATED
    store = STORES[number % len(STORES)]
    memory = Memory(store=store, id=str(number), text="", time=when, time_kind="stored", trust=trust)
    own = cast("Sequence[float]", vector)  # an array, as the index gives it
    hit = Hit(memory, Passage(0, text, 1, 1), {}, float(len(text.split())), cosine, own)
    return Candidate(
        policy=POLICIES[store],
        hit=hit,
        bm25=8.0 * cosine,
        lexical=max(0.0, cosine),
        cosine=cosine,
        coverage=0.5,
        confidence=max(0.0, min(1.0, cosine)),
    )


def forget_all() -> None:
    """Clear what was remembered of texts that were read before."""
    for reader in READERS:
        module = sys.modules[f"mmind.{reader}"]
        for one in vars(module).values():
            is_of_words = getattr(one, "__name__", "") in OF_WORDS
            if getattr(one, "__module__", "") == module.__name__ and hasattr(one, "cache_clear") and not is_of_words:
                one.cache_clear()


def taken(said: Sequence[str], vectors: NDArray[np.float32], questions: int, before: Callable[[], None]) -> list[float]:
    """Milliseconds of each question's `rank`; `before` is called before each."""
    found = []
    for number in range(questions):
        question = number * len(said) // questions
        candidates = candidates_of(said, vectors, question)
        before()
        started = time.process_time()
        rank(candidates, Ranking(), said[question][:80])
        found.append((time.process_time() - started) * 1000)
    return found


def row(name: str, said: Sequence[str], questions: int) -> str:
    """One line of the table: medians and 95th percentiles of the three ways to ask."""
    embedder = open_embedder("local", "", "")
    if embedder is None:
        raise SystemExit("the local model is not there: run `make test` once")
    vectors = np.concatenate([embedder.embed(said[start : start + 32]) for start in range(0, len(said), 32)])
    taken(said, vectors, 3, lambda: None)
    forget_all()
    ways = [taken(said, vectors, questions, forget_all), taken(said, vectors, questions, lambda: None)]
    ways.append(taken(said, vectors, questions, lambda: None))
    cells = (f"{statistics.median(way):>9.1f} {sorted(way)[round(0.95 * (len(way) - 1))]:>7.1f}" for way in ways)
    return f"{name:<14}{statistics.median(map(len, said)):>7.0f} " + " ".join(cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--texts", type=Path, help='JSON lines, each with "text"')
    chosen = parser.parse_args()
    print(f"{'':<21}{'never seen':>18}{'as they come':>18}{'again':>18}")
    print(f"{'candidates':<14}{'letters':>7}" + f"{'p50 ms':>10}{'p95':>8}" * 3)
    corpora = {"short notes": list(texts(CORPUS)), "abstracts": list(abstracts(CORPUS))}
    if chosen.texts:
        lines = chosen.texts.read_text("utf-8").splitlines()[:CORPUS]
        corpora[chosen.texts.stem[:13]] = [json.loads(line)["text"][:1100] for line in lines]
    for name, said in corpora.items():
        print(row(name, said, chosen.questions), flush=True)


if __name__ == "__main__":
    main()
