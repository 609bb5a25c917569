"""Times as people and their tools write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.text.stamps import named_day, stamp


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-06-03", utc(2026, 6, 3)),
        (" 2026-6-3 ", utc(2026, 6, 3)),
        ("2026/06/03", utc(2026, 6, 3)),
        ("2026.06.03", utc(2026, 6, 3)),
        ("20260603", utc(2026, 6, 3)),
        ("202606030830", utc(2026, 6, 3, 8, 30)),
        ("20260603083015", utc(2026, 6, 3, 8, 30, 15)),
        ("20260603T083015Z", utc(2026, 6, 3, 8, 30, 15)),
        ("[[2026-06-03]]", utc(2026, 6, 3)),
        ("2026-06-03 08:30", utc(2026, 6, 3, 8, 30)),
        ("2026-06-03T08:30:15.123456", utc(2026, 6, 3, 8, 30, 15)),
        ("2026-06-03T08:30:15Z", utc(2026, 6, 3, 8, 30, 15)),
        ("2026-06-03T23:30:00-02:00", utc(2026, 6, 4, 1, 30)),
        ("2026-06-03 00:30 +0200", utc(2026, 6, 2, 22, 30)),
        ("2026-06-03 08:30:00 UTC", utc(2026, 6, 3, 8, 30)),
        ("2026-06-03 Wednesday", utc(2026, 6, 3)),
        ("2026-06-03, 8:30 pm", utc(2026, 6, 3, 20, 30)),
        ("Tuesday, September 12th 2023, 8:30:05 am", utc(2023, 9, 12, 8, 30, 5)),
        ("Tue, 12 Sep 2023 12:05:00 +0200", utc(2023, 9, 12, 10, 5)),
        ("3 June 2026", utc(2026, 6, 3)),
        ("June 3, 2026", utc(2026, 6, 3)),
        ("12 Sep 2023 12:00 am", utc(2023, 9, 12)),
        ("1694500000", utc(2023, 9, 12, 6, 26, 40)),
        ("1694500000123", utc(2023, 9, 12, 6, 26, 40)),
    ],
)
def test_a_written_time_is_read_as_utc(value: str, expected: datetime) -> None:
    assert stamp(value) == expected


@pytest.mark.parametrize(
    "value",
    ["", "soon", "2026", "7", "2026-13-01", "2026-02-30", "0001-01-01", "9999-12-31", "03/06/2026", "99999999", "25:00",
     "2026-06-03 25:00", "2026-06-03T08:30:00+99:00", "{{date}}", "<% tp.date.now() %>", "3 Nevember 2026",
     "2026-06-03 " * 50],
)  # fmt: skip
def test_nonsense_is_no_time(value: str) -> None:
    assert stamp(value) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2026-05-26", utc(2026, 5, 26)),
        ("2026-05-26 Meeting with Ann", utc(2026, 5, 26)),
        ("2026_05_26-log", utc(2026, 5, 26)),
        ("20260526", utc(2026, 5, 26)),
        ("202605261200 zettel", utc(2026, 5, 26)),
        ("Meeting 2026-05-26", None),
        ("2026-05", None),
        ("2026-05-266", None),
        ("2026-15-26", None),
        ("123456789012345", None),
        ("", None),
    ],
)
def test_a_daily_note_is_dated_by_the_start_of_its_name(name: str, expected: datetime | None) -> None:
    assert named_day(name) == expected


@given(st.text(max_size=80) | st.text(alphabet="0123456789-/:. TZ+amp,JunSep", max_size=40))
def test_any_value_is_a_time_in_utc_or_none(value: str) -> None:
    for found in (stamp(value), named_day(value)):
        assert found is None or found.utcoffset() == utc(2026, 1, 1).utcoffset()
