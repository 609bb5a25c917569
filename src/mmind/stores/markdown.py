"""The vault: a folder of Markdown notes, read in place and never written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mmind.stores.containment import ids_beneath, shown_path
from mmind.stores.folder import FolderKind, FolderReader
from mmind.stores.globs import matcher
from mmind.stores.note import is_markdown, read_note
from mmind.stores.registry import EngineOptions
from mmind.stores.scan import ScanRules
from mmind.text.plain import counted
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Changes, Health, Mark

_READ_IN_PLACE = "a vault is read in place and never written"
_WRITTEN_AT_ONCE = (
    "were written at once (a clone, a restore): those without a date of their own count as of unknown age"
)


def open_engine(store: str, location: Path, options: EngineOptions) -> MarkdownEngine:
    """Open the folder as a vault; nothing is read yet, and nothing is ever created."""
    rules = ScanRules(
        takes=is_markdown,
        ignored=matcher(options.ignore),
        excluded=ids_beneath(str(location), map(str, options.exclude)),
        follow_links=options.follow_links,
    )
    return MarkdownEngine(store, location, rules, options.generated)


class MarkdownEngine:
    """A vault: keeps E3, E6 and E8 to E12 of `values.ports.Engine`, and refuses to write."""

    def __init__(self, store: str, location: Path, rules: ScanRules, generated: Sequence[str]) -> None:
        is_generated = matcher(generated)

        def trust(place: str) -> Trust:
            return Trust.GENERATED if is_generated(place) else Trust.CURATED

        kind = FolderKind(
            interpret=lambda id_, found, content: read_note(store, id_, found, content, trust(found.place)),
            mark=(lambda place: "g" if is_generated(place) else "") if generated else None,
        )
        self._reader = FolderReader(location, rules, kind)
        self._where = shown_path(self._reader.root)

    def get(self, id: str) -> Memory | None:
        """The note at this path in the vault, or None; nothing that a scan would leave out."""
        return self._reader.get(id, self._reader.find(id))

    def put(self, memory: Memory) -> Memory:
        """Refuse: raises EngineUnavailable."""
        hint = "choose another store, or write the note in your editor"
        raise EngineUnavailable(f"nothing can be stored in {memory.store}: {_READ_IN_PLACE}", hint=hint)

    def delete(self, id: str) -> bool:
        """Refuse: raises EngineUnavailable."""
        hint = "delete the note in your editor"
        raise EngineUnavailable(f"{id} cannot be deleted: {_READ_IN_PLACE}", hint=hint)

    def changes(self, since: Mark) -> Changes:
        """What is new, changed or gone since the mark. Raises EngineUnavailable when the vault cannot be listed."""
        return self._reader.changes(since)

    def health(self) -> Health:
        """Whether the vault is there; the count is that of the last scan."""
        fault = self._reader.fault()
        if fault:
            return Health(usable=False, where=self._where, reason=fault.message, hint=fault.hint)
        count = self._reader.count()
        if count == 0:
            hint = "check that this is the folder that your notes lie in"
            return Health(True, self._where, 0, "there are no Markdown notes (.md, .markdown) in it", hint)
        copies = self._reader.copies
        notes = (f"{counted(copies, 'note', 'notes')} {_WRITTEN_AT_ONCE}",) if copies else ()
        return Health(usable=True, where=self._where, entries=count, notes=notes)

    def close(self) -> None:
        """Nothing is held open."""
