"""What `store`, `get`, `forget` and `sources` answer."""

from __future__ import annotations

from dataclasses import dataclass

from mmind.values.bundle import Conflict
from mmind.values.errors import MmindError
from mmind.values.memory import Access, Memory, Trust
from mmind.values.ports import Freshness, Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A write that is durable. `is_new` is False when the same content was kept already; `note` then says so.

    `conflicts` are pairs of this memory and another one that cannot both hold, where these were looked for.
    """

    memory: Memory
    is_new: bool
    note: str = ""
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One memory in full, or a part of it.

    `text` starts at character `offset` (line `line_start`, from 1) of the memory's text; `next_offset` is where to
    read on, or None at the end. `memory.text` is empty here. `flags` are labels of the text, as a result has them.
    """

    memory: Memory
    text: str
    offset: int
    line_start: int
    line_end: int
    total_characters: int
    total_lines: int
    next_offset: int | None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStatus:
    """One store as `sources` shows it. `entries` is -1 where nobody counted; `trust` None: the writer decides."""

    name: str
    role: str
    engine: str
    access: Access
    trust: Trust | None
    half_life_days: float
    usable: bool
    where: str
    entries: int
    reason: str
    hint: str
    notes: tuple[str, ...]
    index: Freshness | None
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedModel:
    """What came of a try of the model, whose `identity` is "" where none is in use.

    `english` and `others` say why a text in English, and one in another language, gets no vector; None where it does.
    Where one model reads all languages they are the same.
    """

    identity: str
    english: MmindError | None = None
    others: MmindError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Everything `sources` says: the stores, and the embedder (`model` is "" where words alone answer).

    `audit_fault` says why the audit log cannot be written, if so; every write fails until it can.
    """

    stores: tuple[StoreStatus, ...]
    model: str
    model_note: str
    leaves_machine: bool
    home: str
    version: str
    audit_fault: str = ""
