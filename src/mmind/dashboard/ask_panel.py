"""Try a query: the answer as an agent gets it, with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from mmind.dashboard.columns import Column, Layout, fitted
from mmind.dashboard.factors import factor_lines, small_bars
from mmind.dashboard.panel import Panel
from mmind.dashboard.rows import Rows
from mmind.dashboard.stores_panel import places
from mmind.dashboard.tints import BAD, FAULT, GOOD, MAIN, QUIET, WARN
from mmind.text.age import age_in_words
from mmind.text.marking import query_spans
from mmind.text.plain import counted, one_line, plain
from mmind.text.shortening import Places
from mmind.values.bundle import Bundle, Conflict, Evidence, Result
from mmind.values.errors import MmindError

if TYPE_CHECKING:
    from textual.app import ComposeResult

COLUMNS = (
    Column(title="  #", width=4, is_right=True),
    Column(title="score", width=5, is_right=True),
    Column(title="relev. rec. rest", width=17, worth=5),
    Column(title="store", width=8),
    Column(title="memory", width=20, grows=True),
    Column(title="trust", width=9, worth=4),
    Column(title="age", width=14, worth=3),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The last question: its answer, or why there is none; both empty while it is being answered."""

    query: str
    bundle: Bundle | None = None
    fault: str = ""


