"""After scoring: does a note answer by its properties or by its prose? The one that is nearer to the question speaks.

`birthday: 1961-04-02` is short and holds the rare words of "what does Ingrid want for her birthday", so it is found
before the long passage in which the answer is one sentence of several. So the lines of the one and the sentences of the
other that hold words of the question are held against it, line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import islice

from mmind.router.candidate import Candidate
from mmind.router.second_look import Match
from mmind.text.embedded import embedded_text
from mmind.text.labels import is_record
from mmind.text.sentences import sentences
from mmind.text.tokens import tokens
from mmind.values.bundle import Factor
from mmind.values.errors import MmindError
from mmind.values.ports import Embedder
from mmind.values.query import Query

# How near each text is to the question: its cosine and its match (`router.second_look`) added up; None: cannot tell. Of
# 37 questions of ours with a property and a sentence that share the word which both are found by, the sum tells 32
# (the cosine 31, the match 30).
Near = Callable[[Sequence[str]], Sequence[float] | None]

MOST_NOTES = 3  # of a page, the first ones; each costs up to six runs of the model over a line
LEAST_SHARE = 0.5  # of the best score: what has less is not what was asked for
MOST_LINES = 3  # of a passage, those with most words of the question


def near_of(query: Query, embedder: Embedder | None, match: Match | None) -> Near | None:
    """How near texts are to the question, where its model is on this machine: a service would be asked once more."""
    if embedder is None or match is None or query.vector is None or not embedder.is_local:
        return None
    vector = query.vector

    def near(texts: Sequence[str]) -> list[float] | None:
        import numpy as np

        matches = match(texts)
        if matches is None:
            return None
        cosines = np.einsum("ij,j->i", embedder.embed(list(texts)), np.asarray(vector, np.float32)).tolist()
        return [cosine + one for cosine, one in zip(cosines, matches, strict=True)]

    return near


def with_the_spoken_first(
    candidates: Sequence[Candidate], terms: Collection[str], near: Near | None
) -> list[Candidate]:
    """The candidates, best first, of the best notes that passage before the others which speaks for the note.

    It takes the score of the one that was found before it, by a factor that says so. Without `near` prose speaks, or
    properties do, where it holds every word of the question that the other holds, and more.
    """
    found = list(candidates)
    least = LEAST_SHARE * found[0].score.value if found else 0.0
    rivals = (_rival(best, found, terms) for best in _best_of_notes(found) if best.score.value >= least)
    for best, other in islice((pair for pair in rivals if pair), MOST_NOTES):
        if _speaks(other, best, terms, near):
            found.remove(other)
            found.insert(found.index(best), _in_place_of(best, other))
    return found


def _best_of_notes(candidates: Sequence[Candidate]) -> list[Candidate]:
    best: dict[str, Candidate] = {}
    for one in candidates:
        best.setdefault(one.memory.handle, one)
    return list(best.values())


def _rival(
    best: Candidate, candidates: Sequence[Candidate], terms: Collection[str]
) -> tuple[Candidate, Candidate] | None:
    """The passage of the other kind that holds as many words of the question, if those found first lack some."""
    is_properties, held = is_record(best.passage.text), _held(best, terms)
    if is_properties and len(held) == len(terms):
        return None
    for one in candidates:
        is_other = one.memory.handle == best.memory.handle and one is not best
        if is_other and is_record(one.passage.text) is not is_properties and held <= _held(one, terms):
            return best, one
    return None


def _held(candidate: Candidate, terms: Collection[str]) -> set[str]:
    counts = candidate.hit.counts or {}
    return {term for term in terms if counts.get(term, 0.0) > 0.0}


def _speaks(other: Candidate, best: Candidate, terms: Collection[str], near: Near | None) -> bool:
    """Whether the other passage answers in place of the one that was found first."""
    ours, theirs = _lines(best, terms), _lines(other, terms)
    try:
        told = near([*ours, *theirs]) if near is not None and ours and theirs else None
    except MmindError:  # the model was let go of meanwhile
        told = None
    if told is None:
        return _held(best, terms) < _held(other, terms)
    return max(told[len(ours) :]) > max(told[: len(ours)])


def _lines(candidate: Candidate, terms: Collection[str]) -> list[str]:
    """The lines of properties, or sentences of prose, with most words of the question, as they would be embedded."""
    text = candidate.passage.text
    parts = text.split("\n") if is_record(text) else sentences(text)
    counted = [(len(set(tokens(part)).intersection(terms)), part) for part in parts]
    best = sorted((one for one in counted if one[0]), key=lambda one: -one[0])[:MOST_LINES]
    return [embedded_text(candidate.memory.title, candidate.passage.heading, part.strip()) for _, part in best]


def _in_place_of(best: Candidate, other: Candidate) -> Candidate:
    kind = "properties" if is_record(best.passage.text) else "text"
    reason = f"answers more closely than the {kind} of its note that were found first"
    inputs = {"score_of_the_first": best.score.value}
    factor = Factor("spoken", best.score.value / other.score.value, reason, inputs)
    return replace(
        other,
        score=other.score.times(factor),
        confidence=max(best.confidence, other.confidence),
        standing=best.standing,
    )
