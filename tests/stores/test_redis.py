"""The `redis` engine beyond the contract, against real servers: the system's (7.0 in Debian 12) and Redis 8."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from mmind.stores import redis_scripts
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import Engine, Mark
from tests.servers import Servers
from tests.servers.certificates import certificates
from tests.servers.programs import wait_a_moment
from tests.servers.redis import PASSWORD, RunningRedis, start
from tests.stores.contract.rows import WINCH, level_mark, note, taken

pytestmark = pytest.mark.server

Open = Callable[..., Engine]


@pytest.fixture(params=["redis", "redis8"])
def server(request: pytest.FixtureRequest, servers: Servers) -> RunningRedis:
    return cast("RunningRedis", servers.get(request.param))


@pytest.fixture
def key(tmp_path: Path) -> str:
    """What names this test's database."""
    return str(tmp_path)


@pytest.fixture
def opened(server: RunningRedis, key: str) -> Iterator[Open]:
    """Opens engines over this test's database, or over another address; closes them after the test."""
    engines: list[Engine] = []

    def open_one(url: str = "", store: str = "here") -> Engine:
        place = ServedAt(url or server.url(key), "MMIND_REDIS_URL")
        engines.append(open_engine_row("redis", place, EngineOptions(), store=store))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@pytest.fixture
def foreign(server: RunningRedis, key: str) -> Iterator[Any]:
    """Another program's connection to this test's database."""
    with server.client(key) as client:
        yield client


@contextmanager
def setting(client: Any, name: str, value: str, usual: str) -> Iterator[None]:
    """A setting of the server, as long as the block lasts."""
    client.config_set(name, value)
    try:
        yield
    finally:
        client.config_set(name, usual)


def test_memories_expire_after_the_days_in_the_address(
    opened: Open, server: RunningRedis, key: str, foreign: Any
) -> None:
    engine = opened(f"{server.url(key)}?expire_days=2")
    engine.put(WINCH)
    assert 0 < foreign.ttl("mmind:{here}:memory:winch") <= 2 * 86_400
    opened().put(WINCH)
    assert foreign.ttl("mmind:{here}:memory:winch") == -1


def test_what_expired_is_gone_for_the_index_and_struck_off_by_the_next_write(opened: Open, foreign: Any) -> None:
    engine = opened()
    engine.put(WINCH)
    engine.put(note("drum", "The drum is new."))
    mark = level_mark(engine)
    foreign.pexpire("mmind:{here}:memory:winch", 1)
    while foreign.exists("mmind:{here}:memory:winch"):
        wait_a_moment()
    assert engine.get("winch") is None
    while not (gone := list(engine.changes(mark).gone)):
        wait_a_moment()
    assert gone == ["winch"]
    assert engine.health().entries == 1
    assert engine.delete("winch") is False
    engine.put(note("rope", "The rope is long."))
    assert foreign.zrange("mmind:{here}:live", 0, -1) == ["drum", "rope"]
    assert foreign.zrange("mmind:{here}:gone", 0, -1) == ["winch"]
    later = Mark(engine.changes(mark).cursor, {"drum": mark.fingerprints["drum"]})
    assert taken(engine, later) == {}


def test_a_memory_that_comes_back_after_it_expired_is_seen(opened: Open, foreign: Any) -> None:
    engine, other = opened(), opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    foreign.delete("mmind:{here}:memory:winch")
    while not engine.changes(mark).gone:
        wait_a_moment()
    other.put(replace(WINCH, text="It takes 14 t."))
    engine.put(note("drum", "The drum is new."))  # strikes off what it took for missing, unless it is back
    assert {memory.text for memory in engine.changes(mark).changed} == {"It takes 14 t.", "The drum is new."}


def test_a_database_that_was_emptied_holds_nothing_and_takes_new_memories(opened: Open, foreign: Any) -> None:
    engine = opened()
    engine.put(WINCH)
    mark = level_mark(engine)
    foreign.flushdb()
    assert list(engine.changes(mark).gone) == ["winch"]
    engine.put(note("drum", "The drum is new."))
    changes = engine.changes(mark)
    assert ([memory.id for memory in changes.changed], list(changes.gone)) == (["drum"], ["winch"])


def test_a_snapshot_that_was_put_back_and_written_to_is_noticed(opened: Open, foreign: Any) -> None:
    """The index knows revisions that the database never had, under numbers that were given out anew."""
    engine = opened()
    engine.put(note("kept", "in the snapshot"))
    snapshot = {name: _value(foreign, name) for name in foreign.scan_iter()}
    engine.put(note("lost", "after the snapshot"))
    mark = level_mark(engine)
    _put_back(foreign, snapshot)
    for number in range(3):
        engine.put(note(f"new {number}", "after the restore"))
    changes = engine.changes(mark)
    assert {memory.id for memory in changes.changed} == {"new 0", "new 1", "new 2"}
    assert list(changes.gone) == ["lost"]


def _value(client: Any, name: str) -> str | dict[str, Any]:
    kind = client.type(name)
    if kind == "zset":
        return dict(client.zrange(name, 0, -1, withscores=True))
    return client.get(name) if kind == "string" else client.hgetall(name)  # type: ignore[no-any-return] # redis-py


def _put_back(client: Any, snapshot: dict[str, Any]) -> None:
    client.flushdb()
    for name, value in snapshot.items():
        if isinstance(value, str):
            client.set(name, value)
        elif name.endswith(":head"):
            client.hset(name, mapping=value)
        else:
            client.zadd(name, value)


