"""`mmind export` and `mmind import`: memories as JSON lines, one a line, in UTF-8."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from mmind.cli.exits import OK
from mmind.cli.plain import counted
from mmind.cli.terminal import Terminal
from mmind.cli.verbs import opened
from mmind.disk.refusals import reason, way_out
from mmind.router.mind import Mind
from mmind.stores.rows import fields_of, memory_of
from mmind.values.errors import BadRequest, MmindError

LONGEST_ID = 512
TOLD = {
    "new": "taken in",
    "changed": "brought up to date",
    "known": "known already",
    "kept": "left out, for what is kept is newer or the user's own",
}


def export(arguments: Namespace, terminal: Terminal) -> int:
    """Write every memory of the named stores; without names, of all that mmind itself keeps (the vault stays put)."""
    count = 0
    with opened(arguments, terminal) as mind:
        names = [part.strip() for word in arguments.stores for part in word.split(",")] or mind.own_stores()
        with _output(arguments.output, terminal) as stream:
            for name in names:
                for memory in mind.export(name):
                    row = {"store": memory.store, "id": memory.id, **fields_of(memory)}
                    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                    count += 1
    terminal.say(f"{counted(count, 'memory', 'memories')} written")
    return OK


def import_(arguments: Namespace, terminal: Terminal) -> int:
    """Take in what `export` wrote; each is durable when its line was read. Twice is the same as once."""
    found: Counter[str] = Counter()
    with opened(arguments, terminal) as mind:
        for number, line in _lines(arguments.file, terminal):
            found[_taken(line, number, arguments.store, mind)] += 1
    if arguments.json:
        terminal.give(dict(sorted(found.items())))
        return OK
    told = [f"{found[key]:,} {word}" for key, word in TOLD.items() if found[key]]
    terminal.stdout.write((", ".join(told) or "there was nothing to take in") + "\n")
    return OK


def _taken(line: str, number: int, store: str, mind: Mind) -> str:
    row = _row(line)
    if row is None:
        raise BadRequest(f"line {number} is not a memory", "import takes what `mmind export` wrote")
    try:
        return mind.take(memory_of(store or row["store"], row["id"], row, path="", fingerprint="")).value
    except MmindError as error:
        raise type(error)(f"line {number}: {error.message}", error.hint) from None


def _row(line: str) -> dict[str, Any] | None:
    """The fields of a line, or None where it is no memory of `export`'s."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_whole = isinstance(row, dict) and all(isinstance(row.get(key), str) for key in ("store", "id", "text"))
    return row if is_whole and 0 < len(row["id"]) <= LONGEST_ID and "\0" not in row["id"] else None


def _lines(name: str, terminal: Terminal) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers."""
    if name == "-":
        yield from _numbered(iter(terminal.read_text().splitlines()))
        return
    try:
        with Path(name).expanduser().open(encoding="utf-8-sig") as file:
            yield from _numbered(file)
    except OSError as error:
        hint = way_out(error, "name a file that `mmind export` wrote")
        raise BadRequest(f"{name} cannot be read: {reason(error)}", hint) from None
    except UnicodeDecodeError:
        raise BadRequest(f"{name} is not UTF-8 text", "name a file that `mmind export` wrote") from None


def _numbered(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


@contextmanager
def _output(name: str, terminal: Terminal) -> Iterator[TextIO]:
    """Standard output, or a new file that only its owner may read; one that is there already is not overwritten."""
    if not name or name == "-":
        with nullcontext(terminal.stdout) as stream:
            yield stream
        return
    path = Path(name).expanduser()
    try:
        path.touch(mode=0o600, exist_ok=False)
        with path.open("w", encoding="utf-8") as file:
            yield file
    except FileExistsError:
        raise BadRequest(f"{path} is there already", "name another file, or remove it first") from None
    except OSError as error:
        hint = way_out(error, "name another file")
        raise BadRequest(f"{path} cannot be written: {reason(error)}", hint) from None
