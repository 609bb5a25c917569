"""Step 6, and the ranking that follows from it: who is trusted, why, and never below whom it contradicts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmind.embedding.choose import open_embedder
from mmind.router.assemble import Ranked
from mmind.router.candidate import Candidate
from mmind.router.conflicts import Dispute, find_disputes, is_about, newer_of, settling, shown_conflicts, whom_to_trust
from mmind.router.corroborate import corroborated
from mmind.router.group import Group, group_duplicates
from mmind.router.nearness import nearness
from mmind.router.second_look import Match
from mmind.router.settle import settled
from mmind.text.comparison import Contradiction
from mmind.text.tokens import STOP_WORDS, query_terms
from mmind.values.bundle import Factor, Score
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Trust
from mmind.values.ports import WordMatcher
from tests.router.build import NOON, candidate

BLUE = "The spare key of the boat shed hangs on the hook behind the blue door."
GREEN = "The spare key of the boat shed hangs on the hook behind the green door."
THIRTY = "The request timeout of the gateway is 30 seconds."
SIXTY = "The request timeout of the gateway is 60 seconds."
FOUND = Contradiction("numeric", (THIRTY, SIXTY), ("30 seconds", "60 seconds"), 0.9, "")


def nothing_differs(left: str, right: str) -> bool:
    return False


def test_a_changed_number_is_a_dispute_with_both_values() -> None:
    pair = [candidate(THIRTY, store="sqlite", days=10), candidate(SIXTY, store="files", days=1)]
    (dispute,) = find_disputes(pair, nearness(pair))
    assert dispute.found.kind == "numeric"
    assert {value.split()[0] for value in dispute.found.values} == {"30", "60"}
    assert dispute.trusted.passage.text == SIXTY


def test_memories_about_different_things_do_not_dispute() -> None:
    pair = [candidate(THIRTY), candidate("Tomatoes on the south wall ripen in August.", store="files")]
    assert not find_disputes(pair, nearness(pair))


@pytest.mark.parametrize(
    ("left", "right", "corrects", "trusted", "reason"),
    [
        ((Trust.CURATED, 400.0), (Trust.GENERATED, 1.0), "", "left", "kept although it is older"),
        ((Trust.CURATED, 1.0), (Trust.GENERATED, 400.0), "", "left", "curated by the user"),
        ((Trust.GENERATED, 10.0), (Trust.GENERATED, 1.0), "", "right", "newer of two"),
        ((Trust.CURATED, 10.0), (Trust.CURATED, 1.0), "right", "right", "own correction"),
        ((Trust.GENERATED, 1.0), (Trust.CURATED, 400.0), "left", "right", "agent-generated"),
        ((Trust.GENERATED, None), (Trust.GENERATED, None), "right", "right", "replaces the other"),
        ((Trust.GENERATED, None), (Trust.GENERATED, 3.0), "", "right", "it has a date and the other has none"),
        ((Trust.GENERATED, None), (Trust.GENERATED, None), "", "left", "and neither has a date"),
        (
            (Trust.GENERATED, 3.0),
            (Trust.GENERATED, 3.0),
            "",
            "left",
            "matches the question better, and both are equally old",
        ),
    ],
)
def test_whom_to_trust_and_why(
    left: tuple[Trust, float | None], right: tuple[Trust, float | None], corrects: str, trusted: str, reason: str
) -> None:
    one, other = candidate(THIRTY, trust=left[0], days=left[1]), candidate(SIXTY, trust=right[0], days=right[1])
    side, why = whom_to_trust(one, other, corrects)
    assert side is (one if trusted == "left" else other)
    assert reason in why


def test_a_disputed_pair_is_never_collapsed_however_alike_its_words_are() -> None:
    pair = [candidate(BLUE, store="markdown", score=0.9), candidate(GREEN, store="sqlite", score=0.8)]
    handles = (pair[0].memory.handle, pair[1].memory.handle)
    assert len(group_duplicates(pair, 0.5, nothing_differs, {handles})) == 2


def test_a_conflict_is_told_once_for_a_group_of_echoes_and_names_the_speakers() -> None:
    mine = candidate(BLUE, store="markdown", score=0.9, trust=Trust.CURATED)
    echoes = [candidate(GREEN, store=store, score=0.8) for store in ("sqlite", "vector")]
    disputes = [Dispute(mine, echo, FOUND, mine, "it is curated") for echo in echoes]
    shown = [Ranked(Group((mine,)), mine.score), Ranked(Group(tuple(echoes)), echoes[0].score)]
    (conflict,) = shown_conflicts(disputes, shown, ())
    assert conflict.ids == (mine.memory.handle, echoes[0].memory.handle)
    assert conflict.trusted == mine.memory.handle


def test_a_conflict_off_the_page_is_not_told() -> None:
    pair = candidate(THIRTY), candidate(SIXTY, store="files")
    other = candidate("tide bell", store="vector", score=0.9)
    assert not shown_conflicts([Dispute(*pair, FOUND, pair[0], "")], [Ranked(Group((other,)), other.score)], ())


@settings(deadline=None, max_examples=15)
@given(copies=st.integers(1, 1000), lead=st.floats(0.01, 100))
def test_copies_however_many_never_outrank_one_curated_contradiction(copies: int, lead: float) -> None:
    """R17."""
    mine = candidate(BLUE, store="markdown", score=0.01, trust=Trust.CURATED, days=4000)
    stores = ("sqlite", "leveldb", "vector", "files")
    echoes = [candidate(GREEN, store=stores[n % 4], id=str(n), score=0.01 * lead) for n in range(copies)]
    groups = group_duplicates(echoes, 0.82, nothing_differs)
    ranked = [Ranked(group, corroborated(group, 0.12)) for group in groups] + [Ranked(Group((mine,)), mine.score)]
    first = settled(ranked, [Dispute(mine, echo, FOUND, mine, "curated") for echo in echoes[:50]])[0]
    assert first.group.best is mine


def test_a_chain_of_corrections_ends_with_the_newest_first() -> None:
    steps = [
        candidate(f"The limit is {n}0.", id=str(n), score=score, days=10 - n) for n, score in enumerate((0.9, 0.8, 0.3))
    ]
    disputes = [Dispute(steps[old], steps[new], FOUND, steps[new], "newer") for old, new in ((0, 1), (1, 2), (0, 2))]
    order = settled([Ranked(Group((one,)), one.score) for one in steps], disputes)
    assert [one.group.best.memory.id for one in order] == ["2", "1", "0"]


def test_what_was_lowered_says_by_whom_and_its_score_is_still_the_product() -> None:
    old, new = candidate(THIRTY, id="old", score=0.9), candidate(SIXTY, id="new", score=0.5)
    loser = settled([Ranked(Group((one,)), one.score) for one in (old, new)], [Dispute(old, new, FOUND, new, "newer")])[
        1
    ]
    assert loser.score.factors[-1].name == "contradicted"
    assert "sqlite:new says otherwise" in loser.score.factors[-1].reason
    assert loser.score.value == pytest.approx(0.4995)


def weighed(one: Candidate, blend: float, value: float) -> Ranked:
    """A group of one whose relevance was lowered from `blend` for being less to the point."""
    relevance = Factor("relevance", value, "words and meaning", {"blend": blend})
    score = Score((relevance,))
    return Ranked(Group((replace(one, score=score),)), score)


def test_what_is_contradicted_meets_the_trusted_one_half_way_up_and_does_not_sink_to_it() -> None:
    old, new = candidate(THIRTY, id="old"), candidate(SIXTY, id="new")
    found = settled([weighed(old, 0.9, 0.9), weighed(new, 0.4, 0.05)], [Dispute(old, new, FOUND, new, "newer")])
    assert [one.group.best.memory.id for one in found] == ["new", "old"]
    assert [round(one.score.value, 3) for one in found] == [0.4, 0.4]
    assert found[0].score.factors[-1].name == "trusted"


def test_one_that_contradicts_several_is_lifted_once_and_never_past_its_own_words_and_meaning() -> None:
    new, losers = candidate(SIXTY, id="new"), [candidate(THIRTY, id="low"), candidate(THIRTY, id="high", store="files")]
    groups = [weighed(new, 0.4, 0.05), weighed(losers[0], 0.5, 0.1), weighed(losers[1], 0.9, 0.9)]
    found = settled(groups, [Dispute(one, new, FOUND, new, "newer") for one in losers])
    assert (found[0].group.best.memory.id, round(found[0].score.value, 3)) == ("new", 0.4)


def test_a_note_about_something_else_settles_nothing() -> None:
    """Its contradiction is of another sentence than the one that answers."""
    old, new = candidate(THIRTY, id="old"), candidate(SIXTY, id="new")
    found = settled([weighed(old, 0.9, 0.9), weighed(new, 0.1, 0.004)], [Dispute(old, new, FOUND, new, "newer")])
    assert [one.score.value for one in found] == [0.9, 0.004]


def test_a_conflict_between_near_misses_is_not_told() -> None:
    pair = candidate(THIRTY, lexical=0.1, score=0.2), candidate(SIXTY, store="files", lexical=0.1, score=0.2)
    shown = [Ranked(Group((one,)), one.score) for one in pair]
    assert not shown_conflicts([Dispute(*pair, FOUND, pair[0], "")], shown, ())


@pytest.mark.parametrize(("query", "told"), [("request timeout of the gateway", 1), ("launch of the Osprey", 0)])
def test_a_conflict_in_another_sentence_than_the_one_that_answers_is_not_told(query: str, told: int) -> None:
    launch = " The launch of the Osprey is in spring."
    pair = candidate(THIRTY + launch, score=0.9), candidate(SIXTY + launch, store="files", score=0.8)
    shown = [Ranked(Group((one,)), one.score) for one in pair]
    assert len(shown_conflicts([Dispute(*pair, FOUND, pair[0], "")], shown, query_terms(query))) == told


TALK = "Present: Ingrid, me. " + SIXTY + " The gate at Fjordvik jams when it rains, says the gateway team."


@pytest.mark.parametrize(
    ("query", "told"),
    [("the request timeout of the gateway", 1), ("when does the gate at Fjordvik jam", 0), ("gateway team", 0)],
)
def test_a_conflict_is_told_where_no_other_sentence_of_its_passage_holds_more_of_the_question(
    query: str, told: int
) -> None:
    pair = candidate(TALK, score=0.9), candidate(THIRTY, store="files", score=0.8)
    shown = [Ranked(Group((one,)), one.score) for one in pair]
    found = find_disputes(pair, nearness(pair), query_terms(query))
    assert len(found) == 1
    assert len(shown_conflicts(found, shown, query_terms(query))) == told


def settles(disputes: list[Dispute], question: str) -> list[Dispute]:
    return settling(disputes, query_terms(question), question)


def test_a_conflict_about_another_sentence_does_not_lower_the_one_that_answers() -> None:
    pages = candidate(f"{THIRTY} No page needs more than four queries.", score=0.9, days=100)
    talk = candidate(f"{SIXTY} Ingrid needs a page.", store="files", score=0.3)
    (dispute,) = find_disputes([pages, talk], nearness([pages, talk]))
    assert dispute.trusted is talk
    assert settles([dispute], "how many queries does a page need") == []
    assert settles([dispute], "request timeout of the gateway") == [dispute]


@pytest.mark.parametrize(("question", "count"), [("when is the rent due", 0), ("how much is the rent", 1), ("rent", 1)])
def test_two_sums_settle_nothing_where_a_time_is_asked_for(question: str, count: int) -> None:
    old = candidate("The rent is 1,140 euros, due on the third working day.", score=0.9, days=100)
    new = candidate("From 1 October the rent is 1,195 euros.", store="files", score=0.5)
    (dispute,) = find_disputes([old, new], nearness([old, new]))
    assert len(settles([dispute], question)) == count


def test_what_an_agent_says_against_the_user_settles_only_what_was_asked_but_whatever_the_values_are() -> None:
    mine = candidate(f"{THIRTY} No page needs more than four queries.", trust=Trust.CURATED)
    (dispute,) = find_disputes([mine, theirs := candidate(SIXTY)], nearness([mine, theirs]))
    assert settles([dispute], "how many queries does a page need") == []
    assert settles([dispute], "who set the request timeout of the gateway") == [dispute]


def test_what_was_found_for_what_it_means_is_told_though_it_holds_no_word_of_the_question() -> None:
    pair = candidate(THIRTY, score=0.9), candidate(SIXTY, store="files", score=0.8)
    assert is_about(find_disputes(pair, nearness(pair))[0], query_terms("how long until it gives up"))


def at(kind: str, days: float, created: float | None = None) -> Candidate:
    """A note of the user's with a time of this kind, and where `created` is given made so many days ago."""
    one = candidate(THIRTY, id=f"{kind}{days}{created}", days=days, trust=Trust.CURATED, time_kind=kind)
    made = None if created is None else NOON - timedelta(days=created)
    return replace(one, hit=replace(one.hit, memory=replace(one.memory, created=made)))


