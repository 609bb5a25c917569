"""Which characters make a word, which scripts are written without spaces, and how a character is folded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# Marks and joiners are no word characters for `re`, yet they stand inside words: accents (decomposed names from
# macOS), Hebrew points, Arabic vowels, the vowel signs of the Indic, Thai and Myanmar scripts, soft hyphens, joiners.
MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u08d3-\u08ff"
    "\u0900-\u0963\u0980-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f18\u0f19\u0f35\u0f37"
    "\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u1059\u105e-\u1064\u1067-\u106d\u1071-\u1074"
    "\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u17b4-\u17d3\u17dd\u180b-\u180d\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u200b-\u200f\u2060\u20d0-\u20f0\u302a-\u302f\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
)
# Chinese, Japanese, Korean: radicals, kana, bopomofo, ideographs, hangul, compatibility and half-width forms.
IDEOGRAPHIC = (
    "\u1100-\u11ff\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u3099\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\uff66-\uff9f\uffa1-\uffdc\U00020000-\U0003fffd"
)
# Thai, Lao, Tibetan, Myanmar, Khmer: letters with marks, and no spaces between words.
SOUTH_EAST_ASIAN = "\u0e01-\u0e4e\u0e80-\u0ecd\u0edc-\u0edf\u0f00\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3\u17dc\u17dd"
# Pictographs; arrows and mathematical signs are typography, not words.
EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}|[\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa\u2600-\u27bf\u2b50\u2b55"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)

# Blocks of letters that Latin alphabets use: ASCII, Latin-1 to Latin Extended-B and IPA, phonetic and additional
# Latin, Extended-C and -D and -E, ligatures, full width (Unicode Blocks.txt).
LATIN = (
    (0x0041, 0x02AF),
    (0x1D00, 0x1DBF),
    (0x1E00, 0x1EFF),
    (0x2C60, 0x2C7F),
    (0xA720, 0xA7FF),
    (0xAB30, 0xAB6F),
    (0xFB00, 0xFB06),
    (0xFF21, 0xFF5A),
)
LOOKED_AT = 4000  # characters; a longer text shows its script at the start

# Accents, points, vowels and tatweel carry no meaning for search; the breve of Cyrillic й makes another letter, and
# the marks of Indic, South-East Asian and kana letters are vowels or consonants of their own.
_DROPPED = re.compile(
    "(?<![\u0418\u0438])\u0306|[\u00ad\u0300-\u0305\u0307-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640"
    "\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\u20d0-\u20f0"
    "\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]"
)
# Letters that Unicode does not take apart: stroke letters of Vietnamese, Polish and Danish, dotless i, ligatures; and
# the Arabic letters that are typed in several ways (as in Lucene's ArabicNormalizer and PersianNormalizer).
_LETTERS = str.maketrans(
    {
        "đ": "d", "ð": "d", "ø": "o", "ł": "l", "ħ": "h", "ŧ": "t", "ı": "i", "ĸ": "k",
        "æ": "ae", "œ": "oe", "þ": "th",
        "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647", "\u06c0": "\u0647",
    }
)  # fmt: skip
_DIGIT = re.compile(r"[^\W0-9a-z_]")


def without_marks(text: str) -> str:
    """Compatibility forms made plain and accents dropped, letter case kept: `Café ﬁn Ｘ２` gives `Cafe fin X2`.

    The time is quadratic in a run of combining marks (CPython's normalizer sorts them by insertion), so callers pass
    short texts only.
    """
    return unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", text)))


def folded(text: str) -> str:
    """The form that words are compared in: no case, no accents, digits of every script as 0 to 9."""
    if text.isascii():
        return text.lower()
    # lower() after casefold(): casefold raises Cherokee letters, and SQLite's FTS5 would lower them again.
    plain = without_marks(without_marks(text).casefold()).translate(_LETTERS).lower()
    return plain if plain.isascii() else _DIGIT.sub(_ascii_digit, plain)


def _ascii_digit(match: re.Match[str]) -> str:
    value = unicodedata.decimal(match[0], -1)
    return match[0] if value < 0 else str(value)


def is_latin(text: str) -> bool:
    """Whether at least half of the letters of a text are those of Latin alphabets; true where there are none."""
    return mostly_in(LATIN, text)


def mostly_in(blocks: Sequence[tuple[int, int]], text: str) -> bool:
    """Whether at least half of the letters of a text lie in one of these blocks (first and last code point)."""
    return letters_in(blocks, text) >= 0.5


def letters_in(blocks: Sequence[tuple[int, int]], text: str) -> float:
    """The share of the letters of a text, up to `LOOKED_AT` characters, that lie in these blocks; 1 without letters."""
    if text.isascii() and blocks is LATIN:
        return 1.0
    letters = [ord(character) for character in text[:LOOKED_AT] if character.isalpha()]
    within = sum(any(first <= letter <= last for first, last in blocks) for letter in letters)
    return within / len(letters) if letters else 1.0
