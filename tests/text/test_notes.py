"""What a note says about itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.text.notes import MOST_TAGS, NoteFacts, describe


@pytest.mark.parametrize(
    ("text", "name", "title", "aliases"),
    [
        ("---\ntitle: Lighthouse rota\n---\n# Other\n", "good.md", "Lighthouse rota", ("good",)),
        ("# The **one** title\n\n## Sub\n", "Folder/file.md", "The one title", ("file",)),
        ("Title\n=====\ntext", "file.md", "Title", ("file",)),
        ("# Summary\n# Motivation\n", "0001-private-fields.md", "0001-private-fields", ()),
        ("no heading", "Yellow fruit.md", "Yellow fruit", ()),
        ("---\ntitle:\n---\ntext", "nulls.md", "nulls", ()),
        ("---\ntitle: 2026-06-03\naliases: 7\n---\n", "dated.md", "2026-06-03", ("7", "dated")),
        ("---\naliases: [Pier, Jetty]\nalias: Quay, Wharf\n---\n", "x.md", "x", ("Pier", "Jetty", "Quay", "Wharf")),
        ("---\nTitle: Upper Key\nAliases: upper key\n---\n", "Upper Key.md", "Upper Key", ()),
        ("```\n# comment\n```\n", "a.b.markdown", "a.b", ()),
        ("", ".md", ".md", ()),
    ],
)
def test_the_title_is_the_front_matters_the_only_first_level_heading_or_the_files(
    text: str, name: str, title: str, aliases: tuple[str, ...]
) -> None:
    facts = describe(text, name)
    assert (facts.title, facts.aliases) == (title, aliases)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("---\ntags: pottery, glaze\n---\n", ("pottery", "glaze")),
        ("---\ntags: '#pottery #glaze'\n---\n", ("pottery", "glaze")),
        ("---\ntags:\n  - 2024\n  - true\n  - 1.0\n---\n", ("2024", "true", "1.0")),
        ("---\ntag: [area/sea, two words]\n---\n", ("area/sea", "two words")),
        ("---\ntags: [Kiln]\n---\n#kiln #Clay #clay\n", ("Kiln", "Clay")),
        ("# Head #inhead\n\n```bash\n#code\n```\n\n    #indented\n\n`#span` #real\n", ("inhead", "real")),
        ("```css\n#banner { color: #00aa88; }\n```\nTicket `#hold` https://x.example/p#setup #kiosk", ("kiosk",)),
        ("```dataview\nTABLE speed FROM #boats\n```\n%% #secret %%\n", ()),
        ("---\ntags: [broken\n---\n#real\n", ("real",)),
    ],
)
def test_tags_come_from_front_matter_and_prose_each_once(text: str, tags: tuple[str, ...]) -> None:
    assert describe(text, "note.md").tags == tags


def test_links_come_from_properties_and_prose_and_not_from_code() -> None:
    properties = 'author: "[[Ann Lee]]"\nrelated: ["[[Heron|bird]]"]'
    text = f"---\n{properties}\n---\nSee [[Pier]], `[[code]]` and ![[Diving store]].\n"
    assert describe(text, "note.md").links == ("Ann Lee", "Heron", "bird", "Pier", "Diving store")


def test_times_come_from_front_matter_and_the_file_name() -> None:
    text = "---\ncreated: 2025-01-02\nlastmod: 2025-03-04T05:06:07+01:00\ndate: 2025-02-03 08:30\n---\n"
    facts = describe(text, "Daily/2026-05-26 log.md")
    assert facts.created == datetime(2025, 1, 2, tzinfo=UTC)
    assert facts.updated == datetime(2025, 3, 4, 4, 6, 7, tzinfo=UTC)
    assert facts.date == datetime(2025, 2, 3, 8, 30, tzinfo=UTC)
    assert facts.day == datetime(2026, 5, 26, tzinfo=UTC)


def test_a_time_that_is_none_gives_way_to_the_next_key() -> None:
    facts = describe("---\nupdated: soon\nmodified: 2025-01-02\ncreated: []\n---\n", "note.md")
    assert (facts.updated, facts.created) == (datetime(2025, 1, 2, tzinfo=UTC), None)


def test_broken_front_matter_costs_the_metadata_and_is_named() -> None:
    facts = describe("---\ntitle: *Quarterly* review\n---\nThe review.\n", "star-title.md")
    assert facts.title == "star-title"
    assert facts.problem.startswith("front matter is not read: ")


def test_an_empty_note_is_described_by_its_name() -> None:
    assert describe("", "Harbour/empty.md") == NoteFacts(title="empty")


def test_a_file_of_hashes_has_a_bounded_number_of_tags() -> None:
    text = " ".join(f"#tag{number}x" for number in range(5000))
    assert len(describe(text, "note.md").tags) == MOST_TAGS


@given(st.text(max_size=300), st.text(max_size=40))
def test_any_note_is_described(text: str, name: str) -> None:
    facts = describe(text, name)
    names = [*facts.aliases, *facts.tags, *facts.links]
    assert all(found == " ".join(found.split()) and found for found in names)
    assert len({tag.casefold() for tag in facts.tags}) == len(facts.tags)
