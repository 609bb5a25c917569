"""What each verb takes: its words and options, and those of every verb. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from mmind.values.errors import BadRequest


def refuse_in_one_line(parser: argparse.ArgumentParser) -> None:
    """Mistakes are raised like every other error, instead of printing the usage and leaving the process.

    What was read tells by which (innermost) grammar, so that words too many are refused in terms of what it takes.
    """

    def refuse(message: str) -> None:
        raise BadRequest(message, f"see `{parser.prog} --help`")

    parser.set_defaults(grammar=parser)
    parser.error = refuse  # type: ignore[method-assign,assignment] # argparse offers a subclass only for this


def add_everywhere(parser: argparse.ArgumentParser, **default: Any) -> None:
    """What every verb takes; an inner parser gives `default` as SUPPRESS, or it would undo what the outer one read."""
    group = parser.add_argument_group("everywhere")
    group.add_argument("--vault", metavar="FOLDER", dest="vault_option", help="the folder of notes", **default)
    group.add_argument("-q", "--quiet", action="store_true", help="say nothing but the answer and errors", **default)
    group.add_argument("-v", "--verbose", action="store_true", help="say more on standard error", **default)
    group.add_argument("--debug", action="store_true", help="show tracebacks and everything that is logged", **default)


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("vault", metavar="VAULT", nargs="?", help="a folder of Markdown notes; it is never changed")
    parser.add_argument("--http", action="store_true", help="serve over HTTP on this machine instead; needs a token")
    parser.add_argument("--port", type=int, metavar="N", help="the port of HTTP (default 8765; 0: any free one)")
    parser.add_argument("--host", metavar="ADDRESS", help="the address of HTTP (default 127.0.0.1)")
    parser.add_argument(
        "--expose",
        action="append",
        default=[],
        metavar="NAME",
        help="let other machines in that call this one by NAME (and port, where it differs); repeatable",
    )


def _token(parser: argparse.ArgumentParser) -> None:
    rows = {
        "list": ("which tokens of HTTP there are; never what they are", ()),
        "new": ("make a token and show it, once; the one before it ends", ()),
        "drop": ("end a token", ()),
    }
    for action in _add_actions(parser, "token", "list", rows).values():
        action.add_argument("--read", action="store_true", help="the token that may search and read only")


def _dashboard(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("vault", metavar="VAULT", nargs="?", help="the folder of notes")


def _page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("vault", metavar="VAULT", nargs="?", help="the folder of notes")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="on this port (default: a free one)")
    parser.add_argument("--no-open", action="store_true", help="print the address, and open no browser")


def _retrieve(parser: argparse.ArgumentParser) -> None:
    _add_question(parser)
    parser.add_argument("--max-tokens", type=int, default=2000, metavar="N", help="bound the texts, 100 to 8000")
    parser.add_argument("--explain", action="store_true", help="show the factors whose product each score is")
    _add_json(parser)


def _add_question(parser: argparse.ArgumentParser) -> None:
    """What verbs take that ask: the question, of what, and how many results."""
    parser.add_argument("query", metavar="QUERY", nargs="+", help="what you want to know; `-` reads standard input")
    parser.add_argument("--limit", type=int, metavar="N", help="how many results, 1 to 50 (default 8)")
    parser.add_argument(
        "--store", action="append", default=[], metavar="NAME", dest="stores", help="ask this store only; repeatable"
    )
    parser.add_argument("--since", metavar="TIME", help="memories of this ISO date or time, and later")
    parser.add_argument("--until", metavar="TIME", help="memories of this ISO date or time, and earlier")
    parser.add_argument(
        "--tag", action="append", default=[], metavar="TAG", dest="tags", help="with this tag; repeatable"
    )
    parser.add_argument("--session", default="", metavar="NAME", help="see the memories of this session as well")


def _explain(parser: argparse.ArgumentParser) -> None:
    _add_question(parser)
    parser.add_argument("--plot", default="", metavar="FILE", help="draw it into a file: .svg, .png or .pdf")
    _add_json(parser)


def _store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("content", metavar="CONTENT", nargs="*", help="the text to keep; `-` reads standard input")
    parser.add_argument("--store", default="sqlite", metavar="NAME", help="where to keep it (default sqlite)")
    parser.add_argument("--title", default="", metavar="TEXT", help="a title")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", dest="tags", help="a tag; repeatable")
    parser.add_argument("--session", default="", metavar="NAME", help="keep it for this session only")
    parser.add_argument("--allow-secret", action="store_true", help="keep it although it looks like a key or password")
    _add_json(parser)


def _get(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", help="a handle as retrieve shows it (store:id), or a note's path in the vault"
    )
    parser.add_argument("--line", type=int, default=0, metavar="N", help="from this line on, one page")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="from this character on, one page")
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help="one page of this size, 100 to 8000")
    _add_json(parser)


def _forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="?", help="a handle as retrieve shows it (store:id)")
    parser.add_argument("--origin", default="", metavar="WRITER", help="instead: all that this client or agent wrote")
    parser.add_argument("--since", metavar="TIME", help="instead: all stored at this ISO date or time, and later")
    parser.add_argument("--until", metavar="TIME", help="… and earlier")
    parser.add_argument(
        "--store", action="append", default=[], metavar="NAME", dest="stores", help="… in this store only; repeatable"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would go, and remove nothing")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    _add_json(parser)


def _sources(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)


def _index(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rebuild", action="store_true", help="throw the index away and start from nothing")
    _add_json(parser)


def _config(parser: argparse.ArgumentParser) -> None:
    rows = {
        "list": ("every setting, its value and where it came from", ()),
        "get": ("the value of one setting", ("KEY",)),
        "set": ("keep a setting in the saved file", ("KEY", "VALUE")),
        "unset": ("take a setting out of the saved file", ("KEY",)),
        "path": ("where the saved file is", ()),
    }
    _add_actions(parser, "config", "list", rows)


def _audit(parser: argparse.ArgumentParser) -> None:
    rows = {
        "verify": ("walk the whole log, and say whether a record was changed, removed or moved", ()),
        "tail": ("the last records of the log", ()),
        "head": ("where the chain stands: number and hash of the last record, to keep elsewhere", ()),
        "path": ("where the log is", ()),
    }
    actions = _add_actions(parser, "audit", "verify", rows)
    actions["verify"].add_argument(
        "--against", default="", metavar="HEAD", help="hold it against what `mmind audit head` printed earlier"
    )
    _add_selection(actions["tail"])


def _add_selection(tail: argparse.ArgumentParser) -> None:
    tail.add_argument(
        "-n", type=int, metavar="N", dest="count", help="how many, newest last (default 20, or all of a span of time)"
    )
    tail.add_argument("--since", metavar="TIME", help="records of this ISO date or time, and later")
    tail.add_argument("--until", metavar="TIME", help="records of this ISO date or time, and earlier")
    tail.add_argument(
        "--event", action="append", default=[], metavar="KIND", dest="events", help="query, write, deny …; repeatable"
    )
    tail.add_argument(
        "--store", action="append", default=[], metavar="NAME", dest="stores", help="about this store; repeatable"
    )
    tail.add_argument("-f", "--follow", action="store_true", help="go on with what is written from now on")


def _install(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "client", metavar="CLIENT", nargs="?", default="", help="which client; without it: what is here"
    )
    parser.add_argument("folder", metavar="FOLDER", nargs="?", default="", help="the folder of your notes")
    parser.add_argument("--print", action="store_true", help="print the entry for a client that is not listed")
    _add_change(parser)
    _add_json(parser)


def _uninstall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", metavar="CLIENT", help="which client")
    _add_change(parser)


def _add_change(parser: argparse.ArgumentParser) -> None:
    """What verbs take that change a client's list of servers."""
    parser.add_argument(
        "--scope", choices=("user", "project"), default="user", help="everywhere, or in this folder only"
    )
    parser.add_argument("--name", default="mmind", metavar="NAME", type=_server_name, help="the server's name there")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _server_name(word: str) -> str:
    if (
        not word
        or len(word) > 40
        or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in word)
    ):
        raise argparse.ArgumentTypeError("letters, digits, - and _ only, at most 40")
    return word


