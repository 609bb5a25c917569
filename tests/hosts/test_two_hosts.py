"""Two servers on two machines (network namespaces, each with a host name of its own) share one Postgres."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cases.client import Client
from tests.servers import Absent
from tests.servers.postgres import PASSWORD, Cluster, programs_with_vectors

HOSTS = {"alpha": 1, "beta": 2}
WRITES = 12


def _lacking() -> str:
    """Why two machines cannot be made here; "" when they can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "two hosts are made of network namespaces, which takes root on Linux"
    missing = [program for program in ("ip", "unshare", "hostname") if shutil.which(program) is None]
    if missing:
        return f"two hosts are made with {', '.join(missing)}, which is not here"
    tried = subprocess.run(["unshare", "--net", "--uts", "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "this machine allows no network namespaces"


pytestmark = [pytest.mark.server, pytest.mark.skipif(bool(_lacking()), reason=_lacking() or "it can be done")]


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def host(name: str, number: int) -> Iterator[list[str]]:
    """The words that run a program on a host of this name, which reaches this machine as 10.213.NUMBER.1."""
    me = os.getpid() % 10_000
    place, near, far = f"mmind-{name}-{me}", f"mm{number}a{me}", f"mm{number}b{me}"
    _ip("netns", "add", place)
    try:
        _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", place)
        _ip("addr", "add", f"10.213.{number}.1/24", "dev", near)
        _ip("link", "set", near, "up")
        _ip("-n", place, "addr", "add", f"10.213.{number}.2/24", "dev", far)
        _ip("-n", place, "link", "set", far, "up")
        named = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name]
        yield ["ip", "netns", "exec", place, *named]
    finally:
        _ip("netns", "delete", place)


@pytest.fixture
def database() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        try:
            cluster = Cluster(Path(folder), programs_with_vectors(), listen="*")
        except Absent as absent:
            pytest.fail(str(absent)) if os.environ.get("CI") else pytest.skip(str(absent))
        yield cluster
        cluster.stop("immediate")


def called(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    answer = client.ask("tools/call", {"name": tool, "arguments": arguments}).message
    assert answer is not None, client.log.decode()
    result: dict[str, Any] = answer["result"]
    assert not result.get("isError"), result
    return result


def test_one_servers_write_is_in_the_others_next_answer_and_no_write_is_lost(database: Cluster, tmp_path: Path) -> None:
    name = database.database("two hosts")
    with ExitStack() as stack:
        clients: dict[str, Client] = {}
        for who, number in HOSTS.items():
            words = stack.enter_context(host(who, number))
            environment = {
                **{key: value for key, value in os.environ.items() if not key.startswith("MMIND_")},
                "MMIND_HOME": str(tmp_path / who),
                "MMIND_BACKEND_STRUCTURED": "postgres",
                "MMIND_BACKEND_VECTOR": "pgvector",
                "MMIND_POSTGRES_URL": database.url(name, host=f"10.213.{number}.1"),
                "MMIND_EMBED_MODEL": "none",
            }
            clients[who] = Client(
                [*words, sys.executable, "-m", "mmind"], environment, tmp_path, beneath_a_parent=False
            )
            stack.callback(clients[who].end)
            assert clients[who].greet().message is not None
        for number in range(WRITES):
            writer, reader = ("alpha", "beta") if number % 2 else ("beta", "alpha")
            store = "sqlite" if number % 3 else "vector"
            called(clients[writer], "store", content=f"Crane{number} stands at pier {number}.", store=store)
            told = json.dumps(called(clients[reader], "retrieve", query=f"where is crane{number}"))
            assert f"pier {number}." in told
        waiting = [
            clients[who].send("tools/call", {"name": "store", "arguments": {"content": f"{who} says {number}."}})
            for number in range(WRITES)
            for who in HOSTS
        ]
        assert all(clients["alpha"].wait(one).message for one in waiting)
        assert [client.stop() for client in clients.values()] == [0, 0]
    kept = database.sql(name, "SELECT text FROM mmind.memory WHERE text LIKE '% says %'")
    assert {text for (text,) in kept} == {f"{who} says {number}." for who in HOSTS for number in range(WRITES)}
    assert database.sql(name, "SELECT sum(memories) FROM mmind.tally") == [(3 * WRITES,)]
    for who in HOSTS:
        lines = [path.read_text() for path in (tmp_path / who / "audit").glob("*.jsonl")]
        assert lines
        hosts = {json.loads(line)["host"] for text in lines for line in text.splitlines()}
        assert hosts == {who}
        assert PASSWORD not in "".join(lines)
