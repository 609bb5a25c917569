"""A passage cut into sentences, and a sentence into words with their places. Markdown marks are not words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

LONGEST_SENTENCE: Final = 600  # characters; beyond it a "sentence" is a table, a log or code, and is no claim
SIGNS: Final = "{}[]|\\=<>;"  # of code and tables
MOST_SIGNS: Final = 0.06  # of all characters
LONGEST_ABBREVIATION: Final = 8  # characters, with its dot
# What stands between two blanks is remembered, word by word, up to so many characters and so many of them (27 MB).
LONGEST_KNOWN: Final = 24
MOST_KNOWN: Final = 1 << 15

_ENDS: Final = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\Wa-z_])|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*+•>]|#{1,6}|\d+[.)])\s)"
    r"|\n(?=[^\W\d_][\w ()/-]{0,40}:\s)|(?<=\|)\s*\n"  # a label with its value, a row of a table
)
# Where one of these matches: after the end of a sentence or of a row, or at the end of a line.
_MAY_END: Final = re.compile(r"[.!?…|\n]")
_ENDS_WITHOUT_BLANK: Final = re.compile(r"[。！？]")
_ABBREVIATION: Final = re.compile(
    r"\b(?:(?<![\d°])(?<!\d\ )[A-Z]|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Nn]o|vs|etc|e\.g|i\.e|[Ff]ig|[Ii]nc|[Ll]td|[Cc]o"
    r"|[Jj]r|[Ss]r|Lt|Gov|Gen|Sen|Rep|approx|ca|cf|al|[Vv]ol|pp?)\.$"
)
# German writes ordinals with a dot: `am 15. August`, `im 2. Stock`.
_ORDINAL: Final = re.compile(r"\b\d{1,2}\.\Z")
_ORDINAL_OF: Final = re.compile(r"\b(?:[Ii]m|[Vv]om|[Zz]um|[Bb]eim|[Dd]e[mnrs])\s\d{1,2}\.\Z")
_MONTH_IN_GERMAN: Final = re.compile(
    r"(?:Jan(?:uar)?|Jänner|Feb(?:ruar)?|März|Apr(?:il)?|Mai|Jun[io]?|Jul[io]?|Aug(?:ust)?|Sep(?:t|tember)?"
    r"|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?)\b"
)
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?\n(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^(\s*#{1,6}\s.*)$", re.MULTILINE)
_DEFINED_LINK: Final = re.compile(r"\[[^\]]+\]:\s")
_MARKS: Final = re.compile(
    r"^\s*(?:[-*+•>]\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+|\d{1,3}[.)]\s+)|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)|\[\[|\]\]"
)
_MARK_INSIDE: Final = re.compile(r"[*_`\[\]]")
_MARK_BEFORE: Final = re.compile(r"\s*[-*+•>#\d]")
_WORD: Final = re.compile(
    r"(?:https?://|www\.)\S+"
    r"|[$€£¥%~]|°[CFcf]"
    r"|(?:(?<![\w.])[-−+])?\d+(?:[.,:/]\d+|-\d+(?![\d.]*-?[^\W\d]))*(?:-?[^\W\d_]+(?:/[^\W\d_]+)?)?"
    r"|[^\W_]+(?:[-_'’./&+][^\W_]+)*(?:\+\+|#)?"
    r"|[^\w\s]"
)
_WIDE: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u3040-\u30ff]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, number or mark of a sentence: as written, in lower case, and whether a gap parts it from the last."""

    text: str
    lower: str
    apart: bool


