"""The `leveldb` engine: memories as JSON values in a LevelDB folder, which Node's `level` and others read as well."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from mmind.disk.refusals import reason, way_out
from mmind.stores.lease import OnlyReadable, lease_on, plyvel
from mmind.stores.leveldb_copy import LevelCopy
from mmind.stores.leveldb_files import holds_database, repair_hint, signature_of
from mmind.stores.registry import EngineOptions
from mmind.stores.rows import Fields, fields_of, fingerprint_of, memory_of
from mmind.values.errors import EngineDamaged, EngineError, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Health, Mark, Skipped

Answer = TypeVar("Answer")

_MARK = "mmind"  # the JSON member that tells our values from those of other programs; its number is the format's
_FORMAT = 1
_BATCH = 200  # memories read under one lease while the index takes them one by one
_HEALTH_SECONDS = 0.3


def open_engine(store: str, location: Path, options: EngineOptions) -> LevelEngine:  # noqa: ARG001 - the registry's signature
    """The engine over the LevelDB folder at `location`. Cheap; no file is made before the first put."""
    return LevelEngine(store, location)


@dataclass(frozen=True, slots=True)
class _Scan:
    """What one pass over the database found: ids that differ, ids that are gone, values that are no memories."""

    signature: str
    changed: list[str]
    gone: list[str]
    skipped: tuple[Skipped, ...]


class LevelEngine:
    """Keeps the promises of `values.ports.Engine` in a LevelDB folder, shared with other processes by a lease.

    A value that another program put there is a memory too, plain text under its key, and is never changed.
    """

    def __init__(self, store: str, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._lease = lease_on(folder)
        self._copy = LevelCopy(folder)
        self._copy_turn = threading.Lock()
        self._skipped: tuple[Skipped, ...] = ()

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError, of a damaged folder only for what was not saved."""
        try:
            if not holds_database(self._folder):
                return None
            return self._read(lambda database: self._memory_at(database, id))
        except EngineDamaged as fault:
            saved = self._read_repaired(lambda database: self._memory_at(database, id), fault)
            if saved is None:
                raise
            return saved

    def put(self, memory: Memory) -> Memory:
        """Keep the memory, replacing one of the same id; durable when it returns. Raises EngineError."""
        key, fields = memory.id.encode(), fields_of(memory)
        value = json.dumps({_MARK: _FORMAT, **fields}, ensure_ascii=False, separators=(",", ":")).encode()
        holds_database(self._folder)  # raises where LevelDB would begin a new database over the data of a damaged one
        with _in_words(self._folder), self._lease.hold(create=True) as database:
            self._refuse_foreign(database.get(key), memory.id)
            database.put(key, value, sync=True)
        return self._memory(memory.id, value, fields)

    def delete(self, id: str) -> bool:
        """Remove the memory; False when there was none. Raises EngineError, also for another program's value."""
        if not holds_database(self._folder):
            return False
        with _in_words(self._folder), self._lease.hold() as database:
            value = database.get(id.encode())
            self._refuse_foreign(value, id)
            if value is not None:
                database.delete(id.encode(), sync=True)
        return value is not None

    def changes(self, since: Mark) -> Changes:
        """What differs from the mark. While the folder's files are as they were, the database is not even opened.

        Raises EngineUnavailable when the folder's parent is gone (a drive that is not there), and reports nothing gone.
        """
        try:
            if not holds_database(self._folder):
                return _nothing_left(self._folder, since)
            with _in_words(self._folder):
                if since.cursor and since.cursor == signature_of(self._folder):
                    return Changes(iter(()), (), since.cursor, total=0, skipped=self._skipped)
            scan = self._read(lambda database: _scan(database, self._folder, since.fingerprints))
        except EngineDamaged as fault:
            return Changes(self._saved(since, fault), (), since.cursor)
        self._skipped = scan.skipped
        return Changes(self._load(scan.changed), scan.gone, scan.signature, len(scan.changed), scan.skipped)

    def health(self) -> Health:
        """How the folder is, and how many keys are in it (-1 while it can only be copied). Never raises."""
        where = str(self._folder)
        try:
            if not holds_database(self._folder):
                return Health(usable=True, where=where, entries=0, notes=("empty: nothing was stored yet",))
            with _in_words(self._folder), self._lease.hold(wait_seconds=_HEALTH_SECONDS) as database:
                return Health(usable=True, where=where, entries=_count(database))
        except OnlyReadable as fault:
            return Health(usable=True, where=where, hint=fault.hint, notes=(f"{fault.message}: read-only until then",))
        except EngineError as fault:
            return Health(usable=False, where=where, reason=fault.message, hint=fault.hint)

    def close(self) -> None:
        """Let go of the lease and remove the copy, if one was made."""
        self._lease.release()
        self._drop_copy()

    def _drop_copy(self) -> None:
        with self._copy_turn:
            self._copy.close()

    def _read(self, work: Callable[[plyvel.DB], Answer]) -> Answer:
        """Do the work on the database, or on a copy of it where another program has it open or writing is forbidden."""
        with _in_words(self._folder):
            try:
                with self._lease.hold() as database:
                    answer = work(database)
                self._drop_copy()
                return answer
            except OnlyReadable:
                pass
            with self._copy_turn:
                return work(self._copy.database())

    def _read_repaired(self, work: Callable[[plyvel.DB], Answer], fault: EngineDamaged) -> Answer:
        """Do the work on a repaired copy of a damaged folder. Raises the damage where there is nothing to repair."""
        with self._copy_turn:
            try:
                return work(self._copy.repaired())
            except (plyvel.Error, OSError):
                raise fault from None

    def _saved(self, since: Mark, fault: EngineDamaged) -> Iterator[Memory]:
        """What could be saved of a damaged folder, then the damage. Nothing is told to be gone."""
        scan = self._read_repaired(lambda database: _scan(database, self._folder, since.fingerprints), fault)
        for start in range(0, len(scan.changed), _BATCH):
            batch = partial(self._memories_at, ids=scan.changed[start:][:_BATCH])
            yield from self._read_repaired(batch, fault)
        raise fault

    def _load(self, ids: Sequence[str]) -> Iterator[Memory]:
        for start in range(0, len(ids), _BATCH):
            yield from self._read(partial(self._memories_at, ids=ids[start:][:_BATCH]))

    def _memories_at(self, database: plyvel.DB, ids: Sequence[str]) -> list[Memory]:
        found = (self._memory_at(database, key) for key in ids)
        return [memory for memory in found if memory is not None]

    def _memory_at(self, database: plyvel.DB, id: str) -> Memory | None:
        value = database.get(id.encode(), verify_checksums=True)
        if value is None or _unfit(value):
            return None
        return self._memory(id, value, _our_fields(value) or {"text": _foreign_text(value)})

    def _memory(self, id: str, value: bytes, fields: Fields) -> Memory:
        return memory_of(self._store, id, fields, path=f"{self._folder}#{id}", fingerprint=fingerprint_of(value))

    def _refuse_foreign(self, value: bytes | None, id: str) -> None:
        if value is not None and _our_fields(value) is None:
            reason = f"{id} in {self._folder} was put there by another program, and is not ours to change"
            raise EngineUnavailable(reason, hint="change it with that program")


