"""Settings: which source wins, what counts as unset, and what every mistake says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmind.config.settings import load
from mmind.values.errors import ConfigError
from mmind.values.memory import Access

NEVER = ", and secrets are not kept in files; set"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data home that exists, with no file in it."""
    folder = tmp_path / "home" / ".mmind"
    folder.mkdir(parents=True)
    return folder


def environment(home: Path, **variables: str) -> dict[str, str]:
    return {"HOME": str(home.parent), **variables}


def message(home: Path, **variables: str) -> str:
    """The one line that a mistaken environment is answered with."""
    with pytest.raises(ConfigError) as refusal:
        load(environment(home, **variables), None)
    line = str(refusal.value)
    assert "\n" not in line
    return line


def test_without_any_setting_everything_lies_below_the_home_folder_and_the_vault_is_off(home: Path) -> None:
    settings = load(environment(home), None)
    assert settings.vault_path is None
    assert settings.home == home
    assert settings.sqlite_path == home / "memory.db"
    assert settings.vector_path == home / "vector-index"
    assert settings.audit_path == home / "audit"
    assert settings.access == {
        "markdown": Access.READ,
        "sqlite": Access.READ_WRITE,
        "leveldb": Access.READ_WRITE,
        "files": Access.READ_WRITE,
        "vector": Access.READ_WRITE,
    }
    assert settings.half_life_days["markdown"] == 1095
    assert (settings.backend_structured, settings.backend_vector, settings.backend_session) == (
        "sqlite",
        "local",
        "leveldb",
    )
    assert set(settings.origins.values()) == {"default"}


def test_moving_the_data_home_moves_every_store(home: Path, tmp_path: Path) -> None:
    settings = load(environment(home, MMIND_HOME=str(tmp_path / "elsewhere/")), None)
    assert settings.home == tmp_path / "elsewhere"
    assert settings.leveldb_path == tmp_path / "elsewhere" / "leveldb"


def test_the_environment_beats_the_file_and_the_file_beats_the_default(home: Path) -> None:
    (home / "config.toml").write_text("[ranking]\nrecency_floor = 0.5\nlexical_weight = 0.6\n", encoding="utf-8")
    settings = load(environment(home, MMIND_RANK_RECENCY_FLOOR="0.2"), None)
    assert settings.ranking.recency_floor == 0.2
    assert settings.ranking.lexical_weight == 0.6
    assert settings.ranking.semantic_weight == 0.7
    assert settings.origins["recency_floor"] == "environment"
    assert settings.origins["lexical_weight"] == "file"
    assert settings.origins["semantic_weight"] == "default"


def test_the_vault_comes_from_the_variable_then_the_argument_then_the_file(home: Path, tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    (home / "config.toml").write_text(f"[paths]\nvault = '{three}'\n", encoding="utf-8")
    loud = load(environment(home, MMIND_VAULT_PATH=str(one)), str(two))
    assert (loud.vault_path, loud.origins["vault_path"]) == (one, "environment")
    assert loud.notes[0].startswith("MMIND_VAULT_PATH beats the vault argument")
    assert load(environment(home), str(two)).vault_path == two
    assert load(environment(home), None).vault_path == three


@pytest.mark.parametrize("blank", ["", "   ", "${user_config.vault}", "${input:vault}/notes", "${workspaceFolder}"])
def test_empty_values_and_unfilled_placeholders_count_as_unset(home: Path, blank: str) -> None:
    settings = load(environment(home, MMIND_VAULT_PATH=blank, MMIND_RANK_RECENCY_FLOOR=blank), blank)
    assert settings.vault_path is None
    assert settings.ranking.recency_floor == 0.4


def test_an_unfilled_placeholder_is_mentioned(home: Path) -> None:
    settings = load(environment(home, MMIND_VAULT_PATH="${vault}"), None)
    assert settings.notes == ("MMIND_VAULT_PATH holds a placeholder that nothing filled in, and counts as unset",)


@pytest.mark.parametrize("folder", ["my notes", "заметки", "笔记 📚", "it's", "a$b", "50%"])
def test_a_vault_may_have_any_name(home: Path, tmp_path: Path, folder: str) -> None:
    settings = load(environment(home, MMIND_VAULT_PATH=f"{tmp_path}/{folder}/"), None)
    assert settings.vault_path == tmp_path / folder


def test_a_tilde_is_the_home_of_the_given_environment(home: Path) -> None:
    assert load(environment(home, MMIND_VAULT_PATH="~/notes"), None).vault_path == home.parent / "notes"
    assert load(environment(home), "~/x/../notes").vault_path == home.parent / "notes"


def test_relative_paths_start_from_the_working_directory_and_in_the_file_from_its_folder(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (home / "config.toml").write_text('paths.files = "documents"\n', encoding="utf-8")
    settings = load(environment(home), "notes")
    assert settings.vault_path == tmp_path / "notes"
    assert settings.files_path == home / "documents"


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("on", True),
        ("TRUE", True),
        ("1", True),
        ("yes", True),
        ("off", False),
        ("False", False),
        ("0", False),
        ("no", False),
    ],
)
def test_switches_take_every_usual_word(home: Path, word: str, value: bool) -> None:
    assert load(environment(home, MMIND_RANK_CONFLICT_DETECTION=word), None).ranking.conflict_detection is value


