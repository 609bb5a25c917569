"""The three fields of a passage that the index keeps as tokens, and what a token in each of them weighs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mmind.text.tokens import tokens

# A title says what the whole note is about, a heading what the passage is about; both in few words.
TITLE_WEIGHT = 2.0
HEADING_WEIGHT = 1.5
BODY_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class PassageTokens:
    """The tokens of a passage by field, each field as one string with spaces between tokens, as the index stores it."""

    title: str
    heading: str
    body: str


def passage_tokens(
    title: str, aliases: Sequence[str], tags: Sequence[str], links: Sequence[str], heading: Sequence[str], body: str
) -> PassageTokens:
    """Tokens of one passage of a memory.

    The title field holds title and aliases. The heading field holds the heading path, the tags and those links that
    the body does not hold itself (links of properties); each adds its tokens only once.
    """
    title_tokens, named = _of_memory((title, *aliases), (*tags, *links))
    body_tokens = tokens(body)
    seen = {*body_tokens, *title_tokens} if named else set()
    return PassageTokens(
        title=" ".join(title_tokens),
        heading=" ".join([*tokens("\n".join(heading)), *(token for token in named if token not in seen)]),
        body=" ".join(body_tokens),
    )


@lru_cache(maxsize=8)
def _of_memory(titles: tuple[str, ...], named: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct tokens of a memory's titles and of its tags and links; all passages of one memory ask for the same."""
    return tuple(dict.fromkeys(tokens("\n".join(titles)))), tuple(dict.fromkeys(tokens("\n".join(named))))


def weighted(fields: PassageTokens, terms: Collection[str]) -> tuple[dict[str, float], float]:
    """Count of each term that is present, and length of the passage, both weighted by field as in BM25F.

    A simple extension of BM25 to fields adds up the counts before they saturate: Robertson, Zaragoza and Taylor 2004,
    Simple BM25 extension to multiple weighted fields.
    """
    asked = terms if isinstance(terms, (set, frozenset)) else frozenset(terms)
    counts: dict[str, float] = {}
    length = 0.0
    for field, weight in ((fields.title, TITLE_WEIGHT), (fields.heading, HEADING_WEIGHT), (fields.body, BODY_WEIGHT)):
        words = field.split(" ") if field else []
        length += weight * len(words)
        for word in [word for word in words if word in asked]:
            counts[word] = counts.get(word, 0.0) + weight
    return counts, length


def joined(fields: PassageTokens) -> str:
    """The tokens of all fields as one text: no token holds white space, so a line break parts the fields."""
    return f"{fields.title}\n{fields.heading}\n{fields.body}"


def parted(tokens: str) -> PassageTokens:
    """The inverse of `joined`."""
    return PassageTokens(*tokens.split("\n"))
