"""The folders that a case plays in, made of its `setup`: files of every form, and memories put in by the engines."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from mmind.embedding.choose import open_embedder
from mmind.router.write import content_id
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.ports import Embedder, Engine
from tests.cases.rules import RULES

Json = dict[str, Any]

ENGINE_PLACES = {
    "sqlite": ("sqlite", "memory.db"),
    "leveldb": ("leveldb", "leveldb"),
    "files": ("files", "files"),
    "vector": ("local", "vector-index"),
}
_OFFSET = re.compile(r"([+-]\d+(?:\.\d+)?)([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


@dataclass(slots=True)
class Grounds:
    """One case's folders below `root`. `refs` are the case's names of memories by handle."""

    root: Path
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    refs: dict[str, str] = field(default_factory=dict)
    seeded: dict[str, Memory] = field(default_factory=dict)
    has_vault: bool = False

    def path(self, name: str) -> Path:
        """The path of a name in the case (`vault/a.md`), in its own spelling."""
        return self.root / name

    def filled(self, text: str) -> str:
        """Text with {VAULT}, {DATA}, {HOME} and {OUTSIDE} as paths."""
        for name in ("vault", "data", "home", "outside", "cwd"):
            text = text.replace(f"{{{name.upper()}}}", str(self.root / name))
        return text

    def environment(self, *more: Mapping[str, str]) -> dict[str, str]:
        """A clean environment: of this machine only what a process needs to start."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP") if name in os.environ}
        own = {"HOME": str(self.root / "home"), "USERPROFILE": str(self.root / "home")}
        given = {name: self.filled(value) for variables in more for name, value in variables.items()}
        return {**kept, **own, "MMIND_HOME": str(self.root / "data"), **given}


def moment(text: str, now: datetime) -> datetime:
    """A time of the file: ISO, or an offset from now such as -3d, -1h, +30d."""
    offset = _OFFSET.fullmatch(text)
    if offset:
        return now + timedelta(**{_UNITS[offset[2]]: float(offset[1])})
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def build(setup: Json, root: Path) -> Grounds:
    """Make every folder, file and memory of a set-up."""
    grounds = Grounds(root)
    for name in ("data", "home", "outside", "cwd"):
        (root / name).mkdir(parents=True)
    files = {**setup.get("files", {}), **dict(_generated(setup.get("generate", ())))}
    grounds.has_vault = any(name.startswith("vault/") for name in files)
    if grounds.has_vault:
        (root / "vault").mkdir()
    for name, content in files.items():
        put_file(grounds, name, content)
    for name, content in files.items():
        if isinstance(content, dict) and "mode" in content:
            grounds.path(name).chmod(_mode(content["mode"]))
    seed(grounds, setup.get("memories", ()))
    return grounds


def put_file(grounds: Grounds, name: str, content: Any) -> None:
    """One file (or link, pipe, folder) of a set-up; modes are left to the end."""
    path = grounds.path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case str():
            path.write_bytes(content.encode("utf-8", "surrogatepass"))
        case {"rule": str()}:
            RULES[name](path)
        case {"symlink": str(target)}:
            path.symlink_to(target)
        case {"fifo": _}:
            os.mkfifo(path)
        case {"dir": _}:
            path.mkdir(exist_ok=True)
        case dict():
            path.write_bytes(_bytes(content))
            if "mtime" in content:
                when = moment(content["mtime"], grounds.now).timestamp()
                os.utime(path, (when, when))


def seed(grounds: Grounds, memories: list[Json]) -> None:
    """Keep memories with times and trust of their own, through the engines that the product reads them with."""
    embedder = local_model() if any(one["store"] == "vector" for one in memories) else None
    engines: dict[str, Engine] = {}
    for one in memories:
        store = one["store"]
        if store not in engines:
            engines[store] = open_store(grounds.root / "data", store, EngineOptions(embedder=embedder))
        kept = engines[store].put(as_memory(one, grounds.now))
        grounds.refs[kept.handle] = one["ref"]
        grounds.seeded[one["ref"]] = kept
    for engine in engines.values():
        engine.close()


@cache
def local_model() -> Embedder:
    """The model that comes with the product, loaded once for all cases of this process."""
    found = open_embedder("local", "", "")
    assert found is not None
    return found


def open_store(data: Path, store: str, options: EngineOptions | None = None) -> Engine:
    """The engine of a store in a data home."""
    engine, place = ENGINE_PLACES[store]
    return open_engine_row(engine, data / place, options or EngineOptions(), store=store)


def as_memory(one: Json, now: datetime) -> Memory:
    """A memory of a set-up as the router would have written it at its time."""
    time = moment(one["time"], now) if "time" in one else now
    trust = Trust(one.get("trust", "generated"))
    return Memory(
        store=one["store"],
        id=content_id(one["content"], ""),
        text=one["content"],
        title=one.get("title", ""),
        tags=tuple(one.get("tags", ())),
        created=time,
        time=time,
        time_kind="stored",
        trust=trust,
        writer="user" if trust is Trust.CURATED else "agent",
        format=TextFormat.MARKDOWN,
    )


def matching(grounds: Grounds, pattern: str) -> list[Path]:
    """The files that a glob of the case names."""
    return sorted(path for path in grounds.root.glob(pattern) if path.is_file())


def _generated(rules: list[Json]) -> Iterator[tuple[str, str]]:
    for rule in rules:
        template = rule["template"]
        if "paragraphs" in rule:
            body = "".join(template.replace("{i}", str(number)) for number in range(rule["paragraphs"]))
            yield rule["path"], rule.get("head", "") + body + rule.get("tail", "")
            continue
        numbers = [("{n}", value) for value in rule.get("n", ())] or [("{i}", i) for i in range(rule.get("count", 1))]
        for letter, value in numbers:
            text = rule.get("head", "") + template * rule.get("repeat", 1) + rule.get("tail", "")
            yield rule["path"].replace(letter, str(value)), text.replace(letter, str(value))


def _bytes(content: Json) -> bytes:
    if "base64" in content:
        return base64.b64decode(content["base64"])
    text: str = content.get("head", "") + content.get("text", "") * content.get("repeat", 1) + content.get("tail", "")
    return text.encode("utf-8", "surrogatepass")


def _mode(mode: str | int) -> int:
    return mode if isinstance(mode, int) else int(mode, 8)
