"""With the default settings no socket is opened (R24): a hook that refuses one, and a namespace without network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.wired import environment, vault

# Runs every verb of the mind with the real local model; any socket but a Unix one ends the process with 97.
EVERYTHING = """
import os, socket, sys, threading
def no(event, arguments):
    if event == "socket.__new__" and arguments[1] not in (-1, getattr(socket, "AF_UNIX", -2)):
        os.write(2, f"a socket was opened: {arguments}".encode()); os._exit(97)
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
        os.write(2, f"{event}: {arguments}".encode()); os._exit(97)
sys.addaudithook(no)
from mmind.values.door import Door
from mmind.wiring import open_mind
with open_mind(sys.argv[1], dict(os.environ), Door.AGENT) as mind:
    mind.warm()
    for store in ("sqlite", "leveldb", "files", "vector"):
        mind.store(f"the lamp in the {store} room is green", store=store)
    mind.index(lambda _: None)
    answer = mind.retrieve("which colour has the lamp")
    page = mind.get(answer.results[0].id)
    status = mind.sources()
    mind.forget(mind.store("gone soon").memory.handle)
    assert answer.results and page.text and status.model, (answer, status)
    print(status.model, status.leaves_machine, len(answer.results))
"""
VERBS = [["retrieve", "rent"], ["store", "x y"], ["sources"], ["doctor"], ["export"], ["config"], ["audit"], ["index"]]
RUNNER = """
import runpy, sys
exec(open(sys.argv.pop(1)).read())
sys.argv[0] = "mmind"
runpy.run_module("mmind", run_name="__main__")
"""


def isolated() -> list[str]:
    """A command that gives what follows a network namespace of its own, with no interface up; skips where none is."""
    unshare = shutil.which("unshare")
    if not unshare or subprocess.run([unshare, "-n", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("needs unshare and root: no network namespace can be made here")
    return [unshare, "-n"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return vault(tmp_path, {"rent.md": "# Rent\nThe rent is 900 euros.\n"})


def run(home: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in environment(home).items() if name != "MMIND_EMBED_MODEL"}
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_r24_every_verb_of_the_mind_works_with_the_local_model_and_opens_no_socket(tmp_path: Path, notes: Path) -> None:
    done = run(tmp_path, [sys.executable, "-c", EVERYTHING, str(notes)])
    assert done.returncode == 0, done.stderr[-2000:]
    model, leaves, found = done.stdout.split()
    assert ("MiniLM" in model, leaves, int(found) >= 1) == (True, "False", True)


def test_r24_the_library_that_runs_the_model_tells_its_makers_nothing(tmp_path: Path, notes: Path) -> None:
    """It does so below Python, where no hook sees it, and not in CI: it leaves a device id and a queue behind."""
    watched = {"CI", "TF_BUILD", "GITHUB_ACTIONS", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_DATA_HOME"}
    home = tmp_path / "person"
    home.mkdir()
    variables = {name: value for name, value in environment(tmp_path).items() if name not in watched}
    variables |= {"HOME": str(home), "USERPROFILE": str(home), "MMIND_EMBED_MODEL": "local"}
    command = [sys.executable, "-c", EVERYTHING, str(notes)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert list(home.iterdir()) == []


def test_r24_the_hook_catches_a_socket(tmp_path: Path, notes: Path) -> None:
    opener = EVERYTHING.split("from mmind", maxsplit=1)[0] + "import socket; socket.create_connection(('127.0.0.1', 9))"
    assert run(tmp_path, [sys.executable, "-c", opener, str(notes)]).returncode == 97


@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_r24_every_verb_of_the_command_line_opens_no_socket(tmp_path: Path, notes: Path, words: list[str]) -> None:
    hook = tmp_path / "hook.py"
    hook.write_text(EVERYTHING.split("from mmind", maxsplit=1)[0])
    done = run(tmp_path, [sys.executable, "-c", RUNNER, str(hook), *words, "--vault", str(notes)])
    assert done.returncode in (0, 1), done.stderr[-2000:]


def test_r24_without_any_network_everything_works(tmp_path: Path, notes: Path) -> None:
    done = run(tmp_path, [*isolated(), sys.executable, "-c", EVERYTHING, str(notes)])
    assert done.returncode == 0, done.stderr[-2000:]
    assert "MiniLM" in done.stdout


def test_r24_a_server_over_stdio_without_any_network_answers(tmp_path: Path, notes: Path) -> None:
    variables = {name: value for name, value in environment(tmp_path).items() if name != "MMIND_EMBED_MODEL"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    question = {"name": "retrieve", "arguments": {"query": "rent"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": question},
    ]
    done = subprocess.run(
        [*isolated(), sys.executable, "-m", "mmind", str(notes)],
        input="".join(json.dumps(message) + os.linesep for message in messages),
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert answers[2]["result"]["structuredContent"]["results"][0]["id"] == "markdown:rent.md"
