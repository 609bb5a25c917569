"""Two profiles: a short one with fixed seeds, as part of the suite, and a long one that looks further (`make fuzz`)."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from mmind.router.mind import Mind
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.server.over_http import Served, served
from tests.server.wired import environment, vault

IS_LONG = os.environ.get("MMIND_TEST_FUZZ", "") == "long"
PATIENCE = 3600.0
"""Seconds for all examples of the long run together."""

_QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("short", max_examples=60, derandomize=True, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("long", max_examples=1000, deadline=None, print_blob=True, suppress_health_check=_QUIET)
settings.load_profile("long" if IS_LONG else "short")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long run takes its time; the limit of the suite is for the short one."""
    for item in items if IS_LONG else ():
        if "tests/fuzz/" in item.nodeid:
            item.add_marker(pytest.mark.timeout(PATIENCE))


@pytest.fixture(scope="session")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mind]:
    """A mind over five stores with the agent at the door."""
    home = tmp_path_factory.mktemp("fuzz")
    notes = vault(home, {"rent.md": "---\ntags: [home]\n---\n# Rent\nThe rent is 900 euros.\n"})
    with open_mind(notes, environment(home), Door.AGENT) as opened:
        opened.index(lambda _: None)
        yield opened


@pytest.fixture(scope="session")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over HTTP."""
    with served(tmp_path_factory.mktemp("fuzz-http"), patience=PATIENCE) as server:
        yield server
