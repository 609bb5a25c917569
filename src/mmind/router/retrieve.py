"""One retrieve, in ten steps; the order of the calls below is the order of the steps."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mmind.embedding.languages import speaks
from mmind.router.agreements import find_agreements, supporters
from mmind.router.answer_kind import with_other_kinds_lower
from mmind.router.assemble import Ranked, assemble
from mmind.router.candidate import Candidate
from mmind.router.conflicts import Dispute, find_disputes, settling, shown_conflicts
from mmind.router.corroborate import corroborated
from mmind.router.fan_out import Answer, FanOut, values
from mmind.router.gather import gather, summed
from mmind.router.group import group_duplicates, one_passage_a_memory
from mmind.router.hearing import in_english, with_marks
from mmind.router.lines import lines_of
from mmind.router.near_words import Nearest, with_near_words
from mmind.router.nearness import nearness
from mmind.router.notes import freshness_notes, relevance_note
from mmind.router.parse import Request
from mmind.router.redundancy import with_near_copies_lower
from mmind.router.score import relevance, scored
from mmind.router.second_look import Match, with_second_look
from mmind.router.settle import in_order, settled
from mmind.router.shortlist import shortlist, with_the_rest
from mmind.router.spelling import (
    as_written,
    guess_note,
    guessed,
    respelled_text,
    settled_guesses,
    to_ask,
    unknown_note,
)
from mmind.router.spoken import Near, near_of, with_the_spoken_first
from mmind.router.unstated import with_the_unstated_lower
from mmind.router.unsure import with_near_misses_lower
from mmind.router.updates import find_updates, lifted
from mmind.router.write import try_record
from mmind.text.asking import asking_words
from mmind.text.sameness import difference
from mmind.text.tokens import STOP_WORDS, query_terms, repeats
from mmind.values.bundle import Bundle, Fault
from mmind.values.errors import MmindError
from mmind.values.ports import (
    AuditEvent,
    Bilingual,
    Corpus,
    Embedder,
    Freshness,
    Indexer,
    Lexicon,
    Record,
    Rules,
    Store,
    WordMatcher,
    WordsNearWords,
)
from mmind.values.query import Hit, Query, TermStatistics
from mmind.values.ranking import Ranking

# How many passages each store may propose by words, and as many again by vector. Rank must not depend on `limit`,
# so the pool does not either.
POOL = 60
STORE_LIMIT_SECONDS = 5.0
REFRESH_LIMIT_SECONDS = 1.5
# An answer from a half-made index looks whole and is wrong, so the first scan of a store is waited for longer: 5,000
# notes take some 5 s on a busy machine, and clients give a call 60 s.
FIRST_SCAN_LIMIT_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class World:
    """What a retrieve may touch: the stores, what they were indexed in, the model, and the log it can only write."""

    stores: Mapping[str, Store]
    corpora: Sequence[Corpus]
    indexer: Indexer
    embedder: Embedder | None
    fan_out: FanOut
    record: Record


@dataclass(frozen=True, slots=True)
class Found:
    """What the world answered to one request at `now`; everything after it is computed, with whatever rules.

    `statistics` are those of the query's terms over all stores, `faults` the silent stores, `notes` what the reader
    must know of the model and the index. `match`, `near` and `nearest` are pure functions of the query and texts
    (`router.second_look`, `router.spoken`, `router.near_words`).
    """

    request: Request
    query: Query
    answers: Sequence[Answer[Sequence[Hit]]]
    statistics: TermStatistics
    use_meaning: bool
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    now: datetime
    match: Match | None = None
    near: Near | None = None
    nearest: Nearest | None = None


def retrieve(request: Request, world: World, rules: Rules, now: datetime) -> Bundle:
    """The ranked answer to a request; a store, model or index that fails is named in it and stops nothing."""
    started = time.perf_counter()
    found = find(request, world, now)
    bundle = answer(found, rules)
    return recorded(replace(bundle, elapsed_ms=(time.perf_counter() - started) * 1000), found, world)


def find(request: Request, world: World, now: datetime) -> Found:
    """Steps 2 and 3, which touch the world: the index brought level, the query embedded, every store asked."""
    started = time.perf_counter()
    world.indexer.refresh(_patience(world.indexer.freshness().values()))
    waited = time.perf_counter() - started
    freshness = world.indexer.freshness()  # taken now: what loads or waits later does not make the index older
    query, answers, statistics, said = ask(request, world)
    use_meaning = world.embedder is None or speaks(world.embedder.identity, request.text)
    heard = replace(query, text=respelled_text(request.text, query.guesses))
    match = match_of(heard, world.embedder)
    return Found(
        request=request,
        query=query,
        answers=answers,
        statistics=statistics,
        use_meaning=use_meaning,
        faults=tuple(faults(answers, world.stores, freshness, request.stores)),
        notes=(*said, *freshness_notes(freshness, request.stores, waited)),
        now=now,
        match=match,
        near=near_of(heard, world.embedder, match) if use_meaning else None,
        nearest=nearest_of(query, world.embedder),
    )


def answer(found: Found, rules: Rules) -> Bundle:
    """Steps 4 to 9, which are pure: the same finds under other rules are another answer. `elapsed_ms` is 0 here."""
    request, query = found.request, found.query
    candidates = gather(values(found.answers), rules.policies, query, found.statistics, use_meaning=found.use_meaning)
    weighed = functools.partial(relevance, ranking=rules.ranking)
    raised = with_near_words(candidates, weighed, query, found.statistics, found.nearest)
    looked = with_second_look(raised, weighed, found.match)
    stated = with_the_unstated_lower(scored(looked, rules.ranking, found.now), request.text)
    answering = with_other_kinds_lower(stated, request.text)
    spoken = with_the_spoken_first(with_near_copies_lower(answering), query.terms, found.near)
    ranked, disputes = rank(spoken, rules.ranking, request.text)
    results = assemble(ranked, request.limit, request.max_tokens, query.terms)
    relevant = any(not result.weak for result in results)
    silent = {fault.store for fault in found.faults}
    taken_for = guess_note(as_written(query.guesses, [result.text for result in results]))
    unknown = unknown_note(query, found.statistics)
    return Bundle(
        query=request.text,
        results=tuple(results),
        conflicts=tuple(shown_conflicts(disputes, ranked[: len(results)], query.terms, found.match)),
        faults=found.faults,
        notes=(*relevance_note(bool(results), relevant, bool(silent)), *taken_for, *unknown, *found.notes),
        searched=tuple(name for name, hits in values(found.answers) if hits or name not in silent),
        relevant=relevant,
        omitted=max(0, min(len(ranked), request.limit) - len(results)),
        now=found.now,
        elapsed_ms=0.0,
    )


def recorded(bundle: Bundle, found: Found, world: World) -> Bundle:
    """Step 10: the answer, once the log has it; a log that cannot be written is told in a note."""
    unlogged = try_record(world.record, _event(bundle, found))
    return replace(bundle, notes=(*bundle.notes, unlogged)) if unlogged else bundle


def worded(request: Request) -> Query:
    """The query with its terms."""
    terms = query_terms(request.text)
    return Query(
        text=request.text,
        terms=terms,
        repeats=repeats(request.text, terms),
        since=request.since,
        until=request.until,
        tags=request.tags,
        session=request.session,
    )


def embed(request: Request, embedder: Embedder | None, english: bool | None = None) -> tuple[Query, list[str]]:
    """Step 2: the query with its terms and, where there is a model, its vector; else a note that says why not.

    `english` tells the language of the request where that is known better than its text tells.
    """
    query = worded(request)
    if not query.terms:
        return query, ["the query holds no words, only marks"]  # its vector would be near to anything
    if embedder is None:
        return query, ["no embedding model is in use: found by words only"]
    try:
        if english is not None and isinstance(embedder, Bilingual):
            vector = embedder.embed_in([request.text], english=english)[0]
        else:
            vector = embedder.embed([request.text])[0]
        lines = lines_of(request.text) if embedder.is_local else []  # a service would be asked a second time
        of_lines = embedder.embed(lines).tolist() if lines else ()
    except MmindError as error:
        return query, [f"found by words only: {error}"]
    return replace(query, vector=vector.tolist(), lines=of_lines, model=embedder.identity), []


def match_of(query: Query, embedder: Embedder | None) -> Match | None:
    """How the words of texts match those of the query, where its model can tell and has spoken."""
    if embedder is None or query.vector is None:
        return None
    small = STOP_WORDS | asking_words(query.text)
    return functools.partial(embedder.match, query.text, small) if isinstance(embedder, WordMatcher) else None


def nearest_of(query: Query, embedder: Embedder | None) -> Nearest | None:
    """How near texts come to words, where the query's model can tell and has spoken."""
    if embedder is None or query.vector is None:
        return None
    return functools.partial(embedder.nearest, query.text) if isinstance(embedder, WordsNearWords) else None


