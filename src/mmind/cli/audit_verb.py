"""`mmind audit`: is the log whole, and what does it say? Only the user's command line can ask."""

from __future__ import annotations

from argparse import Namespace

from mmind.audit.reading import read_head, tail, verify
from mmind.cli.exits import BROKEN_CHAIN, OK
from mmind.cli.plain import counted, one_line
from mmind.cli.terminal import Terminal
from mmind.cli.wrapping import wrapped
from mmind.config.settings import load
from mmind.values.errors import BadRequest

MOST_RECORDS = 10_000
FIRST_FIELDS = ("ts", "event", "outcome", "store")
LEFT_OUT = (*FIRST_FIELDS, "v", "seq", "prev", "hash", "query_hmac", "pid")


def audit(arguments: Namespace, terminal: Terminal) -> int:
    """Run the action that was asked for."""
    actions = {"verify": _verify, "tail": _tail, "head": _head, "path": _path}
    return actions[arguments.action](arguments, terminal)


def _verify(arguments: Namespace, terminal: Terminal) -> int:
    verdict = verify(load(terminal.environ, arguments.vault_option).audit_path)
    if arguments.json:
        terminal.give(
            {
                "holds": verdict.holds,
                "records": verdict.records,
                "head": {"seq": verdict.head.seq, "hash": verdict.head.hash},
                **({} if verdict.holds else {"broken_at": verdict.broken_at, "why": verdict.why}),
            }
        )
    elif verdict.holds:
        records = counted(verdict.records, "record", "records")
        terminal.stdout.write(f"the audit log holds: {records}, none changed, removed or moved\n")
    else:
        terminal.stdout.write(f"the audit log is broken at record {verdict.broken_at:,}: {verdict.why}\n")
    return OK if verdict.holds else BROKEN_CHAIN


def _tail(arguments: Namespace, terminal: Terminal) -> int:
    if not 1 <= arguments.count <= MOST_RECORDS:
        raise BadRequest(f"-n: must be from 1 to {MOST_RECORDS:,}, got {arguments.count:,}")
    records = tail(load(terminal.environ, arguments.vault_option).audit_path, arguments.count)
    if arguments.json:
        terminal.give({"records": records})
        return OK
    for record in records:
        first = [f"{record.get(name, '')}" for name in FIRST_FIELDS]
        rest = [f"{name}={value}" for name, value in record.items() if name not in LEFT_OUT]
        line = one_line(f"{record.get('seq', '?'):>6} " + "  ".join([*first, *rest]))
        terminal.stdout.write(wrapped(line, terminal.stdout, " " * 4) + "\n")
    if not records:
        terminal.say("the audit log is empty: nothing was asked or changed yet")
    return OK


def _head(arguments: Namespace, terminal: Terminal) -> int:
    head = read_head(load(terminal.environ, arguments.vault_option).audit_path)
    if arguments.json:
        terminal.give({"seq": head.seq, "hash": head.hash})
    else:
        terminal.stdout.write(f"{head.seq} {head.hash}\n")
    return OK


def _path(arguments: Namespace, terminal: Terminal) -> int:
    path = str(load(terminal.environ, arguments.vault_option).audit_path)
    if arguments.json:
        terminal.give({"path": path})
    else:
        terminal.stdout.write(path + "\n")
    return OK
