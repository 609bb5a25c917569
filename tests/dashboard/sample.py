"""A home that is the same wherever it is made: the sample vault, an agent's memories, a log, a clock that stands."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mmind.dashboard.app import Dashboard
from mmind.dashboard.session import Session
from mmind.values.door import Door
from mmind.wiring import open_mind

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
WRITTEN = datetime(2026, 5, 20, 9, tzinfo=UTC)
"""When the notes were last written, as the mtimes of their files have it."""

AGENT_SAYS = (  # the oldest first: the log's clock never goes back
    ("files", "The lease runs to 31 March 2028; notice is three months.", "Lease", 40),
    ("sqlite", "Deploys of Harbour happen on Thursday mornings.", "Harbour deploys", 21),
    ("vector", "Tomasz would rather get one long message than five short ones.", "", 9),
    ("sqlite", "The gateway request timeout of Harbour is 45 seconds.", "Gateway timeout", 2),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """The home folder and the environment that leads there."""

    folder: Path
    environ: Mapping[str, str]

    @property
    def home(self) -> Path:
        """The data home."""
        return self.folder / ".mmind"

    def session(self, **variables: str) -> Session:
        """A session on this home, at the time at which its clock stands."""
        return Session({**self.environ, **variables}, None, clock=lambda: NOW)


def make(folder: Path, model: str = "none", *, has_vault: bool = True) -> Sample:
    """Fill an empty folder."""
    made = at(folder, model)
    (folder / ".mmind").mkdir(mode=0o700, parents=True)
    if has_vault:
        _copy_vault(folder / "notes")
        (folder / ".mmind" / "config.toml").write_text('[paths]\nvault = "~/notes"\n')
        _let_an_agent_store(made.environ)
    return made


def at(folder: Path, model: str = "none") -> Sample:
    """The sample home that lies there already."""
    environ = {"HOME": str(folder), "MMIND_HOME": str(folder / ".mmind"), "MMIND_EMBED_MODEL": model}
    return Sample(folder, environ)


def dashboard(sample: Sample, **variables: str) -> Dashboard:
    """The program on a sample home."""
    return Dashboard(sample.session(**variables))


def _copy_vault(target: Path) -> None:
    shutil.copytree(ROOT / "examples" / "vault", target)
    (target / "Old export.md").write_bytes(b"PK\x03\x04\x00\x00 not a note at all \x00\xff\xfe")
    for file in sorted(target.rglob("*.md")):
        os.utime(file, (WRITTEN.timestamp(), WRITTEN.timestamp()))


def _let_an_agent_store(environ: Mapping[str, str]) -> None:
    for store, content, title, days in AGENT_SAYS:
        with open_mind(None, environ, Door.AGENT, clock=lambda days=days: NOW - timedelta(days=days)) as mind:  # type: ignore[misc] # mypy reads no default of a lambda
            mind.store(content, store=store, title=title, writer="claude-code")
    with open_mind(None, environ, Door.AGENT, clock=lambda: NOW) as mind:
        mind.index(lambda _: None)
        mind.retrieve("What is the gateway request timeout?")
