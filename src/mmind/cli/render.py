"""A bundle as a person reads it. Pure: values in, `rich` renderables out."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mmind.cli.extent import WHOLE, Excerpt, Extent, shown_part
from mmind.cli.plain import counted, one_line, plain
from mmind.router.notes import NO_VECTOR_YET, relevance_note
from mmind.text.age import age_in_words
from mmind.text.marking import query_spans
from mmind.text.shortening import Places
from mmind.values.bundle import Bundle, Conflict, Evidence, Factor, Fault, Result

MARK = "bold reverse"
QUIET = "dim"
STRENGTHS = ((0.9, "strong"), (0.7, "likely"), (0.0, "possible"))  # the least confidence that earns each word


def render_bundle(answer: Bundle, places: Places, *, explain: bool, extent: Extent = WHOLE) -> RenderableType:
    """The answer: what must be known first (silent stores, conflicts), then the results, best first."""
    bundle = shown_part(answer, extent)
    left_out = len(answer.results) - len(bundle.results)
    blocks: list[RenderableType] = [_headline(bundle)]
    blocks += [_fault(fault) for fault in bundle.faults]
    said = relevance_note(bool(answer.results), answer.relevant, bool(answer.faults))  # the headline says it
    blocks += [_labelled("note", _with_a_way_out(note), "yellow") for note in bundle.notes if note not in said]
    ranks = {result.id: result.rank for result in bundle.results}
    for conflict in bundle.conflicts:
        blocks += [Text(), _conflict(conflict, ranks)]
    for result in bundle.results:
        blocks += [Text(), *_result(result, bundle, ranks, places, extent.passage_lines)]
        if explain:
            blocks.append(Padding(_derivation(result), (1, 0, 0, 3)))
    if left_out:
        near = counted(left_out, "near miss", "near misses")
        blocks += [Text(), Text(f"{near} left out; --limit {len(answer.results)} or --json shows all", QUIET)]
    if bundle.omitted:
        more = f"{bundle.omitted} more left out; ask for them with --limit or --max-tokens"
        blocks += [Text(), Text(more, QUIET)]
    return Group(*blocks)


def _headline(bundle: Bundle) -> Text:
    count = len(bundle.results)
    if bundle.relevant:
        head = Text.assemble((counted(count, "result", "results"), "bold green"))
    else:
        near = "; what follows are near misses" if count else ""
        head = Text.assemble(("nothing relevant found", "bold yellow"), near)
    searched = ", ".join(bundle.searched) or "no store"
    return head.append(f" · searched {searched} · {bundle.elapsed_ms:.0f} ms", QUIET)


def _with_a_way_out(note: str) -> str:
    """A note on vectors that are missing says what makes them: here, unlike in a server, nothing goes on afterwards."""
    return f"{note}; run `mmind index` to embed the rest" if NO_VECTOR_YET in note else note


def _fault(fault: Fault) -> Text:
    reason = f"{fault.store} did not answer: {fault.reason}"
    return _labelled("!", f"{reason}; {fault.hint}" if fault.hint else reason, "red")


def _labelled(label: str, text: str, style: str) -> Text:
    return Text.assemble((f"{label} ", f"bold {style}"), one_line(text))


def _conflict(conflict: Conflict, ranks: dict[str, int]) -> RenderableType:
    """Both sentences under one another, the trusted one first, and why."""
    values = " or ".join(dict.fromkeys(one_line(value) for value in conflict.values if value))
    kind = f"{_strength(conflict.confidence)} conflict · {conflict.kind}"
    head = Text.assemble((one_line(kind), "bold red"), f" · {values}" if values else "")
    sides = sorted(zip(conflict.ids, conflict.sentences, strict=True), key=lambda side: side[0] != conflict.trusted)
    rows = Table.grid(padding=(0, 2))
    for (id_, sentence), label in zip(sides, ("trusted", "against"), strict=True):
        rows.add_row(Text(label, "bold"), Text.assemble(one_line(sentence), (f"  {_name(id_, ranks)}", QUIET)))
    rows.add_row(Text("because", "bold"), Text(one_line(conflict.reason)))
    return Group(head, Padding(rows, (0, 0, 0, 3)))


def contradiction(conflict: Conflict, stored: str) -> str:
    """One line about what was known and contradicts the memory that was just stored."""
    other = 1 - conflict.ids.index(stored)
    against = f"contradicts {one_line(conflict.ids[other])}: “{one_line(conflict.sentences[other])}”"
    trusted = "the new one" if conflict.trusted == stored else "that one"
    return f"{against} (trusted: {trusted}, {one_line(conflict.reason)})"


def _strength(confidence: float) -> str:
    """The confidence in a word: it is no probability, so a percentage would say too much."""
    return next(word for least, word in STRENGTHS if confidence >= least)


def _name(id_: str, ranks: dict[str, int]) -> str:
    """A handle, with the rank of its result where it is among them."""
    return f"{one_line(id_)} (#{ranks[id_]})" if id_ in ranks else one_line(id_)


def _result(
    result: Result, bundle: Bundle, ranks: dict[str, int], places: Places, lines: int | None
) -> Iterator[RenderableType]:
    stores = "+".join(dict.fromkeys(evidence.store for evidence in result.evidence))
    head = Text.assemble((f"{result.rank}. ", "bold"), (f"{result.score.value:.3f}", "cyan"), f" {stores}")
    head.append(f" · {one_line(result.title)}" if result.title else "", "bold")
    head.append(" · weak" if result.weak else "", "yellow")
    yield head
    for position, evidence in enumerate(result.evidence):
        yield Padding(_evidence(evidence, bundle, places, is_first=position == 0), (0, 0, 0, 3))
    yield Padding(Text(_about(result, ranks), QUIET), (0, 0, 0, 3))
    passage = _passage(result, bundle.query)
    rest = f"mmind get {shlex.quote(one_line(result.id))}"
    yield Padding(passage if lines is None else Excerpt(passage, lines, rest), (0, 0, 0, 3))


def _evidence(evidence: Evidence, bundle: Bundle, places: Places, *, is_first: bool) -> Text:
    """Where it stands, under which heading, how old it is and who stands behind it."""
    place = one_line(places.shorten(evidence.path)) or one_line(f"{evidence.store}:{evidence.id}")
    kind = f" ({evidence.time_kind})" if evidence.time else ""
    heading = " › ".join(one_line(part) for part in evidence.heading)
    by = f" by {one_line(evidence.writer)}" if evidence.writer else ""
    facts = [heading, age_in_words(evidence.time, bundle.now) + kind, f"{evidence.trust.value}{by}"]
    line = Text("" if is_first else f"also in {evidence.store}: ")
    line.append(f"{place}:{evidence.line_start}", "blue")
    if evidence.line_end > evidence.line_start:
        line.append(f"-{evidence.line_end}", "blue")
    return line.append("".join(f" · {fact}" for fact in facts if fact))


def _about(result: Result, ranks: dict[str, int]) -> str:
    """The handle for `mmind get`, and what else is known."""
    facts = [f"id {one_line(result.id)}", f"confidence {result.confidence:.2f}"]
    facts += [" ".join(f"#{one_line(tag)}" for tag in result.tags)] if result.tags else []
    facts += ["agrees with " + ", ".join(_name(id_, ranks) for id_ in result.agrees_with)] if result.agrees_with else []
    facts += [f"also {_line_ranges(result.more)}"] if result.more else []
    facts += ["shortened"] if result.cut else []
    return " · ".join([*facts, *(one_line(flag) for flag in result.flags)])


def _line_ranges(ranges: tuple[tuple[int, int], ...]) -> str:
    """`line 15`, `lines 7, 15-18`."""
    is_one = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    shown = (f"{first}" if first == last else f"{first}-{last}" for first, last in ranges)
    return f"line{'' if is_one else 's'} {', '.join(shown)}"


def _passage(result: Result, query: str) -> Text:
    text = Text(plain(result.text.strip("\n")))
    for start, end in query_spans(text.plain, query):
        text.stylize(MARK, start, end)
    return text


def _derivation(result: Result) -> Table:
    """The factors whose product is the score."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=True, header_style=QUIET)
    table.add_column("factor")
    table.add_column("value", justify="right")
    table.add_column("why", overflow="fold")
    for factor in result.score.factors:
        table.add_row(Text(factor.name), Text(f"{factor.value:.6g}"), _reason(factor))
    table.add_row(
        Text("= score", "bold"), Text(f"{result.score.value:.6g}", "bold cyan"), Text("the product of the above")
    )
    return table


def _reason(factor: Factor) -> Text:
    reason = Text(one_line(factor.reason))
    inputs = ", ".join(_inputs(factor.inputs.items()))
    return reason.append(f" ({inputs})", QUIET) if inputs else reason


def _inputs(items: Iterable[tuple[str, float | str | None]]) -> Iterator[str]:
    for name, value in items:
        shown = "no opinion" if value is None else f"{value:.4g}" if isinstance(value, int | float) else one_line(value)
        yield f"{name.replace('_', ' ')} {shown}"
