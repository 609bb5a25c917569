"""Files that tell agents how to work, wrapped: CLAUDE.md, AGENTS.md and their kin, and folders of agents' own notes."""

from __future__ import annotations

from pathlib import Path

from mmind.stores.containment import ids_beneath
from mmind.stores.globs import matcher
from mmind.stores.markdown import MarkdownEngine
from mmind.stores.note import is_markdown
from mmind.stores.registry import EngineOptions
from mmind.stores.scan import ScanRules

# What people write for agents. The text is theirs, whoever typed it: they keep it under version control and rely on it.
WRITTEN_FOR_AGENTS = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "AGENT.md",
    "GEMINI.md",
    "QWEN.md",
    "CONVENTIONS.md",
    "copilot-instructions.md",
    "*.instructions.md",
)
# What agents write for themselves: an auto-memory folder with its index file, by the names that clients give them.
MEMORY_FOLDERS = frozenset({"memory", "memories", "memory-bank", "agent-memory", "agent-memory-local"})
WRITTEN_BY_AGENTS = ("MEMORY.md", *(f"**/{name}/**" for name in sorted(MEMORY_FOLDERS)))


def open_engine(store: str, location: Path, options: EngineOptions) -> MarkdownEngine:
    """The instruction files in the folder, at any depth, and nothing else of it; nothing is read yet.

    A folder that is itself an agent's memory counts whole. Names are compared as they are written.
    """
    generated = ("**",) if _is_memory(location) else (*options.generated, *WRITTEN_BY_AGENTS)
    wanted = matcher((*generated, *WRITTEN_FOR_AGENTS))
    ignored = matcher(options.ignore)
    rules = ScanRules(
        takes=is_markdown,
        ignored=lambda id_: ignored(id_) or (is_markdown(id_) and not wanted(id_)),
        excluded=ids_beneath(str(location), map(str, options.exclude)),
        follow_links=options.follow_links,
    )
    return MarkdownEngine(store, location, rules, generated)


def _is_memory(location: Path) -> bool:
    return location.name in MEMORY_FOLDERS or (location / "MEMORY.md").is_file()
