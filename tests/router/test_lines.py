"""Questions of several lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.router.candidate import Candidate
from mmind.router.lines import LINES_SHARE, MOST_LINES, lines_of, with_lines
from mmind.router.parse import Request
from mmind.router.retrieve import embed
from tests.router.build import candidate

GREETING, LINE = "Hello again, my friend!", "Where did we put the spare key?"


def at(cosine: float | None, vector: list[float] | None) -> Candidate:
    made = candidate("a note", cosine=cosine)
    return replace(made, hit=replace(made.hit, vector=vector))


@pytest.mark.parametrize("text", ["", LINE, f"{LINE}\n", f"{LINE}\nyes\n\nok then"])
def test_a_question_of_one_line_has_no_lines(text: str) -> None:
    assert lines_of(text) == []


def test_the_last_lines_of_a_long_dialogue_are_looked_at() -> None:
    spoken = [f"turn number {number} of many" for number in range(MOST_LINES + 7)]
    assert lines_of("\n".join(spoken)) == spoken[7:]


def test_lines_of_a_language_without_blanks_are_looked_at() -> None:
    spoken = ["明天的会议改到星期四上午了。", "好", "那我们需要重新订会议室吗？"]
    assert lines_of("\n".join(spoken)) == [spoken[0], spoken[2]]


def test_the_nearest_line_counts_half() -> None:
    near, far = with_lines([at(0.3, [1.0, 0.0]), at(0.3, [0.0, -1.0])], [[1.0, 0.0], [0.6, 0.8]])
    assert near.meaning == pytest.approx((1 - LINES_SHARE) * 0.3 + LINES_SHARE * 1.0)
    assert far.meaning == pytest.approx((1 - LINES_SHARE) * 0.3 + LINES_SHARE * 0.0)
    assert (near.cosine, far.cosine) == (0.3, 0.3)


@pytest.mark.parametrize("one", [at(None, [1.0, 0.0]), at(0.3, None), at(0.3, [1.0, 0.0, 0.0])])
def test_a_passage_whose_vector_cannot_be_compared_keeps_its_own_meaning(one: Candidate) -> None:
    assert with_lines([one], [[1.0, 0.0]]) == [one]


def test_without_lines_nothing_moves() -> None:
    hits = [at(0.3, [1.0, 0.0])]
    assert with_lines(hits, ()) == hits


def test_what_one_line_of_a_dialogue_asks_for_leads_by_more_than_by_the_whole() -> None:
    dialogue = (
        "The weather was lovely in the mountains today, with sun all day long.\n"
        "How nice, the mountains must have been full of people in such weather.\n"
        "By the way, which colour does my sister want for her bicycle?"
    )
    notes = ["My sister wants a green bicycle for her birthday.", "The ferry leaves at noon."]
    model = LocalEmbedder(PACKAGED)
    request = Request(
        text=dialogue, limit=10, stores=("sqlite",), since=None, until=None, tags=(), session="", max_tokens=1000
    )
    query, said = embed(request, model)
    vectors = model.embed(notes)
    hits = [at(float(vector @ query.vector), vector.tolist()) for vector in vectors]
    bicycle, ferry = with_lines(hits, query.lines)
    model.close()
    assert said == []
    lead = (bicycle.meaning or 0.0) - (ferry.meaning or 0.0)
    assert lead > (bicycle.cosine or 0.0) - (ferry.cosine or 0.0) + 0.05
    assert query.repeats["mountain"] == 2
