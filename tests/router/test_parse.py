"""Step 1: arguments hold, or the error names them (spec M2.13)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mmind.router import parse
from mmind.text.tokens import query_terms
from mmind.values.errors import BadRequest


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_a_blank_query_is_refused_by_name(query: str) -> None:
    with pytest.raises(BadRequest, match="query: is blank"):
        parse.parse_text(query)


def test_a_long_query_is_legal_and_an_endless_one_is_not() -> None:
    assert len(parse.parse_text("tide bell " * 1000)) == 9_999
    with pytest.raises(BadRequest, match="at most 32,000"):
        parse.parse_text("x" * 32_001)


@pytest.mark.parametrize("query", ["\0", " \0\0 "])
def test_a_query_of_nul_alone_is_a_text_without_words_and_no_error(query: str) -> None:
    assert query_terms(parse.parse_text(query)) == ()


def test_nul_and_lone_surrogates_are_replaced() -> None:
    assert parse.clean("slu\0ice \ud83d") == "slu ice ?"


@pytest.mark.parametrize("value", [0, -5, 51, 1_000_000, 2.5, "5", None, True])
def test_a_number_out_of_range_is_refused_by_name(value: object) -> None:
    with pytest.raises(BadRequest, match="limit: must be a whole number from 1 to 50"):
        parse.parse_number("limit", value, 1, 50)  # type: ignore[arg-type]


def test_stores_are_checked_and_empty_means_all() -> None:
    assert parse.parse_stores((), ("a", "b")) == ("a", "b")
    assert parse.parse_stores(("b", "b"), ("a", "b")) == ("b",)
    with pytest.raises(BadRequest, match="no store 'c'; known: a, b"):
        parse.parse_stores(("c",), ("a", "b"))


@pytest.mark.parametrize(
    ("name", "value", "moment"),
    [
        ("since", "2026-05-31", datetime(2026, 5, 31, tzinfo=UTC)),
        ("until", "2026-05-31", datetime(2026, 5, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("until", "2026-05-31T10:00:00+02:00", datetime(2026, 5, 31, 8, tzinfo=UTC)),
        ("since", datetime(2026, 5, 31, 8), datetime(2026, 5, 31, 8, tzinfo=UTC)),  # noqa: DTZ001 - naive on purpose
    ],
)
def test_times_become_utc_and_bare_dates_include_their_day(name: str, value: object, moment: datetime) -> None:
    assert parse.parse_time(name, value) == moment  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["yesterday", "2026-13-01", "31.05.2026", "0000-00-00"])
def test_what_is_no_time_is_refused_with_an_example(value: str) -> None:
    with pytest.raises(BadRequest, match=r"since: not a date or time.*2026-05-31"):
        parse.parse_time("since", value)


def test_tags_lose_their_hash_and_labels_their_line_breaks() -> None:
    assert parse.parse_tags(("#a", " b ", "a", "")) == ("a", "b")
    assert parse.parse_label("title", "two\nlines\x1b[31m") == "two lines [31m"
