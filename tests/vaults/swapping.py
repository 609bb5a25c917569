"""A note that turns into a link which leads out, and back, thousands of times while it is asked for (R2)."""

from __future__ import annotations

import threading
from pathlib import Path

from mmind.router.mind import Mind
from mmind.values.errors import MmindError


def swap_while_asked(mind: Mind, vault: Path, canary: Path, swaps: int) -> list[str]:
    """What was shown of the canary outside while a note and a folder were swapped for links to it so many times."""
    (vault / "folder").mkdir()
    (vault / "folder" / "canary.md").write_text("plain xq17 inside\n")
    done = threading.Event()
    swapper = threading.Thread(target=_swap, args=(vault, canary, swaps, done))
    swapper.start()
    shown, asked = list[str](), 0
    while not done.is_set() or not asked:
        asked += 1
        said = [repr(mind.retrieve("canary xq17 sings").results)]
        for id_ in ("markdown:swapped.md", "markdown:folder/canary.md"):
            try:
                said.append(mind.get(id_).text)
            except MmindError as error:
                said.append(str(error))
        shown += [one for one in said if "sings" in one]
    swapper.join()
    return shown


def _swap(vault: Path, canary: Path, swaps: int, done: threading.Event) -> None:
    note, link, folder = vault / "swapped.md", vault.parent / "link", vault / "folder"
    kept, staged, linked = vault.parent / "kept", vault.parent / "staged", vault.parent / "folder-link"
    linked.symlink_to(canary.parent)
    for number in range(swaps):
        if number % 2:
            staged.write_text("plain xq17 inside\n")
            staged.replace(note)
        else:
            link.symlink_to(canary)
            link.replace(note)
        if number % 10 == 0:
            folder.rename(kept)
            linked.rename(folder)
            folder.rename(linked)
            kept.rename(folder)
    done.set()
