"""What each verb does: open the mind as the user, ask it one thing, print the answer, give the exit code."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from mmind.cli.exits import INTERRUPTED, NOTHING_RELEVANT, OK, UNAVAILABLE
from mmind.cli.places import Places
from mmind.cli.plain import one_line, plain
from mmind.cli.terminal import Terminal
from mmind.config.places import user_home, working_folder
from mmind.config.settings import load
from mmind.router.mind import Mind
from mmind.values.door import Door
from mmind.values.errors import BadRequest
from mmind.values.reports import Page
from mmind.wire import bundle_to_json, forgotten_to_json, page_to_json, status_to_json, stored_to_json

WHOLE_PAGE_TOKENS = 8000


def retrieve(arguments: Namespace, terminal: Terminal) -> int:
    """Ask every store; 1 when nothing relevant was found, 5 when no store could answer."""
    query = _text(arguments.query, terminal)
    with _opened(arguments, terminal) as mind:
        bundle = mind.retrieve(
            query,
            limit=arguments.limit,
            stores=_listed(arguments.stores),
            since=arguments.since,
            until=arguments.until,
            tags=_listed(arguments.tags),
            session=arguments.session,
            max_tokens=arguments.max_tokens,
        )
    if arguments.json:
        terminal.give(bundle_to_json(bundle, explain=arguments.explain))
    else:
        from mmind.cli.render import render_bundle

        terminal.show(render_bundle(bundle, _places(terminal), explain=arguments.explain))
    if bundle.relevant:
        return OK
    return UNAVAILABLE if bundle.faults and not bundle.searched else NOTHING_RELEVANT


def store(arguments: Namespace, terminal: Terminal) -> int:
    """Keep a memory of the user's own (curated)."""
    content = _text(arguments.content, terminal)
    with _opened(arguments, terminal) as mind:
        stored = mind.store(
            content,
            store=arguments.store,
            title=arguments.title,
            tags=_listed(arguments.tags),
            session=arguments.session,
        )
    if arguments.json:
        terminal.give(stored_to_json(stored))
        return OK
    terminal.stdout.write(f"{'stored' if stored.is_new else 'known'} {one_line(stored.memory.handle)}\n")
    if stored.note:
        terminal.say(stored.note)
    return OK


def get(arguments: Namespace, terminal: Terminal) -> int:
    """Print a memory's text: all of it, or one page where a place or size is named. Into a pipe it goes unchanged."""
    is_one_page = bool(arguments.line or arguments.offset or arguments.max_tokens)
    with _opened(arguments, terminal) as mind:
        if is_one_page:
            size = arguments.max_tokens or WHOLE_PAGE_TOKENS
            page = mind.get(arguments.id, offset=arguments.offset, line=arguments.line, max_tokens=size)
        else:
            page = _whole(mind, arguments.id)
    if arguments.json:
        terminal.give(page_to_json(page))
        return OK
    terminal.stdout.write(plain(page.text) if terminal.stdout.isatty() else page.text)
    if terminal.stdout.isatty() and not page.text.endswith("\n"):
        terminal.stdout.write("\n")
    if page.next_offset is not None:
        terminal.say(f"there is more: mmind get {arguments.id} --offset {page.next_offset}")
    return OK


def forget(arguments: Namespace, terminal: Terminal) -> int:
    """Remove a memory, after asking; curated ones too, for the user's own hand is at the door."""
    with _opened(arguments, terminal) as mind:
        if not arguments.yes and not _is_sure(mind, arguments.id, terminal):
            terminal.say("nothing was removed")
            return INTERRUPTED
        forgotten = mind.forget(arguments.id)
    if arguments.json:
        terminal.give(forgotten_to_json(forgotten))
    else:
        terminal.stdout.write(f"forgotten {one_line(forgotten.memory.handle)}\n")
    return OK


def sources(arguments: Namespace, terminal: Terminal) -> int:
    """Show every store."""
    with _opened(arguments, terminal) as mind:
        return _show_sources(mind, arguments, terminal)


def index(arguments: Namespace, terminal: Terminal) -> int:
    """Bring the index level with every store, then show them."""
    from mmind.cli.progress import progress

    with _opened(arguments, terminal) as mind:
        with progress(terminal) as report:
            mind.index(report, rebuild=arguments.rebuild)
        return _show_sources(mind, arguments, terminal)


def _show_sources(mind: Mind, arguments: Namespace, terminal: Terminal) -> int:
    status = mind.sources()
    if arguments.json:
        terminal.give(status_to_json(status))
    else:
        from mmind.cli.render_status import render_status

        terminal.show(render_status(status, _places(terminal)))
    return OK


def _opened(arguments: Namespace, terminal: Terminal) -> Mind:
    """The mind with the user at the door; what the settings have to say is said first."""
    from mmind.wiring import open_mind

    for note in load(terminal.environ, arguments.vault_option).notes:
        terminal.say(note)
    return open_mind(arguments.vault_option, terminal.environ, Door.USER)


def _text(words: list[str], terminal: Terminal) -> str:
    """The words of the command line as one text; standard input for `-`, or for nothing at all in a pipe."""
    if words == ["-"] or (not words and not terminal.stdin.isatty()):
        return terminal.read_text()
    if not words:
        raise BadRequest("there is nothing to keep", "give the text, or `-` to read standard input")
    return " ".join(words)


def _listed(words: list[str]) -> list[str]:
    """Repeated options, each of which may hold several words with commas between."""
    return [part.strip() for word in words for part in word.split(",") if part.strip()]


def _whole(mind: Mind, id: str) -> Page:
    """All pages of a memory as one."""
    first = last = mind.get(id, max_tokens=WHOLE_PAGE_TOKENS)
    texts = [first.text]
    while last.next_offset is not None:
        last = mind.get(id, offset=last.next_offset, max_tokens=WHOLE_PAGE_TOKENS)
        texts.append(last.text)
    return replace(first, text="".join(texts), line_end=last.line_end, next_offset=None)


def _is_sure(mind: Mind, id: str, terminal: Terminal) -> bool:
    if not terminal.stdin.isatty():
        raise BadRequest("forget asks first, and there is nobody to ask", "add --yes")
    page = mind.get(id, max_tokens=100)
    start = one_line(page.memory.title or page.text)[:60]
    terminal.stderr.write(f"forget {one_line(id)} ({start})? [y/N] ")
    terminal.stderr.flush()
    return terminal.stdin.readline().strip().casefold() in ("y", "yes")


def _places(terminal: Terminal) -> Places:
    return Places(working=working_folder(), user=user_home(terminal.environ))