@pytest.mark.parametrize(
    ("followed", "other", "reason"),
    [
        (at("front matter", 300), at("file mtime", 1), "it has a date and the other has only the time of its file"),
        (at("file name", 300), at("file mtime", 300), "it has a date and the other has only the time of its file"),
        (at("file mtime", 1, 30), at("file mtime", 1, 90), "it has the later date of two memories of equal trust"),
        (at("front matter", 5, 30), at("file mtime", 1, 90), "it has the later date of two memories of equal trust"),
        (at("front matter", 300), at("file mtime", 1, 900), "it has the later date of two memories of equal trust"),
        (at("file mtime", 1, 100), at("file mtime", 1), "it has a date and the other has only the time of its file"),
    ],
)
def test_which_of_two_notes_is_followed_and_why_does_not_depend_on_the_question(
    followed: Candidate, other: Candidate, reason: str
) -> None:
    for side, why in (whom_to_trust(followed, other, ""), whom_to_trust(other, followed, "")):
        assert side is followed
        assert reason in why


def test_the_time_of_a_file_proves_no_note_newer_than_a_dated_one() -> None:
    copied, dated = at("file mtime", 1), at("front matter", 300)
    assert newer_of(dated, copied) is None
    assert whom_to_trust(dated, at("file mtime", 900), "")[0] is dated
    side, why = whom_to_trust(at("file mtime", 900), copied, "")
    assert side is copied
    assert "by the time of its file" in why


