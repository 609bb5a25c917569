"""Words of one family that the stemmer keeps apart: handle and handler, Kaffee and Kaffeemaschine.

One begins with the other, of five letters or more (`text.lexicon.one_family`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mmind.text.lexicon import SHORTEST_OF_FAMILY, one_family


def families(terms: Iterable[str]) -> dict[str, list[str]]:
    """The terms that may have kin, by how they begin."""
    found: dict[str, list[str]] = {}
    for term in terms:
        if _may_have_kin(term):
            found.setdefault(term[:SHORTEST_OF_FAMILY], []).append(term)
    return found


def has_kin(term: str, among: Mapping[str, Sequence[str]]) -> bool:
    """Whether one of `families` is of the family of a term."""
    return _may_have_kin(term) and any(one_family(term, other) for other in among.get(term[:SHORTEST_OF_FAMILY], ()))


def _may_have_kin(term: str) -> bool:
    return len(term) >= SHORTEST_OF_FAMILY and term.isalpha()
