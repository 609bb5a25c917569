"""The measures of the retrieval evaluation, and a small set through the whole of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evals.retrieval.ablations import PARTS, Part, macro, middle
from evals.retrieval.measures import area_under_curve, bootstrap, measures, ndcg, recall, reciprocal_rank
from evals.retrieval.rankings import SIMPLER, Signals, answered, by, documents_of
from evals.retrieval.sets import Collection, read_collections
from evals.retrieval.worlds import STORES, Spread, handles, opened, places


def test_ndcg_discounts_by_rank() -> None:
    assert ndcg(["a", "b"], {"a": 1}, 10) == 1.0
    assert ndcg(["b", "a"], {"a": 1}, 10) == pytest.approx(0.6309, abs=1e-4)
    assert ndcg(["b"], {"a": 1}, 10) == 0.0


def test_recall_counts_what_was_wanted() -> None:
    assert recall(["a", "x", "b"], {"a": 1, "b": 1}, 2) == 0.5


def test_reciprocal_rank_looks_at_the_first_answer() -> None:
    assert reciprocal_rank(["x", "a", "b"], {"a": 1, "b": 1}) == 0.5


def test_every_measure_of_a_perfect_ranking_is_one() -> None:
    assert set(measures(["a"], {"a": 1}).values()) == {1.0}


def test_area_under_the_curve_of_parted_mixed_and_equal_numbers() -> None:
    assert area_under_curve([0.8, 0.9], [0.1, 0.2]) == 1.0
    assert area_under_curve([0.5], [0.5]) == 0.5
    assert area_under_curve([0.1, 0.9], [0.5]) == 0.5


def test_a_difference_that_is_always_there_is_beyond_doubt() -> None:
    assert bootstrap([0.1] * 20, rounds=50) == pytest.approx((0.1, 0.1))


def test_a_document_ranks_by_its_best_passage() -> None:
    passages = [Signals("a", 1.0, 0.2), Signals("b", 2.0, 0.1), Signals("a", 3.0, 0.0), Signals("c", 0.0, 0.0)]
    assert by(passages, lambda one: one.bm25) == ["a", "b"]
    assert {name: ranking(passages)[0] for name, ranking in SIMPLER.items()} == dict.fromkeys(SIMPLER, "a")


@pytest.fixture
def collections(tmp_path: Path) -> list[Collection]:
    folder = tmp_path / "sets" / "small"
    folder.mkdir(parents=True)
    texts = {
        "en/1": "The ferry to Ljungholm leaves at noon.",
        "en/2": "The boiler is serviced in May.",
        "de/1": "Die Fähre",
    }
    rows = [{"id": key, "text": text, "group": key[:2]} for key, text in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    asked = [
        {"id": "q1", "text": "when does the ferry leave", "group": "en"},
        {"id": "q2", "text": "who", "group": "en"},
    ]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    (folder / "qrels.tsv").write_text("q1\ten/1\t1\nq2\ten/2\t0\n", "utf-8")
    return read_collections(tmp_path / "sets")


def test_groups_are_collections_and_questions_without_answer_are_left_out(collections: list[Collection]) -> None:
    assert [(one.name, len(one.documents), len(one.questions)) for one in collections] == [
        ("small/de", 1, 0),
        ("small/en", 2, 1),
    ]


@pytest.mark.parametrize("spread", [Spread.ONE, Spread.SCATTERED])
def test_a_question_is_answered_from_the_world_of_its_collection(
    spread: Spread, collections: list[Collection], tmp_path: Path
) -> None:
    english = collections[1]
    for _ in range(2):  # built, then taken from the cache
        with opened(english, spread, tmp_path / "cache", None, lambda _: None) as standing:
            bundle = answered(english.questions[0], standing)
            assert documents_of(bundle, handles(english, spread))[:1] == ["en/1"]


def test_scattered_documents_lie_in_all_stores_and_a_third_of_them_twice(collections: list[Collection]) -> None:
    from evals.retrieval.sets import Document

    found = [places(Document(f"d{number}", ""), Spread.SCATTERED) for number in range(600)]
    assert {store for one in found for store in one} == set(STORES)
    assert all(len(set(one)) == len(one) for one in found)
    assert 0.25 < sum(len(one) == 2 for one in found) / 600 < 0.42


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_is_switched_off_for_a_while(part: Part) -> None:
    before = [getattr(module, name) for module, name, _ in part.off]
    with part.switched_off():
        assert [getattr(module, name) for module, name, _ in part.off] == [value for _, _, value in part.off] != before
    assert [getattr(module, name) for module, name, _ in part.off] == before


def test_a_set_of_several_languages_counts_once_in_what_a_part_is_worth() -> None:
    lost = [("a", [0.2, 0.2]), ("b", [0.0]), ("b", [0.4, 0.4])]
    assert macro(lost) == pytest.approx(0.2)
    assert middle(lost, rounds=50) == pytest.approx((0.2, 0.2))
