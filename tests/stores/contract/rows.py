"""The rows of the registry that the contract is held against, and what their tests say in one word."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.stores.registry import ENGINES
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.ports import Engine, Mark

LOCAL = sorted(name for name, row in ENGINES.items() if not row.is_served)
SERVED = [pytest.param(name, marks=pytest.mark.server) for name, row in sorted(ENGINES.items()) if row.is_served]
WRITABLE = [*(name for name in LOCAL if name != "markdown"), *SERVED]
EVERY = [*LOCAL, *SERVED]

WINCH = Memory(
    store="here",
    id="winch",
    text="# Winch\n\nThe ferry winch takes 12 t.\n",
    title="Ferry winch",
    tags=("ferry", "Fähre, alt"),
    aliases=("the big winch",),
    links=("Ferry", "Drum"),
    created=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    time=datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC),
    trust=Trust.CURATED,
    writer="Mads",
    session="quay",
    format=TextFormat.MARKDOWN,
)


def bare(memory: Memory) -> Memory:
    """The memory without what the engine sets."""
    return replace(memory, path="", time_kind="", fingerprint="")


def note(id: str, text: str) -> Memory:
    """A memory of an agent, with nothing but an id and a text."""
    return Memory(store="here", id=id, text=text)


def fill(name: str, folder: Path, engine: Engine, texts: dict[str, str]) -> None:
    """Put texts under ids; into the vault, which is never written, lay them as the user would."""
    for place, text in texts.items():
        if name == "markdown":
            (folder / "place").mkdir(exist_ok=True)
            (folder / "place" / place).write_text(text)
        else:
            engine.put(note(place, text))


def taken(engine: Engine, mark: Mark) -> dict[str, Memory]:
    """What changed since the mark, by id."""
    return {memory.id: memory for memory in engine.changes(mark).changed}


def level_mark(engine: Engine) -> Mark:
    """The mark of an index that has taken everything."""
    changes = engine.changes(Mark())
    fingerprints = {memory.id: memory.fingerprint for memory in changes.changed}
    return Mark(changes.cursor, fingerprints)


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file beneath a folder with its bytes and its mtime."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
