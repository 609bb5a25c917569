"""The audit log: its last records, filtered and followed, and whether the chain holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from mmind.audit.chain import Verdict
from mmind.audit.reading import Record, read_head, tail, verify
from mmind.dashboard.columns import Column, Layout, fitted
from mmind.dashboard.panel import Panel
from mmind.dashboard.rows import Rows
from mmind.dashboard.tints import BAD, GOOD, QUIET, WARN
from mmind.text.plain import counted, one_line

if TYPE_CHECKING:
    from textual.app import ComposeResult

MOST_RECORDS = 500
COLUMNS = (
    Column(title="no.", width=7, is_right=True),
    Column(title="time (UTC)", width=14),
    Column(title="event", width=8),
    Column(title="outcome", width=8),
    Column(title="store", width=9),
    Column(title="what", width=14, grows=True),
    Column(title="ms", width=7, is_right=True, worth=3),
    Column(title="writer", width=14, worth=2),
)
FIRST = ("ts", "event", "outcome", "store", "error", "ids", "n_results", "writer")
LAST = ("hash", "prev")
OUTCOMES = {"denied": BAD, "failed": BAD, "begun": WARN}


class AuditPanel(Panel):
    """Records in rows, the newest last; the one under the cursor in full below."""

    keys = (("f", "filter"), ("w", "follow on/off"), ("v", "verify"), ("↑ ↓", "choose a record"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "filter", "show records that hold some words", priority=True),
        Binding("w", "follow", "follow what is written, or stand still"),
        Binding("v", "verify", "walk the whole chain"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.records: list[Record] = []
        self.wanted = ""
        self.is_following = True
        self.verdict = Text()
        self._seen = (-1, "")
        self._is_reading = False

    def compose(self) -> ComposeResult:
        """The filter, titles, rows, details."""
        yield Static(id="audit-state")
        yield Input(placeholder="words, all of which a record holds; -word for none; esc clears", id="audit-filter")
        yield Static(id="audit-head", classes="head")
        yield Rows(id="audit-rows")
        with VerticalScroll(id="audit-details"):
            yield Static(id="audit-detail")

    def on_mount(self) -> None:
        """No filter at first."""
        self.query_one(Input).display = False

    def entered(self) -> None:
        """The newest record, and the keys to the rows."""
        super().entered()
        self.dashboard.aside(self._look)

    def pulsed(self) -> None:
        """Look for new records, if they are followed."""
        if self.is_following:
            self.dashboard.aside(self._look)

    def action_filter(self) -> None:
        """Type words."""
        line = self.query_one(Input)
        line.display = True
        self.take_keys(line)

    def action_follow(self) -> None:
        """Stand still, or go on."""
        self.is_following = not self.is_following
        self._seen = (-1, "")
        self.draw()
        self.pulsed()

    def action_verify(self) -> None:
        """Walk the chain, in the background: a long log takes seconds."""
        self.verdict = Text("verifying …", WARN)
        self.draw()
        self.dashboard.aside(self._verify)

    def on_input_changed(self, event: Input.Changed) -> None:
        """The rows follow each letter."""
        self.wanted = event.value
        self.draw()

    def on_input_submitted(self) -> None:
        """Enter: the rows take the keys."""
        self.take_keys(self.query_one(Rows))

    def leave_line(self) -> bool:
        """Escape in the filter clears and closes it; False when it is not open."""
        line = self.query_one(Input)
        if not line.display:
            return False
        line.value = ""
        line.display = False
        self.take_keys(self.query_one(Rows))
        return True

    def on_option_list_option_highlighted(self) -> None:
        """Another record in full."""
        self.write("audit-detail", self._detail())

    def draw(self) -> None:
        """The state of the log, the rows, the record under the cursor."""
        layout = fitted(COLUMNS, self.size.width - 1)
        self.write("audit-state", self._state())
        self.write("audit-head", layout.heading())
        rows = self.query_one(Rows)
        was_last = rows.cursor >= rows.option_count - 1
        rows.show([_row(record, layout) for record in self.shown])
        if self.is_following and was_last and self.shown:
            rows.highlighted = len(self.shown) - 1
        self.write("audit-detail", self._detail())

    @property
    def shown(self) -> list[Record]:
        """The records that the filter lets through, oldest first."""
        return [record for record in self.records if holds(record, self.wanted)]

    def _look(self) -> None:
        if self._is_reading:
            return
        self._is_reading = True
        try:
            folder = self.session.settings.audit_path
            head = read_head(folder)
            if (head.seq, head.hash) != self._seen:
                self._seen = (head.seq, head.hash)
                self.dashboard.hand_over(self._told, tail(folder, MOST_RECORDS), "")
        except OSError as error:
            self.dashboard.hand_over(self._told, [], f"the log cannot be read: {error.strerror or error}")
        finally:
            self._is_reading = False

    def _told(self, records: list[Record], fault: str) -> None:
        self.records = records
        if fault:
            self.verdict = Text(fault, BAD)
        self.draw()

    def _verify(self) -> None:
        try:
            told = verdict_in_words(verify(self.session.settings.audit_path))
        except OSError as error:
            told = Text(f"the log cannot be read: {error.strerror or error}", BAD)
        self.dashboard.hand_over(self._verified, told)

    def _verified(self, told: Text) -> None:
        self.verdict = told
        self.draw()

    def _state(self) -> Text:
        count = len(self.shown)
        mode = "following" if self.is_following else "standing still"
        text = Text().append(f"{counted(count, 'record', 'records')} shown, {mode}", QUIET)
        if self.wanted.strip():
            text.append(f" · only with: {one_line(self.wanted)}", WARN)
        return text.append(" · ", QUIET).append_text(self.verdict) if self.verdict else text

    def _detail(self) -> Text:
        shown = self.shown
        if not shown:
            empty = "no record holds these words" if self.records else "nothing was asked or changed yet"
            return Text(empty, QUIET)
        record = shown[min(self.query_one(Rows).cursor, len(shown) - 1)]
        first = [name for name in FIRST if name in record]
        rest = [name for name in record if name not in (*FIRST, *LAST, "v")]
        return Text("\n").join(_line(name, record[name]) for name in [*first, *rest, *LAST] if name in record)


def holds(record: Record, wanted: str) -> bool:
    """Whether a record holds every word that is wanted, anywhere, and none that is written as `-word`."""
    text = " ".join(f"{name}={value}" for name, value in record.items()).casefold()
    words = wanted.casefold().split()
    return all((word[1:] not in text) if len(word) > 1 and word[0] == "-" else word in text for word in words)


def verdict_in_words(verdict: Verdict) -> Text:
    """What a walk along the chain found."""
    if verdict.holds:
        return Text(f"the chain holds: {counted(verdict.records, 'record', 'records')}, none changed or missing", GOOD)
    return Text(f"the chain is broken at record {verdict.broken_at:,}: {one_line(verdict.why)}", BAD)


def _row(record: Record, layout: Layout) -> Text:
    outcome = str(record.get("outcome", ""))
    return layout.row(
        [
            str(record.get("seq", "?")),
            str(record.get("ts", ""))[5:19].replace("T", " "),
            one_line(str(record.get("event", ""))),
            Text(one_line(outcome), OUTCOMES.get(outcome, "")),
            one_line(str(record.get("store", ""))),
            Text(_what(record), QUIET),
            one_line(str(record.get("dur_ms", ""))),
            one_line(str(record.get("writer", ""))),
        ]
    )


def _what(record: Record) -> str:
    """The error, or what came of it in a few words."""
    if error := record.get("error"):
        return one_line(str(error))
    ids = record.get("ids")
    handles = [one_line(str(handle)) for handle in ids] if isinstance(ids, list) else []
    if "n_results" in record:
        found = counted(int(str(record["n_results"])), "result", "results")
        return f"{found}: {', '.join(handles)}" if handles else found
    return ", ".join(handles)


def _line(name: str, value: object) -> Text:
    shown = ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)
    return Text.assemble((f"{name:<11}", QUIET), one_line(shown))
