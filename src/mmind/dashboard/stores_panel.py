"""The first screen: every store, how it is, and what was skipped and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from mmind.config.places import user_home
from mmind.config.rules import rules_of
from mmind.dashboard.columns import Column, Layout
from mmind.dashboard.panel import Panel
from mmind.dashboard.rows import Rows
from mmind.dashboard.tints import BAD, FAULT, GOOD, MAIN, OFF, QUIET, READY, WARN
from mmind.text.plain import agreeing, counted, one_line
from mmind.text.shortening import Places
from mmind.values.ports import Freshness
from mmind.values.reports import Status, StoreStatus

if TYPE_CHECKING:
    from textual.app import ComposeResult

COLUMNS = (
    Column(title="  store", width=11, grows=True),
    Column(title="state", width=9),
    Column(title="engine", width=9),
    Column(title="access", width=10),
    Column(title="memories", width=8, is_right=True),
    Column(title="indexed", width=9, is_right=True, worth=8),
    Column(title="skipped", width=7, is_right=True, worth=7),
    Column(title="lag", width=16, worth=3),
    Column(title="half-life", width=10, is_right=True, worth=2),
    Column(title="role", width=30, worth=1),
)


class StoresPanel(Panel):
    """All stores in rows; the one under the cursor in full below."""

    keys = (("↑ ↓", "choose a store"), ("r", "look again now"), ("tab", "scroll the details"))

    status: Status | None = None
    fault = ""

    def compose(self) -> ComposeResult:
        """Titles, rows, details, and what holds for all stores."""
        yield Static(id="stores-head", classes="head")
        yield Rows(id="stores-rows")
        with VerticalScroll(id="stores-details"):
            yield Static(id="stores-detail")
        yield Static(id="stores-foot")

    def told(self, status: Status | None, fault: str = "") -> None:
        """The stores have answered, or could not be opened at all."""
        self.status, self.fault = status or self.status, fault
        self.draw()

    def on_option_list_option_highlighted(self) -> None:
        """Another row: its details."""
        self._detail()

    def draw(self) -> None:
        """Rows at the present width, then the details."""
        self.write_rows("stores-head", COLUMNS, self._rows)
        self._detail()
        self.write("stores-foot", self._foot())

    def _rows(self, layout: Layout) -> list[Text]:
        """The stores as they answered; until then, what the settings alone know of them."""
        if self.status is not None:
            return [_row(store, layout) for store in self.status.stores]
        settings, unknown = self.session.settings, Text("…", QUIET)
        policies = rules_of(settings).policies
        return [
            layout.row([f"  {name}", unknown, policies[name].engine, str(access), *[unknown] * 6])
            for name, access in settings.access.items()
        ]

    def _detail(self) -> None:
        if self.fault:
            text = Text(f"the stores cannot be opened: {one_line(self.fault)}", BAD)
        elif self.status is None:
            text = Text("the stores are being asked …", QUIET)
        else:
            cursor = min(self.query_one(Rows).cursor, len(self.status.stores) - 1)
            text = Text("\n").join(details(self.status.stores[cursor], places(self.session.environ)))
        self.write("stores-detail", text)

    def _foot(self) -> Text:
        status, shorten = self.status, places(self.session.environ).shorten
        home = Text(f"data home {one_line(shorten(str(self.session.home)))}", QUIET)
        if status is None:
            return home
        leaves = " (texts are sent to its service)" if status.leaves_machine else ""
        foot = (
            Text()
            .append(f"embeddings {one_line(status.model) or 'none'}{leaves}", QUIET)
            .append(" · ")
            .append_text(home)
        )
        if status.model_note:
            foot.append(f"\n{one_line(status.model_note)}", WARN)
        if status.audit_fault:
            foot.append(
                f"\n{one_line(self.session.shortened(status.audit_fault))}; nothing can be stored until then", BAD
            )
        return foot


def places(environ: Mapping[str, str]) -> Places:
    """Paths below the user's home are shown with `~`."""
    return Places(user=user_home(environ))


