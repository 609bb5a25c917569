"""The chain shows every edit (spec M4.2)."""

from __future__ import annotations

import json

import pytest

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
    lines = chain(3)
    assert walk([lines[0], lines[1][:40], lines[1], lines[2]]).holds
