"""Steps with values: two recipes of one dish can disagree, two dishes cannot."""

from __future__ import annotations

import pytest

from mmind.text.directions import directed_contradictions, directions
from mmind.text.labels import subject

CONTRADICTIONS = [
    ("Plum cake", "Preheat to 180 C.", "Plum cake", "Preheat the oven to 200 C.", ("180 C", "200 C")),
    ("Apple pie", "1. Preheat the oven to 180 °C.\n2. Stir.", "Apple pie", "Preheat to 220°C", ("180 °C", "220°C")),
    ("Plum cake", "Preheat to 180 C.", "", "For the plum cake, preheat the oven to 200 C.", ("180 C", "200 C")),
    ("", "Banana bread: bake for 60 minutes.", "Banana bread", "Bake for 45 minutes.", ("60 minutes", "45 minutes")),
    ("Plum cake", "Bake for 40 minutes.", "Plum cake", "Bake the cake for 55 minutes.", ("40 minutes", "55 minutes")),
    (
        "Focaccia",
        "Let the dough rise for 2 hours.",
        "Focaccia",
        "Let the dough rise for 12 hours.",
        ("2 hours", "12 hours"),
    ),
    ("Metformin", "Take two tablets.", "Metformin", "Take one tablet.", ("two", "one")),
    ("API", "Set the pool size to 20.", "API", "Set the pool size to 50.", ("20", "50")),
    (
        "",
        "Water the monstera every 7 days.",
        "",
        "Water the monstera every 14 days.",
        ("every 7 days", "every 14 days"),
    ),
    ("Monstera", "Water the monstera weekly.", "", "Water the monstera every 14 days.", ("weekly", "every 14 days")),
]
COMPATIBLE = [
    ("two dishes", "Plum cake", "Preheat to 180 C.", "Pizza", "Preheat the oven to 250 C."),
    ("an unknown dish", "", "Preheat the oven to 180 C.", "", "Preheat the oven to 200 C."),
    ("a step beside another", "Plum cake", "Bake for 40 minutes.", "Plum cake", "Bake for another 10 minutes."),
    ("another thing", "Egg salad", "Boil the eggs for 6 minutes.", "Egg salad", "Boil the potatoes for 20 minutes."),
    ("of what", "Jam", "Add 200 g of sugar.", "Jam", "Add 350 g of plums."),
    ("another way", "Plum cake", "Preheat to 180 C.", "Plum cake", "Preheat to 160 C with the fan."),
    ("done several times", "Risotto", "Stir for 2 minutes.", "Risotto", "Stir for 5 minutes."),
    (
        "two risings of one dough",
        "Focaccia",
        "Let the dough rise for 2 hours.\nLet the dough rise for 30 minutes.",
        "Focaccia",
        "Let the dough rise for 2 hours.",
    ),
    ("within a range", "Plum cake", "Bake for 40 to 50 minutes.", "Plum cake", "Bake for 45 minutes."),
    ("two scales", "Plum cake", "Preheat to 356 F.", "Plum cake", "Preheat to 180 C."),
    ("a denial", "Plum cake", "Do not bake for 50 minutes.", "Plum cake", "Bake for 40 minutes."),
    ("a part of what", "", "For the dough, add 300 g of flour.", "", "For the dough, add 500 g of flour."),
    ("of two dishes", "Pizza", "For the dough, add 300 g of flour.", "Bread", "For the dough, add 500 g of flour."),
    ("two seasons", "", "Water the ferns every 2 days in summer.", "", "Water the ferns every 7 days in winter."),
    ("whose filter", "Aquarium", "Change the filter every 3 months.", "", "Change the filter every 6 months."),
    ("the same in other words", "", "Feed the cat twice a day.", "", "Feed the cat two times a day."),
    ("a question", "Plum cake", "Bake for 40 minutes?", "Plum cake", "Bake for 50 minutes."),
    ("a list of tasks", "Todo", "Set the alarm to 6.", "Todo", "Set the alarm to 7."),
]


def _told(title: str, text: str) -> tuple[frozenset[str], str]:
    return (subject(title, (), "") if title else frozenset()), text


@pytest.mark.parametrize(("title", "text", "other_title", "other", "values"), CONTRADICTIONS)
def test_two_steps_for_one_thing_with_other_values_cannot_both_be_right(
    title: str, text: str, other_title: str, other: str, values: tuple[str, str]
) -> None:
    ((left, right, found),) = directed_contradictions([_told(title, text), _told(other_title, other)])
    assert (left, right, found.kind, found.values) == (0, 1, "numeric", values)
    ((_, _, turned),) = directed_contradictions([_told(other_title, other), _told(title, text)])
    assert turned.values == values[::-1]


@pytest.mark.parametrize(("why", "title", "text", "other_title", "other"), COMPATIBLE)
def test_steps_that_can_both_be_right_raise_no_alarm(
    why: str, title: str, text: str, other_title: str, other: str
) -> None:
    assert directed_contradictions([_told(title, text), _told(other_title, other)]) == [], why


def test_a_step_goes_on_in_the_next_line_where_that_begins_with_a_small_letter() -> None:
    (step,) = directions("Preheat the oven\nto 180 C.")
    assert [term.text for term, _ in step.values] == ["180 C"]
    assert not directions("Bake for 40 minutes\nand for another 10 without foil.")


@pytest.mark.parametrize("heat", ["200 °C", "200°C", "200 C", "390 F"])
def test_a_step_ends_after_a_temperature(heat: str) -> None:
    assert [step.sentence for step in directions(f"Preheat to {heat}. Bake for 40 minutes.")] == [
        f"Preheat to {heat}.",
        "Bake for 40 minutes.",
    ]


def test_prose_has_no_steps() -> None:
    assert directions("We baked for 40 minutes. The bread takes 3 hours. Use of the hall costs 40 euros.") == ()
