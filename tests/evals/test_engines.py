"""Ranking is the same whatever the engine: the labelled worlds, kept on servers, are answered in the same order."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from evals.case import Case, read_cases
from evals.run import ask
from evals.world import model, opened

from mmind.values.bundle import Bundle, Result

if TYPE_CHECKING:
    from tests.servers import Servers

SERVED = {"STRUCTURED": "mysql", "SESSION": "redis", "VECTOR": "qdrant"}
EVERY = 1 if os.environ.get("MMIND_TEST_CASES_ALL") else 4  # of the cases of each family; all of them take minutes


@pytest.mark.server
@pytest.mark.timeout(600)
def test_mysql_redis_and_qdrant_give_the_order_of_the_default_engines(servers: Servers, tmp_path: Path) -> None:
    embedder = model()
    for number, case in enumerate(_spread(read_cases())):
        there = _served(case, servers)
        with opened(case, tmp_path / f"{number}" / "here", embedder) as world:
            told = _told(ask(case, world)[0])
        with opened(there, tmp_path / f"{number}" / "there", embedder) as world:
            assert _told(ask(there, world)[0]) == told, case.name


def _spread(cases: list[Case]) -> list[Case]:
    families = {case.family for case in cases}
    return [case for family in sorted(families) for case in [c for c in cases if c.family == family][::EVERY]]


def _served(case: Case, servers: Servers) -> Case:
    urls = {f"MMIND_{name.upper()}_URL": servers.get(name).url(f"evals {case.name}") for name in SERVED.values()}
    backends = {f"MMIND_BACKEND_{slot}": name for slot, name in SERVED.items()}
    return replace(case, settings={**case.settings, **backends, **urls})


def _told(bundle: Bundle) -> list[Any]:
    """What an answer says but for where things lie: results with scores, who speaks, and conflicts."""
    results = [(result.id, result.text, round(result.score.value, 9), _places(result)) for result in bundle.results]
    return [results, [(conflict.kind, conflict.ids) for conflict in bundle.conflicts], bundle.relevant]


def _places(result: Result) -> list[tuple[str, str]]:
    return [(place.store, place.id) for place in result.evidence]
