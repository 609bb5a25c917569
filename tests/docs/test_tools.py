"""The page on the tools: every tool, every argument, and answers that the server gives today."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mmind.server.tools import tools
from mmind.server.verbs import call, check
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.docs.conftest import SAMPLE
from tests.docs.pages import ROOT, blocks
from tests.lag import lags

PAGE = (ROOT / "docs" / "tools.md").read_text("utf-8")
ROWS = {row["name"]: row for row in tools(leaves_machine=False)}
EXAMPLES = {words[1:]: json.loads(block.text) for block in blocks("json") if len(words := block.words) == 3}
STORED_FIRST = ("store", "retrieve", "get", "sources", "forget")


def section(tool: str) -> str:
    return re.split(r"^## ", PAGE.split(f"\n## {tool}\n")[1], flags=re.MULTILINE)[0]


@pytest.mark.parametrize("tool", ROWS)
def test_every_argument_of_a_tool_is_on_the_page_and_no_other(tool: str) -> None:
    named = re.findall(r"^\| (`[^|]+`) \|", section(tool), re.MULTILINE)
    assert {name for cell in named for name in re.findall(r"`(\w+)`", cell)} == set(
        ROWS[tool]["inputSchema"]["properties"]
    )


@pytest.mark.parametrize("tool", ROWS)
def test_bounds_and_defaults_of_whole_numbers_are_as_the_schema_says(tool: str) -> None:
    for name, rule in ROWS[tool]["inputSchema"]["properties"].items():
        if rule["type"] == "integer":
            bounds = f"{rule['minimum']} to {rule['maximum']}" if "maximum" in rule else f"{rule['minimum']} or more"
            assert f"| `{name}` | {bounds} | {rule['default']} |" in section(tool)


def test_the_page_shows_a_request_and_an_answer_for_each_tool() -> None:
    assert set(EXAMPLES) == {(kind, tool) for kind in ("request", "answer") for tool in ROWS}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the server answers to the requests of the page, over the sample vault and an empty data home."""
    home = tmp_path_factory.mktemp("tools")
    with open_mind(SAMPLE, {"MMIND_HOME": str(home)}, Door.AGENT) as mind:
        mind.index(lambda _: None)
        given: dict[str, Any] = {}
        for tool in STORED_FIRST:
            while tool not in given or lags(given[tool].get("notes", ())):
                given[tool] = call(mind, tool, check(ROWS[tool], EXAMPLES["request", tool]), "demo-agent").structured
    text = json.dumps(given, ensure_ascii=False)
    read: dict[str, Any] = json.loads(text.replace(str(home), "/path/to/data").replace(str(ROOT), "/path/to/mmind"))
    read["sources"]["stores"] = read["sources"]["stores"][:2]
    return read


def steady(value: Any, key: str = "") -> Any:
    """The answer without what changes by itself: times, ages, and numbers of the ranking (their places stay)."""
    match value:
        case dict():
            return {name: steady(item, name) for name, item in value.items()}
        case list():
            return [steady(item, key) for item in value]
        case float():
            return "number"
        case str() if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+Z", value) and not value.endswith("T00:00:00Z"):
            return "time"
        case str() if key == "reason":
            return re.sub(r"\d+ days? old", "# old", value)
        case _:
            return value


@pytest.mark.parametrize("tool", ROWS)
def test_an_answer_on_the_page_is_what_the_server_gives(tool: str, answers: dict[str, Any]) -> None:
    assert steady(EXAMPLES["answer", tool]) == steady(answers[tool])


def test_the_bytes_of_the_sample_vault_are_as_in_the_repository(answers: dict[str, Any]) -> None:
    assert answers["retrieve"]["relevant"]
    assert not [file for file in SAMPLE.rglob("*") if Path(file).is_file() and file.suffix != ".md"]
