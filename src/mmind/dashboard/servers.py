"""What the screen says of running servers: whether each has the last edit in force. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from mmind.config.presence import RunningServer, acts_at_once, lagging
from mmind.config.showing import value_of
from mmind.config.table import KNOB_BY_NAME, KNOBS
from mmind.dashboard.session import Pulse
from mmind.dashboard.tints import BAD, GOOD, WARN
from mmind.text.plain import agreeing, counted, one_line


def sentence(pulse: Pulse) -> Text:
    """One line on every server of this data home."""
    if pulse.fault:
        return Text(f"the saved file cannot be read: {one_line(pulse.fault)}", BAD)
    if not pulse.servers:
        return Text("no server is running; the next one starts with these settings", "dim")
    behind = lagging(pulse.servers, pulse.stamp)
    if broken := next((server for server in behind if server.in_force.fault), None):
        return Text(f"server {broken.pid} keeps its old settings: {one_line(broken.in_force.fault)}", BAD)
    if behind:
        return Text(f"{_named(behind)} {agreeing(len(behind), 'has', 'have')} not taken the last edit up yet …", WARN)
    if stubborn := next(stubborn_servers(pulse), None):
        return Text(stubborn, WARN)
    return Text(f"{_named(pulse.servers)} {agreeing(len(pulse.servers), 'has', 'have')} this in force", GOOD)


def stubborn_servers(pulse: Pulse) -> Iterator[str]:
    """The servers whose own environment gives another value than the one that holds here."""
    here = {knob.name: value_of(knob, pulse.settings) for knob in KNOBS if acts_at_once(knob)}
    for server in pulse.servers:
        for name in server.in_force.pinned:
            value = server.in_force.values.get(name, "")
            if name in here and value != here[name]:
                knob = KNOB_BY_NAME[name]
                yield f"server {server.pid} keeps {knob.key} at {value}: {knob.env} is set in its environment"


def _named(servers: tuple[RunningServer, ...] | list[RunningServer]) -> str:
    if len(servers) == 1:
        return f"server {servers[0].pid}"
    return f"{counted(len(servers), 'server', 'servers')} ({', '.join(str(server.pid) for server in servers[:4])})"
