"""The checks of `mmind doctor`: each looks at one thing and says what it found, and what to do about it."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mmind.cli.plain import counted
from mmind.clients import change, listing
from mmind.clients.probe import probe
from mmind.clients.table import ROWS, ClientRow, file_of
from mmind.config.places import user_home
from mmind.config.settings import Settings
from mmind.disk.installed import installation
from mmind.disk.refusals import reason, way_out
from mmind.embedding.local_model import FAMILY
from mmind.embedding.universal import NAME
from mmind.router.mind import Mind
from mmind.router.sources import model_faults
from mmind.values.errors import MmindError
from mmind.values.reports import Status, StoreStatus

NETWORK_FILE_SYSTEMS = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph", "fuse.glusterfs"}
LITTLE_SPACE = 500_000_000  # bytes
LONGEST_CHAIN = 200_000_000  # bytes of audit log that are verified on the way; some seconds


class Level(StrEnum):
    """How bad it is. A fault makes `mmind doctor` end with 1."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found, in one line, and what to do about it ("" where nothing is to be done)."""

    level: Level
    subject: str
    what: str
    fix: str = ""


def python_and_libraries() -> Iterator[Finding]:
    """The interpreter, SQLite, and the stemmer in C."""
    import apsw

    here = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding(Level.OK, "python", f"{here}, SQLite {apsw.sqlite_lib_version()}")
    if importlib.util.find_spec("Stemmer") is None:
        fix = f"{installation().adding(['PyStemmer'])}, if it builds here"
        yield Finding(Level.NOTE, "python", "the stemmer in C is missing: indexing is slower", fix)


def places(settings: Settings) -> Iterator[Finding]:
    """The data home and what lies in it: there, writable, private, on a disk of this machine, with room."""
    home = settings.home
    if not home.exists():
        yield Finding(Level.OK, "home", f"{home} does not exist yet; it is made at the first need")
    elif not os.access(home, os.W_OK | os.X_OK):
        yield Finding(Level.FAULT, "home", f"{home} cannot be written", "mend its permissions, or set MMIND_HOME")
    else:
        yield Finding(Level.OK, "home", f"{home} can be written")
        yield from _private(home)
    kept = {
        "home": home,
        "sqlite": settings.sqlite_path,
        "leveldb": settings.leveldb_path,
        "audit": settings.audit_path,
    }
    for name, path in kept.items():
        yield from _on_this_machine(name, path)
    free = shutil.disk_usage(_existing(home)).free
    if free < LITTLE_SPACE:
        yield Finding(
            Level.NOTE, "home", f"only {free / 1e6:,.0f} MB are free on its disk", "make room, or set MMIND_HOME"
        )


def vault(settings: Settings) -> Iterator[Finding]:
    """The folder of notes."""
    folder = settings.vault_path
    if folder is None:
        fix = "mmind config set paths.vault FOLDER, or name it when you start mmind"
        yield Finding(Level.NOTE, "vault", "no vault is configured: mmind knows only what is stored in it", fix)
    elif not folder.is_dir():
        yield Finding(
            Level.FAULT, "vault", f"{folder} is not a folder", "correct the path: mmind config set paths.vault"
        )
    elif not os.access(folder, os.R_OK | os.X_OK):
        yield Finding(Level.FAULT, "vault", f"{folder} cannot be read", "mend its permissions")
    else:
        yield Finding(Level.OK, "vault", f"{folder} can be read; it is never changed")


def stores(status: Status) -> Iterator[Finding]:
    """Every store, and how far the index is with it."""
    for store in status.stores:
        yield from _store(store)
    if status.audit_fault:
        yield Finding(Level.FAULT, "audit", status.audit_fault, "until it can be written, nothing is stored")


def index(settings: Settings) -> Iterator[Finding]:
    """The derived index."""
    file = settings.home / "index.db"
    if file.is_file():
        size = sum(part.stat().st_size for part in file.parent.glob("index.db*") if part.is_file())
        yield Finding(Level.OK, "index", f"{size / 1e6:,.1f} MB; it can be deleted at any time, and is made anew")
    else:
        yield Finding(Level.NOTE, "index", "there is none yet", "the first question makes it, or run mmind index")


def model(mind: Mind) -> Iterator[Finding]:
    """Whether meaning can be asked for."""
    start = time.monotonic()
    tried = mind.try_model()
    for what, hint in model_faults(tried):
        yield Finding(Level.FAULT, "model", what, hint)
    if not tried.identity:
        fix = "unset MMIND_EMBED_MODEL, or mmind config unset embeddings.model"
        yield Finding(Level.NOTE, "model", "none is in use: words alone answer", fix)
    elif tried.english is tried.others is None:
        taught = " (taught English alone)" if tried.identity.startswith(FAMILY) and NAME not in tried.identity else ""
        took = f"loaded in {time.monotonic() - start:.1f} s"
        yield Finding(Level.OK, "model", f"{tried.identity} works{taught}, {took}")


