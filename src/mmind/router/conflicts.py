"""Step 6: which candidates cannot both be right, which of them to trust, and why. Before anything is collapsed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from mmind.router.assemble import Ranked
from mmind.router.candidate import Candidate
from mmind.router.group import token_set
from mmind.router.nearness import Nearness
from mmind.router.second_look import Match
from mmind.router.subjects import are_of_two_names, named_alone, speak_of_two, subject_of
from mmind.scoring.confidence import WEAK_BELOW
from mmind.text.answer_kinds import Kind, is_another_kind, kind_asked
from mmind.text.comparison import Contradiction
from mmind.text.directions import directed_contradictions, directions
from mmind.text.labels import is_label_line, label_contradictions, labelled
from mmind.text.pairs import contradictions
from mmind.text.proper_names import names_of_things
from mmind.text.properties import Noted, needs_title, property_contradictions
from mmind.text.rival_numbers import is_passing
from mmind.text.sentences import sentences
from mmind.values.bundle import Conflict
from mmind.values.errors import MmindError
from mmind.values.memory import Trust

# Two memories written within the same minute are of one sitting: neither is the newer statement.
SAME_MOMENT = timedelta(minutes=1)
# What is measured sooner after one another should come to the same.
SOON_AFTER = timedelta(days=7)
MOST_SHOWN = 10
# Of two long notes that were kept apart for years, what is asked and one more; `get` reads the rest.
MOST_A_PAIR = 2
# So many are looked at before it is known which two that are.
MOST_READ = 6
FILE_TIME = "file mtime"


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two candidates whose claims cannot both hold; `trusted` is one of them, and `reason` one sentence."""

    left: Candidate
    right: Candidate
    found: Contradiction
    trusted: Candidate
    reason: str

    @property
    def handles(self) -> tuple[str, str]:
        """The ids of both sides, left then right."""
        return self.left.memory.handle, self.right.memory.handle

    @property
    def distrusted(self) -> Candidate:
        """The side that the router does not follow."""
        return self.right if self.trusted is self.left else self.left


def find_disputes(candidates: Sequence[Candidate], near: Nearness, terms: Collection[str] = ()) -> list[Dispute]:
    """What candidates contradict each other in, at most six for a pair, in the order of the pair's better-ranked side.

    Candidates are best first, one passage of each memory. Of a pair, what holds most of the query's `terms` is first.
    """
    said = _said_against(candidates, near)
    labels = label_contradictions([(_labels_tell_of(one), one.passage.text) for one in candidates])
    properties = property_contradictions([_noted(one) for one in candidates])
    steps = directed_contradictions([(_steps_tell_of(one), one.passage.text) for one in candidates])
    told: dict[tuple[int, int], list[Contradiction]] = {}
    for here, there, verdict in (*said, *labels, *properties, *steps):
        told.setdefault((here, there), []).append(verdict)
    return [
        _dispute(candidates[here], candidates[there], verdict)
        for here, there in sorted(told)
        for verdict in _most_asked(told[here, there], terms)
    ]


def _said_against(candidates: Sequence[Candidate], near: Nearness) -> list[tuple[int, int, Contradiction]]:
    """What sentences deny of each other; neither two lines of labels, nor what two notes say of themselves."""
    passages = [(one.passage.text, one.memory.time) for one in candidates]
    own = frozenset(place for place, one in enumerate(candidates) if one.memory.trust is Trust.CURATED)
    found = contradictions(passages, lambda here, there: near.between(candidates[here], candidates[there]), own)
    meant = [
        one
        for one in found
        if not all(map(is_label_line, one[2].sentences))
        and not speak_of_two(candidates[one[0]], candidates[one[1]], one[2].sentences)
    ]
    names = names_of_things(text for text, _ in passages) if meant else frozenset()
    return [one for one in meant if not are_of_two_names(candidates[one[0]], candidates[one[1]], names)]


