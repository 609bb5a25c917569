"""What words have to do with one another: lemmas, opposites, synonyms, values that shut one another out. English.

The tables are plain text in `text/data`; negative prefixes and suffixes are read by rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from mmind.text.stems import stem

SHORTEST_OF_FAMILY: Final = 5  # letters; `plan` is no kin of `plane`
SURE_LETTERS: Final = 7  # a word so long is seldom another that differs in two letters
NEGATIVE_PREFIXES: Final = ("un", "in", "im", "il", "ir", "dis", "non", "mis", "anti", "de")


def rows(name: str) -> Iterator[str]:
    """The lines of a table in `text/data`, without comments and blank lines."""
    for line in (files("mmind.text") / "data" / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()


def named_lists(name: str) -> dict[str, list[str]]:
    """The lists of a table in `text/data` of rows `name: words`; rows of one name make one list."""
    found: dict[str, list[str]] = {}
    for row in rows(name):
        listed, _, words = row.partition(": ")
        found.setdefault(listed, []).extend(words.split())
    return found


@cache
def _lists() -> Mapping[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in (files("mmind.text") / "data" / "words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            lists[name] += tuple(line.split())
        elif not line.startswith("#"):
            name, _, words = line.partition(": ")
            lists[name] = tuple(words.split())
    return lists


def ordered(name: str) -> tuple[str, ...]:
    """A list of words of `data/words.txt`, in its order."""
    return _lists()[name]


def vocabulary(name: str) -> frozenset[str]:
    """A list of words of `data/words.txt`, as a set."""
    return frozenset(_lists()[name])


@cache
def _irregular() -> Mapping[str, str]:
    forms: dict[str, str] = {}
    for row in (*rows("irregular.txt"), *rows("plurals.txt")):
        lemma, _, others = row.partition(":")
        forms.update(dict.fromkeys(others.split(), lemma))
    return forms


def is_irregular(word: str) -> bool:
    """Whether a lower-case word is an irregular form: a past tense (ran) or a plural (children)."""
    return word in _irregular()


@lru_cache(maxsize=65_536)
def lemma(word: str) -> str:
    """The key under which all forms of a lower-case word meet: its irregular lemma, then its Snowball stem."""
    word = _irregular().get(word, word)
    return word if len(word) < 3 or not word.isascii() else stem(word)


@cache
def _poles() -> Mapping[str, frozenset[tuple[int, int]]]:
    """For each lemma the axes it stands on and the pole: (axis, +1 or -1)."""
    poles: dict[str, set[tuple[int, int]]] = {}
    for axis, row in enumerate(rows("opposites.txt")):
        for sign, words in zip((1, -1), row.split("|"), strict=True):
            for word in words.split():
                poles.setdefault(lemma(word), set()).add((axis, sign))
    return {word: frozenset(found) for word, found in poles.items()}


@cache
def _groups() -> Mapping[str, frozenset[int]]:
    """For each lemma the synonym groups it belongs to."""
    groups: dict[str, set[int]] = {}
    for number, row in enumerate(rows("synonyms.txt")):
        for word in row.split():
            groups.setdefault(lemma(word), set()).add(number)
    return {word: frozenset(found) for word, found in groups.items()}


@cache
def _fields() -> Mapping[str, str]:
    """For each lemma of a field of exclusive values the name of the field."""
    fields: dict[str, str] = {}
    for row in rows("exclusive.txt"):
        name, _, words = row.partition(":")
        for word in words.split():
            fields.setdefault(lemma(word), name)
    return fields


@cache
def verbs() -> frozenset[str]:
    """Lemmas of common verbs."""
    return listed("verbs.txt") | frozenset(lemma(row.partition(":")[0]) for row in rows("irregular.txt"))


@cache
def listed(name: str) -> frozenset[str]:
    """The lemmas of a plain list of words in `text/data`."""
    return frozenset(lemma(word) for row in rows(name) for word in row.split())


@lru_cache(maxsize=16_384)
def opposed(left: str, right: str) -> bool:
    """Whether two lemmas are opposites: by the table, by a negative prefix, or by -less against -ful or nothing."""
    poles = _poles()
    here, there = poles.get(left), poles.get(right)
    if here and there and any((axis, -sign) in there for axis, sign in here):
        return True
    return is_negated_form(left, right) or is_negated_form(right, left)


@cache
def _false_prefixes() -> frozenset[str]:
    """Words that only look as if a negative prefix stood before a word of the opposite meaning."""
    return frozenset(map(lemma, vocabulary("false prefixes")))


def is_negated_form(negative: str, positive: str) -> bool:
    """Whether one lemma is the other with a prefix or ending that denies: unofficial, non-existent, useless."""
    if negative in _false_prefixes() or len(positive) < 3:
        return False
    for prefix in NEGATIVE_PREFIXES:
        if negative == prefix + positive or negative == f"{prefix}-{positive}":
            return True
    bare = negative.removesuffix("less")
    return bare != negative and len(bare) > 2 and bare in (positive, positive.removesuffix("ful"))


@lru_cache(maxsize=16_384)
def synonymous(left: str, right: str) -> bool:
    """Whether two lemmas may stand for one another in one claim: same group, same pole, or one word of one family."""
    if left == right:
        return True
    groups, poles = _groups(), _poles()
    if groups.get(left, frozenset()) & groups.get(right, frozenset()):
        return True
    if poles.get(left, frozenset()) & poles.get(right, frozenset()):
        return True
    return one_family(left, right)


def one_family(left: str, right: str) -> bool:
    """Whether one word begins with the other, of five letters or more: handle and handler, not use and useless."""
    short, long = sorted((left, right), key=len)
    return len(short) >= SHORTEST_OF_FAMILY and long.startswith(short) and not long.endswith("less")


@lru_cache(maxsize=16_384)
def exclusive(left: str, right: str) -> str:
    """The field (colour, weekday, material, …) in which two lemmas are different values, or ""."""
    field = _fields().get(left, "")
    return field if field and left != right and _fields().get(right) == field and not synonymous(left, right) else ""


def respelled(left: str, right: str) -> bool:
    """Whether two lemmas are one word typed differently: all but two letters in order, at least five of them.

    Of a shorter word than seven letters one letter may be missing, or two change places: house and hours are two words.
    """
    if len(left) < 5 or len(right) < 5 or abs(len(left) - len(right)) > 2 or not (left + right).isalpha():
        return False
    short, long = sorted((left, right), key=len)
    head = next((at for at, (one, other) in enumerate(zip(short, long, strict=False)) if one != other), len(short))
    tail = next(
        (at for at, (one, other) in enumerate(zip(short[::-1], long[::-1], strict=False)) if one != other), len(short)
    )
    if len(long) < SURE_LETTERS:
        turned = len(short) == len(long) and sorted(short) == sorted(long) and head + tail >= len(long) - 2
        return head > 0 and (turned or (len(short) < len(long) and head + tail >= len(short)))
    return head > 0 and head + tail >= len(long) - 2


@cache
def tabled() -> frozenset[str]:
    """The lemmas that have opposites, synonyms or rivals in the tables."""
    return frozenset((*_poles(), *_groups(), *_fields()))


class Bond(Enum):
    """What two different words have to do with one another when they fill one slot."""

    SAME = "same"
    OPPOSITE = "opposite"
    RIVAL = "rival"


@lru_cache(maxsize=65_536)
def bond(left: str, right: str, alike: bool) -> Bond | None:
    """The bond between two lemmas; `alike` tells that both are names or neither is, as synonyms must be.

    Lemmas that have one are both `tabled`, or begin with one letter, or end with one.
    """
    if opposed(left, right):
        return Bond.OPPOSITE
    if alike and (synonymous(left, right) or respelled(left, right)):
        return Bond.SAME
    return Bond.RIVAL if exclusive(left, right) else None
