"""Twelve seconds, with a fixed seed, of what `make load` does for two minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.big_vault import look_at
from tests.load.hammer import Hammer


@pytest.mark.skipif("sys.platform == 'win32'", reason="the client of the tests ends servers as a POSIX group")
def test_five_servers_and_the_command_line_on_one_home_lose_nothing_and_speak_of_no_lock(tmp_path: Path) -> None:
    """R23, M1.7, M2.14."""
    hammer = Hammer(tmp_path, seed=5, model="none")
    try:
        record = hammer.run(seconds=12.0)
    finally:
        hammer.close()
    assert record.complaints == []
    assert all(oracle.kept for oracle in record.oracles.values())
    assert {"store", "retrieve", "mmind store", "mmind retrieve"} <= record.replies.keys()


def test_a_vault_of_some_hundred_notes_is_found_edited_and_left_as_it_is(tmp_path: Path) -> None:
    assert look_at(tmp_path, 400, lambda _: None) == []
