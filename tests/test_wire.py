"""Values to JSON."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import jsonschema
import pytest

from mmind.server.tools import tools
from mmind.values.bundle import Evidence, Factor, Result, Score
from mmind.values.ports import Skipped
from mmind.values.reports import Stored
from mmind.wire import (
    MAX_CHARACTERS,
    bundle_to_json,
    forgotten_to_json,
    lean,
    page_to_json,
    status_to_json,
    stored_to_json,
    whole,
)
from tests.server.build import bundle, evidence, memory, page, result, status


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def test_a_result_carries_its_whole_provenance() -> None:
    """M2.11"""
    (first,) = bundle_to_json(bundle(result(evidence=(evidence(),))), explain=False)["results"]
    assert first["provenance"] == [
        {
            "store": "markdown",
            "engine": "markdown",
            "id": "markdown:home/rent.md",
            "path": "/vault/home/rent.md",
            "heading": ["Flat", "Money"],
            "lines": [3, 5],
            "time": "2026-05-19T08:30:00Z",
            "time_kind": "front matter",
            "trust": "curated",
            "writer": "anna",
        }
    ]


def test_a_result_names_each_store_once_in_the_order_of_its_evidence() -> None:
    twice = result(evidence=(evidence("sqlite"), evidence("markdown"), evidence("sqlite", "other")))
    assert bundle_to_json(bundle(twice), explain=False)["results"][0]["stores"] == ["sqlite", "markdown"]


def test_the_product_of_the_explained_factors_equals_the_score_exactly_after_a_round_trip() -> None:
    """M2.10"""
    read = json.loads(compact(bundle_to_json(bundle(), explain=True)))["results"][0]
    product = math.prod(factor["value"] for factor in read["explain"]["factors"])
    assert product == read["explain"]["score"] == read["score"] == result().score.value


def test_an_explained_factor_says_what_it_was_computed_from() -> None:
    factor = bundle_to_json(bundle(), explain=True)["results"][0]["explain"]["factors"][0]
    assert factor == {
        "name": "relevance",
        "value": 0.7123456789012345,
        "reason": "words and meaning",
        "inputs": {"cosine": 0.61, "bm25": 3.3, "lexical": None},
    }


def test_numbers_for_reading_are_rounded_and_reasons_stay_out_unless_they_are_asked_for() -> None:
    first = bundle_to_json(bundle(), explain=False)["results"][0]
    assert (first["score"], first["confidence"]) == (round(result().score.value, 4), 0.8765)
    assert "explain" not in first


def test_what_has_nothing_to_say_is_left_out() -> None:
    bare = result(title="", tags=(), cut=False, more=(), agrees_with=(), flags=(), evidence=(evidence(),))
    quiet = bundle(bare, conflicts=(), faults=(), notes=(), omitted=0)
    answer = bundle_to_json(quiet, explain=False)
    assert answer.keys() == {
        "results",
        "conflicts",
        "unavailable",
        "searched",
        "relevant",
        "as_of",
        "elapsed_ms",
    }
    assert answer["results"][0].keys() == {"id", "text", "score", "confidence", "stores", "provenance"}


def test_a_time_that_nobody_knows_is_not_there() -> None:
    first = bundle_to_json(bundle(result(evidence=(evidence(time=None),))), explain=False)["results"][0]
    assert first["provenance"][0].keys().isdisjoint({"time", "time_kind"})


def test_infinite_inputs_become_words_because_json_has_no_such_number() -> None:
    odd = Score((Factor("recency", 1.0, "no half-life", {"half_life_days": math.inf}),))
    answer = bundle_to_json(bundle(result(score=odd)), explain=True)
    assert "inf" in compact(answer)


def lines_of_a_vault() -> list[Result]:
    """Ten different notes, each one line."""
    bare = {"tags": (), "more": (), "agrees_with": (), "flags": (), "cut": False}
    return [
        result(
            number,
            "The rent is due.",
            id=f"markdown:home/note{number}.md",
            evidence=(evidence("markdown", f"home/note{number}.md", writer=""),),
            **bare,
        )
        for number in range(1, 11)
    ]


def test_ten_results_cost_some_three_kilobytes_besides_their_texts() -> None:
    """M2.12"""
    quiet = bundle(*lines_of_a_vault(), conflicts=(), faults=(), notes=(), omitted=0)
    answer = bundle_to_json(quiet, explain=False)
    texts = 10 * len("The rent is due.")
    assert len(compact(lean(answer)).encode()) - texts < 3000 < len(compact(answer).encode()) - texts


@pytest.mark.parametrize(
    "place",
    [
        evidence(),
        evidence(engine="obsidian"),
        evidence(path=""),
        evidence(path="C:\\vault\\home\\rent.md"),
        evidence(path="/another/vault/home/rent.md"),
        evidence("sqlite", "k5x2", path="/data/memory.db#k5x2"),
        evidence("sqlite", "", path="/data/memory.db"),
    ],
)
def test_a_lean_answer_can_be_made_whole_again(place: Evidence) -> None:
    answer = bundle_to_json(
        bundle(result(1), result(2, evidence=(place, evidence())), *lines_of_a_vault()), explain=True
    )
    assert compact(whole(lean(answer))) != compact(lean(answer))
    assert whole(lean(answer)) == whole(answer) == answer


def test_an_answer_is_bounded_whatever_is_asked_and_counts_what_it_left_out() -> None:
    """M2.12, case D04"""
    many = bundle(*(result(rank, "permission " * 200) for rank in range(1, 51)))
    answer = bundle_to_json(many, explain=True)
    assert len(compact(answer)) <= MAX_CHARACTERS
    assert 2 <= len(answer["results"]) < 50
    assert answer["omitted"] == 4 + 50 - len(answer["results"])


def test_the_first_result_stays_even_if_it_alone_is_too_long() -> None:
    answer = bundle_to_json(bundle(result(1, "x" * 5000), result(2)), explain=False, max_characters=1000)
    assert [found["text"] for found in answer["results"]] == ["x" * 5000]
    assert answer["omitted"] == 5


def test_a_page_says_where_to_read_on_until_the_end() -> None:
    assert page_to_json(page())["next_offset"] == 41
    assert "next_offset" not in page_to_json(page(next_offset=None))


def test_a_count_that_nobody_made_is_not_there() -> None:
    assert "entries" not in status_to_json(status(entries=-1))["stores"][0]
    assert status_to_json(status(entries=0))["stores"][0]["entries"] == 0


def test_sources_names_some_of_what_was_skipped_and_counts_all() -> None:
    many = tuple(Skipped(f"n{number}.md", "not text") for number in range(500))
    store = status_to_json(status(skipped=many))["stores"][0]
    assert (len(store["skipped"]), store["skipped_total"]) == (20, 500)


def test_a_store_without_a_tier_of_its_own_is_trusted_by_writer() -> None:
    assert status_to_json(status(trust=None))["stores"][0]["trust"] == "by writer"


@pytest.mark.parametrize(
    ("tool", "answer"),
    [
        ("retrieve", bundle_to_json(bundle(), explain=True)),
        ("retrieve", lean(bundle_to_json(bundle(), explain=False))),
        ("retrieve", bundle_to_json(bundle(results=(), conflicts=(), faults=(), relevant=False), explain=False)),
        ("store", stored_to_json(Stored(memory=memory(), is_new=True))),
        ("forget", forgotten_to_json(Stored(memory=memory(), is_new=False))),
        ("get", page_to_json(page())),
        ("sources", status_to_json(status())),
        ("sources", status_to_json(replace(status(), model="", model_note=""))),
    ],
)
def test_every_answer_keeps_to_the_schema_that_its_tool_declares(tool: str, answer: object) -> None:
    schemas = {row["name"]: row["outputSchema"] for row in tools(leaves_machine=False)}
    jsonschema.validate(answer, schemas[tool], jsonschema.Draft202012Validator)
