"""The labelled cases: that they are sound, and that no case that passed before fails now."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals.case import Case, Expected, Kept, read_cases
from evals.grade import Answered, Told, failures, rank_failures
from evals.run import BASELINE, Grade, grade_all, read_baseline, regressions, report

from mmind.values.memory import Trust

FAMILIES = {
    "abstention",
    "agreement",
    "correction",
    "corroboration",
    "duplicates",
    "identifiers",
    "labels",
    "languages",
    "long_notes",
    "negation",
    "non_conflicts",
    "numeric",
    "questions",
    "recency",
    "scopes",
    "spelling",
    "temporal",
    "trust",
}


def case_of(expected: Expected, *refs: str) -> Case:
    memories = tuple(Kept(ref=ref, store="sqlite", text=f"The {ref} one.") for ref in refs)
    return Case(name="test/it", why="it must", query="which one", memories=memories, expected=expected)


@pytest.mark.timeout(300)
def test_no_case_that_passed_when_the_baseline_was_recorded_fails_now() -> None:
    grades = grade_all(read_cases())
    worse = regressions(grades, read_baseline())
    assert not worse, f"\n{report(grades, worse)}"


def test_there_are_enough_cases_in_every_family() -> None:
    cases = read_cases()
    counts = {family: sum(case.family == family for case in cases) for family in {case.family for case in cases}}
    assert len(cases) >= 120
    assert set(counts) == FAMILIES
    assert min(counts.values()) >= 5


def test_a_fifth_of_the_cases_or_nearly_so_is_hard() -> None:
    cases = read_cases()
    assert 0.15 <= sum(case.hard for case in cases) / len(cases) <= 0.3


def test_both_halves_hold_a_fair_share_of_the_cases() -> None:
    cases = read_cases()
    assert 0.4 <= sum(case.half == "dev" for case in cases) / len(cases) <= 0.6


def test_every_case_says_why_in_a_sentence_and_expects_something() -> None:
    assert [case.name for case in read_cases() if len(case.why.split()) < 4 or case.expected == Expected()] == []


def test_every_store_holds_memories_of_some_case() -> None:
    stores = {memory.store for case in read_cases() for memory in case.memories}
    assert stores == {"markdown", "sqlite", "leveldb", "files", "vector"}


def test_every_case_stands_in_the_file_of_its_family_and_in_the_baseline() -> None:
    names = {case.name for case in read_cases()}
    assert {case.family for case in read_cases()} == {file.stem for file in (BASELINE.parent / "cases").glob("*.toml")}
    assert names == read_baseline().keys()


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    one = '[[case]]\nname = "a/b"\nwhy = "w"\nquery = "q"\nmemory = []\nexpect = {}\n'
    (tmp_path / "a.toml").write_text(one * 2, "utf-8")
    with pytest.raises(ValueError, match="cases named twice: a/b"):
        read_cases(tmp_path)


def test_an_expectation_about_a_memory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    text = '[[case]]\nname = "a/b"\nwhy = "w"\nquery = "q"\nmemory = []\nexpect = {first = "ghost"}\n'
    (tmp_path / "a.toml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match="a/b expects ghost, which it does not hold"):
        read_cases(tmp_path)


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    text = '[[case]]\nname = "a/b"\nwhy = "w"\nquery = "q"\nmemory = []\nexpect = {frist = "x"}\n'
    (tmp_path / "a.toml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match="Expected has no frist"):
        read_cases(tmp_path)


def test_a_vault_note_is_the_users_whoever_is_said_to_have_written_it() -> None:
    assert Kept(ref="a", store="markdown", text="x", by="agent").trust is Trust.CURATED
    assert Kept(ref="a", store="sqlite", text="x", by="agent").trust is Trust.GENERATED


def test_a_wrong_first_result_fails_in_words() -> None:
    case = case_of(Expected(first="new"), "old", "new")
    assert failures(case, Answered((("old",), ("new",)))) == ["first must be new, is old"]


def test_an_order_with_a_missing_member_fails() -> None:
    case = case_of(Expected(order=("new", "old")), "old", "new")
    assert failures(case, Answered((("new",),))) == ["order must be ['new', 'old'], ranks are [0, None]"]
    assert failures(case, Answered((("new",), ("old",)))) == []


def test_a_missing_a_false_and_a_wrongly_trusted_conflict_fail() -> None:
    pair = frozenset(("old", "new"))
    told = Answered((("new",), ("old",)), conflicts=(Told(pair, "numeric", frozenset(("old",))),))
    expected = Expected(conflicts=(("old", "new"),), trusts="new", kinds=("temporal",))
    case = case_of(expected, "old", "new")
    assert failures(case, Answered((("new",), ("old",)))) == ["conflict ['old', 'new'] is missing"]
    assert failures(case, told) == [
        "conflict ['new', 'old'] is of kind numeric, must be one of ['temporal']",
        "conflict ['new', 'old'] must trust new",
    ]
    quiet = case_of(Expected(quiet=True), "old", "new")
    assert failures(quiet, told) == ["no conflict may be told, told: [(['new', 'old'], 'numeric')]"]


def test_a_trusted_group_stands_for_each_of_its_members() -> None:
    told = (Told(frozenset(("a", "c")), "numeric", frozenset(("a", "b"))),)
    case = case_of(Expected(conflicts=(("a", "c"),), trusts="a"), "a", "b", "c")
    assert failures(case, Answered((("a", "b"), ("c",)), conflicts=told)) == []


def test_groups_that_melt_and_groups_that_fall_apart_fail() -> None:
    together = case_of(Expected(same=(("a", "b"),)), "a", "b")
    asunder = case_of(Expected(apart=(("a", "b"),)), "a", "b")
    assert failures(together, Answered((("a",), ("b",)))) == ["['a', 'b'] must be one result, ranks are [0, 1]"]
    assert failures(asunder, Answered((("a", "b"),))) == ["['a', 'b'] must be apart"]


def test_a_bonus_is_judged_both_ways() -> None:
    answer = Answered((("a",), ("b",)), corroborated=frozenset("a"))
    wrong = case_of(Expected(corroborated=("b",), uncorroborated=("a",)), "a", "b")
    assert failures(wrong, answer) == ["b must earn a bonus", "a must earn no bonus"]


def test_an_answer_that_should_say_nothing_was_found_fails_when_it_does_not() -> None:
    case = case_of(Expected(nothing=True), "a")
    assert failures(case, Answered((("a",),), relevant=True)) == ["must say that nothing relevant was found"]
    assert failures(case, Answered((("a",),), relevant=False)) == []


def test_the_ranks_alone_ignore_conflicts_and_groups() -> None:
    case = case_of(Expected(first="a", conflicts=(("a", "b"),), same=(("a", "b"),)), "a", "b")
    assert rank_failures(case, Answered((("a",), ("b",)))) == []


def test_only_a_case_that_passed_before_can_regress() -> None:
    case = case_of(Expected(first="a"), "a", "b")
    failing = Grade(case, ("first must be a, is b",), (), (), ())
    assert regressions([failing], {"test/it": True}) == [failing]
    assert regressions([failing], {"test/it": False}) == []
    assert regressions([failing], {}) == []