@pytest.mark.parametrize("word", ["read/write", "rw", "read-write", "readwrite", "Read / Write", "READ_WRITE"])
def test_write_access_has_many_spellings(home: Path, word: str) -> None:
    assert load(environment(home, MMIND_ACCESS_SQLITE=word), None).access["sqlite"] is Access.READ_WRITE


def test_a_vault_cannot_be_opened_for_writing_and_the_reason_is_given(home: Path) -> None:
    settings = load(environment(home, MMIND_ACCESS_MARKDOWN="rw"), None)
    assert settings.access["markdown"] is Access.READ
    (note,) = settings.notes
    assert note.startswith("MMIND_ACCESS_MARKDOWN asks for read/write, but mmind reads the vault")
    assert note.endswith("it stays read")
    assert load(environment(home, MMIND_ACCESS_MARKDOWN="read"), None).access["markdown"] is Access.READ


def test_vectra_reads_as_local_and_served_engines_are_known_names(home: Path) -> None:
    settings = load(
        environment(
            home, MMIND_BACKEND_VECTOR="vectra", MMIND_BACKEND_STRUCTURED="Postgres", MMIND_BACKEND_SESSION="redis"
        ),
        None,
    )
    assert (settings.backend_vector, settings.backend_structured, settings.backend_session) == (
        "local",
        "postgres",
        "redis",
    )


def test_globs_come_by_commas_from_a_variable_and_as_a_list_from_the_file(home: Path) -> None:
    (home / "config.toml").write_text('[vault]\nignore = ["a,b/**", "c"]\n', encoding="utf-8")
    settings = load(environment(home, MMIND_VAULT_GENERATED="agents/**, *.log.md ,"), None)
    assert settings.vault_generated == ("agents/**", "*.log.md")
    assert settings.vault_ignore == ("a,b/**", "c")


def test_an_unknown_variable_is_named_with_what_was_probably_meant(home: Path) -> None:
    assert message(home, MMIND_ACESS_SQLITE="read") == (
        "MMIND_ACESS_SQLITE is not a setting; did you mean MMIND_ACCESS_SQLITE?"
    )
    assert message(home, MMIND_COLOUR_SCHEME="red") == (
        "MMIND_COLOUR_SCHEME is not a setting; unset it (docs/configuration.md lists every setting)"
    )


def test_an_unknown_variable_without_a_value_and_those_of_the_test_suite_are_let_through(home: Path) -> None:
    settings = load(environment(home, MMIND_OLD="", MMIND_TEST_QDRANT_URL="http://localhost", MMINDFUL="1"), None)
    assert settings.home == home


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("MMIND_RANK_SEMANTIC_WEIGHT", "2", "MMIND_RANK_SEMANTIC_WEIGHT is '2'; set it to a number from 0 to 1"),
        ("MMIND_RANK_RECENCY_FLOOR", "nan", "MMIND_RANK_RECENCY_FLOOR is 'nan'; set it to a number from 0 to 1"),
        ("MMIND_RANK_HALFLIFE_FILES", "0", "MMIND_RANK_HALFLIFE_FILES is '0'; set it to a number from 0.01 to 1000000"),
        ("MMIND_RANK_TRUST_CURATED", "much", "MMIND_RANK_TRUST_CURATED is 'much'; set it to a number from 0.1 to 3"),
        ("MMIND_RANK_CONFLICT_DETECTION", "maybe", "MMIND_RANK_CONFLICT_DETECTION is 'maybe'; set it to on or off"),
        ("MMIND_BACKEND_SESSION", "sqlite", "MMIND_BACKEND_SESSION is 'sqlite'; set it to leveldb or redis"),
        ("MMIND_ACCESS_FILES", "write", "MMIND_ACCESS_FILES is 'write'; set it to read or read/write"),
        ("MMIND_LOG_LEVEL", "loud\nly", "MMIND_LOG_LEVEL is 'loud?ly'; set it to debug, info, warning or error"),
    ],
)
def test_a_value_out_of_range_is_one_line_with_variable_value_and_range(
    home: Path, variable: str, value: str, line: str
) -> None:
    assert message(home, **{variable: value}) == line


