"""E3 and E9 to E12 of `values.ports.Engine`, for every engine; the vault's notes are laid down by the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from mmind.stores.registry import ENGINES
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Trust
from mmind.values.ports import Mark
from tests.stores.contract.conftest import OpenEngine
from tests.stores.contract.rows import EVERY, LOCAL, fill, level_mark, taken, tree
from tests.stores.processes import open_to_all, without_rights

NOTES = {"winch.md": "The ferry winch takes 12 t.\n", "drum.md": "The drum is new.\n", "空.md": "漢字\n"}

in_every_engine = pytest.mark.parametrize("name", EVERY)
in_every_local_engine = pytest.mark.parametrize("name", LOCAL)


def _is_a_file(place: Path) -> None:
    place.write_bytes(b"neither a folder nor a database \x00\xff" * 40)


def _is_an_empty_file(place: Path) -> None:
    place.write_bytes(b"")


def _is_a_folder_of_rubbish(place: Path) -> None:
    place.mkdir()
    for name in ("CURRENT", "index.json", "vectors.db", "memory.db", "MANIFEST-000001", "note.md"):
        (place / name).write_bytes(b"\xff\x00rubbish" * 30)


def _is_a_dangling_link(place: Path) -> None:
    place.symlink_to("nowhere")


def _is_a_link_to_itself(place: Path) -> None:
    place.symlink_to(place)


BROKEN = [_is_a_file, _is_an_empty_file, _is_a_folder_of_rubbish, _is_a_dangling_link, _is_a_link_to_itself]


@in_every_local_engine
@pytest.mark.parametrize("break_it", BROKEN)
def test_health_speaks_whatever_lies_there(
    name: str, break_it: Callable[[Path], None], engine_at: OpenEngine, tmp_path: Path
) -> None:
    """E9; and the other methods raise nothing but EngineError."""
    break_it(tmp_path / "place")
    before = tree(tmp_path)
    engine = engine_at(name, tmp_path)
    health = engine.health()
    assert str(tmp_path) in health.where
    assert health.usable or health.reason
    assert health.usable or health.hint
    for read in (lambda: list(engine.changes(Mark()).changed), lambda: engine.get("winch.md")):
        with suppress(EngineError):
            read()
    engine.close()
    after = tree(tmp_path)
    assert {path: after.get(path) for path in before} == before


@in_every_local_engine
def test_health_speaks_where_nothing_is(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E9, E13."""
    health = engine_at(name, tmp_path / "no" / "such").health()
    assert health.usable or (health.reason and health.hint)
    assert list(tmp_path.iterdir()) == []


@in_every_engine
def test_an_empty_mark_yields_everything_and_the_latest_nothing(
    name: str, engine_at: OpenEngine, tmp_path: Path
) -> None:
    """E10."""
    engine = engine_at(name, tmp_path)
    fill(name, tmp_path, engine, NOTES)
    first = engine.changes(Mark())
    memories = {memory.id: memory for memory in first.changed}
    assert {key: memory.text for key, memory in memories.items()} == NOTES
    assert first.total in {-1, len(NOTES)}
    mark = Mark(first.cursor, {key: memory.fingerprint for key, memory in memories.items()})
    second = engine.changes(mark)
    assert list(second.changed) == []
    assert list(second.gone) == []


