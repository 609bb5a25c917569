"""Paths as people write them -> absolute paths, and the check that no place lies where it would do harm."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from mmind.values.errors import ConfigError
from mmind.values.wrapped import Wrapped

FOLDERS = ("vault", "instructions")  # the kinds of source that read every folder beneath their place


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


def check_once(sources: Sequence[Wrapped], vault: Path | None) -> None:
    """Refuse a wrapped source that would find again what the vault or another source finds.

    One note met under two names would count as two witnesses who agree. A vault may lie in a folder of instructions,
    which then leaves it out; no other folders may lie in one another, and a file, or a text column of a table, is
    wrapped once. Raises ConfigError.
    """
    folders = [] if vault is None else [("the vault", "vault", vault)]
    folders += [(f"sources.{one.name}", one.kind, one.path) for one in sources if one.kind in FOLDERS and one.path]
    for (first, kind, held), (second, other_kind, place) in combinations(folders, 2):
        if relation := _relation(place, held, other_kind, kind):
            raise ConfigError(f"{second} ({place}) {relation} {first} ({held})", _once(second))
    seen: dict[object, str] = {}
    for source in sources:
        twin = seen.setdefault(_what(source), source.name)
        if twin != source.name:
            label = f"sources.{source.name}"
            raise ConfigError(f"{label} is the same place as sources.{twin}", _once(label))


def _relation(place: Path, held: Path, kind: str, held_kind: str) -> str:
    """How one folder lies to another, where both would find the same notes; else ""."""
    one, other = _real(place), _real(held)
    if one == other:
        return "is the same folder as"
    if one.is_relative_to(other) and (kind, held_kind) != ("vault", "instructions"):
        return "lies inside"
    return "holds" if other.is_relative_to(one) and (kind, held_kind) != ("instructions", "vault") else ""


def _once(label: str) -> str:
    name = label.removeprefix("sources.")
    return f"wrap a folder apart from it, or where it is wrapped already run `mmind unwrap {name}`"


def _what(source: Wrapped) -> object:
    """What of which place a source reads: two sources that agree in it find the same."""
    where = _real(source.path) if source.path else (source.url_variable, source.url)
    columns = source.columns
    return source.kind, where, (columns.table.casefold(), columns.text.casefold()) if columns else ()


def _mover(inner: str, outer: str) -> str:
    """Which of the two is easier to move: never the vault, which is where it is."""
    return outer if inner == "MMIND_VAULT_PATH" else inner


def _real(path: Path) -> Path:
    """The path without symbolic links, in one case where the system ignores case."""
    return Path(os.path.normcase(os.path.realpath(path)))
