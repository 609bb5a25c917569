"""Passages: where a text is cut, which lines they claim, and what is left out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.text.passages import LARGEST, cut
from mmind.values.memory import Passage, TextFormat

MARKDOWN, PLAIN = TextFormat.MARKDOWN, TextFormat.PLAIN
SENTENCE = "The clerk read the minutes and the members looked out at the rain over the pier. "


def said(text: str, format: TextFormat = MARKDOWN) -> list[tuple[tuple[str, ...], int, int, str]]:
    return [(found.heading, found.line_start, found.line_end, found.text) for found in cut(text, format)]


def test_each_section_is_a_passage_under_its_path_of_headings() -> None:
    text = "intro\n\n# Pump\n\nHold the key.\n\n## By hand\nTurn it.\n\n# Valve\nEast.\n"
    assert said(text) == [
        ((), 1, 1, "intro"),
        (("Pump",), 5, 5, "Hold the key."),
        (("Pump", "By hand"), 8, 8, "Turn it."),
        (("Valve",), 11, 11, "East."),
    ]


def test_a_heading_that_skips_levels_stands_under_what_is_above_it() -> None:
    text = "## Two\na\n#### Four\nb\n### Three\nc\n"
    assert [heading for heading, *_ in said(text)] == [("Two",), ("Two", "Four"), ("Two", "Three")]


def test_ordinals_count_from_nought() -> None:
    assert [found.ordinal for found in cut("a\n# b\nc\n# d\ne", MARKDOWN)] == [0, 1, 2]


def test_lines_count_from_the_first_line_of_front_matter() -> None:
    assert said("---\ntitle: Kiln\n---\n\nCone six.\n") == [((), 5, 5, "Cone six.")]


def test_code_stays_with_the_prose_around_it_and_its_comments_are_no_headings() -> None:
    text = "# Kiosk\n\n```bash\n# stop it\n\nsystemctl stop\n```\n\nWait for the lamp.\n"
    assert said(text) == [(("Kiosk",), 3, 9, "```bash\n# stop it\n\nsystemctl stop\n```\n\nWait for the lamp.")]


def test_a_heading_without_text_stands_for_itself() -> None:
    assert said("# Parent\n## Bare\n## Full\ntext") == [
        (("Parent", "Bare"), 2, 2, "## Bare"),
        (("Parent", "Full"), 4, 4, "text"),
    ]


def test_comments_and_queries_are_left_out_and_part_passages() -> None:
    text = (
        "Buy bananas.\n\n%% paid in cash %%\n\n```dataview\nTABLE speed\n```\n\nspeed:: 6 knots\n\n- [ ] book ^task-1\n"
    )
    assert said(text) == [((), 1, 1, "Buy bananas."), ((), 9, 11, "speed:: 6 knots\n\n- [ ] book ^task-1")]


def test_rules_around_a_section_are_left_out_and_rules_within_stay() -> None:
    assert said("---\n\na\n\n---\n\nb\n\n---\n") == [((), 3, 7, "a\n\n---\n\nb")]


def test_broken_front_matter_stays_searchable_as_it_was_written() -> None:
    text = "---\ndescription: Rules for exports: read these\n# no heading\n---\nBody.\n"
    assert said(text) == [
        ((), 2, 3, "description: Rules for exports: read these\n# no heading"),
        ((), 5, 5, "Body."),
    ]


def test_properties_that_state_a_fact_are_a_passage_and_fields_around_them_are_not() -> None:
    text = "---\ntitle: Pump house\nrating: 7\ntags: [water]\nloc:\n  - Remote\ncreated: 2024-01-02\n---\nBody.\n"
    assert said(text) == [((), 3, 6, "rating: 7\ntags: [water]\nloc:\n  - Remote"), ((), 9, 9, "Body.")]


@pytest.mark.parametrize(
    "stated",
    [
        "location: Zanzibar",
        "people: [[Steph Ango]]",
        "status: waiting for the landlord",
        "year: 1982",
        "source: https://kk.org/advice",
        "allergies:\n- none but nuts",
        "meta:\n  made: 2025-01-02",
        "summary: |\n  Restart the pump.",
        '"due date": 2024-05-01',
        "評価: 良い",
        "identity: a clerk",
    ],
)
def test_a_property_beside_a_body_is_found(stated: str) -> None:
    assert said(f"---\ntags: [water]\n{stated}\n---\nBody.\n")[0][3] == stated


@pytest.mark.parametrize(
    "silent",
    ["title: Kiln", "aliases:\n  - oven", "cssclasses: [wide]", "id: a7", "doubanId: 26614893", "note-uuid: kiln",
     "key: 6f1c2a34-9d0b-4c1e-8a55-0123456789ab", "rating:", "rating: null", "topics: []", 'cover: ""',
     "done: true", "flags: [yes, no]", "meta:\n  a:\n  b:", "rating: # of ten", "date created: 2024-01-02",
     "sr-due: 2024-01-02", "dg-publish: true", "cover: https://example.org/a.png"],
)  # fmt: skip
def test_a_property_without_a_fact_is_no_passage(silent: str) -> None:
    assert [passage for *_, passage in said(f"---\n{silent}\n---\nBody.\n")] == ["Body."]


@pytest.mark.parametrize(
    "nothing",
    ["![[Albums.base#Artist]]", "![](waves.png)", "-", "- [ ]", "1.", "rating:", "- due date::", "**for**:", "...",
     "> -\n\n* ![[Kiln]]"],
)  # fmt: skip
def test_a_section_that_says_nothing_is_left_out_with_its_label(nothing: str) -> None:
    assert [passage for *_, passage in said(f"{nothing}\n# Albums\n{nothing}\n# Valve\nEast.\n")] == ["East."]


def test_a_heading_in_words_over_nothing_said_stands_for_itself() -> None:
    assert said("# Call with Anna about the lease\n-\n# Valve\nEast.\n")[0] == (
        ("Call with Anna about the lease",), 1, 1, "# Call with Anna about the lease"
    )  # fmt: skip


def test_the_labels_and_embeds_of_a_note_of_views_are_one_passage() -> None:
    text = "---\ntags: [film]\n---\n## Best\n\n![[Films.base#Best]]\n\n## Last seen\n\n![[Films.base#Seen]]\n"
    assert [(start, end) for _, start, end, _ in said(text)] == [(4, 10)]


def test_an_embed_beside_prose_stays_with_it() -> None:
    assert said("For the raft trip:\n\n![[Diving store]]\n\n-\n\nEast.\n")[0][3].count("![[Diving store]]") == 1


@pytest.mark.parametrize("words", ["7", "é", "🎉", "due: 7", "[[Kiln]]", "![a kiln](a.png)", "how to fire the kiln:"])
def test_what_says_anything_is_kept(words: str) -> None:
    assert [passage for *_, passage in said(f"# Valve\n{words}\n# Lens\nEast.\n")] == [words, "East."]


def test_a_second_block_between_rules_is_ordinary_text() -> None:
    text = "---\npermalink: team/pump\n---\n\n---\nname: pump\nrestart after a power cut\n---\n\n# Pump\nKey.\n"
    assert "restart after a power cut" in said(text)[0][3]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("---\ntitle: Placeholder kiln shelf\n---\n", "title: Placeholder kiln shelf"),
        ("---\n---\n", "---\n---"),
        ("# Only a heading\n", "# Only a heading"),
        ("```dataview\nLIST\n```\n", "```dataview\nLIST\n```"),
        ("***\n", "***"),
        ("- [ ] \n", "- [ ]"),
        ("---\ntags: [kiln]\n---\n\n![[Kilns.base]]\n", "![[Kilns.base]]"),
        ("---\nrating:\n---\n", "rating:"),
        ("<!-- hidden -->\n", "<!-- hidden -->"),
    ],
)
def test_a_note_without_prose_still_has_one_passage(text: str, kept: str) -> None:
    assert [found.text for found in cut(text, MARKDOWN)] == [kept]


@pytest.mark.parametrize("format", [MARKDOWN, PLAIN])
@pytest.mark.parametrize("text", ["", "\n  \n", "\t\n\u3000\n"])
def test_a_blank_text_has_no_passage(text: str, format: TextFormat) -> None:
    assert cut(text, format) == []


def test_a_note_of_comments_alone_has_no_passage() -> None:
    assert cut("%% private %%\n", MARKDOWN) == []


def test_plain_text_has_no_headings() -> None:
    assert said("# not a heading\n\ntext", PLAIN) == [((), 1, 3, "# not a heading\n\ntext")]


def test_short_paragraphs_of_a_section_share_a_passage() -> None:
    assert len(cut("a\n\nb\n\nc\n", MARKDOWN)) == 1


def test_a_long_section_is_cut_between_paragraphs_into_even_parts() -> None:
    text = "\n\n".join([SENTENCE * 4] * 4)  # 1.2 times the largest passage
    found = cut(text, MARKDOWN)
    assert [(passage.line_start, passage.line_end) for passage in found] == [(1, 3), (5, 7)]


def test_a_long_paragraph_is_cut_between_lines() -> None:
    text = "\n".join([SENTENCE.strip()] * 40)
    assert all(passage.text.startswith("The clerk") and passage.text.endswith("pier.") for passage in cut(text, PLAIN))


def test_a_long_line_is_cut_where_a_sentence_ends() -> None:
    found = cut(SENTENCE * 40, PLAIN)
    assert len(found) > 2
    assert all(passage.text.endswith("pier.") for passage in found)
    assert {(passage.line_start, passage.line_end) for passage in found} == {(1, 1)}


def test_a_long_sentence_is_cut_between_words() -> None:
    found = cut("meadow " * 600, PLAIN)
    assert {word for passage in found for word in passage.text.split()} == {"meadow"}


def test_an_ideograph_takes_as_much_room_as_five_letters() -> None:
    found = cut("码头" * 600, PLAIN)
    assert [len(passage.text) for passage in found] == [LARGEST // 5] * 5 + [1200 - 5 * (LARGEST // 5)]


def test_the_last_line_of_a_giant_note_is_found() -> None:
    text = "# Meeting\n\n" + (SENTENCE + "\n\n") * 20_000 + "Decision: the lens goes to the museum in Velm.\n"
    last = cut(text, MARKDOWN)[-1]
    assert last.text.endswith("museum in Velm.")
    assert last.line_end == text.count("\n")


@pytest.mark.parametrize(
    "line",
    ["a" * 1_000_000, "a " * 500_000, "A b. " * 200_000, "备份" * 300_000, "a" + " " * 1_000_000 + "b",
     "\u0301" * 300_000, "`" * 500_000, "\ud800" * 200_000, "." * 500_000],
    ids=lambda line: ascii(line[:6]),
)  # fmt: skip
@pytest.mark.parametrize("format", [MARKDOWN, PLAIN])
def test_one_endless_line_is_cut_into_bounded_passages(line: str, format: TextFormat) -> None:
    found = cut(line, format)
    assert all(0 < len(passage.text) <= LARGEST for passage in found)
    assert sum(len(passage.text.replace(" ", "")) for passage in found) == len(line.replace(" ", ""))


def holds(text: str, found: Passage) -> bool:
    """Whether a passage stands word for word in the lines that it claims, and touches the first and last of them."""
    lines = text.split("\n")[found.line_start - 1 : found.line_end]
    shown = found.text.split("\n")
    return (
        found.text in "\n".join(lines) and len(lines) == len(shown) and shown[0] in lines[0] and shown[-1] in lines[-1]
    )


LINES = st.sampled_from(
    ["", "", "word", SENTENCE, SENTENCE * 20, "# One", "## Two", "```", "---", "%%", "%% x %%", "- item",
     "key: value", "title: x", "rating:", "![[x]]", "-",
     "备份" * 300, "~~~dataview", "    code", "> quote", "<!--", "-->", "===", "  ", "| a | b |", "|---|---|"]
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.lists(LINES, max_size=25).map("\n".join) | st.text(max_size=200), st.sampled_from([MARKDOWN, PLAIN]))
def test_passages_stand_word_for_word_in_their_lines_in_order_and_apart(text: str, format: TextFormat) -> None:
    found = cut(text, format)
    assert all(holds(text, passage) for passage in found)
    assert all(passage.text.strip() for passage in found)
    for before, after in pairwise(found):
        assert before.line_end <= after.line_start
        assert before.ordinal + 1 == after.ordinal


@settings(deadline=None, max_examples=200)
@given(st.lists(LINES, max_size=25).map("\n".join))
def test_plain_text_loses_no_word(text: str) -> None:
    kept = "".join(passage.text for passage in cut(text, PLAIN))
    assert "".join(kept.split()) == "".join(text.split())
