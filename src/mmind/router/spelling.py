"""Between steps 2 and 3: words of the question that no store knows are taken for the nearest ones that some store does.

Only such words: what stands in any passage means itself, so a question of known words is never changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mmind.embedding.english import is_english
from mmind.router.fan_out import Answer
from mmind.router.gather import summed
from mmind.text.scripts import folded
from mmind.text.spelling import (
    SHORTEST,
    halves,
    is_slip,
    other_beginnings,
    term_of,
    transcriptions,
    written_words,
)
from mmind.text.tokens import STOP_WORDS
from mmind.values.ports import Lexicon
from mmind.values.query import Guess, Hit, Query, TermStatistics

MOST_GUESSED = 6  # words of one question: a page that was pasted in, or another language, is not misspelt
MANY_WORDS = 3  # in a question of so many, one at least must be known for another to be a slip
MOST_MEANT = 3  # words that one unknown word may stand for
# Of equally near words those count that stand in a third as many passages as the commonest, or more.
RIVAL_SHARE = 1 / 3

Answers = Sequence[Answer[Sequence[Hit]]]
Count = Callable[[Iterable[str]], Mapping[str, int]]  # terms -> in how many passages each stands, 0 left out


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A word that no store knows, with its neighbours in the question ("" where it has none).

    `is_name` tells that it begins with a capital where others do not.
    """

    word: str
    term: str
    before: str
    after: str
    is_name: bool


def guessed(query: Query, lexicons: Sequence[Lexicon], statistics: TermStatistics) -> list[Guess]:
    """What the query's unknown words may stand for; `statistics` are those of its terms over the lexicons."""
    unknown = _unknown(query, statistics)
    if not unknown or not statistics.passages:
        return []

    def count(terms: Iterable[str]) -> Mapping[str, int]:
        wanted = tuple(dict.fromkeys(term for term in terms if term))
        return summed(lexicon.statistics(wanted) for lexicon in lexicons).frequencies if wanted else {}

    other_writings = _other_writings(unknown, lexicons, count)
    left = [one for one in unknown if one.term not in other_writings]
    slips = _slips([one for one in left if not is_english(folded(one.word))], lexicons, count)
    found = {**slips, **other_writings}
    guesses = [found[one.term] for one in unknown if one.term in found]
    return [guess for guess in guesses if guess.is_sure or _fits(guess, guesses, query, lexicons, statistics)]


def _fits(
    guess: Guess, guesses: Sequence[Guess], query: Query, lexicons: Sequence[Lexicon], statistics: TermStatistics
) -> bool:
    """Whether a passage holds what is meant beside another word of the question, where that has others.

    Of three words or more one at least must be known: else the question is about something else.
    """
    known = [term for term in query.terms if statistics.frequencies.get(term) and term not in STOP_WORDS]
    beside = [*known, *(term for other in guesses if other is not guess for term in other.terms[:1])]
    if not beside and len(query.terms) >= MANY_WORDS:
        return False
    together = [guess.terms] if guess.is_pair else [(term,) for term in guess.terms]
    return any(lexicon.holds(terms, beside) for lexicon in lexicons for terms in together)


def to_ask(query: Query, guesses: Sequence[Guess]) -> Query:
    """The query with its guesses as stores are asked it: with every unknown word, for one of them may know it.

    Its text ends with the words meant, for tables that have a dictionary of their own.
    """
    with_all = with_guesses(query, guesses)
    terms = tuple(dict.fromkeys((*with_all.terms, *(guess.unknown for guess in guesses))))
    return replace(with_all, terms=terms, text="\n".join((query.text, *(" ".join(guess.meant) for guess in guesses))))


def respelled_text(text: str, guesses: Iterable[Guess]) -> str:
    """The question as the model reads it: with the words meant, where there is only one to choose and it is no name.

    A name stays as it was typed: near in letters to some word, it is not near to what that means.
    """
    for guess in guesses:
        if guess.is_sure or not (guess.is_pair or guess.is_name or len(guess.meant) > 1):
            text = re.sub(rf"\b{re.escape(guess.word)}\b", guess.meant[0], text)
    return text


def settled_guesses(query: Query, asked: Query, answers: Answers, statistics: TermStatistics) -> tuple[Query, Answers]:
    """Once all have answered: the query with those guesses that stand, and the answers to it.

    Guesses at words that a store without a lexicon knows after all are dropped.
    """
    if not asked.guesses:
        return query, answers
    kept = [guess for guess in asked.guesses if not statistics.frequencies.get(guess.unknown)]
    final = with_guesses(query, kept)
    return final, [replace(one, value=_moved(one.value or (), asked.terms, final.terms)) for one in answers]


def _moved(hits: Sequence[Hit], before: Sequence[str], after: Sequence[str]) -> list[Hit]:
    """The hits, their pairs told by the places that the terms have now."""
    places = {pair: at for at, pair in enumerate(pairwise(after))}
    now = {at: places.get(pair) for at, pair in enumerate(pairwise(before))}
    return [
        replace(hit, pairs=frozenset(place for at in hit.pairs if (place := now.get(at)) is not None)) for hit in hits
    ]


