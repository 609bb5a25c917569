"""A memory cut into passages, with all that a search needs of each; one way for the index and for served engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mmind.text.embedded import digest, embedded_text
from mmind.text.fields import PassageTokens, passage_tokens, weighted
from mmind.text.passages import cut
from mmind.text.spelling import spellings
from mmind.values.memory import Memory, Passage


@dataclass(frozen=True, slots=True)
class PreparedPassage:
    """A passage with its tokens, its weighted length, and the key of its vector."""

    passage: Passage
    tokens: PassageTokens
    length: float
    digest: bytes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A memory, ready to be written; `spellings` are its words as they are spelled, each with its term."""

    memory: Memory
    passages: tuple[PreparedPassage, ...]
    spellings: Mapping[str, str]

    def texts_to_embed(self) -> dict[bytes, str]:
        """What stands for each passage when it is embedded, by the key of its vector."""
        return {one.digest: _embedded(self.memory, one.passage) for one in self.passages}


def prepare(memory: Memory) -> Prepared:
    """Cut and tokenise a memory. Raises UnicodeEncodeError where its id or text cannot be written as UTF-8."""
    for part in (memory.id, memory.path, memory.title, memory.text, memory.session, memory.writer, *memory.tags):
        part.encode()
    passages = cut(memory.text, memory.format)
    if not passages and (memory.title or memory.aliases or memory.tags):
        passages = [Passage(0, "", 1, 1)]  # an empty note is found by its name
    prepared = tuple(_prepared(memory, passage) for passage in passages)
    terms = set[str]().union(*(_terms(one.tokens) for one in prepared))
    # The letters before an apostrophe (`doesn't`) are no word that anything is found by.
    known = {word: term for word, term in spellings(_texts(memory, passages)).items() if term in terms}
    return Prepared(memory, prepared, known)


def _terms(held: PassageTokens) -> list[str]:
    return f"{held.title} {held.heading} {held.body}".split()


def _texts(memory: Memory, passages: Sequence[Passage]) -> Iterator[str]:
    """All that the passages of a memory are found by."""
    yield "\n".join((memory.title, *memory.aliases, *memory.tags, *memory.links))
    yield from dict.fromkeys("\n".join(passage.heading) for passage in passages)
    yield from (passage.text for passage in passages)


def _prepared(memory: Memory, passage: Passage) -> PreparedPassage:
    tokens = passage_tokens(memory.title, memory.aliases, memory.tags, memory.links, passage.heading, passage.text)
    _, length = weighted(tokens, ())
    return PreparedPassage(passage, tokens, length, digest(_embedded(memory, passage)))


def _embedded(memory: Memory, passage: Passage) -> str:
    return embedded_text(memory.title, passage.heading, passage.text)
