"""A collection inside the product: real engines filled once, indexed, and kept in a cache folder.

All documents get the same time (notes: within hours of it) and the same trust, so that age and tier say nothing about
them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from evals.case import NOW
from evals.retrieval.sets import Collection, Document
from evals.world import Opened, standing
from mmind.config.settings import load
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.ports import Embedder, Progress

STORES = ("markdown", "sqlite", "leveldb", "files", "vector")
PACE = timedelta(seconds=4)  # between the times of two notes: what is written all at once counts as of unknown age
TIME = NOW  # brand-new everywhere: any age would fade faster in a store with a shorter half-life
SCRAP = "scrap-"
FULL = "full"  # this file in a world's folder says that everything is in it


class Spread(StrEnum):
    """Where the documents of a collection lie.

    ONE: all in the sqlite store. SCATTERED: each in one of the five stores, a third of them in a second one as well;
    all agent-written. CURATED: as SCATTERED, all the user's own, so that copies in two stores corroborate each other.
    AS_IS: as SCATTERED, but the notes in the vault are the user's own, as they are by default: they have more trust.
    NOTES: documents whose id starts with `SCRAP` are an agent's, in the sqlite store; all others are the vault's notes.
    """

    ONE = "one"
    SCATTERED = "scattered"
    CURATED = "curated"
    AS_IS = "as-is"
    NOTES = "notes"


@contextmanager
def opened(
    collection: Collection, spread: Spread, cache: Path, embedder: Embedder | None, report: Callable[[Progress], None]
) -> Iterator[Opened]:
    """The collection's world from the cache, or built there first; `report` hears of the indexing."""
    folder = cache / f"{collection.name.replace('/', '-')}-{spread}-{_fingerprint(collection, spread)}"
    if folder.exists() and not (folder / FULL).exists():
        shutil.rmtree(folder)  # building was interrupted
    (folder / "vault").mkdir(parents=True, exist_ok=True)
    generated = {} if spread in (Spread.CURATED, Spread.AS_IS, Spread.NOTES) else {"MMIND_VAULT_GENERATED": "**"}
    settings = load({"MMIND_HOME": str(folder / "home"), **generated}, str(folder / "vault"))
    with standing(settings, embedder) as found:
        if not (folder / FULL).exists():
            _fill(collection, spread, folder / "vault", found)
        found.world.indexer.complete(report, rebuild=False)
        (folder / FULL).touch()
        yield found


def handles(collection: Collection, spread: Spread) -> dict[str, str]:
    """Each memory's handle, as answers name it, to the id of its document."""
    return {
        f"{store}:{_note_name(document) if store == 'markdown' else _key(document)}": document.id
        for document in collection.documents
        for store in places(document, spread)
    }


def places(document: Document, spread: Spread) -> tuple[str, ...]:
    """The stores that hold a document, by a hash of its id."""
    if spread is Spread.ONE:
        return ("sqlite",)
    if spread is Spread.NOTES:
        return ("sqlite",) if document.id.startswith(SCRAP) else ("markdown",)
    number = int.from_bytes(hashlib.sha256(document.id.encode()).digest()[:6], "big")
    first, is_doubled, step = number % 5, number // 5 % 3 == 0, number // 15 % 4
    return (STORES[first], STORES[(first + 1 + step) % 5]) if is_doubled else (STORES[first],)


def _fill(collection: Collection, spread: Spread, vault: Path, empty: Opened) -> None:
    trust = Trust.CURATED if spread is Spread.CURATED else Trust.GENERATED
    for number, document in enumerate(collection.documents):
        for store in places(document, spread):
            if store == "markdown":
                _write_note(document, vault, TIME - number * PACE)
                continue
            engine = empty.world.stores[store].engine
            if engine is None:
                raise RuntimeError(f"the {store} store is off: {empty.world.stores[store].fault}")
            engine.put(_memory(document, store, trust))


def _memory(document: Document, store: str, trust: Trust) -> Memory:
    """The document as the router would have written it."""
    return Memory(
        store=store,
        id=_key(document),
        text=document.text,
        title=document.title,
        created=TIME,
        time=TIME,
        time_kind="stored",
        trust=trust,
        writer="user" if trust is Trust.CURATED else "agent",
        format=TextFormat.MARKDOWN,
    )


def _write_note(document: Document, vault: Path, time: datetime) -> None:
    """A note called as the document's id; what title it has stands in its front matter."""
    front = f"---\ntitle: {_quoted(document.title)}\n---\n" if document.title else ""
    note = vault / _note_name(document)
    note.write_text(front + document.text, "utf-8")
    os.utime(note, (time.timestamp(), time.timestamp()))


def _quoted(title: str) -> str:
    return '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _note_name(document: Document) -> str:
    return f"{document.id.replace('/', '_')}.md"


def _key(document: Document) -> str:
    return hashlib.sha256(document.id.encode()).hexdigest()[:32]


def _fingerprint(collection: Collection, spread: Spread) -> str:
    """Stands for the documents and for how a world is laid out."""
    digest = hashlib.sha256(b"layout 1" if spread is Spread.ONE else b"layout 2")
    for document in collection.documents:
        digest.update(f"{document.id}\0{document.title}\0{document.text}\0".encode())
    return digest.hexdigest()[:10]
