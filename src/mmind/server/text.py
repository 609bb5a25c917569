"""The text block of each answer: as complete as the structured content, and safe to put before a model.

Memories stand between `<memory …>` and `</memory>`; whatever in them looks like one of these delimiters is escaped,
so that no memory can end its own block. Everything else is ours. Expects the neutral JSON that `neutral_tree` gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from mmind.text.plain import agreeing

Json = Mapping[str, Any]

_DELIMITER = re.compile(r"<(?=[\s/]*memory)", re.IGNORECASE)


def bundle_text(answer: Json) -> str:
    """The answer to `retrieve`: what the reader must know first, then the results, best first."""
    lines = [_headline(answer)]
    lines += [_conflict(conflict) for conflict in answer["conflicts"]]
    lines += [_fault(fault) for fault in answer["unavailable"]]
    lines += [f"NOTE {_line(note)}" for note in answer.get("notes", ())]
    if answer.get("omitted"):
        lines.append(
            f"OMITTED {answer['omitted']} more, to keep the answer short: narrow the query or raise max_tokens"
        )
    lines += [f"ROOT of {store}: {_line(root)} (+ the id after its colon)" for store, root in _roots(answer)]
    lines += [_result(rank, result) for rank, result in enumerate(answer["results"], start=1)]
    return "\n".join(lines)


def page_text(page: Json) -> str:
    """One memory, or a part of it, and where to read on."""
    first, last = page["lines"]
    facts = [_where(page, f"{_lines(first, last)} of {page['total_lines']}"), *_details(page)]
    offset = page.get("next_offset")
    more = f"MORE follows: get with offset={offset}" if offset is not None else "END of the memory"
    characters = f"{len(page['text'])} of {_counted(page['total_characters'], 'character', 'characters')}"
    return "\n".join(
        [f"{_line(page['id'])} · {characters} from offset {page['offset']}", *_block(page, facts, page["text"]), more]
    )


def stored_text(stored: Json) -> str:
    """What `store` did."""
    head = "Stored" if stored["is_new"] else "Already known"
    conflicts = [_conflict(conflict) for conflict in stored.get("conflicts", ())]
    facts = [*_title(stored), _where(stored), *_details(stored)]
    return "\n".join([f"{head}: {_line(stored['id'])}", *conflicts, *facts])


def forgotten_text(forgotten: Json) -> str:
    """What `forget` did."""
    head = f"Forgotten: {_line(forgotten['id'])}"
    return "\n".join([head, *_title(forgotten), _where(forgotten), *_details(forgotten)])


def status_text(status: Json) -> str:
    """Every store in a few lines, then the embedder."""
    embedder = status["embedder"]
    model = _line(embedder["model"]) if embedder["model"] else "none, words alone answer"
    leaves = "; texts leave this machine" if embedder["leaves_machine"] else ""
    note = f"; {_line(embedder['note'])}" if embedder.get("note") else ""
    stores = [line for store in status["stores"] for line in _store(store)]
    audit = [f"AUDIT LOG {_line(status['audit']['fault'])}; until then nothing is written"] if "audit" in status else []
    head = f"mmind {status['version']} at {status['home']}"
    return "\n".join([head, *stores, f"EMBEDDER {model}{leaves}{note}", *audit])


def _roots(answer: Json) -> list[tuple[str, str]]:
    return list(answer.get("roots", {}).items())


def _headline(answer: Json) -> str:
    count = len(answer["results"])
    found = _counted(count, "result", "results")
    if not answer["relevant"]:
        found = f"{found}, none clearly relevant (near misses only)" if count else "nothing found"
    searched = ", ".join(answer["searched"]) or "no store"
    return f"{found} · searched {searched} · {answer['as_of']} · {answer['elapsed_ms']} ms"


def _conflict(conflict: Json) -> str:
    (first, second), (one, other), (left, right) = conflict["ids"], conflict["sentences"], conflict["values"]
    return (
        f"CONFLICT {conflict['kind']} (confidence {conflict['confidence']}):"
        f" {_line(first)} says “{_line(one)}” [{_line(left)}]"
        f" but {_line(second)} says “{_line(other)}” [{_line(right)}];"
        f" trusted: {_line(conflict['trusted'])}, {_line(conflict['reason'])}"
    )


def _fault(fault: Json) -> str:
    hint = f"; {_line(fault['hint'])}" if fault.get("hint") else ""
    return f"UNAVAILABLE {_line(fault['store'])}: {_line(fault['reason'])}{hint}"


def _result(rank: int, result: Json) -> str:
    marks = [word for word in ("weak", "cut") if result.get(word)]
    head = " · ".join(
        [f"#{rank} {_line(result['id'])}", f"score {result['score']}", f"confidence {result['confidence']}", *marks]
    )
    facts = [_evidence(evidence, result) for evidence in result["provenance"]]
    return "\n".join([head, *_block(result, [*facts, *_details(result)], result["text"]), *_explanation(result)])


def _block(memory: Json, facts: Iterable[str], text: str) -> list[str]:
    return ["<memory>", *_title(memory), *facts, "", _escaped(text.rstrip("\n")), "</memory>"]


def _title(memory: Json) -> list[str]:
    return [f"title: {_line(memory['title'])}"] if memory.get("title") else []


def _evidence(evidence: Json, result: Json) -> str:
    first, last = evidence["lines"]
    other = "" if evidence.get("id", result["id"]) == result["id"] else f" {_line(evidence['id'])}"
    engine = "" if evidence.get("engine", evidence["store"]) == evidence["store"] else f" ({evidence['engine']})"
    below = evidence.get("heading", ())
    below = below[1:] if below and below[0] == result.get("title") else below  # the title is said already
    heading = " › ".join(_line(part) for part in below)
    return _where(evidence, _lines(first, last), heading, f"{evidence['store']}{engine}{other}")


def _where(memory: Json, lines: str = "", heading: str = "", store: str = "") -> str:
    """Where it came from, on one line: store, place, heading, lines, time, tier and writer."""
    time = memory.get("time")
    age = f"{memory.get('time_kind', 'time')} {time}" if time else "time unknown"
    by = f" by {_line(memory['writer'])}" if memory.get("writer") else ""
    parts = [store or memory["store"], _line(memory.get("path", "")), heading, lines, age, f"{memory['trust']}{by}"]
    return "from: " + " · ".join(part for part in parts if part)


def _details(memory: Json) -> list[str]:
    """The fields that are only there when they say something."""
    shown = [
        f"{name.replace('_', ' ')}: {', '.join(_item(item) for item in memory[name])}"
        for name in _LISTS
        if memory.get(name)
    ]
    shown += [f"{name}: {_line(memory[name])}" for name in ("created", "session", "note") if memory.get(name)]
    return [*shown, "truncated: the store keeps only a bounded start of it"] if memory.get("truncated") else shown


_LISTS = ("tags", "aliases", "links", "agrees_with", "more_lines", "flags")


def _item(item: Any) -> str:
    return _range(*item) if isinstance(item, list) else _line(item)


def _lines(first: int, last: int) -> str:
    return f"{agreeing(last - first + 1, 'line', 'lines')} {_range(first, last)}"


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}-{last}"


def _explanation(result: Json) -> list[str]:
    explain = result.get("explain")
    if not explain:
        return []
    return [*(_factor(factor) for factor in explain["factors"]), f"  = {explain['score']!r}"]


def _factor(factor: Json) -> str:
    inputs = ", ".join(f"{name} {value}" for name, value in factor.get("inputs", {}).items())
    return f"  × {factor['value']!r} {factor['name']}: {_line(factor['reason'])}" + (
        f" ({_line(inputs)})" if inputs else ""
    )


def _store(store: Json) -> list[str]:
    state = "ok" if store["usable"] else "UNAVAILABLE"
    entries = _counted(store["entries"], "entry", "entries") if "entries" in store else "entries not counted"
    days = store["half_life_days"]
    age = f"half-life {days:g} {agreeing(days, 'day', 'days')}"
    facts = [
        state,
        store["engine"],
        store["access"],
        f"trust {store['trust']}",
        entries,
        age,
        store.get("where", ""),
        store["role"],
    ]
    head = f"{store['name'].upper()} " + " · ".join(_line(fact) for fact in facts if fact)
    faults = "; ".join(_line(store[name]) for name in ("reason", "hint") if store.get(name))
    notes = [f"  note: {_line(note)}" for note in store.get("notes", ())]
    return [head, *([f"  {faults}"] if faults else []), *_index(store), *notes, *_skipped(store)]


def _index(store: Json) -> list[str]:
    index = store.get("index")
    if not index:
        return []
    age = f"scanned {index['age_seconds']} s ago" if "age_seconds" in index else "never scanned completely"
    words = "not counted yet" if index["pending_words"] < 0 else index["pending_words"]
    lag = f"waiting for words {words}, for vectors {index['pending_vectors']}"
    faults = "; ".join(_line(index[name]) for name in ("fault", "hint") if index.get(name))
    held = f"{_counted(index['entries'], 'entry', 'entries')} in {_counted(index['passages'], 'passage', 'passages')}"
    return [f"  index: {held}, {age}, {lag}" + (f"; {faults}" if faults else "")]


def _counted(count: int, one: str, many: str) -> str:
    """Without the commas that people read more easily: digits as they stand in the structured content."""
    return f"{count} {agreeing(count, one, many)}"


def _skipped(store: Json) -> list[str]:
    total = store.get("skipped_total", 0)
    named = [f"    {_line(thing['name'])}: {_line(thing['reason'])}" for thing in store.get("skipped", ())]
    return [f"  skipped {total}:", *named] if total else []


def _line(text: str) -> str:
    """Foreign words inside one of our lines: they must not start a line of their own, nor a delimiter."""
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return _DELIMITER.sub("&lt;", text)