def weighings(first: float, second: float | None) -> Dispute:
    pair = [candidate("Rex weighs 31 kg.", days=first), candidate("Rex weighs 33 kg.", store="files", days=second)]
    (dispute,) = find_disputes(pair, nearness(pair))
    return dispute


def test_a_measure_that_changes_is_brought_up_to_date_by_a_later_one() -> None:
    dispute = weighings(100.0, 10.0)
    assert (dispute.found.kind, dispute.trusted.passage.text) == ("correction", "Rex weighs 33 kg.")
    assert "such a value changes" in dispute.reason


@pytest.mark.parametrize("second", [99.0, None], ids=["on the next day", "without a date"])
def test_two_measures_of_one_time_or_of_no_time_contradict_each_other(second: float | None) -> None:
    assert weighings(100.0, second).found.kind == "numeric"


def test_a_timeout_does_not_change_by_itself() -> None:
    pair = [candidate(THIRTY, days=100), candidate(SIXTY, store="files", days=10)]
    assert [one.found.kind for one in find_disputes(pair, nearness(pair))] == ["numeric"]


def test_a_property_is_held_against_a_sentence_that_names_the_note() -> None:
    bare = candidate("birthday: 1984-05-03", store="markdown")
    note = replace(bare, hit=replace(bare.hit, memory=replace(bare.memory, title="Anna")))
    other = candidate("Anna's birthday is on 4 May 1984.", store="files")
    (dispute,) = find_disputes([note, other], nearness([note, other]))
    assert (dispute.found.kind, dispute.found.sentences[0]) == ("temporal", "birthday: 1984-05-03")


