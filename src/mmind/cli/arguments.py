"""How a command line is read: the verb, wherever it stands, and what it was given. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from mmind.cli.examples import epilog
from mmind.cli.exits import TABLE
from mmind.cli.verb_arguments import VERBS, add_everywhere, refuse_in_one_line
from mmind.values.errors import BadRequest
from mmind.version import __version__

USAGE = "mmind [VAULT]\n       mmind VERB [ARGUMENTS]"
DESCRIPTION = """\
One memory for AI agents over your Markdown notes, SQLite, LevelDB, files and
vectors. `mmind VAULT` is an MCP server on standard input and output; an MCP
client starts it. The verbs are for you.
"""
EPILOG = f"""\
A folder that is called like a verb is served with `mmind ./NAME` or
`mmind serve NAME`. `mmind VERB --help` tells what a verb takes;
docs/configuration.md lists every setting.

{TABLE}"""

_VALUED = ("--vault",)  # options that stand before a verb and take a value


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read a command line (without the program's name): its arguments, `verb`, and `is_verb_given`.

    Raises BadRequest on a wrong one, and SystemExit(0) after printing help or the version.
    """
    arranged, is_verb_given = _verb_first(argv)
    names = [arranged[0]] if arranged[0] in VERBS else list(VERBS)  # one grammar is built in 1 ms, all of them in 8
    arguments, unknown = grammar(names).parse_known_args(arranged, argparse.Namespace(is_verb_given=is_verb_given))
    if unknown:
        raise _surplus(arguments, unknown)
    return arguments


def _surplus(arguments: argparse.Namespace, unknown: list[str]) -> BadRequest:
    """The refusal of words that nobody takes: the first word may be a misspelt verb, or a folder's name in two."""
    from mmind.cli.slips import meant_verb, surplus_option, surplus_words

    word = "" if arguments.is_verb_given else arguments.vault or ""
    if meant := meant_verb(word):
        return BadRequest(f"{word!r} is not a verb", f"did you mean `mmind {meant}`?")
    unknown = [one for one in unknown if one != "--"]
    usage = arguments.grammar.format_usage()
    if unknown[0].startswith("-"):
        return surplus_option(unknown[0], "mmind serve" if word else arguments.grammar.prog, usage)
    if word:
        hint = "see `mmind --help` for the verbs, or quote a folder's name"
        return BadRequest(f"unrecognized arguments: {' '.join(unknown)}", hint)
    return surplus_words(unknown, arguments.grammar.prog, usage)


def _verb_first(argv: Sequence[str]) -> tuple[list[str], bool]:
    """The words with the verb in front; `serve` where the first word is a vault or there is none."""
    position = _first_word(argv)
    if position is not None and argv[position] in VERBS:
        return [argv[position], *argv[:position], *argv[position + 1 :]], True
    if position is None and {"-h", "--help", "--version"} & set(argv):
        return list(argv), True
    return ["serve", *argv], False


def _first_word(argv: Sequence[str]) -> int | None:
    """Where the first word stands that is no option and no option's value; words after `--` are never verbs."""
    position = 0
    while position < len(argv) and argv[position] != "--":
        if not argv[position].startswith("-"):
            return position
        position += 2 if argv[position] in _VALUED else 1
    return None


def grammar(names: Sequence[str]) -> argparse.ArgumentParser:
    """The grammar of the named verbs."""
    root = argparse.ArgumentParser(
        prog="mmind",
        usage=USAGE,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"mmind {__version__}")
    refuse_in_one_line(root)
    verbs = root.add_subparsers(dest="verb", metavar="VERB", title="verbs", prog="mmind", required=True)
    for name in names:
        summary, add_arguments = VERBS[name]
        parser = verbs.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=epilog(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        add_arguments(parser)
        add_everywhere(parser)
        refuse_in_one_line(parser)
    return root
