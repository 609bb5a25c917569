"""The mind: the verbs over whatever stores it was wired with."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Self

from mmind.embedding.universal import NAME
from mmind.router import parse, purge, read, sources, transfer, write
from mmind.router.retrieve import REFRESH_LIMIT_SECONDS, World, answer, find, recorded, retrieve
from mmind.values.bundle import Bundle
from mmind.values.door import Door
from mmind.values.errors import AccessDenied, BadRequest, EngineUnavailable, MmindError
from mmind.values.memory import Memory, StorePolicy
from mmind.values.ports import AuditEvent, Clock, Embedder, Progress, Rules, Store
from mmind.values.reports import Page, Status, Stored, TriedModel
from mmind.version import __version__

ENGLISH, NOT_ENGLISH = "warm", "Добрый день"  # one text for each of the two local models


class Mind:
    """One memory over several stores. Thread-safe. Made by `mmind.open` or `mmind.wiring.open_mind`.

    `rules` is asked anew at every call, so that edits of access and ranking act at once. `door` stamps trust.
    """

    def __init__(self, world: World, rules: Callable[[], Rules], clock: Clock, door: Door, home: str) -> None:
        self._world = world
        self._rules = rules
        self._clock = clock
        self._door = door
        self._home = home

    def retrieve(
        self,
        query: str,
        *,
        limit: int = 8,
        stores: Sequence[str] = (),
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        tags: Sequence[str] = (),
        session: str = "",
        max_tokens: int = 2000,
    ) -> Bundle:
        """The ranked answer of all stores. Raises BadRequest on an argument that is empty or out of range.

        `limit` 1 to 50; `stores` narrows the fan-out (empty: all); `since`/`until` are ISO 8601 dates or times, both
        inclusive; `max_tokens` 100 to 8,000 bounds the texts of the answer.
        """
        request = parse.Request(
            text=parse.parse_text(query),
            limit=parse.parse_number("limit", limit, 1, parse.MOST_RESULTS),
            stores=parse.parse_stores(stores, tuple(self._world.stores)),
            since=parse.parse_time("since", since),
            until=parse.parse_time("until", until),
            tags=parse.parse_tags(tags),
            session=parse.parse_label("session", session),
            max_tokens=parse.parse_number("max_tokens", max_tokens, parse.FEWEST_TOKENS, parse.MOST_TOKENS),
        )
        return retrieve(request, self._world, self._rules(), self._clock())

    def rehearse(self, query: str, *, limit: int = 8) -> Callable[[Rules], Bundle]:
        """Ask every store once, and give the answer under whatever rules are handed in, as often as they change.

        For whoever tunes the ranking: the answers are those of `retrieve`, which shares every step, and only asking
        the stores takes time. Raises BadRequest as `retrieve` does.
        """
        request = parse.Request(
            text=parse.parse_text(query),
            limit=parse.parse_number("limit", limit, 1, parse.MOST_RESULTS),
            stores=tuple(self._world.stores),
            since=None,
            until=None,
            tags=(),
            session="",
            max_tokens=parse.MOST_TOKENS,
        )
        found = find(request, self._world, self._clock())
        recorded(answer(found, self._rules()), found, self._world)
        return functools.partial(answer, found)

    def rules(self) -> Rules:
        """The ranking table and the policies in force now."""
        return self._rules()

    def store(
        self,
        content: str,
        *,
        store: str = "sqlite",
        title: str = "",
        tags: Sequence[str] = (),
        session: str = "",
        writer: str = "",
        allow_secret: bool = False,
    ) -> Stored:
        """Keep a memory, durable when this returns. Raises AccessDenied, BadRequest or EngineError.

        What looks like a key or password is refused unless the settings allow it, or the user does: at the agent's
        door `allow_secret` counts nothing.
        """
        target, policy = self._target(store)
        draft = write.Draft(
            store=store,
            content=content,
            title=parse.parse_label("title", title),
            tags=parse.parse_tags(tags),
            session=parse.parse_label("session", session),
            writer=parse.parse_label("writer", writer),
            may_hold_secrets=self._rules().allow_secrets or (allow_secret and self._door is Door.USER),
        )
        stored = write.put(draft, target, policy, self._door, self._clock(), self._world.record)
        return self._indexed(stored)

    def compared(self, stored: Stored) -> Stored:
        """The same report with what is known and contradicts the memory; one question to every store.

        Nothing is looked for while the first scan of a store goes on, or where this fails: it is kept all the same.
        """
        world, memory = self._world, stored.memory
        world.indexer.refresh(REFRESH_LIMIT_SECONDS)
        if any(state.age_seconds is None and not state.fault for state in world.indexer.freshness().values()):
            return stored
        try:
            found = find(parse.about(memory, tuple(world.stores)), world, self._clock())
            conflicts = tuple(one for one in answer(found, self._rules()).conflicts if memory.handle in one.ids)
        except MmindError:
            return stored
        others = tuple(id_ for one in conflicts for id_ in one.ids if id_ != memory.handle)
        if others:
            write.try_record(world.record, AuditEvent("read", "ok", ids=others))
        return replace(stored, conflicts=conflicts)

    def get(self, id: str, *, offset: int = 0, line: int = 0, max_tokens: int = 4000) -> Page:
        """One memory in full by its handle (`store:id`), paged. `line` (from 1) beats `offset`. Raises NotFound."""
        memory = read.read(id, write.resolve(id, self._world.stores))
        page = read.page(memory, offset, line, max_tokens)
        write.try_record(self._world.record, AuditEvent("read", "ok", memory.store, (id,), size_bytes=len(page.text)))
        return page

    def forget(self, id: str) -> Stored:
        """Remove a memory by its handle. An agent may remove generated ones only. Raises NotFound or AccessDenied."""
        target = write.resolve(id, self._world.stores)
        policy = self._rules().policies[target.name]
        memory = write.delete(id, target, policy, self._door, self._world.record)
        self._world.indexer.remove(memory.store, memory.id)
        return Stored(memory=memory, is_new=False, note="forgotten")

    def meant(self, span: purge.Span, stores: Sequence[str] = ()) -> list[Memory]:
        """The memories that `purge` would remove. Raises BadRequest or EngineError."""
        return list(purge.meant([self._target(name)[0] for name in stores or self.own_stores()], span))

    def purge(self, span: purge.Span, stores: Sequence[str] = ()) -> purge.Purged:
        """Remove every memory that is meant, curated ones too: for the user's own hand. Raises AccessDenied."""
        if self._door is not Door.USER:
            raise AccessDenied("only the user may remove many memories at once", "the user can run `mmind forget`")
        targets = [self._target(name) for name in stores or self.own_stores()]
        world = self._world
        parts = [purge.purge(store, policy, span, world.indexer, world.record) for store, policy in targets]
        gone = tuple(memory for part in parts for memory in part.gone)
        return purge.Purged(gone, {name: why for part in parts for name, why in part.kept.items()})

    def own_stores(self) -> list[str]:
        """The stores that mmind itself keeps: not those that are only read."""
        policies = self._rules().policies
        return [name for name, store in self._world.stores.items() if store.engine and not policies[name].trust]

    def export(self, store: str) -> Iterator[Memory]:
        """Every memory of a store, whole. Raises BadRequest or EngineError."""
        target, _ = self._target(store)
        write.try_record(self._world.record, AuditEvent("export", "ok", store))
        yield from transfer.everything(target)

    def take(self, memory: Memory) -> transfer.Taken:
        """Put back a memory that `export` gave, durable when this returns. Raises AccessDenied or EngineError."""
        target, policy = self._target(memory.store)
        taken = transfer.take(memory, target, policy, self._door, self._world.record)
        if taken in (transfer.Taken.NEW, transfer.Taken.CHANGED):
            self._indexed(Stored(memory=memory, is_new=taken is transfer.Taken.NEW))
        return taken

    def sources(self, *, is_recorded: bool = True, tries_model: bool = False) -> Status:
        """Every store: health, engine, access, counts, index age and lag, what was skipped and why. Never raises.

        `is_recorded` False leaves no line in the audit log (nothing of a memory is shown, and a screen that looks
        every few seconds would fill it); `audit_fault` is "" then. `tries_model` is for a process that asks nothing
        else and so would not know of a model that does not work: `try_model` takes a second or two.
        """
        world, embedder = self._world, self._world.embedder
        world.indexer.refresh(sources.REFRESH_LIMIT_SECONDS)
        statuses = sources.store_statuses(world.stores, self._rules(), world.indexer, world.fan_out)
        return Status(
            stores=statuses,
            model=embedder.identity if embedder else "",
            model_note=sources.model_note(embedder is not None, statuses, self.try_model() if tries_model else None),
            leaves_machine=embedder is not None and not embedder.is_local,
            home=self._home,
            version=__version__,
            audit_fault=write.try_record(world.record, AuditEvent("sources", "ok")) if is_recorded else "",
        )

    def index(self, report: Callable[[Progress], None] | None = None, *, rebuild: bool = False) -> None:
        """Bring words and vectors of every store level in the foreground; `rebuild` starts from nothing.

        `report` is called at each batch of memories, and of passages.
        """
        self._world.indexer.complete(report or _unheard, rebuild)

    def try_model(self) -> TriedModel:
        """Load the model, both where there are two, and embed a text with each. Never raises."""
        embedder = self._world.embedder
        if embedder is None:
            return TriedModel(identity="")
        english = _why_not(embedder, ENGLISH)
        others = _why_not(embedder, NOT_ENGLISH) if NAME in embedder.identity else english
        return TriedModel(identity=embedder.identity, english=english, others=others)

    def warm(self) -> None:
        """Start scanning and loading the model in the background; returns at once. A server calls it once it is up."""
        threading.Thread(target=self._warm, name="mmind-warm", daemon=True).start()

    def close(self) -> None:
        """Stop background work and let go of every store. Harmless when called twice."""
        self._world.indexer.close()
        self._world.fan_out.close()
        if self._world.embedder is not None:
            self._world.embedder.close()
        for store in self._world.stores.values():
            if store.engine is not None:
                store.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _target(self, name: str) -> tuple[Store, StorePolicy]:
        policies = self._rules().policies
        if name not in self._world.stores:
            raise BadRequest(f"store: there is no store {name[:80]!r}", f"known: {', '.join(self._world.stores)}")
        return self._world.stores[name], policies[name]

    def _indexed(self, stored: Stored) -> Stored:
        """The write is durable already; an index that cannot take it now takes it at its next scan, and says so."""
        try:
            self._world.indexer.add(stored.memory)
        except MmindError as error:
            late = f"kept, and searchable after the next scan of the index ({error.message})"
            return replace(stored, note="; ".join(part for part in (stored.note, late) if part))
        return stored

    def _warm(self) -> None:
        try:
            self._world.indexer.refresh(0.0)
            if self._world.embedder is not None and self._world.embedder.is_local:
                self._world.embedder.embed([ENGLISH])
        except MmindError:
            return  # the next answer names the same fault; there is nobody to tell here


def _why_not(embedder: Embedder, text: str) -> MmindError | None:
    """Why a text gets no vector; None where it gets one."""
    try:
        embedder.embed([text])
    except MmindError as error:
        return error
    except Exception as error:  # noqa: BLE001 - a library that somebody broke: whoever asks how the model is gets told
        return EngineUnavailable(f"the embedding model failed: {type(error).__name__}: {error}"[:300])
    return None


def _unheard(_: Progress) -> None:
    """Nobody asked how far a long run is."""
