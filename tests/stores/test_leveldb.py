from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mmind.stores.lease import TABLES_AT_REST, plyvel
from mmind.stores.leveldb import LevelEngine, open_engine
from mmind.stores.registry import EngineOptions
from mmind.values.errors import EngineDamaged, EngineUnavailable
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Mark
from tests.stores.processes import open_to_all, put_until_killed, putters, python, running, without_rights
from tests.stores.test_sqlite import FULL_DISK

MODULE = "mmind.stores.leveldb"
LEVEL = f"import sys, {plyvel.__name__} as plyvel\n"  # another program, which knows nothing of our lease
STRANGER = f"""{LEVEL}
db = plyvel.DB(sys.argv[1])
db.put(b"theirs", b"put while they hold it")
print("up", flush=True)
sys.stdin.read()
"""
READ_ONE = LEVEL + "print(plyvel.DB(sys.argv[1]).get(sys.argv[2].encode()).decode())"
INTEROP = Path(__file__).parents[1] / "interop"
NODE = INTEROP / "node_modules" / ".bin" / ("node.cmd" if sys.platform == "win32" else "node")
NODES_LEVEL = INTEROP / "node_modules" / "level"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "leveldb"


def engine_on(folder: Path) -> LevelEngine:
    return open_engine("leveldb", folder, EngineOptions())


def holding(folder: Path, *ids: str) -> LevelEngine:
    engine = engine_on(folder)
    for name in ids:
        engine.put(Memory(store="leveldb", id=name, text=f"text of {name}"))
    return engine


