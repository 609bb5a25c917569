"""`mmind audit`: is the log whole, and what does it say? Only the user's command line can ask."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mmind.audit.chain import Link, Verdict
from mmind.audit.entry import EVENTS
from mmind.audit.reading import Selection, follow, read_head, tail, verify
from mmind.cli.exits import BROKEN_CHAIN, OK
from mmind.cli.plain import counted, one_line
from mmind.cli.terminal import Terminal
from mmind.cli.wrapping import wrapped
from mmind.config.settings import load
from mmind.router.parse import parse_time
from mmind.values.errors import BadRequest

MOST_RECORDS = 10_000
USUAL_RECORDS = 20
FIRST_FIELDS = ("ts", "event", "outcome", "store")
LEFT_OUT = (*FIRST_FIELDS, "v", "seq", "prev", "hash", "query_hmac", "pid", "host")


def audit(arguments: Namespace, terminal: Terminal) -> int:
    """Run the action that was asked for."""
    actions = {"verify": _verify, "tail": _tail, "head": _head, "path": _path}
    return actions[arguments.action](arguments, terminal)


def _verify(arguments: Namespace, terminal: Terminal) -> int:
    anchor = _anchor(getattr(arguments, "against", ""))
    verdict = verify(_folder(arguments, terminal), anchor)
    if arguments.json:
        terminal.give(_verdict_json(verdict))
    else:
        terminal.stdout.write(_verdict_text(verdict) + "\n")
    return OK if verdict.holds else BROKEN_CHAIN


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "holds": verdict.holds,
        "records": verdict.records,
        "first": verdict.first,
        "head": {"seq": verdict.head.seq, "hash": verdict.head.hash},
        **({"torn": verdict.torn} if verdict.torn else {}),
        **({} if verdict.holds else {"broken_at": verdict.broken_at, "why": verdict.why}),
    }


def _verdict_text(verdict: Verdict) -> str:
    if not verdict.holds:
        return f"the audit log is broken at record {verdict.broken_at:,}: {verdict.why}"
    kept = f"; records before {verdict.first:,} were let go of by retention" if verdict.first > 1 else ""
    torn = f"; {counted(verdict.torn, 'line', 'lines')} cut short by a process that was killed" if verdict.torn else ""
    records = counted(verdict.records, "record", "records")
    return f"the audit log holds: {records}, none changed, removed or moved{kept}{torn}"


def _anchor(words: str) -> Link | None:
    """What `mmind audit head` printed: number and hash, with a space or colon between."""
    if not words:
        return None
    number, _, digest = words.strip().replace(":", " ").partition(" ")
    if not number.isdigit() or len(digest.strip()) != len(Link().hash):
        raise BadRequest("--against: must be a number and a hash", "give what `mmind audit head` printed, in quotes")
    return Link(int(number), digest.strip().lower())


def _tail(arguments: Namespace, terminal: Terminal) -> int:
    folder, wanted = _folder(arguments, terminal), _selection(arguments)
    before = read_head(folder).seq
    records = tail(folder, wanted)
    if arguments.follow:
        _show_each(records, arguments, terminal)
        shown = max([before, *(int(str(record["seq"])) for record in records)])
        _show_each(follow(folder, wanted, shown), arguments, terminal)
    elif arguments.json:
        terminal.give({"records": records})
    else:
        _show_each(records, arguments, terminal)
        if not records:
            terminal.say(_nothing(folder))
        elif len(records) == MOST_RECORDS:
            terminal.say(f"these are the last {MOST_RECORDS:,} of that span: narrow it to see the ones before")
    return OK


def _selection(arguments: Namespace) -> Selection:
    """The records that are asked for: all of a span of time, or else the last few."""
    since, until = parse_time("since", arguments.since), parse_time("until", arguments.until)
    usual = MOST_RECORDS if since or until else USUAL_RECORDS
    count = usual if arguments.count is None else arguments.count
    if not 1 <= count <= MOST_RECORDS:
        raise BadRequest(f"-n: must be from 1 to {MOST_RECORDS:,}, got {count:,}")
    if unknown := [event for event in arguments.events if event not in EVENTS]:
        raise BadRequest(f"--event: {one_line(unknown[0])[:40]!r} is not known", f"use one of {', '.join(EVENTS)}")
    return Selection(count, since, until, tuple(arguments.events), tuple(arguments.stores))


def _nothing(folder: Path) -> str:
    has_records = read_head(folder).seq > 0
    return "no record is like that" if has_records else "the audit log is empty: nothing was asked or changed yet"


def _show_each(records: Iterable[Mapping[str, object]], arguments: Namespace, terminal: Terminal) -> None:
    for record in records:
        line = json.dumps(record) if arguments.json else wrapped(_line(record), terminal.stdout, " " * 4)
        terminal.stdout.write(line + "\n")
        if arguments.follow:
            terminal.stdout.flush()


def _line(record: Mapping[str, object]) -> str:
    first = [f"{record.get(name, '')}" for name in FIRST_FIELDS]
    rest = [f"{name}={value}" for name, value in record.items() if name not in LEFT_OUT]
    return one_line(f"{record.get('seq', '?'):>6} " + "  ".join([*first, *rest]))


def _head(arguments: Namespace, terminal: Terminal) -> int:
    head = read_head(_folder(arguments, terminal))
    if arguments.json:
        terminal.give({"seq": head.seq, "hash": head.hash})
    else:
        terminal.stdout.write(f"{head.seq} {head.hash}\n")
    return OK


def _path(arguments: Namespace, terminal: Terminal) -> int:
    path = str(_folder(arguments, terminal))
    if arguments.json:
        terminal.give({"path": path})
    else:
        terminal.stdout.write(path + "\n")
    return OK


def _folder(arguments: Namespace, terminal: Terminal) -> Path:
    return load(terminal.environ, arguments.vault_option).audit_path
