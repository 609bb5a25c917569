"""Which servers run on a data home, and what each of them has in force of the saved file.

A server keeps `running/<pid>.json` in the data home and holds the lock beside it for as long as it lives: what a
killed one left behind is held by nobody, and the next reader clears it away.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mmind.config.file import config_path
from mmind.config.settings import Settings
from mmind.config.showing import value_of
from mmind.config.table import KNOBS, Knob
from mmind.disk.durable import make_private_folder, write_whole
from mmind.disk.locks import Turn

LOOK_SECONDS = 1.0
"""How often a server looks whether the saved file changed while nobody asks it anything."""

Stamp = tuple[int, int] | None
"""Which state of the saved file: its mtime in nanoseconds and its size; None where there is no file."""


@dataclass(frozen=True, slots=True)
class InForce:
    """What one process goes by: the state of the saved file that it read, and the values that came of it.

    `values` and `pinned` are by name of the knobs that act at once (access and ranking). `pinned` are those that the
    process's own environment decides, so that the file cannot. `fault` says why the file could not be taken up; the
    values are then those of before.
    """

    stamp: Stamp = None
    values: Mapping[str, str] = field(default_factory=dict)
    pinned: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that lives: its process, when it came up, and what it has in force."""

    pid: int
    since: datetime
    in_force: InForce


def acts_at_once(knob: Knob) -> bool:
    """Whether a running server takes an edit of this knob up; the others need a new start."""
    return knob.section in ("Access", "Ranking")


def in_force(settings: Settings, stamp: Stamp, fault: str = "") -> InForce:
    """What settings that were read from a state of the file amount to."""
    live = [knob for knob in KNOBS if acts_at_once(knob)]
    return InForce(
        stamp,
        {knob.name: value_of(knob, settings) for knob in live},
        tuple(knob.name for knob in live if settings.origins[knob.name] == "environment"),
        fault,
    )


def stamp_of(home: Path) -> Stamp:
    """The state of a data home's saved file now."""
    try:
        status = config_path(home).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class Presence:
    """One server's note of itself. Nothing here can fail the server: a home that cannot be written stays unmarked."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "running"
        self._turn: Turn | None = None
        self._said: InForce | None = None
        self._written: InForce | None = None
        self._lock = threading.Lock()

    def say(self, now_in_force: InForce) -> None:
        """Note what is in force from now on."""
        self._said = now_in_force
        self.keep()

    def keep(self) -> None:
        """Write the note down, if it changed and the data home is there; none is made for it."""
        with self._lock, contextlib.suppress(OSError):
            self._notice_loss()
            said = self._said
            if said is None or said == self._written or not self._folder.parent.is_dir() or not self._is_ours():
                return
            write_whole(self._file(".json"), json.dumps(_to_json(said)).encode(), is_durable=False, mode=0o600)
            self._written = said

    def watch(self, look: Callable[[], object]) -> None:
        """Call `look` (which takes up what was saved) every second, on a thread that ends with the process."""
        threading.Thread(target=self._watch, args=(look,), name="mmind-settings", daemon=True).start()

    def withdraw(self) -> None:
        """The process ends, or serves no more."""
        with self._lock:
            self._said = None
            if self._turn is not None:
                self._file(".json").unlink(missing_ok=True)
                self._file(".lock").unlink(missing_ok=True)
                self._turn.give_back()
                self._turn = None

    def _watch(self, look: Callable[[], object]) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            look()
            self.keep()

    def _notice_loss(self) -> None:
        """Somebody removed the data home, or cleared it out: what was noted there is to be noted anew."""
        if self._turn is not None and not self._file(".lock").exists():
            self._turn.give_back()
            self._turn = self._written = None

    def _is_ours(self) -> bool:
        if self._turn is None:
            make_private_folder(self._folder)
            turn = Turn(self._file(".lock"))
            self._turn = turn if turn.try_take() else None
        return self._turn is not None

    def _file(self, ending: str) -> Path:
        return self._folder / f"{os.getpid()}{ending}"


def running_servers(home: Path) -> list[RunningServer]:
    """Every server that lives on a data home, the longest-lived first. Never raises; clears away what the dead left."""
    found = [server for note in sorted((home / "running").glob("*.json")) if (server := _living(note)) is not None]
    return sorted(found, key=lambda server: (server.since, server.pid))


def _living(note: Path) -> RunningServer | None:
    lock = note.with_suffix(".lock")
    try:
        if lock.exists() and Turn(lock).is_taken():
            since = datetime.fromtimestamp(lock.stat().st_mtime, UTC)
            return RunningServer(int(note.stem), since, _from_json(json.loads(note.read_bytes())))
        note.unlink(missing_ok=True)
        lock.unlink(missing_ok=True)
    except (OSError, ValueError, KeyError, TypeError):  # it went just now, or somebody else's file
        return None
    return None


def _to_json(one: InForce) -> dict[str, Any]:
    return {"stamp": one.stamp, "values": dict(one.values), "pinned": one.pinned, "fault": one.fault}


def _from_json(record: Mapping[str, Any]) -> InForce:
    stamp = record["stamp"]
    return InForce(
        None if stamp is None else (int(stamp[0]), int(stamp[1])),
        {str(name): str(value) for name, value in record["values"].items()},
        tuple(str(name) for name in record["pinned"]),
        str(record["fault"]),
    )


def lagging(servers: Iterable[RunningServer], stamp: Stamp) -> list[RunningServer]:
    """The servers that have another state of the saved file in force than this one."""
    return [server for server in servers if server.in_force.stamp != stamp or server.in_force.fault]
