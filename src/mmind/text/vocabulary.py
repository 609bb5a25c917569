"""The words of one store by their first letter, to be looked through for those that a misspelt one may stand for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mmind.text.spelling import is_slip, most_edits

# Of the letters of a word an edit changes 2 at most, of its pairs of neighbours 6 (two letters that change places: 3
# gone and 3 new), most edits 4 or fewer: of two edits one may change places.
_LETTERS, _PAIRS = (0, 2, 4), (0, 6, 10)
_ALL_LETTERS = (1 << 32) - 1

Load = Callable[
    [str, int], Iterable[tuple[int, str]]
]  # (first letter, number) -> words with a later number, and theirs


@dataclass(slots=True)
class _Shelf:
    """The words that begin with one letter, by length, each with its signature; and the last number that was seen."""

    last: int = 0
    words: dict[int, dict[str, int]] = field(default_factory=dict)


class Vocabulary:
    """Remembers the words of a store as far as they were asked for. Thread-safe.

    Words that were taken out of the store may stay in it: whoever asks counts in how many passages a word stands.
    """

    def __init__(self) -> None:
        self._shelves: dict[str, _Shelf] = {}
        self._lock = threading.Lock()

    def near(self, word: str, load: Load) -> list[str]:
        """The nearest words with the same first letter, if they are as near as `is_slip` asks; a known word is its own.

        `load` gives what came in since; at the first word with a letter it reads all words that begin with it.
        """
        with self._lock:
            shelf = self._shelves.setdefault(word[0], _Shelf())
            for number, known in load(word[0], shelf.last):
                shelf.words.setdefault(len(known), {})[known] = signature(known)
                shelf.last = max(shelf.last, number)
            return _near(word, shelf)


def _near(word: str, shelf: _Shelf) -> list[str]:
    """The nearest words alone: those two edits away are looked for where none is one edit away."""
    if word in shelf.words.get(len(word), {}):
        return [word]
    own = signature(word)
    for most in range(1, most_edits(word) + 1):
        letters, signs = _LETTERS[most], _LETTERS[most] + _PAIRS[most]
        found = [
            known
            for length in range(len(word) - most, len(word) + most + 1)
            for known, its in shelf.words.get(length, {}).items()
            if (own ^ its).bit_count() <= signs
            and ((own ^ its) & _ALL_LETTERS).bit_count() <= letters
            and 0 < is_slip(word, known) <= most
        ]
        if found:
            return found
    return []


def signature(word: str) -> int:
    """Which letters and which pairs of neighbours a word has, as 96 bits: words that are near differ in few of them."""
    signs, before = 0, 0
    for sign in map(ord, word):
        signs |= 1 << (sign & 31) | (1 << (32 + (before * 7 + sign & 63)) if before else 0)
        before = sign
    return signs