def ask(request: Request, world: World) -> tuple[Query, Sequence[Answer[Sequence[Hit]]], TermStatistics, Sequence[str]]:
    """Steps 2 and 3: words that no store knows are guessed at, the query is embedded, every store asked.

    Gives the query that was answered, with the guesses that stand; the answers; the counts of its terms over all
    corpora; and what must be said of the model.
    """
    typed = worded(request)
    lexicons = [corpus for corpus in world.corpora if isinstance(corpus, Lexicon)]
    counted = [lexicon.statistics(typed.terms) for lexicon in lexicons]
    guesses = guessed(typed, lexicons, summed(counted))
    identity, find = world.embedder.identity if world.embedder else "", functools.partial(_found, request, world)
    # What another corpus knows comes out when it is asked, and a vector cannot be taken back then.
    if len(lexicons) == len(world.corpora):
        guesses = with_marks(guesses, typed, identity, find)
        text = respelled_text(request.text, guesses)
    else:
        text = request.text
    english = in_english(typed, guesses, identity, find)
    heard, said = embed(replace(request, text=text), world.embedder, english)
    query = replace(typed, vector=heard.vector, lines=heard.lines, model=heard.model)
    if not guesses:
        answers = fan_out(query, request, world)
        others = (corpus.statistics(query.terms) for corpus in world.corpora if not isinstance(corpus, Lexicon))
        return query, answers, summed((*counted, *others)), said
    asked = to_ask(query, guesses)
    answers = fan_out(asked, request, world)
    statistics = summed(corpus.statistics(asked.terms) for corpus in world.corpora)
    return *settled_guesses(query, asked, answers, statistics), statistics, said


