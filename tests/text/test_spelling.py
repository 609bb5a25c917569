"""How words are spelled, and which of those that are known a misspelt one may stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.text.spelling import (
    MOST_FORMS,
    edits,
    halves,
    is_slip,
    other_beginnings,
    spellings,
    term_of,
    transcriptions,
    written_words,
)
from mmind.text.vocabulary import Vocabulary

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.text("abc", max_size=7)


def one_edit_away(word: str) -> set[str]:
    """Every word that one insertion, deletion, replacement or change of neighbours makes of it."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    made = {left + right[1:] for left, right in parts if right}
    made |= {left + right[1] + right[0] + right[2:] for left, right in parts if len(right) > 1}
    made |= {left + letter + right[1:] for left, right in parts if right for letter in LETTERS}
    made |= {left + letter + right for left, right in parts for letter in LETTERS}
    return made - {word}


def naive(one: str, other: str) -> int:
    """Optimal string alignment by its definition."""
    if not one or not other:
        return len(one) + len(other)
    ways = [naive(one[1:], other) + 1, naive(one, other[1:]) + 1, naive(one[1:], other[1:]) + (one[0] != other[0])]
    if len(one) > 1 and len(other) > 1 and (one[0], one[1]) == (other[1], other[0]):
        ways.append(naive(one[2:], other[2:]) + 1)
    return min(ways)


@settings(deadline=None, max_examples=150)
@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_edits_are_those_of_the_definition_as_far_as_they_are_counted(one: str, other: str) -> None:
    assert edits(one, other, 2) == min(naive(one, other), 3)
    assert edits(one, other, 9) == naive(one, other)


@given(WORDS, WORDS)
def test_edits_are_the_same_in_both_directions(one: str, other: str) -> None:
    assert edits(one, other, 2) == edits(other, one, 2)


@pytest.mark.parametrize(
    ("word", "meant", "count"),
    [
        ("manger", "manager", 1),
        ("kuberentes", "kubernetes", 1),
        ("wasching", "washing", 1),
        ("retreivel", "retrieval", 2),
        ("contianmet", "containment", 2),
        ("tset", "test", 1),
        ("nxon", "nixon", 1),
    ],
)
def test_a_slip_of_the_pen_is_seen(word: str, meant: str, count: int) -> None:
    assert is_slip(word, meant) == count


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("manager", "manager"),
        ("form", "farm"),  # of four letters one other letter makes another word
        ("tests", "cats"),
        ("form", "for"),
        ("cat", "act"),
        ("mangr", "managed"),  # two edits of a short word
        ("xatrievel", "retrieval"),  # two edits that leave neither its beginning nor its end
        ("retreivel", "reprieve"),
    ],
)
def test_what_is_further_away_or_too_short_is_no_slip(word: str, meant: str) -> None:
    assert is_slip(word, meant) == 0


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("Soehnke", "söhnke"),
        ("Brüning", "bruening"),
        ("Muesste", "müsste"),
        ("Aarhus", "århus"),
        ("Søren", "soeren"),
        ("ueberpruefen", "überprüfen"),
        ("ueberpruefen", "überpruefen"),
    ],
)
def test_other_transcriptions_of_a_word_are_known(word: str, form: str) -> None:
    assert form in transcriptions(word)


@pytest.mark.parametrize("word", ["Straße", "café", "naïve", "window", "ÆON"])
def test_what_folding_levels_needs_no_transcription(word: str) -> None:
    assert transcriptions(word) == []


def test_a_word_full_of_double_vowels_has_a_bounded_number_of_forms() -> None:
    assert 0 < len(transcriptions("aeoeueaeoeueaeoeueaeoe")) <= MOST_FORMS


def test_only_words_of_letters_are_kept_each_with_its_term() -> None:
    text = "The managers of Söhnke's data_base, order A7731K, v1.2.3, 20.04, https://example.org/x9 and 東京タワー"
    kept = spellings([text, "managers again"])
    assert kept == {
        "managers": "manag",
        "sohnke": "sohnk",
        "data": "data",
        "base": "base",
        "order": "order",
        "https": "https",
        "example": "exampl",
        "again": "again",
    }


