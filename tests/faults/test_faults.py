"""A small share, with fixed seeds, of what `make crash` does in full: failing disks and turned bits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.killing import PLACES
from tests.faults.disk import needs_disk
from tests.faults.failing import FAULTS, fail_often
from tests.faults.flipping import flip_index, flip_often

SEED = 5


@needs_disk
@pytest.mark.parametrize("store", PLACES)
def test_a_failing_disk_takes_nothing_acknowledged_and_each_refusal_says_what_to_do(store: str, tmp_path: Path) -> None:
    """R22: ENOSPC, EIO of writes, syncs and renames, EROFS."""
    tally = fail_often(store, tmp_path, faults=len(FAULTS), seed=SEED)
    assert tally.complaints == []
    assert tally.ended > 0  # something was refused


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one filled home is kept for all tests of this file."""
    return tmp_path_factory.mktemp("turned")


@pytest.mark.parametrize("store", PLACES)
def test_a_turned_bit_hides_no_memory_without_a_word_and_silences_no_other_store(store: str, ground: Path) -> None:
    """R22, M1.2: corrupt byte."""
    assert flip_often(store, ground, flips=10, seed=SEED).complaints == []


def test_an_index_with_a_turned_bit_is_made_anew_by_mmind_index(ground: Path) -> None:
    assert flip_index(ground, flips=6, seed=SEED).complaints == []
