"""After the hits are gathered: a passage in another language than the question is judged by what it means alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from mmind.embedding.english import is_english
from mmind.embedding.languages import crosses, differ_in_script, masters
from mmind.embedding.universal import NAME
from mmind.router.candidate import Candidate
from mmind.router.near_words import words_of
from mmind.router.second_look import text_of
from mmind.router.sounded import asked_names
from mmind.scoring.confidence import confidence_between
from mmind.scoring.relevance import LOST_BETWEEN_LANGUAGES, WORDS_FROM_COSINE
from mmind.text.romanised import holds_name
from mmind.values.query import Query, TermStatistics

WITHIN_REACH = 0.5  # of the highest cosine: below it no bonus makes an answer of a passage


def with_other_languages(candidates: Sequence[Candidate], query: Query, statistics: TermStatistics) -> list[Candidate]:
    """The candidates, those `abroad` with what cosines lose between two languages, and no less for words they lack.

    Words that could not stand in a passage tell nothing against it; a name or a number that it shares tells for it, in
    whatever alphabet (`router.sounded`). A name that it lacks and others hold tells against it: there it is heard as if
    it were in the question's language. In a made-up vault of paragraphs of XQuAD, each in one of three languages,
    questions about another language's find nDCG@10 .63 in place of .47, and about their own .99 as before. The model
    tells the languages apart (`embedding.languages`); without one nothing moves.
    """
    if NAME not in query.model:
        return list(candidates)
    nearest = max((one.cosine for one in candidates if one.cosine is not None), default=0.0)
    names, asked = names_in(query, statistics), asked_names(query)
    return [
        _judged(one, is_named=bool(names) or _is_named(one, asked, query))
        if _is_abroad(one, names, query, nearest)
        else one
        for one in candidates
    ]


def names_in(query: Query, statistics: TermStatistics) -> frozenset[str]:
    """Terms of an English question that are no words of English and that some passage holds: so an answer will, too."""
    if not masters(query.model, query.text):
        return frozenset()
    foreign = (terms for word, terms in words_of(query).items() if not is_english(word.casefold()))
    return frozenset(term for terms in foreign for term in terms if statistics.frequencies.get(term))


def _is_abroad(candidate: Candidate, names: frozenset[str], query: Query, nearest: float) -> bool:
    if candidate.cosine is None or candidate.cosine < WITHIN_REACH * nearest:
        return False
    return names.issubset(candidate.hit.counts or ()) and crosses(query.model, query.text, text_of(candidate))


def _is_named(candidate: Candidate, asked: Collection[str], query: Query) -> bool:
    """Whether a passage in another alphabet holds a name of the question; between Latin ones words may look alike.

    As a name: that some word of it has the same stem (`Assistant` in a dialogue, `assistance`) says nothing.
    """
    text = text_of(candidate)
    return bool(asked) and differ_in_script(query.text, text) and any(holds_name(name, text) for name in asked)


def _judged(candidate: Candidate, *, is_named: bool) -> Candidate:
    cosine = candidate.cosine or 0.0
    heard = cosine if candidate.meaning is None else candidate.meaning
    meaning = min(1.0, heard + LOST_BETWEEN_LANGUAGES)
    return replace(
        candidate,
        lexical=max(candidate.lexical or 0.0, WORDS_FROM_COSINE * meaning),
        meaning=meaning,
        confidence=max(candidate.confidence, confidence_between(cosine, is_named=is_named)),
        abroad=True,
    )
