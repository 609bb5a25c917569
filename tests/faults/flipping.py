"""One bit turned over, somewhere in the file or the folder of one store: what is whole is still read, what is not is
named."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import mmind.wiring
from mmind.values.door import Door
from mmind.values.errors import EngineDamaged, EngineError
from mmind.values.ports import Mark
from tests.crash.killing import PLACES, Tally, environment, index_complaints, mind_on, opened
from tests.crash.oracle import id_of, text_of

MEMORIES = 60
ASKED_EVERY = 5
TOKENS = [f"k{number}" for number in range(MEMORIES)]
WANTED = {id_of(token): text_of(token) for token in TOKENS}
# How much of a store one bit can take along, by the format: a page of SQLite above others, a block of LevelDB's log.
MOST_LOST = {"sqlite": MEMORIES, "vector": MEMORIES, "leveldb": MEMORIES, "files": 0}


def filled(home: Path) -> None:
    """A home in which each writable store holds the same sixty memories, all indexed; made once."""
    if home.exists():
        return
    with mmind.wiring.open_mind(None, environment(home), Door.AGENT) as mind:
        for store in PLACES:
            for token in TOKENS:
                mind.store(text_of(token), store=store, title=f"About {token}", tags=["kept"])


def flip_often(store: str, place: Path, flips: int, seed: int) -> Tally:
    """Turn over one bit of a store, so many times, each in a fresh copy of one home without an index."""
    rng, tally = random.Random(f"{seed}-flip-{store}"), Tally()
    filled(place / "whole")
    for number in range(flips):
        with _copied(place, "index.db*") as home:
            name = _flip(home / PLACES[store][1], rng)
            said, is_named = _complaints(store, home)
            tally.ended += is_named
            tally.kills += 1
            if number % ASKED_EVERY == 0:
                said += _unanswered(store, home, rng, is_named=is_named)
            tally.complain(said, f"{seed} {name}")
    return tally


def flip_index(place: Path, flips: int, seed: int) -> Tally:
    """Turn over one bit of `index.db`, so many times: the next answers have everything again."""
    rng, tally = random.Random(f"{seed}-flip-index"), Tally()
    filled(place / "whole")
    for _ in range(flips):
        with _copied(place, "nothing") as home:
            name = _flip(home / "index.db", rng)
            tally.kills += 1
            with mind_on(home) as mind:
                mind.index(lambda _: None)
                said = [
                    f"not found: {token}"
                    for token in rng.sample(TOKENS, 4)
                    if not mind.retrieve(f"{token} opens").results
                    or mind.retrieve(f"{token} opens").results[0].id.partition(":")[2] != id_of(token)
                ]
            tally.complain([*said, *index_complaints(home)], f"{seed} {name}")
    return tally


def _flip(target: Path, rng: random.Random) -> str:
    files = [target] if target.is_file() else sorted(file for file in target.rglob("*") if _is_data(file))
    file = rng.choices(files, [one.stat().st_size for one in files])[0]
    data = bytearray(file.read_bytes())
    place, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
    data[place] ^= bit
    file.write_bytes(data)
    return f"{file.name} byte {place} bit {bit}"


def _is_data(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0 and not file.name.startswith((".", "mmind.", "LOG"))


@contextmanager
def _copied(place: Path, without: str) -> Iterator[Path]:
    home = place / "copy"
    shutil.copytree(place / "whole", home, ignore=shutil.ignore_patterns(without))
    try:
        yield home
    finally:
        shutil.rmtree(home)


def _complaints(store: str, home: Path) -> tuple[list[str], bool]:
    """What is wrong with what a fresh engine reads, and whether it named damage."""
    found, fault = _read(store, home)
    lost = [id_ for id_ in WANTED if id_ not in found]
    other = [id_ for id_, text in found.items() if text != WANTED.get(id_)]
    said = []
    if lost and fault is None:
        said.append(f"{len(lost)} lost without a word")
    if len(other) > 1:
        said.append(f"{len(other)} memories are others than were kept")
    if fault is not None and not (fault.hint and isinstance(fault, EngineDamaged)):
        said.append(f"no way out: {fault!r}")
    if len(lost) > MOST_LOST[store]:
        said.append(f"{len(lost)} lost")
    return said, fault is not None


def _read(store: str, home: Path) -> tuple[dict[str, str], EngineError | None]:
    engine, found = opened(store, home), dict[str, str]()
    try:
        for memory in engine.changes(Mark()).changed:
            found[memory.id] = memory.text
    except EngineError as fault:
        return found, fault
    finally:
        engine.close()
    return found, None


def _unanswered(store: str, home: Path, rng: random.Random, *, is_named: bool) -> list[str]:
    """What a mind over the home fails to say: the other stores' memories, and the damage with its way out."""
    token = rng.choice(TOKENS)
    with mind_on(home) as mind:
        bundle = mind.retrieve(f"{token} opens")
        speakers = {place.store for result in bundle.results for place in result.evidence}
        said = [f"silent beside it: {name}" for name in PLACES if name not in speakers and name != store]
        faults = {fault.store: fault for fault in bundle.faults}
        if is_named and (store not in faults or not faults[store].hint):
            said.append(f"damage not named in the answer: {bundle.faults}")
    return said
