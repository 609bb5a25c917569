"""An update stands above what it updates, and nothing else does."""

from __future__ import annotations

from mmind.router.assemble import Ranked
from mmind.router.candidate import Candidate
from mmind.router.group import Group
from mmind.router.nearness import Nearness
from mmind.router.settle import in_order
from mmind.router.updates import find_updates, lifted
from mmind.values.memory import Trust
from tests.router.build import candidate

QUERY = "where is staging currently hosted"
OLD = "Staging is hosted on the old rack."
NEW = "Staging moved to the new rack."


def near(candidates: list[Candidate], cosine: float) -> Nearness:
    """All candidates at one cosine from each other."""
    rows = {one.memory.handle: row for row, one in enumerate(candidates)}
    return Nearness(rows, [[cosine] * len(rows) for _ in rows])


def ranked(query: str, candidates: list[Candidate], cosine: float = 0.6) -> list[Ranked]:
    updates = find_updates(candidates, near(candidates, cosine), query)
    return in_order(lifted([Ranked(Group((one,)), one.score) for one in candidates], updates))


def texts(query: str, candidates: list[Candidate], cosine: float = 0.6) -> list[str]:
    return [one.group.speaker.passage.text for one in ranked(query, candidates, cosine)]


def test_the_move_answers_where_something_is_now() -> None:
    assert texts(QUERY, [candidate(OLD, days=90, score=0.8), candidate(NEW, days=3, score=0.4)]) == [NEW, OLD]


def test_the_lift_is_a_factor_that_names_what_is_updated() -> None:
    old = candidate("Lars is the treasurer of the club.", id="old", days=90, score=0.8)
    new = candidate("Mina became treasurer of the club.", id="new", days=3, score=0.4)
    first = ranked("who is the current treasurer of the club", [old, new])[0]
    assert first.score.factors[-1].name == "update"
    assert first.score.factors[-1].reason == "it brings sqlite:old up to date"
    assert 0.8 < first.score.value < 0.802


def test_of_a_chain_of_updates_the_newest_is_first() -> None:
    third = "Staging was migrated to a rented rack."
    chain = [candidate(third, days=1, score=0.2), candidate(OLD, days=90, score=0.8), candidate(NEW, days=3, score=0.4)]
    assert texts(QUERY, chain) == [third, NEW, OLD]


def test_a_new_version_of_the_part_updates_what_the_whole_runs_on() -> None:
    one = candidate("The booking page runs on Ruby 2.7.", days=90, score=0.8)
    two = candidate("Ruby upgraded to 3.1.", days=50, score=0.3)
    three = candidate("Ruby upgraded to 3.3.", days=5, score=0.2)
    found = texts("which version of Ruby does the booking page use", [one, two, three])
    assert found == [three.passage.text, two.passage.text, one.passage.text]


def test_steps_told_without_their_subject_follow_one_another() -> None:
    one = candidate("Logs are plain files on the server.", days=90, score=0.7)
    two = candidate("Migrated to Loki for logs.", days=50, score=0.6)
    three = candidate("Switched to VictoriaLogs.", days=5, score=0.1)
    found = texts("what is our current setup for logs", [one, two, three], 0.4)
    assert found == [three.passage.text, two.passage.text, one.passage.text]


def test_a_step_without_a_subject_goes_on_with_nothing_but_what_is_nearest() -> None:
    logs = candidate("Logs are plain files on the server.", id="logs", days=90, score=0.7)
    milk = candidate("We buy cow milk.", id="milk", days=90, score=0.1)
    step = candidate("Switched to oat milk.", id="step", days=5, score=0.2)
    rows = {"sqlite:logs": 0, "sqlite:milk": 1, "sqlite:step": 2}
    cosines = Nearness(rows, [[1.0, 0.0, 0.3], [0.0, 1.0, 0.5], [0.3, 0.5, 1.0]])
    found = find_updates([logs, step, milk], cosines, "what is our current setup for logs")
    assert [(one.new.memory.id, one.old.memory.id) for one in found] == [("step", "milk")]


def test_a_step_without_a_subject_in_another_store_goes_on_with_nothing() -> None:
    logs = candidate("Logs are plain files on the server.", days=90, score=0.7)
    step = candidate("Switched to VictoriaLogs.", store="leveldb", days=5, score=0.2)
    assert texts("what is our current setup for logs", [logs, step], 0.4)[0] == logs.passage.text


def test_an_older_change_lifts_nothing() -> None:
    assert texts(QUERY, [candidate(OLD, days=3, score=0.8), candidate(NEW, days=90, score=0.4)]) == [OLD, NEW]


