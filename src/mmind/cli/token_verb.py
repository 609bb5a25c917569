"""`mmind token`: which tokens of HTTP there are, a new one, an end to one. Only the user's command line can ask."""

from __future__ import annotations

from argparse import Namespace

from mmind.cli.exits import NOT_FOUND, OK
from mmind.cli.terminal import Terminal
from mmind.config.settings import load
from mmind.config.tokens import READ, READ_WRITE, drop_token, given_hashes, kept_hashes, make_token
from mmind.disk.refusals import reason, way_out
from mmind.values.errors import ConfigError


def token(arguments: Namespace, terminal: Terminal) -> int:
    """Run the action that was asked for."""
    actions = {"list": _list, "new": _new, "drop": _drop}
    return actions[arguments.action](arguments, terminal)


def _list(arguments: Namespace, terminal: Terminal) -> int:
    settings = load(terminal.environ, arguments.vault_option)
    kept, given = kept_hashes(settings.home), given_hashes(settings)
    rows = {
        scope: "from the environment" if scope in given else "kept as a hash in the data home"
        for scope in (READ_WRITE, READ)
        if scope in given or scope in kept
    }
    if arguments.json:
        terminal.give({"tokens": rows})
        return OK
    for scope, where in rows.items():
        terminal.stdout.write(f"{scope:10} {where}\n")
    if not rows:
        terminal.say("there is no token yet: `mmind serve --http` makes one at its first start")
    return OK


def _new(arguments: Namespace, terminal: Terminal) -> int:
    settings = load(terminal.environ, arguments.vault_option)
    scope = _scope(arguments)
    try:
        made = make_token(settings.home, scope)
    except OSError as error:
        hint = way_out(error, "check who may write there")
        raise ConfigError(f"no token can be kept in {settings.home}: {reason(error)}", hint) from None
    if arguments.json:
        terminal.give({"scope": scope, "token": made})
    else:
        terminal.stdout.write(made + "\n")
    terminal.say(f"this token may {'search and read' if scope == READ else 'search and store'}; it is shown this once")
    if scope in given_hashes(settings):
        terminal.say("a variable of the environment gives another one, which is the one that counts there")
    return OK


def _drop(arguments: Namespace, terminal: Terminal) -> int:
    scope = _scope(arguments)
    if drop_token(load(terminal.environ, arguments.vault_option).home, scope):
        terminal.say(f"the token for {scope} has ended")
        return OK
    terminal.say(f"there was no token for {scope}")
    return NOT_FOUND


def _scope(arguments: Namespace) -> str:
    return READ if arguments.read else READ_WRITE
