"""`mmind completion SHELL`, and what the script it prints asks for at each press of the tab key."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterator, Sequence

from mmind.cli.exits import OK
from mmind.cli.terminal import Terminal


def completion(arguments: Namespace, terminal: Terminal) -> int:
    """Print the script; it asks this program each time, and so knows what this version takes."""
    from argcomplete.shell_integration import shellcode

    terminal.stdout.write(shellcode(["mmind"], shell=arguments.shell))
    return OK


def complete() -> None:
    """Answer the shell on the channel that it named, and leave the process."""
    import argcomplete

    from mmind.cli.arguments import grammar
    from mmind.cli.verb_arguments import VERBS

    parser = grammar(list(VERBS))
    _name_values(parser)
    argcomplete.autocomplete(parser)


def _name_values(parser: argparse.ArgumentParser) -> None:
    """Let stores, settings and clients be completed; everything else without choices is a file."""
    from mmind.clients.table import ROWS
    from mmind.config.table import KNOBS, STORES

    known: dict[str, Sequence[str]] = {
        "stores": STORES,
        "store": STORES,
        "key": [knob.file_key for knob in KNOBS if knob.file_key],
        "client": [row.name for row in ROWS],
    }
    for action in _actions(parser):
        if action.dest in known:
            from argcomplete.completers import ChoicesCompleter

            choices = ChoicesCompleter(dict.fromkeys(known[action.dest], ""))
            action.completer = choices  # type: ignore[attr-defined] # argcomplete's own hook


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to walk a grammar
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for inner in action.choices.values():
                yield from _actions(inner)
