"""`mmind install` and `mmind uninstall`: into a client's list of servers, and out of it again."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from mmind.cli.exits import INTERRUPTED, NOTHING_RELEVANT, OK
from mmind.cli.plain import counted, one_line
from mmind.cli.terminal import Terminal
from mmind.clients import change, listing
from mmind.clients.entry import Entry, left_out, own_entry
from mmind.clients.probe import Probe, probe
from mmind.clients.table import ROWS, ClientRow, file_of, find_client, is_there
from mmind.config.places import absolute, user_home, working_folder
from mmind.config.settings import Settings, load
from mmind.values.errors import BadRequest, ConfigError

OWN_COMMAND_SECONDS = 60


@dataclass(frozen=True, slots=True)
class _Target:
    """One entry in one client's list."""

    row: ClientRow
    scope: str
    name: str
    file: Path
    settings: Settings
    own_program: str


def install(arguments: Namespace, terminal: Terminal) -> int:
    """Put the server into a client's list, after showing what changes; then start it as the client would."""
    entry = _entry(arguments, terminal)
    if arguments.print:
        terminal.give({"mcpServers": {arguments.name: entry.as_json({})}})
        return OK
    if not arguments.client:
        return _list(arguments, terminal)
    target = _target(arguments, terminal)
    if not target.settings.vault_path:
        terminal.say(f"no vault is configured; to give it your notes: mmind install {target.row.name} FOLDER")
    for name in left_out(terminal.environ):
        terminal.say(f"{name} is set here and holds a secret: it was not written; give it to {target.row.title} itself")
    done = _install_by_command if target.own_program else _install_in_file
    if not done(target, entry, arguments, terminal):
        return INTERRUPTED
    return OK if arguments.dry_run else _checked(target, entry, terminal)


def uninstall(arguments: Namespace, terminal: Terminal) -> int:
    """Take the server out of a client's list; a file that nobody changed since is as it was before, byte for byte."""
    target = _target(arguments, terminal)
    text = change.text_of(target.file, change.read_file(target.file))
    if listing.entry_in(target.file, text, target.row.section, target.name) is None:
        terminal.say(f"{target.row.title} has no server called {target.name} in {target.file}")
        return OK
    if target.own_program:
        words = [target.own_program, "mcp", "remove", "--scope", target.scope, target.name]
        if _agreed(shlex.join(words), arguments, terminal):
            _run(words)
            terminal.say(f"{target.name} is no longer a server of {target.row.title}")
            return OK
        return OK if arguments.dry_run else INTERRUPTED
    without = listing.without_entry(target.file, text, target.row.section, target.name).encode()
    step = change.take_back(target.file, target.name, without, target.settings.home)
    if not _agreed(step.difference(), arguments, terminal):
        return OK if arguments.dry_run else INTERRUPTED
    change.finish(step, target.name, target.settings.home)
    terminal.say(f"{target.name} is no longer a server of {target.row.title}")
    return OK


def _install_in_file(target: _Target, entry: Entry, arguments: Namespace, terminal: Terminal) -> bool:
    before = change.read_file(target.file)
    text = change.text_of(target.file, before)
    wanted = entry.as_json(target.row.entry)
    if listing.entry_in(target.file, text, target.row.section, target.name) == wanted:
        terminal.say(f"{target.row.title} has it already, in {target.file}")
        return True
    after = listing.with_entry(target.file, text, target.row.section, target.name, wanted)
    step = change.Change(target.file, before, after.encode())
    if not _agreed(step.difference(), arguments, terminal):
        return bool(arguments.dry_run)
    change.apply(step, target.name, target.settings.home)
    terminal.say(f"written to {target.file}; `mmind uninstall {target.row.name}` takes it back")
    return True


def _install_by_command(target: _Target, entry: Entry, arguments: Namespace, terminal: Terminal) -> bool:
    """By the client's own program, which rewrites its file while it runs and would lose an edit of ours."""
    variables = [word for name, value in entry.env.items() for word in ("--env", f"{name}={value}")]
    add = [target.own_program, "mcp", "add", "--scope", target.scope, target.name, *variables, "--", *entry.words]
    text = change.text_of(target.file, change.read_file(target.file))
    known = listing.entry_in(target.file, text, target.row.section, target.name)
    wanted = entry.as_json(target.row.entry)
    if known is not None and {**known, "env": known.get("env") or {}} == {**wanted, "env": wanted.get("env") or {}}:
        terminal.say(f"{target.row.title} has it already, in {target.file}")
        return True
    if not _agreed(shlex.join(add), arguments, terminal):
        return bool(arguments.dry_run)
    if known is not None:
        _run([target.own_program, "mcp", "remove", "--scope", target.scope, target.name])
    _run(add)
    terminal.say(f"added by `{target.row.program}`; `mmind uninstall {target.row.name}` takes it back")
    return True