def state_of(store: StoreStatus) -> Text:
    """A sign and a word: ready, off (nothing configured), or silent."""
    if store.usable:
        return Text.assemble((READY, GOOD), " ready")
    if not store.where and "configured" in store.reason:
        return Text.assemble((OFF, QUIET), " off")
    return Text.assemble((FAULT, BAD), (" silent", BAD))


def _row(store: StoreStatus, layout: Layout) -> Text:
    return layout.row(
        [
            Text(f"  {store.name}", "bold"),
            state_of(store),
            one_line(store.engine),
            store.access.value,
            f"{store.entries:,}" if store.entries >= 0 and store.usable else Text("–", QUIET),
            Text(_age(store.index), "") if store.usable else Text("–", QUIET),
            Text(f"{len(store.skipped):,}", WARN) if store.skipped else Text("–", QUIET),
            _lag(store.index),
            _half_life(store),
            Text(store.role, QUIET),
        ]
    )


def _half_life(store: StoreStatus) -> str:
    return f"{store.half_life_days:,g} {agreeing(store.half_life_days, 'day', 'days')}"


def _age(index: Freshness | None) -> str:
    if index is None or index.age_seconds is None:
        return "never"
    seconds = index.age_seconds
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit} ago"
    return "now" if seconds < 10 else f"{seconds:.0f} s ago"


def _lag(index: Freshness | None) -> Text:
    if index is None:
        return Text("–", QUIET)
    if index.pending_words:
        return Text("words pending" if index.pending_words < 0 else f"{index.pending_words:,} to index", WARN)
    if index.pending_vectors:
        return Text(f"{index.pending_vectors:,} to embed", WARN)
    return Text("level", QUIET)


def details(store: StoreStatus, where: Places) -> Iterator[Text]:
    """Everything that is known of one store, line by line."""
    yield Text.assemble((store.name, "bold"), (f" · {store.role}", QUIET))
    if store.where:
        yield Text(one_line(where.shorten(store.where)), MAIN)
    if store.reason:
        yield Text(f"{FAULT} {one_line(store.reason)}", BAD if store.where else WARN)
    if store.hint:
        yield Text(f"→ {one_line(store.hint)}", WARN)
    trust = store.trust.value if store.trust else "by writer: yours is curated, an agent's generated"
    yield Text(f"trust {trust} · half-life {_half_life(store)} · access {store.access.value}", QUIET)
    if store.usable and store.index is not None:
        yield _indexed(store.index)
    yield from (Text(f"note: {one_line(note)}", WARN) for note in store.notes)
    yield from _skipped(store)


def _indexed(index: Freshness) -> Text:
    age = "never scanned" if index.age_seconds is None else f"scanned {_age(index)}"
    line = Text(f"index: {counted(index.passages, 'passage', 'passages')}, {age.replace('now', 'just now')}, ")
    if index.pending_words < 0:
        return line.append("not counted yet", WARN)
    if not index.pending_words and not index.pending_vectors:
        return line.append("level with the store", GOOD)
    behind = [f"{counted(index.pending_words, 'memory', 'memories')} to index"] if index.pending_words else []
    behind += [f"{counted(index.pending_vectors, 'passage', 'passages')} to embed"] if index.pending_vectors else []
    return line.append("behind by " + " and ".join(behind), WARN)


def _skipped(store: StoreStatus) -> Iterator[Text]:
    if not store.skipped:
        if store.usable:
            yield Text("nothing was skipped", QUIET)
        return
    yield Text(f"{counted(len(store.skipped), 'thing was', 'things were')} skipped:", WARN)
    for thing in store.skipped:
        name = PurePath(thing.name).as_posix()
        yield Text.assemble("  ", one_line(name), (f"  {one_line(thing.reason)}", QUIET))
