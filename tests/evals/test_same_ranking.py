"""The same memories rank the same, whatever engine keeps them: labelled cases, asked of two worlds."""

from __future__ import annotations

import dataclasses
import math
import os
from pathlib import Path
from unittest.mock import patch

import pytest
from evals.case import NOW, Case, read_cases
from tests.servers import Servers  # noqa: TC002 - read by pytest

from evals import world as worlds
from mmind.router.retrieve import retrieve
from mmind.values.bundle import Bundle
from mmind.values.ports import Embedder

SETUPS = {"postgres": {"backend_structured": "postgres", "backend_vector": "pgvector"}}

EVERY = 1 if os.environ.get("MMIND_TEST_CASES_ALL") else 3  # of the cases; a database for each of them takes minutes

pytestmark = [pytest.mark.server, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def model() -> Embedder | None:
    """One model for all worlds."""
    return worlds.model()


def answer(case: Case, folder: Path, model: Embedder | None, settings: dict[str, str]) -> Bundle:
    """What a world of the case answers, with some settings replaced."""
    made = worlds.settings_in

    def replaced(*arguments: object) -> object:
        return dataclasses.replace(made(*arguments), **settings)  # type: ignore[arg-type] # fields of Settings

    with patch.object(worlds, "settings_in", replaced), worlds.opened(case, folder, model) as opened:
        faults = {name: store.fault for name, store in opened.world.stores.items() if store.fault}
        assert not faults
        return retrieve(worlds.request_of(case, tuple(opened.world.stores)), opened.world, opened.rules, NOW)


def ranked(bundle: Bundle) -> list[tuple[float, tuple[str, ...]]]:
    """Scores to seven digits, each with the results that have it, in no order: ties may stand in any."""
    found: list[tuple[float, tuple[str, ...]]] = []
    for result in bundle.results:
        if found and math.isclose(found[-1][0], result.score.value, rel_tol=1e-6):
            found[-1] = (found[-1][0], tuple(sorted((*found[-1][1], result.id))))
        else:
            found.append((float(f"{result.score.value:.6g}"), (result.id,)))
    return found


@pytest.mark.parametrize("server", sorted(SETUPS))
def test_cases_are_ranked_alike_in_a_served_engine(
    server: str, servers: Servers, model: Embedder | None, tmp_path: Path
) -> None:
    running = servers.get(server)
    different = {}
    for number, case in enumerate(read_cases()[::EVERY]):
        here, there = tmp_path / f"{number}-here", tmp_path / f"{number}-there"
        local = answer(case, here, model, {})
        served = answer(case, there, model, {**SETUPS[server], f"{server}_url": running.url(str(there))})
        if ranked(local) != ranked(served) or local.conflicts != served.conflicts:
            different[case.name] = (ranked(local), ranked(served))
    assert not different