def test_the_words_of_a_question_stand_in_its_order_and_as_they_were_typed() -> None:
    assert written_words("Is the Data base up? 12 a 3GB 東京 ") == ["Is", "the", "Data", "base", "up"]


@pytest.mark.parametrize("word", ["the", "whom", "data-base", "", "..."])
def test_small_words_and_what_is_several_have_no_term_to_guess_at(word: str) -> None:
    assert term_of(word) == ""


def test_a_word_is_cut_in_two_at_every_place_that_leaves_three_letters() -> None:
    assert halves("database") == [("dat", "abase"), ("data", "base"), ("datab", "ase")]


def test_another_beginning_is_one_edit_at_the_first_letter_of_a_long_word() -> None:
    found = other_beginnings("uberneted")
    assert {"kuberneted", "buerneted", "berneted", "aberneted"} <= set(found)
    assert "uberneted" not in found


def test_of_a_short_word_the_first_two_letters_may_have_changed_places_and_no_more() -> None:
    assert other_beginnings("amnage") == ["manage"]
    assert other_beginnings("менеджер") == []


def all_of_them(words: Sequence[str]) -> Sequence[str]:
    return words


def shelf(words: Iterable[str]) -> Vocabulary:
    vocabulary = Vocabulary()
    listed = list(enumerate(words, 1))
    for first in {word[0] for _, word in listed}:
        vocabulary.near(first + "?????", lambda first, _: [one for one in listed if one[1][0] == first], all_of_them)
    return vocabulary


@pytest.mark.parametrize("word", ["manager", "kubernetes", "banana", "mississippi", "bookkeeper", "überzug"])
def test_the_signature_of_a_word_hides_none_of_those_one_edit_away(word: str) -> None:
    typed = [one for one in one_edit_away(word) if one[0] == word[0] and is_slip(one, word)]
    vocabulary = shelf([word])
    assert len(typed) > 200
    assert [one for one in typed if vocabulary.near(one, lambda *_: (), all_of_them) != [word]] == []


def test_the_nearest_words_are_given_and_those_further_away_only_where_there_are_none() -> None:
    words = ["retrieval", "retrievals", "reprisal", "manager", "manner", "danger"]
    assert shelf(words).near("retrievel", lambda *_: (), all_of_them) == ["retrieval"]
    assert shelf(words).near("retreivel", lambda *_: (), all_of_them) == ["retrieval"]
    assert sorted(shelf(words).near("manger", lambda *_: (), all_of_them)) == ["manager", "manner"]
    assert shelf(words).near("zanzibar", lambda *_: (), all_of_them) == []


def test_what_came_in_since_is_asked_for_by_the_last_number_of_that_letter() -> None:
    vocabulary, asked = Vocabulary(), list[tuple[str, int]]()
    store = [(3, "manager"), (9, "market")]

    def load(first: str, since: int) -> list[tuple[int, str]]:
        asked.append((first, since))
        return [one for one in store if one[1][0] == first and one[0] > since]

    assert vocabulary.near("manger", load, all_of_them) == ["manager"]
    store.append((12, "manner"))
    assert vocabulary.near("mannner", load, all_of_them) == ["manner"]
    assert vocabulary.near("zebrra", load, all_of_them) == []
    assert asked == [("m", 0), ("m", 9), ("z", 0)]


def test_words_that_are_gone_hide_none_that_are_there() -> None:
    vocabulary = shelf(["manger", "manager", "mangers"])
    assert vocabulary.near("manger", lambda *_: (), {"manager"}.intersection) == ["manager"]
    assert vocabulary.near("manger", lambda *_: (), lambda _: ()) == []
    assert vocabulary.near("manger", lambda *_: (), all_of_them) == ["manger"]


def test_words_are_read_with_their_marks() -> None:
    text = "Mu\u0308nchens Cafe\u0301s, \u0130stanbul, hy\u00adphen\u00adated, word\u200bword"
    assert sorted(spellings([text])) == ["cafes", "hyphenated", "istanbul", "munchens", "wordword"]
