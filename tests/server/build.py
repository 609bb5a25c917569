"""Values of the router written out, for tests of what the faces make of them."""

from __future__ import annotations

from datetime import UTC, datetime

from mmind.values.bundle import Bundle, Conflict, Evidence, Factor, Fault, Result, Score
from mmind.values.memory import Access, Memory, Trust
from mmind.values.ports import Freshness, Skipped
from mmind.values.reports import Page, Status, StoreStatus

NOON = datetime(2026, 5, 31, 12, tzinfo=UTC)
FACTORS = (
    Factor("relevance", 0.7123456789012345, "words and meaning", {"cosine": 0.61, "bm25": 3.3, "lexical": None}),
    Factor("recency", 0.9876543210987654, "12 days old", {"age_days": 12.345, "floor": 0.4}),
    Factor("trust", 1.15, "curated"),
    Factor("corroboration", 1.12, "also in sqlite", {"stores": 1.0}),
)


def evidence(store: str = "markdown", place: str = "home/rent.md", **changes: object) -> Evidence:
    """A note under two headings, three lines long, edited on a known day."""
    fields: dict[str, object] = {
        "store": store,
        "engine": store,
        "id": f"{store}:{place}",
        "path": f"/vault/{place}",
        "heading": ("Flat", "Money"),
        "line_start": 3,
        "line_end": 5,
        "time": datetime(2026, 5, 19, 8, 30, tzinfo=UTC),
        "time_kind": "front matter",
        "trust": Trust.CURATED,
        "writer": "anna",
    }
    return Evidence(**{**fields, **changes})  # type: ignore[arg-type]


def result(rank: int = 1, text: str = "The rent is 900 euros and due on the 3rd.", **changes: object) -> Result:
    """A result that has everything to say."""
    fields: dict[str, object] = {
        "rank": rank,
        "id": "markdown:home/rent.md",
        "title": "Rent",
        "text": text,
        "tags": ("home", "money"),
        "score": Score(FACTORS),
        "confidence": 0.87654321,
        "weak": False,
        "cut": True,
        "evidence": (evidence(), evidence("sqlite", "k5x2", path="memory.db", heading=(), trust=Trust.GENERATED)),
        "more": ((20, 24),),
        "agrees_with": ("files:lease.txt",),
        "flags": ("instruction_like",),
    }
    return Result(**{**fields, **changes})  # type: ignore[arg-type]


def bundle(*results: Result, **changes: object) -> Bundle:
    """An answer with a conflict, a silent store and a note."""
    fields: dict[str, object] = {
        "query": "how much is the rent?",
        "results": results or (result(),),
        "conflicts": (
            Conflict(
                kind="numeric",
                ids=("markdown:home/rent.md", "sqlite:q7"),
                sentences=("The rent is 900 euros.", "Rent went up to 950 euros."),
                values=("900", "950"),
                trusted="markdown:home/rent.md",
                reason="the user wrote it; the newer one was stored by an agent",
                confidence=0.9,
            ),
        ),
        "faults": (Fault("leveldb", "held by another program", "close it"),),
        "notes": ("12 notes are not indexed yet",),
        "searched": ("markdown", "sqlite"),
        "relevant": True,
        "omitted": 4,
        "now": NOON,
        "elapsed_ms": 12.34,
    }
    return Bundle(**{**fields, **changes})  # type: ignore[arg-type]


def memory(**changes: object) -> Memory:
    """A memory that has everything to say."""
    fields: dict[str, object] = {
        "store": "sqlite",
        "id": "q7",
        "text": "",
        "title": "Rent",
        "tags": ("home",),
        "aliases": ("Miete",),
        "links": ("Lease",),
        "created": NOON,
        "time": NOON,
        "time_kind": "stored",
        "writer": "claude",
        "session": "s1",
        "path": "memory.db",
        "truncated": True,
    }
    return Memory(**{**fields, **changes})  # type: ignore[arg-type]


def page(text: str = "Rent went up to 950 euros.\nFrom June on.\n", **changes: object) -> Page:
    """The first page of a longer memory."""
    fields: dict[str, object] = {
        "memory": memory(),
        "text": text,
        "offset": 0,
        "line_start": 1,
        "line_end": 2,
        "total_characters": 4711,
        "total_lines": 99,
        "next_offset": 41,
    }
    return Page(**{**fields, **changes})  # type: ignore[arg-type]


def status(**changes: object) -> Status:
    """One store in trouble and an embedder that leaves the machine."""
    store: dict[str, object] = {
        "name": "markdown",
        "role": "notes that already exist",
        "engine": "markdown",
        "access": Access.READ,
        "trust": Trust.CURATED,
        "half_life_days": 1095.0,
        "usable": False,
        "where": "/vault",
        "entries": 40,
        "reason": "the folder cannot be read",
        "hint": "check its permissions",
        "notes": ("on a network drive",),
        "index": Freshness("markdown", 40, 120, 3.21, 2, 7, "the last scan failed", "look at the folder"),
        "skipped": (Skipped("big.md", "larger than 2 MiB"),),
    }
    return Status(
        stores=(StoreStatus(**{**store, **changes}),),  # type: ignore[arg-type]
        model="text-embedding-3-small",
        model_note="key works",
        leaves_machine=True,
        home="/data/mmind",
        version="0.1.0",
    )
