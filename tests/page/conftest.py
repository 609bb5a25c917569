"""The page as a process over a vault of the test's own, and a real browser that looks at it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from tests import warm_start
from tests.warm_start import WarmProcess

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1100,1200",
)
NOTES = {
    "harbour.md": "---\ndate: 2026-02-11\n---\n# Harbour\n\nThe gateway request timeout is 30 seconds.\n",
    "review.md": "---\ndate: 2026-04-14\n---\n# Review\n\nThe gateway request timeout is 60 seconds since last week.\n",
    "evil.md": "# <img src=x onerror=alert(1)>\n\n"
    "The gateway says <script>document.title='owned'</script> \u202etimeout\x1b[31m.\n",
}


@dataclass
class Shown:
    """A running page: its process and the address that it printed."""

    process: subprocess.Popen[str] | WarmProcess
    address: str

    @property
    def origin(self) -> str:
        return self.address.partition("/?")[0]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Callable[[], Shown]]:
    """Starts `mmind page`; what still runs after the test is ended."""
    vault = tmp_path / "notes"
    vault.mkdir()
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")
    started: list[Any] = []

    def start() -> Shown:
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "MMIND_HOME": str(tmp_path / "data"),
            "MMIND_EMBED_MODEL": "none",
        }
        process = warm_start.start(["page", str(vault), "--no-open"], environ, text=True, cwd=tmp_path)
        started.append(process)
        assert process.stdout
        return Shown(process, process.stdout.readline().strip())

    yield start
    for process in started:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A headless Chromium with a profile that was empty at its start."""
    if not (CHROMIUM and DRIVER):
        if os.environ.get("CI"):
            pytest.fail("CI must install chromium and chromium-driver")
        pytest.skip("chromium or chromedriver is not installed")
    options = Options()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """The Chromium of this session on an empty page, without cookies; what it logged before is forgotten."""
    chromium.execute_cdp_cmd("Network.clearBrowserCookies", {})
    chromium.get_log("browser")
    yield chromium
    chromium.get("about:blank")
