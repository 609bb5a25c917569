"""The words of one store by their first letter, to be looked through for those that a misspelt one may stand for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mmind.text.spelling import is_slip, most_edits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bits = NDArray[np.uint64]

# By so many an edit or two at most change the letters that a word has, and its pairs of neighbours: one replaced letter
# 2 and 4, two that change places none and 6. Of two edits one may change places.
_LETTERS, _PAIRS = (0, 2, 4), (0, 6, 10)

# (first letter, number) -> the words that came in after that number, each with its own
Load = Callable[[str, int], Iterable[tuple[int, str]]]
# Some words -> those of them that the store still has
Kept = Callable[[Sequence[str]], Collection[str]]


@dataclass(frozen=True, slots=True)
class _Signs:
    """Of words of one length: letters and pairs of neighbours as bits, and the codes of the first and last three."""

    letters: Bits
    pairs: Bits
    start: Bits
    end: Bits


@dataclass(slots=True)
class _Rack:
    """The words of one length, and what tells near ones from others; made anew where words came in."""

    words: dict[str, None] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)
    signs: _Signs | None = None

    def likely(self, word: str, most: int) -> Iterator[str]:
        """The words that may be so many edits away, and others; none that are is missing."""
        import numpy as np

        if self.signs is None or len(self.listed) < len(self.words):
            self.listed = list(self.words)
            self.signs = _signs(self.listed)
        known, own = self.signs, _signs([word])
        mask = np.bitwise_count(known.letters ^ own.letters) <= _LETTERS[most]
        mask &= np.bitwise_count(known.pairs ^ own.pairs) <= _PAIRS[most]
        if most > 1:
            mask &= (known.start == own.start) | (known.end == own.end)
        return (self.listed[place] for place in np.flatnonzero(mask).tolist())


@dataclass(slots=True)
class _Shelf:
    """The words that begin with one letter, by length, and the last number that was seen."""

    last: int = 0
    racks: dict[int, _Rack] = field(default_factory=dict)


class Vocabulary:
    """Remembers the words of a store as far as they were asked for. Thread-safe.

    It hears of words that came in; whether those it finds are still there is asked each time.
    """

    def __init__(self) -> None:
        self._shelves: dict[str, _Shelf] = {}
        self._lock = threading.Lock()

    def near(self, word: str, load: Load, kept: Kept) -> list[str]:
        """The nearest words with the same first letter, if they are as near as `is_slip` asks; a known word is its own.

        `load` gives what came in since; at the first word with a letter it reads all words that begin with it.
        """
        with self._lock:
            shelf = self._shelves.setdefault(word[0], _Shelf())
            for number, known in load(word[0], shelf.last):
                shelf.racks.setdefault(len(known), _Rack()).words[known] = None
                shelf.last = max(shelf.last, number)
            gone = set[str]()
            while found := _near(word, shelf.racks, gone):
                standing = kept(found)
                if standing:
                    return [one for one in found if one in standing]
                gone.update(found)
            return []


def _near(word: str, racks: dict[int, _Rack], gone: Collection[str]) -> list[str]:
    """The nearest words alone, but for some: those two edits away are looked for where none is one edit away."""
    if len(word) in racks and word in racks[len(word)].words and word not in gone:
        return [word]
    for most in range(1, most_edits(word) + 1):
        lengths = (length for length in range(len(word) - most, len(word) + most + 1) if length in racks)
        likely = (known for length in lengths for known in racks[length].likely(word, most))
        if found := [known for known in likely if known not in gone and 0 < is_slip(word, known) <= most]:
            return found
    return []


def _signs(words: Sequence[str]) -> _Signs:
    """The signs of some words of one length, of three letters or more."""
    import numpy as np

    codes = np.frombuffer("".join(words).encode("utf-32-le"), np.uint32).reshape(len(words), -1).astype(np.uint64)
    one, three = np.uint64(1), (np.uint64(0), np.uint64(21), np.uint64(42))
    pairs = (codes[:, :-1] * np.uint64(7) + codes[:, 1:]) & np.uint64(63)
    return _Signs(
        letters=np.bitwise_or.reduce(one << (codes & np.uint64(31)), axis=1),
        pairs=np.bitwise_or.reduce(one << pairs, axis=1),
        start=np.bitwise_or.reduce(codes[:, :3] << np.asarray(three), axis=1),
        end=np.bitwise_or.reduce(codes[:, -3:] << np.asarray(three), axis=1),
    )
