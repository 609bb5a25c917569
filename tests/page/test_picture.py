"""The picture of the page in the docs is of this page."""

from __future__ import annotations

from tests.page.picture import PICTURE, WITNESS, digest


def test_the_picture_was_taken_of_this_page() -> None:
    assert WITNESS.read_text("ascii").strip() == digest(), "run `make screenshots`"
    assert PICTURE.read_bytes().startswith(b"\x89PNG")
