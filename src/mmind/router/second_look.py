"""Before scoring: the few most relevant passages are looked at once more, word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from mmind.router.candidate import Candidate
from mmind.scoring.relevance import looked_again
from mmind.text.embedded import embedded_text
from mmind.values.errors import MmindError

# 7 to 10 gain alike on the dev halves of six public sets, 20 half as much: far down, what shares words is noise.
LOOKED_AT = 8
# Copies of the same text stand side by side; among so many times as many they are looked for.
MOST_COPIES = 4

Match = Callable[[Sequence[str]], Sequence[float] | None]


def with_second_look(
    candidates: Sequence[Candidate], relevance: Callable[[Candidate], float], match: Match | None
) -> list[Candidate]:
    """The candidates, the `meaning` of the best of them moved by how well their words match those of the query.

    `match` depends on the query and the texts alone, so the same finds give the same answer. Passages without a vector
    are not looked at, and nothing moves where `match` cannot tell.
    """
    found = list(candidates)
    if match is None:
        return found
    looked = best_texts(candidates, relevance)
    try:
        matches = match(list(looked)) if looked else None
    except MmindError:  # the model was let go of meanwhile: the first look stands
        return found
    if matches is None:
        return found
    cosines = [_meaning(candidates[places[0]]) for places in looked.values()]
    distance = fmean(matches) - fmean(cosines)
    pairs = ((place, near) for places, near in zip(looked.values(), matches, strict=True) for place in places)
    for place, near in pairs:
        again = looked_again(_meaning(candidates[place]), near, distance, candidates[place].attained or 0.0)
        found[place] = replace(candidates[place], meaning=again, match=near)
    return found


def text_of(candidate: Candidate) -> str:
    """What is looked at: the passage as it was embedded."""
    return embedded_text(candidate.memory.title, candidate.passage.heading, candidate.passage.text)


def best_texts(candidates: Sequence[Candidate], relevance: Callable[[Candidate], float]) -> dict[str, list[int]]:
    """The texts of the most relevant passages that have a vector, best first, each with the places of its copies.

    None in another language than the question, since their words are not compared.
    A text that lies in two stores is one text: it would take the place of another, and weigh twice in the mean.
    """
    with_vector = [place for place, one in enumerate(candidates) if one.cosine is not None and not one.abroad]
    ordered = sorted(with_vector, key=lambda place: (-relevance(candidates[place]), candidates[place].order))
    found: dict[str, list[int]] = {}
    for place in ordered[: MOST_COPIES * LOOKED_AT]:
        text = text_of(candidates[place])
        if text in found or len(found) < LOOKED_AT:
            found.setdefault(text, []).append(place)
    return found


def _meaning(candidate: Candidate) -> float:
    return (candidate.cosine or 0.0) if candidate.meaning is None else candidate.meaning
