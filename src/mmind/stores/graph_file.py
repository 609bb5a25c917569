"""The JSON lines file of the reference MCP memory server (`@modelcontextprotocol/server-memory`), wrapped.

Each line is an entity with its observations, or a relation between two. An entity is a memory here: what was observed
of it, and what it is to others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mmind.disk.refusals import reason, way_out
from mmind.stores.registry import EngineOptions
from mmind.stores.rows import fingerprint_of
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Changes, Health, Mark, Skipped

MOST_BYTES = 64 * 1024 * 1024


def open_engine(store: str, location: Path, options: EngineOptions) -> GraphFileEngine:  # noqa: ARG001 - the registry's signature
    """The engine over the file at `location`; nothing is read yet. All of it was written by agents."""
    return GraphFileEngine(store, location)


@dataclass(slots=True)
class Entity:
    """An entity as the lines of the file give it together."""

    name: str
    kind: str = ""
    observations: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)

    def text(self) -> str:
        """What was observed, a paragraph a statement, and then what it is to others."""
        return "\n\n".join([*self.observations, *self.relations])


class GraphFileEngine:
    """Keeps E3, E6 and E8 to E12 of `values.ports.Engine` over the file, and refuses to write."""

    def __init__(self, store: str, path: Path) -> None:
        self._store = store
        self._path = path

    def get(self, id: str) -> Memory | None:
        """The entity of this name, or None. Raises EngineUnavailable."""
        return next((memory for memory in self._memories([]) if memory.id == id), None)

    def put(self, memory: Memory) -> Memory:
        """Refuse: raises EngineUnavailable."""
        raise EngineUnavailable(
            f"nothing can be stored in {memory.store}: the file is read in place", "use another store"
        )

    def delete(self, id: str) -> bool:
        """Refuse: raises EngineUnavailable."""
        raise EngineUnavailable(f"{id} cannot be deleted: the file is read in place", "delete it with its own server")

    def changes(self, since: Mark) -> Changes:
        """What is new, changed or gone since the mark. Raises EngineUnavailable when the file cannot be read."""
        skipped: list[Skipped] = []
        memories = self._memories(skipped)
        changed = [memory for memory in memories if since.fingerprints.get(memory.id) != memory.fingerprint]
        kept = {memory.id for memory in memories}
        gone = [known for known in since.fingerprints if known not in kept]
        return Changes(iter(changed), gone, "", total=len(changed), skipped=skipped)

    def health(self) -> Health:
        """Whether the file is there and holds entities. Never raises."""
        skipped: list[Skipped] = []
        try:
            memories = self._memories(skipped)
        except EngineError as fault:
            return Health(False, str(self._path), reason=fault.message, hint=fault.hint)
        if not memories and skipped:
            return Health(False, str(self._path), 0, "no line of it is an entity", "wrap the memory server's own file")
        return Health(True, str(self._path), len(memories))

    def close(self) -> None:
        """Nothing is held open."""

    def _memories(self, skipped: list[Skipped]) -> list[Memory]:
        try:
            status = self._path.stat()
            if status.st_size > MOST_BYTES:
                raise EngineUnavailable(f"{self._path} is larger than 64 MiB", "its server is not made for that")
            lines = self._path.read_text("utf-8-sig", errors="replace").split("\n")
        except OSError as error:
            missing = "mount its drive, or wrap it again where it is now"
            rights = "check that this user may read it"
            hint = way_out(error, rights if isinstance(error, PermissionError) else missing)
            raise EngineUnavailable(f"{self._path} cannot be read: {reason(error)}", hint) from None
        time = datetime.fromtimestamp(status.st_mtime, UTC)
        return [self._memory(entity, time) for entity in entities(lines, skipped)]

    def _memory(self, entity: Entity, time: datetime) -> Memory:
        text = entity.text()
        return Memory(
            store=self._store,
            id=entity.name,
            text=text,
            title=entity.name,
            tags=(entity.kind,) if entity.kind else (),
            time=time,
            time_kind="file mtime",
            trust=Trust.GENERATED,
            writer="agent",
            path=f"{self._path}#{entity.name}",
            fingerprint=fingerprint_of(json.dumps([entity.kind, text]).encode()),
        )


def entities(lines: Iterable[str], skipped: list[Skipped]) -> list[Entity]:
    """The entities of the file by name, in its order; lines that are none are added to `skipped`.

    A relation stands with the entity that it goes out from, also where that has no line of its own.
    """
    found: dict[str, Entity] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        match _parsed(line):
            case {"type": "entity", "name": str(name), **rest}:
                entity = found.setdefault(_clean(name), Entity(_clean(name)))
                entity.kind = _clean(rest.get("entityType")) or entity.kind
                entity.observations += _observed(rest.get("observations"))
            case {"type": "relation", "from": str(one), "to": str(other), **rest}:
                said = f"{_clean(one)} {_clean(rest.get('relationType')) or 'is related to'} {_clean(other)}."
                found.setdefault(_clean(one), Entity(_clean(one))).relations.append(said)
            case _:
                skipped.append(Skipped(f"line {number}", "neither an entity nor a relation"))
    return list(found.values())


def _observed(value: object) -> list[str]:
    return [_clean(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _clean(value: object) -> str:
    """A text without what our own stores cannot keep: NUL and half surrogates."""
    if not isinstance(value, str):
        return ""
    return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
