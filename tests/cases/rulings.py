"""Where a case speaks of something that this product calls otherwise, has not, or does better; each with the reason."""

from __future__ import annotations

from typing import Any

CLI_WORDS: dict[str, list[str]] = {
    "reindex": ["index", "--rebuild"],  # rebuilding is `index --rebuild` here
    "dashboard --once": ["sources"],  # there is no dashboard yet; `sources` prints the state of the stores once
}

# Path in `check` -> what is judged instead, and why. None: nothing.
RULINGS: dict[str, dict[tuple[str, ...], tuple[Any, str]]] = {
    "C02": {
        ("steps_check", "3"): (
            {"says_ok": ["leveldb"], "not_contains_text": ["Traceback"]},
            "LevelDB is shared between processes, which the case calls better still (spec M1.7)",
        ),
        ("steps_check", "5"): ({"not_error": True}, "as above: the second server writes at once"),
    },
    "D05": {
        ("tools",): (
            ["forget", "get", "retrieve", "sources", "store"],
            "the specification has five tools (M3); where a case and the specification differ, the specification rules",
        ),
    },
}


def ruled(case_id: str, check: dict[str, Any]) -> dict[str, Any]:
    """The checks of a case under the rulings; the given ones are left as they are."""
    changed = check
    for path, (instead, _) in RULINGS.get(case_id, {}).items():
        changed = _with(changed, path, instead)
    return changed


def _with(tree: dict[str, Any], path: tuple[str, ...], instead: Any) -> dict[str, Any]:
    first, *rest = path
    inner = _with(tree.get(first, {}), tuple(rest), instead) if rest else instead
    return {**tree, first: inner}
