"""JSON back to values: a client sees what the router said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mmind.values.bundle import Bundle, Factor, Score
from mmind.wire import bundle_from_json, bundle_to_json
from tests.server.build import FACTORS, bundle, evidence, result


def sent(answer: Bundle, explain: bool) -> dict[str, Any]:
    """The answer as it comes out of a real JSON text."""
    read: dict[str, Any] = json.loads(json.dumps(bundle_to_json(answer, explain=explain)))
    return read


def rounded(answer: Bundle) -> Bundle:
    """What JSON keeps of a bundle: confidences to four places, milliseconds to one."""
    return replace(
        answer,
        results=tuple(replace(one, confidence=round(one.confidence, 4)) for one in answer.results),
        conflicts=tuple(replace(one, confidence=round(one.confidence, 4)) for one in answer.conflicts),
        elapsed_ms=round(answer.elapsed_ms, 1),
    )


BARE = result(2, title="", tags=(), cut=False, more=(), agrees_with=(), flags=(), evidence=(evidence(time=None),))


@pytest.mark.parametrize(
    "answer",
    [
        bundle(),
        bundle(result(1), replace(BARE, evidence=(evidence(time=None, time_kind="", path="", writer="", heading=()),))),
        bundle(conflicts=(), faults=(), notes=(), omitted=0, relevant=False),
        replace(bundle(), results=()),
    ],
    ids=["full", "bare", "quiet", "empty"],
)
def test_an_explained_answer_comes_back_as_the_bundle_that_it_was(answer: Bundle) -> None:
    assert bundle_from_json(sent(answer, explain=True), answer.query) == rounded(answer)


@pytest.mark.parametrize("explain", [True, False])
def test_what_came_back_is_written_as_it_was_read(explain: bool) -> None:
    answer = sent(bundle(), explain)
    assert bundle_to_json(bundle_from_json(answer, "how much is the rent?"), explain=explain) == answer


def test_the_product_of_the_factors_survives_the_journey_to_the_last_bit() -> None:
    back = bundle_from_json(sent(bundle(), explain=True), "rent")
    assert back.results[0].score.value == Score(FACTORS).value


def test_an_answer_without_reasons_has_one_factor_the_rounded_score() -> None:
    back = bundle_from_json(sent(bundle(), explain=False), "rent")
    assert back.results[0].score == Score((Factor("score", round(Score(FACTORS).value, 4), "not explained"),))


def test_json_of_another_kind_is_refused() -> None:
    with pytest.raises(KeyError, match="results"):
        bundle_from_json({"stores": []}, "rent")
