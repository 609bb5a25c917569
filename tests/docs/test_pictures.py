"""The pictures of the docs show the numbers of today, and say what they show to those who cannot see them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from evals.plots import PICTURES, PLOTS, Picture

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("picture", PLOTS, ids=lambda picture: picture.name)
def test_a_picture_is_made_of_the_numbers_of_today(picture: Picture) -> None:
    assert picture.is_fresh(), f"{picture.path.name} shows other numbers: run `make plots`"


@pytest.mark.parametrize("picture", PLOTS, ids=lambda picture: picture.name)
def test_a_picture_stands_in_a_page_with_words_for_those_who_cannot_see_it(picture: Picture) -> None:
    pages = "\n".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))
    (alternative,) = re.findall(rf"!\[([^\]]*)\]\(pictures/{picture.path.name}\)", pages)
    assert len(alternative) > 40


def test_a_picture_of_other_numbers_is_told_from_a_fresh_one(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = {**PLOTS[1].numbers(), "floor": 0.5}
    stale = Picture(PLOTS[1].name, PLOTS[1].title, lambda: moved, PLOTS[1].draw)
    assert not stale.is_fresh()


def test_pictures_hold_no_date_and_stay_small() -> None:
    for picture in PLOTS:
        text = (PICTURES / picture.path.name).read_text("utf-8")
        assert "dc:date" not in text
        assert len(text) < 100_000
