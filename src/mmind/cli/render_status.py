"""The stores and the settings as a person reads them. Pure: values in, `rich` renderables out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mmind.cli.plain import agreeing, counted, one_line
from mmind.cli.render import QUIET
from mmind.text.shortening import Places
from mmind.values.ports import Freshness, Skipped
from mmind.values.reports import Status, StoreStatus

SKIPPED_SHOWN = 5


def render_status(status: Status, places: Places) -> RenderableType:
    """Every store in a few lines, then the embedder and the data home."""
    blocks: list[RenderableType] = []
    for store in status.stores:
        blocks += [_headline(store), Padding(Text("\n").join(_facts(store, places)), (0, 0, 1, 2))]
    return Group(*blocks, *_foot(status, places))


def _headline(store: StoreStatus) -> Text:
    state = ("usable", "green") if store.usable else ("not usable", "red")
    trust = store.trust.value if store.trust else "trust by writer"
    days = f"{store.half_life_days:g} {agreeing(store.half_life_days, 'day', 'days')}"
    facts = f" · {store.engine} · {store.access.value} · {trust} · half-life {days}"
    return Text.assemble((store.name, "bold"), " · ", state, (facts, QUIET))


def _facts(store: StoreStatus, places: Places) -> Iterator[Text]:
    if store.reason:
        yield Text(one_line(f"{store.reason}; {store.hint}" if store.hint else store.reason), "yellow")
    if store.where:
        yield Text(one_line(places.shorten(store.where)), "blue")
    counts = [counted(store.entries, "memory", "memories")] if store.entries >= 0 else []
    counts += list(_index(store.index)) if store.index and store.usable else []
    if counts:
        yield Text(", ".join(counts))
    yield from (Text(f"note: {one_line(note)}", "yellow") for note in store.notes)
    yield from _skipped(store.skipped)


def _index(index: Freshness) -> Iterator[str]:
    yield counted(index.passages, "passage", "passages") + " indexed"
    if index.pending_words:
        yield "some not indexed yet" if index.pending_words < 0 else f"{index.pending_words:,} not indexed yet"
    if index.pending_vectors:
        yield f"{index.pending_vectors:,} without a vector yet"
    yield "never scanned" if index.age_seconds is None else f"scanned {index.age_seconds:,.0f} s ago"


def _skipped(skipped: tuple[Skipped, ...]) -> Iterator[Text]:
    if skipped:
        yield Text(f"{len(skipped):,} skipped:", "yellow")
    for thing in skipped[:SKIPPED_SHOWN]:
        yield Text(f"  {one_line(thing.name)}: {one_line(thing.reason)}")
    if len(skipped) > SKIPPED_SHOWN:
        yield Text(f"  and {len(skipped) - SKIPPED_SHOWN:,} more (--json lists them)", QUIET)


def _foot(status: Status, places: Places) -> Iterator[Text]:
    model = one_line(status.model) or "none"
    leaves = "; texts are sent to its service" if status.leaves_machine else ""
    note = f"; {one_line(status.model_note)}" if status.model_note else ""
    yield Text(f"embeddings: {model}{leaves}{note}")
    yield Text(f"data home: {one_line(places.shorten(status.home))} · mmind {status.version}")
    if status.audit_fault:
        yield Text(f"audit log: {one_line(status.audit_fault)}", "red")


def render_settings(rows: Iterable[tuple[str, str, str]]) -> RenderableType:
    """Rows of key, value and origin; what differs from the default stands out."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=QUIET)
    for name in ("setting", "value", "from"):
        table.add_column(name, overflow="fold")
    for key, value, origin in rows:
        style = QUIET if origin == "default" else ""
        table.add_row(Text(key), Text(one_line(value), style), Text(origin, style))
    return table
