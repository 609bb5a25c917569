"""The index and the engines that search for themselves, kept level as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mmind.values.errors import MmindError
from mmind.values.memory import Memory
from mmind.values.ports import Freshness, Indexer, Progress, SelfSearching


class Levels:
    """An Indexer over the index and over served engines by store name.

    A served engine holds what was put as soon as `put` returns, for every process and machine, so only the index must
    be told of changes.
    """

    def __init__(self, index: Indexer, served: Mapping[str, SelfSearching]) -> None:
        self._index = index
        self._served = served

    def refresh(self, wait_seconds: float) -> None:
        """As the index does."""
        self._index.refresh(wait_seconds)

    def add(self, memory: Memory) -> None:
        """As the index does."""
        self._index.add(memory)

    def remove(self, store: str, id: str) -> None:
        """As the index does."""
        self._index.remove(store, id)

    def complete(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        """The index first, then each served engine, also when one fails. Raises what the first that failed raised."""
        faults = list[MmindError]()
        for complete in (self._index.complete, *(engine.complete for engine in self._served.values())):
            try:
                complete(report, rebuild)
            except MmindError as fault:
                faults.append(fault)
        if faults:
            raise faults[0]

    def freshness(self) -> Mapping[str, Freshness]:
        """How far each is, by store. Never raises."""
        return {**self._index.freshness(), **{name: engine.freshness() for name, engine in self._served.items()}}

    def close(self) -> None:
        """Close the index; engines are closed with their stores."""
        self._index.close()
