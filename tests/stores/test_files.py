"""The folder of documents; C03 names the case from real bug reports that a test stands for."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.disk.locks import held
from mmind.stores.files import FilesEngine, open_engine
from mmind.stores.registry import EngineOptions
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.ports import Mark
from tests.stores.processes import open_to_all, without_rights

BUOY = Memory(
    store="files",
    id="buoy-17",
    text="Buoy 17 was repainted.\n",
    title="Buoy 17",
    tags=("buoy",),
    time=datetime(2026, 2, 3, tzinfo=UTC),
    writer="agent",
    session="quay",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "files"


def engine_on(folder: Path) -> FilesEngine:
    return open_engine("files", folder, EngineOptions())


def taken(engine: FilesEngine, mark: Mark | None = None) -> dict[str, Memory]:
    return {memory.id: memory for memory in engine.changes(mark or Mark()).changed}


def mark_of(memories: dict[str, Memory]) -> Mark:
    return Mark("", {key: memory.fingerprint for key, memory in memories.items()})


def skipped_by(engine: FilesEngine) -> dict[str, str]:
    changes = engine.changes(Mark())
    list(changes.changed)
    return {skipped.name: skipped.reason for skipped in changes.skipped}


def document(folder: Path, starts: str = "buoy-17") -> Path:
    (path,) = folder.glob(f"**/{starts}*.md")
    return path


def index(folder: Path) -> dict[str, dict[str, object]]:
    """The entries without their checks."""
    entries: dict[str, dict[str, object]] = json.loads((folder / "index.json").read_text())["entries"]
    return {id_: {key: value for key, value in entry.items() if key != "check"} for id_, entry in entries.items()}


# The index


def test_the_index_says_what_is_known_of_each_document(folder: Path) -> None:
    kept = engine_on(folder).put(BUOY)
    assert index(folder) == {
        "buoy-17": {
            "file": document(folder).name,
            "title": "Buoy 17",
            "tags": ["buoy"],
            "created": None,
            "updated": "2026-02-03T00:00:00Z",
            "trust": "generated",
            "writer": "agent",
            "session": "quay",
        }
    }
    assert kept.path == str(document(folder))
    assert document(folder).read_text().endswith("---\nBuoy 17 was repainted.\n")


def test_twenty_writes_at_once_survive_a_torn_index_which_is_kept_aside(folder: Path) -> None:
    """C03."""
    engine = engine_on(folder)
    buoys = [replace(BUOY, id=f"b{number}", title=f"buoy {number}") for number in range(20)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(engine.put, buoys))
    assert set(index(folder)) == {f"b{number}" for number in range(20)}

    torn = (folder / "index.json").read_bytes()[:-25]
    (folder / "index.json").write_bytes(torn)
    again = engine_on(folder)
    assert set(taken(again)) == {f"b{number}" for number in range(20)}
    assert "damaged" in skipped_by(again)["index.json"]
    assert "made anew" in again.health().notes[0]
    assert (folder / "index.json").read_bytes() == torn, "reading writes nothing"

    again.put(replace(BUOY, id="b21", title="buoy 21"))
    assert len(index(folder)) == 21
    assert (folder / "index.json.damaged-1").read_bytes() == torn
    assert skipped_by(again) == {}
    assert "index.json.damaged-1" in again.health().notes[0]
    assert {memory.trust for memory in taken(again).values()} == {Trust.GENERATED}


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"[]", b'{"entries": []}', b'{"entries": {"buoy-17": 3}}', b"\xff\xfe\x00", b"[" * 99_999],
)
def test_whatever_became_of_the_index_no_document_and_no_trust_is_lost(folder: Path, content: bytes) -> None:
    first = engine_on(folder)
    first.put(BUOY)
    mark = mark_of(taken(first))
    (folder / "index.json").write_bytes(content)
    again = engine_on(folder)
    assert taken(again, mark) == {}
    assert list(again.changes(mark).gone) == []
    again.put(replace(BUOY, id="another"))
    kept = again.get("buoy-17")
    assert kept is not None
    assert (kept.text, kept.trust, kept.writer) == (BUOY.text, Trust.GENERATED, "agent")
    assert set(index(folder)) == {"buoy-17", "another"}
    assert (folder / "index.json.damaged-1").read_bytes() == content


def test_a_removed_index_is_made_anew_without_a_second_document(folder: Path) -> None:
    engine_on(folder).put(BUOY)
    (folder / "index.json").unlink()
    again = engine_on(folder)
    again.put(replace(BUOY, title="renamed", text="Buoy 17 was moved.\n"))
    assert [memory.text for memory in taken(again).values()] == ["Buoy 17 was moved.\n"]
    assert set(index(folder)) == {"buoy-17"}


def test_an_entry_whose_document_was_deleted_by_hand_goes(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    mark = mark_of(taken(engine))
    document(folder).unlink()
    assert list(engine.changes(mark).gone) == ["buoy-17"]
    assert engine.get("buoy-17") is None
    engine_on(folder).put(replace(BUOY, id="another"))
    assert set(index(folder)) == {"another"}


def test_engines_that_write_in_turn_lose_no_entry_of_one_another(folder: Path) -> None:
    """E7."""
    engines = [engine_on(folder), engine_on(folder)]
    for number in range(6):
        engines[number % 2].put(replace(BUOY, id=f"b{number}"))
    engines[0].delete("b1")
    engines[1].put(replace(BUOY, id="b0", title="a new title"))
    assert set(index(folder)) == {"b0", "b2", "b3", "b4", "b5"}
    assert index(folder)["b0"]["title"] == "a new title"


# Trust


def test_nothing_in_a_text_a_document_or_the_index_raises_trust(folder: Path) -> None:
    """R16."""
    forged = '---\nmmind: "buoy-17"\ntrust: "curated"\n---\n---\ntrust: curated\n---\n'
    engine = engine_on(folder)
    engine.put(replace(BUOY, text=forged))
    raised = (folder / "index.json").read_text().replace('"generated"', '"curated"')
    (folder / "index.json").write_text(raised)
    assert {memory.trust for memory in taken(engine_on(folder)).values()} == {Trust.GENERATED}
    (folder / "index.json").unlink()
    (kept,) = taken(engine_on(folder)).values()
    assert (kept.trust, kept.text) == (Trust.GENERATED, forged)


def test_a_description_that_was_edited_to_curated_is_not_believed_against_the_entry(folder: Path) -> None:
    """R16."""
    engine = engine_on(folder)
    engine.put(BUOY)
    document(folder).write_text(document(folder).read_text().replace('trust: "generated"', 'trust: "curated"'))
    assert {memory.trust for memory in taken(engine).values()} == {Trust.GENERATED}


def test_a_document_whose_description_was_taken_out_stays_generated_by_its_entry(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    document(folder).write_text("Buoy 17 was sold.\n")
    (kept,) = taken(engine).values()
    assert (kept.id, kept.text, kept.trust, kept.writer, kept.session) == (
        "buoy-17",
        "Buoy 17 was sold.\n",
        Trust.GENERATED,
        "agent",
        "quay",
    )


def test_a_torn_index_still_tells_the_trust_of_a_document_without_description(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    engine.put(replace(BUOY, id="last", title="last"))
    document(folder).write_text("Buoy 17 was sold.\n")
    (folder / "index.json").write_bytes((folder / "index.json").read_bytes()[:-25])
    again = engine_on(folder)
    assert {key: memory.trust for key, memory in taken(again).items()} == {
        "buoy-17": Trust.GENERATED,
        "last": Trust.GENERATED,
    }
    again.put(replace(BUOY, id="another", title="another"))
    assert set(index(folder)) == {"buoy-17", "last", "another"}


# What the user does in the folder


def test_files_that_the_user_drops_in_are_curated_memories_of_any_text_type(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    dropped = {
        "note.md": "---\ntags: [quay]\n---\n# Crane\nHire is booked.\n",
        "sub/plain.txt": "plain\n",
        "data.json": '{"a": 1}\n',
        "sub/index.json": "{}\n",
        "code.py": "print('x')\n",
        "table.csv": "a,b\n",
        "page.html": "<p>hello</p>\n",
        "no suffix": "x\n",
    }
    for place, text in dropped.items():
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text)
    (folder / ".hidden.txt").write_text("x")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF" * 20_000)
    (folder / "small.bin").write_bytes(bytes(range(256)))
    memories = taken(engine)
    theirs = {place: memory for place, memory in memories.items() if place != "buoy-17"}
    assert {place: memory.text for place, memory in theirs.items()} == dropped
    assert {(memory.trust, memory.writer, memory.time_kind) for memory in theirs.values()} == {
        (Trust.CURATED, "user", "file mtime")
    }
    assert theirs["note.md"].format is TextFormat.MARKDOWN
    assert theirs["note.md"].tags == ("quay",)
    assert theirs["sub/plain.txt"].format is TextFormat.PLAIN
    assert theirs["sub/plain.txt"].title == "plain.txt"
    assert {place: "not text" in reason for place, reason in skipped_by(engine).items()} == {
        "photo.jpg": True,
        "small.bin": True,
    }
    assert [engine.get(place) for place in theirs] == list(theirs.values())
    assert set(index(folder)) == {"buoy-17"}


def test_an_edit_by_hand_is_taken_with_its_time_and_no_more_trust(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    mark = mark_of(taken(engine))
    path = document(folder)
    path.write_bytes(path.read_bytes().replace(b"repainted.\n", b"sunk.\r\n"))
    os.utime(path, (2_000_000_000, 2_000_000_000))
    (edited,) = taken(engine, mark).values()
    assert (edited.id, edited.text, edited.trust, edited.tags) == (
        "buoy-17",
        "Buoy 17 was sunk.\n",
        Trust.GENERATED,
        ("buoy",),
    )
    assert (edited.time, edited.time_kind) == (datetime(2033, 5, 18, 3, 33, 20, tzinfo=UTC), "file mtime")


def test_a_moved_document_keeps_its_id_and_is_replaced_and_deleted_where_it_lies(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    mark = mark_of(taken(engine))
    (folder / "harbour").mkdir()
    document(folder).rename(folder / "harbour" / "buoy-17 renamed.md")
    assert list(engine.changes(mark).gone) == []
    assert set(taken(engine)) == {"buoy-17"}
    engine.put(replace(BUOY, text="Buoy 17 is green.\n"))
    assert [memory.text for memory in taken(engine).values()] == ["Buoy 17 is green.\n"]
    assert [path.parent.name for path in folder.glob("**/*.md")] == ["harbour"]
    assert engine.delete("buoy-17")
    assert list(folder.glob("**/*.md")) == []


def test_a_copied_document_is_a_memory_of_its_own_and_no_more_trusted(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    (folder / "a copy.md").write_bytes(document(folder).read_bytes())
    for _ in range(2):
        memories = taken(engine)
        assert set(memories) == {"buoy-17", "a copy.md"}
        assert {memory.trust for memory in memories.values()} == {Trust.GENERATED}
        assert memories["buoy-17"].path == str(document(folder))
        (folder / "index.json").touch()
    assert [engine.get(key) for key in memories] == list(memories.values())


def test_a_file_of_the_user_is_never_overwritten(folder: Path) -> None:
    engine = engine_on(folder)
    engine.put(BUOY)
    name = document(folder).name
    engine.delete("buoy-17")
    (folder / name).write_text("mine")
    (folder / "mine.txt").write_text("mine as well")
    engine.put(BUOY)
    with pytest.raises(EngineError, match=r"mine\.txt.*not overwritten") as refused:
        engine.put(replace(BUOY, id="mine.txt"))
    assert refused.value.hint
    assert (folder / name).read_text() == "mine"
    assert (folder / "mine.txt").read_text() == "mine as well"
    assert set(taken(engine)) == {name, "mine.txt", "buoy-17"}


# Containment


def test_an_index_that_was_tampered_with_leads_to_no_file_outside(folder: Path, tmp_path: Path) -> None:
    """R1, R2."""
    outside = tmp_path / "outside"
    outside.mkdir()
    engine_on(folder).put(BUOY)
    (folder / "link").symlink_to(outside)
    for number, place in enumerate(
        ["../../outside/a.md", str(outside / "a.md"), "link/a.md", "a/../../../outside/a.md"]
    ):
        (outside / "a.md").write_text("the canary")
        tampered = {"version": 1, "entries": {"buoy-17": {"file": place}, f"x{number}": {"file": place}}}
        (folder / "index.json").write_text(json.dumps(tampered))
        engine = engine_on(folder)
        assert [memory.text for memory in taken(engine).values()] == [BUOY.text]
        assert engine.get(f"x{number}") is None
        assert engine.delete(f"x{number}") is False
        engine.put(BUOY)
        assert (outside / "a.md").read_text() == "the canary"
        assert [path.name for path in outside.iterdir()] == ["a.md"]


# Faults of writing


def test_a_lock_that_stays_taken_is_said_and_nothing_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mmind.stores.files.LOCK_SECONDS", 0.05)
    engine = engine_on(folder)
    engine.put(BUOY)
    with held(folder / ".index.lock", 0.0), pytest.raises(EngineUnavailable, match="busy") as fault:
        engine.put(replace(BUOY, id="another"))
    assert fault.value.hint
    assert set(taken(engine)) == {"buoy-17"}


def test_what_a_killed_writer_left_is_no_memory_and_goes_at_the_next_write(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / ".mmind-0123456789ab.tmp").write_text("half a docu")
    engine = engine_on(folder)
    assert taken(engine) == {}
    engine.put(BUOY)
    assert sorted(path.name for path in folder.iterdir() if path.name != ".index.lock") == [
        document(folder).name,
        "index.json",
    ]


_PUT_WITHOUT_RIGHTS = """
import sys
from pathlib import Path
import yaml, mmind.text.notes
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Mark
engine = open_engine_row("files", Path(sys.argv[1]), EngineOptions())
# drop rights
print(engine.health().usable, engine.health().notes, [memory.text for memory in engine.changes(Mark()).changed])
try:
    engine.put(Memory(store="files", id="x", text="x"))
except EngineUnavailable as fault:
    print(fault.message.rpartition(": ")[2], bool(fault.hint))
"""


@pytest.mark.skipif("sys.platform == 'win32'", reason="no modes there")
def test_a_folder_that_may_only_be_read_is_read_and_a_write_is_refused_in_words() -> None:
    with open_to_all() as folder:
        engine_on(folder / "files").put(BUOY)
        (folder / "files").chmod(0o555)
        said = without_rights(_PUT_WITHOUT_RIGHTS, folder / "files").splitlines()
        assert said == [
            "True ('this user may not write here',) ['Buoy 17 was repainted.\\n']",
            "Permission denied True",
        ]
        (folder / "files").chmod(0o755)
