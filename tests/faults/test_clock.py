"""A clock that is set back or far ahead: edits are seen all the same, memories are kept, and the log holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from mmind.audit.reading import verify
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.lag import level_answer
from tests.server.wired import environment, vault

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
STORES = ("sqlite", "leveldb", "files", "vector")


def test_whatever_the_clock_says_edits_are_seen_and_memories_kept(tmp_path: Path) -> None:
    """M2.14. A scan from before the clock went back was taken for one of now, until the clock had caught up."""
    now = [NOON]
    notes = vault(tmp_path, {"rent.md": ""})
    with open_mind(notes, environment(tmp_path), Door.AGENT, clock=lambda: now[0]) as mind:
        for number, days in enumerate((0, -400, -3000, 4000, 0)):
            now[0] = NOON + timedelta(days=days)
            (notes / "rent.md").write_text(f"# Rent\nThe rent is {900 + number} euros.\n", "utf-8")
            for store in STORES:
                assert mind.store(f"The lamp of round {number} in {store} is green.", store=store).is_new
            assert f"{900 + number} euros" in level_answer(mind, "rent euros").results[0].text
            found = level_answer(mind, f"lamp round {number} green", limit=50).results
            assert {place.store for one in found if f"round {number} " in one.text for place in one.evidence} == {
                *STORES
            }
    assert verify(tmp_path / "data" / "audit").holds