@lru_cache(maxsize=1 << 10)  # the passages of an answer are cut for claims, for agreement and for containment
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a passage that are prose, in order: no front matter, code, tables or lines of signs."""
    if text.startswith("---\n"):
        text = _FRONT_MATTER.sub("", text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("\n\n", text)
    signs = [sign for sign in SIGNS if sign in text]  # most texts have none, so their pieces need not be counted
    return tuple(piece for piece in pieces(text) if len(piece) <= LONGEST_SENTENCE and _is_prose(piece, signs))


def _is_prose(piece: str, signs: Sequence[str]) -> bool:
    return (
        not piece.endswith(":")
        and not (piece[0] == "[" and _DEFINED_LINK.match(piece))
        and (not signs or sum(map(piece.count, signs)) <= MOST_SIGNS * len(piece))
    )


def pieces(text: str) -> tuple[str, ...]:
    """A text cut where its sentences end, nothing left out but Markdown marks."""
    if "#" in text:
        text = _HEADING.sub(r"\1\n\n", text)
    found: list[str] = []
    pending = ""
    is_marked = _MARK_INSIDE.search(text) is not None
    for part in _cut(text):
        bare = _MARKS.sub("", part) if is_marked or _MARK_BEFORE.match(part) else part
        piece = " ".join(bare.split())
        if not piece:
            continue
        if found and not pending and _goes_on(found[-1], piece):
            pending = found.pop()
        pending = f"{pending} {piece}" if pending else piece
        if not (pending.endswith(".") and _is_abbreviation(pending[-LONGEST_ABBREVIATION:])):
            found.append(pending)
            pending = ""
    if pending:
        found.append(pending)
    return tuple(found)


@lru_cache(maxsize=1 << 13)  # what ends a sentence of one text ends that of others
def _is_abbreviation(end: str) -> bool:
    """Whether the last dot is that of an abbreviation; `end` begins before the longest there is."""
    return _ABBREVIATION.search(end) is not None


def _goes_on(before: str, piece: str) -> bool:
    """Whether what ends in a number and a dot is no end: an ordinal, in German."""
    if not before.endswith(".") or not before[-2:-1].isdecimal() or not _ORDINAL.search(before, len(before) - 4):
        return False
    return _MONTH_IN_GERMAN.match(piece) is not None or _ORDINAL_OF.search(before) is not None


def _cut(text: str) -> list[str]:
    """`_ENDS.split`, tried only where it can match: a tenth of the time, as few characters can end a sentence."""
    if _ENDS_WITHOUT_BLANK.search(text):
        return _ENDS.split(text)  # two cuts may meet in one place
    found: list[str] = []
    begin = 0
    for sign in _MAY_END.finditer(text):
        place = sign.start() if sign[0] == "\n" else sign.end()
        if place >= begin and (end := _ENDS.match(text, place)):
            found.append(text[begin:place])
            begin = end.end()
    found.append(text[begin:])
    return found


@lru_cache(maxsize=1 << 11)  # a sentence is cut for its clauses, its claim and its twins, one soon after the other
def words(sentence: str) -> tuple[Word, ...]:
    """The words of a sentence in order; `don't` is `do` and `not`, `can't` `can` and `not`; CJK is cut by character."""
    found: list[Word] = []
    for chunk in sentence.split():
        found += words_of(chunk) if len(chunk) <= LONGEST_KNOWN else _words_of(chunk)
    return tuple(found)


def _words_of(chunk: str) -> tuple[Word, ...]:
    """What the words between two blanks are, nothing outside decides."""
    found: list[Word] = []
    end = -1
    for match in _WORD.finditer(chunk):
        surface, apart = match.group(), match.start() > end
        end = match.end()
        if len(surface) > 1 and _WIDE.search(surface):
            found += (Word(sign, sign, apart and not place) for place, sign in enumerate(surface))
        else:
            found += _parts(surface, apart)
    return tuple(found)


@lru_cache(maxsize=MOST_KNOWN)
def words_of(chunk: str) -> tuple[Word, ...]:
    """The words of what stands between two blanks, remembered, since all texts repeat their words."""
    return _words_of(chunk)


_CLITICS: Final = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
}


def _parts(surface: str, apart: bool) -> tuple[Word, ...]:
    lower = surface.lower().replace("’", "'")
    if lower in _CLITICS:
        first, second = _CLITICS[lower]
        return Word(first, first, apart), Word(second, second, False)
    if lower.endswith("n't") and len(lower) > 3:
        return Word(surface[:-3], lower[:-3], apart), Word("not", "not", False)
    if lower in ("n't", "nt"):
        return (Word(surface, "not", apart),)
    if lower.startswith("n'") and len(lower) > 3:  # French: n'est pas
        return Word(surface[:2], "n'", apart), Word(surface[2:], lower[2:], False)
    if "'" in lower and lower.rsplit("'", 1)[1] in ("s", "re", "m", "ll", "ve", "d"):
        at = lower.rindex("'")
        return Word(surface[:at], lower[:at], apart), Word(surface[at:], lower[at:], False)
    return (Word(surface, lower, apart),)
