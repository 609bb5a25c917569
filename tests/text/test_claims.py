"""Claims: what a sentence says, in a form that can be compared."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mmind.text.claims import Kind, Mode, read_claim, read_claims
from mmind.text.numbers import disjoint, quantities
from mmind.text.polarity import negations
from mmind.text.sentences import sentences, words
from mmind.text.times import apart, moments

MAY_2024 = datetime(2024, 5, 5, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("the cap is 9k", 9_000, 9_000, ""),
        ("the cap is 9,000", 9_000, 9_000, ""),
        ("nine thousand people", 9_000, 9_000, ""),
        ("two hundred and five dogs", 205, 205, ""),
        ("it weighs 1.5 GB", 1.5e9, 1.5e9, "bytes"),
        ("a 200MB file", 2e8, 2e8, "bytes"),
        ("at 100 Mbps", 1e8, 1e8, "bitrate"),
        ("costs €1.2m", 1_200_000, 1_200_000, "euro"),
        ("costs $29/month", 29, 29, "dollar"),
        ("25 % off", 25, 25, "percent"),
        ("5-10 min", 300, 600, "duration"),
        ("between 5 and 10 minutes", 300, 600, "duration"),
        ("about 50 people", 45, 55, ""),
        ("the third of 13 seasons", 3, 3, "ordinal"),
        ("in chapter 4", 4, 4, "name"),
        ("-5 °C outside", -5, -5, "celsius"),
    ],
)
def test_one_quantity_has_one_value_however_it_is_written(text: str, low: float, high: float, unit: str) -> None:
    first = quantities(words(text))[0]
    assert (first.low, first.high, first.unit) == (pytest.approx(low), pytest.approx(high), unit)


def test_at_least_and_up_to_leave_one_side_open() -> None:
    (at_least,) = quantities(words("at least 650 templates"))
    (exact,) = quantities(words("687 templates"))
    (up_to,) = quantities(words("up to 600 templates"))
    assert not disjoint(at_least, exact)
    assert disjoint(up_to, exact)


def test_no_one_and_the_one_count_nothing() -> None:
    assert quantities(words("No one came, and the one who did was one of us.")) == ()


def test_versions_are_no_decimals() -> None:
    (old,), (new,) = quantities(words("Python 3.1")), quantities(words("Python 3.10"))
    assert old.version == (3, 1)
    assert disjoint(old, new)


def test_a_version_does_not_differ_from_a_more_exact_one() -> None:
    (short,), (long,) = quantities(words("version 3.11")), quantities(words("v3.11.4"))
    assert not disjoint(short, long)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 12 March 2021", (2021, 3, 12, None, None)),
        ("on March 12, 2021", (2021, 3, 12, None, None)),
        ("on 2021-03-12", (2021, 3, 12, None, None)),
        ("in August", (None, 8, None, None, None)),
        ("since 1969", (1969, None, None, None, None)),
        ("at 14:30", (None, None, None, None, 870)),
        ("at 3 pm", (None, None, None, None, 900)),
        ("on Thursday", (None, None, None, 3, None)),
        ("we met yesterday", (2024, 5, 4, None, None)),
        ("three days ago", (2024, 5, 2, None, None)),
        ("last month", (2024, 4, None, None, None)),
        ("next year", (2025, None, None, None, None)),
    ],
)
def test_dates_and_times_are_read_absolute_and_from_when_it_was_said(
    text: str, expected: tuple[int | None, ...]
) -> None:
    (found,) = moments(words(text), MAY_2024)
    assert (found.year, found.month, found.day, found.weekday, found.minute) == expected


def test_yesterday_means_nothing_when_nobody_knows_when_it_was_said() -> None:
    assert moments(words("we met yesterday"), None) == ()


def test_a_month_does_not_differ_from_a_day_within_it() -> None:
    (month,), (day,) = moments(words("in March 2021"), None), moments(words("on 12 March 2021"), None)
    (later,) = moments(words("in April 2021"), None)
    assert not apart(month, day)
    assert apart(later, day)


def test_you_may_march_is_no_date() -> None:
    assert moments(words("You may march on."), MAY_2024) == ()


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The job is not allowed to write.", "allowed"),
        ("We don't use branches.", "use"),
        ("Nobody has access.", "access"),
        ("A man without a hat.", "hat"),
        ("It can't fly.", "fly"),
        ("The export fails to start.", "start"),
        ("We no longer deploy on Fridays.", "deploy"),
        ("Not all tests pass.", "all"),
    ],
)
def test_a_denial_knows_what_it_denies(text: str, denied: str) -> None:
    parts = words(text)
    assert [parts[negation.head].lower for negation in negations(parts)] == [denied]


@pytest.mark.parametrize("text", ["It is not only fast but small.", "No, that is right.", "It works, no doubt."])
def test_some_negators_deny_nothing(text: str) -> None:
    assert negations(words(text)) == ()


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("The cache is on.", Mode.ASSERTED),
        ("Is the cache on?", Mode.QUESTION),
        ("If the cache is on, reads are fast.", Mode.HYPOTHETICAL),
        ("Perhaps the cache is on.", Mode.HYPOTHETICAL),
        ('He wrote "the cache is on again".', Mode.QUOTED),
        ("Don't restart the worker.", Mode.INSTRUCTION),
    ],
)
def test_only_an_assertion_claims_something(text: str, mode: Mode) -> None:
    assert read_claim(text, None).mode is mode


def test_what_was_given_up_and_what_came_instead_are_read() -> None:
    claim = read_claim("The project has moved off PostgreSQL; the database is now MySQL because we know it.", None)
    assert claim.corrects
    assert claim.retired == {"postgresql"}
    assert claim.adopted == "MySQL"


def test_names_numbers_and_dates_are_told_apart() -> None:
    kinds = {term.text: term.kind for term in read_claim("Yesterday Anna sold 12 boats in Oslo on 3 May.", None).terms}
    assert kinds["Anna"] is Kind.NAME
    assert kinds["12"] is Kind.QUANTITY
    assert kinds["3 May"] is Kind.MOMENT
    assert kinds["boats"] is Kind.WORD


def test_sentences_leave_out_markdown_marks_and_code() -> None:
    text = "# Limits\n\n- The cap is **3.5 GB**, see v1.2.\n- Dr. Roe agrees.\n\n```\nx = 1. Y = 2.\n```\nDone."
    assert sentences(text) == ("Limits", "The cap is 3.5 GB, see v1.2.", "Dr. Roe agrees.", "Done.")


@pytest.mark.parametrize(
    "sentence",
    ["Start ist am 15. August in Oberstdorf.", "Wir wohnen im 2. Stock links.", "Vom 3. Mai bis zum 8. Juni ist zu."],
)
def test_a_german_ordinal_ends_no_sentence(sentence: str) -> None:
    assert sentences(f"{sentence} Die Hütte ist gebucht.") == (sentence, "Die Hütte ist gebucht.")


def test_a_number_in_english_ends_one() -> None:
    assert sentences("The shelf holds 12. March was cold.") == ("The shelf holds 12.", "March was cold.")


def test_front_matter_is_no_sentence_and_a_rule_at_the_top_hides_nothing() -> None:
    assert sentences("---\ncreated: 2022-08-05\n---\nThe cap is 3.") == ("The cap is 3.",)
    assert sentences("---\n\nThe cap is 3.")[-1] == "The cap is 3."


def test_chinese_sentences_end_at_their_own_full_stop() -> None:
    assert sentences("会议在星期二举行。请准时参加。") == ("会议在星期二举行。", "请准时参加。")


@pytest.mark.parametrize(
    "text", ["", "   ", "???", "²", "。", "\u0661\u0662", "…" * 50, "a" * 20_000, "-", "n't", "v", "1-2-3", "€"]
)
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(read_claims(text, MAY_2024), tuple)
