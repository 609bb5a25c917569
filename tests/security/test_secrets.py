"""Secrets never land on disk or in output (R14), and what looks like one is not kept as a memory (R15)."""

from __future__ import annotations

import itertools
import json
import random
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

from mmind.text.secrets import find_secrets, masked, redacted
from tests.server.over_http import served
from tests.server.wired import Wired, environment, vault

CANARY = "cAnArY7f3kQ9zLwX2"
ALPHABET = string.ascii_letters + string.digits
URLS = {
    "MMIND_POSTGRES_URL": f"postgresql://someone:{CANARY}@127.0.0.1:1/memories",
    "MMIND_MYSQL_URL": f"mysql://someone:{CANARY}@127.0.0.1:1/memories",
    "MMIND_REDIS_URL": f"redis://:{CANARY}@127.0.0.1:1/0",
    "MMIND_QDRANT_URL": f"http://someone:{CANARY}@127.0.0.1:1",
    "OPENAI_API_KEY": f"sk-{CANARY}",
    "OPENAI_BASE_URL": f"http://someone:{CANARY}@127.0.0.1:1/v1",
}
BACKENDS = [
    {},
    {"MMIND_BACKEND_STRUCTURED": "postgres", "MMIND_BACKEND_VECTOR": "pgvector", "MMIND_BACKEND_SESSION": "redis"},
    {"MMIND_BACKEND_STRUCTURED": "mysql", "MMIND_BACKEND_VECTOR": "qdrant", "MMIND_BACKEND_SESSION": "redis"},
]
WORDS = [
    ["retrieve", "rent"],
    ["retrieve", "rent", "--explain", "--json", "--debug"],
    ["store", "the lamp is green", "--debug"],
    ["sources"],
    ["sources", "--json"],
    ["doctor"],
    ["doctor", "--json"],
    ["config", "list"],
    ["config", "get", "MMIND_POSTGRES_URL"],
    ["config", "set", "MMIND_REDIS_URL", f"redis://:{CANARY}@h/0"],
    ["export"],
    ["install", "--print"],
    ["token", "list"],
    ["audit", "tail", "--json"],
    ["index", "--debug"],
]


def drawn(length: int, letters: str = ALPHABET, seed: int = 1) -> str:
    """Letters drawn by lot, always the same ones."""
    generator = random.Random(seed * 1000 + length)
    return "".join(generator.choice(letters) for _ in range(length))


def lines_of(home: Path) -> list[str]:
    """Every file beneath the home that holds the canary."""
    files = [file for file in home.rglob("*") if file.is_file()]
    return [str(file.relative_to(home)) for file in files if CANARY.encode() in file.read_bytes()]


# One process for all commands: each start of the interpreter would show the same environment once more.
ONE_AFTER_ANOTHER = """
import json, sys
from mmind.__main__ import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["mmind", *words]
    main()
    sys.stderr.flush()
    print("\\n=== said by", words[0], flush=True)
"""


