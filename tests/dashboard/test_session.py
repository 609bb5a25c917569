"""What the screens work with, without a screen."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mmind.config.settings import Settings, load
from mmind.config.table import KNOB_BY_NAME
from mmind.dashboard.session import Session
from mmind.values.memory import Access
from tests.dashboard.sample import Sample

if TYPE_CHECKING:
    import pytest

PATIENCE = 60.0


def test_a_slow_look_at_the_saved_file_does_not_bring_back_what_was_before_a_save(
    bare: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, has_read, has_begun = bare.session(), threading.Event(), threading.Event()

    def read_slowly(environ: Mapping[str, str], vault: str | None) -> Settings:
        settings = load(environ, vault)
        if threading.current_thread() is looking:
            has_read.set()
            assert has_begun.wait(PATIENCE)
            saving.join(1.0)  # a save that waits for this look goes on after it
        return settings

    monkeypatch.setattr("mmind.dashboard.session.load", read_slowly)
    looking = threading.Thread(target=session.look)
    saving = threading.Thread(target=_save, args=(session,))
    looking.start()
    assert has_read.wait(PATIENCE)
    saving.start()
    has_begun.set()
    for thread in (looking, saving):
        thread.join(PATIENCE)
    assert session.settings.access["sqlite"] is Access.READ
    assert session.pulse.settings is session.settings


def _save(session: Session) -> None:
    session.save({KNOB_BY_NAME["access_sqlite"]: "read"})
