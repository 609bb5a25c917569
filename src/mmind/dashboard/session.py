"""What the screens work with: the settings, the mind (opened late), the edits and their undoing. No Textual here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mmind.config.change import change_saved
from mmind.config.places import user_home
from mmind.config.presence import RunningServer, Stamp, acts_at_once, running_servers, stamp_of
from mmind.config.settings import Settings, load
from mmind.config.showing import value_of
from mmind.config.table import Knob
from mmind.router.mind import Mind
from mmind.values.door import Door
from mmind.values.errors import ConfigError, MmindError
from mmind.values.ports import Clock
from mmind.wiring import open_mind

Opener = Callable[[], Mind]


@dataclass(frozen=True, slots=True)
class Pulse:
    """What is looked at every second: the saved file, who runs on the home, and why the file cannot be read if so."""

    settings: Settings
    stamp: Stamp
    servers: tuple[RunningServer, ...]
    fault: str = ""


class Session:
    """One person at one dashboard. `clock` and `opener` stand in for the time of day and the wiring (tests)."""

    def __init__(
        self,
        environ: Mapping[str, str],
        vault: str | None,
        clock: Clock | None = None,
        opener: Opener | None = None,
    ) -> None:
        self.environ = environ
        self._vault = vault
        self._open = opener or (lambda: open_mind(vault, environ, Door.USER, clock))
        self._mind: Mind | None = None
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._undone: list[dict[Knob, str | None]] = []
        self.settings = load(environ, vault)
        self.pulse = self.look()

    @property
    def home(self) -> Path:
        """The data home."""
        return self.settings.home

    def look(self) -> Pulse:
        """Read the saved file and the servers' notes anew; a file that cannot be read leaves the last good settings.

        One look at a time: what a slow one read before a save must not come in the place of what was read after it.
        """
        with self._looking:
            fault, stamp = "", stamp_of(self.settings.home)
            try:
                self.settings = load(self.environ, self._vault)
            except MmindError as error:
                fault = self.shortened(str(error))
            self.pulse = Pulse(self.settings, stamp, tuple(running_servers(self.settings.home)), fault)
            return self.pulse

    def mind(self) -> Mind:
        """The open mind; opened at the first call, for all threads once. Raises ConfigError."""
        with self._lock:
            if self._mind is None:
                self._mind = self._open()
            return self._mind

    def save(self, changes: Mapping[Knob, str | None]) -> None:
        """Keep settings in the saved file (None: back to the default). Raises ConfigError; nothing is changed then."""
        for knob in changes:
            if self.pinned_by(knob):
                raise ConfigError(f"{knob.key} is pinned", f"{self.pinned_by(knob)} decides; unset it to choose here")
        self._undone.append(self._change(changes))

    def undo(self) -> tuple[Knob, ...]:
        """Take the last save back; the settings that it concerned, none when there is nothing to take back."""
        if not self._undone:
            return ()
        before = self._undone[-1]
        self._change(before)
        self._undone.pop()
        return tuple(before)

    def pinned_by(self, knob: Knob) -> str:
        """The variable (or argument) that decides a setting whatever the file says; "" where the file decides."""
        origin = self.settings.origins[knob.name]
        return {"environment": knob.env, "argument": "the vault argument"}.get(origin, "")

    def value(self, knob: Knob) -> str:
        """A setting's value for eyes: no secret."""
        return value_of(knob, self.settings)

    def shortened(self, text: str) -> str:
        """A sentence with the user's home in it written as `~`."""
        return text.replace(user_home(self.environ).rstrip(os.sep) + os.sep, f"~{os.sep}")

    def close(self) -> None:
        """Let go of the stores."""
        with self._lock:
            if self._mind is not None:
                self._mind.close()
                self._mind = None

    def _change(self, changes: Mapping[Knob, str | None]) -> dict[Knob, str | None]:
        before = change_saved(self.environ, changes)
        self.look()
        if not all(acts_at_once(knob) for knob in changes):
            self._reopen()
        return before

    def _reopen(self) -> None:
        """Another place or engine: what is open goes, on its own time, and the next call opens the new one."""
        with self._lock:
            old, self._mind = self._mind, None
        if old is not None:
            threading.Thread(target=old.close, name="mmind-close", daemon=True).start()
