"""Nothing outside the roots is read or written (R1, R2), and the audit log lies in no reach of an agent (M4.2)."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmind.config.settings import load
from mmind.router.mind import Mind
from mmind.values.door import Door
from mmind.values.errors import ConfigError, MmindError
from mmind.wiring import open_mind
from tests import warm_start
from tests.server.wired import Wired, environment, vault

CANARY = "zEbRaCaNaRy"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
STORES = ("markdown", "sqlite", "leveldb", "files", "vector")
PIECES = [
    "..",
    ".",
    "",
    "/",
    "\\",
    "%2e%2e",
    "%2f",
    "..%2f",
    "..\\",
    "~",
    "C:",
    "C:\\",
    "\\\\host\\share",
    "\\\\?\\C:\\",
    "\0",
    "outside",
    "secret.md",
    "vault",
    "vault-evil",
    "a.md",
    "a.md.",
    "a.md ",
    "A\u0301.md",
    "\u00c1.md",
    "etc",
    "passwd",
    "x" * 4096,
    "CON",
    "a.md::$DATA",
    "file:",
    "//",
    "….",
    "\uff0e\uff0e",
    "\u2024\u2024",
    "\u2215",
    "data",
    "audit",
]


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault beside a folder of the same beginning and a folder of secrets, all with the canary but the vault."""
    home = tmp_path_factory.mktemp("grounds")
    notes = vault(home, {"a.md": "an honest note\n", "\u00c1.md": "an accented note\n"})
    for folder in ("outside", "vault-evil"):
        (home / folder).mkdir()
        (home / folder / "secret.md").write_text(CANARY)
    (home / "secret.md").write_text(CANARY)
    if sys.platform != "win32":
        (notes / "leak.md").symlink_to(home / "secret.md")
        (notes / "lane").symlink_to(home / "outside")
        (notes / "log").symlink_to(home / "data" / "audit")
    with open_mind(notes, environment(home), Door.USER) as mind:
        mind.store("an honest document", store="files")
        mind.store("an honest memory")
    if sys.platform != "win32":
        (home / "data" / "files" / "leak.md").symlink_to(home / "secret.md")
        (home / "data" / "files" / "lane").symlink_to(home / "outside")
        (home / "data" / "files" / "log").symlink_to(home / "data" / "audit")
    return home


@pytest.fixture(scope="module")
def mind(grounds: Path) -> Mind:
    return open_mind(grounds / "vault", environment(grounds), Door.AGENT)


def said(call: object) -> str:
    try:
        return str(call())  # type: ignore[operator]
    except MmindError as error:
        return str(error)


names = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=7).flatmap(
    lambda parts: st.sampled_from(["/", "", "\\"]).map(lambda glue: glue.join(parts))
)


@given(store=st.sampled_from(STORES), name=names)
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r01_no_id_leads_out_of_a_store(grounds: Path, mind: Mind, store: str, name: str) -> None:
    before = (grounds / "outside" / "secret.md").stat().st_mtime_ns
    answers = [said(lambda: mind.get(f"{store}:{name}")), said(lambda: mind.forget(f"{store}:{name}"))]
    assert not [answer for answer in answers if CANARY in answer]
    assert (grounds / "outside" / "secret.md").stat().st_mtime_ns == before


@given(name=names)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r01_no_title_tag_or_session_makes_a_file_outside(grounds: Path, mind: Mind, name: str) -> None:
    label = name[:190]
    said(lambda: mind.store("a document " + label, store="files", title=label, tags=[label[:60]], session=label))
    made = {path.name for path in grounds.iterdir()}
    assert made <= {"vault", "vault-evil", "outside", "secret.md", "data"}
    assert sorted(path.name for path in (grounds / "outside").iterdir()) == ["secret.md"]


