"""The `files` engine: a folder of documents of any kind, with an `index.json` that says what is known of each.

Documents that were put here carry their own description (`documents`), so the index can always be made anew. Files
that the user drops into the folder are memories as well: theirs, hence curated, and never overwritten.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from mmind.disk.durable import make_private_folder, remove, remove_leftovers, write_whole
from mmind.disk.locks import held
from mmind.disk.refusals import reason, way_out
from mmind.stores.containment import id_parts, ids_beneath, shown_path
from mmind.stores.documents import LARGEST_DESCRIPTION, Document, document_bytes, document_name, read_document
from mmind.stores.files_index import DAMAGED_NAME, INDEX_NAME, Entry, Index, IndexFile
from mmind.stores.fingerprint import Content, stat_key
from mmind.stores.folder import FolderKind, FolderReader, Reading
from mmind.stores.globs import matcher
from mmind.stores.note import file_time, is_markdown, read_note, read_plain
from mmind.stores.registry import EngineOptions
from mmind.stores.rows import fields_of, memory_of
from mmind.stores.scan import Found, ScanRules
from mmind.text.decode import decode
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Changes, Health, Mark, Skipped

LOCK_SECONDS = 10.0
LOCK_NAME = ".index.lock"
_PEEK_BYTES = 64 * 1024
_INDEXED_FIELDS = ("title", "tags", "created", "updated", "trust", "writer", "session")


def open_engine(store: str, location: Path, options: EngineOptions) -> FilesEngine:
    """Open the folder as a store of documents; nothing is read or created yet."""
    is_ignored = matcher(options.ignore)
    rules = ScanRules(
        takes=lambda _name: True,
        ignored=lambda place: place == INDEX_NAME or place.startswith(DAMAGED_NAME) or is_ignored(place),
        excluded=ids_beneath(str(location), map(str, options.exclude)),
        follow_links=options.follow_links,
    )
    return FilesEngine(store, location, rules, options.generated)


class FilesEngine:
    """Keeps the promises of `values.ports.Engine` in one folder."""

    def __init__(self, store: str, location: Path, rules: ScanRules, generated: Sequence[str]) -> None:
        self._store = store
        self._is_generated = is_generated = matcher(generated)
        kind = FolderKind(
            interpret=self._interpret,
            identify=self._identify,
            place_of=self._place_of,
            mark=(lambda place: "g" if is_generated(place) else "") if generated else None,
        )
        self._reader = FolderReader(location, rules, kind)
        self._root = Path(self._reader.root)
        self._index = IndexFile(self._root)
        self._mutex = threading.Lock()
        self._is_level = False  # whether this process has held the index against the documents
        self._peeked: dict[str, tuple[str, Document | None]] = {}  # place: the key of a file, and what it opens with

    def get(self, id: str) -> Memory | None:
        """The document with this id, or None. Raises EngineUnavailable."""
        return self._reader.get(id, self._locate(id))

    def put(self, memory: Memory) -> Memory:
        """Keep the memory as a document; durable when this returns. Raises EngineUnavailable."""
        with self._writing() as index:
            place = self._place_for(memory, index)
            path = self._path(place)
            write_whole(path, document_bytes(memory))
            index.set(memory.id, _entry(place, fields_of(memory)))
            self._index.write(index)
            kept = self._reader.get(memory.id, Found(place, str(path), path.lstat()))
        if kept is None:
            raise EngineUnavailable(f"{shown_path(str(path))} went away as it was written", hint="store it again")
        return kept

    def delete(self, id: str) -> bool:
        """Remove the document; False when there was none. Raises EngineUnavailable."""
        if self._locate(id) is None:
            return False
        with self._writing() as index:
            found = self._locate(id)
            if found is None:
                return False
            remove(Path(found.path))
            index.drop(id)
            self._index.write(index)
        return True

    def changes(self, since: Mark) -> Changes:
        """What is new, changed or gone since the mark. Raises EngineUnavailable."""
        if not since.fingerprints and not os.path.lexists(self._root):
            return Changes(iter(()), (), since.cursor, total=0)
        damage = self._load().damage
        return self._reader.changes(since, [Skipped(INDEX_NAME, damage)] if damage else [])

    def health(self) -> Health:
        """How the folder is, and what happened to its index. Never raises."""
        where = shown_path(self._reader.root)
        if not os.path.lexists(self._root):
            return Health(usable=True, where=where, entries=0, notes=("empty: nothing was stored yet",))
        fault = self._reader.fault()
        if fault:
            return Health(usable=False, where=where, reason=fault.message, hint=fault.hint)
        return Health(usable=True, where=where, entries=self._reader.count(), notes=tuple(self._notes()))

    def close(self) -> None:
        """Nothing is held open."""

    def _notes(self) -> Iterator[str]:
        damage = self._load().damage
        if damage:
            yield f"{damage}; it is made anew from the documents at the next write"
        kept = [path.name for path in self._root.glob(f"{DAMAGED_NAME}*")]
        if kept:
            yield f"{INDEX_NAME} was damaged and made anew from the documents; kept aside: {', '.join(sorted(kept))}"
        if not os.access(self._root, os.W_OK):
            yield "this user may not write here"

    def _load(self) -> Index:
        try:
            return self._index.load()
        except OSError as error:
            return Index(damage=f"{INDEX_NAME} cannot be read: {reason(error)}")

    def _path(self, place: str) -> Path:
        return self._root.joinpath(*place.split("/"))

    def _is_there(self, place: str) -> bool:
        # Path.is_file raises on a name that is too long, and an id may be any text
        return id_parts(place) is not None and os.path.isfile(self._path(place))  # noqa: PTH113

    # Which memory is in which file

    def _identify(self, files: Sequence[Found]) -> Sequence[str]:
        """The index knows its own files; another file is what it says it is, if nobody else is; or else its path."""
        entries = self._load().entries
        owners = {str(entry["file"]): id_ for id_, entry in entries.items()}
        ids = {found.place: owners[found.place] for found in files if found.place in owners}
        taken = set(ids.values())
        for found in sorted((found for found in files if found.place not in owners), key=lambda found: found.place):
            document = self._peek(found)
            id_ = document.id if document and document.id not in taken else ""
            id_ = id_ or found.place
            while id_ in taken:
                id_ += "~"
            ids[found.place] = id_
            taken.add(id_)
        return [ids[found.place] for found in files]

    def _place_of(self, id_: str) -> str:
        entry = self._load().entries.get(id_)
        return str(entry["file"]) if entry else id_

    def _peek(self, found: Found) -> Document | None:
        key = stat_key(found.status)
        if found.place not in self._peeked or self._peeked[found.place][0] != key:
            self._peeked[found.place] = (key, self._read_description(found))
        return self._peeked[found.place][1]

    def _read_description(self, found: Found) -> Document | None:
        if not is_markdown(found.place):
            return None
        try:
            start = self._reader.content(found, _PEEK_BYTES)
            if start.is_cut and start.data.startswith(b"---") and read_document(start.data) is None:
                start = self._reader.content(found, LARGEST_DESCRIPTION + _PEEK_BYTES)
        except OSError:
            return None
        document = read_document(start.data)
        return replace(document, body=b"") if document else None

    def _locate(self, id_: str) -> Found | None:
        """The file of a memory: where the index says, else wherever it turns up. Raises EngineUnavailable."""
        if not os.path.lexists(self._root):
            return None
        entry = self._load().entries.get(id_)
        found = self._reader.find(str(entry["file"])) if entry else None
        return found or dict(self._reader.scan()).get(id_)

    # What a file means

    def _interpret(self, id_: str, found: Found, content: Content) -> Reading:
        entry = self._load().entries.get(id_, {})
        document = read_document(content.data)
        trust = Trust.CURATED
        if self._is_generated(found.place) or entry.get("trust", Trust.CURATED) != Trust.CURATED:
            trust = Trust.GENERATED
        if document:
            return self._interpret_document(id_, found, content, document, trust)
        read = read_note if is_markdown(found.place) else read_plain
        reading = read(self._store, id_, found, content, trust)
        if reading.memory is None or not entry:
            return reading
        # The description was taken out of a document that was put here: what the index knows of it still holds.
        writer, session = str(entry.get("writer") or ""), str(entry.get("session") or "")
        return Reading(replace(reading.memory, writer=writer, session=session), reading.problem)

    def _interpret_document(
        self, id_: str, found: Found, content: Content, document: Document, trust: Trust
    ) -> Reading:
        fields = dict(document.fields)
        if trust is Trust.GENERATED:
            fields["trust"] = trust.value
        if not document.is_edited:
            fields["text"] = document.body.decode("utf-8", "replace")
            return Reading(memory_of(self._store, id_, fields, shown_path(found.path), ""))
        decoded = decode(document.body)
        if decoded.text is None:
            return Reading(None, decoded.problem)
        fields["text"] = decoded.text
        memory = memory_of(self._store, id_, fields, shown_path(found.path), "")
        if not content.is_cut:
            memory = replace(memory, time=file_time(content), time_kind="file mtime")
        return Reading(replace(memory, truncated=content.is_cut or memory.truncated), decoded.problem)

    # Writing

    @contextmanager
    def _writing(self) -> Iterator[Index]:
        """The index, to be changed and written, with no other thread or process writing in the folder."""
        where = shown_path(self._reader.root)
        try:
            make_private_folder(self._root)
            with self._mutex, held(self._root / LOCK_NAME, LOCK_SECONDS) as is_ours:
                if not is_ours:
                    hint = "another program is writing there; try again"
                    raise EngineUnavailable(f"{where} was busy for {LOCK_SECONDS:.0f} s", hint=hint)
                yield self._level_index()
        except FileExistsError as error:
            raise EngineUnavailable(f"{where} is a file, not a folder", hint="name a folder for documents") from error
        except OSError as error:
            hint = way_out(error, "check that this user may write there")
            raise EngineUnavailable(f"{where} cannot be written: {reason(error)}", hint=hint) from error

    def _level_index(self) -> Index:
        """The index to write into; the first time in this process, and after damage, held against the documents."""
        index = self._index.load().copy()
        if self._is_level and not index.damage:
            return index
        remove_leftovers(self._root)
        if index.damage:
            self._index.put_aside()
            index.damage = ""
        present = dict(self._reader.scan())
        for id_ in [id_ for id_, entry in index.entries.items() if not self._is_there(str(entry["file"]))]:
            index.drop(id_)
        for id_, found in present.items():
            document = self._peek(found)
            if document and index.entries.get(id_, {}).get("file") != found.place:
                index.set(id_, _entry(found.place, document.fields))
        self._is_level = True
        return index

    def _place_for(self, memory: Memory, index: Index) -> str:
        """Where a memory is written: over its own document, wherever that lies by now, or under a new name."""
        if memory.id in index.entries:
            found = self._locate(memory.id)
            if found:
                return found.place
        elif self._is_there(memory.id) and self._reader.find(memory.id):
            hint = "edit that file, or store under another id"
            raise EngineError(f"{memory.id} is a file of the user's own and is not overwritten", hint=hint)
        names = (document_name(memory.title, memory.id, digits) for digits in (8, 16, 32))
        return next(name for name in names if not os.path.lexists(self._path(name)))


def _entry(place: str, fields: dict[str, object]) -> Entry:
    return {"file": place, **{key: fields.get(key) for key in _INDEXED_FIELDS}}
