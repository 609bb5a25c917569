"""A memory cut into passages, with all that a search needs of each; one way for the index and for served engines."""

from __future__ import annotations

from dataclasses import dataclass

from mmind.text.embedded import digest, embedded_text
from mmind.text.fields import PassageTokens, passage_tokens, weighted
from mmind.text.passages import cut
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
    """A memory, ready to be written."""

    memory: Memory
    passages: tuple[PreparedPassage, ...]


def prepare(memory: Memory) -> Prepared:
    """Cut and tokenise a memory. Raises UnicodeEncodeError where its id or text cannot be written as UTF-8."""
    for part in (memory.id, memory.path, memory.title, memory.text, memory.session, memory.writer, *memory.tags):
        part.encode()
    passages = cut(memory.text, memory.format)
    if not passages and (memory.title or memory.aliases or memory.tags):
        passages = [Passage(0, "", 1, 1)]  # an empty note is found by its name
    return Prepared(memory, tuple(_prepared(memory, passage) for passage in passages))


def _prepared(memory: Memory, passage: Passage) -> PreparedPassage:
    tokens = passage_tokens(memory.title, memory.aliases, memory.tags, memory.links, passage.heading, passage.text)
    _, length = weighted(tokens, ())
    key = digest(embedded_text(memory.title, passage.heading, passage.text))
    return PreparedPassage(passage, tokens, length, key)