def test_old_tombstones_give_way_and_an_index_that_is_further_behind_compares_everything(
    opened: Open, foreign: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PUT", "DELETE", "BURY"):
        script = getattr(redis_scripts, name)
        monkeypatch.setattr(redis_scripts, name, script.replace(str(redis_scripts.MOST_TOMBSTONES), "3"))
    engine = opened()
    for number in range(8):
        engine.put(note(str(number), f"memory {number}"))
    mark = level_mark(engine)
    for number in range(6):
        engine.delete(str(number))
    assert foreign.zcard("mmind:{here}:gone") == 3
    assert sorted(engine.changes(mark).gone) == ["0", "1", "2", "3", "4", "5"]


def test_another_programs_value_under_our_key_is_read_as_text(opened: Open, foreign: Any) -> None:
    engine = opened()
    engine.put(WINCH)
    for value, text in (("plain words", "plain words"), ('{"a": 1}', '{"a": 1}'), ("[1]", "[1]")):
        foreign.set("mmind:{here}:memory:winch", value)
        kept = engine.get("winch")
        assert kept is not None
        assert kept.text == text
    assert [memory.text for memory in engine.changes(Mark()).changed] == ["[1]"]


def test_a_memory_lies_under_a_key_that_people_can_read(opened: Open, foreign: Any) -> None:
    opened().put(WINCH)
    assert json.loads(foreign.get("mmind:{here}:memory:winch"))["text"] == WINCH.text


def test_what_a_crash_may_cost_is_told(opened: Open, foreign: Any) -> None:
    engine = opened()
    engine.put(WINCH)
    assert engine.health().notes == ()
    with setting(foreign, "appendfsync", "everysec", "always"):
        assert "may lose the last second or more (appendfsync is everysec)" in engine.health().notes[0]
    with setting(foreign, "appendonly", "no", "yes"):
        assert "loses what came after its last snapshot (appendonly is off)" in engine.health().notes[0]
    with setting(foreign, "maxmemory-policy", "allkeys-lru", "noeviction"):
        assert "drops memories when its memory is full (maxmemory-policy allkeys-lru)" in engine.health().notes[0]


def test_a_full_server_refuses_in_one_line_and_goes_on_reading(opened: Open, foreign: Any) -> None:
    engine = opened()
    engine.put(WINCH)
    with (
        setting(foreign, "maxmemory", "1", "0"),
        pytest.raises(EngineUnavailable, match="is full; raise its maxmemory"),
    ):
        engine.put(note("drum", "The drum is new."))
    assert list(taken(engine, Mark())) == ["winch"]


def test_a_replica_refuses_writes_with_the_way_out(opened: Open, foreign: Any) -> None:
    engine = opened()
    engine.put(WINCH)
    foreign.replicaof("127.0.0.1", "1")
    try:
        with pytest.raises(EngineUnavailable, match="is a read-only replica; point MMIND_REDIS_URL at the primary"):
            engine.put(note("drum", "The drum is new."))
        assert engine.get("winch") is not None
    finally:
        foreign.replicaof("NO", "ONE")


def test_a_user_with_the_rights_that_the_hint_names_can_do_everything(
    opened: Open, server: RunningRedis, key: str, foreign: Any
) -> None:
    foreign.execute_command("ACL", "SETUSER", "agent", "reset", "on", ">hush", "~other:*", "+@read")
    url = f"redis://agent:hush@127.0.0.1:{server.port}/{server.number(key)}"
    with pytest.raises(EngineUnavailable, match="refused the use of mmind's keys; give its user the rights") as refused:
        opened(url).put(WINCH)
    rights = refused.value.hint.partition("rights ")[2].partition(" (")[0].split()
    foreign.execute_command("ACL", "SETUSER", "agent", "reset", "on", ">hush", *rights)
    engine = opened(url)
    engine.put(WINCH)
    assert list(taken(engine, Mark())) == ["winch"]
    assert engine.health().usable
    assert engine.delete("winch") is True


def test_a_login_that_fails_is_told_in_one_line_without_user_and_password(
    opened: Open, server: RunningRedis, key: str
) -> None:
    url = server.url(key)
    bare_url = f"redis://127.0.0.1:{server.port}/0"
    for wrong, message in (
        (url.replace("p%40", "wrong"), "refused the login"),
        (bare_url, "asks for a password|login"),
    ):
        engine = opened(wrong)
        with pytest.raises(EngineUnavailable, match=message) as refused:
            engine.get("winch")
        told = "".join(traceback.format_exception(refused.value))
        assert PASSWORD not in told
        assert "wrongss" not in told
        assert engine.health().hint


def test_a_server_is_reached_by_its_socket(opened: Open, server: RunningRedis, key: str) -> None:
    opened().put(WINCH)
    password = server.url(key).partition("://:")[2].partition("@")[0]
    engine = opened(f"unix://:{password}@{server.socket}?db={server.number(key)}")
    assert engine.get("winch") is not None
    assert PASSWORD not in engine.health().where


def test_tls_is_used_as_the_address_says(servers: Servers, tmp_path: Path) -> None:
    servers.get("redis")
    files = certificates(tmp_path)
    named = {"ca-cert": files.authority, "cert": files.certificate, "key": files.key}
    more = [part for name, file in named.items() for part in (f"--tls-{name}-file", str(file))]
    server = start(tmp_path, [*more, "--tls-auth-clients", "no"])
    port = server.add_tls_port()
    try:
        url = server.url("tls").replace("redis://", "rediss://").replace(f":{server.port}/", f":{port}/")
        for options, is_usable in (
            (f"?ssl_ca_certs={files.authority}", True),
            ("?ssl_cert_reqs=none&ssl_check_hostname=false", True),
            ("", False),
            (f"?ssl_ca_certs={files.certificate}", False),
        ):
            engine = open_engine_row("redis", ServedAt(url + options), store="here")
            assert engine.health().usable is is_usable, (options, engine.health())
            engine.close()
    finally:
        server.stop()