def test_a_secret_is_neither_in_an_error_nor_in_the_settings_repr(home: Path) -> None:
    line = message(home, MMIND_POSTGRES_URL="mysql://me:hunter2@host/db")
    assert line == "MMIND_POSTGRES_URL is not valid; set it to a URL that starts with postgresql:// or postgres://"
    assert "hunter2" not in message(home, MMIND_BACKEND_STRUCTURED="postgres://me:hunter2@host/db")
    assert "abcdefgh" not in message(home, MMIND_BACKEND_VECTOR="sk-abcdefghijkl")
    settings = load(
        environment(home, OPENAI_API_KEY="sk-canary", MMIND_POSTGRES_URL="postgres://me:canary@host/db"), None
    )
    assert settings.openai_api_key == "sk-canary"
    assert "canary" not in repr(settings)


def test_the_address_of_openai_is_judged_only_when_there_is_a_key(home: Path) -> None:
    assert load(environment(home, OPENAI_BASE_URL="localhost:80"), None).openai_base_url == ""
    assert message(home, OPENAI_BASE_URL="localhost:80", OPENAI_API_KEY="sk-x").startswith(
        "OPENAI_BASE_URL is 'localhost:80'"
    )


def test_weights_that_leave_nothing_to_rank_by_are_refused(home: Path) -> None:
    line = message(home, MMIND_RANK_SEMANTIC_WEIGHT="0", MMIND_RANK_LEXICAL_WEIGHT="0")
    assert line == "MMIND_RANK_SEMANTIC_WEIGHT and MMIND_RANK_LEXICAL_WEIGHT are both 0; set at least one above 0"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "[ranking]\n\nrecency_flor = 1\n",
            " line 3: ranking.recency_flor is not a setting; did you mean ranking.recency_floor?",
        ),
        (
            "# note\nranking.recency_floor = 7\n",
            " line 2: ranking.recency_floor is '7'; set it to a number from 0 to 1",
        ),
        ("[log]\nlevel = true\n", " line 2: log.level is 'True'; set it to debug, info, warning or error"),
        ("[log]\nlevel = \n", " line 2 is not valid TOML: Invalid value; correct it or delete the line"),
        (
            "openai_api_key = 'sk-canary'\n",
            f" line 1: openai_api_key is a secret{NEVER} OPENAI_API_KEY in the environment",
        ),
        ("[paths]\nvault = 3\n", " line 2: paths.vault is '3'; set it to a path"),
        ("paths = 3\n", " line 1: paths is not a setting; take it out: mmind config unset paths"),
        ("[vault]\nignore = [1]\n", " line 2: vault.ignore is '[1]'; set it to glob patterns, separated by commas"),
    ],
)
def test_a_mistake_in_the_file_is_one_line_with_its_line_number(home: Path, text: str, line: str) -> None:
    (home / "config.toml").write_text(text, encoding="utf-8")
    assert message(home) == f"{home / 'config.toml'}{line}"


def test_a_file_that_is_not_text_is_named(home: Path) -> None:
    (home / "config.toml").write_bytes(b"\xff\xfe\x00")
    assert message(home) == f"{home / 'config.toml'} is not UTF-8 text; save it as UTF-8"


