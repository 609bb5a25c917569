"""The server as a process: what is on its wire, whom it outlives, and how it starts."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mmind.server.front import leaves_machine
from tests.lag import lags
from tests.server.wired import ENVELOPE, INITIALIZE, Wired, environment, vault
from tests.servers.programs import wait_a_moment

NOTES = {"dock.md": "# Dock\n\nThe dry dock is pumped out on Mondays.\n", "tug.md": "The tug is called Vidar.\n"}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and closed pipes are told otherwise there")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads the process's memory from /proc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wired]:
    home = tmp_path_factory.mktemp("raw")
    with Wired.cold(vault(home, NOTES), environment(home)) as wired:
        wired.greet()
        yield wired


def test_r10_a_whole_session_is_protocol_and_nothing_else_and_ends_well(tmp_path: Path) -> None:
    """Trap 4 of mcp.md 3.3, case D01, R10: at the most talkative level, in a clean environment"""
    variables = environment(tmp_path, MMIND_LOG_LEVEL="debug")
    for _ in ("first run", "second run"):
        with Wired.cold(vault(tmp_path, NOTES), variables) as wired:
            assert wired.greet()["result"]["serverInfo"]["name"] == "mmind"
            assert len(wired.ask(2, "tools/list")["result"]["tools"]) == 5
            assert wired.found("when is the dry dock pumped out?")[0]["id"] == "markdown:dock.md"
            assert not wired.call("store", content="dock pumped")["isError"]
            assert wired.call("sources")["structuredContent"]["stores"]
            assert wired.close() == 0
            assert wired.stdout.read() == b""


NOISY = """
import os, sys, threading, time
print("stray before")

def noise():
    while True:
        print("stray print")
        os.write(1, b"stray bytes\\n")
        os.system("echo stray child; cat")
        time.sleep(0.01)

def on_event(event, arguments):
    if event == "import" and arguments[0] == "mmind.wiring":
        threading.Thread(target=noise, daemon=True).start()

