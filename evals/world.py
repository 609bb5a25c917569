"""A case's world, made real: a vault on disk, engines with memories in them, and a mind over all of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evals.case import NOW, Case, Kept
from mmind.config.settings import Settings, load
from mmind.router.retrieve import World
from mmind.router.write import content_id
from mmind.values.bundle import Bundle
from mmind.values.memory import Memory, TextFormat
from mmind.values.ports import Rules
from mmind.wiring import open_world, rules_of


@contextmanager
def opened(case: Case, folder: Path) -> Iterator[tuple[World, Rules]]:
    """The world of a case, kept in `folder`, with every memory in its store at its own time."""
    vault = folder / "vault"
    vault.mkdir(parents=True)
    settings = settings_in(folder, vault)
    world = open_world(settings, lambda: NOW)
    try:
        for memory in case.memories:
            keep(memory, vault, world)
        world.indexer.complete(lambda _: None, rebuild=False)
        yield world, rules_of(settings)
    finally:
        world.indexer.close()
        world.fan_out.close()
        for store in world.stores.values():
            if store.engine is not None:
                store.engine.close()


def settings_in(folder: Path, vault: Path) -> Settings:
    """The defaults, in a data home of their own. Ranking variables of the environment count, to try values out."""
    ranking = {name: value for name, value in os.environ.items() if name.startswith("MMIND_RANK_")}
    return load({"MMIND_HOME": str(folder / "home"), **ranking}, str(vault))


def keep(memory: Kept, vault: Path, world: World) -> None:
    """Put one memory where it belongs: a note on disk with its time as mtime, or a row of an engine."""
    if memory.store == "markdown":
        note = vault / f"{memory.title or memory.ref}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(memory.text, "utf-8")
        os.utime(note, (memory.time.timestamp(), memory.time.timestamp()))
        return
    engine = world.stores[memory.store].engine
    if engine is None:
        raise RuntimeError(f"the {memory.store} store is off: {world.stores[memory.store].fault}")
    engine.put(as_memory(memory))


def as_memory(memory: Kept) -> Memory:
    """The memory as the router would have written it at its time."""
    return Memory(
        store=memory.store,
        id=content_id(memory.text, memory.session),
        text=memory.text,
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


def handles(case: Case) -> dict[str, str]:
    """Each memory's handle, as answers name it, to its name in the case."""
    return {
        f"markdown:{memory.title or memory.ref}.md"
        if memory.store == "markdown"
        else f"{memory.store}:{content_id(memory.text, memory.session)}": memory.ref
        for memory in case.memories
    }


def places(bundle: Bundle, names: dict[str, str]) -> list[list[str]]:
    """The results in order, each as the case's names of all memories that it stands for."""
    return [[names.get(place.id, place.id) for place in result.evidence] for result in bundle.results]
