"""No SQL out of texts (R5), and no text that search cannot take (R6)."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import mmind
from mmind.router.mind import Mind
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.server.wired import environment, vault

SOURCE = Path(mmind.__file__).parent
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|VACUUM|ATTACH)\b.+", re.DOTALL)
LOCAL = ("sqlite", "leveldb", "files", "vector")
STARTS = [
    "'",
    '"',
    "`",
    "]",
    "')",
    '")',
    "';",
    '";',
    "\\'",
    "\0'",
    "%27",
    "＇",
    "--",
    "/*",
    "*/",
    "1",
    "%",
    "_",
    "$$",
    "E'",
]
ENDS = [
    " OR 1=1 --",
    "; DROP TABLE memories; --",
    " UNION SELECT * FROM memories --",
    " OR ''='",
    "||(SELECT text FROM memories)||",
    "; PRAGMA writable_schema=1; --",
    "; ATTACH '/tmp/x' AS x; --",
    " AND load_extension('x') --",
    "; VACUUM INTO '/tmp/y'; --",
    " LIKE '%' ESCAPE '\\",
    "); DELETE FROM changes; --",
    " NEAR/2 x",
    "* OR *",
    "^col : x",
    "{a b} : c",
    "; SELECT pg_sleep(9); --",
    " COLLATE NOCASE",
    " LIMIT -1",
    "; UPDATE memories SET trust='curated'; --",
    " ORDER BY (CASE WHEN 1=1 THEN 1 END)",
    "' AND 1=(SELECT COUNT(*) FROM sqlite_master)--",
    "\x1a",
    " HAVING 1=1",
    "\r\n; COMMIT; --",
    "$1",
    "?1",
    ":name",
    "@x",
]
INJECTIONS = [f"{start}{end}" for start, end in itertools.product(STARTS, ENDS)]
# As in a Latin square: start i with end j goes to store i + j.
PORTIONS = {
    store: [
        f"{start}{end}"
        for (i, start), (j, end) in itertools.product(enumerate(STARTS), enumerate(ENDS))
        if (i + j) % len(LOCAL) == place
    ]
    for place, store in enumerate(LOCAL)
}


def statements() -> Iterator[tuple[str, ast.JoinedStr | ast.BinOp | ast.Call]]:
    """Every piece of SQL in the source that is put together at run time, and where."""
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            text = _text_of(node)
            if text and SQL.match(text.strip()):
                yield f"{file.relative_to(SOURCE)}:{node.lineno}", node  # type: ignore[misc,attr-defined]


def _text_of(node: ast.AST) -> str:
    """The fixed part of a text with holes: f-string, `%` or `+` on a text, `.format`."""
    match node:
        case ast.JoinedStr(values=values) if any(isinstance(value, ast.FormattedValue) for value in values):
            return "".join(str(value.value) for value in values if isinstance(value, ast.Constant))
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod() | ast.Add()):
            return text
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return text
        case _:
            return ""


def test_r05_each_statement_with_a_hole_is_marked_with_the_reason_why_it_holds_no_text_of_others() -> None:
    unmarked = []
    for place, node in statements():
        name, _, _ = place.partition(":")
        lines = (SOURCE / name).read_text("utf-8").splitlines()[node.lineno - 1 : (node.end_lineno or node.lineno) + 1]
        if not re.search(r"# noqa: S608 - \w+|# .*\b(our|own|fixed|quoted|name)", " ".join(lines)):
            hole = {type(one.value).__name__ for one in ast.walk(node) if isinstance(one, ast.FormattedValue)}
            if hole - {"Name", "Attribute"}:
                unmarked.append((place, ast.unparse(node)[:90]))
    assert unmarked == []


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mind]:
    home = tmp_path_factory.mktemp("sql")
    notes = vault(home, {"a.md": "# Alpha\nfoo-bar c++ O'Brien 日本語の記憶 100 % sure\n"})
    with open_mind(notes, environment(home), Door.AGENT) as opened:
        opened.store("the first memory")
        opened.index(lambda _: None)
        yield opened


@pytest.mark.parametrize("store", LOCAL)
def test_r05_more_than_five_hundred_injections_come_back_as_they_went_in(mind: Mind, store: str) -> None:
    """Each goes through one store and the index; each start and each end goes through every store."""
    assert len(INJECTIONS) > 500
    for injection in PORTIONS[store]:
        kept = mind.store(f"x{injection}", store=store, title=injection[:100], tags=[injection[:40]], session="").memory
        page = mind.get(kept.handle)
        assert page.text == f"x{injection}".replace("\0", " ").replace(
            "\r\n", page.text[len(page.text) :] or "\r\n"
        ) or (page.text.split() == f"x{injection}".replace("\0", " ").split())
        assert page.memory.trust == "generated"


def test_r05_the_portions_hold_every_injection_and_every_half_for_each_store() -> None:
    assert sorted(itertools.chain(*PORTIONS.values())) == sorted(INJECTIONS)
    for portion in PORTIONS.values():
        assert {start for start in STARTS if any(one.startswith(start) for one in portion)} == set(STARTS)
        assert {end for end in ENDS if any(one.endswith(end) for one in portion)} == set(ENDS)


@pytest.mark.parametrize("argument", ["query", "session", "tags", "id"])
def test_r05_an_injection_in_any_argument_is_a_text_without_effect(mind: Mind, argument: str) -> None:
    for injection in INJECTIONS[::5]:
        match argument:
            case "query":
                mind.retrieve(f"x {injection}")
            case "session":
                mind.retrieve("memory", session=injection)
            case "tags":
                mind.retrieve("memory", tags=[injection[:60]])
            case _:
                with pytest.raises(Exception, match="no memory"):
                    mind.get(f"sqlite:{injection}")
    assert (
        "first memory"
        in mind.get("sqlite:" + mind.retrieve("the first memory", stores=["sqlite"]).results[0].id[7:]).text
    )


@given(st.text(min_size=1, max_size=400).filter(lambda text: text.strip()))
@example("foo-bar")
@example("c++")
@example("O'Brien")
@example("alpha AND")
@example('"')
@example("(" * 5000)
@example("NEAR(")
@example("a" * 32_000)
@example("日本語")
@example("🧠 🧠🧠")
@example("שלום עולם")
@example("\ud800x")
@example("x\0y")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_r06_any_text_is_a_legal_query(mind: Mind, query: str) -> None:
    answer = mind.retrieve(query)
    assert not answer.faults


def test_r06_a_query_is_found_by_the_very_words_of_a_note_whatever_marks_they_hold(mind: Mind) -> None:
    for query in ("foo-bar", "c++", "O'Brien", "記憶", "100 %"):
        assert "markdown:a.md" in [one.id for one in mind.retrieve(query).results], query
