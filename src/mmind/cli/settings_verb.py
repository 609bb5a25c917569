"""`mmind config`: show the settings, and change the saved file."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from mmind.cli.exits import OK
from mmind.cli.terminal import Terminal
from mmind.config.change import set_saved, unset_saved
from mmind.config.file import config_path, find_knob, read_saved
from mmind.config.reading import is_unset
from mmind.config.settings import Settings, data_home, load
from mmind.config.showing import value_of
from mmind.config.table import KNOBS, Kind, Knob


def config(arguments: Namespace, terminal: Terminal) -> int:
    """Run the action that was asked for."""
    actions = {"list": _list, "get": _get, "set": _set, "unset": _unset, "path": _path}
    return actions[arguments.action](arguments, terminal)


def _list(arguments: Namespace, terminal: Terminal) -> int:
    settings = load(terminal.environ, arguments.vault_option)
    if arguments.json:
        terminal.give({knob.key: _row(knob, settings) for knob in KNOBS})
        return OK
    from mmind.cli.render_status import render_settings

    terminal.show(render_settings((knob.key, value_of(knob, settings), settings.origins[knob.name]) for knob in KNOBS))
    for note in settings.notes:
        terminal.say(note)
    return OK


def _row(knob: Knob, settings: Settings) -> Mapping[str, str]:
    return {"variable": knob.env, "value": value_of(knob, settings), "from": settings.origins[knob.name]}


def _get(arguments: Namespace, terminal: Terminal) -> int:
    knob = find_knob(arguments.key)
    settings = load(terminal.environ, arguments.vault_option)
    if arguments.json:
        terminal.give({knob.key: _row(knob, settings)})
    else:
        terminal.stdout.write(value_of(knob, settings) + "\n")
    return OK


def _set(arguments: Namespace, terminal: Terminal) -> int:
    knob = set_saved(terminal.environ, arguments.key, arguments.value)
    saved = config_path(data_home(terminal.environ))
    path = str(read_saved(saved).values[knob.file_key]) if knob.kind is Kind.PATH else ""
    terminal.say(f"{knob.key} is saved in {saved}" + (f" as {path}" if path else ""))
    if knob.name == "vault_path" and not Path(path).is_dir():
        terminal.say(f"{path} does not exist yet" if not Path(path).exists() else f"{path} is not a folder")
    if not is_unset(terminal.environ.get(knob.env)):
        terminal.say(f"{knob.env} is set in the environment and beats the saved value")
    return OK


def _unset(arguments: Namespace, terminal: Terminal) -> int:
    key, was_there = unset_saved(terminal.environ, arguments.key)
    terminal.say(f"{key} is back to its default" if was_there else f"{key} was not in the saved file")
    return OK


def _path(arguments: Namespace, terminal: Terminal) -> int:
    path = str(config_path(data_home(terminal.environ)))
    if arguments.json:
        terminal.give({"path": path})
    else:
        terminal.stdout.write(path + "\n")
    return OK