def _labels_tell_of(candidate: Candidate) -> frozenset[str]:
    return subject_of(candidate) if labelled(candidate.passage.text) else frozenset()  # prose is spared the reading


def _steps_tell_of(candidate: Candidate) -> frozenset[str]:
    is_named = bool(candidate.memory.title or candidate.passage.heading) and bool(directions(candidate.passage.text))
    return subject_of(candidate) if is_named else frozenset()


def _noted(candidate: Candidate) -> Noted:
    """A candidate by its title or heading, where that alone is what its lines tell of."""
    memory, passage = candidate.memory, candidate.passage
    return Noted(named_alone(candidate) if needs_title(passage.text) else "", passage.text, memory.time)


def _most_asked(found: Sequence[Contradiction], terms: Collection[str]) -> list[Contradiction]:
    """At most six contradictions, each of other sentences and values, first what holds most of the query's terms."""
    kept: list[Contradiction] = []
    for one in sorted(found, key=lambda one: -_terms_held(one, terms)):
        if not any(_is_told_by(one, other) for other in kept):
            kept.append(one)
    return kept[:MOST_READ]


def _terms_held(found: Contradiction, terms: Collection[str]) -> int:
    return sum(len(token_set(sentence).intersection(terms)) for sentence in found.sentences)


def _is_told_by(found: Contradiction, other: Contradiction) -> bool:
    """Whether a contradiction says no more than another: a sentence of it, or its values, stand there too."""
    shares = any(mine == theirs for mine, theirs in zip(found.sentences, other.sentences, strict=True))
    return shares or found.values == other.values


def _dispute(left: Candidate, right: Candidate, found: Contradiction) -> Dispute:
    trusted, reason = whom_to_trust(left, right, found.corrects)
    if _was_measured_again(left, right) is trusted and is_passing(found):
        return Dispute(left, right, replace(found, kind="correction"), trusted, f"{reason}, and such a value changes")
    return Dispute(left, right, found, trusted, reason)


def _was_measured_again(left: Candidate, right: Candidate) -> Candidate | None:
    """The newer side, where a week or more lies between the two; None where it is less, or unknown."""
    newer, times = newer_of(left, right), (left.memory.time, right.memory.time)
    if newer is None or times[0] is None or times[1] is None:
        return None
    return newer if abs(times[0] - times[1]) >= SOON_AFTER else None


def whom_to_trust(left: Candidate, right: Candidate, corrects: str) -> tuple[Candidate, str]:
    """The side to follow, and why: the user's own correction, then curated, then newer, then the one with a date.

    `corrects` is "left" or "right" where that side says in words that it replaces the other, else "". Only where
    nothing parts trust and age does the question decide: the better ranked side is followed.
    """
    newer = newer_of(left, right)
    corrector = {"left": left, "right": right}.get(corrects)
    if corrector is not None and corrector.memory.trust is Trust.CURATED and newer in (None, corrector):
        return corrector, "it is the user's own correction"
    if left.memory.trust is not right.memory.trust:
        curated = left if left.memory.trust is Trust.CURATED else right
        return curated, _curated_reason(is_older=newer is not None and newer is not curated)
    if newer is not None:
        by = " by the time of its file" if newer.memory.time_kind == FILE_TIME else ""
        return newer, f"it is the newer of two memories of equal trust{by}"
    if (later := _dated_later(left, right)) is not None:
        return later, "it has the later date of two memories of equal trust"
    if corrector is not None:
        return corrector, "it says that it replaces the other"
    return _of_unknown_age(left, right)


def _dated_later(left: Candidate, right: Candidate) -> Candidate | None:
    """The side that was made later, else the one whose own date is later; None where a date is missing or equal."""
    created = (left.memory.created, right.memory.created)
    for mine, other in (created, (_own_date(left), _own_date(right))):
        if mine and other and abs(mine - other) > SAME_MOMENT:
            return left if mine > other else right
    return None


