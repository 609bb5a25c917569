"""Where the cases lie, and one case as a value. They are kept outside the repository."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "MMIND_TEST_CASES"
BESIDE = Path(__file__).parents[3] / "shared" / "cases"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One line of `cases.jsonl`: what to build, what to do, and what must then hold."""

    id: str
    kind: str
    title: str
    setup: Json
    action: Json
    check: Json
    needs: tuple[str, ...]
    platform: tuple[str, ...]


def place() -> Path | None:
    """The file of cases that the variable names (itself or its folder), else the one beside the checkout, else None."""
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        path = Path(named).expanduser()
        return path if path.is_file() else path / "cases.jsonl"
    return BESIDE / "cases.jsonl" if (BESIDE / "cases.jsonl").is_file() else None


def cases() -> list[Case]:
    """Every case; none where there is no file. Raises OSError on a file that is named and not there."""
    file = place()
    if file is None:
        return []
    return [_case(json.loads(line)) for line in file.read_text("utf-8").splitlines() if line.strip()]


def written_out(value: Any) -> Any:
    """A value of the file with `{repeat, text}` as the text that it stands for."""
    match value:
        case {"repeat": int(times), "text": str(text), **rest} if not rest:
            return text * times
        case dict():
            return {name: written_out(item) for name, item in value.items()}
        case list():
            return [written_out(item) for item in value]
        case _:
            return value


def _case(line: Mapping[str, Any]) -> Case:
    platform = line.get("platform", ())
    return Case(
        id=line["id"],
        kind=line["kind"],
        title=line["title"],
        setup=line.get("setup", {}),
        action=line["action"],
        check=line.get("check", {}),
        needs=tuple(line.get("needs", ())),
        platform=(platform,) if isinstance(platform, str) else tuple(platform),
    )
