"""Which words of a source are kept already, as this process remembers: to write them anew took longer than to tell."""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

MOST_WRITTEN = 1 << 16  # words remembered of a source, some 6 MB: the common ones come first

Mark = tuple[str, int, int]  # which index, which source of it, and how many passages were ever taken out of that


def mark(connection: apsw.Connection, source: int) -> Mark:
    """What tells whether a word that was kept once can have been dropped since."""
    statement = "SELECT meta.value, removals FROM meta, source WHERE meta.key = 'generation' AND number = ?"
    generation, removals = connection.execute(statement, (source,)).fetchone() or ("", 0)
    return generation, source, removals


class Written:
    """Words of one source that this process knows to be kept, and need not write again. Thread-safe.

    A word leaves with the last passage that holds it, whichever process takes that out: so they count only as long as
    the mark, which is read in the same transaction, is the one they were remembered at.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mark: Mark = ("", 0, 0)
        self._words: set[str] = set()

    def at(self, mark: Mark) -> Collection[str]:
        """The words that are surely kept at this mark."""
        with self._lock:
            if mark != self._mark:
                self._mark, self._words = mark, set()
            return self._words

    def remember(self, mark: Mark, words: Collection[str]) -> None:
        """Words were kept, and their transaction committed, while this was the mark."""
        with self._lock:
            if mark == self._mark and len(self._words) + len(words) <= MOST_WRITTEN:
                self._words.update(words)
