"""A copy of a LevelDB folder to read from: one that another program keeps open, or one that is damaged.

A copy and never a hard link: opening replays the log and truncates tables, which a link would share with the live
database. A copy taken while LevelDB changes its log or manifest silently lacks keys, so it is taken again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from weakref import finalize

from mmind.stores.lease import plyvel
from mmind.stores.leveldb_files import database_files, signature_of
from mmind.values.errors import EngineUnavailable

_TRIES = 30


class LevelCopy:
    """The newest copy of one folder, made anew only when the folder has changed. One thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._signature = ""
        self._remove: Callable[[], object] | None = None
        self._database: plyvel.DB | None = None

    def database(self) -> plyvel.DB:
        """The opened copy. Raises EngineUnavailable when the folder changes faster than it can be copied."""
        signature = signature_of(self._folder)
        if self._database is not None and signature == self._signature:
            return self._database
        self.close()
        place = tempfile.mkdtemp(prefix="mmind-leveldb-")  # for its owner's eyes only
        self._remove = finalize(self, shutil.rmtree, place, ignore_errors=True)
        self._database = _copied(self._folder, Path(place))
        self._signature = signature
        return self._database

    def repaired(self) -> plyvel.DB:
        """The opened copy of a damaged folder, after LevelDB's repair: all but what lay in damaged blocks. Raises what
        plyvel and the system raise."""
        signature = f"repaired {signature_of(self._folder)}"
        if self._database is not None and signature == self._signature:
            return self._database
        self.close()
        place = tempfile.mkdtemp(prefix="mmind-leveldb-")
        self._remove = finalize(self, shutil.rmtree, place, ignore_errors=True)
        for file in database_files(self._folder):
            shutil.copyfile(file, Path(place) / file.name)
        plyvel.repair_db(place)
        self._database = plyvel.DB(place)
        self._signature = signature
        return self._database

    def close(self) -> None:
        """Remove the copy, if there is one."""
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._remove is not None:
            self._remove()
            self._remove = None


def _copied(folder: Path, place: Path) -> plyvel.DB:
    for number in range(_TRIES):
        copy = place / str(number)
        copy.mkdir()
        try:
            before = _state(folder)
            for file in database_files(folder):
                shutil.copyfile(file, copy / file.name)
            if _state(folder) == before:
                return plyvel.DB(str(copy), paranoid_checks=True)
        except FileNotFoundError:
            pass  # a table was compacted away meanwhile
        shutil.rmtree(copy)
    raise EngineUnavailable(f"{folder} is being written too fast to be copied", hint="close the program that writes it")


def _state(folder: Path) -> tuple[object, ...]:
    """What must not change during a copy: the manifest that counts, its size, and which logs there are."""
    files = database_files(folder)
    manifests = [(file.name, file.stat().st_size) for file in files if file.name.startswith("MANIFEST")]
    return (folder / "CURRENT").read_bytes(), manifests, [file.name for file in files if file.suffix == ".log"]
