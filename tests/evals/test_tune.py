"""The sweeps grade what the product answers, and move what they name."""

from __future__ import annotations

import pytest
from evals.case import read_cases
from evals.run import graded
from evals.tune import KNOBS, Knob, rules_with, sweep

from mmind.config.rules import rules_of
from mmind.config.settings import load
from mmind.values.ports import Rules


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_of(load({}, None))


def test_cases_are_swept_as_the_product_answers_them() -> None:
    cases = [case for case in read_cases() if case.family in ("scopes", "trust")]
    swept = sweep(cases, ["half_lives"])["half_lives"]
    assert swept[1.0] == {case.name: not graded(case).router for case in cases}
    assert any(passes != swept[1.0] for passes in swept.values())


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_a_knob_at_its_default_moves_nothing_and_elsewhere_something_of_the_rules_or_a_constant(
    knob: Knob, rules: Rules
) -> None:
    assert rules_with(rules, knob, knob.default) == rules
    for value in set(knob.values) - {knob.default}:
        assert (rules_with(rules, knob, value) == rules) == (knob.module is not None)
