"""The saved file `config.toml` in the data home: read with line numbers, written atomically, comments kept."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmind.config.reading import Value, read, shown
from mmind.config.suggestion import did_you_mean
from mmind.config.table import KNOB_BY_FILE_KEY, KNOBS, Knob
from mmind.disk.durable import make_private_folder, write_whole
from mmind.disk.locks import held
from mmind.disk.refusals import reason, way_out
from mmind.values.errors import ConfigError
from mmind.values.memory import Access

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_LOCK_SECONDS = 10.0
SOURCES = "sources"  # the table of wrapped sources, each in a table of its name


@dataclass(frozen=True, slots=True)
class Saved:
    """What the file holds: raw TOML values by dotted key, and a label ("config.toml line 3: log.level") for errors."""

    path: Path
    values: Mapping[str, object]
    labels: Mapping[str, str]


def config_path(home: Path) -> Path:
    """Where the saved file of a data home lies; it may not exist."""
    return home / "config.toml"


def read_saved(path: Path) -> Saved:
    """The saved file; empty when there is none. Raises ConfigError that names the file and the line."""
    return saved_from(_text_of(path), path)


def saved_from(text: str, path: Path) -> Saved:
    """The saved file from its text. Raises ConfigError on broken TOML (with its line) and on unknown keys."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = f" line {line[1]}" if line else " at its end"
        reason = str(error).split(" (at ")[0]
        raise ConfigError(
            f"{path}{where} is not valid TOML: {shown(reason)}", "correct it or delete the line"
        ) from None
    values = dict(_flattened(document, ""))
    lines = _line_numbers(text)
    labels = {key: f"{path}{f' line {lines[key]}' if key in lines else ''}: {key}" for key in values}
    for key in values:
        _check_key(key, labels[key])
    return Saved(path, values, labels)


def find_knob(word: str) -> Knob:
    """The knob that a person means by its file key, variable or name. Raises ConfigError with a near match."""
    for knob in KNOBS:
        if word in (knob.file_key, knob.name) or word.upper() == knob.env:
            return knob
    known = [name for knob in KNOBS for name in (knob.file_key, knob.env) if name]
    raise ConfigError(f"there is no setting {shown(word)!r}", did_you_mean(word, known, "see `mmind config list`"))


def save(path: Path, knob: Knob, text: str) -> Value:
    """Keep one knob's value in the file and give it back as read.

    `path` need not exist; comments and order of the rest stay. Paths must come absolute. Raises ConfigError on a
    secret, on a knob that the file may not hold and on a value out of range; the file is then as it was.
    """
    value = read(keepable(knob), text, knob.key)
    with _locked(path), _edited(path) as document:
        _put(document, knob.file_key.split("."), _plain(value))
    return value


def save_together(path: Path, changes: Mapping[Knob, str | None]) -> None:
    """Keep several knobs' values in one write; None takes a knob out of the file. As `save` in all else."""
    values = {knob: _savable(knob, text) for knob, text in changes.items()}
    with _locked(path), _edited(path) as document:
        for knob, value in values.items():
            keys = knob.file_key.split(".")
            if value is None:
                _drop(document, keys)
            else:
                _put(document, keys, _plain(value))


def save_source(path: Path, name: str, facts: Mapping[str, object]) -> None:
    """Keep a wrapped source under its name, in place of an earlier one. Raises ConfigError."""
    with _locked(path), _edited(path) as document:
        _drop(document, [SOURCES, name])
        for key, value in facts.items():
            _put(document, [SOURCES, name, key], value)


def forget(path: Path, key: str) -> bool:
    """Take one key out of the file (a key that nobody knows as well). False when it was not there."""
    with _locked(path), _edited(path) as document:
        return _drop(document, key.split("."))


def _savable(knob: Knob, text: str | None) -> Value | None:
    return None if text is None else read(keepable(knob), text, knob.key)


def keepable(knob: Knob) -> Knob:
    """The knob, if the file may hold it."""
    if not knob.file_key:
        why = "is a secret and is never written to disk" if knob.secret else "cannot be kept in the saved file"
        raise ConfigError(f"{knob.env} {why}", f"set {knob.env} in the environment")
    return knob


