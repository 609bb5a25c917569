"""The chain shows every edit (spec M4.2)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.audit.chain import Link, seal, walk


def chain(count: int) -> list[str]:
    lines, last = [], Link()
    for number in range(count):
        line, last = seal({"event": "query", "n": number}, last)
        lines.append(line)
    return lines


def test_an_untouched_chain_holds_and_counts_its_records() -> None:
    verdict = walk(chain(5))
    assert (verdict.holds, verdict.records, verdict.head.seq) == (True, 5, 5)


@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_edited_record_is_named(place: int) -> None:
    lines = chain(5)
    lines[place] = lines[place].replace('"event":"query"', '"event":"read"')
    assert walk(lines).broken_at == place + 1


def test_a_record_that_was_edited_and_sealed_anew_breaks_the_next_one() -> None:
    lines = chain(5)
    forged = {key: value for key, value in json.loads(lines[1]).items() if key not in {"hash", "seq", "prev", "v"}}
    lines[1], _ = seal({**forged, "n": 99}, Link(1, json.loads(lines[0])["hash"]))
    assert walk(lines).broken_at == 3


@pytest.mark.parametrize(
    ("name", "damage", "broken_at"),
    [
        ("deleted", lambda lines: lines[:2] + lines[3:], 3),
        ("repeated", lambda lines: lines[:3] + lines[2:], 4),
        ("swapped", lambda lines: [lines[1], lines[0], *lines[2:]], 1),
    ],
)
def test_a_record_that_is_deleted_repeated_or_moved_shows(name: str, damage, broken_at: int) -> None:  # type: ignore[no-untyped-def]
    verdict = walk(damage(chain(5)))
    assert (verdict.holds, verdict.broken_at) == (False, broken_at), name


def test_a_torn_line_between_two_records_is_passed_over() -> None:
    """Wherever it is cut: a full disk takes what fits, be it past the record's own number."""
    first, link = seal({"event": "query"}, Link())
    second, link = seal({"event": "write", "note": 'a {"b":1} \\"', "writer": "user"}, link)
    third, link = seal({"event": "query"}, link)
    for length in range(1, len(second)):
        verdict = walk([first, second[:length], second, third])
        assert (verdict.holds, verdict.torn) == (True, 1), second[:length]


LINES = chain(12)


@given(place=st.integers(0, 11), data=st.data())
@settings(max_examples=400, deadline=None)
def test_any_byte_that_is_changed_is_found_at_its_record(place: int, data: st.DataObject) -> None:
    line = LINES[place]
    byte = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.sampled_from([letter for letter in 'a0Z"{},: \\' if letter != line[byte]]))
    verdict = walk([*LINES[:place], line[:byte] + other + line[byte + 1 :], *LINES[place + 1 :]])
    if place == 11 and verdict.holds:  # the last line is no record any more: the head file tells of it
        assert (verdict.head.seq, verdict.torn) == (11, 1)
    else:
        assert (verdict.holds, verdict.broken_at) == (False, place + 1)


@given(place=st.integers(0, 11), insertion=st.sampled_from([" ", '"event":"read",', '"hash":"0",', "\t", "é"]))
def test_not_even_a_space_or_a_second_field_can_be_added(place: int, insertion: str) -> None:
    line = LINES[place]
    at = line.index("{") + 1
    changed = line[:at] + insertion + line[at:]
    assert walk([*LINES[:place], changed, *LINES[place + 1 :]]).broken_at == place + 1


@given(first=st.integers(0, 10), damage=st.sampled_from(["delete", "repeat", "swap"]))
def test_any_record_that_is_deleted_repeated_or_moved_is_named(first: int, damage: str) -> None:
    record, following = LINES[first], LINES[first + 1]
    parts = {"delete": [following], "repeat": [record, record, following], "swap": [following, record]}[damage]
    verdict = walk([*LINES[:first], *parts, *LINES[first + 2 :]])
    assert (verdict.holds, verdict.broken_at) == (False, first + 2 if damage == "repeat" else first + 1)
