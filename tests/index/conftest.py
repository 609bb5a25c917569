from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from mmind.index.index import Index

Closing = Callable[[Index], Index]


@pytest.fixture
def closing() -> Iterator[Closing]:
    """Closes at the end of the test what it was given."""
    opened: list[Index] = []

    def remember(index: Index) -> Index:
        opened.append(index)
        return index

    yield remember
    for index in opened:
        index.close()
