"""One name in two alphabets: do `Bulgakov` and `Булгакова` sound alike, as far as letters tell?

Romanisations differ by convention (Tchaikovsky, Chaykovskiy, Tschaikowski), and a name has endings of its own in most
languages. So names are compared by the classes of their consonants, as Soundex has it (Russell 1918), and by how many
of their letters differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from anyascii import anyascii

from mmind.text.spelling import edits

LOOKED_AT = 4000  # characters of a text, as where its script is told
# A name begins with a capital where its alphabet has any. What is written without spaces (Chinese, Japanese, Thai) has
# no words to compare, but for katakana, which Japanese writes foreign names in.
_KATAKANA = "\u30a1-\u30fa\u30fc"
_WORD = re.compile(rf"[{_KATAKANA}]{{2,}}|(?:(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff])[^\W\d_]){{2,}}")
_VOWEL = "."  # parts two consonants of one class, as in Soundex: Bulgakov has one more than Volkov
# Consonants that alphabets and conventions give for one another; `kh` and `h` are one sound or none.
_CLASSES = (
    ("tsch|tch|ch|cz|sch|sh|sz|zh|ts|tz|dzh|dz|dj|s|z|j|x|c(?=[eiy])", "s"),
    ("kh|gh|ck|k|q|g|c", "k"),
    ("ph|bh|f|v|w|b|p", "p"),
    ("th|dh|t|d", "t"),
    ("l|r", "l"),
    ("m|n", "n"),
    ("h", ""),
    ("[aeiouy]", _VOWEL),
)
_CONSONANT = re.compile("|".join(f"({spelled})" for spelled, _ in _CLASSES))
_DOUBLED = re.compile(r"(.)\1+")
_VOWELS = "aeiou"
_NO_LETTER = re.compile("[^a-z]")
SHORTEST = 3  # letters of a name that is compared: shorter ones sound like everything
LONGEST = 40  # letters of a name; what is longer is none, and takes long to compare
SHORT = 4  # so short a name must be spelled alike, but for the vowels at its end
MANY_CONSONANTS = 3  # from here on a name may have one more at its end (Достоевского)


def romanised(word: str) -> str:
    """A word in the letters a to z: `Булгаков` gives `bulgakov`; "" where none of its letters has any."""
    return _NO_LETTER.sub("", anyascii(unicodedata.normalize("NFC", word)).lower())


@lru_cache(maxsize=1 << 14)
def sounds_alike(name: str, written: str) -> bool:
    """Whether two words may be one name in two alphabets or conventions, the second perhaps with an ending.

    Of some 490 towns and countries of one word (Unicode's CLDR) .77 of the Russian, .56 of the Greek and .66 of the
    Japanese names are recognised; the rest are mostly other names (Germany, Германия). A name sounds like .26 of the
    other Russian ones taken together. Arabic and Hebrew leave out vowels: of the Arabic ones .33 are recognised.
    """
    mine, other = _plain(name), _plain(written)
    if min(len(mine), len(other)) < SHORTEST:
        return False
    if len(mine) <= SHORT:
        bare = mine.rstrip(_VOWELS)  # Анны, Анну
        return mine == other or (len(bare) > 1 and bare == other.rstrip(_VOWELS))
    code, of_other = _consonants(mine), _consonants(other)
    if code != of_other and not (len(code) >= MANY_CONSONANTS and of_other[:-1] == code):
        return False
    most = len(mine) // 2
    return any(edits(mine, form, most) <= most for form in {other, other[: len(mine) + 1]})


def _plain(word: str) -> str:
    return _DOUBLED.sub(r"\1", romanised(word).replace("y", "i"))


@lru_cache(maxsize=1 << 14)
def _consonants(word: str) -> str:
    classed = _CONSONANT.sub(lambda found: _CLASSES[(found.lastindex or 1) - 1][1], word)
    return _DOUBLED.sub(r"\1", classed).replace(_VOWEL, "")


@lru_cache(maxsize=1 << 10)  # the same passages are found again and again
def names_in(text: str) -> frozenset[str]:
    """The words of a text that may be names: with a capital, or of an alphabet that has none."""
    words = _WORD.findall(text[:LOOKED_AT])
    return frozenset(word for word in words if word[0].upper() == word[0] and len(word) <= LONGEST)


def holds_name(name: str, text: str) -> bool:
    """Whether a text writes a name, in whatever alphabet."""
    plain = _plain(name)
    key = _as_short(plain) if len(plain) <= SHORT else _consonants(plain)
    return any(sounds_alike(name, written) for written in _by_sound(text).get(key, ()))


@lru_cache(maxsize=1 << 10)
def _by_sound(text: str) -> Mapping[str, Sequence[str]]:
    """The names of a text by what a name has in common with them that sounds alike: few have it, of hundreds."""
    found: dict[str, list[str]] = {}
    for written in names_in(text):
        for key in _sounds(_plain(written)):
            found.setdefault(key, []).append(written)
    return found


def _sounds(plain: str) -> Iterator[str]:
    code = _consonants(plain)
    yield _as_short(plain)
    yield code
    if len(code) > MANY_CONSONANTS:
        yield code[:-1]


def _as_short(plain: str) -> str:
    return f"={plain.rstrip(_VOWELS)}"  # with a mark, for no consonants are spelled so
