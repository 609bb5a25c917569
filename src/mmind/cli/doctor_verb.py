"""`mmind doctor`: looks at everything that could go wrong here, and says how to mend it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator

from mmind.cli import checkup
from mmind.cli.checkup import Finding, Level, looked_at
from mmind.cli.exits import FAULTS_FOUND, OK
from mmind.cli.plain import one_line
from mmind.cli.terminal import Terminal
from mmind.cli.wrapping import wrapped
from mmind.config.settings import load
from mmind.values.door import Door
from mmind.values.errors import ConfigError

STYLES = {Level.OK: "green", Level.NOTE: "yellow", Level.FAULT: "red"}


def doctor(arguments: Namespace, terminal: Terminal) -> int:
    """Run every check; 1 when one of them found a fault."""
    findings = []
    for finding in _findings(arguments, terminal):
        findings.append(finding)
        if not arguments.json:
            _show(finding, terminal)
    faults = sum(finding.level is Level.FAULT for finding in findings)
    if arguments.json:
        rows = [
            {"level": finding.level.value, "subject": finding.subject, "what": finding.what, "fix": finding.fix}
            for finding in findings
        ]
        terminal.give({"faults": faults, "findings": rows})
    elif faults:
        terminal.say(f"{faults} to mend")
    else:
        terminal.say("nothing to mend")
    return FAULTS_FOUND if faults else OK


def _findings(arguments: Namespace, terminal: Terminal) -> Iterator[Finding]:
    yield from checkup.python_and_libraries()
    try:
        settings = load(terminal.environ, arguments.vault_option)
    except ConfigError as error:  # what it would say of places cannot be looked at until the file is mended
        yield Finding(Level.FAULT, "settings", error.message, error.hint)
        yield from looked_at(lambda: checkup.clients(terminal.environ), "clients")
        return
    yield from (Finding(Level.NOTE, "settings", note) for note in settings.notes)
    steps: dict[str, Callable[[], Iterator[Finding]]] = {
        "home": lambda: checkup.places(settings),
        "vault": lambda: checkup.vault(settings),
        "audit": lambda: checkup.audit(settings),
    }
    for subject, check in steps.items():
        yield from looked_at(check, subject)
    yield from looked_at(lambda: _of_the_mind(arguments, terminal), "stores")
    yield from looked_at(lambda: checkup.index(settings), "index")
    yield from looked_at(lambda: checkup.clients(terminal.environ), "clients")


def _of_the_mind(arguments: Namespace, terminal: Terminal) -> Iterator[Finding]:
    from mmind.wiring import open_mind

    with open_mind(arguments.vault_option, terminal.environ, Door.USER) as mind:
        yield from checkup.stores(mind.sources())
        yield from checkup.model(mind)


def _show(finding: Finding, terminal: Terminal) -> None:
    from rich.text import Text

    line = one_line(f"{finding.subject}: {finding.what}" + (f"; {finding.fix}" if finding.fix else ""))
    if not terminal.stdout.isatty():
        terminal.stdout.write(f"{finding.level.value:<6}{line}\n")
        return
    text = Text(wrapped(f"{finding.level.value:<6}{line}", terminal.stdout, " " * 6))
    text.stylize(STYLES[finding.level], 0, 6)
    terminal.console(terminal.stdout).print(text)
