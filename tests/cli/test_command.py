"""The command as a process: real stores below a temporary home, real streams, real exit codes."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PLANTS, RENT
from tests.cli.running import Run, answered, refused


def test_retrieve_prints_the_passage_with_its_place_for_people(mmind: Run, vault: Path) -> None:
    done = mmind("retrieve", "--vault", str(vault), "when", "is", "rent", "due")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "my notes/home/flat.md:5 · Flat › Rent · " in done.stdout
    assert "   The rent of 900 € is due on the 5th of each month.\n" in done.stdout
    assert "basil" not in done.stdout


def test_retrieve_gives_json_whose_factors_multiply_to_the_score(mmind: Run, vault: Path) -> None:
    answer = answered(mmind("retrieve", "rent", "--explain", "--json", MMIND_VAULT_PATH=str(vault)))
    best = answer["results"][0]
    assert best["id"] == "markdown:home/flat.md"
    assert best["provenance"][0]["lines"] == [5, 5]
    assert math.prod(factor["value"] for factor in best["explain"]["factors"]) == best["score"]


def test_a_question_about_nothing_known_says_so_and_exits_with_1(mmind: Run, vault: Path) -> None:
    done = mmind("retrieve", "quantum chromodynamics", MMIND_VAULT_PATH=str(vault))
    assert done.returncode == 1
    assert done.stdout.startswith("nothing relevant found")
    assert done.stdout.count("nothing") == 1


def test_retrieve_reads_a_long_query_from_standard_input(mmind: Run, vault: Path) -> None:
    done = mmind("retrieve", "-", "--json", stdin=b"when is the rent\ndue?", MMIND_VAULT_PATH=str(vault))
    assert answered(done)["results"][0]["id"] == "markdown:home/flat.md"


def test_what_contradicts_a_memory_is_said_when_it_is_stored(mmind: Run) -> None:
    first = answered(mmind("store", "The rent is 900 euros.", "--json"))
    assert "conflicts" not in first
    assert mmind("index").returncode == 0  # while the first scan goes on nothing is compared
    second = mmind("store", "The rent is 950 euros.")
    assert second.returncode == 0
    assert second.stdout.startswith("stored sqlite:")
    assert second.stderr.startswith(
        f"mmind: contradicts {first['id']}: “The rent is 900 euros.” (trusted: the new one, "
    )
    told = answered(mmind("store", "The rent is 970 euros.", "--json"))["conflicts"]
    assert {id_ for conflict in told for id_ in conflict["ids"]} >= {first["id"]}


def test_what_is_stored_by_hand_is_curated_found_read_back_whole_and_forgotten(mmind: Run) -> None:
    text = "The router is in the cellar.\n\nIts name is 洞穴 🦇\tand it hums.\n"
    stored = answered(mmind("store", "-", "--title", "Router", "--tag", "home,net", "--json", stdin=text.encode()))
    assert (stored["trust"], stored["tags"], stored["is_new"]) == ("curated", ["home", "net"], True)
    found = answered(mmind("retrieve", "where is the router", "--store", "sqlite", "--json"))
    assert [result["id"] for result in found["results"]] == [stored["id"]]
    assert mmind("get", stored["id"]).stdout == text
    gone = mmind("forget", stored["id"], "--yes")
    assert (gone.returncode, gone.stdout) == (0, f"forgotten {stored['id']}\n")
    assert refused(mmind("get", stored["id"]))[0] == 3


def test_the_same_content_twice_is_one_memory(mmind: Run) -> None:
    first, second = mmind("store", "tea", "is", "at", "four"), mmind("store", "tea is at four")
    assert first.stdout.startswith("stored sqlite:")
    assert second.stdout == first.stdout.replace("stored", "known")


def test_a_long_memory_is_printed_whole_and_by_pages(mmind: Run) -> None:
    text = "".join(f"line {number} of a long list\n" for number in range(1, 3001))
    handle = answered(mmind("store", "-", "--json", stdin=text.encode()))["id"]
    assert mmind("get", handle).stdout == text
    assert answered(mmind("get", handle, "--json"))["text"] == text
    page = mmind("get", handle, "--line", "1500", "--max-tokens", "100")
    assert page.stdout.startswith("line 1500 of a long list\n")
    assert page.stderr.startswith(f"mmind: there is more: mmind get {handle} --offset ")


def test_forget_without_yes_asks_and_where_nobody_can_answer_it_refuses(mmind: Run) -> None:
    handle = answered(mmind("store", "keep me", "--json"))["id"]
    assert refused(mmind("forget", handle)) == (2, "mmind: forget asks first, and there is nobody to ask; add --yes")
    assert mmind("get", handle).stdout == "keep me"


def test_a_read_only_store_denies_with_4_and_names_the_setting(mmind: Run) -> None:
    code, line = refused(mmind("store", "a fact", MMIND_ACCESS_SQLITE="read"))
    assert code == 4
    assert "MMIND_ACCESS_SQLITE=read/write" in line


def test_the_vault_is_never_written_by_the_command(mmind: Run, vault: Path) -> None:
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*.md")}
    assert refused(mmind("store", "a fact", "--store", "markdown", "--vault", str(vault)))[0] == 4
    mmind("retrieve", "rent", "--vault", str(vault))
    mmind("index", "--rebuild", "--vault", str(vault))
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*.md")} == before
    assert sorted(path.name for path in vault.rglob("*")) == ["flat.md", "home", "plants.md"]


def test_a_note_is_not_removed_and_the_user_is_told_to_delete_it(mmind: Run, vault: Path) -> None:
    code, line = refused(mmind("forget", "markdown:plants.md", "--yes", "--vault", str(vault)))
    assert code == 4
    assert line.endswith("nothing was removed; delete the note yourself: mmind never writes notes")
    handle = answered(mmind("store", "a fact", "--json"))["id"]
    code, line = refused(mmind("forget", handle, "--yes", MMIND_ACCESS_SQLITE="read"))
    assert (code, "nothing was removed; let the user set MMIND_ACCESS_SQLITE=read/write" in line) == (4, True)


def test_a_store_whose_engine_is_not_there_is_5_when_written_and_named_when_asked(mmind: Run, vault: Path) -> None:
    assert refused(mmind("store", "a fact", MMIND_BACKEND_STRUCTURED="postgres"))[0] == 5
    answer = answered(mmind("retrieve", "rent", "--json", "--vault", str(vault), MMIND_BACKEND_STRUCTURED="postgres"))
    assert "sqlite" in [fault["store"] for fault in answer["unavailable"]]


def test_index_tells_its_progress_on_standard_error_and_the_result_on_standard_output(mmind: Run, vault: Path) -> None:
    done = mmind("index", "--json", "--vault", str(vault))
    assert done.returncode == 0
    assert "mmind: markdown words: 2 of 2\n" in done.stderr
    markdown = next(store for store in json.loads(done.stdout)["stores"] if store["name"] == "markdown")
    assert markdown["index"]["entries"] == 2
    assert mmind("index", "--quiet", "--vault", str(vault)).stderr == ""


def test_index_fails_with_5_and_a_last_line_when_the_vault_is_not_there(mmind: Run, tmp_path: Path) -> None:
    done = mmind("index", "--vault", str(tmp_path / "nowhere"), "--quiet")
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1].startswith("mmind: markdown is not indexed: ")
    assert "nowhere does not exist; create the folder" in done.stderr.splitlines()[-1]
    assert json.loads(mmind("index", "--vault", "nowhere", "--json").stdout)["stores"][0]["usable"] is False


def test_index_without_any_vault_is_fine_and_says_so(mmind: Run) -> None:
    done = mmind("index")
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1].startswith("mmind: no vault is configured: ")


def test_sources_names_a_vault_that_is_not_there_and_what_to_do(mmind: Run, tmp_path: Path) -> None:
    done = mmind("sources", "--vault", str(tmp_path / "nowhere"))
    assert done.returncode == 0
    head, reason = done.stdout.splitlines()[:2]
    assert head.startswith("markdown · not usable · ")
    assert "nowhere" in reason


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["retrieve", "  "], "mmind: query: "),
        (["retrieve", "a", "--limit", "0"], "mmind: limit: "),
        (["retrieve", "a", "--store", "sqllite"], "mmind: stores: "),
        (["retrieve", "a", "--since", "yesterdayish"], "mmind: since: "),
        (["store", "-"], "mmind: content: "),
        (["retrieve"], "mmind: the following arguments are required: QUERY; see `mmind retrieve --help`"),
        (["sorces"], "mmind: 'sorces' is neither a verb nor a folder; did you mean `mmind sources`?"),
        (["list"], "mmind: 'list' is neither a verb nor a folder; did you mean `mmind sources`?"),
        (["ls"], "mmind: 'ls' is neither a verb nor a folder; did you mean `mmind sources`?"),
        (["check"], "mmind: 'check' is neither a verb nor a folder; did you mean `mmind doctor`?"),
        (["help"], "mmind: 'help' is neither a verb nor a folder; did you mean `mmind --help`?"),
        (["archive-2024"], "mmind: 'archive-2024' is neither a verb nor a folder; see `mmind --help` for the verbs ("),
        (["confg", "list"], "mmind: 'confg' is not a verb; did you mean `mmind config`?"),
        (["config", "set", "access.markdown", "rw"], "mmind: access.markdown is 'rw', but mmind reads the vault and"),
        (["config", "get", "ranking.recency"], "mmind: there is no setting 'ranking.recency'; did you mean"),
    ],
)  # fmt: skip
def test_a_wrong_use_is_one_line_and_2(mmind: Run, argv: list[str], line: str) -> None:
    code, said = refused(mmind(*argv))
    assert code == 2
    assert said.startswith(line)


@pytest.mark.parametrize("handle", ["sqlite:none", "nostore:x", "plain", "markdown:../../etc/passwd"])
def test_a_handle_that_names_nothing_is_3(mmind: Run, vault: Path, handle: str) -> None:
    assert refused(mmind("get", handle, "--vault", str(vault)))[0] == 3


def test_a_note_is_read_by_its_path_in_the_vault_too(mmind: Run, vault: Path) -> None:
    variables = {"MMIND_VAULT_PATH": str(vault)}
    assert mmind("get", "home/flat.md", **variables).stdout == RENT
    assert mmind("get", "plants.md", "--line", "3", **variables).stdout == PLANTS.partition("\n\n")[2]
    assert refused(mmind("get", "sqlite:home/flat.md", **variables)) == (
        3,
        "mmind: no memory has the id 'sqlite:home/flat.md'; did you mean markdown:home/flat.md?",
    )
    assert refused(mmind("get", "plants.md"))[0] == 3
    assert refused(mmind("get", "Flat", **variables))[1].endswith("; the path of a note works as well")


def test_a_wrong_setting_is_one_line_for_every_verb_but_never_its_secret(mmind: Run) -> None:
    for argv in (["sources"], ["retrieve", "a"], ["config", "list"]):
        assert refused(mmind(*argv, MMIND_RANK_RECENCY_FLOOR="7")) == (
            2,
            "mmind: MMIND_RANK_RECENCY_FLOOR is '7'; set it to a number from 0 to 1",
        )
    done = mmind("sources", "--debug", MMIND_POSTGRES_URL="canary")
    assert "Traceback" in done.stderr
    assert "canary" not in done.stdout + done.stderr


def test_an_argument_that_loses_to_the_environment_is_mentioned(mmind: Run, vault: Path, tmp_path: Path) -> None:
    done = mmind("retrieve", "rent", "--vault", str(tmp_path), MMIND_VAULT_PATH=str(vault))
    assert done.stderr.startswith("mmind: MMIND_VAULT_PATH beats the vault argument")
    assert "flat.md" in done.stdout


def test_config_sets_shows_and_unsets_what_the_next_run_obeys(mmind: Run) -> None:
    assert mmind("config", "set", "access.sqlite", "read").returncode == 0
    assert refused(mmind("store", "a fact"))[0] == 4
    assert answered(mmind("config", "get", "MMIND_ACCESS_SQLITE", "--json")) == {
        "access.sqlite": {"variable": "MMIND_ACCESS_SQLITE", "value": "read", "from": "file"}
    }
    assert mmind("config", "unset", "access.sqlite").stderr == "mmind: access.sqlite is back to its default\n"
    assert mmind("config", "get", "access.sqlite").stdout == "read/write\n"


def test_config_shows_where_a_relative_path_leads_and_whether_a_vault_is_there(
    mmind: Run, vault: Path, tmp_path: Path
) -> None:
    there = mmind("config", "set", "paths.vault", "my notes").stderr
    assert there == f"mmind: paths.vault is saved in {tmp_path / 'data' / 'config.toml'} as {vault}\n"
    missing = mmind("config", "set", "paths.vault", "nope")
    assert missing.returncode == 0
    assert missing.stderr.splitlines()[1:] == [f"mmind: {tmp_path / 'nope'} does not exist yet"]
    file = mmind("config", "set", "paths.vault", str(vault / "plants.md")).stderr
    assert file.endswith(f"mmind: {vault / 'plants.md'} is not a folder\n")


def test_config_says_when_the_environment_beats_what_was_saved(mmind: Run) -> None:
    done = mmind("config", "set", "log.level", "info", MMIND_LOG_LEVEL="error")
    assert done.stderr.endswith("mmind: MMIND_LOG_LEVEL is set in the environment and beats the saved value\n")


def test_config_works_while_the_saved_file_is_wrong(mmind: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "config.toml").write_text("[log]\nlevle = 1\n", encoding="utf-8")
    assert refused(mmind("sources"))[0] == 2
    assert mmind("config", "path").stdout == f"{tmp_path / 'data' / 'config.toml'}\n"
    assert mmind("config", "unset", "log.levle").returncode == 0
    assert mmind("sources").returncode == 0


def test_no_secret_is_shown_by_any_verb(mmind: Run) -> None:
    secrets = {
        "OPENAI_API_KEY": "sk-canary0123456789",
        "MMIND_POSTGRES_URL": "postgres://me:canary@localhost/x",
        "MMIND_QDRANT_URL": "https://canary@localhost",
        "OPENAI_BASE_URL": "http://me:canary@127.0.0.1:9",
    }
    for argv in (["config", "list"], ["config", "list", "--json"], ["sources"], ["config", "get", "OPENAI_API_KEY"]):
        done = mmind(*argv, **secrets)
        assert done.returncode == 0
        assert "canary" not in done.stdout + done.stderr


def test_answers_are_utf8_in_every_locale(mmind: Run, vault: Path) -> None:
    done = mmind("retrieve", "rent", MMIND_VAULT_PATH=str(vault), LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "900 €" in done.stdout


def test_a_reader_that_left_is_no_fault(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "mmind", "config", "list"],
        stdout=write,
        stderr=subprocess.PIPE,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_started_by_hand_without_a_vault_it_says_what_it_is_instead_of_waiting(tmp_path: Path) -> None:
    import pty

    master, slave = pty.openpty()
    environ = {"HOME": str(tmp_path)}
    argv = [sys.executable, "-m", "mmind"]
    done = subprocess.run(argv, stdin=slave, capture_output=True, env=environ, timeout=60, check=False)
    os.close(slave)
    os.close(master)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"mmind is one memory for AI agents")
    assert max(map(len, done.stderr.splitlines())) < 80


def on_a_terminal(environ: dict[str, str], *argv: str) -> tuple[int, list[str]]:
    """The exit code, and the lines that a person sees on a terminal of 80 columns."""
    import pty

    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mmind", *argv], stdin=slave, stdout=slave, stderr=slave, env=environ
    ) as run:
        os.close(slave)
        seen = b""
        try:
            while chunk := read_some(master):
                seen += chunk
        except BaseException:
            run.kill()  # it is not waited for any longer than the test was
            raise
    os.close(master)
    return run.returncode, seen.decode("utf-8").replace("\r\n", "\n").split("\n")


def read_some(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:  # how Linux tells that the other end is closed
        return b""


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_what_a_terminal_shows_is_broken_between_words_and_ends_with_a_line_end(tmp_path: Path, vault: Path) -> None:
    environ = {"HOME": str(tmp_path), "MMIND_EMBED_MODEL": "none", "MMIND_VAULT_PATH": str(vault)}
    code, lines = on_a_terminal(environ, "archive-2024")
    assert code == 2
    assert max(map(len, lines)) <= 80
    assert " ".join(line.strip() for line in lines).strip() == (
        "mmind: 'archive-2024' is neither a verb nor a folder; see `mmind --help` for the verbs "
        "(a folder that is still to come is served with `mmind serve archive-2024`)"
    )
    handle = on_a_terminal(environ, "store", "no line end here")[1][0].split()[1]
    assert on_a_terminal(environ, "get", handle) == (0, ["no line end here", ""])
    code, lines = on_a_terminal(environ, "audit", "tail")
    assert code == 0
    assert max(map(len, lines)) <= 80
    assert f"    ids=['{handle}'] transport=cli" in lines


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_a_long_answer_fits_a_screen(tmp_path: Path, vault: Path) -> None:
    (vault / "long.md").write_text(
        "# Tides\n\n" + "\n".join(f"tide {number} of the bay" for number in range(30)) + "\n"
    )
    environ = {"HOME": str(tmp_path), "MMIND_EMBED_MODEL": "none", "MMIND_VAULT_PATH": str(vault)}
    code, lines = on_a_terminal(environ, "retrieve", "tide of the bay")
    assert code == 0
    assert any("more lines: mmind get markdown:long.md" in line for line in lines)
    assert sum(line.count("of the bay") for line in lines) <= 7


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
}


@pytest.mark.parametrize("argv", [["./nope"], ["serve", "nope"], ["--vault", "nope"]], ids=" ".join)
def test_a_vault_that_is_not_there_is_served_and_told_of(mmind: Run, argv: list[str]) -> None:
    done = mmind(*argv, stdin=json.dumps(HELLO).encode() + b"\n")
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "mmind"
    assert done.stderr.splitlines()[0].startswith(f"mmind: the vault {argv[-1]} does not exist; ")
    assert done.returncode == 0


def test_a_placeholder_that_no_client_filled_in_is_no_missing_vault(mmind: Run) -> None:
    done = mmind("${workspaceFolder}", stdin=json.dumps(HELLO).encode() + b"\n")
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "mmind"
    assert "does not exist" not in done.stderr


@pytest.mark.parametrize("argv", [["./store"], ["serve", "store"], ["--", "store"], ["my notes/"], []], ids=" ".join)
def test_every_way_of_naming_a_vault_starts_the_server(mmind: Run, vault: Path, argv: list[str]) -> None:
    (vault.parent / "store").mkdir()
    done = mmind(*argv, stdin=json.dumps(HELLO).encode() + b"\n")
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "mmind"
    assert done.returncode == 0
