"""The pages of the documentation, and what stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(?P<words>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the page it stands in, the words after the fence, and the text."""

    page: Path
    words: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """Where it is, for a test's id."""
        return f"{self.page.name}-{self.text.splitlines()[0][:40]}"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The page without its fenced blocks and inline code."""
    return re.sub(r"`[^`\n]+`", "", _FENCE.sub("", page.read_text("utf-8")))


def blocks(*languages: str) -> Iterator[Block]:
    """Every fenced block whose first word is one of the languages, in the order of pages and lines."""
    for page in PAGES:
        for found in _FENCE.finditer(page.read_text("utf-8")):
            words = tuple(found["words"].split())
            if words and words[0] in languages:
                yield Block(page, words, found["text"])
