"""One case from its set-up to what the judge has before it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.cases.acting import Actor, difference, tree
from tests.cases.grounds import build
from tests.cases.judging import Trial
from tests.cases.reading import Case
from tests.cases.replies import Replies
from tests.cases.rulings import ruled


def played(case: Case, more: Mapping[str, str], root: Path) -> Trial:
    """Build a case below `root`, do its action with `more` variables, and give what came of it."""
    grounds = build(case.setup, root)
    vault = root / "vault"
    before = tree(vault) if grounds.has_vault else {}
    check = ruled(case.id, case.check)
    journal = Actor(grounds, {**case.setup.get("env", {}), **more}, check).act(case.action)
    changed = difference(before, tree(vault)) if grounds.has_vault else ""
    return Trial(check, journal, grounds, Replies(grounds.refs), changed)
