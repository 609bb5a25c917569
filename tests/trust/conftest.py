"""The command as a process in a home of the test's own, as the tests of the command line have it."""

from tests.cli.conftest import mmind

__all__ = ["mmind"]
