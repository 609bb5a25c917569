"""A vault of 20,000 notes: indexed whole, found, edited while it is open, and not changed by a byte."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from mmind.values.bundle import Bundle
from tests.crash.killing import mind_on
from tests.lag import lags
from tests.vaults.ground import tree

WORDS = ("winch", "ferry", "lamp", "rope", "slip", "keel", "buoy", "tide", "mast", "quay", "anchor", "deck", "hull")


def look_at(place: Path, count: int, say: Callable[[str], None]) -> list[str]:
    """What is wrong with a vault of so many notes."""
    vault, home, rng = place / "vault", place / "home", random.Random(count)
    for number in range(count):
        folder = vault / f"area{number % 40}" / f"part{number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        body = " ".join(rng.choices(WORDS, k=60))
        (folder / f"note{number}.md").write_text(f"---\ntags: [sea]\n---\n# Note {number}\n\nmark{number} {body}\n")
    before = tree(vault)
    with mind_on(home, vault) as mind:
        started = time.monotonic()
        mind.index(lambda _: None)
        say(f"{count} notes indexed (words) in {time.monotonic() - started:.1f} s")
        said = [
            f"not found: mark{number}"
            for number in rng.sample(range(count), 50)
            if f"note{number}.md" not in mind.retrieve(f"mark{number}").results[0].id
        ]
        if tree(vault) != before:
            said.append("the vault was changed by reading")
        return said + _edits(vault, mind.retrieve, rng, count)


def _edits(vault: Path, retrieve: Callable[[str], Bundle], rng: random.Random, count: int) -> list[str]:
    said = []
    for number in rng.sample(range(count), 20):
        (vault / f"area{number % 40}" / f"part{number % 7}" / f"note{number}.md").write_text(f"fresh{number} word\n")
        for _ in range(100):
            bundle = retrieve(f"fresh{number}")
            if any(f"note{number}.md" in one.id for one in bundle.results):
                break
            if not lags(bundle.notes):
                said.append(f"edit fresh{number} neither found nor said to be late")
                break
        else:
            said.append(f"edit fresh{number} never found")
    return said
