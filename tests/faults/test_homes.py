"""Homes that are full, closed, or shared by two versions of mmind: reads go on, refusals say what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mmind.audit.reading import verify
from mmind.router.mind import Mind
from mmind.values.errors import MmindError
from tests.crash.killing import PLACES, ROOT, environment, found_in, mind_on
from tests.crash.oracle import Oracle, id_of, text_of
from tests.stores.processes import open_to_all, without_rights
from tests.vaults.ground import tree


def _can_mount() -> bool:
    return sys.platform == "linux" and hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real drive of two megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, timeout=30, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no drive can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True, timeout=30)


def stored(mind: Mind, store: str, token: str, oracle: Oracle) -> str:
    """Store a token; the refusal in words, or ""."""
    oracle.begun(token)
    try:
        mind.store(text_of(token), store=store)
    except MmindError as error:
        return error.message if error.hint else f"no way out: {error.message}"
    oracle.done("put", token)
    return ""


@pytest.mark.skipif(not _can_mount(), reason="a small drive can be mounted by root on Linux only")
@pytest.mark.parametrize("store", PLACES)
def test_on_a_full_drive_writes_are_refused_in_words_and_all_that_was_kept_is_read(
    store: str, small_disk: Path
) -> None:
    """R22: ENOSPC on a real file system."""
    home, oracle, ballast = small_disk / "home", Oracle(), small_disk / "ballast"
    ballast.write_bytes(bytes(400_000))
    with mind_on(home) as mind:
        refusals = []
        for number in range(600):
            refusals += [said] if (said := stored(mind, store, f"t{number}", oracle)) else []
            if len(refusals) == 5:
                break
        assert len(refusals) == 5, "the drive never filled"
        assert not any("no way out" in said for said in refusals)
        token = min(oracle.kept)
        assert f"{store}:{id_of(token)}" in {result.id for result in mind.retrieve(f"{token} opens").results}
        ballast.unlink()
        assert stored(mind, store, "afterwards", oracle) == ""
    found = found_in(store, home)
    assert oracle.complaints(found) == []
    assert verify(home / "audit").holds


_LOOK = """
import sys, tempfile
from pathlib import Path
from mmind.wiring import open_mind
from mmind.values.errors import MmindError

def look(home, vault):
    env = {"HOME": str(home), "MMIND_HOME": str(home), "MMIND_EMBED_MODEL": "none"}
    with open_mind(vault, env) as mind:
        bundle = mind.retrieve("openzq kept")
        print(sorted(result.id.partition(":")[0] for result in bundle.results), list(bundle.faults))
        print([status.name for status in mind.sources().stores if not status.usable])
        for store in ("sqlite", "leveldb", "files", "vector"):
            try:
                mind.store(f"newzq {store}", store=store)
            except MmindError as error:
                print(store, "refused", bool(error.hint))

with tempfile.TemporaryDirectory() as place:  # with all rights first: what is imported later could not be read
    (Path(place) / "vault").mkdir()
    (Path(place) / "vault" / "a.md").write_text("openzq note")
    (Path(place) / "vault" / "b.md").write_text("openzq note, another")
    look(Path(place), Path(place) / "vault")
# drop rights
print("as nobody")
look(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_in_a_home_that_may_only_be_read_every_store_answers_and_every_write_is_refused() -> None:
    """R22, R3: read-only folders, permission denied."""
    with open_to_all() as place:
        vault, home = place / "vault", place / "home"
        vault.mkdir()
        (vault / "open.md").write_text("openzq note, kept\n")
        with mind_on(home, vault) as mind:
            for store in PLACES:
                mind.store(f"openzq kept in {store}", store=store)
            mind.index(lambda _: None)
        for path in [vault, home, *vault.rglob("*"), *home.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = tree(place)
        said = without_rights(_LOOK, home, vault).partition("as nobody\n")[2].splitlines()
        assert tree(place) == before
        for path in [vault, home, *home.rglob("*")]:
            with suppress(OSError):
                path.chmod(0o755)
    assert said[:2] == ["['files', 'leveldb', 'markdown', 'sqlite', 'vector'] []", "[]"]
    assert said[2:] == [f"{store} refused True" for store in PLACES]


_NEWER = """
import sys
import mmind.stores.sqlite_file, mmind.index.schema
mmind.stores.sqlite_file.SCHEMA_VERSION += 1
mmind.index.schema.SCHEMA_VERSION += 1
from mmind.values.door import Door
from mmind.wiring import open_mind
with open_mind(door=Door.AGENT) as mind:
    for store in ("sqlite", "files", "leveldb", "vector"):
        mind.store(f"newerzq {store}", store=store)
    print(sorted(result.id.partition(":")[0] for result in mind.retrieve("newerzq").results))
"""


def _newer(home: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _NEWER],
        env=environment(home),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_two_versions_on_one_home_leave_each_others_files_whole_and_say_which_is_too_old(tmp_path: Path) -> None:
    """A newer schema is refused in words by the older program, and what the older one kept is read by the newer."""
    home = tmp_path / "home"
    with mind_on(home) as older:
        older.store("olderzq fact", store="sqlite")
        older.store("olderzq paper", store="files")
        assert _newer(home) == "['files', 'leveldb', 'sqlite', 'vector']"
        with pytest.raises(MmindError) as refused:
            older.store("olderzq second fact", store="sqlite")
        assert "newer version of mmind" in refused.value.message
        assert "update mmind" in refused.value.hint
        older.store("olderzq second paper", store="files")
        bundle = older.retrieve("olderzq")
        told = [fault for fault in bundle.faults if fault.store != "markdown"]
        assert [fault for fault in told if "newer" not in fault.reason or not fault.hint] == []
        assert {fault.store for fault in told} == set(PLACES)
    assert _newer(home) == "['files', 'leveldb', 'sqlite', 'vector']"
    kept = set(found_in("files", home).values())
    assert {"olderzq paper", "olderzq second paper", "newerzq files"} <= kept
