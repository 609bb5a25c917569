"""Values to JSON, purely: what the server's `structuredContent` and the command line's `--json` both are; and back.

Field names are stable. A field that would be empty is left out where the schemas in `server.tools` do not require it,
so ten results stay small. Times are ISO 8601 in UTC with a `Z`. Numbers for reading are rounded; inside `explain`
they are whole, so that the product of the factors equals the score exactly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from mmind.values.bundle import Bundle, Conflict, Evidence, Factor, Fault, Result, Score
from mmind.values.memory import Memory, Trust
from mmind.values.ports import Freshness, Skipped
from mmind.values.reports import Page, Status, Stored, StoreStatus

Json = dict[str, Any]

MAX_CHARACTERS = 32_000
"""An answer's upper bound as JSON, about 8,000 tokens: clients cut or refuse longer ones."""

MAX_SKIPPED = 20
"""How many skipped things `sources` names for each store; their number is always given."""


def bundle_to_json(bundle: Bundle, *, explain: bool, max_characters: int = MAX_CHARACTERS) -> Json:
    """One answer. With `explain`, each result carries every factor of its score, unrounded.

    At most about `max_characters` of JSON: results are left out from the end, never the first, and counted in
    `omitted`.
    """
    results = [_result(result, explain) for result in bundle.results]
    answer: Json = {
        "results": results,
        "conflicts": [_conflict(conflict) for conflict in bundle.conflicts],
        "unavailable": [_fault(fault) for fault in bundle.faults],
        "searched": list(bundle.searched),
        "relevant": bundle.relevant,
        "as_of": _time(bundle.now),
        "elapsed_ms": round(bundle.elapsed_ms, 1),
        **_filled({"notes": list(bundle.notes)}),
    }
    kept = _fitting(results, max_characters - _size(answer) + _size(results))
    omitted = bundle.omitted + len(results) - kept
    return {**answer, "results": results[:kept], **_filled({"omitted": omitted})}


def lean(answer: Json) -> Json:
    """An answer without what its other fields tell, so that ten results cost a model a third less; see `whole`.

    In the provenance, `id` is left out where it is the result's, `engine` where it is called as its store is, and
    `path` where it is `roots[store]` and the part of the id after its colon. `answer` is left as it is.
    """
    roots: dict[str, str] = {}
    for result in answer["results"]:
        for place in result["provenance"]:
            local = place["id"].partition(":")[2]
            if local and place.get("path", "").endswith(local):
                roots.setdefault(place["store"], place["path"].removesuffix(local))
    results = [
        {**result, "provenance": [_without_told(place, result["id"], roots) for place in result["provenance"]]}
        for result in answer["results"]
    ]
    return {**answer, "results": results, **_filled({"roots": roots})}


def whole(answer: Mapping[str, Any]) -> Json:
    """A lean answer with everything written out again; one that is whole stays as it is."""
    roots = answer.get("roots", {})
    results = [
        {**result, "provenance": [_with_told(place, result["id"], roots) for place in result["provenance"]]}
        for result in answer["results"]
    ]
    return {**{name: value for name, value in answer.items() if name != "roots"}, "results": results}


def bundle_from_json(answer: Mapping[str, Any], query: str) -> Bundle:
    """What `bundle_to_json` wrote (or `lean` made of it), as values again: for a client that shows an answer.

    `query` is not in the JSON. Without `explain` in the answer the score of each result is one factor, rounded as it
    came. Raises KeyError or ValueError on JSON of another kind.
    """
    results = whole(answer)["results"]
    return Bundle(
        query=query,
        results=tuple(_result_back(rank, result) for rank, result in enumerate(results, start=1)),
        conflicts=tuple(_conflict_back(conflict) for conflict in answer["conflicts"]),
        faults=tuple(Fault(fault["store"], fault["reason"], fault.get("hint", "")) for fault in answer["unavailable"]),
        notes=tuple(answer.get("notes", ())),
        searched=tuple(answer["searched"]),
        relevant=answer["relevant"],
        omitted=answer.get("omitted", 0),
        now=datetime.fromisoformat(answer["as_of"]),
        elapsed_ms=answer["elapsed_ms"],
    )


