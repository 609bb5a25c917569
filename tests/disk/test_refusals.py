"""What a person is told to do when the system refuses a file: it fits what the system said, wherever it is met."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mmind.disk.refusals import reason, way_out
from tests.faults.disk import needs_disk, watched

WAYS_OUT = {
    errno.ENOSPC: "free some space on its drive",
    errno.EDQUOT: "your share of its drive is used up",
    errno.EROFS: "mounted read-only",
    errno.EIO: "its drive fails",
}
EVERYTHING, BYTES_ALONE = "CWTM", "W"  # creating, writing, truncating and making folders; kinds of disk.c
COMMANDS = (  # a part of the names of the files that fail, and what fails
    ("home/.mmind-", EVERYTHING, "config set log.level info"),
    ("home/.mmind-", BYTES_ALONE, "token new"),
    ("home/audit", EVERYTHING, "store hello --store sqlite"),
    ("home/memory.db", EVERYTHING, "store hello --store sqlite"),
    ("home/memory.db", BYTES_ALONE, "store hello --store sqlite"),
    ("home/leveldb", EVERYTHING, "store hello --store leveldb"),
    ("home/leveldb", BYTES_ALONE, "store hello --store leveldb"),
    ("home/files", EVERYTHING, "store hello --store files"),
    ("kept.jsonl", EVERYTHING, "export --output kept.jsonl"),
)


def test_what_only_the_caller_can_tell_is_left_to_him() -> None:
    for number in (errno.EACCES, errno.EPERM, errno.ENOENT):
        assert way_out(OSError(number, os.strerror(number)), "let them in") == "let them in"
    assert way_out(OSError("another process holds its lock"), "wait") == "wait"


def test_the_words_of_the_system_are_understood_where_a_driver_passes_them_on() -> None:
    said = f"b'IO error: /home/x/000005.log: {os.strerror(errno.ENOSPC)}'"
    assert way_out(RuntimeError(said), "let them in") == WAYS_OUT[errno.ENOSPC]
    assert way_out(RuntimeError("database or disk is full"), "let them in") == WAYS_OUT[errno.ENOSPC]
    assert way_out(RuntimeError("IO error: of no known kind"), "let them in") == "let them in"


def test_a_reason_is_never_empty_and_names_no_path() -> None:
    assert reason(OSError(errno.ENOSPC, "No space left", "/home/x")) == "No space left"
    assert reason(TimeoutError("held")) == "held"
    assert reason(PermissionError()) == "PermissionError"


@needs_disk
@pytest.mark.parametrize(("part", "kinds", "command"), COMMANDS)
@pytest.mark.parametrize("number", WAYS_OUT)
def test_a_command_that_cannot_write_says_what_to_do_about_just_that(
    part: str, kinds: str, command: str, number: int, tmp_path: Path
) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MMIND_")}
    environ |= {"MMIND_HOME": str(tmp_path / "home"), "MMIND_EMBED_MODEL": "none"}
    (tmp_path / "home").mkdir()
    failing = watched(tmp_path, part=part, fail_from=1, fail_errno=number, fail_kinds=kinds)
    done = subprocess.run(
        [sys.executable, "-m", "mmind", *command.split()],
        env=environ | failing,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert WAYS_OUT[number] in done.stderr, done.stderr
    assert "permission" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