def _found(request: Request, world: World, query: Query) -> list[Hit]:
    return [hit for _, hits in values(fan_out(query, request, world)) for hit in hits]


def fan_out(query: Query, request: Request, world: World) -> list[Answer[Sequence[Hit]]]:
    """Step 3: every asked store that is there is searched, all at once."""
    questions = {
        name: _question(store, query) for name in request.stores if (store := world.stores[name]).searcher is not None
    }
    return world.fan_out.ask(questions, STORE_LIMIT_SECONDS)


def _patience(states: Iterable[Freshness]) -> float:
    """How long a question may wait for the index, in seconds."""
    is_first = any(state.age_seconds is None and not state.fault for state in states)
    return FIRST_SCAN_LIMIT_SECONDS if is_first else REFRESH_LIMIT_SECONDS


def _question(store: Store, query: Query) -> Callable[[], Sequence[Hit]]:
    searcher = store.searcher
    if searcher is None:
        raise MmindError(f"{store.name} has no searcher")
    return lambda: searcher.search(query, POOL)


def rank(candidates: Sequence[Candidate], ranking: Ranking, query: str) -> tuple[list[Ranked], list[Dispute]]:
    """Steps 6 to 8, best first: updates and conflicts found, duplicates collapsed, corroboration counted."""
    listed = shortlist([_with_more(passages) for passages in one_passage_a_memory(candidates)])
    near = nearness(listed.compared)
    updates = find_updates(listed.compared, near, query)
    terms = query_terms(query)
    disputes = find_disputes(listed.compared, near, terms) if ranking.conflict_detection else []
    disputed = {one.handles for one in disputes}
    groups = group_duplicates(listed.compared, ranking.duplicate_threshold, difference, disputed)
    links = find_agreements(groups, near, disputed)
    groups, alone = with_the_rest(groups, listed.rest, ranking.duplicate_threshold, difference)
    ranked = [
        Ranked(
            group,
            corroborated(group, ranking.corroboration_boost, supporters(groups, links, place)),
            tuple(groups[other].speaker.memory.handle for other in links.get(place, ())),
        )
        for place, group in enumerate(groups)
    ]
    others = (Ranked(group, group.best.score) for group in alone)
    surest = with_near_misses_lower(ranked)
    return in_order([*settled(lifted(surest, updates), settling(disputes, terms, query)), *others]), disputes


def _with_more(passages: Sequence[Candidate]) -> Candidate:
    """The memory's best passage, which remembers where its other passages were found."""
    others = tuple((one.passage.line_start, one.passage.line_end) for one in passages[1:4])
    return replace(passages[0], more=others) if others else passages[0]


def faults(
    answers: Sequence[Answer[Sequence[Hit]]],
    stores: Mapping[str, Store],
    freshness: Mapping[str, Freshness],
    asked: Sequence[str],
) -> list[Fault]:
    """Every asked store that was silent or whose index could not be brought level, with the reason."""
    found: dict[str, Fault] = {}
    for name in asked:
        store, state = stores[name], freshness.get(name)
        if store.fault:
            found[name] = Fault(name, store.fault, store.hint)
        elif state is not None and state.fault:
            found[name] = Fault(name, state.fault, state.hint)
    for answer in answers:
        if answer.fault:
            found[answer.store] = Fault(answer.store, answer.fault, answer.hint)
    return list(found.values())


def _event(bundle: Bundle, found: Found) -> AuditEvent:
    return AuditEvent(
        kind="query",
        outcome="ok",
        ids=tuple(result.id for result in bundle.results),
        query=found.request.text,
        results=len(bundle.results),
        elapsed_ms=bundle.elapsed_ms,
        session=found.request.session,
        guessed=tuple(f"{' '.join(guess.meant)} for {guess.word}" for guess in found.query.guesses),
    )
