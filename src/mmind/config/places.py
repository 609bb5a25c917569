"""Paths as people write them -> absolute paths, and the check that no place lies where it would do harm."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mmind.values.errors import ConfigError


def user_home(environ: Mapping[str, str]) -> str:
    """The user's home folder: HOME (or USERPROFILE) of the given environment first, then the system's answer."""
    return environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")  # noqa: PTH111 - never raises, unlike Path.home


def working_folder() -> str:
    """The working directory, or the root where it was deleted under the process."""
    try:
        return os.getcwd()  # noqa: PTH109 - a string is what is joined
    except OSError:
        return os.sep


def absolute(text: str, user: str, against: str) -> Path:
    """`text` with a leading `~` expanded to `user`, made absolute against a folder, without a trailing slash."""
    if text == "~" or text.startswith(("~/", "~\\")):
        text = user + text[1:]
    return Path(os.path.abspath(os.path.join(against, text)))  # noqa: PTH100, PTH118 - Path.absolute keeps `..`


def check_apart(vault: Path | None, kept: Mapping[str, Path], written: Mapping[str, Path]) -> None:
    """Refuse places that lie in one another; the keys are the variables that name them.

    `kept` are the folders that stores and audit log fill, `written` the other places that mmind writes to. A vault
    that held any of them would be written to, would show the audit log to every reader, and would give agents' files
    the trust of the user's notes; and a store's folder in another store's would be found twice. Raises ConfigError.
    """
    folders = dict(kept) if vault is None else {"MMIND_VAULT_PATH": vault, **kept}
    real = {name: _real(path) for name, path in {**folders, **written}.items()}
    for outer in folders:
        for inner, path in real.items():
            if inner != outer and path.is_relative_to(real[outer]):
                raise ConfigError(
                    f"{inner} ({written.get(inner) or folders[inner]}) lies inside {outer} ({folders[outer]})",
                    f"set {_mover(inner, outer)} to a place outside",
                )


def check_out_of_log(name: str, place: Path, log: Path, *, may_hold: bool) -> None:
    """Refuse a wrapped source that lies in the audit log, or holds it where it may not. Raises ConfigError.

    The log is shown to no reader. A source that takes only certain files may hold it: it leaves our own folders out.
    """
    inner, outer = _real(place), _real(log)
    if inner.is_relative_to(outer) or (outer.is_relative_to(inner) and not may_hold):
        raise ConfigError(
            f"the source {name} ({place}) would show the audit log ({log})",
            f"wrap another place, or take it out: mmind unwrap {name}",
        )


def check_foreign(name: str, path: Path, kept: Mapping[str, Path]) -> None:
    """Refuse to wrap what mmind keeps itself: it would be found twice, and what agents wrote would pass for the user's.

    Raises ConfigError.
    """
    for variable, place in kept.items():
        if _real(path).is_relative_to(_real(place)):
            raise ConfigError(
                f"sources.{name} ({path}) is where mmind keeps what {variable} names", "it is searched already"
            )


def _mover(inner: str, outer: str) -> str:
    """Which of the two is easier to move: never the vault, which is where it is."""
    return outer if inner == "MMIND_VAULT_PATH" else inner


def _real(path: Path) -> Path:
    """The path without symbolic links, in one case where the system ignores case."""
    return Path(os.path.normcase(os.path.realpath(path)))
