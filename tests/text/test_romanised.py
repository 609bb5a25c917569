from __future__ import annotations

import random

import pytest

from mmind.text.romanised import LONGEST, holds_name, names_in, romanised, sounds_alike


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Bulgakov", "Булгаков"),
        ("Bulgakov", "Булгаковым"),
        ("Dostoevsky", "Достоевского"),
        ("Tchaikovsky", "Чайковский"),
        ("Tchaikovsky", "Tschaikowski"),
        ("Shevchenko", "Шевченко"),
        ("Kyiv", "Київ"),
        ("Anna", "Анны"),
        ("Olga", "Ольгой"),
        ("Thessaloniki", "Θεσσαλονίκη"),
        ("Barcelona", "バルセロナ"),
        ("Barcelona", "바르셀로나"),
        ("Mumbai", "मुंबई"),
        ("Достоевский", "Dostoyevsky"),
    ],
)
def test_one_name_in_two_alphabets_sounds_alike(name: str, written: str) -> None:
    assert sounds_alike(name, written)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Bulgakov", "Булочная"),
        ("Bulgakov", "Волков"),  # one consonant fewer: a vowel parts the two that are of one class
        ("Lena", "Лина"),
        ("Petrov", "Павлов"),
        ("Ivanova", "Николаева"),
        ("Germany", "Deutschland"),  # another name of it
        ("Tokyo", "東京"),  # no letter tells
        ("Bo", "Бо"),  # too short to tell
        ("Anna", ""),
        ("", "Анна"),
    ],
)
def test_other_names_do_not(name: str, written: str) -> None:
    assert not sounds_alike(name, written)


def test_marks_that_are_written_apart_make_no_difference() -> None:
    assert romanised("\u0438\u0306од") == romanised("\u0439од") == "yod"


def test_names_are_words_with_a_capital_or_of_an_alphabet_without_and_katakana_in_japanese() -> None:
    assert names_in("Роман Булгакова, второй том") == {"Роман", "Булгакова"}
    assert names_in("서울 여행") == {"서울", "여행"}
    assert names_in("東京タワーは高い") == {"タワー"}


def test_a_text_holds_a_name_if_and_only_if_one_of_its_words_sounds_like_it() -> None:
    rng = random.Random(4)
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    cyrillic = [consonant + vowel for consonant in "бдфгклмнпрствз" for vowel in "аеиоу"]
    names = ["".join(rng.choices(syllables, k=rng.randint(1, 4))).capitalize() for _ in range(150)]
    texts = [
        " ".join("".join(rng.choices(cyrillic, k=rng.randint(1, 4))).capitalize() for _ in range(60)) for _ in range(10)
    ]
    pairs = [(name, text) for name in names for text in texts]
    held = [holds_name(name, text) for name, text in pairs]
    assert held == [any(sounds_alike(name, one) for one in names_in(text)) for name, text in pairs]
    assert 20 < sum(held) < len(held) - 20


def test_what_is_longer_than_a_name_is_none() -> None:
    assert names_in("Ba" + "ka" * LONGEST) == frozenset()
