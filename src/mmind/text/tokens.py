"""The words of a text, as the index keeps them and as a query asks for them: one function for both.

What becomes of what:

==========================  ==========================================================================
`Running migrations`        `run` `migrat` (English Snowball stems, plain ASCII words only)
`Café` `Straße` `ΣΊΣΥΦΟΣ`   `cafe` `strass` (stem of strasse) `σισυφοσ`
`getUserById`               `getuserbyid` `get` `user` `by` `id`
`atomic_write_json`         `atomicwritejson` `atom` `write` `json` (so snake, kebab and camel case meet)
`HTTPServerError`           `httpservererror` `http` `server` `error`
`path/to/config-file.yaml`  the whole, `path` `to` `config-file.yaml` `configfil` `config` `file` `yaml`
`v1.2.3` `20.04`            `v1.2.3` `1.2.3` `1.2`, and `20.04`
`C++` `F#` `.NET`           `c++` `f#` `.net` `net`
`1,000` `3GB`               `1000`, and `3gb` `3` `gb`
`don't` `O'Brien` `dog's`   `dont`, `obrien` `brien`, `dog`
`备份运行`                   pairs `备份` `份运` `运行`, and each character, so that a one-character query finds it
`ประเทศ`                    pairs of letters with their marks
🚀                          🚀
==========================  ==========================================================================

A token holds no white space, is at most `LONGEST` characters long and survives SQLite's FTS5 whole under
``tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, chain
from operator import add

from mmind.text.asking import silent_characters, without_asking
from mmind.text.scripts import EMOJI, IDEOGRAPHIC, MARKS, SOUTH_EAST_ASIAN, folded, without_marks
from mmind.text.small_words import small_words_of
from mmind.text.stems import stem

TOKENIZER_VERSION = "1 snowball-english"  # an index made under another version is rebuilt
LONGEST = 128  # characters: hashes and keys fit; of a longer blob only the start is kept
_LONGEST_CHUNK = 256  # a longer run of joined words keeps its words and loses the token for the whole
_MOST_PARTS = 8  # more humps than this in one word are base64 or minified code, not a name
_LONGEST_KNOWN = 24  # characters of what stands between two blanks; what is longer hardly comes again
_QUERY_START = 100_000  # characters of a query that are read; the tools allow 4,000

# A chunk is what people see as one word or one name. Possessive quantifiers keep the scan linear.
_JOINT = r"::|:/{2}|:\\|[._\-/\\:@'’ʼ,‐‑]"


def _chunk(word: str) -> str:
    return rf"(?:(?<![\w.])\.(?=[A-Za-z]{{2}}))?{word}++(?:(?:{_JOINT}){word}++)*+(?:\+\+|#(?!\w))?"


_ASCII_CHUNK = re.compile(_chunk(r"\w"), re.ASCII)
_ANY_CHUNK = re.compile(_chunk(rf"[\w{MARKS}]") + "|" + EMOJI)
_UNSPACED = re.compile(f"([{IDEOGRAPHIC}]+)|([{SOUTH_EAST_ASIAN}]+)")
_FOLDED_RUN = re.compile("[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+")
_CLUSTER = re.compile(f"[^{MARKS}][{MARKS}]*|[{MARKS}]+")

_DATED = re.compile(r"(\d{4}-\d\d-\d\d)[T_](\d\d:\d\d(?::\d\d)?).*", re.DOTALL)
_INITIALS = re.compile(r"[A-Za-z](?:\.[A-Za-z])+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})++(?:\.\d+)?")
_NUMBERS = re.compile(r"[vV]?\d+(?:[.\-:/]\d+)+")
_SEGMENT_JOINT = re.compile(r"[/\\:@]+")
_DOT = re.compile(r"(?<!\d)\.|\.(?!\d)")
_PIECE = re.compile(r"[vV]?\d+(?:[.\-]\d+)+(?![^\W_])|[^._\-]+")
_INNER = re.compile(r"[-_]")
_HUMP = re.compile(r"[A-Z]++(?![a-z])\d*|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|\d+")
_MIXED = re.compile(r"([A-Za-z]+)(\d+)|(\d+)([A-Za-z]+)")
# `long`, `far` and `old` are left out: an answer may say them (300 m long, two years old).
_MEASURED = re.compile(r"\bhow\s+(much|many|often)\b", re.IGNORECASE)
_CONTRACTED = frozenset({"t", "re", "ve", "ll", "d", "m"})


def tokens(text: str) -> list[str]:
    """The index tokens of a text in order, with repeats. Never raises; linear in the length of the text."""
    found: list[str] = []
    if text.isascii():
        for chunk in _ASCII_CHUNK.findall(text):
            found += _known(chunk) if len(chunk) <= 64 else _of_chunk(chunk)
        return found
    for chunk in _ANY_CHUNK.findall(text):
        if chunk.isascii() and len(chunk) <= 64:
            found += _known(chunk)
        elif chunk.isascii() or not _UNSPACED.search(chunk):
            found += _of_chunk(chunk) if len(chunk) > 64 else _known(chunk)
        else:
            found += _of_mixed_scripts(chunk)
    return found


def distinct(text: str) -> frozenset[str]:
    """The distinct index tokens of a text: no token crosses a blank, so what stands between two is looked up whole."""
    found = [_between(chunk) if len(chunk) <= _LONGEST_KNOWN else tokens(chunk) for chunk in set(text.split())]
    return frozenset(chain.from_iterable(found))


def query_terms(text: str, most: int = 64) -> tuple[str, ...]:
    """The distinct terms that a query asks for, in order of first appearance: as many as `most` words have.

    Question words and the like, also those of the language that the query is in, are dropped unless nothing else
    remains; so are `much`, `many` and `often` right after `how`. Of a query with more terms (a pasted page), those that
    it repeats most are kept, as they are what it is about; among equals the longer, as they are rarer.
    A word of two ideographs gives four terms (two of its own, two pairs with its neighbours), so these count a quarter:
    dialogues in Chinese lose 0.06 nDCG@10 when each counts as a word.
    """
    counts = _counts(text)
    small = _small(text, counts)
    asked = [term for term in counts if term not in small]
    if not asked:
        counts = Counter(tokens(text[:_QUERY_START]))
        asked = list(counts)
    if len(asked) > most:
        ranked = sorted(asked, key=lambda term: (-counts[term], -len(term)))
        words = accumulate(0.25 if _is_ideographic(term) else 1.0 for term in ranked)
        kept = {term for term, sum_so_far in zip(ranked, words, strict=True) if sum_so_far <= most}
        asked = [term for term in asked if term in kept]
    return tuple(asked)


def names_something(text: str) -> bool:
    """Whether a query says more than question words and the like."""
    counts = _counts(text)
    return not _small(text, counts).issuperset(counts)


def _counts(text: str) -> Counter[str]:
    """How often a query says each of its terms."""
    return Counter(tokens(without_asking(text[:_QUERY_START])))


def _small(text: str, counts: Mapping[str, int]) -> frozenset[str]:
    """The terms that ask or connect, of the language that a query is in and of English."""
    own = small_words_of(counts, STOP_WORDS) | silent_characters(text)
    return STOP_WORDS | own | _measured(text[:_QUERY_START], counts)


def _measured(text: str, counts: Mapping[str, int]) -> frozenset[str]:
    """The words that only ask for a measure: each that stands after `how` as often as in all of the text."""
    after = Counter(token for word in _MEASURED.findall(text) for token in tokens(word))
    return frozenset(token for token, count in after.items() if count == counts[token])


def repeats(text: str, terms: Collection[str]) -> dict[str, int]:
    """How often a query says each of its terms; only those that it says more than once."""
    counts = _counts(text)
    return {term: counts[term] for term in terms if counts[term] > 1}


def is_unspaced(text: str) -> bool:
    """Whether any of a text is in a script that puts no blank between words, of which the index keeps pairs."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def _is_ideographic(term: str) -> bool:
    return not term.isascii() and _UNSPACED.fullmatch(term) is not None