def with_guesses(query: Query, guesses: Sequence[Guess]) -> Query:
    """The query with the words that its unknown words are taken for in their places, the likeliest of each.

    Behind all others come the unknown words themselves, unless the guess is sure, and less likely guesses.
    """
    meant = {guess.unknown: guess.terms if guess.is_pair else guess.terms[:1] for guess in guesses}
    placed = [part for term in query.terms for part in meant.get(term, (term,))]
    unsure = [guess.unknown for guess in guesses if not guess.is_sure]
    rivals = [term for guess in guesses if not guess.is_pair for term in guess.terms[1:]]
    said = {guess.terms[0]: query.repeats[guess.unknown] for guess in guesses if guess.unknown in query.repeats}
    terms = tuple(dict.fromkeys((*placed, *unsure, *rivals)))
    return replace(query, terms=terms, repeats={**query.repeats, **said}, guesses=tuple(guesses))


def guess_note(guesses: Sequence[Guess]) -> list[str]:
    """What was done, in plain words."""
    if not guesses:
        return []
    unknown = _listed([guess.word for guess in guesses], "or")
    meant = [" ".join(guess.meant) if guess.is_pair else word for guess in guesses for word in guess.meant]
    return [f"no memory holds {unknown}; searched for {_listed(list(dict.fromkeys(meant)), 'and')} as well"]


def _listed(words: Sequence[str], joint: str) -> str:
    quoted = [f'"{word}"' for word in words]
    return f" {joint} ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


def _unknown(query: Query, statistics: TermStatistics) -> list[_Unknown]:
    words = written_words(query.text)
    asked = {term for term in query.terms if not statistics.frequencies.get(term)}
    found: dict[str, _Unknown] = {}
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        term = term_of(word) if len(word) >= SHORTEST else ""
        if term in asked:
            is_name = bool(before) and word[0].isupper() and not all(one[0].isupper() for one in words)
            found.setdefault(term, _Unknown(word, term, before, after, is_name))
    return list(found.values()) if len(found) <= MOST_GUESSED else []


def _other_writings(unknown: Sequence[_Unknown], lexicons: Sequence[Lexicon], count: Count) -> dict[str, Guess]:
    """The unknown words that some store has in another transcription, joined with a neighbour, or as two words."""
    tried = {one.term: list(_writings(one)) for one in unknown}
    known = count(term for guesses in tried.values() for guess in guesses for term in guess.terms)
    found: dict[str, Guess] = {}
    for term, guesses in tried.items():
        standing = [
            guess
            for guess in guesses
            if all(known.get(part) for part in guess.terms) and (guess.is_pair or _is_spelled(guess, lexicons))
        ]
        if standing:
            found[term] = max(standing, key=lambda guess: (guess.is_sure, min(known[part] for part in guess.terms)))
    return found


def _is_spelled(guess: Guess, lexicons: Sequence[Lexicon]) -> bool:
    """Whether a store has the word itself, and not another of the same stem."""
    word = folded(guess.meant[0])
    return any(list(lexicon.alike([word])[word]) == [word] for lexicon in lexicons)


def _writings(one: _Unknown) -> Iterator[Guess]:
    whole = folded(one.word)
    for form in transcriptions(one.word):
        # å is seldom written out, and many languages have words with aa of their own (Staat).
        yield _guess(one, [form], is_sure="å" not in form or "å" in one.word.lower())
    for left, right in ((one.before, one.word), (one.word, one.after)):
        if left and right:
            yield _guess(one, [folded(left + right)], is_sure=True)
    for pair in halves(whole):
        yield _guess(one, pair, is_pair=True)


def _guess(one: _Unknown, meant: Sequence[str], *, is_sure: bool = False, is_pair: bool = False) -> Guess:
    shown = tuple(word.capitalize() if one.word[0].isupper() and not is_pair else word for word in meant)
    return Guess(one.word, one.term, shown, tuple(map(term_of, meant)), is_sure, is_pair, one.is_name)


def _slips(unknown: Sequence[_Unknown], lexicons: Sequence[Lexicon], count: Count) -> dict[str, Guess]:
    """The nearest known words, the commonest of them first; such as begin otherwise where there is none else."""
    words = [folded(one.word) for one in unknown]
    near: dict[str, list[str]] = {word: [] for word in words}
    for lexicon in lexicons if words else ():
        for word, alike in lexicon.alike(words).items():
            near[word] += alike
    found = _nearest(unknown, near, count)
    left = [one for one in unknown if one.term not in found]
    others = {folded(one.word): other_beginnings(folded(one.word)) for one in left}
    return {**found, **(_nearest(left, others, count) if left else {})}


def _nearest(unknown: Sequence[_Unknown], near: Mapping[str, Sequence[str]], count: Count) -> dict[str, Guess]:
    terms = {word: term_of(word) for alike in near.values() for word in alike}
    known = count(terms.values())
    found: dict[str, Guess] = {}
    for one in unknown:
        alike = {word: is_slip(folded(one.word), word) for word in near[folded(one.word)] if known.get(terms[word])}
        least = min(filter(None, alike.values()), default=0)
        ranked = sorted(
            (word for word in alike if alike[word] == least > 0), key=lambda word: (-known[terms[word]], word)
        )
        by_term = list({terms[word]: word for word in reversed(ranked)}.values())[::-1]
        rivals = [word for word in by_term if known[terms[word]] >= RIVAL_SHARE * known[terms[by_term[0]]]]
        if rivals:
            found[one.term] = _guess(one, rivals[:MOST_MEANT])
    return found
