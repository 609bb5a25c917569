"""One case from its set-up to what the judge has before it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from mmind import wiring
from mmind.values.door import Door
from tests.cases.acting import Actor, difference, tree
from tests.cases.grounds import Grounds, build, local_model
from tests.cases.judging import Trial
from tests.cases.reading import Case
from tests.cases.replies import Replies
from tests.cases.rulings import ruled

ABOUT_PROCESSES = ("mcp", "storage")  # kinds of cases that start every process as clients and people do


def played(case: Case, more: Mapping[str, str], root: Path, *, is_level: bool = False) -> Trial:
    """Build a case below `root`, do its action with `more` variables, and give what came of it.

    With `is_level` words and vectors of everything are made first: a question right after the start is answered by
    words alone, and would judge half of the ranking only.
    """
    grounds = build(case.setup, root)
    vault = root / "vault"
    before = tree(vault) if grounds.has_vault else {}
    check = ruled(case.id, case.check)
    variables = {**case.setup.get("env", {}), **more}
    if is_level:
        make_level(grounds, variables)
    journal = Actor(grounds, variables, check, is_warm=case.kind not in ABOUT_PROCESSES).act(case.action)
    changed = difference(before, tree(vault)) if grounds.has_vault else ""
    return Trial(check, journal, grounds, Replies(grounds.refs), changed)


def make_level(grounds: Grounds, variables: Mapping[str, str]) -> None:
    """What `mmind index` does, in this process: the model of the cases is loaded already."""
    vault = grounds.root / "vault" if grounds.has_vault else None
    environ = grounds.environment(variables)
    model = local_model()
    with (
        patch.object(wiring, "open_embedder", lambda *_: model),
        patch.object(type(model), "close"),  # the next case uses it too
        wiring.open_mind(vault, environ, Door.USER) as mind,
    ):
        mind.index(lambda _: None)
