"""Change one setting of the saved file, or refuse and leave the file as it was."""

from __future__ import annotations

from collections.abc import Mapping

from mmind.config.file import config_path, find_knob, forget, read_saved, save
from mmind.config.places import absolute, user_home, working_folder
from mmind.config.reading import expected, is_unset, read
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
    if is_unset(text) and knob.file_key:
        raise ConfigError(
            f"{knob.key} was given no value", f"use `mmind config unset {knob.key}` to go back to the default"
        )
    if knob.kind is Kind.PATH:
        text = str(absolute(text.strip(), user_home(environ), working_folder()))
    if knob.read_only_because and read(knob, text, knob.key) is Access.READ_WRITE:
        raise ConfigError(f"{knob.key} is {text!r}, but {knob.read_only_because}", f"set it to {expected(knob)}")
    _check(environ, knob, text)
    save(config_path(data_home(environ)), knob, text)
    return knob


def unset_saved(environ: Mapping[str, str], word: str) -> tuple[str, bool]:
    """Take a setting out of the saved file, also one that nobody knows; the key, and whether it was there."""
    path = config_path(data_home(environ))
    if forget(path, word):
        return word, True
    key = find_knob(word).key
    return key, forget(path, key)


def _check(environ: Mapping[str, str], knob: Knob, text: str) -> None:
    """Whether the file with the new value holds together. Variables are left out: they are not what is saved."""
    if knob.file_key not in KNOB_BY_FILE_KEY:
        return
    saved = read_saved(config_path(data_home(environ)))
    values = {**saved.values, knob.file_key: text}
    labels = {**saved.labels, knob.file_key: knob.file_key}
    bare = {name: environ[name] for name in ("HOME", "USERPROFILE", "MMIND_HOME") if name in environ}
    resolve(bare, None, type(saved)(saved.path, values, labels))
