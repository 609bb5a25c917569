"""What a sentence tells of a change: a verb of change in the past, or a word such as `now`. English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from mmind.text.claims import FUNCTION, HYPOTHETICAL, PREPOSITIONS
from mmind.text.lexicon import lemma, listed, rows, vocabulary
from mmind.text.sentences import Word, words

# A past form after one of these tells a state, a plan or a denial, or stands before a noun: `is disabled`, `to be
# moved`, `the reduced price`.
NO_NEWS_AFTER: Final = vocabulary("no news after")
NO_NOW_AFTER: Final = vocabulary("no now after")  # `right now`, `until now`, `every now and then`
MOVES: Final = frozenset(map(lemma, vocabulary("moves")))
PERSONS: Final = frozenset(("i", "he", "she", "they", "you"))  # `we` and `it` leave open what changed
ADVERBS: Final = frozenset(("now", "no", "as", "instead"))  # the first words of what is no verb: `is no longer`
BARE_FORMS: Final = frozenset(("set", "cut"))  # their past looks like their present: news before `to` and `by` only

# A cheap look that spares most sentences the reading.
_MAY_TELL: Final = re.compile(
    r"ed\b|\b(?:now|no longer|as of|instead|became|set|cut|split into|took|taken)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class News:
    """A change that a sentence tells, in lemmas: its `verb`, what stands `before` that, and what `changed`.

    `moves` says that the verb tells a move, `leads` that a value follows at once (`switched to …`, `split into …`), and
    `ends` that nothing else follows it: no place, no purpose (`… in the worker`, `… for guests`).
    """

    verb: str
    before: frozenset[str]
    changed: frozenset[str]
    moves: bool
    leads: bool
    ends: bool

    @property
    def is_elliptical(self) -> bool:
        """Whether what changed is left to be understood: `Switched to VictoriaLogs`."""
        return not self.before


@lru_cache(maxsize=8_192)
def read_news(sentence: str) -> News | None:
    """The first change that a sentence tells, or None; one that is only supposed, planned or denied is none."""
    if not _MAY_TELL.search(sentence):
        return None
    parts = words(sentence)
    if not HYPOTHETICAL.isdisjoint(word.lower for word in parts):
        return None
    for place in range(len(parts)):
        length = _tells(parts, place)
        if length:
            return _news(parts, place, place + length)
    return None


def opens_with_change(sentence: str) -> bool:
    """Whether the first words may tell a change, what changed being left out; a cheap look."""
    return _MAY_TELL.search(sentence, 0, len("We have recently switched")) is not None


def _tells(parts: Sequence[Word], place: int) -> int:
    """How many words from here tell a change; 0 for none."""
    word = parts[place].lower
    after = parts[place + 1].lower if place + 1 < len(parts) else ""
    if _previous(parts, place) in NO_NEWS_AFTER and word not in ADVERBS:
        return 0
    if word == "now":
        return int(_previous(parts, place) not in NO_NOW_AFTER and after != "and")
    if lemma(word) in listed("change.txt"):
        is_past = word.endswith("ed") or word == "became" or (word in BARE_FORMS and after in ("to", "by", "from"))
        return int(is_past)
    if word == "instead" and after == "of":  # says what is preferred, not what was
        return 0
    return next((len(row) for row in _phrases().get(word, ()) if _stands(parts, place, row)), 0)


def _previous(parts: Sequence[Word], place: int) -> str:
    """The word before, adverbs such as `recently` passed over."""
    return next((word.lower for word in reversed(parts[:place]) if not word.lower.endswith("ly")), "")


def _stands(parts: Sequence[Word], place: int, phrase: Sequence[str]) -> bool:
    return [word.lower for word in parts[place : place + len(phrase)]] == list(phrase)


@cache
def _phrases() -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in rows("news.txt"):
        phrase = tuple(row.split())
        found.setdefault(phrase[0], []).append(phrase)
    return found


def _news(parts: Sequence[Word], begin: int, end: int) -> News:
    before = _content(parts[:begin])
    thing = next((at for at in range(end, len(parts)) if _ends_object(parts[at])), len(parts))
    verb = lemma(parts[begin].lower)
    value = end + (end < len(parts) and parts[end].lower in ("to", "into"))
    names_role = verb == "becom" or verb not in listed("change.txt")
    return News(
        verb=verb,
        before=before,
        changed=before if names_role else _content(parts[end:thing]) or before,
        moves=verb in MOVES,
        leads=parts[min(end, len(parts) - 1)].lower in ("to", "into") or parts[end - 1].lower == "into",
        ends=not any(_ends_object(word) for word in parts[value:] if word.lower != "."),
    )


def _ends_object(word: Word) -> bool:
    return word.lower in PREPOSITIONS or word.lower in ("to", "into", "onto", "off") or not word.lower[0].isalnum()


def _content(parts: Sequence[Word]) -> frozenset[str]:
    return frozenset(
        word.lower if word.lower in PERSONS else lemma(word.lower)
        for word in parts
        if word.lower in PERSONS or (word.lower not in FUNCTION and word.lower[0].isalpha())
    )
