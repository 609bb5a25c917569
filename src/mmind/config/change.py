"""Change one setting of the saved file, or refuse and leave the file as it was."""

from __future__ import annotations

from collections.abc import Mapping

from mmind.config.file import Saved, config_path, find_knob, forget, keepable, read_saved, save, save_together
from mmind.config.places import absolute, user_home, working_folder
from mmind.config.reading import expected, is_unset, read, written
from mmind.config.settings import data_home, resolve
from mmind.config.table import KNOB_BY_FILE_KEY, Kind, Knob
from mmind.values.errors import ConfigError
from mmind.values.memory import Access


def set_saved(environ: Mapping[str, str], word: str, text: str) -> Knob:
    """Keep `text` as the value of the setting that `word` names (file key, variable or name).

    Relative paths are kept absolute, from the working directory. Raises ConfigError on an unknown setting, a secret,
    a value out of range, or one that contradicts the rest of the file.
    """
    knob = find_knob(word)
    text = _text(environ, knob, text)
    _check(environ, knob, text)
    save(config_path(data_home(environ)), knob, text)
    return knob


def change_saved(environ: Mapping[str, str], changes: Mapping[Knob, str | None]) -> dict[Knob, str | None]:
    """Keep several settings in one write (None: back to the default), and give what the file held for them before.

    What is given back undoes the change when it is handed in again. Raises ConfigError as `set_saved`; the file is
    then as it was.
    """
    path = config_path(data_home(environ))
    saved = read_saved(path)
    texts = {keepable(knob): None if text is None else _text(environ, knob, text) for knob, text in changes.items()}
    values = {key: value for key, value in saved.values.items() if key not in {knob.file_key for knob in texts}}
    values |= {knob.file_key: text for knob, text in texts.items() if text is not None}
    _check_values(environ, saved, values)
    before = {knob: _as_text(environ, knob, saved) for knob in texts}
    save_together(path, texts)
    return before


def unset_saved(environ: Mapping[str, str], word: str) -> tuple[str, bool]:
    """Take a setting out of the saved file, also one that nobody knows; the key, and whether it was there."""
    path = config_path(data_home(environ))
    if forget(path, word):
        return word, True
    key = find_knob(word).key
    return key, forget(path, key)


def _text(environ: Mapping[str, str], knob: Knob, text: str) -> str:
    """The text as it is kept: a path absolute. Raises ConfigError on nothing at all, and on what has no effect."""
    if is_unset(text) and knob.file_key:
        raise ConfigError(
            f"{knob.key} was given no value", f"use `mmind config unset {knob.key}` to go back to the default"
        )
    if knob.kind is Kind.PATH:
        text = str(absolute(text.strip(), user_home(environ), working_folder()))
    if knob.read_only_because and read(knob, text, knob.key) is Access.READ_WRITE:
        raise ConfigError(f"{knob.key} is {text!r}, but {knob.read_only_because}", f"set it to {expected(knob)}")
    return text


def _as_text(environ: Mapping[str, str], knob: Knob, saved: Saved) -> str | None:
    """What the file holds for a knob, as text that means the same wherever it is read; None where it holds nothing."""
    if knob.file_key not in saved.values:
        return None
    text = written(saved.values[knob.file_key])
    if isinstance(saved.values[knob.file_key], list):
        text = written(read(knob, saved.values[knob.file_key], knob.key))
    return str(absolute(text, user_home(environ), str(saved.path.parent))) if knob.kind is Kind.PATH else text


def _check(environ: Mapping[str, str], knob: Knob, text: str) -> None:
    """Whether the file with the new value holds together."""
    if knob.file_key not in KNOB_BY_FILE_KEY:
        return
    saved = read_saved(config_path(data_home(environ)))
    _check_values(environ, saved, {**saved.values, knob.file_key: text})


def _check_values(environ: Mapping[str, str], saved: Saved, values: Mapping[str, object]) -> None:
    """Whether these values hold together. Variables are left out: they are not what is saved."""
    labels = {key: saved.labels.get(key, key) if values[key] == saved.values.get(key) else key for key in values}
    bare = {name: environ[name] for name in ("HOME", "USERPROFILE", "MMIND_HOME") if name in environ}
    resolve(bare, None, Saved(saved.path, values, labels))
