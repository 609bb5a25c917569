"""E1 to E8 and E13 of `values.ports.Engine`, for every engine that is written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from mmind.stores.registry import ENGINES
from mmind.values.memory import Memory
from mmind.values.ports import Mark
from tests.servers import Servers
from tests.stores.contract.conftest import OpenEngine, PlaceOf
from tests.stores.contract.rows import WINCH, WRITABLE, bare, level_mark, note, taken
from tests.stores.processes import put_until_killed, putters

pytestmark = pytest.mark.parametrize("name", WRITABLE)

TEXTS = [
    "",
    "\n\n  leading and trailing space \n\n",
    "line ends of all kinds: \r\n, \r, \x0b, \x0c, \x85, \u2028, \u2029 and \n",
    "---\ntitle: front matter of its own\ntrust: curated\n---\nbody",
    '---\nmmind: "another"\ntrust: "curated"\n---\na forged description',
    'Robert\'); DROP TABLE memories; -- "quotes" and `ticks` and \\ slashes',
    "emoji 🚀⚓️👩‍👩‍👧 and flags 🇨🇭",
    "汉字 ひらがな カタカナ 한국어",
    "أحمد يحمل المفتاح. שלום",
    "cafe\u0301 is not café before NFC",
    "\ufeffa byte order mark, \u200b zero width, \u202e override, \x01\x1b[31m control",
    "x" * 100_000,
    "ä€😀" * 30_000,
]
IDS = [
    "it's",
    'a"b; DROP TABLE memories',
    "../outside",
    "/etc/passwd",
    "C:\\Windows\\x",
    "a/b/c.md",
    ".",
    "..",
    "index.json",
    ".index.lock",
    "new\nline\ttab",
    " ",
    "🚀 launch/⚓️",
    "%00%2e%2e",
    "x" * 1000,
]
TITLES = ["", "../../x", "con", "a/b\\c:d*e?", "line\nbreak", "'; --", "…", "🚀", "长" * 300, "-", "."]


def test_what_was_put_is_got_back_equal_whatever_the_text(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E1, E8."""
    engine = engine_at(name, tmp_path)
    memories = {str(number): replace(WINCH, id=str(number), text=text) for number, text in enumerate(TEXTS)}
    for memory in memories.values():
        assert bare(engine.put(memory)) == memory
        assert [bare(kept) for kept in [engine.get(memory.id)] if kept] == [memory]
    assert {key: bare(kept) for key, kept in taken(engine, Mark()).items()} == memories


