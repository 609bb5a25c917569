"""A change of a client's file: shown before it is made, backed up, written whole, and taken back byte for byte."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from mmind.disk.durable import make_private_folder, remove, write_whole
from mmind.disk.refusals import reason, way_out
from mmind.values.errors import ConfigError

LEDGER = "clients.json"
BACKUPS = "backups"


@dataclass(frozen=True, slots=True)
class Change:
    """What a file holds (None: it is not there) and what it will hold (None: it will be gone)."""

    file: Path
    before: bytes | None
    after: bytes | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return self.before == self.after

    def difference(self) -> str:
        """The change as a unified diff, for a person."""
        old, new = ((text or b"").decode("utf-8", "replace").splitlines() for text in (self.before, self.after))
        return "\n".join(difflib.unified_diff(old, new, str(self.file), str(self.file), lineterm="", n=2))


@dataclass(frozen=True, slots=True)
class Done:
    """What was done to a file, kept in the data home so that it can be taken back.

    `backup` is the copy of the file as it was ("" when there was none), `digest` that of the file as we left it.
    """

    file: str
    name: str
    backup: str
    digest: str


def read_file(file: Path) -> bytes | None:
    """The bytes of a client's file, or None when there is none. Raises ConfigError when it cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {reason(error)}", way_out(error, "check its permissions")) from None


def text_of(file: Path, data: bytes | None) -> str:
    """A client's file as text. Raises ConfigError when it is not UTF-8."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is not UTF-8 text", "mend the file first; nothing was changed") from None


def apply(change: Change, name: str, home: Path) -> None:
    """Make the change, with a backup in the data home. Raises ConfigError when it cannot be written.

    A file that another program changed since it was read is left alone.
    """
    if read_file(change.file) != change.before:
        raise ConfigError(f"{change.file} was changed meanwhile by another program", "run the command again")
    backup = _backed_up(change, home)
    _write(change)
    done = Done(str(change.file), name, backup, _digest(change.after or b""))
    _keep(home, [*(row for row in ledger(home) if not _is_same(row, change.file, name)), done])


def take_back(file: Path, name: str, without: bytes, home: Path) -> Change:
    """The change that removes our entry: the file as it was before us where nobody changed it since, else `without`."""
    now = read_file(file)
    row = next((row for row in ledger(home) if _is_same(row, file, name)), None)
    if row is None or now is None or _digest(now) != row.digest:
        return Change(file, now, without if now is not None else None)
    return Change(file, now, Path(row.backup).read_bytes() if row.backup and Path(row.backup).exists() else None)


def finish(change: Change, name: str, home: Path) -> None:
    """Make a change that `take_back` gave, and strike it from the ledger. Raises ConfigError."""
    _write(change)
    _keep(home, [row for row in ledger(home) if not _is_same(row, change.file, name)])


def ledger(home: Path) -> list[Done]:
    """What was done to clients' files from this data home."""
    try:
        rows = json.loads((home / LEDGER).read_bytes())
        return [Done(**row) for row in rows]
    except (OSError, ValueError, TypeError):
        return []


def _backed_up(change: Change, home: Path) -> str:
    """Where the file's first state lies: a second install over our own entry keeps the first backup."""
    if change.before is None:
        return ""
    known = next((row.backup for row in ledger(home) if row.digest == _digest(change.before)), None)
    if known is not None:
        return known
    backup = home / BACKUPS / f"{change.file.name}.{_digest(change.before)[:12]}"
    make_private_folder(backup.parent)
    write_whole(backup, change.before, mode=0o600)
    return str(backup)


def _write(change: Change) -> None:
    target = Path(os.path.realpath(change.file))  # a link into a folder of dotfiles stays a link
    try:
        if change.after is None:
            remove(target)
            return
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, change.after, mode=mode)
        target.chmod(mode)
    except OSError as error:
        hint = way_out(error, "check its permissions")
        raise ConfigError(f"{change.file} cannot be written: {reason(error)}", hint) from None


def _keep(home: Path, rows: list[Done]) -> None:
    make_private_folder(home)
    write_whole(home / LEDGER, json.dumps([asdict(row) for row in rows], indent=2).encode(), mode=0o600)


def _is_same(row: Done, file: Path, name: str) -> bool:
    return row.file == str(file) and row.name == name


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
