"""The three fields of a passage, and the weight of a token in each."""

from __future__ import annotations

from mmind.text.fields import PassageTokens, passage_tokens, weighted


def test_a_passage_has_title_heading_and_body_tokens() -> None:
    fields = passage_tokens(
        "Pump house", ("Pumpenhaus",), ("water",), ("Harbour",), ("Restart", "By hand"), "Hold the key."
    )
    assert fields == PassageTokens(
        title="pump hous pumpenhaus", heading="restart by hand water harbour", body="hold the key"
    )


def test_a_tag_or_link_that_the_body_says_itself_adds_nothing() -> None:
    fields = passage_tokens("Raft", (), ("raft", "trip"), ("bananas",), (), "Buy [[bananas]] for the trip.")
    assert fields.heading == ""


def test_an_alias_that_repeats_the_title_adds_nothing() -> None:
    assert passage_tokens("Pump House", ("pump-house",), (), (), (), "").title == "pump hous pumphous"


def test_a_word_in_the_title_counts_twice_and_in_a_heading_one_and_a_half_times() -> None:
    counts, length = weighted(PassageTokens("pump", "pump valv", "pump pump key"), ("pump", "key", "absent"))
    assert counts == {"pump": 2.0 + 1.5 + 2.0, "key": 1.0}
    assert length == 2.0 + 2 * 1.5 + 3.0


def test_a_passage_without_tokens_has_no_counts_and_no_length() -> None:
    assert weighted(PassageTokens("", "", ""), ("pump",)) == ({}, 0.0)


def test_a_term_is_not_found_inside_a_longer_token() -> None:
    assert weighted(PassageTokens("", "", "pumpkin"), ("pump",))[0] == {}
