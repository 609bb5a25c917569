"""The table of knobs is whole, consistent, and what the docs are made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mmind
from mmind.config.document import page
from mmind.config.reading import read
from mmind.config.table import KNOB_BY_ENV, KNOBS, STORES, Kind, Knob
from mmind.values.ranking import Ranking

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.env)
def test_every_default_is_a_legal_value_of_its_own_knob(knob: Knob) -> None:
    if knob.default != "":
        assert read(knob, knob.default, knob.env) == knob.default


def test_names_variables_and_keys_are_unique() -> None:
    for names in ([k.name for k in KNOBS], [k.env for k in KNOBS], [k.file_key for k in KNOBS if k.file_key]):
        assert len(names) == len(set(names))


def test_secrets_and_the_data_home_have_no_key_in_the_file() -> None:
    assert {knob.env for knob in KNOBS if not knob.file_key} == {
        "MMIND_HOME",
        "MMIND_POSTGRES_URL",
        "MMIND_MYSQL_URL",
        "MMIND_REDIS_URL",
        "MMIND_QDRANT_URL",
        "MMIND_HTTP_TOKEN",
        "MMIND_HTTP_READ_TOKEN",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
    }


def test_every_weight_of_the_ranking_and_every_store_has_its_knob() -> None:
    names = {knob.name for knob in KNOBS}
    assert set(Ranking.__dataclass_fields__) <= names
    assert {f"access_{store}" for store in STORES} | {f"half_life_{store}" for store in STORES} <= names


def test_every_number_has_a_range() -> None:
    assert [knob.env for knob in KNOBS if knob.kind is Kind.NUMBER and knob.minimum >= knob.maximum] == []


def test_the_page_in_docs_is_what_the_table_gives() -> None:
    assert (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8") == page(), (
        "run: python -m mmind.config.document > docs/configuration.md"
    )


def test_every_variable_that_the_code_speaks_of_stands_in_the_table() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in Path(mmind.__file__).parent.rglob("*.py"))
    spoken = set(re.findall(r"\bMMIND_[A-Z]+(?:_[A-Z]+)*\b(?!_)", sources))
    assert spoken - set(KNOB_BY_ENV) <= {"MMIND_TEST", "MMIND_ACESS_SQLITE"}