class AskPanel(Panel):
    """A question, the ranked results, and the one under the cursor in full."""

    keys = (("/", "another question"), ("enter", "ask"), ("↑ ↓", "choose a result"), ("t", "tune it"))

    asked: Asked | None = None

    def compose(self) -> ComposeResult:
        """The question, what must be known first, rows, details."""
        yield Input(placeholder="ask your memories, for example: when is the rent due", id="ask-line")
        yield Static(id="ask-news")
        yield Static(id="ask-head", classes="head")
        yield Rows(id="ask-rows")
        with VerticalScroll(id="ask-details"):
            yield Static(id="ask-detail")

    def entered(self) -> None:
        """The line takes the keys, with what was asked last."""
        self.draw()
        self.take_keys(self.query_one(Input))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: ask."""
        if event.value.strip():
            self.ask(event.value)

    def ask(self, query: str) -> None:
        """Ask every store, in the background."""
        self.asked = Asked(query)
        self.dashboard.last_query = query
        self.draw()
        self.dashboard.aside(self._ask, query)

    def leave_line(self) -> bool:
        """Escape in the line goes to the results, if there are any."""
        rows = self.query_one(Rows)
        if not self.query_one(Input).has_focus or not rows.option_count:
            return False
        self.take_keys(rows)
        return True

    def on_option_list_option_highlighted(self) -> None:
        """Another result in full."""
        self.write("ask-detail", self._detail())

    def draw(self) -> None:
        """News, rows at the present width, the result under the cursor."""
        layout = fitted(COLUMNS, self.size.width - 1)
        bundle = self.asked.bundle if self.asked else None
        self.write("ask-news", self._news())
        self.write("ask-head", layout.heading() if bundle and bundle.results else Text())
        rows = self.query_one(Rows)
        rows.show([_row(result, bundle, layout) for result in bundle.results] if bundle else [])
        rows.styles.height = min(8, max(1, rows.option_count))
        self.write("ask-detail", self._detail())

    def _ask(self, query: str) -> None:
        try:
            answer = Asked(query, self.session.mind().retrieve(query, max_tokens=8000))
        except MmindError as error:
            answer = Asked(query, fault=str(error))
        self.dashboard.hand_over(self._answered, answer)

    def _answered(self, answer: Asked) -> None:
        if self.asked is not None and self.asked.query == answer.query:
            self.asked = answer
            rows = self.query_one(Rows)
            rows.show([])
            self.draw()
            if answer.bundle and answer.bundle.results:
                self.take_keys(rows)

    def _news(self) -> Text:
        if self.asked is None:
            return Text("The answer is the one that an agent gets: results, what they rest on, and conflicts.", QUIET)
        if self.asked.fault:
            return Text(one_line(self.asked.fault), BAD)
        if self.asked.bundle is None:
            return Text("asking every store …", WARN)
        return Text("\n").join(news(self.asked.bundle))

    def _detail(self) -> Text:
        bundle = self.asked.bundle if self.asked else None
        if bundle is None or not bundle.results:
            return Text()
        result = bundle.results[min(self.query_one(Rows).cursor, len(bundle.results) - 1)]
        return Text("\n").join(details(result, bundle, places(self.session.environ), self.size.width))


def news(bundle: Bundle) -> Iterator[Text]:
    """What must be known before the results: how many, who was silent, notes, conflicts."""
    count = len(bundle.results)
    head = Text(counted(count, "result", "results") if bundle.relevant else "nothing relevant: near misses only")
    head.stylize(GOOD if bundle.relevant else WARN)
    yield head.append(f" from {', '.join(bundle.searched) or 'no store'} in {bundle.elapsed_ms:.0f} ms", QUIET)
    for fault in bundle.faults:
        yield Text(f"{FAULT} {fault.store}: {one_line(fault.reason)}", BAD)
    yield from (Text(f"note: {one_line(note)}", WARN) for note in bundle.notes if bundle.relevant)
    yield from (conflict_line(conflict, bundle) for conflict in bundle.conflicts)


def conflict_line(conflict: Conflict, bundle: Bundle) -> Text:
    """One conflict in one line: which results, what differs, which one is trusted."""
    ranks = {result.id: f"#{result.rank}" for result in bundle.results}
    left, right = (ranks.get(handle, one_line(handle)) for handle in conflict.ids)
    values = " or ".join(one_line(value) for value in dict.fromkeys(conflict.values) if value)
    trusted = ranks.get(conflict.trusted, one_line(conflict.trusted))
    text = Text().append(f"≠ {left} against {right}", BAD)
    return text.append(f" ({conflict.kind}{': ' + values if values else ''})").append(f" · trust {trusted}", "bold")


def details(result: Result, bundle: Bundle, where: Places, width: int) -> Iterator[Text]:
    """A result in full: where it stands, what it says, how its score comes about, what contradicts it."""
    for place in result.evidence:
        yield _place(place, bundle, where)
    passage = Text(plain(result.text.strip("\n")))
    for start, end in query_spans(passage.plain, bundle.query):
        passage.stylize("bold reverse", start, end)
    yield passage
    yield Text()
    yield from factor_lines(result, width)
    facts = [f"confidence {result.confidence:.2f}", f"id {one_line(result.id)}"]
    yield Text(" · ".join([*facts, *(["a near miss"] if result.weak else []), *result.flags]), QUIET)
    for conflict in bundle.conflicts:
        if result.id in conflict.ids:
            yield from _conflict(conflict)


def _place(place: Evidence, bundle: Bundle, where: Places) -> Text:
    path = one_line(where.shorten(place.path)) or one_line(place.id)
    age = age_in_words(place.time, bundle.now)
    facts = [" › ".join(one_line(part) for part in place.heading), age, place.trust.value, one_line(place.writer)]
    line = Text().append(f"{path}:{place.line_start}", MAIN)
    return line.append("".join(f" · {fact}" for fact in facts if fact), QUIET)


def _conflict(conflict: Conflict) -> Iterator[Text]:
    yield Text(f"≠ {conflict.kind} conflict", BAD)
    for handle, sentence in zip(conflict.ids, conflict.sentences, strict=True):
        side = "trusted" if handle == conflict.trusted else "against"
        yield Text.assemble((f"  {side:<8}", "bold"), one_line(sentence))
    yield Text(f"  because {one_line(conflict.reason)}", QUIET)


def _row(result: Result, bundle: Bundle | None, layout: Layout) -> Text:
    first = result.evidence[0]
    stores = "+".join(dict.fromkeys(place.store for place in result.evidence))
    name = one_line(result.title) or one_line(result.text)
    mark = Text("weak · " if result.weak else "", WARN)  # before the name, of which a narrow screen cuts the end
    return layout.row(
        [
            str(result.rank),
            Text(f"{result.score.value:.3f}", "bold"),
            small_bars(result),
            stores,
            mark.append(name, QUIET if result.weak else ""),
            Text(first.trust.value, QUIET),
            Text(age_in_words(first.time, bundle.now) if bundle else "", QUIET),
        ]
    )
