"""The state that the pages show: the sample vault, and what the demo's agent stored."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.docs.pages import ROOT

SAMPLE = ROOT / "examples" / "vault"


@pytest.fixture(scope="session")
def demo() -> ModuleType:
    """examples/demo.py as a module; the folder is no package."""
    spec = importlib.util.spec_from_file_location("demo", ROOT / "examples" / "demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["demo"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory, demo: ModuleType) -> Path:
    """A data home as `make demo` leaves it."""
    home = tmp_path_factory.mktemp("demo")
    with open_mind(SAMPLE, {"MMIND_HOME": str(home)}, Door.AGENT) as mind:
        mind.index(lambda _: None)
        for one in demo.AGENT_SAYS:
            mind.store(one.content, store=one.store, title=one.title, session=one.session, writer="demo-agent")
    return home
