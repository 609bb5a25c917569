from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mmind.index.courtesy import Courtesy
from mmind.index.database import Database
from mmind.index.scan import CHEAP_SECONDS, WAITING_SHARE
from mmind.index.scanner import PATIENCE_SECONDS, REST_FACTOR
from mmind.index.tidying import tidy
from mmind.router.notes import freshness_notes
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.text import prepared
from mmind.values.errors import EngineUnavailable, MmindError
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Mark, Progress
from tests.index.build import NOON, Clock, Shelf, engines, found, hits, index_of, level, memory
from tests.index.conftest import Closing

PATIENCE = 30.0


def test_edits_renames_and_deletions_in_a_vault_show_at_the_next_refresh(tmp_path: Path, closing: Closing) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "ferry.md").write_text("The ferry leaves at 9.", encoding="utf-8")
    (vault / "bread.md").write_text("Knead the dough.", encoding="utf-8")
    engine = open_engine_row("markdown", vault, EngineOptions(), store="notes")
    index = closing(index_of(tmp_path / "home", engine))
    index.refresh(PATIENCE)
    assert found(index, "ferry dough") == ["ferry.md", "bread.md"] or found(index, "ferry dough") == [
        "bread.md",
        "ferry.md",
    ]

    (vault / "ferry.md").write_text("The ship leaves at ten.", encoding="utf-8")
    (vault / "bread.md").rename(vault / "loaf.md")
    index.refresh(PATIENCE)
    assert found(index, "ship") == ["ferry.md"]
    assert found(index, "dough") == ["loaf.md"]

    (vault / "ferry.md").unlink()
    index.refresh(PATIENCE)
    assert found(index, "ship") == []
    assert index.freshness()["notes"].entries == 1


def test_a_note_that_was_young_when_it_was_read_is_read_once_more_and_then_by_no_new_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "ferry.md").write_text("The ferry leaves at 9.", encoding="utf-8")
    opened: list[object] = []
    real = os.open

    def counting(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if str(path).endswith("ferry.md"):
            opened.append(path)
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", counting)
    monkeypatch.setattr("mmind.stores.fingerprint.YOUNG_NS", 3_600 * 10**9)  # young, however long a scan takes here
    reads = []
    for _process in range(4):
        index = index_of(tmp_path / "home", open_engine_row("markdown", vault, EngineOptions(), store="notes"))
        index.refresh(PATIENCE)
        assert found(index, "ferry") == ["ferry.md"]
        index.close()
        reads.append(len(opened))
        monkeypatch.setattr("mmind.stores.fingerprint.YOUNG_NS", 0)  # from now on the file is old
    assert reads == [1, 2, 2, 2]
    (vault / "ferry.md").write_text("The ferry leaves at ten.", encoding="utf-8")
    index = index_of(tmp_path / "home", open_engine_row("markdown", vault, EngineOptions(), store="notes"))
    index.refresh(PATIENCE)
    assert found(index, "ten") == ["ferry.md"]
    index.close()


def test_a_source_that_comes_back_after_long_is_not_forgotten_while_it_is_scanned(tmp_path: Path) -> None:
    later = NOON + timedelta(days=100)
    level(index_of(tmp_path, Shelf.of(memory("a", "a winch")))).close()
    level(index_of(tmp_path, Shelf.of(memory("b", "a winch"), where="another shelf"))).close()
    back = index_of(tmp_path, Shelf.of(memory("a", "a winch")), clock=lambda: later)
    tidy(back._database, "", later, back._sources.values())  # as the thread that embeds does, beside the first scan
    assert found(back, "winch") == ["a"]
    back.close()
    other = index_of(tmp_path, Shelf.of(memory("b", "a winch"), where="another shelf"), clock=lambda: later)
    assert found(other, "winch") == []
    other.close()


def test_what_is_added_and_removed_shows_at_once(tmp_path: Path, closing: Closing) -> None:
    index = closing(index_of(tmp_path, Shelf()))
    index.add(memory("a", "a winch"))
    assert found(index, "winch") == ["a"]
    index.add(memory("a", "a crane"))
    assert (found(index, "winch"), found(index, "crane")) == ([], ["a"])
    index.remove("notes", "a")
    index.remove("notes", "never there")
    assert found(index, "crane") == []
    assert index.freshness()["notes"].entries == 0


def test_a_memory_of_a_store_that_searches_for_itself_is_left_alone(tmp_path: Path, closing: Closing) -> None:
    index = closing(index_of(tmp_path, Shelf()))
    index.add(replace(memory("a", "winch"), store="postgres"))
    index.remove("postgres", "a")
    assert not (tmp_path / "index.db").exists()


def test_the_same_fingerprint_is_not_written_again(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "winch")))))
    before = hits(index, "winch")[0]
    index.add(replace(memory("a", "winch"), path="/moved"))
    assert hits(index, "winch")[0] == before