def _doctor(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", action="append", default=[], metavar="NAME", dest="stores", help="this store only; repeatable"
    )
    parser.add_argument("-o", "--output", default="", metavar="FILE", help="where to (default: standard output)")


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what `mmind export` wrote; `-` reads standard input")
    parser.add_argument(
        "--store", default="", metavar="NAME", help="put everything into this store, whatever the file says"
    )
    _add_json(parser)


def _wrap(parser: argparse.ArgumentParser) -> None:
    kinds = ("vault", "instructions", "jsonl", "sqlite", "postgres", "mysql")
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("path", metavar="PATH", nargs="?", default="", help="the folder or file; not for a server")
    parser.add_argument("--name", default="", metavar="NAME", help="what to call it (default: after folder or table)")
    parser.add_argument(
        "--table", default="", metavar="TABLE", help="the table or view (in Postgres also SCHEMA.TABLE)"
    )
    columns = {"id": "what names a row", "text": "the text", "title": "its title", "time": "when it was last changed"}
    for column, meaning in {**columns, "tags": "its tags"}.items():
        parser.add_argument(f"--{column}", default="", metavar="COLUMN", help=f"the column with {meaning}")
    own = parser.add_mutually_exclusive_group()
    own.add_argument(
        "--search", default="", metavar="NAME", help="its full-text column, table or index (default: the only one)"
    )
    own.add_argument("--derived", action="store_true", help="index it here, though it has full-text search of its own")
    parser.add_argument(
        "--vector", default="", metavar="COLUMN", help="its own vectors, of the model in use (Postgres)"
    )
    parser.add_argument("--vector-model", default="", metavar="NAME", help="what made them (default: the one in use)")
    parser.add_argument("--url-env", default="", metavar="VARIABLE", help="the variable that holds the server's URL")
    parser.add_argument("--generated", action="store_true", help="agents wrote what stands there")
    _add_json(parser)


