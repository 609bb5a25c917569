"""`mmind wrap` and `mmind unwrap`: places that exist, searched where they lie."""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from mmind.cli.exits import NOT_FOUND, OK, UNAVAILABLE
from mmind.cli.plain import one_line
from mmind.cli.terminal import Terminal
from mmind.config.file import SOURCES, config_path, forget, save_source
from mmind.config.places import absolute, user_home, working_folder
from mmind.config.settings import Settings, check_whole, data_home, load
from mmind.config.sources import COLUMNS, KINDS, source_of
from mmind.config.table import STORES
from mmind.values.errors import BadRequest
from mmind.values.ports import Health
from mmind.values.wrapped import Wrapped

_VECTOR = ("vector", "vector_model")  # saved once it is known that they are of use


def wrap(arguments: Namespace, terminal: Terminal) -> int:
    """Look whether the place can be read as it was described, and keep it; 5 when it cannot, and nothing is kept.

    A name that is taken gets the new place. A table with one full-text column or index is searched by it.
    """
    from mmind.wiring import wrapped_health

    _check_vector(arguments)
    home = data_home(terminal.environ)
    settings = load(terminal.environ, arguments.vault_option)
    facts = _facts(arguments, terminal)
    source = source_of(_name(arguments, settings.sources), facts, "wrap", home, terminal.environ)
    others = (other for other in settings.sources if other.name != source.name)
    check_whole(replace(settings, sources=(*others, source)))
    health = wrapped_health(source, settings)
    if not health.usable:
        terminal.complain(f"nothing was wrapped: {health.reason}" + (f"; {health.hint}" if health.hint else ""))
        return UNAVAILABLE
    if not arguments.search and not arguments.derived:
        source, health = _searched_by_itself(source, health, settings)
    if arguments.vector:
        source, health = _found_by_meaning(source, arguments, settings)
    if source.columns is not None:
        facts |= {key: name for key in ("search", *_VECTOR) if (name := getattr(source.columns, key))}
    save_source(config_path(home), source.name, facts)
    if arguments.json:
        terminal.give({"name": source.name, "kind": source.kind, "where": health.where, "notes": list(health.notes)})
        return OK
    terminal.stdout.write(f"wrapped {source.name}: {one_line(health.where)}\n")
    for note in (health.reason, *health.notes):
        if note:
            terminal.say(note)
    terminal.say("servers that run now find it after a restart")
    return OK


def _searched_by_itself(source: Wrapped, health: Health, settings: Settings) -> tuple[Wrapped, Health]:
    """The source with the table's only full-text column or index, where it has one that answers."""
    from mmind.wiring import wrapped_health, wrapped_words

    choices = wrapped_words(source, settings)
    if source.columns is None or not choices:
        return source, health
    if len(choices) > 1:
        several = f"to let the table search itself, name one with --search: {', '.join(choices)}"
        return source, replace(health, notes=(*health.notes, several))
    asked = replace(source, columns=replace(source.columns, search=choices[0]))
    answered = wrapped_health(asked, settings)
    if answered.usable:
        return asked, answered
    return source, replace(health, notes=(*health.notes, f"{choices[0]} cannot be used: {answered.reason}"))


def _check_vector(arguments: Namespace) -> None:
    """Refuse vectors that cannot be used, before anything is opened."""
    if arguments.vector_model and not arguments.vector:
        raise BadRequest("--vector-model tells what made the vectors of --vector", "name their column with --vector")
    if arguments.vector and "vector" not in KINDS[arguments.kind].possible:
        raise BadRequest(f"a {arguments.kind} source has no column of vectors", "leave out --vector")
    if arguments.vector and arguments.derived:
        raise BadRequest("--derived makes vectors here, and --vector takes those of the table", "leave out one of them")


def _found_by_meaning(source: Wrapped, arguments: Namespace, settings: Settings) -> tuple[Wrapped, Health]:
    """The source with its own column of vectors. Raises ConfigError or EngineError when those are of no use."""
    from mmind.wiring import wrapped_health, wrapped_model

    if source.columns is None or not source.columns.search:
        raise BadRequest(
            "--vector needs a full-text column of the table's own beside it, and none was found",
            "add one of type tsvector, name one with --search, or leave out --vector: the rows are embedded here then",
        )
    columns = replace(source.columns, vector=arguments.vector, vector_model=arguments.vector_model)
    asked = replace(source, columns=columns)
    asked = replace(asked, columns=replace(columns, vector_model=wrapped_model(asked, settings)))
    return asked, wrapped_health(asked, settings)


def unwrap(arguments: Namespace, terminal: Terminal) -> int:
    """Forget a wrapped place; what lies there stays as it is. 4 when there is none of that name."""
    if arguments.name in STORES:
        raise BadRequest(
            f"{arguments.name} is a store of mmind, and not wrapped", "see `mmind config` for its settings"
        )
    if not forget(config_path(data_home(terminal.environ)), f"{SOURCES}.{arguments.name}"):
        terminal.complain(f"no wrapped source is called {one_line(arguments.name)[:60]!r}; see `mmind sources`")
        return NOT_FOUND
    terminal.say(f"{arguments.name} is searched no longer; nothing in it was changed")
    return OK


def _facts(arguments: Namespace, terminal: Terminal) -> dict[str, object]:
    """The source as the saved file holds it; only what was given."""
    facts: dict[str, object] = {"kind": arguments.kind}
    if arguments.path:
        facts["path"] = str(absolute(arguments.path, user_home(terminal.environ), working_folder()))
    named = (*(key for key in COLUMNS if key not in _VECTOR), "url_env")
    facts |= {key: given for key in named if (given := getattr(arguments, key))}
    if arguments.generated:
        facts["generated"] = True
    missing = [key for key in KINDS[arguments.kind].needed if key not in facts]
    if missing:
        options = ", ".join("PATH" if key == "path" else f"--{key}" for key in missing)
        raise BadRequest(f"a {arguments.kind} source needs {options}", "see `mmind wrap --help`")
    return facts


def _name(arguments: Namespace, taken: tuple[Wrapped, ...]) -> str:
    """The given name, or one made of the table's or the folder's that nobody has yet."""
    if arguments.name:
        return str(arguments.name)
    called = arguments.table.rpartition(".")[2] or Path(arguments.path).stem or arguments.kind
    plain = re.sub(r"[^a-z0-9]+", "-", called.casefold()).strip("-")[:28] or arguments.kind
    first = plain if plain[0].isalpha() else f"{arguments.kind}-{plain}"[:28]
    names = {*STORES, *(source.name for source in taken)}
    return next(
        name for number in range(1, 1 << 20) if (name := first if number == 1 else f"{first}-{number}") not in names
    )
