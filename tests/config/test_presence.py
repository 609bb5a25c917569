from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.server.wired import Wired, environment
from tests.servers.programs import wait_a_moment

from mmind.config.change import set_saved
from mmind.config.presence import InForce, Presence, in_force, lagging, running_servers, stamp_of
from mmind.config.settings import load

CODE = """
import sys
from pathlib import Path
from mmind.config.presence import InForce, Presence
Presence(Path(sys.argv[1])).say(InForce((1, 2), {"access_sqlite": "read"}, ("access_sqlite",)))
print("here", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that says it serves the home `tmp_path`."""
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout
    assert process.stdout.readline().strip() == b"here"
    yield process
    process.kill()
    process.communicate()


def test_a_server_is_seen_by_another_process_with_what_it_has_in_force(
    tmp_path: Path, server: subprocess.Popen[bytes]
) -> None:
    (seen,) = running_servers(tmp_path)
    assert seen.pid == server.pid
    assert seen.in_force == InForce((1, 2), {"access_sqlite": "read"}, ("access_sqlite",))


def test_a_killed_server_is_not_seen_and_what_it_left_is_cleared_away(
    tmp_path: Path, server: subprocess.Popen[bytes]
) -> None:
    server.kill()
    server.wait()
    assert running_servers(tmp_path) == []
    assert list((tmp_path / "running").iterdir()) == []


def test_one_who_withdraws_leaves_nothing(tmp_path: Path) -> None:
    presence = Presence(tmp_path)
    presence.say(InForce())
    assert (tmp_path / "running" / f"{os.getpid()}.json").exists()
    presence.withdraw()
    assert list((tmp_path / "running").iterdir()) == []


def test_no_data_home_is_made_for_a_note_and_one_that_comes_is_used(tmp_path: Path) -> None:
    presence = Presence(tmp_path / "home")
    presence.say(InForce())
    assert not (tmp_path / "home").exists()
    (tmp_path / "home").mkdir()
    presence.keep()
    assert (tmp_path / "home" / "running" / f"{os.getpid()}.json").exists()
    presence.withdraw()


def test_one_whose_home_was_removed_is_seen_again_once_there_is_one(tmp_path: Path) -> None:
    presence = Presence(tmp_path / "home")
    (tmp_path / "home").mkdir()
    presence.say(InForce((1, 2)))
    shutil.rmtree(tmp_path / "home")
    presence.keep()
    assert not (tmp_path / "home").exists()
    (tmp_path / "home").mkdir()
    presence.keep()
    assert [server.in_force for server in running_servers(tmp_path / "home")] == [InForce((1, 2))]
    presence.withdraw()


def test_a_stranger_s_file_is_no_server(tmp_path: Path) -> None:
    (tmp_path / "running").mkdir()
    (tmp_path / "running" / "7.json").write_text("not ours")
    assert running_servers(tmp_path) == []


def test_the_note_holds_no_secret_and_names_what_the_environment_pins(tmp_path: Path) -> None:
    environ = {
        "MMIND_HOME": str(tmp_path),
        "MMIND_ACCESS_SQLITE": "read",
        "MMIND_POSTGRES_URL": "postgresql://ann:hunter2@db/x",
        "OPENAI_API_KEY": "sk-hunter2hunter2",
    }
    noted = in_force(load(environ, None), None)
    assert noted.pinned == ("access_sqlite",)
    assert noted.values["access_sqlite"] == "read"
    assert noted.values["semantic_weight"] == "0.7"
    assert "hunter2" not in json.dumps(dict(noted.values))


@contextmanager
def serving(home: Path) -> Iterator[Wired]:
    """A server on the data home, as soon as it has said so."""
    home.mkdir()
    with Wired.mmind(None, environment(home.parent)) as wired:
        wired.greet()
        while not running_servers(home):
            wait_a_moment()
        yield wired


def test_a_running_server_takes_an_edit_up_without_being_asked_anything(tmp_path: Path) -> None:
    home = tmp_path / "data"
    with serving(home) as wired:
        set_saved(environment(tmp_path), "access.sqlite", "read")
        while lagging(servers := running_servers(home), stamp_of(home)):
            wait_a_moment()
        assert [server.pid for server in servers] == [wired.process.pid]
        assert servers[0].in_force.values["access_sqlite"] == "read"
    assert running_servers(home) == []


def test_a_server_that_cannot_read_the_file_says_so_and_keeps_the_last_good_values(tmp_path: Path) -> None:
    home = tmp_path / "data"
    with serving(home):
        (home / "config.toml").write_text("[ranking]\nrecency_floor = 7\n")
        while not (fault := running_servers(home)[0].in_force.fault):
            wait_a_moment()
        assert "recency_floor" in fault
        assert running_servers(home)[0].in_force.values["recency_floor"] == "0.4"
        assert lagging(running_servers(home), stamp_of(home))
