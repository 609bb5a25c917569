"""What every store is like right now, for `sources`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mmind.router.fan_out import Answer, FanOut
from mmind.text.plain import agreeing, counted
from mmind.values.memory import StorePolicy
from mmind.values.ports import Freshness, Health, Indexer, Rules, Store
from mmind.values.reports import StoreStatus, TriedModel

HEALTH_LIMIT_SECONDS = 3.0
REFRESH_LIMIT_SECONDS = 0.5
# A few words that may be of any language are read by both models. What has its vector keeps it.
ENGLISH_FAILS = (
    "what is asked or kept in other languages is still found by its meaning; English, and a few words that may be of"
    " any language, by words alone"
)
OTHERS_FAIL = (
    "what is asked or kept in English is still found by its meaning; other languages, and a few words that may be of"
    " any, by words alone"
)


def store_statuses(
    stores: Mapping[str, Store], rules: Rules, indexer: Indexer, fan_out: FanOut
) -> tuple[StoreStatus, ...]:
    """One status a store, in their order; a store that hangs is shown as such and holds nobody up."""
    freshness = indexer.freshness()
    questions = {name: store.engine.health for name, store in stores.items() if store.engine is not None}
    answers = {answer.store: answer for answer in fan_out.ask(questions, HEALTH_LIMIT_SECONDS)}
    return tuple(
        _status(rules.policies[name], _health(store, answers.get(name)), freshness.get(name))
        for name, store in stores.items()
    )


def model_note(has_model: bool, statuses: Iterable[StoreStatus], tried: TriedModel | None = None) -> str:
    """What meaning cannot do now, and why: nothing without a model, not what `tried` failed at, and nothing yet for
    passages that wait for a vector."""
    if not has_model:
        return "no model is in use: keyword search alone answers"
    found = [] if tried is None else [f"{what}; {hint}" if hint else what for what, hint in model_faults(tried)]
    return "; ".join([*found, *_waiting(statuses, is_told_why=bool(found))])


def model_faults(tried: TriedModel) -> list[tuple[str, str]]:
    """Why a model does not work, with what still does, and what to do; one for each that does not."""
    english, others = tried.english, tried.others
    if english is not None and others is not None:
        both = [english] if str(english) == str(others) else [english, others]
        return [(f"{fault.message}: words alone answer", fault.hint) for fault in both]
    found = ((english, ENGLISH_FAILS), (others, OTHERS_FAIL))
    return [(f"{fault.message}: {told}", fault.hint) for fault, told in found if fault is not None]


def _waiting(statuses: Iterable[StoreStatus], *, is_told_why: bool) -> list[str]:
    states = [status.index for status in statuses if status.index is not None]
    waiting = sum(state.pending_vectors for state in states)
    if not waiting:
        return []
    faults = [state.hint for state in states if state.pending_vectors and not state.fault and state.hint]
    waits = counted(waiting, "passage waits", "passages wait")
    note = f"{waits} for a vector: until then keyword search alone finds {agreeing(waiting, 'it', 'them')}"
    return [f"{note} ({faults[0]})" if faults and not is_told_why else note]


def _health(store: Store, answer: Answer[Health] | None) -> Health:
    if answer is None:
        return Health(usable=False, where="", reason=store.fault, hint=store.hint)
    if answer.value is None:
        return Health(usable=False, where="", reason=answer.fault, hint=answer.hint)
    return answer.value


def _status(policy: StorePolicy, health: Health, index: Freshness | None) -> StoreStatus:
    scan_fault = index.fault if index is not None and health.usable else ""
    return StoreStatus(
        name=policy.name,
        role=policy.role,
        engine=policy.engine,
        access=policy.access,
        trust=policy.trust,
        half_life_days=policy.half_life_days,
        usable=health.usable and not scan_fault,
        where=health.where,
        entries=_memories(health, index),
        reason=health.reason or scan_fault,
        hint=health.hint or (index.hint if index is not None and scan_fault else ""),
        notes=health.notes,
        index=index,
        skipped=index.skipped if index is not None else (),
    )


def _memories(health: Health, index: Freshness | None) -> int:
    """As the engine counts them, else as a whole scan did; -1 before that, when what the index holds is not all."""
    if health.entries >= 0 or index is None or index.age_seconds is None:
        return health.entries
    return index.entries