def _own_date(candidate: Candidate) -> datetime | None:
    """When a memory says, or its engine knows, that it was written; None where only its file has a time."""
    memory = candidate.memory
    return memory.created if memory.time_kind == FILE_TIME else memory.time


def _of_unknown_age(left: Candidate, right: Candidate) -> tuple[Candidate, str]:
    """The side to follow where neither is known to be newer: whatever was asked, the one of which more is known."""
    more, less = sorted((left, right), key=_known_of_age, reverse=True)  # stable: left first where as much is known
    if _known_of_age(more) == _known_of_age(less):
        age = "both are equally old" if left.memory.time else "neither has a date"
        return left, f"it matches the question better, and {age}"
    lack = "only the time of its file" if less.memory.time else "none"
    own = "it has a date" if _own_date(more) else "its file has a time"
    return more, f"{own} and the other has {lack}, so nobody can tell which is newer"


def _known_of_age(candidate: Candidate) -> tuple[bool, bool]:
    return _own_date(candidate) is not None, candidate.memory.time is not None


def _curated_reason(is_older: bool) -> str:
    if is_older:
        return "it is curated: kept although it is older, because the newer one is agent-generated"
    return "it is curated by the user, and the other is agent-generated"


def newer_of(left: Candidate, right: Candidate) -> Candidate | None:
    """The side whose time is later by more than a moment; None where that is unknown.

    A file's mtime proves that it is not younger, never that it is: a copied or synced vault is new all over. So it
    makes a note newer only than another note of which no more is known.
    """
    mine, other = left.memory.time, right.memory.time
    if mine is None or other is None or abs(mine - other) <= SAME_MOMENT:
        return None
    newer, older = (left, right) if mine > other else (right, left)
    is_proved = newer.memory.time_kind != FILE_TIME or older.memory.time_kind == FILE_TIME
    return newer if is_proved else None


def shown_conflicts(
    disputes: Sequence[Dispute], shown: Sequence[Ranked], terms: Collection[str], match: Match | None = None
) -> list[Conflict]:
    """The disputes about what was asked, at most two for a pair of results, nearest to the question first; at most ten.

    A dispute is told when one of its sides is a find on the page (not a near miss) and what it disputes is what the
    query asks for: of a long passage another sentence may have answered. Of a pair that is told so, one more may
    follow. How near the disputed sentences are to the question is told by the words of each (`match`: "length" is
    nearer to "is 5.2 m long" than to "weighs 24 kg"); where that cannot tell, the best ranked is first. Ids are those
    of the results that speak, so that a reader finds both sides; a side that is not on the page keeps its own id, and
    `get` reads it.
    """
    about = {dispute.handles for dispute in disputes if is_about(dispute, terms)}
    speakers = {one.memory.handle: (rank, ranked) for rank, ranked in enumerate(shown) for one in ranked.group.members}
    told: list[tuple[int, Dispute]] = []
    for dispute in (one for one in disputes if one.handles in about):
        ranks = [speakers[one.memory.handle][0] for one in _finds(dispute, terms) if one.memory.handle in speakers]
        if ranks:
            told.append((min(ranks), dispute))
    near = _nearness_to_the_question([dispute for _, dispute in told], match)
    ordered = sorted(zip(near, told, strict=True), key=lambda one: (-one[0], one[1][0]))
    return _once_a_pair([dispute for _, (_, dispute) in ordered], {name: one for name, (_, one) in speakers.items()})


def _nearness_to_the_question(disputes: Sequence[Dispute], match: Match | None) -> list[float]:
    """How well the nearer sentence of each dispute answers the question, word by word; 0 where nobody can tell."""
    said = [sentence for dispute in disputes for sentence in dispute.found.sentences]
    try:
        near = match(said) if match is not None and len(disputes) > 1 else None
    except MmindError:  # the model was let go of meanwhile: the ranks stand
        near = None
    if near is None:
        return [0.0] * len(disputes)
    return [max(pair) for pair in zip(near[::2], near[1::2], strict=True)]