sys.addaudithook(on_event)
from mmind.server.front import main
main(sys.argv[1])
"""


@POSIX
def test_r10_stray_output_of_libraries_and_children_lands_on_standard_error(tmp_path: Path) -> None:
    """Trap 4 of mcp.md 3.3, R10"""
    command = [sys.executable, "-c", NOISY, str(vault(tmp_path, NOTES))]
    with Wired.started(command, environment(tmp_path)) as wired:
        wired.greet()
        for _ in range(3):
            assert wired.found("tug")
        while "stray child" not in wired.log():  # the last of the noises; whoever makes them may come late to it
            assert wired.process.poll() is None
            wait_a_moment()
        assert wired.close() == 0
        assert wired.stdout.read() == b""
        for stray in ("stray before", "stray print", "stray bytes", "stray child"):
            assert stray in wired.log()


def test_both_eras_are_served_by_one_command(tmp_path: Path) -> None:
    with Wired.cold(vault(tmp_path, NOTES), environment(tmp_path)) as wired:
        discovered = wired.ask(1, "server/discover", _meta=ENVELOPE)["result"]
        assert discovered["supportedVersions"] == ["2026-07-28"]
        listed = wired.ask(2, "tools/list", _meta=ENVELOPE)["result"]
        assert (len(listed["tools"]), listed["ttlMs"], listed["cacheScope"]) == (5, 300_000, "public")
        called = wired.ask(3, "tools/call", _meta=ENVELOPE, name="retrieve", arguments={"query": "tug"})["result"]
        assert called["resultType"] == "complete"
        assert called["structuredContent"]["searched"]
        assert wired.ask(4, "initialize", **INITIALIZE)["error"]["code"] == -32022
        assert wired.close() == 0


def test_the_writer_of_a_memory_is_the_client_of_the_handshake(server: Wired) -> None:
    stored = server.call("store", content="The writer is known.", tags=["x"])["structuredContent"]
    assert (stored["writer"], stored["trust"]) == ("raw session", "generated")


@pytest.mark.parametrize(
    ("line", "id", "code"),
    [
        (b"{\n", None, -32700),
        (b"\xff\xfe\x00\n", None, -32700),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"retrieve",\n', 5, -32700),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"\xc3\x28"}}\n', 5, -32700),
        (b'[{"jsonrpc":"2.0","id":5,"method":"ping"}]\n', None, -32600),
        (b"[]\n", None, -32600),
        (b"7\n", None, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":[5],"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":5}\n', 5, -32600),
        (b'{"jsonrpc":"2.0","id":5,"method":"no/such"}\n', 5, -32601),
        (b'{"jsonrpc":"2.0","id":5,"method":"no/such\\ud800"}\n', 5, -32601),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"x"}}\n', 5, -32602),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call"}\n', 5, -32602),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":5}}\n', 5, -32602),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"retrieve","arguments":[]}}\n', 5, -32602),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"nope"}}\n', 5, -32602),
        (b'{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"x"}}\n', 5, -32601),
        (b'{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"memory://a/b"}}\n', 5, -32601),
    ],
)
def test_a_bad_line_gets_one_answer_and_the_next_request_another(
    server: Wired, line: bytes, id: int | None, code: int
) -> None:
    """Traps 3 and 5 of mcp.md 3.3, R9"""
    server.write(line)
    answer = server.receive()
    assert (answer["id"], answer["error"]["code"]) == (id, code)
    assert server.ask("after", "ping")["result"] == {}


@pytest.mark.parametrize("text", ["nul \x00 here", "half \ud800 pair", "\ud83d\ude00", "{}", "\u202e\x1b[31m"])
def test_odd_text_is_an_argument_like_any_other(server: Wired, text: str) -> None:
    """Trap 3 of mcp.md 3.3, R6: `json.dumps` writes NUL and halves of pairs as escapes, as JavaScript does"""
    assert server.call("retrieve", query=text)["isError"] is False
    stored = server.call("store", content=f"odd text {text}")["structuredContent"]
    assert server.call("get", id=stored["id"])["structuredContent"]["text"].startswith("odd text ")


def test_requests_of_one_id_are_each_answered(server: Wired) -> None:
    """R9"""
    for _ in range(3):
        server.send("twin", "tools/call", name="sources", arguments={})
    answers = [server.receive() for _ in range(3)]
    assert [(answer["id"], "result" in answer) for answer in answers] == [("twin", True)] * 3


@LINUX
def test_r07_a_line_of_sixty_megabytes_is_refused_without_growing(server: Wired) -> None:
    """Trap 3 of mcp.md 3.3, R7"""

    def resident() -> int:
        status = Path(f"/proc/{server.process.pid}/status").read_text("ascii")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024

    server.call("sources")
    before = resident()
    head = b'{"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"'
    server.write(head + b"x" * 60_000_000 + b'"}},"jsonrpc":"2.0","id":60}\n')
    answer = server.receive()
    assert (answer["id"], answer["error"]["code"]) == (60, -32600)
    assert resident() - before < 50
    assert server.ask("after", "ping")["result"] == {}


def test_r07_a_million_tags_are_refused_in_one_line(server: Wired) -> None:
    """R7"""
    result = server.call("store", content="x", tags=["t"] * 500_000)
    assert result["content"][0]["text"] == "tags: at most 64 entries, got 500,000"


def test_r09_in_a_flood_every_request_has_exactly_one_answer(server: Wired) -> None:
    """R9: legal, malformed and unknown messages in one seeded stream"""
    chance = random.Random(20261130)
    lines: list[bytes] = []
    due: Counter[Any] = Counter()
    for number in range(1000):
        request: dict[str, Any] = {"jsonrpc": "2.0", "id": number}
        match chance.randrange(8):
            case 0:
                request |= {"method": "ping"}
            case 1:
                request |= {"method": "tools/list"}
            case 2:
                request |= {"method": "tools/call", "params": {"name": "retrieve", "arguments": {"limit": number}}}
            case 3:
                request |= {"method": "tools/call", "params": {"name": chance.choice(["", "x", "retrieve\n"])}}
            case 4:
                request |= {"method": "no/such", "params": {"deep": [[[[number]]]]}}
            case 5:
                request |= {"method": "tools/list", "params": {"cursor": str(number)}}
            case 6:
                request |= {"method": 5}
            case _:
                lines.append(b'{"jsonrpc":"2.0","method":"notifications/progress","params":[]}\n')
                lines.append(b'{"jsonrpc":"2.0","method":"notifications/no-such"}\n')
                continue
        due[number] += 1
        lines.append(json.dumps(request).encode() + b"\n")
    writing = threading.Thread(target=server.write, args=(b"".join(lines),))  # a client that only writes blocks itself
    writing.start()
    assert Counter(server.receive()["id"] for _ in range(due.total())) == due
    writing.join()
    assert server.ask("after", "ping")["result"] == {}


def test_a_session_that_is_piped_in_gets_all_its_answers(tmp_path: Path) -> None:
    """`mmind VAULT < session.jsonl`: the input is at its end before the SDK is loaded."""
    calls = [("retrieve", {"query": "tug"}), ("store", {"content": "The tug was painted."}), ("sources", {})]
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": INITIALIZE},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    for number, (name, arguments) in enumerate(calls, start=3):
        messages.append({"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
    lines = "\n".join(json.dumps({"jsonrpc": "2.0", **message}) for message in messages)  # no line end after the last
    done = subprocess.run(
        [sys.executable, "-m", "mmind", str(vault(tmp_path, NOTES))],
        env=environment(tmp_path),
        input=lines.encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert sorted(answers) == [1, 2, 3, 4, 5]
    assert all("result" in answer for answer in answers.values())


def test_the_first_answers_need_nothing_but_the_standard_library(tmp_path: Path) -> None:
    """Case D03: no scan, no model and no SDK before the handshake is answered"""
    code = "import sys, mmind.server.front; print([m for m in sys.modules if m.split('.')[0] in sys.argv[1:]])"
    heavy = ["mcp", "mcp_types", "pydantic", "anyio", "asyncio", "numpy", "apsw", "onnxruntime", "yaml", "openai"]
    done = subprocess.run(
        [sys.executable, "-c", code, *heavy], env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_first_question_is_answered_while_the_vault_is_still_being_read(tmp_path: Path) -> None:
    """Case D03"""
    many = {f"n{number}.md": f"Note {number} about pontoon {number} and its cleats.\n" for number in range(2000)}
    with Wired.cold(vault(tmp_path, many), environment(tmp_path)) as wired:
        wired.greet()
        assert len(wired.ask(2, "tools/list")["result"]["tools"]) == 5
        answer = wired.call("retrieve", query="pontoon 1711 cleats")
        assert answer["isError"] is False
        found = answer["structuredContent"]
        is_found = bool(found["results"]) and found["results"][0]["id"] == "markdown:n1711.md"
        assert is_found or found["notes"]
        assert wired.close() == 0


def test_wrong_settings_leave_the_server_up_and_every_call_says_what_is_wrong(tmp_path: Path) -> None:
    variables = environment(tmp_path, MMIND_BACKEND_VECTOR="blackboard")
    with Wired.cold(vault(tmp_path, NOTES), variables) as wired:
        wired.greet()
        for name, arguments in (("retrieve", {"query": "tug"}), ("store", {"content": "x"}), ("sources", {})):
            result = wired.call(name, **arguments)
            assert result["isError"] is True
            assert "MMIND_BACKEND_VECTOR" in result["content"][0]["text"]
        assert wired.close() == 0


def test_a_vault_that_is_not_there_is_told_and_the_others_answer(tmp_path: Path) -> None:
    with Wired.cold(tmp_path / "nowhere", environment(tmp_path)) as wired:
        wired.greet()
        assert not wired.call("store", content="The tug is called Vidar.")["isError"]
        assert wired.found("what is the tug called?")[0]["text"] == "The tug is called Vidar."
        away = list[str]()
        while "markdown" not in away:  # whether a vault is there is seen by a scan beside the question
            answer = wired.call("retrieve", query="tug")["structuredContent"]
            away = [fault["store"] for fault in answer["unavailable"]]
            assert "markdown" in away or lags(answer.get("notes", ()))
        assert wired.close() == 0


def test_without_the_sdk_every_request_still_gets_an_answer(tmp_path: Path) -> None:
    (tmp_path / "mcp_types.py").write_text("raise ImportError('half an installation, key sk-verysecret')")
    variables = environment(tmp_path, PYTHONPATH=str(tmp_path), OPENAI_API_KEY="sk-verysecret")
    with Wired.cold(vault(tmp_path, NOTES), variables) as wired:
        wired.greet()
        wired.send(1, "tools/call", name="sources", arguments={})
        wired.send(2, "tools/call", name="sources", arguments={})
        for number in (1, 2):
            answer = wired.receive()
            assert (answer["id"], answer["error"]["code"]) == (number, -32603)
            assert "log (stderr)" in answer["error"]["message"]
        assert wired.close() == 0
        assert "half an installation" in wired.log()
        assert "sk-verysecret" not in wired.log()


PARENT = """
import subprocess, sys, time
held, greeting, folder = sys.argv[1:]
words = [sys.executable, "-m", "mmind", folder]
server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[int(held)])
server.stdin.write(greeting.encode() + b"\\n")
server.stdin.flush()
server.stdout.readline()
print("greeted", flush=True)
time.sleep(600)
"""


class TestTheServerEndsWhenItsClientIsGone:
    """Case D08. That each test returns is the assertion; the status tells that the end was a clean one."""

    def test_before_a_word_was_said(self, tmp_path: Path) -> None:
        with Wired.cold(vault(tmp_path, NOTES), environment(tmp_path)) as wired:
            assert wired.close() == 0

    def test_in_the_middle_of_indexing_and_the_next_one_has_every_store(self, tmp_path: Path) -> None:
        many = {f"n{number}.md": f"Buoy {number} blinks {number} times a minute.\n" for number in range(2000)}
        folder, variables = vault(tmp_path, many), environment(tmp_path, MMIND_EMBED_MODEL="local")
        with Wired.cold(folder, variables) as wired:
            wired.greet()
            assert not wired.call("store", content="tug seen", store="leveldb")["isError"]
            assert wired.close() == 0
        with Wired.cold(folder, variables) as wired:
            wired.greet()
            assert not wired.call("store", content="tug gone", store="leveldb")["isError"]
            stores = {store["name"]: store["usable"] for store in wired.call("sources")["structuredContent"]["stores"]}
            assert stores["leveldb"]
            assert stores["sqlite"]
            assert wired.close() == 0

    @POSIX
    def test_when_its_output_is_closed(self, tmp_path: Path) -> None:
        with Wired.cold(vault(tmp_path, NOTES), environment(tmp_path)) as wired:
            wired.greet()
            wired.stdout.close()
            wired.send(2, "tools/call", name="retrieve", arguments={"query": "tug"})
            assert wired.ended() == 0

    @POSIX
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)])
    def test_when_the_system_asks(self, tmp_path: Path, number: signal.Signals) -> None:
        with Wired.cold(vault(tmp_path, NOTES), environment(tmp_path)) as wired:
            wired.greet()
            assert wired.call("retrieve", query="tug")["isError"] is False
            wired.process.send_signal(number)
            assert wired.ended() == 0
            assert "Traceback" not in wired.log()

    @POSIX
    def test_when_its_parent_is_killed(self, tmp_path: Path) -> None:
        """The server holds the other end of a pipe open as long as it lives; its end is read as the pipe's end."""
        alive, held = os.pipe()
        os.set_inheritable(held, True)
        greeting = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE})
        words = [sys.executable, "-c", PARENT, str(held), greeting, str(vault(tmp_path, NOTES))]
        parent = subprocess.Popen(words, env=environment(tmp_path), stdout=subprocess.PIPE, pass_fds=[held])
        os.close(held)
        assert parent.stdout
        with parent, os.fdopen(alive, "rb") as pipe:
            try:
                assert parent.stdout.readline() == b"greeted\n"
            finally:
                parent.kill()
            assert pipe.read() == b""


