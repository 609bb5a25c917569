"""Which words some texts write as names of things: Osprey, Harbour.

English tells by capitals: a common noun has none in the middle of a sentence. A word that a text also writes small is
no name. German, which writes every noun with a capital, has none of the small words that are looked for before one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Final

from mmind.text.lexicon import lemma, vocabulary

_PEOPLE: Final = "|".join(sorted(vocabulary("titles of people")))
_NAME: Final = rf"(?!(?:{_PEOPLE})\b)[A-Z][a-z]\w*"
_AFTER_A_WORD: Final = re.compile(rf"(?<![\w'’-])(?:{'|'.join(sorted(vocabulary('before a name')))}) ({_NAME})")
_DEFINED: Final = re.compile(rf"(?:^|[.!?]\s)({_NAME}) (?:is|was) (?:an?|the|our|my|his|her|their)\b", re.MULTILINE)
_SMALL: Final = re.compile(r"(?<![\w'’])[a-z]{2,}")
_OF_SOMEBODY: Final = re.compile(
    rf"\b(?:{_PEOPLE})\.? ({_NAME})"
    rf"|\b({_NAME}) (?:{'|'.join(sorted(vocabulary('said by people')))})\b"
)
_DATES_AND_PLACES: Final = frozenset(
    map(lemma, (*vocabulary("months"), *vocabulary("weekdays"), *vocabulary("countries")))
)


def names_of_things(texts: Iterable[str]) -> frozenset[str]:
    """The lemmas of what the texts name with a capital, without people, dates and countries. Linear in the length.

    A name stands after a small word (`the limit of Osprey`), or a sentence begins with it and says what it is (`Heron
    is the picture service`).
    """
    whole = "\n".join(texts)
    named = _lemmas(chain(_AFTER_A_WORD.findall(whole), _DEFINED.findall(whole)))
    if not named:
        return named
    people = chain.from_iterable(_OF_SOMEBODY.findall(whole))
    return named - _lemmas(_SMALL.findall(whole)) - _lemmas(people) - _DATES_AND_PLACES


def _lemmas(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(lemma, {word.lower() for word in words if word}))
