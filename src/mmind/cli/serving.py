"""`mmind [VAULT]`: the MCP server, or a word to the person who started it by hand."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

from mmind.cli.exits import OK
from mmind.values.errors import BadRequest

Server = Callable[[str | None, Mapping[str, str]], int]

WELCOME = """\
mmind is one memory for AI agents over the places where your knowledge lies. It is an MCP server: a client starts it
as `mmind VAULT` and talks to it on standard input and output. By hand, try:

  mmind retrieve --vault ~/notes "when is the rent due"    ask your notes
  mmind store "the router is in the cellar"                keep something
  mmind sources                                            what it reads, and how it is
  mmind --help                                             everything else
"""


def serve(arguments: Namespace, environ: Mapping[str, str], server: Server) -> int:
    """Serve until the client is gone. Without a verb and without a vault, a person at a terminal is told what this is.

    Raises BadRequest on a lone word that is a misspelt verb and no folder.
    """
    vault = arguments.vault or arguments.vault_option
    if not arguments.is_verb_given:
        _check_not_a_slip(arguments.vault)
        if vault is None and sys.stdin is not None and sys.stdin.isatty():
            sys.stderr.write(WELCOME)
            return OK
    return server(vault, _with_log_level(arguments, environ))


def _check_not_a_slip(vault: str | None) -> None:
    """`mmind sorces` is a slip, not a vault; a server for a folder that is not there would wait in silence."""
    if vault is None or not vault.isalpha() or os.path.exists(vault):  # noqa: PTH110 - pathlib costs the handshake 10 ms
        return
    import difflib

    from mmind.cli.arguments import VERBS

    near = difflib.get_close_matches(vault.casefold(), VERBS, n=1, cutoff=0.75)
    if near:
        raise BadRequest(
            f"{vault!r} is neither a verb nor a folder",
            f"did you mean `mmind {near[0]}`? (a folder of that name is served with `mmind serve {vault}`)",
        )


def _with_log_level(arguments: Namespace, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment with what --verbose and --debug ask for."""
    level = "debug" if arguments.debug else "info" if arguments.verbose else ""
    return {**environ, "MMIND_LOG_LEVEL": level} if level else environ