def _list(arguments: Namespace, terminal: Terminal) -> int:
    """Which clients there are here, and which of them have the server."""
    home = Path(user_home(terminal.environ))
    rows = []
    for row in ROWS:
        file = file_of(row, "user", terminal.environ, home, home)
        state, fault = _state(row, file, arguments.name, terminal)
        rows.append({"client": row.name, "title": row.title, "state": state, "file": str(file), "fault": fault})
    if arguments.json:
        terminal.give({"clients": rows})
        return OK
    for line in rows:
        told = f"; {line['fault']}" if line["fault"] else ""
        terminal.stdout.write(f"{line['client']:<15} {line['state']:<10} {line['file']}{told}\n")
    terminal.say("`mmind install CLIENT` adds the server; `mmind install --print` shows it for any other client")
    return OK


def _state(row: ClientRow, file: Path, name: str, terminal: Terminal) -> tuple[str, str]:
    """Whether a client has the server, is here at all, or keeps a list that cannot be read, and then why."""
    try:
        text = change.text_of(file, change.read_file(file)) if file.is_file() else ""
        if listing.entry_in(file, text, row.section, name) is not None:
            return "has it", ""
    except ConfigError as error:
        return "broken", str(error)
    return ("found" if is_there(row, terminal.environ, Path(user_home(terminal.environ))) else "not found"), ""


def _checked(target: _Target, entry: Entry, terminal: Terminal) -> int:
    terminal.say("starting it as the client would ...")
    found = probe(entry.words, entry.env, terminal.environ)
    terminal.complain(_told(found)) if found.fault else terminal.say(_told(found))
    if found.fault:
        return NOTHING_RELEVANT
    terminal.say(f"restart {target.row.title} if it is running")
    return OK


def _told(found: Probe) -> str:
    if found.fault:
        return f"the entry is there, but the server does not start: {found.fault}; `mmind doctor` looks for the reason"
    stores = ", ".join(f"{name} {access}" for name, access in (found.stores or {}).items())
    return f"connected, {counted(len(found.tools), 'tool', 'tools')} ({', '.join(found.tools)}); {stores}"


def _entry(arguments: Namespace, terminal: Terminal) -> Entry:
    vault = absolute(arguments.folder, user_home(terminal.environ), working_folder()) if arguments.folder else None
    if vault is not None and not vault.is_dir():
        raise BadRequest(f"{one_line(str(vault))} is not a folder", "name the folder of your notes")
    vault = vault or load(terminal.environ, arguments.vault_option).vault_path
    return own_entry(vault, terminal.environ, sys.argv[0])


def _target(arguments: Namespace, terminal: Terminal) -> _Target:
    row = find_client(arguments.client)
    settings = load(terminal.environ, getattr(arguments, "folder", None) or arguments.vault_option)
    home, project = Path(user_home(terminal.environ)), Path(working_folder())
    file = file_of(row, arguments.scope, terminal.environ, home, project)
    program = shutil.which(row.program, path=terminal.environ.get("PATH")) if row.edits_itself else None
    return _Target(row, arguments.scope, arguments.name, file, settings, program or "")


def _agreed(what: str, arguments: Namespace, terminal: Terminal) -> bool:
    """Show what would be done, and ask. Raises BadRequest when there is nobody to ask."""
    terminal.stderr.write(f"{what}\n")
    if arguments.dry_run:
        terminal.say("nothing was changed (--dry-run)")
        return False
    if arguments.yes:
        return True
    if not terminal.stdin.isatty():
        raise BadRequest(f"{arguments.verb} asks first, and there is nobody to ask", "add --yes")
    terminal.stderr.write("do this? [y/N] ")
    terminal.stderr.flush()
    if terminal.stdin.readline().strip().casefold() in ("y", "yes"):
        return True
    terminal.say("nothing was changed")
    return False


def _run(words: list[str]) -> None:
    """Run a client's own program. Raises ConfigError with its last line when it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - the client's own program, and no shell reads the words
            words, capture_output=True, timeout=OWN_COMMAND_SECONDS, check=False, env=dict(os.environ)
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"{words[0]} could not be run: {error}", "run it by hand, or use --scope project") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        reason = said[-1] if said else f"code {done.returncode}"
        raise ConfigError(f"{words[0]} failed: {one_line(reason)}", f"run it by hand: {shlex.join(words)}")
