"""Still step 4: a memory that is called exactly what was asked is taken to be what was asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from mmind.router.candidate import Candidate
from mmind.text.tokens import query_terms
from mmind.values.query import Hit

# By so much, in words and in meaning, the best of them stands above the best of all others: a tie would be none.
LEAD = 0.02


def with_names(candidates: Sequence[Candidate], terms: Collection[str]) -> list[Candidate]:
    """The candidates, those whose title or alias holds the question's words and no other lifted to the best of all.

    In words and in meaning the best of them comes just above the best of the others; those of the same name keep their
    distance from it, so that of many the fitting one is first. Age and trust decide as ever.
    """
    asked = frozenset(terms)
    named = [is_called(one.hit, asked) for one in candidates]
    if not any(named):
        return list(candidates)
    in_words = _lift([one.lexical for one in candidates], named)
    in_meaning = _lift([_meaning(one) for one in candidates], named)
    return [
        replace(one, lexical=words, meaning=meaning) if is_named else one
        for one, is_named, words, meaning in zip(candidates, named, in_words, in_meaning, strict=True)
    ]


def is_called(hit: Hit, asked: Collection[str]) -> bool:
    """Whether the title or an alias of a hit's memory has the same terms as a question."""
    if not asked or hit.counts is None or len(hit.counts) < len(asked):
        return False  # cheap, and true of nearly all
    names = (hit.memory.title, *hit.memory.aliases)
    return any(frozenset(query_terms(name)) == asked for name in names if name)


def _meaning(candidate: Candidate) -> float | None:
    return candidate.cosine if candidate.meaning is None else candidate.meaning


def _lift(values: Sequence[float | None], named: Sequence[bool]) -> list[float | None]:
    """The values, those of the named ones raised until their best leads; None stays None."""
    told = [(value, is_named) for value, is_named in zip(values, named, strict=True) if value is not None]
    own = max((value for value, is_named in told if is_named), default=0.0)
    others = max((value for value, is_named in told if not is_named), default=None)
    rise = 0.0 if others is None else max(0.0, others + LEAD - own)
    return [
        value + rise if value is not None and is_named else value for value, is_named in zip(values, named, strict=True)
    ]
