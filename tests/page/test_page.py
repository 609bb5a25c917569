"""The page in a real browser: what is seen, what the keyboard does, and that nothing of a memory becomes the page's."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from mmind.text.age import age_in_words
from tests.page.conftest import Shown

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

QUESTION = "gateway request timeout"
Page = Callable[[], Shown]


def seen(browser: Chrome, selector: str) -> list[WebElement]:
    """Waits until the selector finds something."""
    return WebDriverWait(browser, 60).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))


def asked(browser: Chrome, shown: Shown) -> None:
    browser.get(shown.address)
    seen(browser, "#q")[0].send_keys(QUESTION, Keys.ENTER)
    seen(browser, "#results li")


def test_the_answer_shows_the_conflict_side_by_side_with_the_words_that_differ(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    heading = seen(browser, ".conflict h2")[0].text
    assert "numeric" in heading
    assert "30 seconds" in heading
    sides = seen(browser, ".conflict section")
    assert [side.find_element(By.TAG_NAME, "h3").text for side in sides] == ["Trusted", "Against"]
    assert [mark.text for mark in sides[1].find_elements(By.TAG_NAME, "mark")] == ["30 seconds."]
    assert "harbour.md:6" in sides[1].text
    assert "old" in sides[1].text


def test_the_factors_multiply_to_the_score(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    first = seen(browser, "#results li")[0]
    summary = first.find_element(By.CSS_SELECTOR, "details summary")
    summary.click()
    product = 1.0
    for cell in first.find_elements(By.CSS_SELECTOR, ".factors tbody td.number"):
        product *= float(cell.text)
    assert product == pytest.approx(float(summary.text.split()[1].rstrip(":")), abs=0.002)


def test_the_page_counts_one_thing_as_one(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    script = "return [1, 2, 1200].map((count) => counted(count, 'record', 'records'))"
    assert browser.execute_script(script) == ["1 record", "2 records", "1,200 records"]
    seen(browser, "nav button[data-view=audit]")[0].click()
    told = seen(browser, "#audit p[role=status]")[0].text
    assert told == "1 record, and the chain holds: none was changed, removed or moved."


def test_a_memory_cannot_become_a_part_of_the_page(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    assert browser.title == "mmind"
    assert "<script>document.title='owned'</script> ␣timeout␣[31m." in browser.find_element(By.ID, "results").text
    assert browser.find_elements(By.TAG_NAME, "img") == []
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def test_a_memory_is_read_in_full_on_the_spot(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    box = seen(browser, "#results li details")[1]
    box.find_element(By.TAG_NAME, "summary").click()
    assert "# " in WebDriverWait(browser, 60).until(lambda _: box.find_element(By.CSS_SELECTOR, ".text").text)


def test_the_keyboard_alone_reaches_everything(browser: Chrome, page: Page) -> None:
    browser.get(page().address)
    seen(browser, "#q")
    assert browser.switch_to.active_element.get_attribute("id") == "q"
    names = []
    for _ in range(4):
        browser.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
        names.append(browser.switch_to.active_element.text)
    assert names[:3] == ["Audit trail", "Stores", "Search"]


def test_the_stores_and_the_audit_trail_are_shown(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    seen(browser, "[data-view=stores]")[0].click()
    assert [row.text for row in seen(browser, "#stores tbody th")] == [
        "markdown",
        "sqlite",
        "leveldb",
        "files",
        "vector",
    ]
    seen(browser, "[data-view=audit]")[0].click()
    assert "the chain holds" in seen(browser, "#audit [role=status]")[0].text
    assert "query" in seen(browser, "#audit tbody tr")[-1].text + seen(browser, "#audit tbody")[0].text


def test_slash_comes_back_to_the_question(browser: Chrome, page: Page) -> None:
    browser.get(page().address)
    seen(browser, "[data-view=stores]")[0].click()
    seen(browser, "#stores tbody tr")
    browser.find_element(By.TAG_NAME, "body").send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "q"


def test_nothing_is_fetched_from_elsewhere(browser: Chrome, page: Page) -> None:
    shown = page()
    asked(browser, shown)
    names = browser.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert names
    assert all(name.startswith(shown.origin) for name in names)


def test_the_program_ends_when_the_page_is_closed(browser: Chrome, page: Page) -> None:
    shown = page()
    asked(browser, shown)
    browser.get("about:blank")
    assert shown.process.wait(timeout=60) == 0


def test_a_reload_keeps_the_page(browser: Chrome, page: Page) -> None:
    shown = page()
    asked(browser, shown)
    browser.refresh()
    seen(browser, "#q")[0].send_keys(QUESTION, Keys.ENTER)
    assert seen(browser, "#results li")


@pytest.mark.parametrize("path", ["/", "/api/sources", "/api/retrieve?q=timeout", "/line", "/?token=wrong"])
def test_without_the_address_that_was_printed_nothing_is_told(page: Page, path: str) -> None:
    shown = page()
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(shown.origin + path, timeout=60)
    assert refusal.value.code == 403
    assert b"timeout is" not in refusal.value.read()
    refusal.value.close()


def test_the_address_is_good_once(page: Page) -> None:
    shown = page()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(shown.address, timeout=60) as first:
        assert first.status == 200
        policy = first.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(shown.address, timeout=60)
    assert refusal.value.code == 403
    refusal.value.close()


def test_a_wrong_question_is_one_line(page: Page) -> None:
    shown = page()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(shown.address, timeout=60).close()
    for words in ("q=", "q=x&limit=0", "q=x&limit=many"):
        with pytest.raises(urllib.error.HTTPError) as refusal:
            opener.open(f"{shown.origin}/api/retrieve?{words}", timeout=60)
        assert refusal.value.code == 400
        refusal.value.close()


def test_ages_are_told_as_everywhere_else_and_durations_in_whole_milliseconds(browser: Chrome, page: Page) -> None:
    asked(browser, page())
    told = {cell.get_attribute("datetime") or "": cell.text for cell in seen(browser, "#results time[datetime]")}
    dated = {datetime.fromisoformat(time): words for time, words in told.items() if time.startswith("2026-0")}
    assert len(dated) == 2
    for stated, words in dated.items():
        assert words in {age_in_words(stated, datetime.now(UTC) - lag) for lag in (timedelta(0), timedelta(minutes=2))}
    seen(browser, "[data-view=audit]")[0].click()
    more = [cell.text for cell in seen(browser, "#audit tbody td:last-child")]
    assert any(re.search(r"ms \d+\b(?!\.)", text) and re.search(r"\bresults \d", text) for text in more)
    assert not any(re.search(r"ms \d+\.", text) or " ," in text for text in more)
