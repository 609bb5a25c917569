"""How a client starts us: an absolute command, since a client with a window does not inherit the shell's PATH."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmind.config.reading import is_unset
from mmind.config.table import KNOB_BY_ENV


@dataclass(frozen=True, slots=True)
class Entry:
    """A server as clients keep it: command, arguments, and variables, among which there is never a secret."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    def as_json(self, extra: Mapping[str, Any]) -> dict[str, Any]:
        """As it stands in a client's file, with what that client wants beside it."""
        variables = {"env": dict(self.env)} if self.env else {}
        return {**extra, "command": self.command, "args": list(self.args), **variables}

    @property
    def words(self) -> list[str]:
        """The command line."""
        return [self.command, *self.args]


def own_entry(vault: Path | None, environ: Mapping[str, str], started_as: str) -> Entry:
    """The entry that starts this very mmind over `vault`, with the settings that the environment holds now.

    `started_as` is how this process was started (`sys.argv[0]`).
    """
    words = own_command(environ, started_as)
    return Entry(words[0], (*words[1:], *([] if vault is None else [str(vault)])), kept_variables(environ))


def own_command(environ: Mapping[str, str], started_as: str) -> list[str]:
    """The command that starts this mmind: by uvx where it came from uvx, else the program itself."""
    program = Path(started_as)
    uvx = shutil.which("uvx", path=environ.get("PATH"))
    if uvx and _is_of_uvx(program):  # such a folder is thrown away when the cache is cleaned
        return [uvx, "--from", "multimodemind", "mmind"]
    if program.stem == "mmind" and program.is_file():
        return [os.path.abspath(program)]  # noqa: PTH100 - a link is kept: it outlives what it leads to
    beside = Path(sys.executable).with_name("mmind.exe" if os.name == "nt" else "mmind")
    return [str(beside)] if beside.is_file() else [sys.executable, "-m", "mmind"]


def kept_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Our variables that are set here and are no secrets: a client's window would not have them."""
    return {
        name: environ[name]
        for name, knob in sorted(KNOB_BY_ENV.items())
        if not knob.secret and name.startswith("MMIND_") and not is_unset(environ.get(name))
    }


def left_out(environ: Mapping[str, str]) -> Sequence[str]:
    """Variables that are set here and hold secrets: the user hands them to the client in another way."""
    return [name for name, knob in sorted(KNOB_BY_ENV.items()) if knob.secret and not is_unset(environ.get(name))]


def _is_of_uvx(program: Path) -> bool:
    parts = {part.casefold() for part in program.parts}
    return bool({"archive-v0", "environments-v2"} & parts) and "uv" in parts