def _text_of(path: Path) -> str:
    if path.exists() and not path.is_file():  # a pipe would be waited for, without end
        raise ConfigError(f"{path} is not a file of text", "move it away; `mmind config` then writes a new one")
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {reason(error)}", way_out(error, "check who may read it")) from None


def _flattened(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flattened(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _line_numbers(text: str) -> dict[str, int]:
    """The line of each key, as far as plain `[section]` and `key = value` lines tell (tomllib gives none)."""
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            section = re.sub(r"[\s\"']", "", header[1]) + "."
        elif key := re.match(r"\s*([\w.\-\"' ]+?)\s*=", line):
            lines.setdefault(section + re.sub(r"[\s\"']", "", key[1]), number)
    return lines


def _check_key(key: str, label: str) -> None:
    if key in KNOB_BY_FILE_KEY or key.startswith(SOURCES + "."):  # what a source says is judged with the settings
        return
    secret = next((knob for knob in KNOBS if knob.secret and key.rpartition(".")[2] in (knob.name, knob.env)), None)
    if secret:
        raise ConfigError(
            f"{label} is a secret, and secrets are not kept in files", f"set {secret.env} in the environment"
        )
    raise ConfigError(
        f"{label} is not a setting", did_you_mean(key, KNOB_BY_FILE_KEY, f"take it out: mmind config unset {key}")
    )


def _plain(value: Value) -> object:
    """A value as TOML holds it: whole numbers without a point, access modes and choices as words."""
    if isinstance(value, Access):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _put(document: TOMLDocument, keys: list[str], value: object) -> None:
    """Set a dotted key, also one that was written as `a.b = 1` at the top of the file."""
    import tomlkit

    table: Any = document
    for key in keys[:-1]:
        if key not in table:
            table[key] = tomlkit.table()
        table = table[key]
        if not isinstance(table, dict):
            raise ConfigError(f"{key} stands in the saved file as a value, not as a section", "correct it by hand")
    table[keys[-1]] = value


def _drop(document: TOMLDocument, keys: list[str]) -> bool:
    """Take a dotted key out, and with it each section that then holds nothing, not even a comment."""
    tables: list[Any] = [document]
    for key in keys[:-1]:
        tables.append(tables[-1].get(key) if isinstance(tables[-1], dict) else None)
    if not isinstance(tables[-1], dict) or keys[-1] not in tables[-1]:
        return False
    for table, key in zip(reversed(tables), reversed(keys), strict=True):
        del table[key]
        if table is document or table.as_string().strip() or table.trivia.comment:
            break
    return True


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Two processes that save at once take turns, so that neither loses the other's line.

    The lock lies beside the real file: several homes may link to one.
    """
    try:
        make_private_folder(path.parent)
        real = _real(path)
        real.parent.stat()  # a link to a drive that is not mounted: no folder is made in its place
        with held(real.with_suffix(".lock"), _LOCK_SECONDS) as is_ours:
            if not is_ours:
                raise ConfigError(f"{path} is being saved by another process", "try again")
            yield
    except OSError as error:
        hint = way_out(error, "check who may write there")
        raise ConfigError(f"{path} cannot be written: {reason(error)}", hint) from None


@contextlib.contextmanager
def _edited(path: Path) -> Iterator[TOMLDocument]:
    """The file as an editable document; written back, atomically, when it changed."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    before = _text_of(path)
    try:
        document = tomlkit.parse(before)
    except TOMLKitError as error:
        saved_from(before, path)  # the same fault, with its line
        raise ConfigError(f"{path} is not valid TOML: {shown(str(error))}", "correct it by hand") from None
    yield document
    after = tomlkit.dumps(document)
    if after != before:
        write_whole(_real(path), after.encode("utf-8"), mode=0o600)


def _real(path: Path) -> Path:
    """The file itself: a link to one that is kept elsewhere stays a link."""
    return Path(os.path.realpath(path))
