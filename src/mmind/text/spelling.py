"""How words are spelled: which of a text's words can be guessed at, and how far one spelling is from another.

The index searches stems, and a slip of the pen is made in a word: `manger` is one letter from `manager` and two from
its stem `manag`. So the words themselves are kept beside the stems that they are found by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product

from mmind.text.scripts import IDEOGRAPHIC, MARKS, SOUTH_EAST_ASIAN, folded
from mmind.text.tokens import STOP_WORDS, tokens

SPELLING_VERSION = "1"  # an index whose words were collected in another way is made anew
SHORTEST, LONGEST = 4, 24  # letters of a word that is kept
# Four letters are one letter away from too much to say which of it was meant; that two of them changed places, or that
# a fifth was left out, is telling.
ONE_EDIT_FROM, TWO_EDITS_FROM = 5, 8
OTHER_BEGINNING_FROM = 7
SHORTEST_PART = 3  # letters of either half of a word that was written as one
MOST_FORMS = 16  # of other transcriptions of one word

# In a text without low lines, which join words to names here and are part of words to `re`.
_WORD = re.compile(rf"\b[^\W\d_]{{{SHORTEST},{LONGEST}}}\b", re.ASCII)
# With its marks, as `ü` is two signs in texts of macOS; how many letters these are shows once they are folded.
_MARKED_WORD = re.compile(rf"(?<![\w{MARKS}])(?:[^\W\d_]|[{MARKS}]){{{SHORTEST},{4 * LONGEST}}}+(?![\w{MARKS}])")
_PLACED_WORD = re.compile(rf"\b[^\W\d_]{{2,{LONGEST}}}\b")
_UNSPACED = re.compile(f"[{IDEOGRAPHIC}{SOUTH_EAST_ASIAN}]")
# What a letter with a mark is written as where the mark is not to be had, and back. Folding leaves the same of ö and ø.
_WRITTEN_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
_MARKED = {"ae": "ä", "oe": "ö", "ue": "ü", "aa": "å"}
_LATIN = "abcdefghijklmnopqrstuvwxyz"


def spellings(texts: Iterable[str]) -> dict[str, str]:
    """The distinct words of some texts that a misspelt word may stand for, folded, each with its term in the index.

    Words of letters alone, of a script that puts spaces between them; no number, no id. Linear in the length.
    """
    whole = "\n".join(texts).replace("_", " ")
    written = set((_WORD if whole.isascii() else _MARKED_WORD).findall(whole.lower()))
    return dict(filter(None, map(_spelling, written)))


@lru_cache(maxsize=1 << 16)  # a text repeats the words of others
def _spelling(written: str) -> tuple[str, str] | None:
    """A word as it is kept, and its term; None for one that is not kept."""
    word = written if written.isascii() else folded(written)
    if not (written.isascii() or (SHORTEST <= len(word) <= LONGEST and not _UNSPACED.search(word))):
        return None
    term = tokens(word)
    return (word, term[0]) if len(term) == 1 else None


def written_words(text: str) -> list[str]:
    """The words of a question in order, as they were written: of letters alone, two or more."""
    return [word for word in _PLACED_WORD.findall(text.replace("_", " ")) if not _UNSPACED.search(word)]


def term_of(word: str) -> str:
    """The index term of a word of letters; "" where it is none or a word that only asks or connects."""
    found = tokens(word)
    return found[0] if len(found) == 1 and found[0] not in STOP_WORDS else ""


def most_edits(word: str) -> int:
    """How many edits a word may be away from what was meant: none below four letters, one, from eight letters two."""
    return (len(word) >= SHORTEST) + (len(word) >= TWO_EDITS_FROM)


def transcriptions(word: str) -> list[str]:
    """Other ways to write the same letters: `soehnke` may be `söhnke`, and `söhnke` may be `soehnke`.

    At most `MOST_FORMS`, none of which is the word itself once both are folded.
    """
    whole = word.lower()
    forms = dict.fromkeys((*_variants(whole, _WRITTEN_OUT), *_variants(whole, _MARKED)))
    return [form for form in forms if folded(form) != folded(word)][:MOST_FORMS]


def _variants(word: str, forms: Mapping[str, str]) -> Iterator[str]:
    """Every way to put the other form at some of the places where one of `forms` stands; at all places first."""
    places = list(re.finditer("|".join(forms), word))[:4]
    for chosen in product((True, False), repeat=len(places)):
        if any(chosen):
            pieces, end = list[str](), 0
            for place, is_changed in zip(places, chosen, strict=True):
                pieces += [word[end : place.start()], forms[place[0]] if is_changed else place[0]]
                end = place.end()
            yield "".join(pieces) + word[end:]


def halves(word: str) -> list[tuple[str, str]]:
    """Every way to cut a folded word in two that may have been written as one."""
    return [(word[:at], word[at:]) for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)]


def other_beginnings(word: str) -> list[str]:
    """What a folded Latin word may be whose first letter changed places with the second or, of seven letters and more,
    is wrong, missing or too many: a shorter one with another beginning is most often another word.
    """
    if not word.isascii() or len(word) < SHORTEST:
        return []
    forms = [word[1] + word[0] + word[2:]]
    if len(word) >= OTHER_BEGINNING_FROM:
        forms += [word[1:], *(letter + word[1:] for letter in _LATIN), *(letter + word for letter in _LATIN)]
    return [form for form in dict.fromkeys(forms) if form != word]


def is_slip(word: str, meant: str) -> int:
    """How many edits (1 or 2) make the one word of the other, 0 where it takes more than `most_edits` allows.

    Of four letters two neighbours may have changed places, or a fifth was left out. Two edits must leave the first
    three letters or the last three as they are.
    """
    if len(word) < ONE_EDIT_FROM:
        is_telling = len(meant) > SHORTEST or sorted(word) == sorted(meant)
        return int(len(word) == SHORTEST and is_telling and edits(word, meant, 1) == 1)
    most = most_edits(word) if word[:3] == meant[:3] or word[-3:] == meant[-3:] else 1
    found = edits(word, meant, most)
    return found if found <= most else 0


def edits(one: str, other: str, most: int) -> int:
    """How many letters must be inserted, deleted, replaced or changed with a neighbour; `most` + 1 for more than that.

    Optimal string alignment (Boytsov 2011, Indexing methods for approximate dictionary searching, section 2.1): no part
    is edited twice. What both begin and end with is passed over first, so what is left is short.
    """
    one, other = _parted(one, other)
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = list[int](), list(range(len(other) + 1))
    for at, sign in enumerate(one, 1):
        after = [at]
        for place, its in enumerate(other, 1):
            cost = min(row[place] + 1, after[-1] + 1, row[place - 1] + (sign != its))
            if before and place > 1 and sign == other[place - 2] and one[at - 2] == its:
                cost = min(cost, before[place - 2] + 1)
            after.append(cost)
        if min(after) > most:
            return most + 1
        before, row = row, after
    return min(row[-1], most + 1)


def _parted(one: str, other: str) -> tuple[str, str]:
    """Two words without what both begin and end with."""
    shorter, start, end = min(len(one), len(other)), 0, 0
    while start < shorter and one[start] == other[start]:
        start += 1
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]
