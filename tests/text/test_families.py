"""Words of one family that the stemmer keeps apart."""

from __future__ import annotations

import pytest

from mmind.text.families import families, has_kin
from mmind.text.tokens import tokens


@pytest.mark.parametrize(
    ("asked", "held"),
    [("handle", "handler"), ("processor", "process"), ("Kaffee", "Kaffeemaschine"), ("process", "processing step")],
)
def test_kin_is_found_whichever_is_longer(asked: str, held: str) -> None:
    assert has_kin(tokens(asked)[0], families(tokens(held)))


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("plan", "plane"),
        ("care", "careless"),
        ("power", "powerless"),
        ("2026", "20261"),
        ("v1.2.3", "v1.2.34"),
        ("key", ""),
    ],
)
def test_short_words_numbers_and_what_lacks_it_are_no_kin(asked: str, held: str) -> None:
    assert not has_kin(tokens(asked)[0], families(tokens(held)))
