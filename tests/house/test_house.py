"""The rules of the house that no other tool checks: each is a failing test, or it is not a rule."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mmind.values import errors

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "mmind"
FILES = sorted(SOURCE.rglob("*.py"))
BANNED = re.compile(r"(^|_)(utils?|helpers?|common|base|managers?)(_|$)", re.IGNORECASE)
CLASS_BANNED = re.compile(r"(Utils?|Helpers?|Common|Base|Managers?)$")
ERROR_TREE = {name for name in vars(errors) if name[0].isupper()}
ALLOWED_PARENTS = {"Protocol", "Enum", "StrEnum", "IntEnum", "NamedTuple", "TypedDict"}


def definitions(kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[tuple[Path, ast.AST]]:
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, kind):
                yield file, node


def place(file: Path, node: ast.AST) -> str:
    return f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def test_no_file_or_folder_is_named_for_nothing_in_particular() -> None:
    assert not [
        str(file) for file in FILES for part in file.relative_to(SOURCE).parts if BANNED.search(Path(part).stem)
    ]


def test_no_function_or_class_is_named_for_nothing_in_particular() -> None:
    functions = [
        place(file, node)
        for file, node in definitions((ast.FunctionDef, ast.AsyncFunctionDef))
        if BANNED.search(node.name)  # type: ignore[attr-defined]
    ]
    classes = [place(f, n) for f, n in definitions(ast.ClassDef) if CLASS_BANNED.search(n.name)]  # type: ignore[attr-defined]
    assert not functions + classes


def test_nine_bodies_in_ten_are_under_25_lines() -> None:
    lengths = [
        (node.end_lineno or 0) - node.body[0].lineno + 1  # type: ignore[attr-defined]
        for _, node in definitions((ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    assert sum(length < 25 for length in lengths) >= 0.9 * len(lengths)


def test_nothing_takes_more_than_five_parameters_but_what_has_its_reason() -> None:
    many = {
        f"{file.relative_to(SOURCE).as_posix()}:{node.name}"  # type: ignore[attr-defined]
        for file, node in definitions((ast.FunctionDef, ast.AsyncFunctionDef))
        if len(_parameters(node)) > 5
    }
    assert many == MANY


# What takes more than five.
MANY = {
    "router/mind.py:retrieve",  # the door: each is a word of the tool and of the command line, given by its name
    "router/mind.py:store",  # as above
    "router/write.py:put",  # what is written, where, by which rules, through which door, when, and who takes it down
    "text/fields.py:passage_tokens",  # the fields that a passage is found by, one each
    "text/numbers.py:_measured",  # both ends of a range, the words, and where in them they stand
}


def _parameters(node: ast.AST) -> list[ast.arg]:
    given: ast.arguments = node.args  # type: ignore[attr-defined]
    return [one for one in (*given.posonlyargs, *given.args, *given.kwonlyargs) if one.arg not in ("self", "cls")]


def test_inheritance_is_for_errors_ports_and_enumerations() -> None:
    strangers = [
        f"{place(file, node)} {ast.unparse(parent)}"
        for file, node in definitions(ast.ClassDef)
        for parent in node.bases  # type: ignore[attr-defined]
        if not _is_port(node)
        and _last_name(parent) not in ALLOWED_PARENTS | BORROWED
        and not _is_error_name(_last_name(parent))
    ]
    assert not strangers


def test_every_parent_that_is_allowed_is_somebodys_parent() -> None:
    parents = {_last_name(parent) for _, node in definitions(ast.ClassDef) for parent in node.bases}  # type: ignore[attr-defined]
    assert BORROWED - parents == set()


# Libraries whose interface is a class to derive from; each with the reason why it cannot be done otherwise.
BORROWED = {
    "Generic",  # a type parameter, not a parent
    "Mapping",  # the fingerprints of a mark load themselves only when they are looked at
    "App",  # Textual: a program, a page above it, a widget and its keys are classes to derive from
    "ModalScreen",
    "OptionList",
    "Vertical",
    "Panel",  # the dashboard's own `Vertical`: what the frame needs to know of each place
}


def _is_port(node: ast.AST) -> bool:
    """A port may be several ports at once."""
    return any(_last_name(parent) == "Protocol" for parent in node.bases)  # type: ignore[attr-defined]


def _is_error_name(name: str) -> bool:
    builtin = getattr(builtins, name, None)
    return name in ERROR_TREE or (isinstance(builtin, type) and issubclass(builtin, BaseException))


def _last_name(parent: ast.expr) -> str:
    return re.split(r"[\[]", ast.unparse(parent))[0].rsplit(".", 1)[-1]


@pytest.mark.parametrize("module", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_every_module_says_what_it_is_for(module: Path) -> None:
    text = module.read_text("utf-8")
    assert not text.strip() or ast.get_docstring(ast.parse(text))


def test_every_public_definition_has_a_docstring() -> None:
    bare = [
        f"{place(file, node)} {node.name}"  # type: ignore[attr-defined]
        for file, node in _public_definitions()
        if not ast.get_docstring(node)  # type: ignore[arg-type]
    ]
    assert not bare


def _public_definitions() -> Iterator[tuple[Path, ast.AST]]:
    for file in FILES:
        tree = ast.parse(file.read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                yield file, node


def test_the_clock_is_read_in_the_wiring_and_nowhere_below() -> None:
    readers = [
        str(file.relative_to(SOURCE))
        for file in FILES
        if re.search(r"datetime\.now\(|time\.time\(\)", file.read_text("utf-8"))
    ]
    assert readers == ["wiring.py"]


def test_every_rule_of_ruff_that_is_ignored_has_its_reason_beside_it_or_in_a_comment_above() -> None:
    bare = []
    for file in FILES:
        lines = file.read_text("utf-8").splitlines()
        for before, line in zip(["", *lines], lines, strict=False):
            ignored = re.search(r"# (?:ruff: )?noqa(?P<rules>: [A-Z0-9, ]+?)?(?P<reason> - \S.*)?$", line)
            is_told = ignored and (ignored["reason"] or before.lstrip().startswith("# "))
            if ignored and not (ignored["rules"] and is_told):
                bare.append(f"{file.relative_to(ROOT)}: {line.strip()}")
    assert bare == []


def test_docs_name_no_path_of_a_machine() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert pages
    found = [
        f"{page.name}: {hit}"
        for page in pages
        for hit in re.findall(r"(?:/work/|/root/|/home/\w+)\S*", page.read_text("utf-8"))
    ]
    assert not found
