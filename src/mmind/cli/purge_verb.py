"""`mmind forget --origin … --since …`: forget many memories at once, after showing which."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from mmind.cli.exits import INTERRUPTED, NOT_FOUND, OK, UNAVAILABLE
from mmind.cli.plain import counted, one_line
from mmind.cli.terminal import Terminal
from mmind.config.settings import load
from mmind.router.parse import parse_time
from mmind.router.purge import Purged, Span
from mmind.values.door import Door
from mmind.values.errors import BadRequest
from mmind.values.memory import Memory

MOST_SHOWN = 50
SHOWN_CHARACTERS = 60


def purge(arguments: Namespace, terminal: Terminal) -> int:
    """Show what would go, ask, remove it from every store and from the index, and rewrite the files it stood in."""
    from mmind.wiring import open_mind, scrub

    span = Span(
        origin=arguments.origin,
        since=parse_time("since", arguments.since),
        until=parse_time("until", arguments.until),
    )
    with open_mind(arguments.vault_option, terminal.environ, Door.USER) as mind:
        found = mind.meant(span, arguments.stores)
        if not found or arguments.dry_run:
            return _preview(found, arguments, terminal)
        if not arguments.yes and not _is_sure(found, terminal):
            terminal.say("nothing was removed")
            return INTERRUPTED
        purged = mind.purge(span, arguments.stores)
    left = scrub(load(terminal.environ, arguments.vault_option))
    return _told(purged, left, arguments, terminal)


def _preview(found: Sequence[Memory], arguments: Namespace, terminal: Terminal) -> int:
    if arguments.json:
        terminal.give({"would_forget": [_row(memory) for memory in found]})
    else:
        _show(found, terminal)
        terminal.say(f"{counted(len(found), 'memory', 'memories')} would go; nothing was removed")
    return OK if found else NOT_FOUND


def _told(purged: Purged, left: Sequence[str], arguments: Namespace, terminal: Terminal) -> int:
    if arguments.json:
        terminal.give(
            {"forgotten": [_row(memory) for memory in purged.gone], "kept": dict(purged.kept), "left": list(left)}
        )
    else:
        terminal.stdout.write(f"forgotten {counted(len(purged.gone), 'memory', 'memories')}\n")
    for name, why in purged.kept.items():
        terminal.complain(f"{name} was kept: {why}")
    for why in left:
        terminal.complain(f"deleted text may still stand in a file: {why}; run it again when no client is open")
    return UNAVAILABLE if purged.kept or left else OK


def _show(found: Sequence[Memory], terminal: Terminal) -> None:
    for memory in found[:MOST_SHOWN]:
        row = _row(memory)
        terminal.stdout.write(one_line(f"{row['id']}  {row['time']}  {row['writer']}  {row['start']}") + "\n")
    if len(found) > MOST_SHOWN:
        terminal.stdout.write(f"… and {len(found) - MOST_SHOWN:,} more\n")


def _row(memory: Memory) -> dict[str, str]:
    moment = memory.created or memory.time
    return {
        "id": memory.handle,
        "time": moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else "",
        "writer": memory.writer,
        "trust": memory.trust.value,
        "start": " ".join((memory.title or memory.text).split())[:SHOWN_CHARACTERS],
    }


def _is_sure(found: Sequence[Memory], terminal: Terminal) -> bool:
    if not terminal.stdin.isatty():
        raise BadRequest("forget asks first, and there is nobody to ask", "look with --dry-run, then add --yes")
    _show(found, terminal)
    terminal.stderr.write(f"forget {'this' if len(found) == 1 else f'all {len(found):,}'}? [y/N] ")
    terminal.stderr.flush()
    return terminal.stdin.readline().strip().casefold() in ("y", "yes")
