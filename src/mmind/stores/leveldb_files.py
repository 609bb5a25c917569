"""What lies in a LevelDB folder, seen from outside without opening it."""

from __future__ import annotations

from pathlib import Path

from mmind.disk.refusals import reason, way_out
from mmind.stores.lease import plyvel
from mmind.stores.rows import fingerprint_of
from mmind.values.errors import EngineDamaged, EngineUnavailable

_ORDER = ("CURRENT", "MANIFEST", ".log", ".ldb", ".sst")


def database_files(folder: Path) -> list[Path]:
    """The files that hold the data, in the order in which a copy must take them. Raises OSError."""
    kinds = ((_kind(file), file.name, file) for file in folder.iterdir())
    return [file for _, _, file in sorted(entry for entry in kinds if entry[0] < len(_ORDER))]


def signature_of(folder: Path) -> str:
    """32 hex digits that change with every write to the database: a log only grows, and each open begins a new one.

    Sizes come from stat, because a listing on Windows shows those of an open file late. Raises OSError.
    """
    parts = []
    for file in database_files(folder):
        try:
            found = file.stat()
        except FileNotFoundError:  # compacted away meanwhile
            continue
        made = (found.st_ino, found.st_mtime_ns) if file.name == "CURRENT" else ()  # a restored folder has another one
        parts.append((file.name, found.st_size, *made))
    return fingerprint_of(repr(parts).encode())


def holds_database(folder: Path) -> bool:
    """Whether there is a database to open; False for no folder and for one without data.

    Raises EngineUnavailable when it is no folder or cannot be read, EngineDamaged when data lies there without the file
    that names its state: LevelDB would begin an empty database over it and delete the data.
    """
    try:
        names = {file.name: file for file in database_files(folder)}
    except FileNotFoundError:
        return False
    except NotADirectoryError as error:
        raise EngineUnavailable(f"{folder} is not a folder", hint="move it away, or name a folder") from error
    except OSError as error:
        hint = way_out(error, "check the permissions of the folder")
        raise EngineUnavailable(f"{folder} cannot be read ({reason(error)})", hint) from error
    if "CURRENT" in names:
        return True
    if any(file.suffix in (".ldb", ".sst", ".log") and file.stat().st_size for file in names.values()):
        raise EngineDamaged(f"{folder} is damaged: its file CURRENT is missing", hint=repair_hint(folder))
    return False


def repair_hint(folder: Path) -> str:
    """How to save what is left of a damaged database."""
    module = plyvel.__name__
    return f'copy the folder, then run: python -c "import {module}; {module}.repair_db({str(folder)!r})"'


def _kind(file: Path) -> int:
    name = file.name.partition("-")[0] if file.name.startswith("MANIFEST-") else file.suffix or file.name
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
