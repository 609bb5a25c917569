"""Before a question is embedded: what passages that hold its words tell of how the model should read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mmind.embedding.languages import english_by, hears_marks, may_be_either
from mmind.router.spelling import as_written, respelled_text, with_guesses
from mmind.values.query import Guess, Hit, Query

MOST_ASKED = 20  # passages whose language is told: some .1 ms each

Find = Callable[[Query], Sequence[Hit]]  # what all stores find by the words of a query


def with_marks(guesses: list[Guess], query: Query, identity: str, find: Find) -> list[Guess]:
    """The guesses as passages spell them, with their marks (ł), where the model that reads the question hears these."""
    text = respelled_text(query.text, guesses)
    if text == query.text or not hears_marks(identity, text):
        return guesses
    hits = find(replace(query, terms=tuple(term for guess in guesses for term in guess.terms)))
    return as_written(guesses, (f"{hit.memory.title}\n{hit.passage.text}" for hit in hits))


def in_english(query: Query, guesses: Sequence[Guess], identity: str, find: Find) -> bool | None:
    """The language of a question that may be of any ("dinghy"): that of the passages that hold most of its words.

    None where its own text tells, or where nothing does. So a rare word loads no second model in an English vault. Of
    71 German questions of XQuAD, cut to three words, that may be either 71 are told to be German; nDCG@10 .371 to .373.
    """
    if not may_be_either(identity, query.text):
        return None
    held = [(len(hit.counts), hit) for hit in find(with_guesses(query, guesses)) if hit.counts]
    most = max((count for count, _ in held), default=0)
    return english_by([hit.passage.text for count, hit in held if count == most][:MOST_ASKED])
