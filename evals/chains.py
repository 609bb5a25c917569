"""Chains of updates: of several statements about one thing, is the newest first? On a public set that is not shipped.

    python -m evals.chains [DATA] [--together] [--asked 2025-05-01] [--store sqlite]

DATA (or MMIND_EVAL_DATA) holds `recency/sediment_temporal` (corpus.jsonl, queries.jsonl, qrels.tsv). Each chain is put
into a store, its statements at their times, and asked through `retrieve`; with `--together` all chains lie in one
store. Prints R@1, and each chain whose newest statement is not first. Where the data is absent it says so and exits
with 0.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evals.case import NOW, Case, Expected, Kept
from evals.processes import world_of
from evals.world import handles, request_of
from mmind.router.retrieve import retrieve
from mmind.values.bundle import Bundle

SET = Path("recency") / "sediment_temporal"


@dataclass(frozen=True, slots=True)
class Chain:
    """A question, the statements that it could be answered with, and the id of the newest."""

    id: str
    query: str
    statements: tuple[Mapping[str, str], ...]
    newest: str


def read_chains(data: Path) -> list[Chain]:
    """The chains of the set in order."""
    corpus = [json.loads(line) for line in (data / SET / "corpus.jsonl").open(encoding="utf-8")]
    newest = dict(line.split("\t")[:2] for line in (data / SET / "qrels.tsv").read_text("utf-8").splitlines() if line)
    return [
        Chain(
            row["id"],
            row["text"],
            tuple(statement for statement in corpus if statement["group"] == row["group"]),
            newest[row["id"]],
        )
        for row in map(json.loads, (data / SET / "queries.jsonl").open(encoding="utf-8"))
    ]


def as_case(chain: Chain, statements: Sequence[Mapping[str, str]], store: str) -> Case:
    """A chain's question to the statements, kept by an agent at their times."""
    memories = tuple(Kept(ref=one["id"], store=store, text=one["text"], days=_days(one["time"])) for one in statements)
    return Case(
        name=f"chains/{chain.id}",
        why="the newest statement is first",
        query=chain.query,
        memories=memories,
        expected=Expected(first=chain.newest),
    )


def _days(time: str) -> float:
    return (NOW - datetime.fromisoformat(time).replace(tzinfo=UTC)).total_seconds() / 86_400


def ranks(chains: Sequence[Chain], asked: datetime, store: str, together: bool) -> dict[str, Sequence[str]]:
    """For each chain, the ids of the results in order."""
    everything = [statement for chain in chains for statement in chain.statements]
    found: dict[str, Sequence[str]] = {}
    for group in [list(chains)] if together else [[chain] for chain in chains]:
        cases = [as_case(chain, everything if together else chain.statements, store) for chain in group]
        found.update(_asked(cases, asked))
    return found


def _asked(cases: Sequence[Case], asked: datetime) -> dict[str, Sequence[str]]:
    """The results of cases that share one world."""
    names = handles(cases[0])
    with world_of(cases[0]) as made:
        answers: dict[str, Bundle] = {
            case.name.partition("/")[2]: retrieve(
                replace(request_of(case, tuple(made.world.stores)), limit=10), made.world, made.rules, asked
            )
            for case in cases
        }
    return {name: [names[result.id] for result in bundle.results] for name, bundle in answers.items()}


def main() -> int:
    """Run the chains; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--asked", default=NOW.date().isoformat(), help="the day on which the questions are asked")
    parser.add_argument("--store", default="sqlite")
    parser.add_argument("--together", action="store_true", help="all chains in one store")
    chosen = parser.parse_args()
    if not chosen.data or not (Path(chosen.data) / SET / "corpus.jsonl").exists():
        print(f"skipped: no {SET.as_posix()}; give the data folder as an argument or in MMIND_EVAL_DATA")
        return 0
    chains = read_chains(Path(chosen.data))
    asked = datetime.fromisoformat(chosen.asked).replace(tzinfo=UTC)
    found = ranks(chains, asked, chosen.store, chosen.together)
    texts = {statement["id"]: statement["text"] for chain in chains for statement in chain.statements}
    good = [chain for chain in chains if found[chain.id][:1] == [chain.newest]]
    for chain in chains:
        if chain not in good:
            print(f"{chain.id} {chain.query}")
            for place, name in enumerate(found[chain.id][:4], start=1):
                print(f"    {place}. {name} {texts[name]}")
            print(f"    newest: {chain.newest}")
    print(f"R@1 {len(good) / len(chains):.2f}: the newest statement is first on {len(good)} of {len(chains)} chains")
    return 0


if __name__ == "__main__":
    sys.exit(main())