def said_by_commands(notes: Path, variables: dict[str, str]) -> list[tuple[list[str], str]]:
    """What each command says on both streams; the last one's share holds what is said at the end of the process."""
    lines = json.dumps([[*words, "--vault", str(notes)] for words in WORDS])
    command = [sys.executable, "-c", ONE_AFTER_ANOTHER, lines]
    done = subprocess.run(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    *shares, end = re.split(r"\n=== said by \w+\n", done.stdout)
    assert len(shares) == len(WORDS), done.stdout
    assert all(shares), "a command said nothing"
    return [*zip(WORDS, shares, strict=True), (["end"], end)]


@pytest.mark.parametrize("backends", BACKENDS, ids=["local", "postgres", "mysql"])
def test_r14_no_secret_of_the_environment_is_said_or_written_by_any_face(
    tmp_path: Path, backends: dict[str, str]
) -> None:
    notes = vault(tmp_path, {"rent.md": "# Rent\nThe rent is 900 euros.\n"})
    variables = environment(tmp_path, **URLS, **backends, MMIND_EMBED_MODEL="auto", MMIND_LOG_LEVEL="debug")
    said = said_by_commands(notes, variables)
    with Wired.mmind(notes, variables) as server:
        server.greet()
        replies = [server.call("sources"), server.call("retrieve", query="rent", explain=True)]
        replies += [server.call("store", content="kept", store=store) for store in ("sqlite", "leveldb", "vector")]
        server.close()
        said += [(["serve"], json.dumps(replies) + server.log())]
    assert not [words for words, text in said if CANARY in text]
    assert not lines_of(tmp_path)


def test_r14_a_token_of_http_is_in_no_answer_log_or_file(tmp_path: Path) -> None:
    with served(tmp_path, MMIND_LOG_LEVEL="debug") as server:
        replies = [
            server.call("sources", {}).body,
            server.call("store", {"content": f"my token is {server.full}"}).body,
            server.call("retrieve", {"query": server.full}).body,
            server.post(b"{", server.read).body,
            server.post(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}').body,
        ]
        secrets = (server.full.encode(), server.read.encode())
    text = b"".join(replies) + "".join(server.said).encode()
    assert server.read.encode() not in text
    audit = b"".join(file.read_bytes() for file in (tmp_path / "data" / "audit").iterdir())
    assert not [secret for secret in secrets if secret in audit]


def test_r14_settings_do_not_show_their_secrets(tmp_path: Path) -> None:
    from mmind.config.settings import load

    settings = load(environment(tmp_path, **URLS, MMIND_HTTP_TOKEN=CANARY * 4), None)
    assert CANARY not in repr(settings)
    assert CANARY not in str(settings)


def test_r14_a_wrong_url_is_refused_without_being_repeated(tmp_path: Path) -> None:
    variables = environment(tmp_path, MMIND_POSTGRES_URL=f"ftp://x:{CANARY}@h/")
    done = subprocess.run(
        [sys.executable, "-m", "mmind", "sources", "--debug"],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert CANARY not in done.stdout + done.stderr


FAKES = {
    "OpenAI": "sk-" + drawn(48),
    "OpenAI project": "sk-proj-" + drawn(74),
    "Anthropic": "sk-ant-api03-" + drawn(93),
    "AWS id": "AKIA" + drawn(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "AWS secret": "AWS_SECRET_ACCESS_KEY=" + drawn(40),
    "GitHub": "ghp_" + drawn(36),
    "GitHub fine-grained": "github_pat_" + drawn(82),
    "GitLab": "glpat-" + drawn(20),
    "Slack": f"xoxb-{drawn(12, string.digits)}-{drawn(24)}",
    "Slack webhook": f"https://hooks.slack.com/services/T{drawn(8)}/B{drawn(8)}/{drawn(24)}",
    "Google": "AIza" + drawn(35),
    "Stripe": "sk_live_" + drawn(24),
    "npm": "npm_" + drawn(36),
    "PyPI": "pypi-AgEIcHlwaS5vcmc" + drawn(120),
    "Hugging Face": "hf_" + drawn(34),
    "SendGrid": f"SG.{drawn(22)}.{drawn(43)}",
    "Twilio": "SK" + drawn(32, "0123456789abcdef"),
    "DigitalOcean": "dop_v1_" + drawn(64, "0123456789abcdef"),
    "Telegram": drawn(9, "123456789") + ":AA" + drawn(33),
    "JSON web token": f"eyJhbGciOiJIUzI1NiJ9.eyJ{drawn(40)}.{drawn(43)}",
    "database URL": f"postgresql://app:{drawn(14)}@db.internal:5432/app",
    "Redis URL": f"redis://:{drawn(14)}@cache:6379/0",
    "assignment": f'api_key = "{drawn(32)}"',
    "bearer": "Authorization: Bearer " + drawn(40),
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{drawn(64)}\n{drawn(64)}\n-----END RSA PRIVATE KEY-----",
    "OpenSSH key": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{drawn(70)}\n{drawn(70)}\n-----END OPENSSH PRIVATE KEY-----",
    "our own": "mmind_rw_" + drawn(43),
}
HARMLESS = [
    "The password of the router is on the note inside the cellar door.",
    "Rotate the API key every ninety days; the token expires after an hour.",
    "password: ask Anna, she keeps it in the vault",
    "commit 3f2a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a fixed it",
    "the id is 550e8400-e29b-41d4-a716-446655440000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "write sk-your-key-here or ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx in its place",
    "AWS documents AKIAIOSFODNN7EXAMPLE as an example",
    'client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])',
    "https://user:password@example.com is how such an address is built",
    "token: refresh-token-rotation-policy-draft",
    "see https://docs.example.org/a/b?ref=abc123#token=section-2",
    "eyJ is how a JSON web token begins",
    "![image](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)",
    "sk-learn-pipelines-and-sk-image-tools are not what they seem",
]


@pytest.mark.parametrize("kind", FAKES)
def test_r15_a_made_up_key_is_found_wherever_it_stands(kind: str) -> None:
    secret = FAKES[kind]
    for text in (secret, f"our key is {secret}, keep it", f"```\n{secret}\n```", f"ключ: {secret}。"):
        assert find_secrets(text), text
        core = secret.splitlines()[1] if "\n" in secret else secret.split()[-1].split("=")[-1].strip('"')
        assert core not in redacted(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_r15_what_only_speaks_of_secrets_is_kept(text: str) -> None:
    assert find_secrets(text) == []
    assert redacted(text) == text


def test_r15_not_one_note_of_the_example_vault_is_taken_for_a_secret() -> None:
    notes = [
        *(Path(__file__).parents[2] / "examples").rglob("*.md"),
        *(Path(__file__).parents[2] / "docs").rglob("*.md"),
    ]
    flagged = [note for note in notes if find_secrets(note.read_text("utf-8"))]
    assert len(notes) > 10
    assert len(flagged) <= len(notes) // 100, flagged


def test_r15_store_refuses_a_key_says_why_and_writes_nothing(tmp_path: Path) -> None:
    secret = FAKES["GitHub"]
    with Wired.mmind(None, environment(tmp_path)) as server:
        server.greet()
        for arguments in (
            {"content": f"the deploy key is {secret}"},
            {"content": "harmless", "title": secret},
            {"content": "harmless", "tags": [secret]},
        ):
            result = server.call("store", **arguments)
            text = result["content"][0]["text"]
            assert result["isError"] is True
            assert "GitHub token" in text
            assert "MMIND_ALLOW_SECRETS" in text
            assert secret not in text
        assert server.call("sources")["structuredContent"]["stores"][1].get("entries", 0) == 0
        server.close()
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()]
    log = (tmp_path / "data" / "audit" / "audit.jsonl").read_text()
    assert log.count('"event":"deny"') == 3


@pytest.mark.parametrize(
    ("words", "variables", "code"),
    [([], {}, 4), (["--allow-secret"], {}, 0), ([], {"MMIND_ALLOW_SECRETS": "on"}, 0)],
)
def test_r15_the_user_may_allow_it(tmp_path: Path, words: list[str], variables: dict[str, str], code: int) -> None:
    command = [sys.executable, "-m", "mmind", "store", f"door code key {FAKES['Stripe']}", *words]
    done = subprocess.run(command, env=environment(tmp_path, **variables), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert FAKES["Stripe"] not in done.stderr


def test_r15_an_agent_cannot_allow_it_by_an_argument(tmp_path: Path) -> None:
    with Wired.mmind(None, environment(tmp_path)) as server:
        server.greet()
        result = server.call("store", content=FAKES["Slack"], allow_secret=True)
        assert "unknown argument" in result["content"][0]["text"]
        server.close()


def test_r15_secrets_are_masked_in_the_log_even_when_the_user_keeps_texts_there(tmp_path: Path) -> None:
    secret = FAKES["npm"]
    variables = environment(tmp_path, MMIND_AUDIT_CONTENT="full", MMIND_ALLOW_SECRETS="on")
    with Wired.mmind(None, variables) as server:
        server.greet()
        assert server.call("store", content=f"publish with {secret}")["content"]
        server.call("retrieve", query=f"who has {secret}")
        server.close()
    log = (tmp_path / "data" / "audit" / "audit.jsonl").read_text()
    assert secret not in log
    assert "publish with [npm token]" in log


def test_r15_masking_knows_a_secret_of_the_process_whatever_it_looks_like() -> None:
    assert masked("login failed for hunter2hunter2", ["hunter2hunter2"]) == "login failed for [secret]"


def test_r15_overlapping_and_many_secrets_are_all_masked_in_order() -> None:
    text = " and ".join(itertools.islice(FAKES.values(), 8))
    assert [secret.start for secret in find_secrets(text)] == sorted(secret.start for secret in find_secrets(text))
    assert not find_secrets(redacted(text))