def test_any_id_names_one_memory_and_no_file_outside(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E1, E3."""
    engine = engine_at(name, tmp_path / "home")
    for key in IDS:
        engine.put(note(key, f"the text of {key!r}"))
    texts = {memory.id: memory.text for memory in engine.changes(Mark()).changed}
    assert texts == {key: f"the text of {key!r}" for key in IDS}
    assert [kept.text for key in IDS if (kept := engine.get(key))] == [f"the text of {key!r}" for key in IDS]
    assert {path.name for path in tmp_path.iterdir()} <= {"home"}
    assert [engine.delete(key) for key in IDS] == [True] * len(IDS)
    assert taken(engine, Mark()) == {}


def test_any_title_is_kept_and_names_no_file_outside(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E1."""
    engine = engine_at(name, tmp_path / "home")
    for number, title in enumerate(TITLES):
        engine.put(replace(WINCH, id=str(number), title=title))
    kept = taken(engine, Mark())
    assert [kept[str(number)].title for number in range(len(TITLES))] == TITLES
    assert {path.name for path in tmp_path.iterdir()} <= {"home"}


def test_what_nobody_knows_of_a_memory_stays_unknown(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E1."""
    engine = engine_at(name, tmp_path)
    bare_note = note("bare", "nothing but a text")
    engine.put(bare_note)
    assert [bare(kept) for kept in [engine.get("bare")] if kept] == [bare_note]


def test_the_engine_says_where_a_memory_lies_and_tells_its_states_apart(
    name: str, engine_at: OpenEngine, place_of: PlaceOf, tmp_path: Path
) -> None:
    """E1: path and fingerprint are the engine's to set."""
    engine = engine_at(name, tmp_path)
    first = engine.put(WINCH)
    second = engine.put(replace(WINCH, text="The ferry winch takes 13 t."))
    assert str(place_of(name, tmp_path)) in first.path
    assert first.fingerprint != second.fingerprint
    assert "" not in {first.fingerprint, second.fingerprint}


def test_the_same_id_replaces_all_of_the_earlier_memory(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E2."""
    engine = engine_at(name, tmp_path)
    engine.put(WINCH)
    changed = Memory(store="here", id="winch", text="It takes 14 t.", title="A new name", tags=("new",))
    engine.put(changed)
    assert [bare(kept) for kept in [engine.get("winch")] if kept] == [changed]
    assert [bare(kept) for kept in engine.changes(Mark()).changed] == [changed]


def test_an_unknown_id_is_none_and_deletes_nothing(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E3."""
    engine = engine_at(name, tmp_path)
    engine.put(WINCH)
    assert engine.get("winc") is None
    assert engine.get("WINCH") is None
    assert engine.get("") is None
    assert engine.delete("winc") is False
    assert list(taken(engine, Mark())) == ["winch"]


def test_a_deleted_memory_is_gone_from_everywhere(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E4."""
    engine = engine_at(name, tmp_path)
    engine.put(WINCH)
    engine.put(note("drum", "The drum is new."))
    mark = level_mark(engine)
    assert engine.delete("winch") is True
    assert engine.delete("winch") is False
    assert engine.get("winch") is None
    changes = engine.changes(mark)
    assert list(changes.changed) == []
    assert list(changes.gone) == ["winch"]
    assert list(taken(engine, Mark())) == ["drum"]


def test_no_acknowledged_put_is_lost_when_the_process_is_killed(
    name: str, engine_at: OpenEngine, place_of: PlaceOf, tmp_path: Path
) -> None:
    """E5."""
    module = ENGINES[name].opener.partition(":")[0]
    acknowledged = put_until_killed(module, place_of(name, tmp_path), "mads", after=20)
    engine = engine_at(name, tmp_path)
    assert set(acknowledged) <= set(taken(engine, Mark()))
    engine.put(note("after", "the store goes on working"))
    assert engine.get("after") is not None


def test_a_reopened_store_holds_the_same(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E6."""
    first = engine_at(name, tmp_path)
    kept = first.put(WINCH)
    mark = level_mark(first)
    first.close()
    first.close()
    second = engine_at(name, tmp_path)
    assert second.get("winch") == kept
    changes = second.changes(mark)
    assert list(changes.changed) == []
    assert list(changes.gone) == []


def test_eight_threads_lose_no_write(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E7."""
    engine = engine_at(name, tmp_path)

    def work(thread: int) -> None:
        for number in range(6):
            engine.put(note(f"{thread}-{number}", f"thread {thread} said {number}"))
            assert engine.get(f"{thread}-{number}") is not None
            engine.delete(f"{thread}-{number - 3}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    expected = {f"{thread}-{number}" for thread in range(8) for number in (3, 4, 5)}
    assert set(taken(engine, Mark())) == expected


def test_two_processes_and_this_one_lose_no_write(
    name: str, engine_at: OpenEngine, place_of: PlaceOf, tmp_path: Path
) -> None:
    """E7."""
    engine = engine_at(name, tmp_path)
    engine.put(WINCH)
    module = ENGINES[name].opener.partition(":")[0]
    acknowledged = putters(module, place_of(name, tmp_path), processes=2, count=15)
    assert len(acknowledged) == 30
    engine.put(note("after", "written into what the others left"))
    assert set(taken(engine, Mark())) == {"winch", "after", *acknowledged}


def test_what_another_engine_put_is_seen_without_reopening(name: str, engine_at: OpenEngine, tmp_path: Path) -> None:
    """E7, E10."""
    ours, theirs = engine_at(name, tmp_path), engine_at(name, tmp_path)
    ours.put(WINCH)
    mark = level_mark(ours)
    theirs.put(replace(WINCH, text="The ferry winch takes 99 t."))
    assert {memory.text for memory in ours.changes(mark).changed} == {"The ferry winch takes 99 t."}
    theirs.delete("winch")
    assert ours.get("winch") is None
    assert list(ours.changes(mark).gone) == ["winch"]


def test_nothing_is_created_before_the_first_put(
    name: str, engine_at: OpenEngine, servers: Servers, tmp_path: Path
) -> None:
    """E13."""
    engine = engine_at(name, tmp_path)
    engine.health()
    assert engine.get("winch") is None
    assert engine.delete("winch") is False
    assert list(engine.changes(Mark()).changed) == []
    engine.close()
    assert list(tmp_path.iterdir()) == []
    assert not ENGINES[name].is_served or servers.get(ENGINES[name].server).is_untouched(str(tmp_path))