def written_by_another(folder: Path, pairs: dict[bytes, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    put = "db = plyvel.DB(sys.argv[1], create_if_missing=True)\n" + "".join(
        f"db.put({key!r}, {value!r})\n" for key, value in pairs.items()
    )
    python(LEVEL + put, folder)


def mark_of(engine: LevelEngine) -> Mark:
    changes = engine.changes(Mark())
    return Mark(changes.cursor, {memory.id: memory.fingerprint for memory in changes.changed})


def listing(folder: Path) -> list[tuple[str, int, int]]:
    return sorted((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in folder.iterdir())


def test_the_value_is_json_under_a_plain_key(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(Memory(store="leveldb", id="state/näst", text="Bröd 🍞", tags=("shop",), writer="claude"))
    engine.close()
    value = json.loads(python(READ_ONE, folder, "state/näst"))
    assert (value["text"], value["tags"], value["trust"], value["writer"]) == (
        "Bröd 🍞",
        ["shop"],
        "generated",
        "claude",
    )


def test_three_processes_share_one_folder_without_loss(folder: Path) -> None:
    acknowledged = putters(MODULE, folder, processes=3, count=40)
    kept = {memory.id for memory in engine_on(folder).changes(Mark()).changed}
    assert (len(acknowledged), kept) == (120, set(acknowledged))


def test_a_killed_process_loses_nothing_that_it_acknowledged(folder: Path) -> None:
    chance, acknowledged = random.Random(20260531), []
    for number in range(5):
        acknowledged += put_until_killed(MODULE, folder, f"k{number}", after=chance.randrange(3, 40))
    kept = {memory.id for memory in engine_on(folder).changes(Mark()).changed}
    assert len(acknowledged) >= 15
    assert set(acknowledged) <= kept


def test_a_process_that_closes_nothing_ends_and_frees_the_folder(folder: Path) -> None:
    code = """
import sys
import tempfile
from pathlib import Path
from mmind.stores.leveldb import open_engine
from mmind.stores.registry import EngineOptions
from mmind.values.memory import Memory
engine = open_engine("leveldb", Path(sys.argv[1]), EngineOptions())
print(engine.put(Memory(store="leveldb", id="last", text="words before the end")).text)
"""
    assert python(code, folder) == "words before the end"
    assert python(READ_ONE, folder, "last").startswith('{"mmind":1,')


def test_two_engines_of_one_process_never_open_the_folder_twice(folder: Path, tmp_path: Path) -> None:
    first = holding(folder, "a")
    (tmp_path / "also").symlink_to(folder, target_is_directory=True)
    second = holding(tmp_path / "also", "b")
    assert first._lease is second._lease
    assert (first.get("b") is None, second.get("a") is None) == (False, False)
    code = LEVEL + "try: plyvel.DB(sys.argv[1])\nexcept plyvel.IOError as error: print('locked')\n"
    holding(folder, "c")
    # A second open, even a failed one, would have dropped LevelDB's lock, and this process would get in.
    with first._lease.hold():
        assert python(code, folder) == "locked"


def test_the_folder_is_let_go_when_nobody_uses_it(folder: Path) -> None:
    holding(folder, "a")
    code = """
import time
deadline = time.monotonic() + 30
while time.monotonic() < deadline:
    try:
        print(len(plyvel.DB(sys.argv[1]).get(b"a")) > 0); break
    except plyvel.IOError:
        time.sleep(0.02)
"""
    assert python(LEVEL + code, folder) == "True"


def test_tables_do_not_pile_up_over_many_openings(folder: Path) -> None:
    engine = engine_on(folder)
    for number in range(TABLES_AT_REST * 3):
        engine.put(Memory(store="leveldb", id=f"{number:05}", text="one put a lease"))
        engine.close()
    tables = [file for file in folder.iterdir() if file.suffix in (".ldb", ".sst")]
    assert len(tables) <= TABLES_AT_REST + 2
    assert engine.health().entries == TABLES_AT_REST * 3


def test_too_many_tables_become_few_at_once(folder: Path) -> None:
    engine = engine_on(folder)
    for number in range(TABLES_AT_REST + 2):
        engine.put(Memory(store="leveldb", id=f"{number:05}", text="one put a lease"))
        engine.close()
    assert len([file for file in folder.iterdir() if file.suffix in (".ldb", ".sst")]) <= 4
    assert engine.health().entries == TABLES_AT_REST + 2


def test_a_folder_that_was_removed_while_it_was_held_takes_the_next_write(folder: Path) -> None:
    engine = holding(folder, "a")
    shutil.rmtree(folder)
    assert engine.get("a") is None
    engine.put(Memory(store="leveldb", id="b", text="into the new folder"))
    engine.close()
    assert "into the new folder" in python(READ_ONE, folder, "b")


def test_while_another_program_holds_it_reads_work_and_writes_are_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where the copies go
    engine = holding(folder, "a")
    engine.close()
    with running(STRANGER, folder):
        ours, theirs = engine.get("a"), engine.get("theirs")
        assert ours is not None
        assert theirs is not None
        assert (ours.text, theirs.text) == ("text of a", "put while they hold it")
        assert sorted(memory.id for memory in engine.changes(Mark()).changed) == ["a", "theirs"]
        with pytest.raises(EngineUnavailable, match="in use by another program") as refusal:
            engine.put(Memory(store="leveldb", id="b", text="x"))
        assert "close that program" in refusal.value.hint
        health = engine.health()
        assert (health.usable, health.entries, "read-only" in health.notes[0]) == (True, -1, True)
    assert engine.put(Memory(store="leveldb", id="b", text="x")) == engine.get("b")
    assert (engine.health().entries, list(tmp_path.glob("mmind-leveldb-*"))) == (3, [])


def test_nothing_is_opened_while_nothing_changed(folder: Path) -> None:
    engine = holding(folder, "a", "b")
    mark = mark_of(engine)
    engine.close()
    before = listing(folder)
    changes = engine_on(folder).changes(mark)
    assert (list(changes.changed), changes.gone, changes.total, listing(folder)) == ([], (), 0, before)


def test_changes_tell_new_from_gone_from_kept(folder: Path) -> None:
    engine = holding(folder, "a", "b", "c")
    mark = mark_of(engine)
    engine.put(Memory(store="leveldb", id="b", text="new words"))
    engine.delete("c")
    changes = engine.changes(mark)
    assert ([memory.text for memory in changes.changed], list(changes.gone)) == (["new words"], ["c"])


def test_values_of_another_program_are_memories_as_they_stand(folder: Path) -> None:
    pairs = {
        b"plain": "Fähre at 8\r\nor 9".encode(),
        b"string": b'"said in \\"JSON\\""',
        b"!sub!object": b'{"gate": 4}',
    }
    written_by_another(folder, pairs)
    found = {memory.id: memory for memory in engine_on(folder).changes(Mark()).changed}
    assert {name: memory.text for name, memory in found.items()} == {
        "plain": "Fähre at 8\nor 9",
        "string": 'said in "JSON"',
        "!sub!object": '{"gate": 4}',
    }
    assert {memory.trust for memory in found.values()} == {Trust.GENERATED}


def test_values_that_are_no_text_are_skipped_and_named(folder: Path) -> None:
    written_by_another(
        folder, {b"image": b"\x89PNG\xff", b"nul": b"a\0b", b"empty": b" ", b"\xffkey": b"text", b"good": b"text"}
    )
    changes = engine_on(folder).changes(Mark())
    assert [memory.id for memory in changes.changed] == ["good"]
    assert {(entry.name, entry.reason) for entry in changes.skipped} == {
        ("image", "binary, not UTF-8 text"),
        ("nul", "binary, holds a NUL byte"),
        ("empty", "empty"),
        ("\\xffkey", "its key is not UTF-8 text"),
    }


def test_a_value_of_another_program_is_never_changed(folder: Path) -> None:
    written_by_another(folder, {b"theirs": b"keep me"})
    engine = engine_on(folder)
    with pytest.raises(EngineUnavailable, match="not ours to change"):
        engine.put(Memory(store="leveldb", id="theirs", text="mine"))
    with pytest.raises(EngineUnavailable, match="not ours to change"):
        engine.delete("theirs")
    engine.close()
    assert python(READ_ONE, folder, "theirs") == "keep me"


def damaged_manifest(folder: Path) -> None:
    next(folder.glob("MANIFEST-*")).write_bytes(b"x" * 200)


def lost_state(folder: Path) -> None:
    (folder / "CURRENT").unlink()


def damaged_log(folder: Path) -> None:
    log = max(folder.glob("*.log"), key=lambda file: file.stat().st_size)
    log.write_bytes(log.read_bytes()[:2000] + b"\0" * 1500 + log.read_bytes()[3500:])


@pytest.mark.parametrize(("damage", "saved"), [(damaged_manifest, 60), (lost_state, 60), (damaged_log, 1)])
def test_a_damaged_database_is_read_as_far_as_it_can_be_named_with_a_way_out_and_left_as_it_is(
    folder: Path, damage: object, saved: int
) -> None:
    holding(folder, *(f"m{number}" for number in range(60))).close()
    damage(folder)  # type: ignore[operator]
    data = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.startswith(("LOG", "mmind"))}
    engine, found = engine_on(folder), []

    def list_all() -> None:
        found.extend(memory.id for memory in engine.changes(Mark()).changed)

    for use in (lambda: engine.get("never"), lambda: engine.put(Memory(store="leveldb", id="new", text="x")), list_all):
        with pytest.raises(EngineDamaged) as fault:
            use()
        assert "repair_db" in fault.value.hint
    assert len(found) >= saved
    memory = engine.get(found[0])
    assert memory is not None
    assert memory.id == found[0]
    health = engine.health()
    assert (health.usable, "damaged" in health.reason) == (False, True)
    engine.close()
    after = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.startswith(("LOG", "mmind"))}
    assert after == data


def test_a_file_in_place_of_the_folder_is_named(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("not a folder")
    engine = engine_on(folder)
    with pytest.raises(EngineUnavailable, match="not a folder"):
        engine.get("a")
    with pytest.raises(EngineUnavailable, match="not a folder"):
        engine.put(Memory(store="leveldb", id="a", text="x"))
    assert not engine.health().usable


def test_a_removed_folder_is_gone_memories_and_a_removed_drive_is_a_fault(folder: Path) -> None:
    engine = holding(folder, "a")
    mark = mark_of(engine)
    engine.close()
    shutil.rmtree(folder)
    assert list(engine.changes(mark).gone) == ["a"]
    folder.parent.rmdir()
    with pytest.raises(EngineUnavailable, match="is not there"):
        engine.changes(mark)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
@pytest.mark.parametrize("lease_is_there", ["writable", "not writable"])
def test_a_folder_that_may_not_be_written_is_read_all_the_same(lease_is_there: str) -> None:
    code = """
import sys
import tempfile
from pathlib import Path
from mmind.stores.leveldb import open_engine
from mmind.stores.registry import EngineOptions
from mmind.values.memory import Memory
# drop rights
engine = open_engine("leveldb", Path(sys.argv[1]), EngineOptions())
print(engine.get("a").text)
try:
    engine.put(Memory(store="leveldb", id="b", text="x"))
except Exception as error:
    print(error)
print(engine.health().usable, engine.health().notes)
engine.close()
"""
    with open_to_all() as place:
        holding(place / "closed", "a").close()
        for file in (place / "closed").iterdir():
            file.chmod(0o444)
        if lease_is_there == "writable":
            (place / "closed" / "mmind.lease").chmod(0o666)
        (place / "closed").chmod(0o555)
        said = without_rights(code, place / "closed").split("\n")
        (place / "closed").chmod(0o755)
    assert said[0] == "text of a"
    assert "cannot be written: Permission denied; check the permissions" in said[1]
    assert said[2].startswith("True")
    assert "read-only until then" in said[2]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes to stand in for a full disk")
def test_a_drive_that_takes_no_more_loses_nothing_that_was_kept(folder: Path) -> None:
    assert python(FULL_DISK, MODULE, folder).split("\n") == ["EngineUnavailable kept None", "['after', 'before']"]


@pytest.mark.skipif(not NODES_LEVEL.exists(), reason="Node's level is not installed: make interop")
def test_node_and_mmind_read_what_the_other_wrote(folder: Path) -> None:
    engine = holding(folder, "ours")
    engine.close()
    script = """
const { Level } = require("level");
(async () => {
  const db = new Level(process.argv[1], { valueEncoding: "json" });
  console.log((await db.get("ours")).text);
  await db.put("theirs", "from Node");
  await db.close();
})();
"""
    done = subprocess.run(
        [str(NODE), "-e", script, str(folder)], cwd=INTEROP, capture_output=True, text=True, timeout=60, check=True
    )
    theirs = engine.get("theirs")
    assert theirs is not None
    assert (done.stdout.strip(), theirs.text) == ("text of ours", "from Node")
