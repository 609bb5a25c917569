"""What installs a missing driver or a newer mmind, wherever mmind itself came from."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution, requires

from mmind.disk.installed import PACKAGE, installation


def install_hint(extra: str) -> str:
    """The command that installs what an extra needs, by the names of the drivers; of all that mmind needs for "".

    They come from the installed package's own list, so a clone is told what an index would give. Where that list does
    not know the extra (an older install in place), the extra is named.
    """
    here = installation()
    command = here.adding(_needed(extra) or [f"{PACKAGE}[{extra}]"]) if extra else here.updating()
    return f"{'install it' if here.is_lasting else 'start mmind'} with: {command}"


def update_hint() -> str:
    """What brings a newer mmind: a clone is pulled, and what came from an index is upgraded there.

    Where a package came from is told by its `direct_url.json` (PEP 610); one from an index has none.
    """
    try:
        record = distribution(PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "update mmind with `git pull` in its folder"
    if not record:
        return f"update mmind with: {installation().updating()}"
    if json.loads(record).get("dir_info", {}).get("editable"):
        return "update mmind with `git pull` in the folder that it was installed from"
    return "update mmind: install it again from where it came, in its newer version"


def _needed(extra: str) -> list[str]:
    try:
        listed = requires(PACKAGE) or []
    except PackageNotFoundError:
        return []
    wanted = (f"extra == '{extra}'", f'extra == "{extra}"')
    return [line.partition(";")[0].strip() for line in listed if line.partition(";")[2].strip().endswith(wanted)]