@in_every_engine
def test_only_what_changed_is_yielded(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E10."""
    engine = engine_at(name, tmp_path)
    fill(name, tmp_path, engine, NOTES)
    mark = level_mark(engine)
    fill(name, tmp_path, engine, {"winch.md": "The ferry winch takes 13 t.\n", "new.md": "A new note.\n"})
    assert {key: memory.text for key, memory in taken(engine, mark).items()} == {
        "winch.md": "The ferry winch takes 13 t.\n",
        "new.md": "A new note.\n",
    }


@in_every_engine
def test_fingerprints_alone_tell_what_changed(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E10: an index that lost its cursor still reads only what differs."""
    engine = engine_at(name, tmp_path)
    fill(name, tmp_path, engine, NOTES)
    known = dict(level_mark(engine).fingerprints)
    changes = engine.changes(Mark("", {**known, "never": "was", "drum.md": "another"}))
    assert [memory.id for memory in changes.changed] == ["drum.md"]
    assert list(changes.gone) == ["never"]


@in_every_engine
def test_reading_stops_when_the_consumer_stops(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E10: a mark that lacks what was not taken is given the rest."""
    engine = engine_at(name, tmp_path)
    fill(name, tmp_path, engine, NOTES)
    first = next(engine.changes(Mark()).changed)
    rest = taken(engine, Mark("", {first.id: first.fingerprint}))
    assert {first.id, *rest} == set(NOTES)
    assert first.id not in rest


@in_every_local_engine
def test_reading_changes_no_byte_and_no_mtime_of_the_user(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E11: what is written by hand into a folder stays as it is, through every reading method."""
    engine = engine_at(name, tmp_path)
    fill(name, tmp_path, engine, NOTES)
    engine.close()
    if (tmp_path / "place").is_dir():
        (tmp_path / "place" / "mine.md").write_text("the user's own\n")
    kept = {path: state for path, state in tree(tmp_path).items() if path.endswith((".md", ".json"))}
    reader = engine_at(name, tmp_path)
    mark = level_mark(reader)
    list(reader.changes(mark).changed)
    assert reader.get("winch.md")
    reader.get("../winch.md")
    reader.health()
    reader.close()
    after = tree(tmp_path)
    assert {path: after.get(path) for path in kept} == kept


@in_every_local_engine
def test_a_store_whose_drive_is_gone_is_unavailable_and_not_empty(
    name: str, engine_at: OpenEngine, tmp_path: Path
) -> None:
    """E12."""
    drive = tmp_path / "drive"
    drive.mkdir()
    engine = engine_at(name, drive)
    fill(name, drive, engine, NOTES)
    mark = level_mark(engine)
    engine.close()
    shutil.move(drive, tmp_path / "unplugged")
    with pytest.raises(EngineUnavailable):
        engine_at(name, drive).changes(mark)
    assert not drive.exists()


_READ_WITHOUT_RIGHTS = """
import sys
from pathlib import Path
import apsw
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import Mark
engine = open_engine_row(sys.argv[1], Path(sys.argv[2]), EngineOptions(), store="here")
# drop rights
try:
    changes = engine.changes(Mark("", {"winch.md": "known"}))
    list(changes.changed)
    print("gone", list(changes.gone))
except EngineUnavailable as fault:
    print("unavailable", bool(fault.hint), bool(engine.health().reason), engine.health().usable)
"""


@in_every_local_engine
@pytest.mark.skipif("sys.platform == 'win32'", reason="permissions are of another kind there")
def test_a_store_that_may_not_be_read_is_unavailable_and_not_empty(name: str, engine_at: OpenEngine) -> None:
    """E9, E12."""
    with open_to_all() as folder:
        engine = engine_at(name, folder)
        fill(name, folder, engine, NOTES)
        engine.close()
        (folder / "place").chmod(0)
        assert without_rights(_READ_WITHOUT_RIGHTS, name, folder / "place") == "unavailable True True False"
        (folder / "place").chmod(0o755)


@in_every_engine
def test_an_id_never_leads_out_of_the_store(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E3."""
    (tmp_path / "secret.md").write_text("the canary")
    engine = engine_at(name, tmp_path / "home")
    (tmp_path / "home").mkdir()
    fill(name, tmp_path / "home", engine, NOTES)
    for key in ("../../secret.md", str(tmp_path / "secret.md"), "winch.md/../../../secret.md", "..", "", ".", "a\0b"):
        assert engine.get(key) is None


def test_every_row_names_a_slot_and_a_module_of_ours() -> None:
    """A row that cannot be opened would be found by its user otherwise."""
    assert {row.slot for row in ENGINES.values()} == {"markdown", "structured", "session", "files", "semantic"}
    assert all(
        row.opener.startswith("mmind.stores.") and row.opener.endswith(":open_engine") for row in ENGINES.values()
    )


def test_trust_of_what_the_user_laid_down_is_curated(engine_at: OpenEngine, tmp_path: Path) -> None:
    """E10, for the two folders that a user fills by hand."""
    for name in ("markdown", "files"):
        (tmp_path / name / "place").mkdir(parents=True)
        (tmp_path / name / "place" / "mine.md").write_text("the user's own\n")
        assert {memory.trust for memory in taken(engine_at(name, tmp_path / name), Mark()).values()} == {Trust.CURATED}
