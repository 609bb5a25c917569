"""The picture of the page in the docs: `python -m tests.page.picture` (or `make screenshots`) takes it anew.

Needs Chromium and its driver. It shows the sample vault in a home of its own; a picture of another machine differs in
its fonts, so a test holds the page's own file against what the picture was taken of (`WITNESS`).
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.page.conftest import CHROMIUM, DRIVER, FLAGS

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "pictures" / "page.png"
WITNESS = PICTURE.with_suffix(".sha256")
SHOWN = ROOT / "src" / "mmind" / "page" / "page.html"
QUESTION = "what is the gateway request timeout"


def digest() -> str:
    """What the picture was taken of: the page itself."""
    return hashlib.sha256(SHOWN.read_bytes()).hexdigest()


def take() -> None:
    """Start the page over the sample vault, ask it, open the first derivation, and keep the picture."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {"PATH": os.environ["PATH"], "HOME": folder, "MMIND_HOME": f"{folder}/data"}
        words = [sys.executable, "-m", "mmind", "page", "examples/vault", "--no-open"]
        subprocess.run([*words[:3], "index", "--vault", "examples/vault", "-q"], cwd=ROOT, env=environ, check=True)
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environ, cwd=ROOT) as process:
            assert process.stdout
            _photograph(process.stdout.readline().strip(), folder)
            process.terminate()
    WITNESS.write_text(digest() + "\n", encoding="ascii")


def _photograph(address: str, folder: str) -> None:
    assert CHROMIUM, "chromium is not installed"
    assert DRIVER, "chromedriver is not installed"
    options = Options()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS[:-1], "--window-size=1100,1000", f"--user-data-dir={folder}/profile"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    browser.get(address)
    browser.find_element(By.ID, "q").send_keys(QUESTION, Keys.ENTER)
    WebDriverWait(browser, 60).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#results li"))
    browser.find_element(By.CSS_SELECTOR, "#results details summary").click()
    browser.save_screenshot(str(PICTURE))
    browser.quit()


if __name__ == "__main__":
    take()
