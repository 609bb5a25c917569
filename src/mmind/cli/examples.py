"""What `mmind VERB --help` shows at its end: command lines to start from."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "serve": ("mmind ~/notes", "mmind serve ~/notes --verbose", "mmind serve ~/notes --http --port 8765"),
    "retrieve": (
        "mmind retrieve when is the rent due --vault ~/notes",
        'mmind retrieve "deployment plan" --since 2026-01-01 --tag work --explain',
        "mmind retrieve - --json < question.txt",
    ),
    "explain": (
        "mmind explain when is the rent due --vault ~/notes",
        "mmind explain when is the rent due --plot rent.svg",
    ),
    "store": (
        'mmind store "The router is in the cellar" --title Router --tag home',
        "git log -1 | mmind store - --store files",
    ),
    "get": ("mmind get Recipes/Bread.md", "mmind get sqlite:fb7q2xk5d3m4e --line 40"),
    "forget": (
        "mmind forget sqlite:fb7q2xk5d3m4e",
        'mmind forget --origin "some client" --since 2026-05-01 --dry-run',
    ),
    "sources": ("mmind sources", "mmind sources --json"),
    "index": ("mmind index --vault ~/notes", "mmind index --rebuild"),
    "wrap": (
        "mmind wrap vault ~/notes-at-work --name work",
        "mmind wrap instructions ~/code",
        "mmind wrap sqlite ~/app/tickets.db --table tickets --id id --text body --title subject --time updated_at",
        "mmind wrap postgres --table public.notes --id id --text body --time updated_at --name team",
    ),
    "unwrap": ("mmind unwrap work",),
    "dashboard": ("mmind dashboard", "mmind dashboard ~/notes"),
    "page": ("mmind page ~/notes", "mmind page --port 8811 --no-open"),
    "config": (
        "mmind config",
        "mmind config set paths.vault ~/notes",
        "mmind config get ranking.recency_floor",
        "mmind config unset access.sqlite",
    ),
    "token": ("mmind token new", "mmind token new --read", "mmind token drop"),
    "audit": ("mmind audit", "mmind audit tail --since 2026-05-01 --event deny", "mmind audit head --json"),
    "install": (
        "mmind install",
        "mmind install claude-code ~/notes",
        "mmind install vscode ~/notes --scope project --dry-run",
        "mmind install --print",
    ),
    "uninstall": ("mmind uninstall cursor", "mmind uninstall claude-code --scope project --yes"),
    "doctor": ("mmind doctor", "mmind doctor --json"),
    "export": ("mmind export > memories.jsonl", "mmind export --store sqlite --vault ~/notes --output memories.jsonl"),
    "import": ("mmind import memories.jsonl", "mmind import memories.jsonl --store files"),
    "completion": (
        "mmind completion bash >> ~/.bashrc",
        "mmind completion fish > ~/.config/fish/completions/mmind.fish",
    ),
}


def epilog(verb: str) -> str:
    """The end of a verb's help."""
    lines = "\n".join(f"  {line}" for line in EXAMPLES.get(verb, ()))
    return f"examples:\n{lines}" if lines else ""
