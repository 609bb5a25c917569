"""What `sources` tells of a store."""

from __future__ import annotations

import pytest

from mmind.router.sources import _memories
from mmind.values.ports import Freshness, Health


def health(entries: int) -> Health:
    return Health(usable=True, where="~/notes", entries=entries)


@pytest.mark.parametrize(
    ("counted", "index", "told"),
    [
        (44, Freshness("markdown", entries=12), 44),
        (-1, Freshness("markdown", entries=44, age_seconds=2.0), 44),
        (-1, Freshness("markdown", entries=0, age_seconds=2.0), 0),
        (-1, Freshness("markdown", pending_words=-1), -1),
        (-1, Freshness("markdown", entries=12, pending_words=32), -1),
        (-1, None, -1),
    ],
    ids=["counted", "scanned", "scanned and empty", "not scanned yet", "scanned in part", "no index"],
)
def test_a_store_that_nobody_counted_yet_is_not_called_empty(counted: int, index: Freshness | None, told: int) -> None:
    assert _memories(health(counted), index) == told
