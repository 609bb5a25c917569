"""Every link leads somewhere, and no page tells of the machine that it was written on."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import PAGES, ROOT, name_of, prose

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HOSTS = {"semver.org", "127.0.0.1"}  # what the pages may point at: outside, and the reader's own machine
ADDRESS = re.compile(r"\bhttps?://[^\s)\"'`>]+")


def anchors(page: Path) -> set[str]:
    """The anchors that a renderer makes of the headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    found = []
    for link in LINK.findall(prose(page)):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        is_lost = not target.is_file() or (parts.fragment and parts.fragment not in anchors(target))
        found += [link] if is_lost else []
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_resolves(page: Path) -> None:
    assert broken(page) == []


def test_every_page_of_the_docs_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = {(page.parent / urlsplit(link).path).resolve() for link in LINK.findall(page.read_text("utf-8"))}
        waiting += [link for link in links if link in PAGES and link not in reached]
    assert set(PAGES) - reached == set()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_addresses_lead_to_known_hosts_only(page: Path) -> None:
    hosts = {urlsplit(address).hostname or "" for address in ADDRESS.findall(page.read_text("utf-8"))}
    assert {host for host in hosts if host not in HOSTS and "…" not in host} == set()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_names_a_folder_of_somebodys_machine(page: Path) -> None:
    folders = re.findall(r"(?:/home/|/Users/|/root\b|/work\b|/tmp\b|[A-Z]:\\\\?Users)\S*", page.read_text("utf-8"))
    assert folders == []
