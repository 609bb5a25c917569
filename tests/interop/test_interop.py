"""The official TypeScript clients and the Inspector against the server; `make interop` installs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
NODE = MODULES / ".bin" / ("node.cmd" if sys.platform == "win32" else "node")
TOOLS = ["retrieve", "store", "sources", "get", "forget"]

pytestmark = [
    pytest.mark.server,
    pytest.mark.timeout(600),  # the Inspector starts twice a process for each call
    pytest.mark.skipif(not NODE.exists(), reason="the TypeScript clients are not installed: make interop"),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "pilots.md").write_text("# Pilots\n\nPilots board at the outer buoy.\n", "utf-8")
    return {
        "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "MMIND_HOME": str(tmp_path / "data"),
        "MMIND_VAULT_PATH": str(vault),
        "MMIND_EMBED_MODEL": "none",
        "MCP_INSPECTOR_SECRET_STORE": "memory",
    }


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    return done


@pytest.mark.parametrize(
    ("library", "era"), [("sdk", "legacy"), ("client", "legacy"), ("client", "auto"), ("client", "2026-07-28")]
)
def test_an_official_typescript_client_calls_all_five_tools(
    library: str, era: str, environment: dict[str, str]
) -> None:
    server = [sys.executable, "-m", "mmind"]
    seen = json.loads(run([str(NODE), "session.mjs", library, era, *server], environment).stdout)
    assert seen["tools"] == TOOLS
    assert "`retrieve`" in seen["instructions"]
    handle = seen["stored"]["structured"]["id"]
    assert seen["stored"]["structured"]["writer"] == f"interop {library} {era}"
    assert seen["retrieved"]["structured"]["results"][0]["id"] == handle
    assert seen["got"]["structured"]["text"] == "The pilot boat is called Sleipner."
    assert {store["name"] for store in seen["sources"]["structured"]["stores"]} >= {"markdown", "sqlite", "leveldb"}
    assert seen["forgotten"]["structured"]["forgotten"] is True
    assert (seen["refused"]["isError"], seen["refused"]["text"]) == (True, "limit: must be 1 to 50, got 900")
    assert seen["unknown"] == -32602


def inspected(environment: dict[str, str], config: Path, era: str, *words: str) -> Any:
    command = [str(NODE.with_name("mcp-inspector")), "--cli", "--config", str(config), "--server", era]
    return json.loads(run([*command, *words, "--format", "json"], environment).stdout)["result"]


@pytest.mark.skipif(sys.platform == "win32", reason="the command's wrapper has another name there")
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_and_calls_all_five_tools_and_finds_every_schema_portable(
    era: str, environment: dict[str, str], tmp_path: Path
) -> None:
    server = {"command": sys.executable, "args": ["-m", "mmind"], "env": environment, "protocolEra": era}
    config = tmp_path / "inspector.json"
    config.write_text(json.dumps({"mcpServers": {era: server}}), "utf-8")

    def call(name: str, arguments: dict[str, Any]) -> Any:
        words = ("--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments))
        return inspected(environment, config, era, *words)

    listed = inspected(environment, config, era, "--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == TOOLS
    handle = call("store", {"content": "The pilot boat is called Sleipner."})["structuredContent"]["id"]
    results = call("retrieve", {"query": "what is the pilot boat called?"})["structuredContent"]["results"]
    assert results[0]["id"] == handle
    assert call("get", {"id": handle})["structuredContent"]["text"] == "The pilot boat is called Sleipner."
    assert call("sources", {})["structuredContent"]["stores"]
    assert call("forget", {"id": handle})["structuredContent"]["forgotten"] is True
