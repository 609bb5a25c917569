"""A client's list of servers as text: an entry goes in and out, and everything else stays as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mmind.clients import jsonc
from mmind.values.errors import ConfigError


def with_entry(file: Path, text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    """The text of the file with our entry under `section`. Raises ConfigError when the file is broken."""
    with _named(file):
        if file.suffix == ".toml":
            return _toml_with(text, section, name, entry)
        return jsonc.with_member(text, (section, name), entry)


def without_entry(file: Path, text: str, section: str, name: str) -> str:
    """The text of the file without our entry. Raises ConfigError when the file is broken."""
    with _named(file):
        if file.suffix == ".toml":
            return _toml_without(text, section, name)
        return jsonc.without_member(text, (section, name))


def entry_in(file: Path, text: str, section: str, name: str) -> Mapping[str, Any] | None:
    """Our entry as it stands there, or None. Raises ConfigError when the file is broken."""
    with _named(file):
        if file.suffix == ".toml":
            found = _toml(text).unwrap().get(section, {}).get(name)
        else:
            found = jsonc.read_member(text, (section, name))
    return found if isinstance(found, dict) else None


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """What is wrong with the text is told with the name of its file."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{file}: {error.message}", error.hint) from None


def _toml(text: str) -> Any:
    import tomlkit
    from tomlkit.exceptions import ParseError

    try:
        return tomlkit.parse(text)
    except ParseError as error:
        raise ConfigError(f"line {error.line} is not TOML", "mend the file first; nothing was changed") from None


def _toml_with(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    import tomlkit

    document = _toml(text)
    if section not in document:
        document.add(section, tomlkit.table(is_super_table=True))
    row = tomlkit.table()
    for key, value in entry.items():
        row.add(key, value)
    document[section][name] = row
    return tomlkit.dumps(document)


def _toml_without(text: str, section: str, name: str) -> str:
    import tomlkit

    document = _toml(text)
    if section in document and name in document[section]:
        del document[section][name]
    return tomlkit.dumps(document)