# English words that ask or connect and name nothing. They are kept unstemmed, so that `does` is not the deer `doe`.
# Left out on purpose: not, no (they carry meaning), us, it in capitals (names), may, will (a month, a person).
STOP_WORDS = frozenset(
    word
    for line in (
        "a all also an and any are am as at be been being but by can could did do does doing for from had has have",
        "having he her here hers him his how i if in into is it its me my of on or our ours please shall she should so",
        "than that the their them then there these they this those to was we were what when where which while who whom",
        "whose why with would you your yours im ive id youre youve theyre weve ill",
        "dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt havent hasnt",
    )
    for word in line.split()
)


@lru_cache(maxsize=1 << 15)
def _between(chunk: str) -> tuple[str, ...]:
    """Tokens of what stands between two blanks, remembered, with its marks."""
    return tuple(tokens(chunk))


@lru_cache(maxsize=1 << 17)
def _known(chunk: str) -> tuple[str, ...]:
    """Tokens of one chunk, remembered: a text repeats its words."""
    return tuple(_of_chunk(chunk))


def _of_mixed_scripts(chunk: str) -> Iterator[str]:
    """A chunk with unspaced script in it: its runs give pairs, what stands between them is read as usual."""
    end = 0
    for run in _UNSPACED.finditer(chunk):
        if end < run.start():
            yield from _of_between(chunk[end : run.start()])
        yield from _of_run(run[0], is_ideographic=run[1] is not None)
        end = run.end()
    if end < len(chunk):
        yield from _of_between(chunk[end:])


def _of_between(text: str) -> Iterator[str]:
    for chunk in _ANY_CHUNK.findall(text):
        yield from _of_chunk(chunk)


def _of_run(run: str, is_ideographic: bool) -> Iterator[str]:
    """Each pair of neighbours, and before them, where a character is a word, each character."""
    if _FOLDED_RUN.fullmatch(run):
        yield from run
        yield from map(add, run, run[1:])
        return
    for start in range(0, len(run), _LONGEST_CHUNK):  # normalizing is quadratic at its worst
        units = _folded_units(run[start : start + _LONGEST_CHUNK + 1])
        if is_ideographic or len(units) == 1:
            yield from units if start == 0 else units[1:]
        yield from map(add, units, units[1:])


