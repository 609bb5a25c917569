from __future__ import annotations

import random
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.embedding.multilingual import MultilingualEmbedder
from mmind.index import agenda, file_order, open_index, vectors
from mmind.index.tidying import tidy
from mmind.text.embedded import embedded_text
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import TextFormat
from mmind.values.ports import Progress
from tests.index.build import (
    NOON,
    Clock,
    Shelf,
    WordVectors,
    asked,
    found,
    hits,
    index_of,
    level,
    memory,
    steps_taken,
)
from tests.index.conftest import Closing

PATIENCE = 30.0


def vector_rows(home: Path) -> int:
    """How many vectors are kept."""
    import apsw

    connection = apsw.Connection(str(home / "index.db"))
    try:
        return int(connection.execute("SELECT count(*) FROM vector").get)
    finally:
        connection.close()


def test_what_is_embedded_is_title_and_heading_then_the_passage() -> None:
    assert embedded_text("Harbour", ("Harbour", "Winch"), "It takes 12 t.") == "Harbour > Winch\nIt takes 12 t."
    assert embedded_text("", (), "It takes 12 t.") == "It takes 12 t."
    assert embedded_text(" ", ("Winch",), "It takes 12 t.") == "Winch\nIt takes 12 t."


def test_a_copy_and_a_rename_are_not_embedded_again(tmp_path: Path, closing: Closing) -> None:
    model, shelf = WordVectors(), Shelf.of(memory("a", "winch"), memory("copy", "winch"))
    index = level(closing(index_of(tmp_path, shelf, model)))
    shelf.delete("a")
    shelf.put(memory("renamed", "winch"))
    level(index)
    index.add(memory("another copy", "winch"))
    assert model.embedded == ["winch"]
    got = hits(index, asked("winch", model))
    assert sorted(hit.memory.id for hit in got) == ["another copy", "copy", "renamed"]
    assert all(hit.cosine == pytest.approx(1.0, abs=2e-3) for hit in got)