@pytest.mark.parametrize(
    "handle",
    [
        "markdown:../secret.md",
        "markdown:/etc/passwd",
        "markdown:..%2fsecret.md",
        "markdown:..\\secret.md",
        "files:../secret.md",
        "markdown:../vault-evil/secret.md",
        "files:../../secret.md",
        "markdown:leak.md",
        "markdown:lane/secret.md",
        "markdown:log/audit.jsonl",
        "files:leak.md",
        "files:lane/secret.md",
        "files:log/audit.jsonl",
        "files:../audit/audit.jsonl",
        "markdown:a.md\0",
        "markdown:a.md/",
        "markdown:./a.md",
        "markdown:vault/../../secret.md",
        "audit:1",
        "memory://markdown/a",
    ],
)
def test_r01_ids_that_lead_elsewhere_are_not_found(mind: Mind, handle: str) -> None:
    answer = said(lambda: mind.get(handle))
    assert CANARY not in answer
    assert "event" not in answer
    assert any(word in answer for word in ("no memory has the id", "not", "outside")), answer


def test_r02_links_that_lead_out_are_not_indexed_and_are_named_in_sources(mind: Mind) -> None:
    mind.index(lambda _: None)
    assert not [one for one in mind.retrieve(CANARY).results if CANARY in one.text]
    skipped = {store.name: [thing.name for thing in store.skipped] for store in mind.sources().stores}
    assert sys.platform == "win32" or {"leak.md", "lane", "log"} <= set(skipped["markdown"])


@POSIX
def test_r02_even_a_vault_that_follows_links_does_not_show_the_audit_log(grounds: Path, tmp_path: Path) -> None:
    """With an index of its own: the scans of a mind that follows no links go on beside this test."""
    audit = str(grounds / "data" / "audit")
    variables = environment(tmp_path, MMIND_VAULT_FOLLOW_LINKS="on", MMIND_AUDIT_PATH=audit)
    with open_mind(grounds / "vault", variables, Door.AGENT) as mind:
        mind.index(lambda _: None)
        assert mind.retrieve("zebracanary secret").results
        for query in ("event outcome query hmac", "sqlite write begun", "prev hash seq"):
            assert not [one for one in mind.retrieve(query).results if '"event"' in one.text or "audit" in one.id]
        assert "no memory" in said(lambda: mind.get("markdown:log/audit.jsonl"))


@pytest.mark.parametrize(
    "moved",
    [
        {"MMIND_AUDIT_PATH": "{vault}/log"},
        {"MMIND_AUDIT_PATH": "{vault}"},
        {"MMIND_AUDIT_PATH": "{data}/files/log"},
        {"MMIND_AUDIT_PATH": "{data}/files"},
        {"MMIND_FILES_PATH": "{data}/audit"},
        {"MMIND_FILES_PATH": "{data}/audit/files"},
        {"MMIND_FILES_PATH": "{data}"},
        {"MMIND_VAULT_PATH": "{data}"},
        {"MMIND_VAULT_PATH": "{data}/audit"},
        {"MMIND_VAULT_PATH": "{data}/audit/deep"},
        {"MMIND_SQLITE_PATH": "{data}/audit/memory.db"},
        {"MMIND_LEVELDB_PATH": "{data}/audit"},
        {"MMIND_VECTOR_PATH": "{data}/audit/vectors"},
    ],
)
def test_no_store_may_hold_the_audit_log_or_lie_in_it(tmp_path: Path, moved: dict[str, str]) -> None:
    notes = vault(tmp_path, {"a.md": "a\n"})
    places = {"vault": str(notes), "data": str(tmp_path / "data")}
    variables = environment(tmp_path, MMIND_VAULT_PATH=str(notes))
    with pytest.raises(ConfigError):
        load({**variables, **{name: path.format(**places) for name, path in moved.items()}}, None)


