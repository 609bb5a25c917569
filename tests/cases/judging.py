"""The checks of a case held against what came of its action; each gives what is wrong in words, or nothing.

A check that the judge does not know is a failure too: nothing passes because it was not looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cases.acting import Journal, Outcome
from tests.cases.grounds import Grounds, matching, open_store
from tests.cases.replies import Found, Pair, Replies, composed, everything, is_error, structured, text
from tests.cases.schemas import SCHEMA_RULES

Json = dict[str, Any]
Complaints = Iterator[str]


@dataclass(frozen=True, slots=True)
class Trial:
    """What the judge has before it: the check, the journal, the folders as they are now and how the vault was."""

    check: Json
    journal: Journal
    grounds: Grounds
    replies: Replies
    vault_difference: str

    @property
    def calls(self) -> list[Outcome]:
        """The outcomes that a client waited for."""
        return [one for one in self.journal.outcomes if one.is_awaited]

    @property
    def retrieves(self) -> list[Outcome]:
        """The calls of `retrieve`."""
        return [one for one in self.calls if one.tool == "retrieve"]

    @property
    def sources(self) -> Outcome | None:
        """The last call of `sources`."""
        return next((one for one in reversed(self.calls) if one.tool == "sources"), None)


def judged(trial: Trial) -> list[str]:
    """Every complaint about a case; none when it passes."""
    found = []
    for name, wanted in trial.check.items():
        if name in ABOUT_ALL:
            complaints = ABOUT_ALL[name](trial, wanted)
        elif name in ABOUT_ONE:
            complaints = _about_each(trial, name, wanted, trial.retrieves)
        elif name in ("should", "run_also_with"):
            continue
        else:
            complaints = iter([f"the judge does not know the check {name!r}"])
        found += [f"{name}: {complaint}" for complaint in complaints]
    return found


def wishes(trial: Trial) -> list[str]:
    """What a case would like besides; not a failure."""
    wished = trial.check.get("should", {})
    return judged(Trial(wished, trial.journal, trial.grounds, trial.replies, trial.vault_difference)) if wished else []


def _about_each(trial: Trial, name: str, wanted: Any, outcomes: Iterable[Outcome]) -> Complaints:
    for outcome in outcomes:
        for complaint in ABOUT_ONE[name](trial, outcome, wanted):
            yield f"{outcome.arguments.get('query', outcome.tool)!r:.60}: {complaint}"


def _checks_of(trial: Trial, outcome: Outcome, checks: Json) -> Complaints:
    for name, wanted in checks.items():
        if name == "query":
            continue
        if name not in ABOUT_ONE:
            yield f"the judge does not know the check {name!r} of one call"
            continue
        yield from (f"{name}: {complaint}" for complaint in ABOUT_ONE[name](trial, outcome, wanted))


def _ids(found: Sequence[Found]) -> list[list[str]]:
    return [list(result.ids) for result in found]


# -- checks of one reply


def top_id(trial: Trial, outcome: Outcome, wanted: str) -> Complaints:
    found = trial.replies.results(outcome)
    if not found or composed(wanted) not in found[0].ids:
        yield f"{wanted} is not first in {_ids(found)}; {_shown(outcome) if not found else ''}"


def contains_ids(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    found = trial.replies.results(outcome)
    here = {id_ for result in found for id_ in result.ids}
    yield from (f"{one} is not in {_ids(found)}" for one in wanted if composed(one) not in here)


def contains_any(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    here = {id_ for result in trial.replies.results(outcome) for id_ in result.ids}
    if not here & set(map(composed, wanted)):
        yield f"none of {wanted} is in {sorted(here)}"


def not_contains_ids(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    for result in trial.replies.results(outcome):
        for one in wanted:
            name = composed(one)
            if name in result.ids or any(composed(path).endswith(f"/{name}") for path in result.paths):
                yield f"{one} was found"


def order(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    ranks = {id_: rank for rank, result in enumerate(trial.replies.results(outcome)) for id_ in result.ids}
    places = [ranks.get(composed(one), len(ranks)) for one in wanted]
    if places != sorted(places) or len(ranks) in places:
        yield f"{wanted} stand at {places}"


def occurrences(trial: Trial, outcome: Outcome, wanted: dict[str, int]) -> Complaints:
    found = trial.replies.results(outcome)
    for one, count in wanted.items():
        here = sum(result.ids.count(composed(one)) for result in found)
        if here != count:
            yield f"{one} occurs {here} times"


def unique_ids(trial: Trial, outcome: Outcome, _: bool) -> Complaints:
    ids = [id_ for result in trial.replies.results(outcome) for id_ in result.ids]
    if len(ids) != len(set(ids)):
        yield f"ids are not unique: {ids}"


def results_max(trial: Trial, outcome: Outcome, wanted: int) -> Complaints:
    if (count := len(trial.replies.results(outcome))) > wanted:
        yield f"{count} results"


def min_results(trial: Trial, outcome: Outcome, wanted: int) -> Complaints:
    if (count := len(trial.replies.results(outcome))) < wanted:
        yield f"{count} results; {_shown(outcome)}"


def max_relevant(trial: Trial, outcome: Outcome, wanted: int) -> Complaints:
    relevant = [result for result in trial.replies.results(outcome) if not result.weak]
    if len(relevant) > wanted:
        yield f"{len(relevant)} results above the line: {_ids(relevant)}"


def contains_text(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    found = trial.replies.results(outcome)
    shown = "\n".join(result.text for result in found) if found else text(outcome)
    yield from (f"{one!r} is not in {shown[:300]!r}" for one in wanted if one.casefold() not in shown.casefold())


def not_contains_text(_: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    yield from (f"{one!r} is in the reply" for one in wanted if one in everything(outcome))


def title(trial: Trial, outcome: Outcome, wanted: str) -> Complaints:
    found = trial.replies.results(outcome)
    if not found or found[0].title != wanted:
        yield f"the first title is {found[0].title if found else None!r}"


def heading(trial: Trial, outcome: Outcome, wanted: str) -> Complaints:
    found = trial.replies.results(outcome)
    if not found or (found[0].headings or ("",))[-1] != wanted:
        yield f"the first heading is {found[0].headings if found else None}"


def headings_never(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    here = {heading for result in trial.replies.results(outcome) for heading in result.headings}
    yield from (f"{one!r} is a heading" for one in wanted if one in here)


def tags(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    found = trial.replies.results(outcome)
    if not found or sorted(found[0].tags) != sorted(wanted):
        yield f"the tags are {found[0].tags if found else None}"


def tags_never(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    here = {tag for result in trial.replies.results(outcome) for tag in result.tags}
    yield from (f"{one!r} is a tag" for one in wanted if one in here)


def path_endswith(trial: Trial, outcome: Outcome, wanted: str) -> Complaints:
    found = trial.replies.results(outcome)
    if not found or not found[0].paths[0].endswith(wanted):
        yield f"the first path is {found[0].paths if found else None}"


def paths_open(trial: Trial, outcome: Outcome, _: bool) -> Complaints:
    for result in trial.replies.results(outcome):
        yield from (f"{path!r} does not open" for path in result.paths if path and not Path(path).exists())


def collapsed(trial: Trial, outcome: Outcome, wanted: list[list[str]]) -> Complaints:
    found = trial.replies.results(outcome)
    for group in wanted:
        if not any(set(map(composed, group)) <= set(result.ids) for result in found):
            yield f"{group} are not one result in {_ids(found)}"


def stores_listed(trial: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    listed = [sorted(result.stores) for result in trial.replies.results(outcome)]
    if sorted(wanted) not in listed:
        yield f"the stores are {listed}"


def conflicts(trial: Trial, outcome: Outcome, wanted: Json) -> Complaints:
    pairs = trial.replies.conflicts(outcome)
    for name, value in wanted.items():
        if name not in ABOUT_CONFLICTS:
            yield f"the judge does not know the check {name!r} of conflicts"
            continue
        yield from (f"{name}: {one} in {_pairs(pairs)}" for one in ABOUT_CONFLICTS[name](pairs, value))


def _pairs(pairs: Sequence[Pair]) -> str:
    return str([(sorted(pair.ids), pair.kind, pair.preferred) for pair in pairs])


def _missing(pairs: Sequence[Pair], wanted: Iterable[list[str]]) -> list[list[str]]:
    have = [pair.ids for pair in pairs]
    return [one for one in wanted if frozenset(map(composed, one)) not in have]


ABOUT_CONFLICTS: dict[str, Callable[[Sequence[Pair], Any], list[str]]] = {
    "count": lambda pairs, wanted: [] if len(pairs) == wanted else [f"{len(pairs)} conflicts"],
    "min": lambda pairs, wanted: [] if len(pairs) >= wanted else [f"{len(pairs)} conflicts"],
    "pairs": lambda pairs, wanted: [f"{one} is no pair" for one in _missing(pairs, wanted)],
    "must_pair_any": lambda pairs, wanted: (
        [f"none of {wanted} is a pair"] if len(_missing(pairs, wanted)) == len(wanted) else []
    ),
    "never_pairs": lambda pairs, wanted: [f"{one} is a pair" for one in wanted if not _missing(pairs, [one])],
    "kinds": lambda pairs, wanted: [f"a kind beside {wanted}" for pair in pairs if pair.kind not in wanted],
    "kinds_any": lambda pairs, wanted: [] if any(p.kind in wanted for p in pairs) else [f"no kind of {wanted}"],
    "preferred": lambda pairs, wanted: [
        f"prefers {pair.preferred}"
        for pair in pairs
        if composed(wanted) in pair.ids and pair.preferred != composed(wanted)
    ],
    "why_mentions_any": lambda pairs, wanted: [
        f"the reason {pair.why!r} mentions none of {wanted}"
        for pair in pairs
        if not any(word.casefold() in pair.why.casefold() for word in wanted)
    ],
    "has": lambda pairs, wanted: [f"lacks {what}" for pair in pairs for what in wanted if not _has(pair, what)],
}


def _has(pair: Pair, what: str) -> bool:
    return bool({"ids": len(pair.ids) == 2, "why": pair.why, "preferred": pair.preferred, "kind": pair.kind}[what])


def explain(trial: Trial, outcome: Outcome, wanted: Json) -> Complaints:
    found = trial.replies.results(outcome)
    for name, value in wanted.items():
        if name not in ABOUT_FACTORS:
            yield f"the judge does not know the check {name!r} of explain"
            continue
        if not all(result.factors for result in found):
            yield "a result is not explained"
        yield from (f"{name}: {one}" for result in found for one in ABOUT_FACTORS[name](result, value))


def _between(factor: str) -> Callable[[Found, list[float]], list[str]]:
    def outside(result: Found, wanted: list[float]) -> list[str]:
        value = result.factors[factor]["value"]
        return [] if wanted[0] <= value <= wanted[1] else [f"{factor} of {result.ids} is {value}"]

    return outside


def _bonus_of(result: Found) -> float:
    return float(result.factors.get("corroboration", {"value": 1.0})["value"]) - 1.0


def _bonus(result: Found, wanted: float | list[float]) -> list[str]:
    bonus, (low, high) = _bonus_of(result), wanted if isinstance(wanted, list) else (0.0, wanted)
    return [] if low - 1e-9 <= bonus <= high + 1e-9 else [f"the bonus of {result.ids} is {bonus}"]


def _silence(result: Found, _: bool) -> list[str]:
    """Both signals are there by name; one that did not speak is null."""
    inputs = result.factors["relevance"].get("inputs", {})
    missing = [name for name in ("bm25", "lexical", "cosine") if name not in inputs]
    return [f"{missing} are not named for {result.ids}"] if missing else []


ABOUT_FACTORS: dict[str, Callable[[Found, Any], list[str]]] = {
    "recency_between": _between("recency"),
    "blend_between": _between("relevance"),
    "trust_between": _between("trust"),
    "corroboration_bonus": _bonus,
    "missing_signal_is_null_not_zero": _silence,
}


def explain_bonus_max(trial: Trial, outcome: Outcome, wanted: float) -> Complaints:
    for result in trial.replies.results(outcome):
        yield from _bonus(result, [0.0, wanted])


def has_failed(_: Trial, outcome: Outcome, wanted: bool) -> Complaints:
    if is_error(outcome) is not wanted:
        yield f"{'no error' if wanted else 'an error'}: {_shown(outcome)}"


def has_not_failed(trial: Trial, outcome: Outcome, wanted: bool) -> Complaints:
    yield from has_failed(trial, outcome, not wanted)


def mentions_any(_: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    shown = everything(outcome).casefold()
    if not any(word.casefold() in shown for word in wanted):
        yield f"none of {wanted} in {_shown(outcome)}"


def says_unavailable(_: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    yield from (f"{store} is not unavailable" for store in wanted if not _is_unavailable(outcome, store))


def says_unavailable_or_readonly(_: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    for store in wanted:
        if not _is_unavailable(outcome, store) and _store(outcome, store).get("access") != "read":
            yield f"{store} is neither unavailable nor read-only"


def says_ok(_: Trial, outcome: Outcome, wanted: list[str]) -> Complaints:
    for store in wanted:
        if not _store(outcome, store).get("usable"):
            yield f"{store} is not usable: {_store(outcome, store)}"


def _store(outcome: Outcome, name: str) -> Json:
    return next((store for store in structured(outcome).get("stores", ()) if store["name"] == name), {})


def _is_unavailable(outcome: Outcome, name: str) -> bool:
    left_out = {fault["store"] for fault in structured(outcome).get("unavailable", ())}
    return name in left_out or _store(outcome, name).get("usable") is False


def within_seconds(_: Trial, outcome: Outcome, wanted: float) -> Complaints:
    if outcome.seconds > wanted:
        yield f"took {outcome.seconds:.1f} s"


def max_result_bytes(_: Trial, outcome: Outcome, wanted: int) -> Complaints:
    """Structured content and text block are two renderings of which a model is shown one."""
    size = max(len(text(outcome).encode()), len(json.dumps(structured(outcome), ensure_ascii=False).encode()))
    if size > wanted:
        yield f"{size} bytes"


def min_distinct_paths(trial: Trial, outcome: Outcome, wanted: int) -> Complaints:
    if (count := len({result.ids[0] for result in trial.replies.results(outcome)})) < wanted:
        yield f"{count} distinct"


def max_per_path(trial: Trial, outcome: Outcome, wanted: int) -> Complaints:
    ids = [result.ids[0] for result in trial.replies.results(outcome)]
    yield from (f"{one} occurs {ids.count(one)} times" for one in set(ids) if ids.count(one) > wanted)


def max_pairwise_overlap(trial: Trial, outcome: Outcome, wanted: float) -> Complaints:
    words = [set(re.findall(r"\w+", result.text.casefold())) for result in trial.replies.results(outcome)]
    for index, left in enumerate(words):
        for right in words[:index]:
            if len(left & right) > wanted * len(left | right):
                yield f"two results overlap by {len(left & right) / len(left | right):.2f}"


def _shown(outcome: Outcome) -> str:
    return (outcome.failure or text(outcome).strip() or "no answer")[:400]


ABOUT_ONE: dict[str, Callable[[Trial, Outcome, Any], Complaints]] = {
    "top_id": top_id,
    "contains_ids": contains_ids,
    "contains_any": contains_any,
    "not_contains_ids": not_contains_ids,
    "order": order,
    "occurrences": occurrences,
    "unique_ids": unique_ids,
    "results_max": results_max,
    "min_results": min_results,
    "max_relevant": max_relevant,
    "contains_text": contains_text,
    "not_contains_text": not_contains_text,
    "title": title,
    "heading": heading,
    "headings_never": headings_never,
    "tags": tags,
    "tags_never": tags_never,
    "path_endswith": path_endswith,
    "paths_open": paths_open,
    "collapsed": collapsed,
    "stores_listed": stores_listed,
    "conflicts": conflicts,
    "explain": explain,
    "explain_bonus_max": explain_bonus_max,
    "error": has_failed,
    "not_error": has_not_failed,
    "error_mentions_any": mentions_any,
    "mentions_any": mentions_any,
    "says_unavailable": says_unavailable,
    "says_unavailable_or_readonly": says_unavailable_or_readonly,
    "says_ok": says_ok,
    "within_seconds": within_seconds,
    "each_call_within_seconds": within_seconds,
    "max_result_bytes": max_result_bytes,
    "min_distinct_paths": min_distinct_paths,
    "max_per_path": max_per_path,
    "max_pairwise_overlap": max_pairwise_overlap,
}


# -- checks of the whole case


def nothing_failed(trial: Trial, _: bool) -> Complaints:
    for outcome in trial.calls:
        if is_error(outcome):
            yield f"{outcome.tool} {outcome.arguments!s:.80}: {_shown(outcome)}"


def each_within(trial: Trial, wanted: float) -> Complaints:
    for outcome in trial.calls:
        yield from (f"{outcome.tool}: {one}" for one in within_seconds(trial, outcome, wanted))


def per_query(trial: Trial, wanted: list[Json]) -> Complaints:
    for checks in wanted:
        asked = [one for one in trial.retrieves if one.arguments.get("query") == checks["query"]]
        if not asked:
            yield f"{checks['query']!r} was not asked"
        for outcome in asked:
            yield from (f"{checks['query']!r}: {one}" for one in _checks_of(trial, outcome, checks))


def by_number(trial: Trial, wanted: dict[str, Json]) -> Complaints:
    """Checks of steps by their numbers or ranges of numbers."""
    for numbers, checks in wanted.items():
        first, _, last = numbers.partition("-")
        chosen = [one for one in trial.calls if int(first) <= one.step <= int(last or first)]
        if not chosen:
            yield f"step {numbers} came to nothing"
        for outcome in chosen:
            yield from (f"step {outcome.step}: {one}" for one in _checks_of(trial, outcome, checks))


def step_error(trial: Trial, wanted: dict[str, list[str]]) -> Complaints:
    checks = {number: {"error": True, "error_mentions_any": words} for number, words in wanted.items()}
    yield from by_number(trial, checks)


def step_within_seconds(trial: Trial, wanted: dict[str, float]) -> Complaints:
    yield from by_number(trial, {number: {"within_seconds": seconds} for number, seconds in wanted.items()})


def mentions_any_of_step(trial: Trial, wanted: dict[str, list[str]]) -> Complaints:
    yield from by_number(trial, {number: {"mentions_any": words} for number, words in wanted.items()})


def method_within(method: str) -> Callable[[Trial, float], Complaints]:
    def check(trial: Trial, wanted: float) -> Complaints:
        asked = [one for one in trial.calls if one.tool == method]
        if not asked:
            yield f"{method} was not asked"
        for outcome in asked:
            yield from within_seconds(trial, outcome, wanted)

    return check


def sources(trial: Trial, wanted: dict[str, Json]) -> Complaints:
    for name, facts in wanted.items():
        entries = _store(trial.sources, name).get("entries") if trial.sources else None
        low, high = facts.get("entries_min", facts.get("entries")), facts.get("entries", facts.get("entries_max"))
        if entries is None or (low is not None and entries < low) or (high is not None and entries > high):
            yield f"{name} has {entries} entries, not {facts}"


def warnings_name(trial: Trial, wanted: list[str]) -> Complaints:
    named = _skipped(trial)
    for one in wanted:
        count = sum(one in name for name in named)
        if count != 1 and not (count == 0 and one in trial.journal.log):
            yield f"{one} is named {count} times in {named}"


def warnings_do_not_name(trial: Trial, wanted: list[str]) -> Complaints:
    yield from (f"{one} is named" for one in wanted if any(one in name for name in _skipped(trial)))


def _skipped(trial: Trial) -> list[str]:
    stores = structured(trial.sources).get("stores", ()) if trial.sources else ()
    return [thing["name"] for store in stores for thing in store.get("skipped", ())]


def vault_unchanged(trial: Trial, _: bool) -> Complaints:
    if trial.vault_difference:
        yield f"these differ: {trial.vault_difference}"


def audit_contains(trial: Trial, wanted: list[str]) -> Complaints:
    log = "".join(path.read_text("utf-8", "replace") for path in matching(trial.grounds, "data/audit/**/*"))
    yield from (f"{one!r} is not in the audit log" for one in wanted if one not in log)


def json_roundtrip(trial: Trial, _: bool) -> Complaints:
    for line in trial.journal.stdout:
        try:
            if json.loads(json.dumps(json.loads(line))) != json.loads(line):
                yield f"{line[:80]!r} does not come back"
        except ValueError:
            yield f"{line[:80]!r} is not JSON"
        line.decode("utf-8")


def stdout_only_jsonrpc(trial: Trial, _: bool) -> Complaints:
    if not trial.journal.stdout:
        yield "nothing was written"
    for line in trial.journal.stdout:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            yield f"{line[:80]!r} is not JSON-RPC"


def process_alive(trial: Trial, _: bool) -> Complaints:
    if not trial.journal.is_alive_at_end:
        yield f"the server is gone: {trial.journal.log[-400:]}"


def rows_unchanged(trial: Trial, _: bool) -> Complaints:
    for ref, memory in trial.grounds.seeded.items():
        engine = open_store(trial.grounds.root / "data", memory.store)
        kept = engine.get(memory.id)
        engine.close()
        if kept is None or (kept.text, kept.time, kept.trust) != (memory.text, memory.time, memory.trust):
            yield f"{ref} is now {kept}"


def acknowledged_equals_stored(trial: Trial, _: bool) -> Complaints:
    for outcome in trial.calls:
        if outcome.tool != "store" or is_error(outcome):
            continue
        store, _, id_ = structured(outcome)["id"].partition(":")
        engine = open_store(trial.grounds.root / "data", store)
        kept = engine.get(id_)
        engine.close()
        if kept is None or kept.text != outcome.arguments["content"]:
            yield f"{outcome.arguments} was acknowledged and is {kept}"


def files_valid_json_after_step(trial: Trial, _: int) -> Complaints:
    if trial.journal.json_files_fault:
        yield trial.journal.json_files_fault


def exists(trial: Trial, wanted: list[str]) -> Complaints:
    yield from (f"{one} is not there" for one in wanted if not trial.grounds.path(one).exists())


def not_exists(trial: Trial, wanted: list[str]) -> Complaints:
    yield from (f"{one} is there" for one in wanted if trial.grounds.path(one).exists())


def truncation_flagged(trial: Trial, _: bool) -> Complaints:
    """A text that is not the whole passage says so, and so does an answer that left results out."""
    for outcome in trial.retrieves:
        for result in trial.replies.results(outcome):
            if result.text.startswith("…") or result.text.endswith("…"):
                yield from [] if result.cut else [f"{result.ids} is cut in silence"]
        count, answer = len(trial.replies.results(outcome)), structured(outcome)
        left_out = min(outcome.arguments.get("limit", 8), 30) - count
        if left_out > 0 and answer.get("omitted", 0) != left_out:
            yield f"{left_out} results are missing and omitted says {answer.get('omitted', 0)}"


def secrets_never_in_outputs(trial: Trial, wanted: list[str]) -> Complaints:
    outputs = {"stdout": b"".join(trial.journal.stdout).decode("utf-8", "replace"), "log": trial.journal.log}
    files = {str(path): path.read_bytes().decode("utf-8", "replace") for path in matching(trial.grounds, "**/*")}
    for place, held in {**outputs, **files}.items():
        yield from (f"{secret!r} is in {place}" for secret in wanted if secret in held)


def all_exits_in_time(trial: Trial, _: bool) -> Complaints:
    exits = [one for one in trial.journal.outcomes if one.tool == "exit"]
    if not exits:
        yield "nothing was awaited"
    yield from (f"step {one.step}: {one.failure}" for one in exits if one.failure)
    yield from (f"a server ended with status {status}" for status in trial.journal.statuses if status)


def schema_rules(trial: Trial, wanted: list[str]) -> Complaints:
    for tool in _tools(trial):
        for rule in wanted:
            yield from (f"{tool['name']}: {rule}: {one}" for one in SCHEMA_RULES[rule](tool))


def tools(trial: Trial, wanted: list[str]) -> Complaints:
    names = sorted(tool["name"] for tool in _tools(trial))
    if names != sorted(wanted):
        yield f"the tools are {names}"


def _tools(trial: Trial) -> list[Json]:
    listed = [one.message for one in trial.calls if one.tool == "tools/list" and one.message]
    return [tool for message in listed for tool in message["result"]["tools"]]


ABOUT_ALL: dict[str, Callable[[Trial, Any], Complaints]] = {
    "not_error": nothing_failed,
    "within_seconds": each_within,
    "each_call_within_seconds": each_within,
    "per_query": per_query,
    "steps_check": by_number,
    "each_check": by_number,
    "step_error": step_error,
    "step_within_seconds": step_within_seconds,
    "mentions_any_of_step": mentions_any_of_step,
    "initialize_within_seconds": method_within("initialize"),
    "tools_list_within_seconds": method_within("tools/list"),
    "sources": sources,
    "warnings_name": warnings_name,
    "warnings_do_not_name": warnings_do_not_name,
    "vault_unchanged": vault_unchanged,
    "audit_contains": audit_contains,
    "json_roundtrip": json_roundtrip,
    "stdout_only_jsonrpc": stdout_only_jsonrpc,
    "process_alive": process_alive,
    "rows_unchanged": rows_unchanged,
    "acknowledged_equals_stored": acknowledged_equals_stored,
    "files_valid_json_after_step": files_valid_json_after_step,
    "exists": exists,
    "not_exists": not_exists,
    "truncation_flagged": truncation_flagged,
    "secrets_never_in_outputs": secrets_never_in_outputs,
    "all_exits_in_time": all_exits_in_time,
    "schema_rules": schema_rules,
    "tools": tools,
}
