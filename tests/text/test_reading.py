"""What is not tried, to save time, would have found nothing: each short cut of the reader against the long way."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.text import alignment, changes, clauses, lexicon, numbers, sentences, times
from mmind.text.claims import read_claim

PIECES = [
    *(
        ". A",
        "… B",
        "! (C",
        "? d",
        '." E',
        ".) F",
        "| a | b |\n",
        " |\n",
        "\n- x",
        "\n* [ ] y",
        "\n12) z",
        "1. item",
        "\n\n",
        "\n",
    ),
    *(
        "\nPort: 80",
        "# Head\n",
        "。",
        "！",
        "？x",
        "word",
        " ",
        "**bold**",
        "_it_",
        "`co_de`",
        "[[link]]",
        "> said",
        "•",
        "Dr.",
        "am 15.",
        " August",
        "im 2. Stock",
        "e.g.",
    ),
    *(
        "don't",
        "can't",
        "n't",
        "cannot",
        "Anna's",
        "n'est",
        "www.a.b/c",
        "https://x.y",
        "a_b",
        "5_%",
        "C++",
        "備份",
        "備a",
        "Straße",
    ),
    *("1,000", "3-4", "5k", "-2", "(", "]", "’s", "\xa0", "\u3000", "x" * 30),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
SAID = datetime(2025, 3, 4, tzinfo=UTC)
WORDS = [
    *("a", "an", "the", "may", "May", "three", "thirty-two", "second", "twice", "half", "5", "5th", "3.11"),
    *("10am", "2024", "2024-05-06", "1,000", "v1.2", "-4", "ago", "days", "today", "last", "month", "next", "year"),
    *(
        "this",
        "march",
        "March",
        "sat",
        "Sat",
        "friday",
        "hundred",
        "hundreds",
        "few",
        "dozen",
        "twenty-fold",
        "triple-checked",
        "one",
    ),
    *("of", "no", ",", ".", "-", "%", "$", "€", "and", "to", "between", "from", "about"),
    *("at", "least", "Python", "is", "was", "port", "9k", "1.5GB", "½", "²", "٣"),
]
SPOKEN = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
PRINTABLE = st.characters(codec="ascii", exclude_categories=["Cc"])


def _pieces_the_long_way(text: str) -> tuple[str, ...]:
    """As `sentences.pieces`, with no pattern spared."""
    found = list[str]()
    pending = ""
    for part in sentences._ENDS.split(text):
        piece = " ".join(sentences._MARKS.sub("", part).split())
        if not piece:
            continue
        is_ordinal = found and sentences._ORDINAL.search(found[-1])
        of_german = sentences._MONTH_IN_GERMAN.match(piece) or (found and sentences._ORDINAL_OF.search(found[-1]))
        if is_ordinal and of_german and not pending:
            pending = found.pop()
        pending = f"{pending} {piece}" if pending else piece
        if not sentences._ABBREVIATION.search(pending):
            found.append(pending)
            pending = ""
    return (*found, pending) if pending else tuple(found)


@given(TEXTS)
def test_a_text_is_cut_where_the_whole_pattern_cuts_it(text: str) -> None:
    assert sentences._cut(text) == sentences._ENDS.split(text)


@given(TEXTS)
def test_what_is_not_looked_through_for_marks_has_none(text: str) -> None:
    if not sentences._MARK_INSIDE.search(text) and not sentences._MARK_BEFORE.match(text):
        assert sentences._MARKS.sub("", text) == text


@given(TEXTS)
def test_pieces_are_those_that_every_pattern_tried_everywhere_gives(text: str) -> None:
    assert sentences.pieces(text) == _pieces_the_long_way(sentences._HEADING.sub(r"\1\n\n", text))


@given(TEXTS)
def test_words_between_blanks_are_the_words_of_the_sentence(text: str) -> None:
    assert sentences.words(text) == sentences._words_of(text)


@given(SPOKEN)
def test_no_quantity_begins_where_none_is_looked_for(sentence: str) -> None:
    parts = sentences.words(sentence)
    passed_over = set(range(len(parts))).difference(numbers._may_begin(parts))
    assert not any(numbers._quantity_at(parts, place) for place in passed_over)


@given(SPOKEN, st.sampled_from([SAID, None]))
def test_no_moment_begins_where_none_is_looked_for(sentence: str, said_at: datetime | None) -> None:
    parts = sentences.words(sentence)
    passed_over = set(range(len(parts))).difference(times._may_begin(parts, said_at))
    assert not any(times._moment_at(parts, place, said_at) for place in passed_over)


@settings(max_examples=500)
@given(st.from_regex(changes._CORRECTING, alphabet=PRINTABLE))
def test_every_correction_that_the_pattern_finds_is_looked_for(sentence: str) -> None:
    assert changes.corrects(sentence, changes.TURNS)


@pytest.mark.parametrize("exchange", changes._EXCHANGES, ids=lambda one: one[0][0].strip())
def test_every_exchange_that_a_pattern_finds_is_looked_for(exchange: tuple[Sequence[str], re.Pattern[str]]) -> None:
    needed, pattern = exchange

    @settings(max_examples=40)
    @given(st.from_regex(pattern, alphabet=PRINTABLE))
    def is_looked_for(sentence: str) -> None:
        assert changes._may_hold(sentence.lower(), needed)

    is_looked_for()


@given(st.from_regex(clauses._WITH_REASON, alphabet=PRINTABLE))
def test_every_reason_that_the_pattern_finds_is_looked_for(sentence: str) -> None:
    assert clauses._attached(sentence) >= 0


@given(st.from_regex(clauses._WITH_ASIDE, alphabet=PRINTABLE))
def test_every_aside_that_the_pattern_finds_is_looked_for(sentence: str) -> None:
    assert clauses._attached(sentence) >= 0


def test_lemmas_with_a_bond_are_in_the_tables_or_begin_or_end_alike() -> None:
    rng = random.Random(1)
    known = sorted(lexicon.tabled())
    plain = ["".join(rng.choices(string.ascii_lowercase, k=rng.randrange(3, 9))) for _ in range(15)]
    said = [*rng.sample(known, 70), *plain]
    said += [prefix + word for prefix, word in product(lexicon.NEGATIVE_PREFIXES, said[-12:])]
    said += [word + end for word, end in product(said[-15:], ("less", "ful", "er"))]
    for left, right in product(said, said):
        if left != right and lexicon.bond(left, right, True) is not None:
            tabled = {left, right} <= lexicon.tabled()
            assert tabled or left[0] == right[0] or left[-1] == right[-1], (left, right)


def test_words_that_share_nothing_are_laid_against_one_another_as_they_were() -> None:
    left = read_claim("The blue door of the shed opens at 9 on Monday until noon.", None)
    right = read_claim("The green gate of the barn closes at 10 on Friday after lunch.", None)
    related = {
        (here, there)
        for here, there in product(range(len(left.terms)), range(len(right.terms)))
        if alignment._bond(left.terms[here], right.terms[there])
    }
    places = range(len(left.terms)), range(len(right.terms))
    found = alignment._related(left.terms, right.terms, *places)
    assert related == {(here, there) for here, bonds in found.items() for there, _ in bonds}
    assert related