def page_to_json(page: Page) -> Json:
    """One memory, or the part of it that was asked for; `next_offset` is there while more follows."""
    return {
        **_memory(page.memory),
        "text": page.text,
        "offset": page.offset,
        "lines": [page.line_start, page.line_end],
        "total_lines": page.total_lines,
        "total_characters": page.total_characters,
        **_filled({"flags": list(page.flags)}),
        **({} if page.next_offset is None else {"next_offset": page.next_offset}),
    }


def stored_to_json(stored: Stored) -> Json:
    """A write that is durable; `is_new` is false when the same content was kept already."""
    conflicts = [_conflict(conflict) for conflict in stored.conflicts]
    return {
        **_memory(stored.memory),
        "is_new": stored.is_new,
        **_filled({"note": stored.note, "conflicts": conflicts}),
    }


def forgotten_to_json(stored: Stored) -> Json:
    """A memory that is gone."""
    return {**_memory(stored.memory), "forgotten": True, **_filled({"note": stored.note})}


def status_to_json(status: Status) -> Json:
    """Every store and the embedder; `model` is empty where words alone answer, `audit` tells why writes fail."""
    return {
        "stores": [_store(store) for store in status.stores],
        "embedder": {
            "model": status.model,
            "leaves_machine": status.leaves_machine,
            **_filled({"note": status.model_note}),
        },
        "home": status.home,
        "version": status.version,
        **({"audit": {"fault": status.audit_fault}} if status.audit_fault else {}),
    }


def _result(result: Result, explain: bool) -> Json:
    score = result.score.value
    return {
        "id": result.id,
        **_filled({"title": result.title}),
        "text": result.text,
        "score": score if explain else _rounded(score),
        "confidence": _rounded(result.confidence),
        **_filled({"weak": result.weak, "cut": result.cut}),
        "stores": list(dict.fromkeys(evidence.store for evidence in result.evidence)),
        "provenance": [_evidence(evidence) for evidence in result.evidence],
        **_filled(
            {
                "tags": list(result.tags),
                "agrees_with": list(result.agrees_with),
                "more_lines": [list(lines) for lines in result.more],
                "flags": list(result.flags),
            }
        ),
        **(
            {"explain": {"factors": [_factor(factor) for factor in result.score.factors], "score": score}}
            if explain
            else {}
        ),
    }


def _result_back(rank: int, result: Mapping[str, Any]) -> Result:
    return Result(
        rank=rank,
        id=result["id"],
        title=result.get("title", ""),
        text=result["text"],
        tags=tuple(result.get("tags", ())),
        score=_score_back(result),
        confidence=result["confidence"],
        weak=result.get("weak", False),
        cut=result.get("cut", False),
        evidence=tuple(_evidence_back(evidence) for evidence in result["provenance"]),
        more=tuple((first, last) for first, last in result.get("more_lines", ())),
        agrees_with=tuple(result.get("agrees_with", ())),
        flags=tuple(result.get("flags", ())),
    )


def _score_back(result: Mapping[str, Any]) -> Score:
    if "explain" not in result:
        return Score((Factor("score", result["score"], "not explained"),))
    factors = result["explain"]["factors"]
    return Score(tuple(Factor(one["name"], one["value"], one["reason"], one.get("inputs", {})) for one in factors))


def _evidence_back(evidence: Mapping[str, Any]) -> Evidence:
    time = evidence.get("time")
    return Evidence(
        store=evidence["store"],
        engine=evidence["engine"],
        id=evidence["id"],
        path=evidence.get("path", ""),
        heading=tuple(evidence.get("heading", ())),
        line_start=evidence["lines"][0],
        line_end=evidence["lines"][1],
        time=datetime.fromisoformat(time) if time else None,
        time_kind=evidence.get("time_kind", ""),
        trust=Trust(evidence["trust"]),
        writer=evidence.get("writer", ""),
    )


def _conflict_back(conflict: Mapping[str, Any]) -> Conflict:
    (left, right), (one, other), (mine, theirs) = conflict["ids"], conflict["sentences"], conflict["values"]
    return Conflict(
        kind=conflict["kind"],
        ids=(left, right),
        sentences=(one, other),
        values=(mine, theirs),
        trusted=conflict["trusted"],
        reason=conflict["reason"],
        confidence=conflict["confidence"],
    )


