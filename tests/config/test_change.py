from __future__ import annotations

from pathlib import Path

import pytest

from mmind.config.change import change_saved
from mmind.config.settings import load
from mmind.config.table import KNOB_BY_NAME
from mmind.values.errors import ConfigError

SEMANTIC, LEXICAL = KNOB_BY_NAME["semantic_weight"], KNOB_BY_NAME["lexical_weight"]
VAULT, IGNORE = KNOB_BY_NAME["vault_path"], KNOB_BY_NAME["vault_ignore"]


def test_several_settings_are_kept_at_once_and_what_comes_back_undoes_it(tmp_path: Path) -> None:
    environ = {"MMIND_HOME": str(tmp_path)}
    (tmp_path / "config.toml").write_text("[ranking]\nsemantic_weight = 0.6 # mine\n")
    before = change_saved(environ, {SEMANTIC: "0", LEXICAL: "0.5"})
    assert load(environ, None).ranking.semantic_weight == 0
    assert before == {SEMANTIC: "0.6", LEXICAL: None}
    change_saved(environ, before)
    assert load(environ, None).ranking.semantic_weight == 0.6
    assert load(environ, None).origins["lexical_weight"] == "default"
    assert "# mine" in (tmp_path / "config.toml").read_text()


def test_what_does_not_hold_together_is_refused_and_the_file_stays(tmp_path: Path) -> None:
    environ = {"MMIND_HOME": str(tmp_path)}
    change_saved(environ, {SEMANTIC: "0.6"})
    text = (tmp_path / "config.toml").read_text()
    with pytest.raises(ConfigError, match="both 0"):
        change_saved(environ, {SEMANTIC: "0", LEXICAL: "0"})
    with pytest.raises(ConfigError, match="recency_floor is '7'"):
        change_saved(environ, {SEMANTIC: "0.1", KNOB_BY_NAME["recency_floor"]: "7"})
    assert (tmp_path / "config.toml").read_text() == text


def test_a_path_and_a_list_come_back_as_they_meant(tmp_path: Path) -> None:
    environ = {"MMIND_HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('paths.vault = "../notes"\nvault.ignore = ["a/**", "b/**"]\n')
    before = change_saved(environ, {VAULT: str(tmp_path / "other"), IGNORE: "c/**"})
    assert before == {VAULT: str(tmp_path / "notes"), IGNORE: "a/**, b/**"}


def test_a_secret_is_never_kept(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="never written to disk"):
        change_saved({"MMIND_HOME": str(tmp_path)}, {KNOB_BY_NAME["postgres_url"]: "postgresql://a:b@c/d"})
    assert not (tmp_path / "config.toml").exists()
