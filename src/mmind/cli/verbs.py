"""What each verb does: open the mind as the user, ask it one thing, print the answer, give the exit code."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace

from mmind.cli.exits import INTERRUPTED, NOTHING_RELEVANT, OK, UNAVAILABLE
from mmind.cli.plain import one_line, plain
from mmind.cli.terminal import Terminal
from mmind.config.places import user_home, working_folder
from mmind.config.settings import load
from mmind.config.table import STORES
from mmind.router.mind import Mind
from mmind.text.shortening import Places
from mmind.values.bundle import Bundle
from mmind.values.door import Door
from mmind.values.errors import BadRequest, EngineError, NotFound
from mmind.values.reports import Page, Status
from mmind.wire import bundle_to_json, forgotten_to_json, page_to_json, status_to_json, stored_to_json

WHOLE_PAGE_TOKENS = 8000
USUAL_LIMIT = 8


def retrieve(arguments: Namespace, terminal: Terminal) -> int:
    """Ask every store; 1 when nothing relevant was found, 5 when no store could answer."""
    bundle = asked(arguments, terminal, max_tokens=arguments.max_tokens)
    if arguments.json:
        terminal.give(bundle_to_json(bundle, explain=arguments.explain))
    else:
        from mmind.cli.extent import SCREEN, SCREEN_WITH_LIMIT, WHOLE
        from mmind.cli.render import render_bundle

        extent = SCREEN if arguments.limit is None else SCREEN_WITH_LIMIT
        extent = extent if terminal.stdout.isatty() else WHOLE
        terminal.show(render_bundle(bundle, _places(terminal), explain=arguments.explain, extent=extent))
    if bundle.relevant:
        return OK
    return UNAVAILABLE if bundle.faults and not bundle.searched else NOTHING_RELEVANT


def asked(arguments: Namespace, terminal: Terminal, max_tokens: int = 2000) -> Bundle:
    """The answer to the question on the command line."""
    query = text_of(arguments.query, terminal)
    with opened(arguments, terminal) as mind:
        return mind.retrieve(
            query,
            limit=USUAL_LIMIT if arguments.limit is None else arguments.limit,
            stores=_listed(arguments.stores),
            since=arguments.since,
            until=arguments.until,
            tags=_listed(arguments.tags),
            session=arguments.session,
            max_tokens=max_tokens,
        )


def store(arguments: Namespace, terminal: Terminal) -> int:
    """Keep a memory of the user's own (curated)."""
    content = text_of(arguments.content, terminal)
    with opened(arguments, terminal) as mind:
        kept = mind.store(
            content,
            store=arguments.store,
            title=arguments.title,
            tags=_listed(arguments.tags),
            session=arguments.session,
            allow_secret=arguments.allow_secret,
        )
        stored = mind.compared(kept)
    if arguments.json:
        terminal.give(stored_to_json(stored))
        return OK
    terminal.stdout.write(f"{'stored' if stored.is_new else 'known'} {one_line(stored.memory.handle)}\n")
    if stored.note:
        terminal.say(stored.note)
    if stored.conflicts:
        from mmind.cli.render import contradiction

        for conflict in stored.conflicts:
            terminal.say(contradiction(conflict, stored.memory.handle))
    return OK


def get(arguments: Namespace, terminal: Terminal) -> int:
    """Print a memory's text: all of it, or one page where a place or size is named. Into a pipe it goes unchanged."""
    with opened(arguments, terminal) as mind:
        page = _found(arguments.id, lambda handle: _read(mind, handle, arguments))
    if arguments.json:
        terminal.give(page_to_json(page))
        return OK
    terminal.stdout.write(plain(page.text) if terminal.stdout.isatty() else page.text)
    if terminal.stdout.isatty() and not page.text.endswith("\n"):
        terminal.stdout.write("\n")
    if page.next_offset is not None:
        handle = shlex.quote(one_line(page.memory.handle))
        terminal.say(f"there is more: mmind get {handle} --offset {page.next_offset}")
    return OK


def forget(arguments: Namespace, terminal: Terminal) -> int:
    """Remove a memory, after asking; curated ones too, for the user's own hand is at the door."""
    has_span = bool(arguments.origin or arguments.since or arguments.until)
    if has_span == (arguments.id is not None):
        raise BadRequest("forget takes one id, or a span", "name an id, or --origin, --since or --until")
    if has_span:
        from mmind.cli.purge_verb import purge

        return purge(arguments, terminal)
    if arguments.stores or arguments.dry_run:
        raise BadRequest("--store and --dry-run are for a span", "name --origin, --since or --until as well")
    with opened(arguments, terminal) as mind:
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
    """Show every store, and whether the model works."""
    with opened(arguments, terminal) as mind:
        _show_status(mind.sources(tries_model=True), arguments, terminal)
    return OK


def index(arguments: Namespace, terminal: Terminal) -> int:
    """Bring the index level with every store, then show them; 5 when one that is configured cannot be read."""
    from mmind.cli.progress import progress

    with opened(arguments, terminal) as mind:
        with progress(terminal) as report:
            mind.index(report, rebuild=arguments.rebuild)
        status = mind.sources()
    _show_status(status, arguments, terminal)
    has_vault = load(terminal.environ, arguments.vault_option).vault_path is not None
    if not has_vault:
        terminal.say("no vault is configured: only what mmind keeps was indexed; name your notes with --vault FOLDER")
    silent = [store for store in status.stores if not store.usable and (has_vault or store.name != "markdown")]
    for store in silent:
        terminal.complain(f"{store.name} is not indexed: {store.reason}" + (f"; {store.hint}" if store.hint else ""))
    return UNAVAILABLE if silent else OK


def _show_status(status: Status, arguments: Namespace, terminal: Terminal) -> None:
    if arguments.json:
        terminal.give(status_to_json(status))
    else:
        from mmind.cli.render_status import render_status

        terminal.show(render_status(status, _places(terminal)))


def opened(arguments: Namespace, terminal: Terminal) -> Mind:
    """The mind with the user at the door; what the settings have to say is said first."""
    from mmind.wiring import open_mind

    for note in load(terminal.environ, arguments.vault_option).notes:
        terminal.say(note)
    return open_mind(arguments.vault_option, terminal.environ, Door.USER)


def text_of(words: list[str], terminal: Terminal) -> str:
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


def _read(mind: Mind, handle: str, arguments: Namespace) -> Page:
    if not (arguments.line or arguments.offset or arguments.max_tokens):
        return _whole(mind, handle)
    size = arguments.max_tokens or WHOLE_PAGE_TOKENS
    return mind.get(handle, offset=arguments.offset, line=arguments.line, max_tokens=size)


def _found(id: str, read: Callable[[str], Page]) -> Page:
    """The page that a handle names, or the note whose path in the vault was given in its place.

    Raises NotFound, with the note's handle where the path has another store's name before it.
    """
    store, _, key = id.partition(":")
    is_handle = bool(key) and store in STORES
    try:
        return read(id)
    except NotFound as error:
        note = f"markdown:{key if is_handle else id}"
        try:
            page = read(note)
        except (NotFound, EngineError):
            raise NotFound(error.message, f"{error.hint}; the path of a note works as well") from None
        if is_handle:
            raise NotFound(error.message, f"did you mean {shlex.quote(note)}?") from None
        return page


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
