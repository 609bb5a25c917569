"""A case's world, made real: a vault on disk, engines with memories in them, and an index over all of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from unittest.mock import patch

from evals.case import NOW, Case, Kept
from evals.remembering import Remembering
from mmind import wiring
from mmind.config.rules import rules_of
from mmind.config.settings import Settings, load
from mmind.embedding.choose import open_embedder
from mmind.router import parse
from mmind.router.candidate import Candidate
from mmind.router.fan_out import values
from mmind.router.gather import gather
from mmind.router.retrieve import Found, World
from mmind.router.write import content_id
from mmind.values.bundle import Bundle
from mmind.values.memory import Memory, StorePolicy, TextFormat
from mmind.values.ports import Embedder, Rules

OTHER_TALK = (
    "The minutes of the last meeting were read out and nobody had anything to add to them.",
    "Somebody asked about the coffee machine, and it was agreed to look into it in the autumn.",
    "A short break followed, with biscuits, and the windows were opened for a while.",
    "There was some talk about the weather, the new carpet, and where everybody would spend the holidays.",
    "Thanks were given to those who had stayed late to put the chairs away.",
    "The list of people who were present went round and came back with a stain on it.",
    "A picture of the summer party was shown, and it was hard to tell who stood where.",
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A world that stands: what a retrieve may touch, the rules in force, and the data home."""

    world: World
    rules: Rules
    home: Path


@contextmanager
def opened(case: Case, folder: Path, embedder: Embedder | None) -> Iterator[Opened]:
    """The world of a case, kept in `folder`, with every memory in its store at its own time.

    The embedder is shared with other worlds: loading a model takes longer than all the rest.
    """
    vault = folder / "vault"
    vault.mkdir(parents=True)
    with standing(settings_in(folder, vault, case), embedder) as empty:
        for memory in case.memories:
            keep(memory, vault, empty.world)
        empty.world.indexer.complete(lambda _: None, rebuild=False)
        yield empty


@contextmanager
def standing(settings: Settings, embedder: Embedder | None) -> Iterator[Opened]:
    """The world that the settings describe, with this embedder in place of theirs; closed at the end."""
    with patch.object(wiring, "open_embedder", lambda *_: embedder):
        world = wiring.open_world(settings, lambda: NOW)
    try:
        yield Opened(world, rules_of(settings), settings.home)
    finally:
        world.indexer.close()
        world.fan_out.close()
        for store in world.stores.values():
            if store.engine is not None:
                store.engine.close()


def model() -> Embedder | None:
    """The local model, or whatever MMIND_EMBED_MODEL names; no key is read, so nothing leaves the machine."""
    embedder = open_embedder(os.environ.get("MMIND_EMBED_MODEL", "local"), "", "")
    return Remembering(embedder) if embedder else None


def request_of(case: Case, known: Sequence[str]) -> parse.Request:
    """The case's query and arguments as a request to the stores that are known."""
    return parse.Request(
        text=parse.parse_text(case.query),
        limit=case.limit,
        stores=parse.parse_stores(case.stores, known),
        since=parse.parse_time("since", case.since),
        until=parse.parse_time("until", case.until),
        tags=parse.parse_tags(case.tags),
        session=case.session,
        max_tokens=parse.MOST_TOKENS,
    )


def candidates_of(found: Found, policies: Mapping[str, StorePolicy]) -> list[Candidate]:
    """Every candidate with its raw signals, before anything of ranking is decided."""
    return gather(values(found.answers), policies, found.query, found.statistics, use_meaning=found.use_meaning)


def settings_in(folder: Path, vault: Path, case: Case) -> Settings:
    """The defaults, in a data home of their own. Ranking variables of the environment count, to try values out."""
    ranking = {name: value for name, value in os.environ.items() if name.startswith("MMIND_RANK_")}
    return load({"MMIND_HOME": str(folder / "home"), **ranking, **case.settings}, str(vault))


def keep(memory: Kept, vault: Path, world: World) -> None:
    """Put one memory where it belongs: a note on disk with its time as mtime, or a row of an engine."""
    if memory.store == "markdown":
        for place in note_places(memory):
            note = vault / place
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(whole_text(memory), "utf-8")
            os.utime(note, (memory.time.timestamp(), memory.time.timestamp()))
        return
    engine = world.stores[memory.store].engine
    if engine is None:
        raise RuntimeError(f"the {memory.store} store is off: {world.stores[memory.store].fault}")
    for id_ in ids(memory):
        engine.put(replace(as_memory(memory), id=id_))


def as_memory(memory: Kept) -> Memory:
    """The memory as the router would have written it at its time."""
    return Memory(
        store=memory.store,
        id=content_id(whole_text(memory), memory.session),
        text=whole_text(memory),
        title=memory.title,
        tags=memory.tags,
        created=memory.time,
        time=memory.time,
        time_kind="stored",
        trust=memory.trust,
        writer=memory.by,
        session=memory.session,
        format=TextFormat.MARKDOWN,
    )


def whole_text(memory: Kept) -> str:
    """The text with the other talk before it."""
    return "\n\n".join((*islice(cycle(OTHER_TALK), memory.padding), memory.text))


def note_places(memory: Kept) -> list[str]:
    """Where a note and its copies lie, relative to the vault."""
    name = f"{memory.title or memory.ref}.md"
    return [name, *(f"copy {number}/{name}" for number in range(2, memory.copies + 1))]


def ids(memory: Kept) -> list[str]:
    """The ids of a memory and its copies within their store."""
    if memory.store == "markdown":
        return note_places(memory)
    first = content_id(whole_text(memory), memory.session)
    return [first, *(f"{first}{number}" for number in range(2, memory.copies + 1))]


def handles(case: Case) -> dict[str, str]:
    """Each memory's handle, as answers name it, to its name in the case; a copy has the name of its original."""
    return {f"{memory.store}:{id_}": memory.ref for memory in case.memories for id_ in ids(memory)}


def places(bundle: Bundle, names: dict[str, str]) -> list[list[str]]:
    """The results in order, each as the case's names of all memories that it stands for."""
    return [[names.get(place.id, place.id) for place in result.evidence] for result in bundle.results]