@pytest.mark.parametrize(
    ("variables", "leaves"),
    [
        ({}, False),
        ({"OPENAI_API_KEY": "sk-x"}, True),
        ({"OPENAI_API_KEY": " "}, False),
        ({"OPENAI_API_KEY": "${OPENAI_API_KEY}"}, False),
        ({"OPENAI_API_KEY": "sk-x", "MMIND_EMBED_MODEL": "local"}, False),
        ({"OPENAI_API_KEY": "sk-x", "MMIND_EMBED_MODEL": "auto"}, True),
    ],
)
def test_texts_leave_the_machine_only_with_a_key(variables: dict[str, str], leaves: bool) -> None:
    assert leaves_machine(variables) is leaves


@POSIX
def test_a_server_that_was_asked_nothing_leaves_when_nobody_reads_its_output(tmp_path: Path) -> None:
    with Wired.cold(None, environment(tmp_path)) as server:
        server.greet()
        server.stdout.close()
        assert server.ended() == 0


@POSIX
def test_a_server_leaves_when_its_parent_is_killed_though_its_pipes_stay_open(tmp_path: Path) -> None:
    between = "import subprocess, sys; subprocess.Popen([sys.executable, '-m', 'mmind']).wait()"
    with Wired.started([sys.executable, "-c", between], environment(tmp_path)) as server:
        server.greet()
        server.process.kill()
        assert server.stdout.read() == b""