def audit(settings: Settings) -> Iterator[Finding]:
    """The chain of the audit log."""
    from mmind.audit.reading import verify

    folder = settings.audit_path
    size = sum(file.stat().st_size for file in folder.glob("*") if file.is_file()) if folder.is_dir() else 0
    if size > LONGEST_CHAIN:
        yield Finding(Level.OK, "audit", f"{size / 1e6:,.0f} MB; too long to be verified here", "mmind audit verify")
        return
    verdict = verify(folder)
    if verdict.holds:
        yield Finding(Level.OK, "audit", f"{counted(verdict.records, 'record', 'records')}, and the chain holds")
    else:
        fix = "somebody or something changed it; keep a copy, then move the folder away to start a new chain"
        yield Finding(Level.FAULT, "audit", f"the chain breaks at record {verdict.broken_at:,}: {verdict.why}", fix)


def clients(environ: Mapping[str, str], name: str = "mmind") -> Iterator[Finding]:
    """Every client that has the server in its list: the entry is started as that client would start it."""
    home = Path(user_home(environ))
    found = False
    for row in ROWS:
        file = file_of(row, "user", environ, home, home)
        if file.is_file():
            for finding in _client(row, file, name, environ):
                found = True
                yield finding
    if not found:
        yield Finding(Level.NOTE, "clients", "no client has mmind in its list", "mmind install shows which there are")


def looked_at(check: Callable[[], Iterator[Finding]], subject: str) -> Iterator[Finding]:
    """The findings of a check; one that fails itself is a finding as well."""
    try:
        yield from check()
    except MmindError as error:
        yield Finding(Level.FAULT, subject, error.message, error.hint)
    except OSError as error:
        hint = way_out(error, "see its permissions")
        yield Finding(Level.FAULT, subject, f"{error.filename or subject}: {reason(error)}", hint)


def _private(home: Path) -> Iterator[Finding]:
    if os.name == "posix" and stat.S_IMODE(home.stat().st_mode) & 0o077:
        yield Finding(Level.NOTE, "home", "other users of this machine can look into it", f"chmod 700 {home}")


def _on_this_machine(name: str, path: Path) -> Iterator[Finding]:
    kind = file_system(_existing(path))
    if kind in NETWORK_FILE_SYSTEMS:
        what = f"{path} lies on a network drive ({kind}), where locks and shared memory cannot be relied on"
        yield Finding(Level.NOTE, name, what, "keep it on a disk of this machine: set MMIND_HOME")


def file_system(path: Path) -> str:
    """The type of the file system that holds a path, where the system tells it without being asked twice; else ""."""
    if sys.platform != "linux":
        return "cifs" if str(path).startswith("\\\\") else ""
    best, kind = "", ""
    for line in Path("/proc/mounts").read_text("utf-8", "replace").splitlines():
        _, mount, type_, *_ = line.split(" ")
        mount = mount.replace("\\040", " ")
        if path.is_relative_to(mount) and len(mount) >= len(best):
            best, kind = mount, type_
    return kind


def _existing(path: Path) -> Path:
    """The nearest folder above (or the path itself) that is there."""
    real = Path(os.path.realpath(path))
    return next((folder for folder in (real, *real.parents) if folder.exists()), real)


def _store(store: StoreStatus) -> Iterator[Finding]:
    if not store.usable:
        is_off = store.name == "markdown" and not store.where
        if not is_off:  # a vault that nobody configured is told by its own check
            yield Finding(Level.FAULT, store.name, store.reason, store.hint)
        return
    facts = [f"{store.engine}, {store.access.value}"]
    facts += [counted(store.entries, "memory", "memories")] if store.entries >= 0 else []
    if store.index is not None:
        age = "never scanned" if store.index.age_seconds is None else f"scanned {store.index.age_seconds:,.0f} s ago"
        facts.append(age)
    yield Finding(Level.OK, store.name, ", ".join(facts))
    for note in store.notes:
        yield Finding(Level.NOTE, store.name, note)
    if store.skipped:
        what = f"{counted(len(store.skipped), 'thing was', 'things were')} skipped"
        yield Finding(Level.NOTE, store.name, what, "mmind sources --json lists them with the reasons")
    if store.index is not None and store.index.pending_words:
        yield Finding(Level.NOTE, store.name, "not everything is indexed yet", "mmind index does it at once")


def _client(row: ClientRow, file: Path, name: str, environ: Mapping[str, str]) -> Iterator[Finding]:
    try:
        entry = listing.entry_in(file, change.text_of(file, change.read_file(file)), row.section, name)
    except MmindError as error:
        yield Finding(Level.FAULT, row.name, error.message, error.hint)
        return
    if entry is None:
        return
    again = f"mmind install {row.name} FOLDER writes it anew"
    words = [str(entry.get("command", "")), *(str(word) for word in entry.get("args", ()))]
    if not shutil.which(words[0], path=environ.get("PATH")):
        yield Finding(Level.FAULT, row.name, f"{words[0] or 'its command'} is not there any more", again)
        return
    variables = {str(key): str(value) for key, value in (entry.get("env") or {}).items()}
    result = probe(words, variables, environ)
    if result.fault:
        yield Finding(Level.FAULT, row.name, f"the server in its list does not start: {result.fault}", again)
        return
    yield Finding(Level.OK, row.name, f"its server starts, with {counted(len(result.tools), 'tool', 'tools')}")
