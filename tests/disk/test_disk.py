"""Locks between processes, whole files, private folders."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from mmind.disk.durable import make_private_file, make_private_folder, may_be_made, write_whole
from mmind.disk.locks import Turn, held
from tests.stores.processes import python, running

HOLDER = """
import sys
from pathlib import Path
from mmind.disk.locks import held
with held(Path(sys.argv[1]), 5.0) as is_ours:
    print("up" if is_ours else "refused", flush=True)
    sys.stdin.read()
"""
DIES_HOLDING = """
import os, sys
from pathlib import Path
from mmind.disk.locks import Turn
print(Turn(Path(sys.argv[1])).try_take(), flush=True)
os._exit(9)
"""


def test_a_lock_of_another_process_is_waited_for_and_freed_with_it(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "lock"
    with running(HOLDER, file), held(file, 0.0) as is_ours:
        assert not is_ours
    with held(file, 5.0) as is_ours:
        assert is_ours


def test_two_holders_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    first, second = Turn(tmp_path / "lock"), Turn(tmp_path / "lock")
    assert first.try_take()
    assert second.is_taken()
    first.give_back()
    first.give_back()
    assert second.try_take()
    second.give_back()


def test_who_looks_whether_a_lock_is_taken_makes_no_file(tmp_path: Path) -> None:
    assert not Turn(tmp_path / "lock").is_taken()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="the helper reports an exit status of POSIX")
def test_a_lock_does_not_outlive_a_process_that_dies_without_a_word(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):  # it exits with status 9
        python(DIES_HOLDING, tmp_path / "lock")
    assert (tmp_path / "lock").exists()
    assert not Turn(tmp_path / "lock").is_taken()


def test_a_lock_on_a_file_that_was_replaced_guards_nothing_and_is_not_taken(tmp_path: Path) -> None:
    holder = Turn(tmp_path / "lock")
    assert holder.try_take()
    (tmp_path / "lock").unlink()
    other = Turn(tmp_path / "lock")
    assert other.try_take()
    other.give_back()
    holder.give_back()


def test_waiting_ends_when_it_is_stopped(tmp_path: Path) -> None:
    with held(tmp_path / "lock", 0.0), held(tmp_path / "lock", 3600.0, lambda: True) as is_ours:
        assert not is_ours


def test_a_file_is_replaced_whole_and_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"one")
    write_whole(tmp_path / "a", b"two", is_durable=False)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", b"three")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "folder"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_new_folders_and_files_are_for_their_owner_alone_and_what_is_there_is_left(tmp_path: Path) -> None:
    make_private_file(tmp_path / "x" / "y" / "file")
    for name, mode in (("x", 0o700), ("x/y", 0o700), ("x/y/file", 0o600)):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode
    (tmp_path / "x" / "y" / "file").write_text("kept")
    tmp_path.chmod(0o755)
    make_private_file(tmp_path / "x" / "y" / "file")
    make_private_folder(tmp_path)
    assert (tmp_path / "x" / "y" / "file").read_text() == "kept"
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_what_may_be_made_is_told_from_what_may_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    assert may_be_made(tmp_path / "new" / "index.db")
    assert may_be_made(tmp_path / "file" / "index.db")  # whoever opens it says what is wrong
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != tmp_path)
    assert not may_be_made(tmp_path / "new" / "index.db")