FIRST = "The rent is due on the 1st of every month. The rent is 1,150 euros."
FIFTH = "The rent is 1,240 euros. The rent is due on the 5th of every month."
PORTS = "Port: 8080\nOwner: Kim\nTimeout: 30 s", "Port: 9090\nOwner: Tom\nTimeout: 60 s"


def asked(query: str, left: Candidate, right: Candidate) -> list[str]:
    """What the left one says in the conflicts that an answer with these two results tells, in its order."""
    pair, terms = [left, right], query_terms(query)
    shown = [Ranked(Group((one,)), one.score) for one in pair]
    return [one.values[0] for one in shown_conflicts(find_disputes(pair, nearness(pair), terms), shown, terms)]


@pytest.mark.parametrize(
    ("query", "values"),
    [("when is the rent due", ["1st", "1,150 euros"]), ("how many euros is the rent", ["1,150 euros", "1st"])],
)
def test_of_two_contradictions_between_two_memories_the_one_asked_about_is_told_first(
    query: str, values: list[str]
) -> None:
    assert asked(query, candidate(FIRST, score=0.9), candidate(FIFTH, store="files", score=0.8)) == values


def test_of_labels_that_differ_the_one_asked_about_is_told_first_and_at_most_two() -> None:
    pair = [candidate(text, id=text, score=0.9) for text in PORTS]
    left, right = (replace(one, hit=replace(one.hit, memory=replace(one.memory, title="Gateway"))) for one in pair)
    assert asked("who is the owner of the gateway", left, right)[0] == "Kim"
    assert len(find_disputes([left, right], nearness([left, right]), ())) == 3
    assert len(asked("gateway", left, right)) == 2


