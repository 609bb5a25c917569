"""The saved file: changed by one key at a time, comments kept, secrets and nonsense refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mmind.config import file
from mmind.config.change import set_saved, unset_saved
from mmind.config.settings import load
from mmind.disk.locks import held
from mmind.values.errors import ConfigError

COMMENTED = """\
# my settings
[ranking]   # tuned in May
recency_floor = 0.5  # old notes still count

[paths]
vault = "~/notes"
"""
NEVER = " and is never written to disk; set"
UNSET = "mmind config unset ranking.recency_floor"


def environment(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "MMIND_HOME": str(tmp_path / "data")}


def saved(tmp_path: Path) -> str:
    return (tmp_path / "data" / "config.toml").read_text(encoding="utf-8")


def write(tmp_path: Path, text: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "config.toml").write_text(text, encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("make", [os.mkdir, getattr(os, "mkfifo", os.mkdir)])
def test_what_is_no_file_in_its_place_is_refused_and_never_waited_for(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    place = tmp_path / "data" / "config.toml"
    place.parent.mkdir()
    make(place)
    reading = [sys.executable, "-c", "from mmind.config.settings import load; import os; load(dict(os.environ), None)"]
    done = subprocess.run(
        reading, env=os.environ | environment(tmp_path), capture_output=True, text=True, timeout=30, check=False
    )
    assert f"{place} is not a file of text" in done.stderr


def test_the_first_change_makes_the_file_and_it_is_read_back(tmp_path: Path) -> None:
    set_saved(environment(tmp_path), "ranking.half_life_days.markdown", "2000")
    set_saved(environment(tmp_path), "MMIND_ACCESS_FILES", "rw")
    set_saved(environment(tmp_path), "vault_generated", "agents/**, *.log.md")
    set_saved(environment(tmp_path), "vault.follow_links", "on")
    settings = load(environment(tmp_path), None)
    assert settings.half_life_days["markdown"] == 2000
    assert settings.access["files"] == "read/write"
    assert settings.vault_generated == ("agents/**", "*.log.md")
    assert settings.vault_follow_links is True
    assert settings.origins["vault_follow_links"] == "file"


def test_a_change_keeps_comments_and_everything_else(tmp_path: Path) -> None:
    write(tmp_path, COMMENTED)
    set_saved(environment(tmp_path), "ranking.recency_floor", "0.3")
    assert saved(tmp_path) == COMMENTED.replace("0.5", "0.3")


def test_unset_goes_back_to_the_default_and_says_whether_there_was_something(tmp_path: Path) -> None:
    write(tmp_path, COMMENTED)
    assert unset_saved(environment(tmp_path), "MMIND_RANK_RECENCY_FLOOR") == ("ranking.recency_floor", True)
    assert unset_saved(environment(tmp_path), "ranking.recency_floor") == ("ranking.recency_floor", False)
    assert load(environment(tmp_path), None).ranking.recency_floor == 0.4
    assert "# my settings" in saved(tmp_path)


def test_a_key_that_nobody_knows_can_be_taken_out(tmp_path: Path) -> None:
    write(tmp_path, "[ranking]\nrecency_flor = 1\n")
    assert unset_saved(environment(tmp_path), "ranking.recency_flor") == ("ranking.recency_flor", True)
    assert load(environment(tmp_path), None).origins["recency_floor"] == "default"


def test_a_relative_path_is_kept_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    set_saved(environment(tmp_path), "paths.vault", "notes/")
    set_saved(environment(tmp_path), "paths.files", "~/documents")
    monkeypatch.chdir("/")
    settings = load(environment(tmp_path), None)
    assert settings.vault_path == tmp_path / "notes"
    assert settings.files_path == tmp_path / "documents"


def test_dotted_keys_and_links_to_a_file_elsewhere_survive_a_change(tmp_path: Path) -> None:
    write(tmp_path, "")
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("ranking.recency_floor = 0.5 # mine\n", encoding="utf-8")
    (tmp_path / "data" / "config.toml").unlink()
    (tmp_path / "data" / "config.toml").symlink_to(kept)
    set_saved(environment(tmp_path), "ranking.recency_floor", "0.6")
    set_saved(environment(tmp_path), "ranking.lexical_weight", "0.4")
    assert (tmp_path / "data" / "config.toml").is_symlink()
    ranking = load(environment(tmp_path), None).ranking
    assert (ranking.recency_floor, ranking.lexical_weight) == (0.6, 0.4)


@pytest.mark.parametrize(
    ("word", "value", "line"),
    [
        ("OPENAI_API_KEY", "sk-canary", f"OPENAI_API_KEY is a secret{NEVER} OPENAI_API_KEY in the environment"),
        (
            "MMIND_POSTGRES_URL",
            "postgres://a:canary@b/c",
            f"MMIND_POSTGRES_URL is a secret{NEVER} MMIND_POSTGRES_URL in the environment",
        ),
        ("MMIND_HOME", "/elsewhere", "MMIND_HOME cannot be kept in the saved file; set MMIND_HOME in the environment"),
        ("ranking.recency_floor", "7", "ranking.recency_floor is '7'; set it to a number from 0 to 1"),
        (
            "ranking.recency_floor",
            "",
            f"ranking.recency_floor was given no value; use `{UNSET}` to go back to the default",
        ),
        ("ranking.recency", "1", "there is no setting 'ranking.recency'; did you mean ranking.recency_floor?"),
        ("access.sqlite", "write", "access.sqlite is 'write'; set it to read or read/write"),
    ],
)
def test_what_cannot_be_saved_is_refused_and_the_file_stays(tmp_path: Path, word: str, value: str, line: str) -> None:
    write(tmp_path, COMMENTED)
    with pytest.raises(ConfigError) as refusal:
        set_saved(environment(tmp_path), word, value)
    assert str(refusal.value) == line
    assert saved(tmp_path) == COMMENTED


def test_a_value_that_contradicts_the_rest_is_refused(tmp_path: Path) -> None:
    write(tmp_path, COMMENTED)
    with pytest.raises(ConfigError, match=r"MMIND_FILES_PATH .* lies inside MMIND_VAULT_PATH"):
        set_saved(environment(tmp_path), "paths.files", "~/notes/documents")
    assert saved(tmp_path) == COMMENTED


def test_broken_toml_is_refused_with_its_line_and_left_alone(tmp_path: Path) -> None:
    write(tmp_path, "[ranking]\nrecency_floor = \n")
    for change in (
        lambda: set_saved(environment(tmp_path), "log.level", "info"),
        lambda: unset_saved(environment(tmp_path), "log.level"),
    ):
        with pytest.raises(ConfigError, match=r"config\.toml line 2 is not valid TOML"):
            change()
    assert saved(tmp_path) == "[ranking]\nrecency_floor = \n"


def test_nothing_but_the_file_and_its_lock_is_left_behind(tmp_path: Path) -> None:
    set_saved(environment(tmp_path), "log.level", "info")
    assert {path.name for path in (tmp_path / "data").iterdir()} <= {"config.toml", "config.lock"}


@pytest.mark.skipif(sys.platform == "win32", reason="modes are a thing of POSIX")
def test_the_file_and_its_lock_are_for_the_user_alone(tmp_path: Path) -> None:
    set_saved(environment(tmp_path), "log.level", "info")
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in (tmp_path / "data").iterdir()} == dict.fromkeys(
        [path.name for path in (tmp_path / "data").iterdir()], "0o600"
    )


def test_processes_that_save_at_once_lose_no_line(tmp_path: Path) -> None:
    code = (
        "import sys; from mmind.config.change import set_saved\n"
        "set_saved({'MMIND_HOME': sys.argv[1]}, sys.argv[2], '0.5')"
    )
    keys = ["ranking.recency_floor", "ranking.lexical_weight", "ranking.semantic_weight", "ranking.corroboration_boost"]
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "data"), key]) for key in keys]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0, 0]
    origins = load(environment(tmp_path), None).origins
    assert [origins[key.split(".")[1]] for key in keys] == ["file"] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_homes_that_link_to_one_file_take_turns_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "dotfiles" / "config.toml"
    kept.parent.mkdir()
    kept.touch()
    homes = [tmp_path / "one", tmp_path / "other", kept.parent]
    for home in homes[:2]:
        home.mkdir()
        (home / "config.toml").symlink_to(kept)
    with held(kept.with_suffix(".lock"), 0.0), monkeypatch.context() as patched:
        patched.setattr(file, "_LOCK_SECONDS", 0.0)
        for home in homes:
            with pytest.raises(ConfigError, match="being saved by another process"):
                set_saved({"MMIND_HOME": str(home)}, "log.level", "info")
    for home, key in zip(homes, ("access.files", "access.vector", "access.sqlite"), strict=True):
        set_saved({"MMIND_HOME": str(home)}, key, "read")
    assert kept.read_text(encoding="utf-8").count("read") == 3
    assert [path.name for home in homes[:2] for path in home.iterdir()] == ["config.toml", "config.toml"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[access]\nfiles = 'read'\n", ""),
        ("[ranking.half_life_days]\nmarkdown = 9\n", ""),
        ("[log]\nlevel = 'info'\n\n[ranking.half_life_days]\nmarkdown = 9\n", "[log]\nlevel = 'info'\n\n"),
        ("ranking.half_life_days.markdown = 9\n", ""),
        ("[access] # mine\nfiles = 'read'\n", "[access] # mine\n"),
        ("[access]\n# why\nfiles = 'read'\n", "[access]\n# why\n"),
    ],
)
def test_a_section_goes_with_its_last_setting_unless_a_comment_stands_in_it(
    tmp_path: Path, before: str, after: str
) -> None:
    write(tmp_path, before)
    key = "access.files" if "files" in before else "ranking.half_life_days.markdown"
    assert unset_saved(environment(tmp_path), key) == (key, True)
    assert saved(tmp_path) == after