def test_only_what_changed_is_read_again(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(memory("a", "winch"), memory("b", "crane"))
    index = level(closing(index_of(tmp_path, shelf)))
    shelf.put(memory("b", "hoist"))
    index.refresh(PATIENCE)
    assert shelf.read == ["a", "b", "b"]
    assert found(index, "hoist") == ["b"]


def test_a_failing_engine_keeps_what_is_indexed_and_is_named(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(memory("a", "winch"))
    index = level(closing(index_of(tmp_path, shelf)))
    shelf.fault = "the drive is not there"
    index.refresh(PATIENCE)
    state = index.freshness()["notes"]
    assert (state.fault, state.hint, state.pending_words) == ("the drive is not there", "plug it in", 0)
    assert found(index, "winch") == ["a"]
    shelf.fault = ""
    index.refresh(PATIENCE)
    assert index.freshness()["notes"].fault == ""


@pytest.mark.parametrize("error", [EngineUnavailable("gone"), OSError("disk on fire"), ValueError("a defect")])
def test_an_engine_that_fails_half_way_keeps_what_it_gave(error: Exception, tmp_path: Path, closing: Closing) -> None:
    def fail(given: Memory) -> None:
        if given.id == "b" and failing:
            raise error

    failing = [True]
    shelf = Shelf.of(memory("a", "winch"), memory("b", "winch"), memory("c", "winch"))
    shelf.before_each = fail
    index = closing(index_of(tmp_path, shelf))
    index.refresh(PATIENCE)
    assert str(error) in index.freshness()["notes"].fault
    assert found(index, "winch") == ["a"]
    failing.clear()
    index.refresh(PATIENCE)
    assert sorted(found(index, "winch")) == ["a", "b", "c"]


def test_one_store_that_fails_stops_no_other(tmp_path: Path, closing: Closing) -> None:
    from mmind.index import open_index
    from tests.index.build import NOON

    good, bad = Shelf.of(memory("a", "winch")), Shelf(where="elsewhere", fault="locked")
    index = closing(open_index(tmp_path / "index.db", engines(notes=good, other=bad), None, lambda: NOON))
    level(index)
    assert found(index, "winch") == ["a"]
    assert index.freshness()["other"].fault == "locked"


def test_a_memory_that_cannot_be_indexed_is_named_and_stops_nothing(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(text: str, format: object) -> list[object]:
        if text == "poison":
            raise RecursionError("too deep")
        return genuine(text, format)  # type: ignore[arg-type, return-value]

    genuine = prepared.cut
    monkeypatch.setattr(prepared, "cut", cut)
    names = ("a", "b", "half\ud800", "c")
    texts = ("winch", "poison", "winch", "winch")
    shelf = Shelf.of(
        *(
            replace(memory(f"{number}", text), id=name)
            for number, (name, text) in enumerate(zip(names, texts, strict=True))
        )
    )
    index = closing(index_of(tmp_path, shelf))
    index.refresh(PATIENCE)
    assert sorted(found(index, "winch")) == ["a", "c"]
    skipped = {one.name: one.reason for one in index.freshness()["notes"].skipped}
    assert "too deep" in skipped["b"]
    assert "UTF-8" in skipped["half\\ud800"]


def test_a_slow_scan_goes_on_in_the_background_and_what_is_in_is_found(tmp_path: Path, closing: Closing) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def wait_at(given: Memory) -> None:
        if given.id == "n240":
            reached.set()
            assert go_on.wait(PATIENCE)

    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number}") for number in range(320)))
    shelf.before_each = wait_at
    index = closing(index_of(tmp_path, shelf))
    index.refresh(0.0)
    assert reached.wait(PATIENCE)
    index.refresh(2 * PATIENCE_SECONDS)
    assert found(index, "winch 7")[0] == "n7"
    state = index.freshness()["notes"]
    assert (state.entries, state.pending_words, state.age_seconds) == (200, 120, None)
    index.refresh(PATIENCE)  # a scan that kept somebody waiting in vain keeps nobody else waiting
    go_on.set()
    level(index)
    state = index.freshness()["notes"]
    assert (state.entries, state.pending_words, state.age_seconds) == (320, 0, 0.0)


def test_who_asks_first_without_waiting_spoils_no_later_wait(tmp_path: Path, closing: Closing) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def wait_at(given: Memory) -> None:
        reached.set()
        assert go_on.wait(PATIENCE)

    shelf = Shelf.of(memory("a", "winch"))
    shelf.before_each = wait_at
    index = closing(index_of(tmp_path, shelf))
    index.refresh(0.0)
    assert reached.wait(PATIENCE)
    index.refresh(0.0)
    waiting = threading.Thread(target=index.refresh, args=(PATIENCE,))
    waiting.start()
    go_on.set()
    waiting.join(PATIENCE)
    assert found(index, "winch") == ["a"]


def test_background_work_waits_for_the_end_of_a_question_but_not_for_ever() -> None:
    courtesy, gave_way = Courtesy(), threading.Event()
    with courtesy.question():
        courtesy.give_way(0.0)
        thread = threading.Thread(target=lambda: (courtesy.give_way(PATIENCE), gave_way.set()))
        thread.start()
        assert not gave_way.is_set()
    assert gave_way.wait(PATIENCE)
    thread.join(PATIENCE)


def test_closing_stops_a_scan_between_two_memories(tmp_path: Path) -> None:
    reached, closing_began = threading.Event(), threading.Event()

    def wait_at(given: Memory) -> None:
        if given.id == "n5":
            reached.set()
            assert closing_began.wait(PATIENCE)

    shelf = Shelf.of(*(memory(f"n{number}", "winch") for number in range(500)))
    shelf.before_each = wait_at
    index = index_of(tmp_path, shelf)
    index.refresh(0.0)
    assert reached.wait(PATIENCE)
    closer = threading.Thread(target=index.close)
    closer.start()
    while not index._scanners["notes"]._stopped:
        pass
    closing_began.set()
    closer.join(PATIENCE)
    assert not closer.is_alive()
    assert len(shelf.read) < 10
    with pytest.raises(MmindError, match="closed"):
        hits(index, "winch")
    assert len(found(level(index_of(tmp_path, Shelf(shelf.memories))), "winch")) == 100


class Costly(Shelf):
    """A shelf whose listing takes as long as it says, by the clock that the scan measures with."""

    listings = 0

    def changes(self, since: Mark) -> Changes:
        self.listings += 1
        return super().changes(since)


def test_a_costly_scan_is_made_less_often_and_the_age_is_told(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, shelf = Clock(), Costly.of(memory("a", "winch"))
    seconds = iter(range(10_000))
    monkeypatch.setattr("mmind.index.scan.time.perf_counter", lambda: next(seconds) * 1.0)
    index = closing(index_of(tmp_path, shelf, clock=clock))
    index.refresh(PATIENCE)
    assert shelf.listings == 1
    cost = 2.0 * WAITING_SHARE  # one second for the listing, one for the first memory
    clock.pass_seconds(REST_FACTOR * cost - 1)
    shelf.put(memory("b", "winch"))
    index.refresh(PATIENCE)
    assert shelf.listings == 1
    assert index.freshness()["notes"].age_seconds == REST_FACTOR * cost - 1
    clock.pass_seconds(2)
    index.refresh(PATIENCE)
    assert shelf.listings == 2
    assert sorted(found(index, "winch")) == ["a", "b"]


def test_a_cheap_scan_is_made_at_every_question(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Costly.of(memory("a", "winch"))
    seconds = iter(range(10_000))
    monkeypatch.setattr("mmind.index.scan.time.perf_counter", lambda: next(seconds) * CHEAP_SECONDS / 10)
    index = closing(index_of(tmp_path, shelf, clock=Clock()))
    for _ in range(3):
        index.refresh(PATIENCE)
    assert shelf.listings == 3


def test_an_index_that_was_scanned_at_a_time_still_to_come_is_not_called_level(
    tmp_path: Path, closing: Closing
) -> None:
    """M2.14, after a clock was set back: an answer given before the next scan says that edits may be missing."""
    clock = Clock()
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "winch")), clock=clock)))
    assert not freshness_notes(index.freshness(), ["notes"])
    clock.pass_seconds(-3600.0)
    state = index.freshness()["notes"]
    assert (state.age_seconds, state.pending_words, state.entries) == (None, -1, 1)
    assert "not indexed yet" in freshness_notes(index.freshness(), ["notes"])[0]
    index.refresh(PATIENCE)
    assert not freshness_notes(index.freshness(), ["notes"])


