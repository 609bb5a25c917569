from __future__ import annotations

import json

import pytest
from textual.widgets import Input

from mmind.audit.chain import Verdict
from mmind.audit.reading import tail
from mmind.dashboard.ask_panel import AskPanel
from mmind.dashboard.audit_panel import AuditPanel, holds, verdict_in_words
from mmind.dashboard.rows import Rows
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.dashboard.driving import Driver, drive
from tests.dashboard.sample import NOW, Sample, dashboard


def test_a_question_is_answered_with_conflicts_passages_and_factors(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("slash")
        await driver.type("What is the gateway request timeout?")
        await driver.sees("results from", "≠", "trust #", "relevance", "= score")
        panel = driver.app.query_one(AskPanel)
        assert panel.asked is not None
        assert panel.asked.bundle is not None
        first, second = panel.asked.bundle.results[:2]
        await driver.sees(f"{first.score.value:.3f}")
        await driver.press("down")
        await driver.sees(second.title)
        await driver.press("slash")
        assert panel.query_one(Input).has_focus
        await driver.press("escape")
        assert panel.query_one(Rows).has_focus
        await driver.press("t")
        await driver.sees("What is the gateway request timeout?", "semantic weight")

    drive(dashboard(home), steps, (100, 40))


def test_nothing_relevant_is_said(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("slash")
        await driver.type("quantum chromodynamics")
        await driver.sees("nothing relevant")

    drive(dashboard(home), steps)


def test_a_near_miss_is_marked_as_one(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("slash")
        await driver.type("the notice of quantum chromodynamics about zebras")
        await driver.sees("near misses only", "weak · ")

    drive(dashboard(home), steps)


def test_the_log_is_shown_followed_filtered_and_held_still(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("l")
        panel = driver.app.query_one(AuditPanel)
        await driver.until(lambda: panel.records)
        await driver.press("f")
        for letter in "write":
            await driver.press(letter)
        await driver.until(lambda: panel.shown and all("write" in str(record) for record in panel.shown))
        await driver.sees("only with: write")
        await driver.press("enter", "up")
        await driver.press("escape")
        await driver.until(lambda: not panel.wanted)
        count = len(panel.records)
        with open_mind(None, home.environ, Door.AGENT, lambda: NOW) as mind:
            mind.retrieve("who is Jens")
        await driver.until(lambda: len(panel.records) > count)
        await driver.press("w")
        await driver.sees("standing still")
        await driver.press("w")
        await driver.sees("following")

    drive(dashboard(home), steps)


def test_verify_says_that_the_chain_holds_and_where_it_was_broken(home: Sample) -> None:
    log = home.home / "audit" / "audit.jsonl"

    async def steps(driver: Driver) -> None:
        await driver.press("l", "v")
        await driver.sees("the chain holds", "none changed or missing")
        lines = log.read_text().split("\n")
        record = json.loads(lines[1])
        assert record["seq"] > 1
        lines[1] = json.dumps({**record, "outcome": "edited"})
        log.write_text("\n".join(lines))
        await driver.press("v")
        await driver.sees(f"the chain is broken at record {record['seq']}")

    drive(dashboard(home), steps)


def test_an_empty_log_says_so(bare: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("l")
        await driver.sees("0 records shown", "nothing was asked or changed yet")

    app = dashboard(bare)
    app.look = lambda **_: None  # type: ignore[method-assign] # the first look at the stores would be logged
    drive(app, steps)
    assert tail(bare.home / "audit", 5) == []


@pytest.mark.parametrize(
    ("wanted", "does"),
    [("", True), ("WRITE", True), ("write sqlite", True), ("write files", False), ("-sqlite", False), ("-files", True)],
)
def test_a_record_holds_all_words_that_are_wanted_and_none_that_are_not(wanted: str, does: bool) -> None:
    assert holds({"event": "write", "store": "sqlite", "seq": 7}, wanted) is does


def test_a_verdict_is_one_sentence() -> None:
    from mmind.audit.chain import Link

    assert "holds" in str(verdict_in_words(Verdict(3, Link())))
    assert "record 1,002: cut" in str(verdict_in_words(Verdict(3, Link(), 1002, "cut")))
