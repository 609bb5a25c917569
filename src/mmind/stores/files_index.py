"""The `index.json` of a folder of documents: one entry a line, replaced as a whole; the documents can do without."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from mmind.disk.durable import write_whole

INDEX_NAME = "index.json"
DAMAGED_NAME = "index.json.damaged-"
_VERSION = 1
_CHECK = "check"
_HEAD_BYTES = 80  # the first line, whose revision changes with every write

Entry = dict[str, object]


@dataclass(slots=True)
class Index:
    """Entries by memory id, each with `file` (POSIX path in the folder) and what else is known of the memory. In the
    file each carries a check as well, so that one damaged byte is not taken for another id or another trust.

    `damage` says in words why the file could not be read in full; `entries` is then what could be saved.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    damage: str = ""
    lines: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Index:
        """A copy that may be changed."""
        return Index(dict(self.entries), self.damage, dict(self.lines))

    def set(self, id_: str, entry: Entry) -> None:
        """Add or replace one entry."""
        self.entries[id_] = entry
        checked = {**entry, _CHECK: _check(id_, entry)}
        self.lines[id_] = f"{json.dumps(id_, ensure_ascii=False)}: {json.dumps(checked, ensure_ascii=False)}"

    def drop(self, id_: str) -> None:
        """Remove one entry, if it is there."""
        self.entries.pop(id_, None)
        self.lines.pop(id_, None)


class IndexFile:
    """Reads and writes the index of one folder; reading again what did not change costs one short read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / INDEX_NAME
        self._head = b""
        self._index: Index | None = None
        self._mutex = threading.Lock()

    def load(self) -> Index:
        """The index as it is now; an empty one when there is none. Raises OSError. Not to be changed: see `copy`."""
        with self._mutex:
            try:
                with self.path.open("rb") as file:
                    head = file.read(_HEAD_BYTES)
                    if self._index is None or head != self._head or self._index.damage:
                        self._index, self._head = _parsed(head + file.read()), head
            except FileNotFoundError:
                self._index, self._head = Index(), b""
            return self._index

    def write(self, index: Index) -> None:
        """Replace the file. Raises OSError. A lost power may lose it: the documents say the same, and are durable."""
        revision = secrets.token_hex(8)
        head = f'{{"version": {_VERSION}, "revision": "{revision}", "entries": {{\n'
        data = (head + ",\n".join(index.lines.values()) + "\n}}\n").encode("utf-8", "replace")
        with self._mutex:
            self._index = None
            write_whole(self.path, data, is_durable=False)
            self._index, self._head = index, data[:_HEAD_BYTES]

    def put_aside(self) -> str:
        """Give the damaged file another name, and say which. Raises OSError."""
        number = 1
        while self._aside(number).exists():
            number += 1
        self.path.replace(self._aside(number))
        return self._aside(number).name

    def _aside(self, number: int) -> Path:
        return self.path.with_name(f"{DAMAGED_NAME}{number}")


def _parsed(data: bytes) -> Index:
    text = data.decode("utf-8", "replace")
    try:
        entries = json.loads(text)["entries"]
        whole = {id_: entry for id_, entry in entries.items() if _is_entry(id_, entry)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _with_lines(_saved_entries(text), f"{INDEX_NAME} is damaged")
    return _with_lines(whole, "" if len(whole) == len(entries) else f"{INDEX_NAME} has damaged entries")


def _saved_entries(text: str) -> dict[str, Entry]:
    """The entries on the lines that are whole."""
    saved: dict[str, Entry] = {}
    for line in text.split("\n"):
        try:
            entries = json.loads(f"{{{line.strip().rstrip(',')}}}")
        except (ValueError, RecursionError):
            continue
        saved.update((id_, entry) for id_, entry in entries.items() if _is_entry(id_, entry))
    return saved


def _is_entry(id_: str, entry: object) -> bool:
    """Whether an entry is whole. One whose check does not fit was damaged; then its document speaks for itself."""
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        return False
    check = entry.pop(_CHECK, None)
    return check is None or check == _check(id_, entry)


def _check(id_: str, entry: Entry) -> str:
    """Eight hexadecimal digits over an entry and its id."""
    return blake2b(json.dumps([id_, entry]).encode(), digest_size=4).hexdigest()


def _with_lines(entries: Mapping[str, Entry], damage: str) -> Index:
    index = Index(damage=damage)
    for id_, entry in entries.items():
        index.set(id_, entry)
    return index
