"""A passage cut into sentences, and a sentence into words with their places. Markdown marks are not words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

LONGEST_SENTENCE: Final = 600  # characters; beyond it a "sentence" is a table, a log or code, and is no claim
SIGNS: Final = "{}[]|\\=<>;"  # of code and tables
MOST_SIGNS: Final = 0.06  # of all characters

_ENDS: Final = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\Wa-z_])|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*+•>]|#{1,6}|\d+[.)])\s)"
    r"|\n(?=[^\W\d_][\w ()/-]{0,40}:\s)|(?<=\|)\s*\n"  # a label with its value, a row of a table
)
_ABBREVIATION: Final = re.compile(
    r"\b(?:[A-Z]|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Nn]o|vs|etc|e\.g|i\.e|[Ff]ig|[Ii]nc|[Ll]td|[Cc]o|[Jj]r|[Ss]r|Lt|Gov|Gen|Sen|Rep|approx|ca|cf|al|[Vv]ol|pp?)\.$"
)
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?\n(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^(\s*#{1,6}\s.*)$", re.MULTILINE)
_DEFINED_LINK: Final = re.compile(r"\[[^\]]+\]:\s")
_MARKS: Final = re.compile(
    r"^\s*(?:[-*+•>]\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+|\d{1,3}[.)]\s+)|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)|\[\[|\]\]"
)
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
    """One word, number or mark of a sentence: as written, in lower case, and where (characters from 0)."""

    text: str
    lower: str
    start: int
    end: int


@lru_cache(maxsize=1 << 10)  # the passages of an answer are cut for claims, for agreement and for containment
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a passage that are prose, in order: no front matter, code, tables or lines of signs."""
    if text.startswith("---\n"):
        text = _FRONT_MATTER.sub("", text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("\n\n", text)
    return tuple(piece for piece in pieces(text) if len(piece) <= LONGEST_SENTENCE and _is_prose(piece))


def _is_prose(piece: str) -> bool:
    return (
        not piece.endswith(":")
        and not _DEFINED_LINK.match(piece)
        and sum(map(piece.count, SIGNS)) <= MOST_SIGNS * len(piece)
    )


def pieces(text: str) -> tuple[str, ...]:
    """A text cut where its sentences end, nothing left out but Markdown marks."""
    if "#" in text:
        text = _HEADING.sub(r"\1\n\n", text)
    found: list[str] = []
    pending = ""
    for part in _ENDS.split(text):
        piece = " ".join(_MARKS.sub("", part).split())
        if not piece:
            continue
        pending = f"{pending} {piece}" if pending else piece
        if not _ABBREVIATION.search(pending):
            found.append(pending)
            pending = ""
    if pending:
        found.append(pending)
    return tuple(found)


@lru_cache(maxsize=1 << 11)  # a sentence is cut for its clauses, its claim and its twins, one soon after the other
def words(sentence: str) -> tuple[Word, ...]:
    """The words of a sentence in order; `don't` is `do` and `not`, `can't` `can` and `not`; CJK is cut by character."""
    found: list[Word] = []
    wide = not sentence.isascii() and _WIDE.search(sentence) is not None
    for match in _WORD.finditer(sentence):
        surface, start = match.group(), match.start()
        if surface.isalpha() and not wide and len(surface) != 2:
            lower = surface.lower()
            if lower != "cannot":
                found.append(Word(surface, lower, start, start + len(surface)))
                continue
        if wide and len(surface) > 1 and _WIDE.search(surface):
            found.extend(Word(sign, sign, start + place, start + place + 1) for place, sign in enumerate(surface))
        else:
            found.extend(_parts(surface, start))
    return tuple(found)


_CLITICS: Final = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
}


def _parts(surface: str, start: int) -> list[Word]:
    lower = surface.lower().replace("’", "'")
    end = start + len(surface)
    if lower in _CLITICS:
        first, second = _CLITICS[lower]
        return [Word(first, first, start, end), Word(second, second, start, end)]
    if lower.endswith("n't") and len(lower) > 3:
        return [Word(surface[:-3], lower[:-3], start, end - 3), Word("not", "not", end - 3, end)]
    if lower in ("n't", "nt"):
        return [Word(surface, "not", start, end)]
    if lower.startswith("n'") and len(lower) > 3:  # French: n'est pas
        return [Word(surface[:2], "n'", start, start + 2), Word(surface[2:], lower[2:], start + 2, end)]
    if "'" in lower and lower.rsplit("'", 1)[1] in ("s", "re", "m", "ll", "ve", "d"):
        at = lower.rindex("'")
        return [Word(surface[:at], lower[:at], start, start + at), Word(surface[at:], lower[at:], start + at, end)]
    return [Word(surface, lower, start, end)]
