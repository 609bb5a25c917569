from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mmind.embedding.choose import open_embedder
from mmind.index import words
from mmind.values.memory import TextFormat
from mmind.values.query import Query
from tests.index.build import NOON, Shelf, WordVectors, asked, found, hits, index_of, level, memory
from tests.index.conftest import Closing

HARBOUR = memory(
    "harbour.md",
    "# Harbour\n\nOpen all year.\n\n## Winch\n\nThe ferry winch takes 12 t.\nIt was oiled in May.\n",
    title="Harbour",
    tags=("Ferry", "boats"),
    aliases=("Port",),
    created=NOON - timedelta(days=3),
    time=NOON,
    time_kind="updated",
    writer="Mads",
    path="/vault/harbour.md",
    format=TextFormat.MARKDOWN,
)
BREAD = memory("bread.md", "Knead the dough and let it rest overnight.", title="Bread")


def test_a_passage_is_found_by_its_words_with_its_heading_and_lines(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(HARBOUR, BREAD))))
    first = hits(index, "ferry winch")[0]
    assert first.passage.text == "The ferry winch takes 12 t.\nIt was oiled in May."
    assert (first.passage.line_start, first.passage.line_end) == (7, 8)
    assert first.passage.heading == ("Harbour", "Winch")


def test_a_hit_carries_every_fact_of_its_memory_except_text_and_links(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(HARBOUR))))
    got = hits(index, "winch")[0].memory
    assert got.text == ""
    same = ("store", "id", "title", "tags", "aliases", "created", "time", "time_kind", "trust", "writer", "session")
    for name in (*same, "path", "fingerprint", "format", "truncated"):
        assert getattr(got, name) == getattr(HARBOUR, name)


def test_counts_are_weighted_by_field_and_a_missing_vector_is_no_opinion(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "winch and winch", title="winch")))))
    hit = hits(index, "winch ferry")[0]
    assert hit.counts == {"winch": 2.0 + 1.0 + 1.0}
    assert hit.length == 2.0 + 3.0
    assert hit.cosine is None


def test_a_passage_is_found_by_meaning_where_no_word_is_shared(tmp_path: Path, closing: Closing) -> None:
    model = open_embedder("local", "", "")
    assert model is not None
    index = level(closing(index_of(tmp_path, Shelf.of(HARBOUR, BREAD), model)))
    first = hits(index, asked("baking a loaf", model))[0]
    assert first.memory.id == "bread.md"
    assert first.counts == {}
    assert first.cosine is not None
    assert first.cosine > 0.3


def test_both_signals_are_completed_whichever_proposed_the_passage(tmp_path: Path, closing: Closing) -> None:
    vectors = WordVectors()
    notes = [memory(f"n{number}", f"winch number {number} in the harbour of oslo") for number in range(9)]
    index = level(closing(index_of(tmp_path, Shelf.of(*notes), vectors)))
    got = hits(index, asked("winch 3", vectors), pool=2)
    assert len(got) >= 2
    for hit in got:
        text = f"{hit.passage.text}"
        expected = float(vectors.embed([text])[0] @ vectors.embed(["winch 3"])[0])
        assert hit.cosine == pytest.approx(expected, abs=2e-3)
        assert hit.counts is not None
        assert hit.counts["winch"] == 1.0


def test_vectors_of_another_model_are_never_compared(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(HARBOUR, BREAD), WordVectors("one"))))
    got = hits(index, asked("winch", WordVectors("another")))
    assert [(hit.memory.id, hit.cosine) for hit in got] == [("harbour.md", None)]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("C++", "The C++ build is slow."),
        ("v1.2.3", "Released v1.2.3 today."),
        ("0x80070005", "It fails with 0x80070005."),
        ("🚀", "Launch 🚀 at dawn."),
        ("备份", "请先备份运行数据"),
        (".NET", "Uses .NET on the server."),
        ("foo::bar", "Call foo::bar first."),
        ("F#", "Written in F# by Ann."),
    ],
)
def test_tokens_with_odd_characters_are_found_whole(query: str, text: str, tmp_path: Path, closing: Closing) -> None:
    noise = [memory(f"noise{number}", "net bar c f 1 2 3 数据") for number in range(3)]
    index = level(closing(index_of(tmp_path, Shelf.of(*noise, memory("odd", text)))))
    assert found(index, query)[0] == "odd"


@pytest.mark.parametrize(
    "term",
    ['"', 'a"b', "'", "\0", "a\0b", "", " ", "a b", "*", "(", "NEAR(a b)", "a AND b", "\ud800", "title:x", "\x7f"],
)
def test_no_term_is_illegal(term: str, tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "harbour")))))
    assert [hit.memory.id for hit in hits(index, Query("", (term, "harbour")))] == ["a"]
    assert index.statistics([term, "harbour"]).frequencies == {"harbour": 1}


