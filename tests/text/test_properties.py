"""A label against a sentence: the title completes the line, and what the sentence says of it can contradict that."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mmind.text.properties import Noted, property_contradictions

SAID = datetime(2026, 3, 2, tzinfo=UTC)
CONTRADICTIONS = [
    ("temporal", "Anna", "birthday: 1984-05-03", "Anna's birthday is on 4 May 1984."),
    ("temporal", "Anna", "birthday: 1984-05-03", "Anna was born on 4 May 1984."),
    ("negation", "Shop", "status: closed", "The shop is open again."),
    ("negation", "Bike shop", "status: closed", "The bike shop is open again since Monday."),
    ("numeric", "Harbour", "Opening hours: 9 to 17", "The harbour opens at 8."),
    ("numeric", "Harbour", "Opening hours: 9:00-17:00", "The harbour opens at 8."),
    ("temporal", "Harbour", "- **Hours**: 9 - 17", "The harbour closes at 18:00."),
    ("numeric", "Rex", "weight: 31 kg", "Rex weighs 33 kg."),
    ("numeric", "Kayak", "- Length: 5.2 m", "The kayak is 5.4 m long."),
    ("numeric", "Server", "port: 8080", "The server's port is 9090."),
    ("correction", "Shop", "owner: Kim", "The owner of the shop is Tom."),
    ("correction", "Anna", "city: Leipzig", "Anna moved to Dresden."),
    ("numeric", "Gateway", "Port: 8080", "The gateway listens on port 9090."),
    ("numeric", "Metrics service", "Port: 443", "The metrics service is served on port 8443 since May."),
    ("numeric", "Uploader", "Timeout: 30 s", "The uploader times out after 60 seconds."),
    ("numeric", "Hall", "Capacity: 40", "The hall seats 60 people."),
    ("numeric", "Barrel", "Capacity: 200 litres", "The barrel holds 300 litres."),
    ("numeric", "Choir", "Members: 12", "The choir has 18 members."),
    ("numeric", "Lentil soup", "Servings: 4", "The lentil soup serves six."),
    ("numeric", "Flat", "Rent: 890 euros", "The flat costs 940 euros a month."),
    ("numeric", "Rent", "890 euros a month, due on the third working day.", "The rent is 940 euros since July."),
    ("temporal", "Essay", "Due: 2026-03-12", "The essay is due on 19 March 2026."),
    ("correction", "Cabin", "Owner: Mara", "The cabin belongs to Jonas."),
    ("negation", "Anna", "Relationship status: married", "Anna is single."),
    ("correction", "Front door", "Colour: green", "The front door is blue."),
]
COMPATIBLE = [
    ("another port", "Gateway", "Port: 8080", "The gateway exports metrics on port 9090."),
    ("another port", "Gateway", "Port: 8080", "The gateway connects to the database on port 5432."),
    ("a port beside it", "Gateway", "Port: 8080", "The gateway also listens on port 9090."),
    ("a port of that very note", "Gateway", "Port: 8080\nAdmin port: 9090", "The gateway listens on port 9090."),
    ("where", "Gateway", "Port: 8080", "The gateway listens on port 9090 in staging."),
    ("a past", "Gateway", "Port: 8080", "The gateway used to listen on port 9090."),
    ("which one", "Gateway", "Port: 8080", "The old gateway listens on port 9090."),
    ("how many came", "Hall", "Capacity: 40", "There were 60 people in the hall."),
    ("some of them", "Choir", "Members: 12", "The choir has 3 new members."),
    ("another sum", "Flat", "Rent: 890 euros", "Heating the flat costs 94 euros a month."),
    ("a price", "Flat", "Rent: 890 euros", "The flat costs 240,000 euros."),
    ("another rent", "Rent", "890 euros a month, due on Friday.", "The rent of the garage is 94 euros a month."),
    ("a side", "Door", "Colour: green", "The door is blue on the inside."),
    ("a whole name", "Cabin", "Owner: Mara", "The cabin belongs to Mara Lind."),
    ("one day", "Anna", "birthday: 1984-05-03", "Anna's birthday is on 3 May."),
    ("another day", "Anna", "birthday: 1984-05-03", "We celebrate Anna's birthday on 5 May."),
    ("another person", "Anna", "birthday: 1984-05-03", "Tom's birthday is on 5 May."),
    ("a part", "Shop", "status: closed", "The shop window is open."),
    ("some days", "Shop", "status: closed", "The shop is open on Mondays."),
    ("some days", "Harbour", "Opening hours: 9 to 17", "The harbour opens at 10 on Sundays."),
    ("a season", "Harbour", "Opening hours: 9 to 17", "In winter the harbour opens at 10."),
    ("one hour in two notations", "Harbour", "Opening hours: 9 to 17", "The harbour opens at 9:00."),
    ("one hour in two notations", "Harbour", "Opening hours: 9 to 17", "The harbour closes at 5."),
    ("a part", "Harbour", "Opening hours: 9 to 17", "The harbour office opens at 10."),
    ("a part", "Door", "state: locked", "The back door is unlocked."),
    ("another time", "Report", "deadline: 2026-03-01", "The report's deadline was 1 May 2025."),
    ("what should be", "Rex", "weight: 31 kg", "Rex should weigh 28 kg."),
    ("one spot", "Harbour", "depth: 4 m", "The harbour is 6 m deep at the pier."),
    ("a town and its country", "Anna", "city: Leipzig", "Anna lives in Germany."),
    ("with whom", "Anna", "city: Leipzig", "Anna lives with Ben."),
    ("one name", "Shop", "owner: Kim", "The shop's owner is Kim."),
    ("a passing label", "Shop", "updated: 2026-01-02", "The shop was updated on 3 May 2026."),
    ("an occasion", "Notes on the long weekend trip", "status: closed", "The long weekend trip notes are open."),
    ("a list of values", "Anna", "phone: 555 100\nphone: 555 200", "Anna's phone is 555 300."),
]


@pytest.mark.parametrize(("kind", "title", "line", "sentence"), CONTRADICTIONS)
def test_a_line_and_a_sentence_that_names_its_title_cannot_both_hold(
    kind: str, title: str, line: str, sentence: str
) -> None:
    note, elsewhere = Noted(title, line, SAID), Noted("", f"It rains. {sentence}", SAID)
    ((left, right, found),) = property_contradictions([note, elsewhere])
    assert (left, right, found.kind, found.sentences[1]) == (0, 1, kind, sentence)
    ((_, _, turned),) = property_contradictions([elsewhere, note])
    assert (turned.sentences, turned.values) == (found.sentences[::-1], found.values[::-1])


@pytest.mark.parametrize(("why", "title", "line", "sentence"), COMPATIBLE)
def test_a_line_and_a_sentence_that_can_both_hold_raise_no_alarm(
    why: str, title: str, line: str, sentence: str
) -> None:
    assert property_contradictions([Noted(title, line, SAID), Noted("", sentence, SAID)]) == [], why


def test_lines_of_which_nobody_can_tell_what_they_are_about_meet_no_sentence() -> None:
    assert property_contradictions([Noted("", "status: closed", None), Noted("", "The shop is open.", None)]) == []