def test_nobody_waits_for_the_daily_check_of_the_file(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_checking, may_end = threading.Event(), threading.Event()

    def check(*_: object) -> None:
        is_checking.set()
        may_end.wait(2 * PATIENCE)

    monkeypatch.setattr(Database, "check_daily", check)
    index = closing(index_of(tmp_path, Shelf.of(memory("a", "winch"))))
    scanner = index._scanners["notes"]
    assert scanner.wait(scanner.ask(), PATIENCE)
    assert is_checking.wait(PATIENCE)
    assert found(index, "winch") == ["a"]
    may_end.set()


def test_complete_reports_how_far_it_is(tmp_path: Path, closing: Closing) -> None:
    seen: list[Progress] = []
    shelf = Shelf.of(*(memory(f"n{number}", "winch") for number in range(450)))
    closing(index_of(tmp_path, shelf)).complete(seen.append, rebuild=False)
    assert [(one.phase, one.done, one.total) for one in seen][:3] == [
        ("words", 200, 450),
        ("words", 400, 450),
        ("words", 450, 450),
    ]


def test_an_interrupt_leaves_a_consistent_index_that_is_completed_later(tmp_path: Path, closing: Closing) -> None:
    def interrupt(given: Memory) -> None:
        if given.id == "n270":
            raise KeyboardInterrupt

    shelf = Shelf.of(*(memory(f"n{number}", "winch") for number in range(400)))
    shelf.before_each = interrupt
    index = closing(index_of(tmp_path, shelf))
    with pytest.raises(KeyboardInterrupt):
        level(index)
    assert index.freshness()["notes"].entries == 200
    shelf.before_each = lambda _: None
    level(index)
    assert index.freshness()["notes"].entries == 400
    assert index.statistics(["winch"]).frequencies == {"winch": 400}