LENGTHS = ("The kayak is 5.2 m long.", "The kayak is 5.4 m long.")
WEIGHTS = ("The kayak weighs 24 kg.", "The kayak weighs 27 kg.")
PRICES = ("The kayak costs 900 euros.", "The kayak costs 1100 euros.")


def match_of_words(question: str) -> Match:
    """How well words match by what they mean, as the packaged model has it."""
    model = open_embedder("all-MiniLM-L6-v2", "", "")
    assert isinstance(model, WordMatcher)
    return functools.partial(model.match, question, STOP_WORDS)


def told(query: str, found: Sequence[Candidate], match: Match | None) -> list[str]:
    """What the conflicts of an answer with these results, best first, differ in."""
    terms = query_terms(query)
    disputes = find_disputes(found, nearness(found), terms)
    shown = [Ranked(Group((each,)), each.score) for each in found]
    return [one.values[0].split()[-1] for one in shown_conflicts(disputes, shown, terms, match)]


@pytest.mark.parametrize(
    ("query", "first"), [("kayak length", "m"), ("how heavy is the kayak", "kg"), ("kayak price", "euros")]
)
def test_of_conflicts_that_share_as_many_words_with_the_question_the_one_in_its_meaning_is_told_first(
    query: str, first: str
) -> None:
    """The page that answers contradicts a better ranked one in something else."""
    whole = candidate(" ".join((WEIGHTS[0], LENGTHS[0], PRICES[0])), id="whole", score=0.9)
    others = [candidate(pair[1], id=pair[1], score=0.8) for pair in (WEIGHTS, LENGTHS, PRICES)]
    assert told(query, [whole, *others], match_of_words(query))[0] == first
    assert told(query, [whole, *others], None) == ["kg", "m", "euros"]


@pytest.mark.parametrize(
    ("query", "first"), [("kayak length", "m"), ("how heavy is the kayak", "kg"), ("kayak price", "euros")]
)
def test_of_three_contradictions_between_two_memories_the_one_in_the_meaning_of_the_question_is_not_left_out(
    query: str, first: str
) -> None:
    pair = [candidate(" ".join(side), id=side[0], score=0.9) for side in zip(WEIGHTS, PRICES, LENGTHS, strict=True)]
    values = told(query, pair, match_of_words(query))
    assert (values[0], len(values)) == (first, 2)


def test_a_model_that_was_let_go_of_meanwhile_leaves_the_conflicts_in_the_order_of_the_results() -> None:
    def gone(texts: Sequence[str]) -> Sequence[float]:
        raise EngineUnavailable("it is gone")

    pair = [candidate(" ".join(side), id=side[0], score=0.9) for side in zip(WEIGHTS, LENGTHS, strict=True)]
    assert told("kayak", pair, gone) == told("kayak", pair, None) == ["kg", "m"]


def test_one_contradiction_said_twice_is_told_once() -> None:
    twice = THIRTY + " Remember that the request timeout of the gateway is 30 seconds."
    assert len(asked("request timeout", candidate(twice), candidate(SIXTY, store="files"))) == 1


def test_of_two_disputes_between_the_same_memories_the_one_asked_about_settles_their_order() -> None:
    one, other = candidate(FIRST, id="one", score=0.9), candidate(FIFTH, id="other", score=0.8)
    disputes = [Dispute(one, other, FOUND, other, "asked"), Dispute(one, other, FOUND, one, "not asked")]
    order = settled([Ranked(Group((each,)), each.score) for each in (one, other)], disputes)
    assert [each.group.best.memory.id for each in order] == ["other", "one"]
