"""The grammar: what is a verb, what is a vault, and what every mistake says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mmind.cli.arguments import parse
from mmind.cli.verb_arguments import VERBS
from mmind.values.errors import BadRequest


@pytest.mark.parametrize(
    ("line", "vault"),
    [
        ("notes", "notes"),
        ("./store", "./store"),
        ("serve store", "store"),
        ("/home/a/retrieve", "/home/a/retrieve"),
        ("-- retrieve", "retrieve"),
        ("-- -notes", "-notes"),
        ("--quiet notes", "notes"),
        ("--debug serve sources", "sources"),
        ("", None),
        ("serve", None),
    ],
)
def test_a_first_word_that_is_no_verb_is_the_vault_to_serve(line: str, vault: str | None) -> None:
    arguments = parse(line.split())
    assert (arguments.verb, arguments.vault) == ("serve", vault)


def test_it_is_known_whether_the_verb_was_written_out() -> None:
    assert [parse(line.split()).is_verb_given for line in ("notes", "serve notes", "sources", "")] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    "line", ["--vault v -v retrieve a b", "retrieve a b --vault=v -v", "-v --vault=v retrieve a b"]
)
def test_options_may_stand_before_or_after_the_verb(line: str) -> None:
    arguments = parse(line.split())
    assert (arguments.verb, arguments.query, arguments.vault_option, arguments.verbose) == (
        "retrieve",
        ["a", "b"],
        "v",
        True,
    )


def test_options_of_an_inner_action_do_not_undo_those_before_it() -> None:
    arguments = parse(["config", "--json", "--vault", "v", "get", "log.level"])
    assert (arguments.action, arguments.json, arguments.vault_option, arguments.quiet) == ("get", True, "v", False)
    assert parse(["config", "get", "log.level", "--json", "-q"]).quiet is True


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("retrieve", "the following arguments are required: QUERY; see `mmind retrieve --help`"),
        ("retrieve a --limit x", "argument --limit: invalid int value: 'x'; see `mmind retrieve --help`"),
        ("retrieve a --colour", "`mmind retrieve` has no option --colour; see `mmind retrieve --help`"),
        (
            "config set a b c",
            (
                "`mmind config set` takes KEY VALUE, and c is too many;"
                " run it once for each, or quote what belongs together"
            ),
        ),
        ("get a b", "`mmind get` takes ID, and b is too many; run it once for each, or quote what belongs together"),
        (
            "index my notes",
            "`mmind index` takes no word, and was given 'my notes'; a folder of notes is named with --vault 'my notes'",
        ),
        (
            "export x",
            (
                "`mmind export` takes no word, and was given x; a folder of notes is named with --vault x"
                " and a store is named with --store x"
            ),
        ),
        ("audit verify x", "`mmind audit verify` takes no word, and was given x; leave x out"),
        (
            "index -- notes",
            "`mmind index` takes no word, and was given notes; a folder of notes is named with --vault notes",
        ),
        ("index --rebild", "`mmind index` has no option --rebild; did you mean --rebuild?"),
        ("notes --colour", "`mmind serve` has no option --colour; see `mmind serve --help`"),
        ("confg list", "'confg' is not a verb; did you mean `mmind config`?"),
        ("retrive foo --limit 3", "'retrive' is not a verb; did you mean `mmind retrieve`?"),
        ("search foo", "'search' is not a verb; did you mean `mmind retrieve`?"),
        ("serach foo", "'serach' is not a verb; did you mean `mmind retrieve`?"),
        ("--hlep", "`mmind serve` has no option --hlep; did you mean --help?"),
        ("config set log.level", "the following arguments are required: VALUE; see `mmind config set --help`"),
        ("get", "the following arguments are required: ID; see `mmind get --help`"),
        ("notes more", "unrecognized arguments: more; see `mmind --help` for the verbs, or quote a folder's name"),
    ],
)
def test_a_wrong_line_is_answered_with_one_sentence(line: str, message: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        parse(line.split())
    assert str(refusal.value) == message


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("retrieve", "explain", "store")])
def test_a_word_too_many_is_answered_by_every_verb_with_what_to_do_instead(verb: str) -> None:
    words = {"wrap": ["vault"], "completion": ["bash"], "config": ["list"], "audit": ["path"], "token": ["new"]}
    with pytest.raises(BadRequest) as refusal:
        parse([verb, *words.get(verb, []), "one", "two", "three"])
    assert f"`mmind {verb}" in refusal.value.message
    assert "three" in refusal.value.message
    assert refusal.value.hint.startswith(("a folder of notes is named", "run it once for each", "leave "))


HEAVY = ["numpy", "onnxruntime", "tokenizers", "mcp", "apsw", "plyvel", "openai", "textual", "rich", "sqlite3", "yaml"]


@pytest.mark.parametrize("line", [["--help"], ["--version"], *([verb, "--help"] for verb in VERBS)], ids=" ".join)
def test_help_and_version_import_nothing_heavy(line: list[str]) -> None:
    code = (
        "import sys; from mmind.__main__ import main; sys.argv[1:] = sys.argv[2:]; status = main()\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        f"print('LOADED', sorted(loaded & set({HEAVY!r})), 'STATUS', status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--", *line], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.splitlines()[-1] == "LOADED [] STATUS 0", done.stderr


@pytest.mark.parametrize(("verb", "action"), [("config", "list"), ("audit", "verify")])
def test_a_verb_with_actions_has_one_for_those_who_name_none(verb: str, action: str) -> None:
    assert parse([verb]).action == action
