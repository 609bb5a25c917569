"""`mmind [VAULT]`: the MCP server, or a word to the person who started it by hand."""

from __future__ import annotations

import contextlib
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

from mmind.cli.exits import OK
from mmind.values.errors import BadRequest

Face = Callable[[Namespace, Mapping[str, str]], int]
"""Another way in, which reads `vault` and options of its own from the command line and gives the exit code."""

WELCOME = """\
mmind is one memory for AI agents over the places where your knowledge lies.
It is an MCP server: a client starts it as `mmind VAULT` and talks to it on
standard input and output. By hand, try:

  mmind retrieve --vault ~/notes "when is the rent due"   ask your notes
  mmind store "the router is in the cellar"               keep something
  mmind sources                                           what it reads
  mmind --help                                            everything else
"""


def serve(arguments: Namespace, environ: Mapping[str, str], server: Face) -> int:
    """Serve until the client is gone. Without a verb and without a vault, a person at a terminal is told what this is.

    A vault that is not there is served, for it may come; the person who started it is told. Raises BadRequest on a
    lone word that is neither a verb nor a folder.
    """
    vault = arguments.vault or arguments.vault_option
    if not arguments.is_verb_given:
        _check_not_a_slip(arguments.vault)
        if vault is None and not arguments.http and sys.stdin is not None and sys.stdin.isatty():
            sys.stderr.write(WELCOME)
            return OK
    if not arguments.http and (arguments.port is not None or arguments.host or arguments.expose):
        raise BadRequest("--port, --host and --expose are for HTTP", "add --http")
    _tell_of_a_missing_vault(vault, environ)
    arguments.vault = vault
    return server(arguments, _with_log_level(arguments, environ))


def _check_not_a_slip(word: str | None) -> None:
    """`mmind list` is a slip, not a vault; a server for a folder that is not there would wait in silence."""
    if not word or _is_there(word) or word.startswith(("~", ".")) or {"/", "\\", ":"} & set(word):
        return
    from mmind.cli.slips import meant_verb
    from mmind.config.reading import is_unset

    if is_unset(word):  # a client's unfilled placeholder: no vault, and no slip
        return
    meant = meant_verb(word)
    ways = f"did you mean `mmind {meant}`?" if meant else "see `mmind --help` for the verbs"
    raise BadRequest(
        f"{word!r} is neither a verb nor a folder",
        f"{ways} (a folder that is still to come is served with `mmind serve {word}`)",
    )


def _tell_of_a_missing_vault(vault: str | None, environ: Mapping[str, str]) -> None:
    """One line on standard error; the answers name the fault as well, and look for the folder each time."""
    named = [path for path in (environ.get("MMIND_VAULT_PATH"), vault) if path]
    if not named or _is_there(named[0]) or sys.stderr is None:
        return
    from mmind.cli.plain import one_line
    from mmind.cli.wrapping import wrapped
    from mmind.config.reading import is_unset

    path = next((path for path in named if not is_unset(path)), None)
    if path is None or _is_there(path):
        return
    line = f"mmind: the vault {one_line(path)} does not exist; the other stores answer, and it does once it is there"
    with contextlib.suppress(OSError):
        sys.stderr.write(wrapped(line, sys.stderr) + "\n")


def _is_there(path: str) -> bool:
    return os.path.exists(os.path.expanduser(path.strip()))  # noqa: PTH110, PTH111 - pathlib costs the handshake 10 ms


def _with_log_level(arguments: Namespace, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment with what --verbose and --debug ask for."""
    level = "debug" if arguments.debug else "info" if arguments.verbose else ""
    return {**environ, "MMIND_LOG_LEVEL": level} if level else environ
