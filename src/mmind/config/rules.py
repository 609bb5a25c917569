"""What the settings say to the router: the ranking table, and one policy for each store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mmind.config.presence import InForce, in_force, stamp_of
from mmind.config.settings import Settings
from mmind.values.errors import MmindError
from mmind.values.memory import Access, StorePolicy, Trust
from mmind.values.ports import Rules
from mmind.values.wrapped import Wrapped

ROLES = {
    "markdown": "notes that already exist",
    "sqlite": "structured, queryable memory",
    "leveldb": "fast key-value session state",
    "files": "documents of any kind",
    "vector": "semantic search",
}
WRAPPED_ROLE = "a place of your own, read where it lies"


class LiveRules:
    """The ranking table and the policies, read anew when the saved file changes, so that an edit acts at once.

    A file that cannot be read while it is being edited leaves the last good rules in force. `took_up` is told what
    is in force: at the start, and after every look at a changed file.
    """

    def __init__(
        self,
        settings: Settings,
        reload: Callable[[], Settings],
        took_up: Callable[[InForce], None] | None = None,
    ) -> None:
        self._reload = reload
        self._took_up = took_up or _nobody
        self._seen = stamp_of(settings.home)
        self._settings = settings
        self._rules = rules_of(settings)
        self._took_up(in_force(settings, self._seen))

    def __call__(self) -> Rules:
        stamp = stamp_of(self._settings.home)
        if stamp != self._seen:
            self._seen = stamp
            self._take_up()
        return self._rules

    def _take_up(self) -> None:
        fault = ""
        try:
            self._settings = self._reload()
            rules = rules_of(self._settings)
            # A source that is unwrapped while it is open keeps its policy until the process ends.
            self._rules = replace(rules, policies={**self._rules.policies, **rules.policies})
        except MmindError as error:
            fault = error.message
        self._took_up(in_force(self._settings, self._seen, fault))


def _nobody(_: InForce) -> None:
    return None


def rules_of(settings: Settings) -> Rules:
    """What the settings say about ranking, and about each store."""
    policies = {
        name: StorePolicy(
            name=name,
            engine=settings.engine_of(name),
            role=role,
            access=settings.access[name],
            half_life_days=settings.half_life_days[name],
            trust=Trust.CURATED if name == "markdown" else None,
        )
        for name, role in ROLES.items()
    }
    policies |= {source.name: _policy_of(source) for source in settings.sources}
    return Rules(settings.ranking, policies, settings.allow_secrets)


def _policy_of(source: Wrapped) -> StorePolicy:
    """The policy of a wrapped source: read, whatever is set."""
    return StorePolicy(
        name=source.name,
        engine=source.kind,
        role=WRAPPED_ROLE,
        access=Access.READ,
        half_life_days=source.half_life_days,
        trust=None if source.kind == "instructions" else _trust_of(source),
        is_wrapped=True,
    )


def _trust_of(source: Wrapped) -> Trust:
    return Trust.GENERATED if source.is_generated or source.kind == "jsonl" else Trust.CURATED
