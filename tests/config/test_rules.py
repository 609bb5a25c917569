"""What settings say to the router: policies, and rules that follow the saved file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wrapped import TICKETS

from mmind.config.rules import LiveRules, rules_of
from mmind.config.settings import Settings, load
from mmind.config.table import BACKENDS, KNOB_BY_NAME, STORES
from mmind.stores.registry import ENGINES
from mmind.values.memory import Access, Trust


def settings(home: Path, **variables: str) -> Settings:
    return load({"MMIND_HOME": str(home), **variables}, None)


def test_a_wrapped_source_has_a_policy_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(TICKETS)
    policy = rules_of(settings(tmp_path)).policies["tickets"]
    assert (policy.engine, policy.access, policy.half_life_days) == ("sqlite", Access.READ, 30)
    assert (policy.trust, policy.is_wrapped) == (Trust.CURATED, True)


def test_a_source_that_is_unwrapped_keeps_its_policy_until_the_process_ends(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(TICKETS)
    rules = LiveRules(settings(tmp_path), lambda: settings(tmp_path))
    (tmp_path / "config.toml").write_text("[access]\nfiles = 'read'\n")
    policies = rules().policies
    assert policies["files"].access is Access.READ
    assert policies["tickets"].is_wrapped


@pytest.mark.parametrize(
    ("store", "engine"), [(store, engine) for store, knob in BACKENDS.items() for engine in KNOB_BY_NAME[knob].choices]
)
def test_the_policy_of_a_store_names_the_engine_that_was_chosen(tmp_path: Path, store: str, engine: str) -> None:
    chosen = settings(tmp_path, **{KNOB_BY_NAME[BACKENDS[store]].env: engine})
    assert rules_of(chosen).policies[store].engine == engine


def test_a_store_without_a_choice_has_the_engine_of_its_name(tmp_path: Path) -> None:
    policies = rules_of(settings(tmp_path)).policies
    assert {store: policies[store].engine for store in set(STORES) - set(BACKENDS)} == {
        "markdown": "markdown",
        "files": "files",
    }
    assert {policy.engine for policy in policies.values()} <= set(ENGINES)
