"""A Postgres without pgvector: the system's own from PATH, or the wheel's with pgvector left out."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.servers.postgres import Cluster, PostgresPlaces, programs_with_vectors


def start(folder: Path) -> PostgresPlaces:
    """Start one. Raises Absent."""
    return PostgresPlaces(Cluster(folder, _programs(folder)), has_vectors=False)


def _programs(folder: Path) -> Path:
    found = shutil.which("initdb")
    programs = Path(found).resolve().parent if found else None
    if programs is not None and (programs / "pg_ctl").exists():
        return programs
    install = programs_with_vectors().parent
    shutil.copytree(install, folder / "install", ignore=shutil.ignore_patterns("vector*"), symlinks=True)
    return folder / "install" / "bin"
