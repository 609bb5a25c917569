"""What tests of every folder may ask for."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.servers import Servers

# Why a test may be skipped in CI: what no package that `.ci/run` installs can bring. Parts of the reasons.
LACKS_OF_CI = (
    "needs a user who is not root",
    "needs a user whom the system can refuse",
    "POSIX",  # told of Windows
    " is about ",  # a case of another platform
    "no cases: set",
    "the vault ",
    "no network namespace",  # containers without the right to make one
    "two hosts are made of",
    "no drive can be mounted here",
    "a small drive can be mounted by root",
    *(() if shutil.which("npm") else ("make interop",)),  # as in .ci/run
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a test that is skipped for want of a program fails: CI is where it must run."""
    report = yield
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if is_skip and os.environ.get("CI") and sys.platform == "linux":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(lack in reason for lack in LACKS_OF_CI):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI, where it must run: {reason}"
    return report


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Private servers, started on demand, in a folder that the users they run as may enter (not so pytest's own)."""
    with tempfile.TemporaryDirectory(prefix="mmind-servers-", dir=_quick_disk()) as name:
        Path(name).chmod(0o755)
        running = Servers(Path(name))
        yield running
        running.stop()


def _quick_disk() -> str | None:
    """Memory in place of a disk, where there is enough: a database of its own for each test is many files."""
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30
    return str(memory) if has_room else None