@POSIX
@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("vault", "data/audit"),
        ("vault", "."),
        ("vault", "link"),
        ("jsonl", "data/audit/audit.jsonl"),
        ("jsonl", "link/audit.jsonl"),
        ("instructions", "data/audit"),
        ("instructions", "link"),
    ],
)
def test_no_wrapped_source_shows_the_audit_log(tmp_path: Path, kind: str, place: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "data" / "audit")
    with open_mind(None, environment(tmp_path), Door.AGENT) as mind:
        mind.store("one")
    names_it = re.compile("audit log|MMIND_AUDIT_PATH")
    path = str(tmp_path / place)
    done = warm_start.run(["wrap", kind, path, "--name", "log"], environment(tmp_path))
    assert (done.returncode, bool(names_it.search(done.stderr))) == (2, True), done.stderr
    (tmp_path / "data" / "config.toml").write_text(f"[sources.log]\nkind = '{kind}'\npath = '{path}'\n")
    reasons, texts = asked(tmp_path)
    assert names_it.search(reasons)
    assert not [text for text in texts if '"event"' in text]


def asked(home: Path) -> tuple[str, list[str]]:
    """Why the source `log` is silent, and what is found; nothing where the settings are refused as a whole."""
    try:
        with open_mind(None, environment(home), Door.AGENT) as mind:
            answer = mind.retrieve("event outcome write begun")
    except ConfigError as error:
        return str(error), []
    return next(fault.reason for fault in answer.faults if fault.store == "log"), [one.text for one in answer.results]


@POSIX
def test_a_vault_that_is_a_link_to_the_audit_log_is_refused(tmp_path: Path) -> None:
    with open_mind(None, environment(tmp_path), Door.AGENT) as mind:
        mind.store("one")
    (tmp_path / "vault").symlink_to(tmp_path / "data" / "audit")
    with pytest.raises(ConfigError, match="AUDIT"):
        load(environment(tmp_path), str(tmp_path / "vault"))


def test_no_tool_reads_writes_or_stops_the_audit_log(tmp_path: Path) -> None:
    log = tmp_path / "data" / "audit" / "audit.jsonl"
    with Wired.mmind(None, environment(tmp_path)) as server:
        server.greet()
        server.call("store", content="first")
        before = log.read_text()
        for handle in (
            "audit:1",
            "files:../audit/audit.jsonl",
            "sqlite:../audit",
            f"files:{log}",
            "markdown:audit.jsonl",
        ):
            assert server.call("get", id=handle).get("isError") is True
            assert server.call("forget", id=handle).get("isError") is True
        assert server.call("store", content="x", store="audit").get("isError") is True
        assert server.call("retrieve", query="event", stores=["audit"]).get("isError") is True
        names = {store["name"] for store in server.call("sources")["structuredContent"]["stores"]}
        tools = [tool["name"] for tool in server.ask("t", "tools/list")["result"]["tools"]]
        server.close()
    assert log.read_text().startswith(before)
    assert "audit" not in names
    assert sorted(tools) == ["forget", "get", "retrieve", "sources", "store"]


def test_when_the_log_cannot_be_written_writes_fail_reads_go_on_and_sources_say_so(tmp_path: Path) -> None:
    notes = vault(tmp_path, {"rent.md": "The rent is 900 euros.\n"})
    audit = tmp_path / "data" / "audit"
    audit.parent.mkdir(parents=True)
    audit.write_text("a file where the folder should be")
    with Wired.mmind(notes, environment(tmp_path)) as server:
        server.greet()
        refused = server.call("store", content="not kept")
        found = server.found("rent")
        read = server.call("get", id="markdown:rent.md")
        status = server.call("sources")
        audit.unlink()
        taken = server.call("store", content="kept")
        again = server.call("sources")["structuredContent"]
        server.close()
    assert refused["isError"] is True
    assert "audit log" in refused["content"][0]["text"]
    assert found[0]["id"] == "markdown:rent.md"
    assert read.get("isError", False) is False
    assert "audit log" in status["structuredContent"]["audit"]["fault"]
    assert "AUDIT LOG" in status["content"][0]["text"]
    assert taken.get("isError", False) is False
    assert "audit" not in again
    assert json.dumps(again).count("not kept") == 0