def _our_fields(value: bytes) -> Fields | None:
    """The fields of a value that mmind wrote, or None for any other."""
    try:
        fields = json.loads(value)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) and isinstance(fields.get(_MARK), int) else None


def _foreign_text(value: bytes) -> str:
    """Another program's value as text: a JSON string without its quotes, anything else as it stands."""
    text = value.decode()
    if text.startswith('"'):
        try:
            text = str(json.loads(text))
        except ValueError:
            return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unfit(value: bytes) -> str:
    """Why a value cannot be a memory; "" when it can."""
    if not value.strip():
        return "empty"
    try:
        value.decode()
    except UnicodeDecodeError:
        return "binary, not UTF-8 text"
    return "binary, holds a NUL byte" if b"\0" in value else ""


def _scan(database: plyvel.DB, folder: Path, fingerprints: Mapping[str, str]) -> _Scan:
    """Compare every value with the fingerprints. The signature is taken first: what comes later will be seen later."""
    scan = _Scan(signature_of(folder), [], [], ())
    present: set[str] = set()
    skipped: list[Skipped] = []
    with database.iterator(verify_checksums=True, fill_cache=False) as pairs:
        for key, value in pairs:
            name = key.decode("utf-8", "backslashreplace")
            reason = _unfit(value) or ("" if name.encode() == key else "its key is not UTF-8 text")
            if reason:
                skipped.append(Skipped(name, reason))
                continue
            present.add(name)
            if fingerprints.get(name) != fingerprint_of(value):
                scan.changed.append(name)
    gone = [name for name in fingerprints if name not in present]
    return _Scan(scan.signature, scan.changed, gone, tuple(skipped))


def _count(database: plyvel.DB) -> int:
    with database.iterator(include_value=False, fill_cache=False) as keys:
        return sum(1 for _ in keys)


def _nothing_left(folder: Path, since: Mark) -> Changes:
    if since.fingerprints and not folder.parent.is_dir():
        raise EngineUnavailable(f"the folder {folder.parent} is not there", hint="mount its drive, or make the folder")
    return Changes(iter(()), tuple(since.fingerprints), "", total=0)


_RIGHTS = "check the permissions of the folder"


@contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    """Turn what LevelDB and the system raise into one line for people."""
    try:
        yield
    except plyvel.CorruptionError as error:
        raise EngineDamaged(f"{folder} is damaged ({_words(error)})", repair_hint(folder)) from error
    except plyvel.Error as error:
        raise EngineUnavailable(f"{folder} cannot be used ({_words(error)})", way_out(error, _RIGHTS)) from error
    except OSError as error:
        raise EngineUnavailable(f"{folder} cannot be used ({reason(error)})", way_out(error, _RIGHTS)) from error


def _words(error: Exception) -> str:
    """plyvel gives its messages as bytes."""
    first = error.args[0] if error.args else str(error)
    return first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
