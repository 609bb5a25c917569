"""What installs a missing driver, wherever mmind itself came from."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires

PACKAGE = "multimodemind"


def install_hint(extra: str) -> str:
    """The command that installs what an extra needs, by the names of the drivers; of all that mmind needs for "".

    They come from the installed package's own list, so a clone is told what an index would give. Where that list does
    not know the extra (an older install in place), the extra is named.
    """
    names = " ".join(f'"{name}"' for name in _needed(extra)) if extra else ""
    named = f"{PACKAGE}[{extra}]" if extra else PACKAGE
    return f"install it with: pip install --upgrade {names}" if names else f'install it with: pip install "{named}"'


def _needed(extra: str) -> list[str]:
    try:
        listed = requires(PACKAGE) or []
    except PackageNotFoundError:
        return []
    wanted = (f"extra == '{extra}'", f'extra == "{extra}"')
    return [line.partition(";")[0].strip() for line in listed if line.partition(";")[2].strip().endswith(wanted)]
