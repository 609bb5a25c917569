"""The settings of one process, frozen: environment over saved file over defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mmind.values.memory import Access
from mmind.values.ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. Secrets are kept out of `repr`. `origins` tells where each knob's value came from:
    knob name to "environment", "file", "argument" or "default"."""

    home: Path
    vault_path: Path | None
    sqlite_path: Path
    leveldb_path: Path
    files_path: Path
    vector_path: Path
    audit_path: Path
    backend_structured: str
    backend_vector: str
    backend_session: str
    access: Mapping[str, Access]
    half_life_days: Mapping[str, float]
    ranking: Ranking
    vault_generated: tuple[str, ...]
    vault_ignore: tuple[str, ...]
    vault_follow_links: bool
    embed_model: str
    log_level: str
    openai_base_url: str
    openai_api_key: str = field(repr=False)
    postgres_url: str = field(repr=False)
    mysql_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    qdrant_url: str = field(repr=False)
    origins: Mapping[str, str] = field(repr=False)
