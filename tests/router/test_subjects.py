"""What a note is about, by its title and headings, decides which of its lines, steps and sentences meet another's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.candidate import Candidate
from mmind.router.conflicts import Dispute, find_disputes
from mmind.router.nearness import nearness
from mmind.router.subjects import named_alone
from tests.router.build import candidate


def noted(text: str, title: str = "", heading: tuple[str, ...] = (), store: str = "markdown") -> Candidate:
    bare = candidate(text, store=store, id=f"{store}-{title}-{'-'.join(heading)}-{len(text)}")
    memory, passage = replace(bare.memory, title=title), replace(bare.passage, heading=heading)
    return replace(bare, hit=replace(bare.hit, memory=memory, passage=passage))


def disputes(left: Candidate, right: Candidate) -> list[Dispute]:
    return find_disputes([left, right], nearness([left, right]))


@pytest.mark.parametrize(
    ("title", "heading", "named"),
    [
        ("Grafana", (), "Grafana"),
        ("Grafana", ("Grafana", "Details"), "Grafana"),
        ("Services", ("Services", "Grafana"), "Grafana"),
        ("", ("Grafana",), "Grafana"),
        ("Grafana", ("Grafana", "Staging"), ""),
        ("", (), ""),
    ],
)
def test_a_title_or_one_heading_alone_says_what_lines_tell_of(title: str, heading: tuple[str, ...], named: str) -> None:
    assert named_alone(noted("Port: 3000", title, heading)) == named


@pytest.mark.parametrize(("title", "heading"), [("Grafana", ()), ("Services", ("Grafana",)), ("", ("Grafana",))])
def test_a_port_below_a_heading_is_held_against_a_sentence_in_other_words(title: str, heading: tuple[str, ...]) -> None:
    (dispute,) = disputes(noted("Port: 3000", title, heading), candidate("Grafana is reachable on port 3001."))
    assert (dispute.found.kind, dispute.found.values) == ("numeric", ("3000", "3001"))


def test_two_recipes_of_one_dish_disagree_and_those_of_two_dishes_do_not() -> None:
    cake = noted("Preheat to 180 C.", "Plum cake")
    (dispute,) = disputes(cake, noted("Preheat the oven to 200 C.", "Recipes", ("Plum cake",)))
    assert dispute.found.values == ("180 C", "200 C")
    assert not disputes(cake, noted("Preheat the oven to 250 C.", "Pizza"))
    assert not disputes(cake, candidate("Preheat the oven to 250 C."))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("This command is an alias of choco install.", "This command is an alias of choco uninstall."),
        ("It is enabled by default.", "However, it is disabled by default."),
    ],
)
def test_what_points_to_its_own_note_contradicts_no_note_of_another_title(left: str, right: str) -> None:
    assert disputes(noted(left, "Mill"), noted(right, "Mill", store="files"))
    assert not disputes(noted(left, "Mill"), noted(right, "Barn"))


@pytest.mark.parametrize(
    ("titles", "said", "are_two"),
    [
        (("Room A", "Room B"), ("The room holds 12 people.", "The room holds 20 people."), True),
        (("Staging server", "Build server"), ("The server has 8 GB.", "The server has 16 GB."), True),
        (("Room A", "Room B"), ("Room A holds 12 people.", "Room A holds 20 people."), False),
        (("Choir 2026-03-01", "Choir 2026-03-08"), ("The choir meets at 9:30.", "The choir meets at 10:00."), False),
        (("Flat", "Money"), ("The rent is 890 euros.", "The rent is 940 euros."), False),
        (("Flat", "The flat"), ("The flat has 3 rooms.", "The flat has 4 rooms."), False),
    ],
)
def test_two_notes_whose_titles_say_which_one_may_say_other_things_of_it(
    titles: tuple[str, str], said: tuple[str, str], are_two: bool
) -> None:
    left, right = noted(said[0], titles[0]), noted(said[1], titles[1], store="files")
    assert bool(disputes(left, right)) is not are_two


def test_a_command_in_a_line_of_its_own_claims_nothing() -> None:
    left, right = "- Start:\n\n`docker compose up --build`", "- List:\n\n`docker compose ps`"
    assert not disputes(candidate(left), candidate(right))
    assert disputes(candidate("The `export` is enabled."), candidate("The `export` is disabled."))


KNOWN = "Osprey is the document store. The pictures of Heron are elsewhere. Kestrel is a fork of Osprey."


@pytest.mark.parametrize(
    ("left", "right", "are_two"),
    [
        (("Osprey", ""), ("Heron review, May", ""), True),
        (("Osprey limits", ""), ("2026-05 Heron", ""), True),
        (("Osprey", " Unlike Heron it compresses."), ("Heron review, May", ""), False),
        (("Osprey", ""), ("Osprey review", ""), False),
        (("Osprey", ""), ("Meeting in May", ""), False),
        (("Osprey", ""), ("Call with Heron", ""), False),
        (("Osprey", ""), ("", ""), False),
        (("Uploads", ""), ("Limits", ""), False),
    ],
)
def test_notes_that_are_filed_under_two_names_tell_of_two_things(
    left: tuple[str, str], right: tuple[str, str], are_two: bool
) -> None:
    mine, theirs = "The upload limit is 5 MB.", "The upload limit is 20 MB since Monday."
    notes = [noted(mine + left[1], left[0]), noted(theirs + right[1], right[0], store="files"), candidate(KNOWN)]
    assert bool(find_disputes(notes, nearness(notes))) is not are_two


def test_a_folder_says_of_which_thing_its_notes_tell() -> None:
    mine = candidate("The upload limit is 5 MB.", store="markdown", id="Projects/Osprey/limits.md")
    theirs = candidate("The upload limit is 20 MB.", store="markdown", id="Projects/Heron/limits.md")
    notes = [mine, theirs, candidate(KNOWN)]
    assert not find_disputes(notes, nearness(notes))
    assert find_disputes(notes[:2], nearness(notes))
