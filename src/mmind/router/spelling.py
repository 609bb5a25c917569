"""Between steps 2 and 3: words of the question that no store knows are taken for the nearest ones that some store does.

Only such words: what stands in any passage means itself, so a question of known words is never changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mmind.embedding.english import is_english
from mmind.router.fan_out import Answer
from mmind.router.gather import summed
from mmind.text.scripts import folded
from mmind.text.small_words import small_words_of
from mmind.text.spelling import (
    SHORTEST,
    halves,
    is_slip,
    other_beginnings,
    term_of,
    transcriptions,
    written_words,
)
from mmind.text.tokens import STOP_WORDS, tokens
from mmind.values.ports import Lexicon
from mmind.values.query import Guess, Hit, Query, TermStatistics

MOST_GUESSED = 6  # words of one question: a page that was pasted in, or another language, is not misspelt
MANY_TERMS = 3  # in a question of so many, one at least must be known for another to be a slip
MOST_TRIED, MOST_NEAR = 3, 6  # other writings, and near words, of one word: each is a look into the stores
MOST_MEANT = 3  # words that one unknown word may stand for
# Of equally near words that stand beside others of the question those count that are a third as common as the first.
RIVAL_SHARE = 1 / 3

# How doubtful a slip is, by the share of the letters that are wrong: one of twelve a quarter, one of three wholly.
DOUBT_OF_LETTERS = 3.0

Answers = Sequence[Answer[Sequence[Hit]]]


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A word that no store knows, with its neighbours in the question ("" where it has none).

    `is_name` tells that it begins with a capital where others do not, in another language than German.
    """

    word: str
    term: str
    before: str
    after: str
    is_name: bool


def guessed(query: Query, lexicons: Sequence[Lexicon], statistics: TermStatistics) -> list[Guess]:
    """What the query's unknown words may stand for; `statistics` are those of its terms over the lexicons.

    Another writing of the word goes before a slip of the pen, and either must stand in a passage beside another word of
    the question, where that has others, unless it surely is the same word. By itself a word two edits away is another.
    """
    unknown = _unknown(query, statistics)
    if not unknown or not statistics.passages:
        return []
    known = [term for term in query.terms if statistics.frequencies.get(term) and term not in STOP_WORDS]
    books = _Books(lexicons, len(query.terms))
    found = _other_writings(unknown, books, known)
    left = [one for one in unknown if one.term not in found and not is_english(folded(one.word))]
    slips = _slips(left, books)
    others = {term: guess.terms[0] for term, guess in found.items()} | {term: of[0].term for term, of in slips.items()}
    for one in left:
        beside = [*known, *(other for term, other in others.items() if term != one.term)]
        near = [likely for likely in slips.get(one.term, ()) if beside or is_slip(folded(one.word), likely.word) == 1]
        meant = [likely for likely in near if books.hold((likely.term,), beside)]
        likeliest = [likely for likely in meant if likely.count >= RIVAL_SHARE * meant[0].count][:MOST_MEANT]
        if likeliest:
            words = [likely.word for likely in likeliest]
            found[one.term] = replace(_guess(one, words), doubt=_doubt(folded(one.word), words))
    return [found[one.term] for one in unknown if one.term in found]


def _doubt(typed: str, meant: Sequence[str]) -> float:
    """How far a misspelt word goes on counting as one that no passage holds, in (0, 1]: wholly where several fit."""
    if len(meant) > 1:
        return 1.0
    return min(1.0, DOUBT_OF_LETTERS * is_slip(typed, meant[0]) / len(typed))


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


def as_written(guesses: Sequence[Guess], texts: Iterable[str]) -> list[Guess]:
    """The guesses with their words as the texts spell them, with the marks that the index leaves out (Brüning)."""
    wanted = {folded(word) for guess in guesses for word in guess.meant}
    marked = (word for text in texts if wanted and not text.isascii() for word in written_words(text))
    spelled = {folded(word): word for word in marked if not word.isascii() and folded(word) in wanted}
    return [replace(guess, meant=tuple(spelled.get(folded(word), word) for word in guess.meant)) for guess in guesses]


def guess_note(guesses: Sequence[Guess]) -> list[str]:
    """What was done, in plain words."""
    if not guesses:
        return []
    unknown = _listed([guess.word for guess in guesses], "or")
    meant = [" ".join(guess.meant) if guess.is_pair else word for guess in guesses for word in guess.meant]
    return [f"no memory holds {unknown}; searched for {_listed(list(dict.fromkeys(meant)), 'and')} as well"]


def unknown_note(query: Query, statistics: TermStatistics) -> list[str]:
    """Which names and rare words of a question no memory holds, where nothing was searched for in their place.

    What is told of the port of PostgreSQL is no answer for Redis, and a reader may take it for one. Of questions in
    English, of which at least one word is known; plain words are paraphrased all the time and not counted.
    """
    guesses = {guess.unknown for guess in query.guesses}
    is_known = any(statistics.frequencies.get(term) and term not in STOP_WORDS for term in query.terms)
    if not is_known or small_words_of(tokens(query.text), STOP_WORDS):
        return []
    missing = [
        one.word
        for one in _unknown(query, statistics)
        if one.term not in guesses and (one.is_name or not is_english(folded(one.word)))
    ]
    return [f"no memory holds {_listed(missing, 'or')}"] if missing else []


