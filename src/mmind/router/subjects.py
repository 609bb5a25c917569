"""What a candidate's lines of labels and values tell of, and whether two candidates tell of two things."""

from __future__ import annotations

from typing import Final

from mmind.router.candidate import Candidate
from mmind.text.labels import PASSING, is_record, plain_words, subject
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.skimming import points

DATING: Final = PASSING | frozenset(map(lemma, (*vocabulary("months"), *vocabulary("weekdays"))))
MOST_DIGITS: Final = 3  # of a number that is no year
SPOKEN_WITH: Final = vocabulary("spoken with")


def subject_of(candidate: Candidate) -> frozenset[str]:
    """What the lines of a candidate's passage tell of, in lemmas: its title and headings.

    Notes called README or Index are told apart by the folder they lie in.
    """
    memory, passage = candidate.memory, candidate.passage
    about = subject(memory.title, passage.heading, passage.text)
    folder = memory.id.rpartition("/")[0].rpartition("/")[2]
    return about or (subject(folder, (), "") if folder else about)


def named_alone(candidate: Candidate) -> str:
    """The title or the one heading that alone says what a candidate's lines tell of, as written; "" where none does."""
    about = subject_of(candidate)
    names = (candidate.memory.title, *reversed(candidate.passage.heading))
    return next((name for name in names if name and about == subject(name, (), "")), "") if about else ""


def are_of_others(left: Candidate, right: Candidate) -> bool:
    """Whether two candidates have titles and these name different things."""
    return bool(left.memory.title and right.memory.title) and subject_of(left) != subject_of(right)


def speak_of_two(left: Candidate, right: Candidate, said: tuple[str, str]) -> bool:
    """Whether two sentences, left then right, speak of what their own notes are about, and these are two.

    They point to it (`It is …`), or name no more of a title than both titles hold: `The room …` in Room A and Room B.
    """
    if not are_of_others(left, right):
        return False
    if all(map(points, said)):
        return True
    mine, theirs = (_words(one.memory.title) for one in (left, right))
    if not (mine - theirs and theirs - mine) or any(map(_is_of_date, mine | theirs)):
        return False
    return all(mine & theirs & (named := _words(sentence)) and not (mine ^ theirs) & named for sentence in said)


def are_of_two_names(left: Candidate, right: Candidate, names: frozenset[str]) -> bool:
    """Whether two candidates are filed under two named things, and neither says a word of the other's.

    `names` are lemmas of what is known to name a thing. By title, headings and folder: `The upload limit is 5 MB`
    stands in a note Osprey, and `The upload limit is 20 MB` in one that is called `Heron review, May`.
    """
    mine, theirs = (_filed_under(one) & names for one in (left, right))
    if not (mine and theirs):
        return False
    return mine.isdisjoint(_told_by(right)) and theirs.isdisjoint(_told_by(left))


def _filed_under(candidate: Candidate) -> frozenset[str]:
    """The words of a candidate's title, headings and folders; none where they say who was spoken with."""
    *folders, _ = candidate.memory.id.split("/")
    words = plain_words("\n".join((candidate.memory.title, *candidate.passage.heading, *folders)))
    return frozenset(map(lemma, words)) if SPOKEN_WITH.isdisjoint(words) else frozenset()


def _told_by(candidate: Candidate) -> frozenset[str]:
    return _filed_under(candidate) | _words(candidate.passage.text)


def _words(text: str) -> frozenset[str]:
    """The words of a title or a sentence by lemma, also the `A` of Room A."""
    return frozenset(lemma(word) for word in plain_words(text) if word != "the")


def _is_of_date(key: str) -> bool:
    """Whether a word of a title dates its note: the note of another day may speak of the same."""
    return key in DATING or (key.isdecimal() and len(key) > MOST_DIGITS)


def are_records_of_others(left: Candidate, right: Candidate) -> bool:
    """Whether two candidates hold the properties of two things: equal values make them neither copies nor witnesses."""
    return is_record(left.passage.text) and is_record(right.passage.text) and are_of_others(left, right)


def are_of_one_record(left: Candidate, right: Candidate) -> bool:
    """Whether two candidates are no properties, or properties of one thing; without a title nobody can tell of which.

    Stricter than `are_records_of_others`: two notes are filled in by one template, and share its keys and most values.
    """
    if not (is_record(left.passage.text) and is_record(right.passage.text)):
        return True
    return subject_of(left) == subject_of(right)
