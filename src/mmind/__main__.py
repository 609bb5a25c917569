"""`python -m mmind` and the console script. Nothing heavy is imported before the words are read."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line of this process and give its exit code."""
    from mmind.cli.run import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