def _folded_units(run: str) -> list[str]:
    return [unit[:16] for unit in _CLUSTER.findall(folded(run))]


def _of_chunk(chunk: str) -> Iterator[str]:
    """Tokens of one chunk without unspaced script: the whole, then its parts from left to right."""
    if len(chunk) > _LONGEST_CHUNK:
        for segment in re.split(_JOINT, chunk):
            yield from _of_atom(segment.strip("_")[:LONGEST])
    elif chunk.isascii():
        yield from _of_plain(chunk)
    else:  # a compatibility form may stand for several words
        for piece in _ANY_CHUNK.findall(without_marks(chunk)):
            yield from _of_plain(piece)


def _of_plain(chunk: str) -> Iterator[str]:
    plain = chunk.strip("_")
    dated = _DATED.fullmatch(plain)
    if dated:
        yield from _of_numbers(dated[1])
        yield from _of_numbers(dated[2])
    elif _THOUSANDS.fullmatch(plain):
        yield plain.replace(",", "")
    elif _NUMBERS.fullmatch(plain):
        yield from _of_numbers(plain)
    elif _INITIALS.fullmatch(plain):
        yield folded(plain.replace(".", ""))
    elif "," in plain:
        for part in plain.split(","):
            yield from _of_plain(part)
    elif plain[:1] == ".":
        yield folded(plain)[:LONGEST]
        yield from _of_compound(plain[1:])
    else:
        yield from _of_compound(plain)


def _of_compound(plain: str) -> Iterator[str]:
    segments = [segment for segment in _SEGMENT_JOINT.split(plain) if segment]
    if len(segments) > 1 and len(plain) <= LONGEST:
        yield folded(plain)
    for segment in segments:
        if _NUMBERS.fullmatch(segment):
            yield from _of_numbers(segment)
        else:
            yield from _of_name(segment)


def _of_name(name: str) -> Iterator[str]:
    """A name with dots, such as a file or a module: whole, then each part."""
    parts = [part for part in _DOT.split(name) if part]
    if len(parts) > 1:
        yield folded(name)[:LONGEST]
    for part in parts:
        pieces = _PIECE.findall(part)
        if len(pieces) > 1:
            yield _stemmed(folded(_INNER.sub("", part)))
        for piece in pieces:
            yield from _of_numbers(piece) if _NUMBERS.fullmatch(piece) else _of_atom(piece)


def _of_numbers(numbers: str) -> Iterator[str]:
    """Versions, dates, times: the whole, without its v, each start of two numbers or more, and years and the like."""
    whole = folded(numbers)
    yield whole
    bare = whole.lstrip("v")
    if bare != whole:
        yield bare
    ends = [joint.start() for joint in re.finditer(r"[.\-:/]", bare)]
    yield from (bare[:end] for end in reversed(ends[1:]))
    if "." not in bare:
        yield from (part for part in re.split(r"[\-:/]", bare) if len(part) > 2)


def _of_atom(atom: str) -> Iterator[str]:
    """One word without joints: whole, and its humps when it is in camel case or holds a number at one end."""
    if "'" in atom or "’" in atom or "ʼ" in atom:
        yield from _of_apostrophes(atom)
        return
    whole = folded(atom)
    if not whole:
        return
    yield _stemmed(whole)
    base = atom.rstrip("+#")
    if base != atom:
        if len(base) > 1:
            yield _stemmed(folded(base))
        return
    for part in _humps(atom):
        yield _stemmed(folded(part))


def _of_apostrophes(atom: str) -> Iterator[str]:
    parts = [part for part in re.split("['’ʼ]", atom) if part]
    if len(parts) > 1 and folded(parts[-1]) == "s":
        parts.pop()
    if not parts:
        return
    yield _stemmed(folded("".join(parts)))
    if len(parts) > 1 and folded(parts[-1]) not in _CONTRACTED:
        yield from (_stemmed(folded(part)) for part in parts if len(part) > 1)


def _humps(atom: str) -> list[str]:
    """The parts of `getUserById`, `HTTPServer`, `sha256`, `3GB`; none for a plain word, a hash or a number."""
    if not atom.isascii() or atom.isdigit() or atom[:2] in ("0x", "0X"):
        return []
    mixed = _MIXED.fullmatch(atom)
    if mixed and (atom.isupper() or atom.islower() or mixed[1] is None):
        parts = [part for part in mixed.groups() if part]
    elif atom.islower() or atom.isupper() or atom.istitle() or (atom[-1] == "s" and atom[:-1].isupper()):
        return []
    else:
        parts = _HUMP.findall(atom)
    if not 1 < len(parts) <= _MOST_PARTS:
        return []
    return [part for part in parts if len(part) > 1 or part.isdigit()]


def _stemmed(word: str) -> str:
    """The stem of a plain ASCII word of three letters or more; everything else as it is, at most `LONGEST` long."""
    if len(word) < 3 or len(word) > 32 or not (word.isascii() and word.isalpha()) or word in STOP_WORDS:
        return word[:LONGEST]
    return stem(word)
