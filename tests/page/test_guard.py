"""Who may look at the page."""

from __future__ import annotations

import pytest

from mmind.page.guard import COOKIE, Guard

HOST = {"host": "127.0.0.1:8811"}


@pytest.fixture
def guard() -> Guard:
    return Guard(8811)


def entered(guard: Guard) -> dict[str, str]:
    return {COOKIE: guard.exchange(guard.token)}


def test_a_token_is_good_once(guard: Guard) -> None:
    assert guard.exchange(guard.token)
    assert guard.exchange(guard.token) == ""


@pytest.mark.parametrize("token", ["", "x", "é", "0" * 43])
def test_a_wrong_token_opens_nothing_and_does_not_use_up_the_right_one(guard: Guard, token: str) -> None:
    assert guard.exchange(token) == ""
    assert guard.exchange(guard.token)


def test_who_has_the_session_is_answered(guard: Guard) -> None:
    cookies = entered(guard)
    assert guard.refusal(HOST, cookies) == ""
    assert guard.refusal({"host": "localhost:8811", "origin": "http://localhost:8811"}, cookies) == ""


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:8812"},
        {"host": "evil.example:8811"},
        {"host": "localhost.evil.example:8811"},
        {**HOST, "origin": "null"},
        {**HOST, "origin": "http://evil.example"},
        {**HOST, "origin": "https://127.0.0.1:8811"},
        {**HOST, "sec-fetch-site": "cross-site"},
        {**HOST, "sec-fetch-site": "same-site"},
    ],
)
def test_other_hosts_and_other_pages_are_refused_even_with_the_session(guard: Guard, headers: dict[str, str]) -> None:
    assert guard.refusal(headers, entered(guard))


@pytest.mark.parametrize("cookies", [{}, {COOKIE: ""}, {COOKIE: "guess"}])
def test_without_the_session_nothing_is_answered(guard: Guard, cookies: dict[str, str]) -> None:
    assert guard.refusal(HOST, cookies)
