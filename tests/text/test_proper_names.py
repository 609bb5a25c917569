"""Words that texts write as names of things."""

from __future__ import annotations

import pytest

from mmind.text.proper_names import names_of_things


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The upload limit of Osprey is 5 MB.", {"osprey"}),
        ("Heron is the picture service.", {"heron"}),
        ("We run it on Kestrel's old machine.", {"kestrel"}),
        ("We met.\nHarbour was our first client.", {"harbour"}),
        ("The rent is due. Rent is a nuisance.", set()),
        ("In the Kitchen we cook. The kitchen is small.", set()),
        ("The limit of May was higher than on Monday, in Portugal.", set()),
        ("The key of Mrs Dahl is with Anna. Anna said so.", set()),
        ("The API of the VPN is on AWS.", set()),
        ("Die Miete des Hauses ist im Vertrag geregelt, und der Vermieter wohnt nebenan.", set()),
        ("", set()),
    ],
)
def test_a_capital_inside_a_sentence_names_a_thing(text: str, names: set[str]) -> None:
    assert names_of_things([text]) == {*names}


def test_what_another_text_writes_small_is_no_name() -> None:
    assert names_of_things(["He came by the Lease office.", "Two leases ended."]) == frozenset()