def test_a_change_of_unknown_time_lifts_nothing() -> None:
    assert texts(QUERY, [candidate(OLD, days=3, score=0.8), candidate(NEW, days=None, score=0.4)]) == [OLD, NEW]


def test_the_time_of_a_file_makes_a_change_no_newer_than_a_statement_whose_time_is_known() -> None:
    old = candidate(OLD, days=90, score=0.8, time_kind="front matter")
    assert texts(QUERY, [old, candidate(NEW, days=3, score=0.4, time_kind="file mtime")]) == [OLD, NEW]
    old = candidate(OLD, days=90, score=0.8, time_kind="file mtime")
    assert texts(QUERY, [old, candidate(NEW, days=3, score=0.4, time_kind="file mtime")]) == [NEW, OLD]


def test_two_statements_of_one_sitting_do_not_update_one_another() -> None:
    assert texts(QUERY, [candidate(OLD, days=3, score=0.8), candidate(NEW, days=3, score=0.4)]) == [OLD, NEW]


def test_a_question_about_the_past_lifts_nothing() -> None:
    old, new = candidate(OLD, days=90, score=0.8), candidate(NEW, days=3, score=0.4)
    assert texts("where was staging hosted before", [old, new]) == [OLD, NEW]


def test_far_statements_lift_nothing() -> None:
    assert texts(QUERY, [candidate(OLD, days=90, score=0.8), candidate(NEW, days=3, score=0.4)], 0.2) == [OLD, NEW]


def test_without_vectors_nothing_is_lifted() -> None:
    old, new = candidate(OLD, days=90, score=0.8), candidate(NEW, days=3, score=0.4)
    assert find_updates([old, new], Nearness({}, []), QUERY) == []


def test_news_in_one_sentence_of_a_long_note_about_something_else_lifts_nothing() -> None:
    note = "Staging is slow in the mornings. The printer moved to the hall. Nobody knows where the toner is hosted."
    old, new = candidate(OLD, days=90, score=0.8), candidate(note, days=3, score=0.4)
    assert texts(QUERY, [old, new]) == [OLD, note]


def test_an_agents_update_never_stands_above_the_users_word() -> None:
    user = candidate(OLD, days=90, score=0.8, trust=Trust.CURATED)
    agent = candidate(NEW, days=3, score=0.4)
    assert texts(QUERY, [user, agent]) == [OLD, NEW]


def test_an_agents_update_of_an_agents_word_stays_below_the_users_word_on_the_same() -> None:
    agents = candidate("Staging is hosted on the old rack of the lab.", id="agents", days=95, score=0.9)
    user = candidate(OLD, id="user", days=90, score=0.8, trust=Trust.CURATED)
    update = candidate(NEW, id="update", days=3, score=0.4)
    found = ranked(QUERY, [agents, user, update])
    assert [one.group.speaker.memory.id for one in found] == ["agents", "user", "update"]
    assert 0.79 < found[2].score.value < 0.8


def test_the_users_update_stands_above_what_an_agent_said() -> None:
    agent = candidate(OLD, days=90, score=0.8)
    user = candidate(NEW, days=3, score=0.4, trust=Trust.CURATED)
    assert texts(QUERY, [agent, user]) == [NEW, OLD]


def test_an_update_that_stands_above_already_is_left_alone() -> None:
    found = ranked(QUERY, [candidate(NEW, days=3, score=0.9), candidate(OLD, days=90, score=0.8)])
    assert [one.score.value for one in found] == [0.9, 0.8]


def test_copies_of_what_is_updated_stay_below_the_update() -> None:
    old = candidate(OLD, id="a", days=90, score=0.8)
    twin = candidate(OLD, id="b", store="files", days=80, score=0.7)
    new = candidate(NEW, id="c", days=3, score=0.4)
    updates = find_updates([old, twin, new], near([old, twin, new], 0.6), QUERY)
    groups = [Ranked(Group((old, twin)), old.score), Ranked(Group((new,)), new.score)]
    assert [one.group.speaker.memory.id for one in in_order(lifted(groups, updates))] == ["c", "a"]


def test_a_step_that_shares_words_with_another_sentence_than_the_answer_goes_on_with_nothing() -> None:
    old = candidate("The ingest service writes to ClickHouse. The batch size is 2000.", id="old", days=90, score=0.8)
    step = candidate("Moved off ClickHouse to DuckDB.", id="step", days=3, score=0.1)
    assert texts("what is the current batch size", [old, step])[0] == old.passage.text