def test_bounds_narrow_the_search_itself_so_that_they_do_not_starve_it(tmp_path: Path, closing: Closing) -> None:
    vectors = WordVectors()
    crowd = [memory(f"new{number}", "winch winch winch", time=NOON) for number in range(30)]
    old = memory("old", "a winch among many other words", time=NOON - timedelta(days=9), tags=("Boats",))
    index = level(closing(index_of(tmp_path, Shelf.of(*crowd, old, memory("timeless", "winch")), vectors)))
    for bounds in ({"until": NOON - timedelta(days=8)}, {"until": old.time, "since": old.time}, {"tags": ("#boats",)}):
        assert found(index, asked("winch", vectors, **bounds), pool=3) == ["old"]
    assert "timeless" not in found(index, asked("winch", vectors, since=NOON - timedelta(days=99)))


def test_all_tags_must_be_present(tmp_path: Path, closing: Closing) -> None:
    both, one = memory("both", "winch", tags=("boats", "Fähre, alt")), memory("one", "winch", tags=("boats",))
    index = level(closing(index_of(tmp_path, Shelf.of(both, one))))
    assert found(index, asked("winch", tags=("boats", "fähre, ALT"))) == ["both"]
    assert found(index, asked("winch", tags=("boat",))) == []


def test_a_session_sees_its_own_memories_and_those_of_none(tmp_path: Path, closing: Closing) -> None:
    vectors = WordVectors()
    notes = [memory("open", "winch"), memory("mine", "winch", session="a"), memory("theirs", "winch", session="b")]
    index = level(closing(index_of(tmp_path, Shelf.of(*notes), vectors)))
    assert found(index, asked("winch", vectors)) == ["open"]
    assert sorted(found(index, asked("winch", vectors, session="a"))) == ["mine", "open"]


@pytest.mark.parametrize("open_ones", [1, 20])
def test_sessions_stay_apart_whether_few_or_most_of_the_memories_are_theirs(
    open_ones: int, tmp_path: Path, closing: Closing
) -> None:
    """Nearness finds what words do not, so that what is barred is barred there as well."""
    vectors = WordVectors()
    theirs = [memory(f"b{number}", f"winch {number}", session="b") for number in range(4)]
    mine = memory("mine", "winch here", session="a", tags=("boats",))
    plain = [memory(f"open{number}", f"winch over {number}") for number in range(open_ones)]
    index = level(closing(index_of(tmp_path, Shelf.of(*theirs, mine, *plain), vectors)))
    query = replace(asked("winch", vectors), terms=())
    assert set(found(index, query)) == {one.id for one in plain}
    assert set(found(index, replace(query, session="a"))) == {"mine", *(one.id for one in plain)}
    assert found(index, replace(query, session="a", tags=("boats",))) == ["mine"]
    assert set(found(index, replace(query, session="b"))) == {one.id for one in [*theirs, *plain]}


def test_one_long_note_does_not_fill_the_pool(tmp_path: Path, closing: Closing) -> None:
    vectors = WordVectors()
    section = "## Part {}\n\nPermission rules: ask the warden for permission before you enter.\n\n"
    handbook = memory("handbook", "".join(section.format(part) for part in range(60)), format=TextFormat.MARKDOWN)
    others = [memory(f"p{number}", f"Permission number {number} for something else entirely") for number in range(5)]
    index = level(closing(index_of(tmp_path, Shelf.of(handbook, *others), vectors)))
    for query in (asked("permission rules"), asked("permission rules", vectors)):
        got = [hit.memory.id for hit in hits(index, query, pool=8)]
        assert {f"p{number}" for number in range(5)} <= set(got)
        assert got.count("handbook") <= 6


def test_a_pool_bounds_what_each_signal_proposes(tmp_path: Path, closing: Closing) -> None:
    vectors = WordVectors()
    notes = [memory(f"n{number}", f"winch {number}") for number in range(40)]
    index = level(closing(index_of(tmp_path, Shelf.of(*notes), vectors)))
    assert len(hits(index, "winch", pool=7)) == 7
    both = [hit.memory.id for hit in hits(index, asked("winch 3", vectors), pool=7)]
    assert 7 <= len(both) <= 14
    assert len(both) == len(set(both))
    assert hits(index, "winch", pool=0) == []


def test_an_empty_note_is_found_by_its_title_and_one_without_title_by_its_text(
    tmp_path: Path, closing: Closing
) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "", title="Aunt Mary"), memory("b", "uncle Bob")))))
    assert found(index, "mary") == ["a"]
    assert found(index, "bob") == ["b"]


def test_among_very_many_passages_the_commonest_words_propose_none_beside_rarer_ones(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [memory(f"n{number}", "boat" if number else "boat winch") for number in range(9)]
    index = level(closing(index_of(tmp_path, Shelf.of(*notes))))
    monkeypatch.setattr(words, "MOST_POSTINGS", 5)
    assert found(index, "boat winch") == ["n0"]
    assert len(found(index, "boat")) == 9


def test_an_index_without_file_answers_nothing_and_makes_none(tmp_path: Path, closing: Closing) -> None:
    index = closing(index_of(tmp_path / "home", Shelf.of(HARBOUR)))
    assert hits(index, "winch") == []
    assert index.statistics(["winch"]).passages == 0
    assert index.freshness()["notes"].pending_words == -1
    index.remove("notes", "harbour.md")
    assert not (tmp_path / "home").exists()