def test_a_vault_that_holds_a_place_that_is_written_to_is_refused(home: Path, tmp_path: Path) -> None:
    notes = str(tmp_path / "notes")
    audit = f"{notes}/log"
    assert message(home, MMIND_VAULT_PATH=notes, MMIND_AUDIT_PATH=audit) == (
        f"MMIND_AUDIT_PATH ({audit}) lies inside MMIND_VAULT_PATH ({notes}); set MMIND_AUDIT_PATH to a place outside"
    )
    assert "MMIND_FILES_PATH" in message(home, MMIND_VAULT_PATH=notes, MMIND_FILES_PATH=f"{notes}/documents")
    assert "MMIND_SQLITE_PATH" in message(home, MMIND_VAULT_PATH=notes, MMIND_SQLITE_PATH=f"{notes}/memory.db")
    assert "lies inside MMIND_VAULT_PATH" in message(home, MMIND_VAULT_PATH=str(home.parent))


def test_a_vault_inside_a_stores_folder_is_refused_and_one_inside_the_data_home_is_not(home: Path) -> None:
    assert "MMIND_VAULT_PATH" in message(home, MMIND_VAULT_PATH=str(home / "files" / "notes"))
    assert load(environment(home, MMIND_VAULT_PATH=str(home / "vault")), None).vault_path == home / "vault"


def test_two_stores_may_not_share_a_folder(home: Path) -> None:
    assert "lies inside" in message(home, MMIND_FILES_PATH="~/one", MMIND_AUDIT_PATH="~/one")


def test_a_link_does_not_hide_that_the_vault_holds_the_audit_log(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes" / "log").mkdir(parents=True)
    (tmp_path / "elsewhere").symlink_to(tmp_path / "notes" / "log")
    line = message(home, MMIND_VAULT_PATH=str(tmp_path / "notes"), MMIND_AUDIT_PATH=str(tmp_path / "elsewhere"))
    assert line.startswith("MMIND_AUDIT_PATH")


def wrapped(home: Path, **sources: tuple[str, Path]) -> None:
    """Save these sources as somebody would who edits the file by hand."""
    tables = (f'[sources.{name}]\nkind = "{kind}"\npath = "{path}"\n' for name, (kind, path) in sources.items())
    (home / "config.toml").write_text("\n".join(tables), encoding="utf-8")


def test_a_note_cannot_be_wrapped_twice_by_folders_that_lie_in_one_another(home: Path, tmp_path: Path) -> None:
    """One note under two names would count as two witnesses."""
    notes = tmp_path / "notes"
    out = "wrap a folder apart from it, or where it is wrapped already run `mmind unwrap mine`"
    wrapped(home, mine=("vault", notes / "Mine"))
    vault = {"MMIND_VAULT_PATH": str(notes)}
    assert message(home, **vault) == f"sources.mine ({notes}/Mine) lies inside the vault ({notes}); {out}"
    wrapped(home, mine=("vault", tmp_path))
    assert message(home, **vault) == f"sources.mine ({tmp_path}) holds the vault ({notes}); {out}"
    wrapped(home, mine=("instructions", notes))
    assert "is the same folder as the vault" in message(home, **vault)
    wrapped(home, work=("vault", tmp_path / "work"), mine=("vault", tmp_path / "work"))
    assert f"is the same folder as sources.work ({tmp_path}/work); {out}" in message(home)
    wrapped(home, work=("jsonl", tmp_path / "a.jsonl"), mine=("jsonl", tmp_path / "a.jsonl"))
    assert message(home).startswith("sources.mine is the same place as sources.work; ")


def test_a_link_does_not_hide_that_a_folder_is_wrapped_twice(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes" / "sub").mkdir(parents=True)
    (tmp_path / "elsewhere").symlink_to(tmp_path / "notes" / "sub")
    wrapped(home, mine=("vault", tmp_path / "elsewhere"))
    assert "lies inside the vault" in message(home, MMIND_VAULT_PATH=str(tmp_path / "notes"))


def test_folders_beside_one_another_and_a_vault_among_instructions_may_be_wrapped(home: Path, tmp_path: Path) -> None:
    wrapped(
        home, work=("vault", tmp_path / "work"), mine=("vault", tmp_path / "work2"), code=("instructions", tmp_path)
    )
    assert len(load(environment(home, MMIND_VAULT_PATH=str(tmp_path / "notes")), None).sources) == 3


def test_loading_creates_nothing(home: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    load(environment(home), str(tmp_path / "notes"))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_working_directory_that_was_deleted_stops_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert load(environment(home), str(tmp_path / "notes")).vault_path == tmp_path / "notes"