def _unwrap(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the source, as `mmind sources` shows it")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish", "powershell"), help="for which shell")


def _add_actions(
    parser: argparse.ArgumentParser, verb: str, default: str, rows: Mapping[str, tuple[str, tuple[str, ...]]]
) -> dict[str, argparse.ArgumentParser]:
    """The actions of a verb, each with its summary and its words; the `default` one where none is named."""
    _add_json(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", prog=f"mmind {verb}")
    parser.set_defaults(action=default)  # after the actions, whose own default is None
    added = {}
    for name, (summary, words) in rows.items():
        action = actions.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + ".", allow_abbrev=False
        )
        for word in words:
            action.add_argument(word.lower(), metavar=word)
        _add_json(action, default=argparse.SUPPRESS)
        add_everywhere(action, default=argparse.SUPPRESS)
        refuse_in_one_line(action)
        added[name] = action
    return added


def _add_json(parser: argparse.ArgumentParser, **default: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for a program", **default)


VERBS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "serve": ("start the MCP server on standard input and output", _serve),
    "retrieve": ("ask every store, and print one ranked answer", _retrieve),
    "explain": ("show the factors of each score as bars, or as a picture", _explain),
    "store": ("keep a memory of your own", _store),
    "get": ("print one memory in full", _get),
    "forget": ("remove a memory", _forget),
    "sources": ("show every store: health, access, counts, what was skipped", _sources),
    "index": ("bring the index level with every store", _index),
    "wrap": ("search a place that exists: a second vault, instructions, a table", _wrap),
    "unwrap": ("search a wrapped place no longer", _unwrap),
    "dashboard": ("watch the stores and tune the ranking in this terminal", _dashboard),
    "page": ("look at it in a browser on this machine", _page),
    "config": ("show and change the settings", _config),
    "token": ("make and end the tokens of `mmind serve --http`", _token),
    "audit": ("verify and read the log of everything that was asked and changed", _audit),
    "install": ("put the server into an MCP client's list", _install),
    "uninstall": ("take the server out of an MCP client's list", _uninstall),
    "doctor": ("look for what could go wrong here, and say how to mend it", _doctor),
    "export": ("write memories as JSON lines, to keep or to move", _export),
    "import": ("take in what export wrote", _import),
    "completion": ("print the completion script of a shell", _completion),
}