def _listed(words: Sequence[str], joint: str) -> str:
    quoted = [f'"{word}"' for word in words]
    return f" {joint} ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


def _unknown(query: Query, statistics: TermStatistics) -> list[_Unknown]:
    words = written_words(query.text)
    asked = {term for term in query.terms if not statistics.frequencies.get(term)}
    found: dict[str, _Unknown] = {}
    tells = _capitals_tell_names(query.text, words)
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        term = term_of(word) if len(word) >= SHORTEST else ""
        if term in asked:
            is_name = bool(before) and word[0].isupper() and tells
            found.setdefault(term, _Unknown(word, term, before, after, is_name))
    return list(found.values()) if len(found) <= MOST_GUESSED else []


def _capitals_tell_names(text: str, words: Sequence[str]) -> bool:
    """Whether a capital makes a name of a word: not where all words have one, nor in German, where every noun does."""
    is_german = "und" in small_words_of(tokens(text), STOP_WORDS)  # of the small words of the text's language
    return not (is_german or all(one[0].isupper() for one in words))


@dataclass(frozen=True, slots=True)
class _Books:
    """All lexicons as one, for a question of so many terms."""

    lexicons: Sequence[Lexicon]
    asked: int

    def count(self, terms: Iterable[str]) -> Mapping[str, int]:
        """In how many passages each of the terms stands; those that stand nowhere are left out."""
        wanted = tuple(dict.fromkeys(term for term in terms if term))
        return summed(lexicon.statistics(wanted) for lexicon in self.lexicons).frequencies if wanted else {}

    def alike(self, words: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """For each word those that are near to it."""
        found: dict[str, list[str]] = {word: [] for word in words}
        for lexicon in self.lexicons if words else ():
            for word, near in lexicon.alike(words).items():
                found[word] += near
        return found

    def hold(self, together: Sequence[str], beside: Sequence[str]) -> bool:
        """Whether a passage holds terms side by side, and one of the others beside them.

        Where a question of three terms or more has no other that is known, it is about something else.
        """
        if not beside and self.asked >= MANY_TERMS:
            return False
        return any(lexicon.holds(together, beside) for lexicon in self.lexicons)


def _other_writings(unknown: Sequence[_Unknown], books: _Books, beside: Sequence[str]) -> dict[str, Guess]:
    """The unknown words that some store has in another transcription, joined with a neighbour, or as two words."""
    tried = {one.term: list(_writings(one)) for one in unknown}
    counts = books.count(term for guesses in tried.values() for guess in guesses for term in guess.terms)
    found: dict[str, Guess] = {}
    for term, guesses in tried.items():
        likely = [guess for guess in guesses if all(counts.get(part) for part in guess.terms)]
        likely.sort(key=lambda guess: (guess.is_pair, not guess.is_sure, -min(counts[part] for part in guess.terms)))
        standing = (guess for guess in likely[:MOST_TRIED] if _stands(guess, books, beside))
        if (first := next(standing, None)) is not None:
            found[term] = first
    return found


def _stands(guess: Guess, books: _Books, beside: Sequence[str]) -> bool:
    """Whether a store has another writing itself, not only a word of the same stem; and in place, if it is unsure."""
    word = folded(guess.meant[0])
    is_spelled = guess.is_pair or word in books.alike([word])[word]
    return is_spelled and (guess.is_sure or books.hold(guess.terms, beside))


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


@dataclass(frozen=True, slots=True)
class _Likely:
    """A known word that is near to an unknown one, its term, and in how many passages that stands."""

    word: str
    term: str
    count: int


def _slips(unknown: Sequence[_Unknown], books: _Books) -> dict[str, list[_Likely]]:
    """The nearest known words, the commonest of them first; such as begin otherwise where there is none else."""
    found = _nearest(unknown, books.alike([folded(one.word) for one in unknown]), books)
    left = [one for one in unknown if one.term not in found]
    others = {folded(one.word): other_beginnings(folded(one.word)) for one in left}
    return {**found, **_nearest(left, others, books)}


def _nearest(unknown: Sequence[_Unknown], near: Mapping[str, Sequence[str]], books: _Books) -> dict[str, list[_Likely]]:
    terms = {word: term_of(word) for alike in near.values() for word in alike}
    counts = books.count(terms.values())
    found: dict[str, list[_Likely]] = {}
    for one in unknown:
        typed = folded(one.word)
        edits = {word: is_slip(typed, word) for word in near[typed] if counts.get(terms[word])}
        least = min(filter(None, edits.values()), default=0)
        alike = sorted(word for word in edits if edits[word] == least > 0)
        by_term = {terms[word]: _Likely(word, terms[word], counts[terms[word]]) for word in reversed(alike)}
        ranked = sorted(by_term.values(), key=lambda likely: (-likely.count, likely.word))
        if ranked:
            found[one.term] = ranked[:MOST_NEAR]
    return found
