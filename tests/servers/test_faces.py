"""All the way through: an agent's tools and a person's commands over MariaDB, Redis and Qdrant, up and down.

Qdrant stands for itself where MMIND_TEST_QDRANT_URL names one, else for qdrant-client's local mode behind HTTP.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from tests.lag import lags
from tests.server.wired import Wired, environment
from tests.servers import Servers, qdrant_front
from tests.servers import mysql as mysql_server
from tests.servers import redis as redis_server
from tests.servers.mysql import Mariadb
from tests.servers.programs import wait_a_moment
from tests.servers.redis import RunningRedis

pytestmark = pytest.mark.server

STORES = {"sqlite": "mysql", "leveldb": "redis", "vector": "qdrant"}
SECRETS = (mysql_server.PASSWORD, redis_server.PASSWORD, qdrant_front.KEY, "p%40ss", "k%40y")


@pytest.fixture
def variables(servers: Servers, tmp_path: Path) -> dict[str, str]:
    """The environment of a user who keeps three stores on servers."""
    urls = {f"MMIND_{name.upper()}_URL": servers.get(name).url(str(tmp_path)) for name in STORES.values()}
    backends = {"STRUCTURED": "mysql", "SESSION": "redis", "VECTOR": "qdrant"}
    return environment(tmp_path, **{f"MMIND_BACKEND_{slot}": name for slot, name in backends.items()}, **urls)


def mmind(variables: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """One command, as a person gives it."""
    command = [sys.executable, "-m", "mmind", *words]
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=100, check=False)


def test_an_agents_tools_keep_find_and_forget_on_servers(variables: dict[str, str]) -> None:
    with Wired.mmind(None, variables) as wired:
        wired.greet()
        kept = {
            store: wired.call("store", content=f"The ferry winch number {store} takes 12 t.", store=store)
            for store in STORES
        }
        assert not any(result.get("isError") for result in kept.values()), kept
        found = wired.found("what does the ferry winch take")
        assert {(each["store"], each["engine"]) for one in found for each in one["provenance"]} == set(STORES.items())
        for one in found:
            assert wired.call("get", id=one["id"])["structuredContent"]["text"] == one["text"]
            assert not wired.call("forget", id=one["id"]).get("isError")
        assert wired.call("retrieve", query="ferry winch")["structuredContent"]["results"] == []
        told = json.dumps(wired.call("sources"))
        assert wired.close() == 0
    assert not [secret for secret in SECRETS if secret in told + wired.log()]


def assert_seen(wired: Wired, store: str) -> None:
    """What was stored is in the next answer, or the answer says that the index of this store lags, until it is."""
    while True:
        answer = wired.call("retrieve", query=f"ferry winch {store}")["structuredContent"]
        if store in {each["store"] for one in answer["results"] for each in one["provenance"]}:
            return
        assert store in " ".join(answer.get("notes", [])), answer


def test_what_one_process_stores_is_in_the_next_answer_of_another(variables: dict[str, str], tmp_path: Path) -> None:
    """Two data homes, as on two machines: they share nothing but the servers."""
    elsewhere = {**variables, "MMIND_HOME": str(tmp_path / "elsewhere")}
    with Wired.mmind(None, variables) as ours, Wired.mmind(None, elsewhere) as theirs:
        ours.greet()
        theirs.greet()
        assert theirs.call("retrieve", query="ferry winch")["structuredContent"]["results"] == []
        for store in STORES:
            ours.call("store", content=f"The ferry winch number {store} takes 12 t.", store=store)
            assert_seen(theirs, store)
        for one in theirs.found("ferry winch"):
            theirs.call("forget", id=one["id"])
        while ours.call("retrieve", query="ferry winch")["structuredContent"]["results"]:
            wait_a_moment()


def test_while_servers_are_down_answers_name_them_and_the_rest_goes_on(
    variables: dict[str, str], servers: Servers, tmp_path: Path
) -> None:
    mariadb, redis = cast("Mariadb", servers.get("mysql")), cast("RunningRedis", servers.get("redis"))
    assert mmind(variables, "store", "The ferry winch takes 12 t.", "--store", "sqlite").returncode == 0
    assert mmind(variables, "retrieve", "ferry winch").returncode == 0
    mariadb.process.stop()
    redis.process.stop()
    try:
        silent: dict[str, dict[str, str]] = {}
        while not {"sqlite", "leveldb"} <= set(silent):  # that a server is away is seen by a scan beside the question
            answer = mmind(variables, "retrieve", "ferry winch", "--json")
            said = json.loads(answer.stdout)
            silent = {each["store"]: each for each in said["unavailable"]}
            assert {"sqlite", "leveldb"} <= set(silent) or lags(said.get("notes", ())), said
        assert "cannot be reached" in silent["sqlite"]["reason"]
        assert "MMIND_MYSQL_URL" in silent["sqlite"]["hint"]
        refused = mmind(variables, "store", "More of it.", "--store", "leveldb")
        assert refused.returncode != 0
        assert "cannot be reached; start the server, or correct MMIND_REDIS_URL" in refused.stderr
        assert mmind(variables, "store", "The rope is long.", "--store", "files").returncode == 0
        told = answer.stdout + refused.stderr + mmind(variables, "sources").stdout
    finally:
        mariadb.process.start()
        redis.process.start()
    assert mmind(variables, "store", "More of it.", "--store", "leveldb").returncode == 0
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [secret for secret in SECRETS if secret in told or secret.encode() in kept]


def test_a_backend_without_its_url_is_named_with_the_variable_to_set(variables: dict[str, str]) -> None:
    del variables["MMIND_MYSQL_URL"]
    told = mmind(variables, "sources").stdout
    assert "set MMIND_MYSQL_URL in the environment" in told
