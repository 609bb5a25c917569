"""How fast a server is there: from the start of a fresh process to its answers, medians of ten.

Usage: python bench/startup_bench.py [RUNS]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

VAULT = Path(__file__).parents[1] / "examples" / "vault"
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
QUESTION = {"name": "retrieve", "arguments": {"query": "when is the rent due?"}}
COLUMNS = ("first answer", "tools/list", "first retrieve", "second retrieve", "end", "memory")


def session(home: Path, era: str) -> tuple[float, ...]:
    """One process: milliseconds from its start to each answer (the second retrieve and the end: alone), and MB."""
    start = time.perf_counter()
    words = [sys.executable, "-m", "mmind", str(VAULT)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home)) as server:

        def ask(method: str, params: dict[str, Any]) -> float:
            assert server.stdin
            assert server.stdout
            modern = {"_meta": ENVELOPE} if era == "modern" else {}
            request = {"jsonrpc": "2.0", "id": method, "method": method, "params": {**params, **modern}}
            server.stdin.write(json.dumps(request).encode() + b"\n")
            server.stdin.flush()
            assert "result" in json.loads(server.stdout.readline())
            return (time.perf_counter() - start) * 1000

        first = ask("initialize", INITIALIZE) if era == "handshake" else ask("server/discover", {})
        listed = ask("tools/list", {})
        found = ask("tools/call", QUESTION)
        again = ask("tools/call", QUESTION) - found
        memory = resident(server.pid)
        closed = time.perf_counter()
        assert server.stdin
        server.stdin.close()
        server.wait()
        return first, listed, found, again, (time.perf_counter() - closed) * 1000, memory


def environment(home: Path) -> dict[str, str]:
    """This process's environment with a data home of its own and no service to call."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("MMIND_", "OPENAI_", "PYTHON"))}
    return {**own, "MMIND_HOME": str(home)}


def resident(pid: int) -> float:
    """Resident memory in MB; nan where there is no /proc."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return float("nan")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def bare_start() -> float:
    """An interpreter that does nothing: the floor under every number here."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return (time.perf_counter() - start) * 1000


def row(name: str, runs: list[tuple[float, ...]]) -> str:
    """One line of the table: the median of each column."""
    medians = [statistics.median(column) for column in zip(*runs, strict=True)]
    units = ["ms"] * 5 + ["MB"]
    return (
        f"| {name} | " + " | ".join(f"{value:,.0f} {unit}" for value, unit in zip(medians, units, strict=True)) + " |"
    )


def main() -> None:
    """Measure and print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(f"Medians of {runs} fresh processes; a bare interpreter takes", end=" ")
    print(f"{statistics.median(bare_start() for _ in range(runs)):.0f} ms.\n")
    print("| server | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder) / "known"
        session(known, "handshake")
        print(row("handshake era", [session(known, "handshake") for _ in range(runs)]))
        print(row("2026-07-28", [session(known, "modern") for _ in range(runs)]))
        new = [session(Path(folder) / f"new{run}", "handshake") for run in range(runs)]
        print(row("handshake era, nothing indexed yet", new))


if __name__ == "__main__":
    main()
