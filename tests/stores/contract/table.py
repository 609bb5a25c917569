"""Run the contract and print it as a table: engines by promises, with the servers that were asked.

    python -m tests.stores.contract.table

A cell is the number of tests that held, with "of N" where some did not; "-" where no test applies: nobody can pull
the drive of a server, and the vault is not written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, cast

import pytest

from mmind.stores.registry import ENGINES
from tests.servers import Servers

PROMISES = [f"E{number}" for number in range(1, 14)]


class Ledger:
    """What a run of the contract showed, by engine and promise, and which servers answered."""

    def __init__(self) -> None:
        self.held: Counter[tuple[str, str]] = Counter()
        self.made: Counter[tuple[str, str]] = Counter()
        self.versions: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note the test's outcome under the promises that its docstring cites."""
        report = yield
        engine = cast("Any", item).callspec.params.get("name") if hasattr(item, "callspec") else None
        if engine and (call.when == "call" or report.failed):
            for promise in _cited(cast("Any", item).function.__doc__ or ""):
                self.made[engine, promise] += 1
                self.held[engine, promise] += report.passed
            self._note_version(engine, cast("Any", item).funcargs.get("servers"))
        return report

    def table(self) -> str:
        """Markdown."""
        head = f"| engine | server | {' | '.join(PROMISES)} |\n|---|---|{'---|' * len(PROMISES)}"
        engines = [name for name in ENGINES if any(engine == name for engine, _ in self.made)]
        return "\n".join([head, *map(self._row, engines)])

    def _row(self, engine: str) -> str:
        cells = " | ".join(self._cell(engine, promise) for promise in PROMISES)
        return f"| `{engine}` | {self.versions.get(engine, '')} | {cells} |"

    def _cell(self, engine: str, promise: str) -> str:
        held, made = self.held[engine, promise], self.made[engine, promise]
        return "-" if not made else str(held) if held == made else f"{held} of {made}"

    def _note_version(self, engine: str, servers: Servers | None) -> None:
        row = ENGINES[engine]
        if row.is_served and servers is not None and engine not in self.versions:
            self.versions[engine] = _VERSIONS[row.server](servers.get(row.server))


def _cited(text: str) -> list[str]:
    """The promises that a docstring cites: "E1, E8." or "E3 and E9 to E12"."""
    cited = [int(number) for number in re.findall(r"\bE(\d+)", text.partition(":")[0])]
    return [f"E{number}" for number in dict.fromkeys(cited)]


def _postgres(server: Any) -> str:
    import psycopg

    with psycopg.connect(server.url("version")) as connection:
        number = str(connection.execute("SHOW server_version").fetchone()[0])  # type: ignore[index] # one row always
        found = connection.execute(
            "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
        ).fetchone()
    return f"PostgreSQL {number}" + (f", pgvector {found[0]}" if found else "")


def _mysql(server: Any) -> str:
    version = str(server.version())
    return f"MariaDB {version.partition('-')[0]}" if "MariaDB" in version else f"MySQL {version}"


_VERSIONS: dict[str, Callable[[Any], str]] = {
    "postgres": _postgres,
    "mysql": _mysql,
    "redis": lambda server: f"Redis {server.version()}",
    "qdrant": lambda server: str(server.version()),
}


def main() -> int:
    """Run, print, and give pytest's status."""
    ledger = Ledger()
    status = pytest.main(["-q", "-n", "0", str(Path(__file__).parent)], plugins=[ledger])
    print(ledger.table())
    return int(status)


if __name__ == "__main__":
    raise SystemExit(main())
