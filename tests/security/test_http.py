"""The door of HTTP (R11, R12, R13, and R7 and R9 for bodies): a real process, raw requests."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from tests.server.over_http import Served, served
from tests.server.wired import environment

ERAS = pytest.mark.parametrize("is_modern", [False, True], ids=["legacy", "modern"])
ROUTES = (
    "/",
    "/mcp",
    "/mcp/",
    "/sse",
    "/docs",
    "/openapi.json",
    "/.well-known/oauth-protected-resource/mcp",
    "/health/x",
    "/%2e%2e/etc/passwd",
)
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example:{port}", "127.0.0.1.evil.example:{port}", "127.0.0.1:1", "", "127.0.0.1"],
)
def test_r11_a_host_that_is_not_exactly_ours_is_refused_with_any_token(door: Served, host: str) -> None:
    headers = {"Authorization": f"Bearer {door.full}", "Content-Type": "application/json"}
    assert door.send("POST", "/mcp", headers, PING, host=host.format(port=door.port)).status == 421


@pytest.mark.parametrize(
    "origin", ["null", "http://localhost:3000", "https://evil.example", "http://127.0.0.1:{port}", ""]
)
def test_r11_no_web_page_is_served_from_any_origin(door: Served, origin: str) -> None:
    assert door.post(PING, Origin=origin.format(port=door.port)).status == 403


def test_r11_no_answer_carries_a_header_that_lets_a_web_page_read_it(door: Served) -> None:
    replies = [door.post(PING), door.send("OPTIONS", "/mcp", {"Origin": "https://a.example"}), door.post(b"{")]
    assert not [name for reply in replies for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonp"]
)
def test_r11_a_form_of_a_web_page_cannot_pass_for_json(door: Served, kind: str) -> None:
    assert door.post(PING, **{"Content-Type": kind}).status == 415


def test_r11_without_the_flag_no_port_is_open_and_other_addresses_need_a_name(tmp_path: Path) -> None:
    for words in (["--http", "--host", "0.0.0.0"], ["--port", "8000"], ["--http", "--expose", "a b", "--port", "0"]):
        done = subprocess.run(
            [sys.executable, "-m", "mmind", "serve", *words],
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr


def test_r11_an_exposed_name_is_a_host_of_ours_and_still_needs_the_token(tmp_path: Path) -> None:
    with served(tmp_path, "--expose", "memory.example") as server:
        bare = {"Content-Type": "application/json"}
        known = {**bare, "Authorization": f"Bearer {server.full}", "Accept": "application/json, text/event-stream"}
        assert server.send("POST", "/mcp", known, PING, host="memory.example").status == 200
        assert server.send("POST", "/mcp", bare, PING, host="memory.example").status == 401
        assert server.send("POST", "/mcp", known, PING, host="other.example").status == 421


def test_r11_the_first_start_makes_a_token_of_256_bits_shows_it_once_and_keeps_a_hash(tmp_path: Path) -> None:
    with served(tmp_path, has_tokens=False) as server:
        (token,) = re.findall(r"mmind_rw_[\w-]{43}", "".join(server.said))
        assert server.post(PING, token).status == 200
    kept = tmp_path / "data" / "http-tokens.json"
    if sys.platform != "win32":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and token.encode() in file.read_bytes()]
    with served(tmp_path, has_tokens=False) as server:
        assert not re.search(r"mmind_r[wo]_", "".join(server.said))
        assert server.post(PING, token).status == 200


def test_r11_a_new_token_ends_the_one_before_on_a_running_server(tmp_path: Path) -> None:
    def mint(*words: str) -> str:
        command = [sys.executable, "-m", "mmind", "token", *words]
        done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=False)
        return done.stdout.strip()

    with served(tmp_path, has_tokens=False) as server:
        first, second = mint("new"), mint("new")
        assert [server.post(PING, token).status for token in (first, second)] == [401, 200]
        mint("drop")
        assert server.post(PING, second).status == 401


@pytest.mark.parametrize("token", ["short", "a" * 64, "pässwörd" * 10])
def test_r11_a_token_that_can_be_guessed_is_refused_at_the_start(tmp_path: Path, token: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mmind", "serve", "--http", "--port", "0"],
        env=environment(tmp_path, MMIND_HTTP_TOKEN=token),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "MMIND_HTTP_TOKEN" in done.stderr, token in done.stderr) == (2, True, False)


def test_r11_tokens_are_compared_as_hashes_in_constant_time() -> None:
    from mmind.config import tokens

    source = Path(tokens.__file__).read_text("utf-8")
    assert "hmac.compare_digest" in source
    known = {"read/write": tokens.digest("x" * 43), "read": tokens.digest("y" * 43)}
    assert [tokens.scope_for(shown, known) for shown in ("x" * 43, "y" * 43, "x" * 42, "")] == [
        "read/write",
        "read",
        "",
        "",
    ]


@ERAS
@pytest.mark.parametrize("tool", ["store", "forget"])
def test_r12_a_token_for_reading_cannot_change_anything(door: Served, tool: str, is_modern: bool) -> None:
    arguments = {"content": "planted"} if tool == "store" else {"id": "sqlite:x"}
    result = door.call(tool, arguments, door.read, is_modern=is_modern).json()["result"]
    assert result["isError"] is True
    assert "read only" in result["content"][0]["text"]


@ERAS
@pytest.mark.parametrize("tool", ["retrieve", "get", "sources"])
def test_r12_a_token_for_reading_can_read(door: Served, tool: str, is_modern: bool) -> None:
    arguments = {"retrieve": {"query": "rent"}, "get": {"id": "markdown:rent.md"}, "sources": {}}[tool]
    result = door.call(tool, arguments, door.read, is_modern=is_modern).json()["result"]
    assert result.get("isError", False) is False


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_r12_the_real_client_works_with_the_full_token_and_is_held_to_reading_by_the_other(
    door: Served, mode: str
) -> None:
    async def talk() -> list[bool | None]:
        async with door.client(mode) as client:
            stored = await client.call_tool("store", {"content": f"stored over http in mode {mode}"})
            found = await client.call_tool("retrieve", {"query": f"stored over http in mode {mode}"})
            assert found.structured_content
            assert found.structured_content["results"][0]["provenance"][0]["trust"] == "generated"
        async with door.client(mode, door.read) as client:
            refused = await client.call_tool("store", {"content": "planted by a reader"})
            answer = await client.call_tool("retrieve", {"query": "planted by a reader"})
            assert answer.structured_content
            assert not [one for one in answer.structured_content["results"] if "planted" in one["text"]]
        return [stored.is_error, refused.is_error]

    assert anyio.run(talk) == [False, True]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"])
@pytest.mark.parametrize("path", ROUTES)
def test_r13_every_route_without_a_token_says_nothing(door: Served, method: str, path: str) -> None:
    reply = door.send(method, path, {"Content-Type": "application/json"}, PING if method == "POST" else None)
    assert (reply.status, reply.body) == (401, b"" if method == "HEAD" else b"a token is needed")


@pytest.mark.parametrize(
    "shown", ["Bearer", "Bearer wrong", "Basic {full}", "{full}", "Bearer {full}x", "Bearer {half}", "bearer  "]
)
def test_r13_a_wrong_token_is_no_token(door: Served, shown: str) -> None:
    value = shown.format(full=door.full, half=door.full[:20])
    reply = door.send("POST", "/mcp", {"Authorization": value, "Content-Type": "application/json"}, PING)
    assert (reply.status, reply.headers["www-authenticate"]) == (401, 'Bearer realm="mmind"')


def test_r13_health_says_ok_and_no_more_with_or_without_a_token(door: Served) -> None:
    for headers in ({}, {"Authorization": f"Bearer {door.full}"}):
        reply = door.send("GET", "/health", headers)
        assert (reply.status, reply.body) == (200, b"ok")
        assert "server" not in reply.headers


def test_r07_a_body_over_a_mebibyte_is_refused_before_it_is_read_and_the_server_answers_on(door: Served) -> None:
    assert door.post(b"x" * (1024 * 1024 + 1)).status == 413
    announced = {"Content-Length": str(10**15)}
    assert door.post(b"x", **announced).status == 413
    assert door.post(PING).status == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", None),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 5000, -32700),
        (b"[]", -32600),
        (b'"text"', -32600),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', None),
    ],
)
def test_r09_a_body_that_is_no_request_gets_one_plain_answer(door: Served, body: bytes, code: int | None) -> None:
    reply = door.post(body)
    assert reply.status == (202 if code is None else 400)
    assert code is None or reply.json()["error"]["code"] == code


def test_r09_an_unknown_tool_a_wrong_argument_and_a_wrong_method_are_answered(door: Served) -> None:
    unknown = door.call("drop_table", {}).json()
    wrong = door.call("retrieve", {"query": "x", "limit": 900}).json()
    nothing = door.post(json.dumps({"jsonrpc": "2.0", "id": 5, "method": "no/such"}).encode()).json()
    assert unknown["error"]["code"] == -32602
    assert wrong["result"]["isError"] is True
    assert (nothing["id"], nothing["error"]["code"]) == (5, -32601)
