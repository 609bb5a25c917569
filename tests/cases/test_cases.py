"""Every case of the file outside the repository, through real servers and commands; one test a case."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import reading
from tests.cases.judging import judged, wishes
from tests.cases.playing import played
from tests.cases.reading import Case

CASES = reading.cases()
PLATFORM = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)


RANKED = ("search", "conflicts")


def variants() -> Iterator[tuple[Case, dict[str, str], bool]]:
    """Each case; those of ranking also with every vector made before; and each other way to run that one asks for."""
    for case in CASES:
        yield case, {}, False
        if case.kind in RANKED:
            yield case, {}, True
        if case.check.get("run_also_with", {}).get("embeddings") == "off":
            yield case, {"MMIND_EMBED_MODEL": "none"}, False


def named(case: Case, variables: dict[str, str], is_level: bool) -> str:
    return "-".join([case.id, *variables.values(), *(["level"] if is_level else [])])


def skip_what_cannot_run_here(case: Case) -> None:
    if case.platform and PLATFORM not in case.platform:
        pytest.skip(f"{case.id} is about {', '.join(case.platform)}")
    if "posix" in case.needs and os.name != "posix":
        pytest.skip(f"{case.id} needs a POSIX system")
    if "non_root" in case.needs and hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.skip(f"{case.id} needs a user who is not root")


@pytest.mark.skipif(not CASES, reason=f"no cases: set {reading.VARIABLE} to the folder of cases.jsonl")
def test_the_cases_are_there() -> None:
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("case", "more", "is_level"), [pytest.param(*one, id=named(*one)) for one in variants()] if CASES else []
)
def test_a_case_holds(case: Case, more: dict[str, str], is_level: bool, tmp_path: Path) -> None:
    skip_what_cannot_run_here(case)
    trial = played(case, more, tmp_path / "case", is_level=is_level)
    if complaints := judged(trial):
        pytest.fail(f"{case.title}\n" + "\n".join(complaints) + f"\n{trial.journal.log[-2000:]}", pytrace=False)
    if wished := wishes(trial):
        print("\n".join(f"{case.id} wishes: {one}" for one in wished))