def test_of_an_edited_note_only_the_changed_passages_are_embedded(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    text = "# One\n\nfirst text\n\n# Two\n\nsecond text\n"
    shelf = Shelf.of(memory("a", text, format=TextFormat.MARKDOWN))
    index = level(closing(index_of(tmp_path, shelf, model)))
    shelf.put(memory("a", text.replace("second", "another"), format=TextFormat.MARKDOWN))
    level(index)
    assert model.embedded == ["Two\nsecond text", "One\nfirst text", "Two\nanother text"] or model.embedded == [
        "One\nfirst text",
        "Two\nsecond text",
        "Two\nanother text",
    ]


def test_a_short_memory_has_its_vector_when_add_returns(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    index = closing(index_of(tmp_path, Shelf(), model))
    index.add(memory("a", "winch"))
    assert index.freshness()["notes"].pending_vectors == 0
    assert hits(index, asked("winch", model))[0].cosine == pytest.approx(1.0, abs=2e-3)


def test_passages_that_wait_for_a_vector_are_counted_and_found_by_words(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    shelf = Shelf.of(memory("a", "winch"), memory("b", "crane"))
    level(closing(index_of(tmp_path, shelf)))
    index = closing(index_of(tmp_path, shelf, model))
    assert index.freshness()["notes"].pending_vectors == 2
    assert [(hit.memory.id, hit.cosine) for hit in hits(index, asked("winch", model))] == [("a", None)]
    level(index)
    assert index.freshness()["notes"].pending_vectors == 0
    assert {hit.memory.id: hit.cosine is None for hit in hits(index, asked("winch", model))} == {"a": False, "b": False}


def test_a_failing_model_leaves_words_in_order_and_is_named(tmp_path: Path, closing: Closing) -> None:
    model, asking = WordVectors(), WordVectors()
    model.fault = "the model is not there"
    index = closing(index_of(tmp_path, Shelf.of(memory("a", "winch")), model))
    with pytest.raises(EngineUnavailable, match="the model is not there"):
        level(index)
    index.add(memory("b", "winch"))
    state = index.freshness()["notes"]
    assert sorted(found(index, asked("winch", asking))) == ["a", "b"]
    assert (state.fault, state.pending_vectors) == ("", 2)
    assert "the model is not there" in state.hint
    model.fault = ""
    level(index)
    assert index.freshness()["notes"].hint == ""
    assert index.freshness()["notes"].pending_vectors == 0


def test_a_new_model_embeds_anew_and_the_old_vectors_are_kept_for_a_month(tmp_path: Path, closing: Closing) -> None:
    shelf, clock, first, second = Shelf.of(memory("a", "winch")), Clock(), WordVectors("first"), WordVectors("second")
    level(closing(index_of(tmp_path, shelf, first, clock)))
    index = level(closing(index_of(tmp_path, shelf, second, clock)))
    assert hits(index, asked("winch", second))[0].cosine is not None
    assert len(second.embedded) >= 1
    assert vector_rows(tmp_path) == 2
    clock.pass_seconds(timedelta(days=31).total_seconds())
    level(index)
    assert vector_rows(tmp_path) == 1
    assert hits(index, asked("winch", second))[0].cosine is not None


def test_vectors_that_no_passage_has_are_dropped(tmp_path: Path, closing: Closing) -> None:
    model, shelf = WordVectors(), Shelf.of(memory("a", "winch"), memory("b", "crane"))
    index = level(closing(index_of(tmp_path, shelf, model)))
    shelf.delete("b")
    level(index)
    assert vector_rows(tmp_path) == 1


def test_who_writes_while_unneeded_vectors_are_looked_for_does_not_wait_and_keeps_the_vector(
    tmp_path: Path, closing: Closing
) -> None:
    import apsw

    model, shelf = WordVectors(), Shelf.of(memory("a", "winch"), memory("b", "crane"))
    index = level(closing(index_of(tmp_path, shelf, model)))
    index.remove("notes", "b")
    other, writes = closing(index_of(tmp_path, shelf, model)), list[str]()

    def write(event: dict[str, str]) -> None:
        if "digest NOT IN" in event["sql"]:
            other.add(memory("c", "crane"))
            writes.append("c")

    with index._database.reading() as connection:
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, write)
    tidy(index._database, model.identity, NOON, ())
    assert writes == ["c"]
    assert {hit.memory.id: hit.cosine is None for hit in hits(index, asked("crane", model))} == {"a": False, "c": False}


def test_vectors_outlive_an_index_of_another_version_until_long_after(tmp_path: Path, closing: Closing) -> None:
    model, shelf = WordVectors(), Shelf.of(memory("a", "winch"), memory("b", "crane"))
    index = level(closing(index_of(tmp_path, shelf, model)))
    with index._database.writing() as connection:
        connection.execute("UPDATE meta SET value = '1/1/1/0' WHERE key = 'versions'")
    index.close()
    again = closing(index_of(tmp_path, shelf, model))
    tidy(again._database, model.identity, NOON, ())  # as the thread that embeds does, beside the first scan
    level(again)
    assert vector_rows(tmp_path) == 2
    assert len(model.embedded) == 2
    shelf.delete("b")
    level(again)
    assert vector_rows(tmp_path) == 2
    tidy(again._database, model.identity, NOON + timedelta(days=30), ())
    assert vector_rows(tmp_path) == 1


def test_vectors_are_made_in_the_background_after_a_refresh(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    index = closing(
        index_of(tmp_path, Shelf.of(*(memory(f"n{number}", f"winch {number}") for number in range(40))), model)
    )
    index.refresh(PATIENCE)
    thread = index._backfill._thread  # type: ignore[union-attr] - an index with a model has one
    assert thread is not None
    while index.freshness()["notes"].pending_vectors and thread.is_alive():
        thread.join(0.01)
    assert found(index, asked("winch 7", model))[0] == "n7"
    assert len(model.embedded) == 41


def test_two_that_embed_at_once_share_the_work(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number}") for number in range(300)))
    level(closing(index_of(tmp_path, shelf)))
    models = (WordVectors(), WordVectors())
    indexes = [closing(index_of(tmp_path, shelf, model)) for model in models]
    threads = [threading.Thread(target=level, args=(index,)) for index in indexes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(models[0].embedded + models[1].embedded) == sorted(f"winch {number}" for number in range(300))
    assert [index.freshness()["notes"].pending_vectors for index in indexes] == [0, 0]


def test_what_embedding_costs_beside_the_model_grows_no_faster_than_what_waits(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agenda, "CHUNK", 16)
    monkeypatch.setattr(agenda, "LOOKS", 10)
    steps = list[int]()
    for count in (500, 2000):
        shelf = Shelf.of(*(memory(f"n{number}", f"winch {number}", time=NOON) for number in range(count)))
        home = tmp_path / str(count)
        home.mkdir()
        level(closing(index_of(home, shelf)))
        model = WordVectors()
        index = closing(index_of(home, shelf, model))
        steps.append(steps_taken(index, lambda index=index: level(index)))
        assert len(model.embedded) == count
    assert steps[1] < 6 * steps[0]


def test_the_newest_memories_are_embedded_first_and_what_comes_meanwhile_before_all_others(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agenda, "CHUNK", 4)
    monkeypatch.setattr(agenda, "LOOKS", 1)
    times = {number: NOON - timedelta(days=(7 * number) % 40) for number in range(40)}
    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number}", time=time) for number, time in times.items()))
    writer = level(closing(index_of(tmp_path, shelf)))
    model, late = WordVectors(), ["crane 1", "crane 2"]

    def report(_: Progress) -> None:
        if len(model.embedded) == 4 and late:
            for text in late:
                writer.add(memory(text, text, time=NOON - timedelta(days=len(text) * 400)))
            late.clear()

    closing(index_of(tmp_path, shelf, model)).complete(report, rebuild=False)
    wanted = [f"winch {number}" for number in sorted(times, key=times.__getitem__, reverse=True)]
    assert model.embedded == [*wanted[:4], "crane 2", "crane 1", *wanted[4:]]


def test_progress_of_vectors_is_reported(tmp_path: Path, closing: Closing) -> None:
    seen: list[Progress] = []
    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number}") for number in range(40)))
    closing(index_of(tmp_path, shelf, WordVectors())).complete(seen.append, rebuild=False)
    vectors = [(one.done, one.total) for one in seen if one.phase == "vectors"]
    assert vectors == sorted(vectors)
    assert vectors[0] == (0, 40)
    assert vectors[-1] == (40, 40)


def test_the_vectors_in_memory_follow_every_edit(tmp_path: Path, closing: Closing) -> None:
    source, model, shelf = random.Random(5), WordVectors(), Shelf()
    index = closing(index_of(tmp_path, shelf, model))
    question = asked("w1 w2 w3", model)
    texts = [" ".join(source.choices([f"w{number}" for number in range(30)], k=8)) for _ in range(200)]
    for step in range(120):
        name = f"n{source.randrange(40)}"
        if source.random() < 0.4 and name in shelf.memories:
            shelf.delete(name)
            index.remove("notes", name)
        else:
            index.add(shelf.put(memory(name, source.choice(texts))))
        if step % 10 == 9:
            cosines = {
                one.id: float(model.embed([one.text])[0] @ np.asarray(question.vector))
                for one in shelf.memories.values()
            }
            got = hits(index, replace(question, terms=()), pool=100)
            assert {hit.memory.id: hit.cosine for hit in got} == pytest.approx(cosines, abs=2e-3)
            assert [hit.cosine for hit in got] == sorted((hit.cosine or 0.0 for hit in got), reverse=True)


def test_the_nearest_are_found_among_many_passages_of_one_memory(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    section = "# Part {}\n\nwinch winch winch\n\n"
    long = memory("long", "".join(section.format(part) for part in range(120)), format=TextFormat.MARKDOWN)
    others = [memory(f"n{number}", f"winch and other words {number}", time=NOON) for number in range(6)]
    index = level(closing(index_of(tmp_path, Shelf.of(long, *others), model)))
    got = [hit.memory.id for hit in hits(index, replace(asked("winch", model), terms=()), pool=9)]
    assert got.count("long") == 3
    assert len(set(got)) == 7


@pytest.mark.parametrize("share", [0.0, 2.0], ids=["in the order of the file", "in the order of the passages"])
def test_a_new_process_compares_every_passage_with_its_own_vector(
    share: float, tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_order, "WORTH_SHARE", share)
    monkeypatch.setattr(vectors, "ROWS_AT_ONCE", 4)
    model, source = WordVectors(), random.Random(3)
    texts = {f"n{number}": f"winch {number % 23} w{number % 5}" for number in range(60)}  # copies share a vector
    shelf = Shelf.of(*(memory(name, text, time=NOON - timedelta(days=source.random())) for name, text in texts.items()))
    writing = level(closing(index_of(tmp_path, shelf, model)))
    level(closing(index_of(tmp_path, Shelf.of(memory("o", "winch of others"), where="elsewhere"), model)))
    level(closing(index_of(tmp_path, shelf, WordVectors("another"))))
    for name in ("n3", "n40"):
        writing.remove("notes", name)
        del texts[name]
    question = replace(asked("winch 7 w2", model), terms=())
    got = {hit.memory.id: hit.cosine for hit in hits(closing(index_of(tmp_path, shelf, model)), question)}
    cosine = {name: float(model.embed([text])[0] @ np.asarray(question.vector)) for name, text in texts.items()}
    assert got == pytest.approx(cosine, abs=2e-3)


def test_vectors_that_are_read_in_several_parts_are_all_compared(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "ROWS_AT_ONCE", 3)
    model, shelf = WordVectors(), Shelf.of(*(memory(f"n{number}", f"winch {number}") for number in range(10)))
    query = replace(asked("winch", model), terms=())
    index = level(closing(index_of(tmp_path, shelf, model)))
    assert len(found(index, query)) == 10
    for number in range(10, 20):
        index.add(memory(f"n{number}", f"winch {number}"))
    assert set(found(index, query)) == {f"n{number}" for number in range(20)}
    index.remove("notes", "n3")
    assert set(found(index, query)) == {f"n{number}" for number in range(20)} - {"n3"}


GERMAN = "Der Hund schläft auf dem Sofa und die Katze liegt unter dem Tisch."


def test_a_note_for_which_the_second_model_is_missing_holds_up_no_english_one_in_any_store(
    tmp_path: Path, closing: Closing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise EngineUnavailable("the second model is missing", "get it")

    monkeypatch.setattr("mmind.embedding.multilingual.load_universal", missing)
    monkeypatch.setattr(agenda, "CHUNK", 8)
    model = MultilingualEmbedder(LocalEmbedder(PACKAGED))
    notes = Shelf.of(
        *(memory(f"g{number}", f"{GERMAN} {number}.", time=NOON) for number in range(20)),
        *(
            memory(f"n{number}", f"The winch {number} lifts the boat.", time=NOON - timedelta(1))
            for number in range(20)
        ),
        memory("copy", f"{GERMAN} 3.", time=NOON - timedelta(days=2)),
    )
    diary = replace(memory("d", "The crane was painted in the harbour."), store="diary")
    index = closing(open_index(tmp_path / "index.db", {"notes": notes, "diary": Shelf.of(diary)}, model, lambda: NOON))
    with pytest.raises(EngineUnavailable, match="the second model is missing; get it"):
        level(index)
    waiting = {store: state.pending_vectors for store, state in index.freshness().items()}
    assert waiting == {"notes": 21, "diary": 0}
    index.add(memory("later", "The rope of the winch is new."))
    assert index.freshness()["notes"].pending_vectors == 21
    assert index.freshness()["notes"].hint == "no new vectors: the second model is missing; get it"
    assert vector_rows(tmp_path) == 22
    monkeypatch.undo()
    mended = level(closing(index_of(tmp_path, notes, MultilingualEmbedder(LocalEmbedder(PACKAGED)))))
    assert mended.freshness()["notes"].pending_vectors == 0