def _evidence(evidence: Evidence) -> Json:
    return {
        "store": evidence.store,
        "engine": evidence.engine,
        "id": evidence.id,
        **_filled({"path": evidence.path, "heading": list(evidence.heading)}),
        "lines": [evidence.line_start, evidence.line_end],
        **_moment(evidence.time, evidence.time_kind),
        "trust": evidence.trust.value,
        **_filled({"writer": evidence.writer}),
    }


def _told(place: Mapping[str, Any], result_id: str, roots: Mapping[str, str]) -> Json:
    """What a place in a result's provenance says when it says nothing."""
    told: Json = {"id": result_id, "engine": place["store"]}
    local = place.get("id", result_id).partition(":")[2]
    return {**told, "path": roots[place["store"]] + local} if place["store"] in roots else told


def _without_told(place: Json, result_id: str, roots: Mapping[str, str]) -> Json:
    told = _told(place, result_id, roots)
    said = {**place, "path": place.get("path", "")} if "path" in told else place
    return {name: value for name, value in said.items() if name not in told or told[name] != value}


def _with_told(place: Mapping[str, Any], result_id: str, roots: Mapping[str, str]) -> Json:
    said = {**_told(place, result_id, roots), **place}
    return {name: value for name, value in said.items() if name != "path" or value}


def _factor(factor: Factor) -> Json:
    return {
        "name": factor.name,
        "value": factor.value,
        "reason": factor.reason,
        **_filled({"inputs": {name: _finite(value) for name, value in factor.inputs.items()}}),
    }


def _conflict(conflict: Conflict) -> Json:
    return {
        "kind": conflict.kind,
        "ids": list(conflict.ids),
        "sentences": list(conflict.sentences),
        "values": list(conflict.values),
        "trusted": conflict.trusted,
        "reason": conflict.reason,
        "confidence": _rounded(conflict.confidence),
    }


def _fault(fault: Fault) -> Json:
    return {"store": fault.store, "reason": fault.reason, **_filled({"hint": fault.hint})}


def _memory(memory: Memory) -> Json:
    return {
        "id": memory.handle,
        "store": memory.store,
        **_filled({"title": memory.title, "path": memory.path}),
        "trust": memory.trust.value,
        **_moment(memory.time, memory.time_kind),
        **_filled(
            {
                "created": _time(memory.created),
                "writer": memory.writer,
                "session": memory.session,
                "tags": list(memory.tags),
                "aliases": list(memory.aliases),
                "links": list(memory.links),
                "truncated": memory.truncated,
            }
        ),
    }


def _store(store: StoreStatus) -> Json:
    return {
        "name": store.name,
        "role": store.role,
        "engine": store.engine,
        "access": store.access.value,
        "trust": store.trust.value if store.trust else "by writer",
        "half_life_days": store.half_life_days,
        "usable": store.usable,
        **_filled({"where": store.where}),
        **({"entries": store.entries} if store.entries >= 0 else {}),
        **_filled({"reason": store.reason, "hint": store.hint, "notes": list(store.notes)}),
        **({"index": _freshness(store.index)} if store.index else {}),
        **_filled({"skipped": _skipped(store.skipped), "skipped_total": len(store.skipped)}),
    }


def _freshness(index: Freshness) -> Json:
    return {
        "entries": index.entries,
        "passages": index.passages,
        **({} if index.age_seconds is None else {"age_seconds": round(index.age_seconds, 1)}),
        "pending_words": index.pending_words,
        "pending_vectors": index.pending_vectors,
        **_filled({"fault": index.fault, "hint": index.hint}),
    }


def _skipped(skipped: Iterable[Skipped]) -> list[Json]:
    return [{"name": thing.name, "reason": thing.reason} for thing in list(skipped)[:MAX_SKIPPED]]


def _moment(time: datetime | None, kind: str) -> Json:
    return {} if time is None else {"time": _time(time), **_filled({"time_kind": kind})}


def _time(time: datetime | None) -> str:
    if time is None:
        return ""
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _filled(fields: Mapping[str, Any]) -> Json:
    return {name: value for name, value in fields.items() if value}


def _rounded(number: float) -> float:
    return round(number, 4)


def _finite(value: float | str | None) -> float | str | None:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _fitting(results: list[Json], characters: int) -> int:
    """How many of the results fit, from the first on; always one, for an answer without any helps nobody."""
    used = 2
    for count, result in enumerate(results):
        used += _size(result) + 1
        if used > characters and count:
            return count
    return len(results)


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
