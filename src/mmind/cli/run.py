"""One run of the command line: understand, do, and turn every error into one line and an exit code.

Only what every start needs is imported here: a server's handshake and `--help` come through this file.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from mmind.cli.exits import FAULT_OF_OURS, INTERRUPTED, OK, READER_GONE, exit_code
from mmind.values.errors import MmindError

if TYPE_CHECKING:
    from argparse import Namespace

    from mmind.cli.serving import Face
    from mmind.cli.terminal import Terminal

RUNNERS = {
    "retrieve": "mmind.cli.verbs:retrieve",
    "explain": "mmind.cli.explain_verb:explain",
    "store": "mmind.cli.verbs:store",
    "get": "mmind.cli.verbs:get",
    "forget": "mmind.cli.verbs:forget",
    "sources": "mmind.cli.verbs:sources",
    "index": "mmind.cli.verbs:index",
    "config": "mmind.cli.settings_verb:config",
    "audit": "mmind.cli.audit_verb:audit",
    "wrap": "mmind.cli.wrap_verb:wrap",
    "unwrap": "mmind.cli.wrap_verb:unwrap",
    "token": "mmind.cli.token_verb:token",
    "install": "mmind.cli.install_verb:install",
    "uninstall": "mmind.cli.install_verb:uninstall",
    "doctor": "mmind.cli.doctor_verb:doctor",
    "export": "mmind.cli.transfer_verbs:export",
    "import": "mmind.cli.transfer_verbs:import_",
    "completion": "mmind.cli.completion_verb:completion",
}


def run(argv: Sequence[str], environ: Mapping[str, str], faces: Mapping[str, Face]) -> int:
    """Run one command line (without the program's name) on this process's streams and give its exit code.

    `faces` are the other ways in, by the verb that starts them (the MCP server is `serve`); they are handed in, as the
    faces do not know one another.
    Never raises: an error is one line on standard error; its traceback is printed with `--debug` only.
    """
    is_debugging = "--debug" in argv
    try:
        code = _run(argv, environ, faces)
        sys.stdout.flush()
        return code
    except SystemExit as done:  # argparse, after help or version
        return done.code if isinstance(done.code, int) else OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return READER_GONE
    except MmindError as error:
        return _refused(str(error), exit_code(error), is_debugging)
    except Exception as error:  # noqa: BLE001 - the last line of defence: a person gets a sentence, not a traceback
        what = f"a fault in mmind itself ({type(error).__name__}: {error}); run it again with --debug and report it"
        return _refused(what, FAULT_OF_OURS, is_debugging)


def _run(argv: Sequence[str], environ: Mapping[str, str], faces: Mapping[str, Face]) -> int:
    if "_ARGCOMPLETE" in environ:
        from mmind.cli.completion_verb import complete

        complete()
    from mmind.cli.arguments import parse

    arguments = parse(argv)
    if arguments.verb == "serve":
        from mmind.cli.serving import serve

        return serve(arguments, environ, faces["serve"])
    _speak_utf8()
    if arguments.verb in faces:
        arguments.vault = arguments.vault or arguments.vault_option
        return faces[arguments.verb](arguments, environ)
    module, _, name = RUNNERS[arguments.verb].partition(":")
    runner: Callable[[Namespace, Terminal], int] = getattr(import_module(module), name)
    from mmind.audit.caller import Caller, calling

    with calling(Caller("cli")):
        return runner(arguments, _terminal(arguments, environ))


def _terminal(arguments: Namespace, environ: Mapping[str, str]) -> Terminal:
    from mmind.cli.terminal import Terminal

    return Terminal(environ, sys.stdin, sys.stdout, sys.stderr, arguments.quiet)


def _speak_utf8() -> None:
    """Answers are UTF-8 wherever they go; a terminal that cannot show a character gets a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _refused(what: str, code: int, is_debugging: bool) -> int:
    from mmind.cli.plain import one_line
    from mmind.cli.wrapping import wrapped

    if is_debugging:
        import traceback

        traceback.print_exc()
    with contextlib.suppress(OSError):
        sys.stderr.write(wrapped(f"mmind: {one_line(what)}", sys.stderr) + "\n")
    return code


def _drop_stdout() -> None:
    """Nobody reads any more (`| head`); without this the interpreter complains once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
