from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from mmind.index import open_index
from mmind.index.sources import Fingerprints, Source
from mmind.stores.registry import EngineOptions
from mmind.stores.sqlite import open_engine
from mmind.text.fields import passage_tokens, weighted
from mmind.values.ports import Engine, Health
from tests.index.build import (
    NOON,
    Clock,
    Shelf,
    WordVectors,
    asked,
    engines,
    found,
    index_of,
    level,
    memory,
    steps_taken,
)
from tests.index.conftest import Closing


def test_two_vaults_under_one_name_do_not_mix_and_neither_is_read_again(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    work = Shelf.of(memory("a", "winch at work"), where="/work")
    home = Shelf.of(memory("a", "winch at home"), memory("b", "winch"), where="/home")
    at_work = level(closing(index_of(tmp_path, work, model)))
    at_home = level(closing(index_of(tmp_path, home, model)))
    assert found(at_work, asked("winch", model)) == ["a"]
    assert sorted(found(at_home, asked("winch", model))) == ["a", "b"]
    assert at_work.statistics(["winch"]).frequencies == {"winch": 1}
    assert at_home.statistics(["winch"]).frequencies == {"winch": 2}
    level(closing(index_of(tmp_path, work, model)))
    assert (work.read, home.read) == (["a"], ["a", "b"])


def test_where_a_source_is_is_asked_of_no_server() -> None:
    """A server that does not answer would else hold up the question that waits for nothing but a path."""

    class Silent:
        where = "mysql://there/db"

        def health(self) -> Health:
            raise AssertionError("asked")

    assert Source("notes", cast("Engine", Silent())).location == "mysql://there/db"


def test_a_source_that_nobody_used_for_three_months_is_forgotten(tmp_path: Path, closing: Closing) -> None:
    clock = Clock()
    old, new = Shelf.of(memory("a", "winch"), where="/old"), Shelf.of(memory("b", "winch"), where="/new")
    level(closing(index_of(tmp_path, old, clock=clock)))
    clock.pass_seconds(timedelta(days=91).total_seconds())
    level(closing(index_of(tmp_path, new, clock=clock)))
    again = closing(index_of(tmp_path, old, clock=clock))
    assert found(again, "winch") == []
    assert found(level(again), "winch") == ["a"]


@pytest.mark.parametrize("is_gone", [False, True])
def test_one_change_among_many_is_seen_without_reading_every_fingerprint(
    is_gone: bool, tmp_path: Path, closing: Closing
) -> None:
    steps = list[int]()
    for count in (100, 1000):
        home = tmp_path / str(count)
        home.mkdir()
        engine = open_engine("notes", home / "memory.db", EngineOptions())
        for number in range(count):
            engine.put(memory(f"n{number}", f"winch {number}"))
        index = level(closing(index_of(home, engine)))
        if is_gone:
            engine.delete("n7")
        else:
            engine.put(memory("n7", "crane"))
        scanner = index._scanners["notes"]
        steps.append(steps_taken(index, lambda scanner=scanner: scanner.scan(lambda _: None, lambda: False)))
        assert "n7" not in found(index, "winch", pool=1000)
        engine.close()
    assert steps[1] < 2 * steps[0]


def test_fingerprints_are_the_same_one_by_one_and_all_at_once(tmp_path: Path, closing: Closing) -> None:
    names = [f"n{number}" for number in range(200)]
    index = level(closing(index_of(tmp_path, Shelf.of(*(memory(name, f"winch {name}") for name in names)))))
    known = Fingerprints(index._database, 1)
    index.add(memory("later", "crane"))
    assert len(known) == 200
    assert "later" not in known
    assert "\ud800" not in known
    one_by_one = {name: known[name] for name in names}  # the last ones from the list of all
    assert one_by_one == dict(known)
    assert {*Fingerprints(index._database, 1)} == {*names, "later"}
    assert len(known) == 200


def test_statistics_are_summed_over_the_stores_and_follow_edits(tmp_path: Path, closing: Closing) -> None:
    texts = {"a": "the winch and the crane", "b": "crane crane", "c": "nothing of it"}
    notes = Shelf.of(*(memory(name, text, title="Harbour") for name, text in texts.items()))
    other = Shelf.of(memory("d", "winch"), where="elsewhere")
    index = closing(open_index(tmp_path / "index.db", engines(notes=notes, other=other), None, lambda: NOON))
    level(index)

    def length(title: str, text: str) -> float:
        return weighted(passage_tokens(title, (), (), (), (), text), ())[1]

    got = index.statistics(["winch", "crane", "harbour", "absent", "winch"])
    assert got.passages == 4
    assert got.total_length == pytest.approx(
        sum(length("Harbour", text) for text in texts.values()) + length("", "winch")
    )
    assert got.frequencies == {"winch": 2, "crane": 2, "harbour": 3}

    notes.delete("b")
    notes.put(memory("c", "a crane now", title="Harbour"))
    level(index)
    got = index.statistics(["winch", "crane"])
    assert (got.passages, got.frequencies) == (3, {"winch": 2, "crane": 2})
    assert got.total_length == pytest.approx(
        length("Harbour", texts["a"]) + length("Harbour", "a crane now") + length("", "winch")
    )
    for name in ("a", "c"):
        notes.delete(name)
    level(index)
    assert index.statistics(["winch"]).passages == 1