def _once_a_pair(disputes: Sequence[Dispute], speakers: Mapping[str, Ranked]) -> list[Conflict]:
    """The conflicts that disputes come to, at most `MOST_A_PAIR` for two results; of copies one pair tells it."""
    conflicts: list[Conflict] = []
    tellers: dict[frozenset[str], list[tuple[str, str]]] = {}
    for dispute in disputes:
        conflict = _conflict(dispute, {name: speakers[name] for name in dispute.handles if name in speakers})
        told = tellers.setdefault(frozenset(conflict.ids), [])
        if len(told) < MOST_A_PAIR and (not told or dispute.handles in told):
            told.append(dispute.handles)
            conflicts.append(conflict)
    return conflicts[:MOST_SHOWN]


def is_about(dispute: Dispute, terms: Collection[str]) -> bool:
    """Whether what is disputed answers the query: no other sentence of its passage holds more of the query's terms.

    The side that holds more of them decides; where neither holds any, both were found for what they mean as a whole.
    """
    asked = frozenset(terms)
    sides = list(zip((dispute.left, dispute.right), dispute.found.sentences, strict=True))
    held = [len(asked & token_set(one.passage.text)) for one, _ in sides]
    deciding = [side for side, count in zip(sides, held, strict=True) if count == max(held)]
    return not any(held) or any(_is_nearest(one.passage.text, sentence, asked) for one, sentence in deciding)


def _is_nearest(text: str, sentence: str, asked: frozenset[str]) -> bool:
    others = (one for one in sentences(text) if sentence not in one)  # of a sentence only a clause may be disputed
    return len(asked & token_set(sentence)) >= max((len(asked & token_set(one)) for one in others), default=0)


def settling(disputes: Sequence[Dispute], terms: Collection[str], question: str) -> list[Dispute]:
    """The disputes that bear on the order of an answer: about what was asked, and between values that may be meant.

    What an agent says of it against the user settles it whatever the values are: an answer is led by the user's claim.
    """
    kind = kind_asked(question)
    about = (one for one in disputes if is_about(one, terms))
    return [one for one in about if one.left.memory.trust is not one.right.memory.trust or _may_answer(one, kind)]


def _may_answer(dispute: Dispute, kind: Kind | None) -> bool:
    """Whether one of the disputed values may be what is asked for: two sums of a rent do not say when it is due."""
    values = dispute.found.values
    return kind is None or not values or not all(is_another_kind(kind, value) for value in values)


def _finds(dispute: Dispute, terms: Collection[str]) -> list[Candidate]:
    """The sides that answer the query by the very sentence that is disputed."""
    sides = zip((dispute.left, dispute.right), dispute.found.sentences, strict=True)
    return [one for one, sentence in sides if one.confidence >= WEAK_BELOW and _is_asked(one, sentence, terms)]


def _is_asked(candidate: Candidate, sentence: str, terms: Collection[str]) -> bool:
    """Whether a sentence holds at least half of those terms of the query that its passage holds."""
    held = token_set(candidate.passage.text) & set(terms)
    return 2 * len(token_set(sentence) & held) >= len(held)


def _conflict(dispute: Dispute, shown: Mapping[str, Ranked]) -> Conflict:
    """A dispute as the answer tells it."""

    def name(candidate: Candidate) -> str:
        ranked = shown.get(candidate.memory.handle)
        return ranked.group.speaker.memory.handle if ranked else candidate.memory.handle

    return Conflict(
        kind=dispute.found.kind,
        ids=(name(dispute.left), name(dispute.right)),
        sentences=dispute.found.sentences,
        values=dispute.found.values,
        trusted=name(dispute.trusted),
        reason=dispute.reason,
        confidence=dispute.found.confidence,
    )
