from __future__ import annotations

import os
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.stores.containment import (
    LeadsElsewhere,
    id_parts,
    ids_beneath,
    is_beneath,
    labels,
    names_on_disk,
    open_beneath,
    printable,
    shown_path,
)

NFC, NFD = "Caf\u00e9.md", "Cafe\u0301.md"


@pytest.mark.parametrize("id", ["", ".", "..", "/etc/passwd", "a/../b", "a//b", "a/", "./a", "a\0b", "a/.."])
def test_an_id_that_could_lead_elsewhere_has_no_parts(id: str) -> None:
    assert id_parts(id) is None


@pytest.mark.parametrize("id", ["a", "a/b.md", "..a/b..", "...", "a b/ü.md", "-", "~"])
def test_an_id_beneath_the_root_has_its_names_for_parts(id: str) -> None:
    assert id_parts(id) == tuple(id.split("/"))


@given(st.lists(st.one_of(st.sampled_from(["..", ".", "", "a", "~", "%2e%2e"]), st.text(string.printable)), max_size=6))
def test_r01_joined_parts_stay_beneath_the_root_whatever_the_id(names: list[str]) -> None:
    parts = id_parts("/".join(names))
    assert parts is None or os.path.normpath("/root/of/" + "/".join(parts)).startswith("/root/of/")


def test_r02_a_sibling_with_the_same_beginning_is_not_beneath() -> None:
    vault, sibling = str(Path("/vault")), str(Path("/vault-evil/a"))
    assert is_beneath(str(Path("/vault/a")), vault)
    assert is_beneath(vault, vault)
    assert not is_beneath(sibling, vault)


def test_names_that_collide_in_nfc_keep_labels_of_their_own() -> None:
    assert labels([NFD, NFC, "a"]) == {NFC: NFC, NFD: NFD, "a": "a"}
    assert labels([NFD]) == {NFD: NFC}


def test_a_name_that_is_not_utf8_has_a_label_that_can_be_stored() -> None:
    name = os.fsdecode(b"caf\xe9.md")
    assert printable(name) == "caf\\xe9.md"
    assert labels([name, "caf\\xe9.md"]) == {name: "caf\\xe9.md~", "caf\\xe9.md": "caf\\xe9.md"}


def test_only_folders_inside_have_ids(tmp_path: Path) -> None:
    inside, root, outside = tmp_path / "v" / "data", tmp_path / "v", tmp_path / "v-evil"
    assert ids_beneath(str(root), map(str, [inside, root, outside, tmp_path])) == {"data"}


def test_the_long_form_of_windows_paths_is_not_shown() -> None:
    assert shown_path("\\\\?\\C:\\notes\\a.md") == "C:\\notes\\a.md"
    assert shown_path("\\\\?\\UNC\\server\\share\\a.md") == "\\\\server\\share\\a.md"
    assert shown_path("/notes/a.md") == "/notes/a.md"


def test_a_name_is_found_in_the_form_that_it_has_on_disk(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / NFD).write_text("x")
    assert names_on_disk(str(tmp_path), ("d", NFC)) == ["d", os.listdir(tmp_path / "d")[0]]  # noqa: PTH208 - a name as listed
    assert names_on_disk(str(tmp_path), ("d", "nothing.md")) is None
    assert names_on_disk(str(tmp_path), ("e", "nothing.md")) is None


def test_r02_opening_follows_no_link_at_any_level(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("the canary")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("the canary")
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "link.md").symlink_to(tmp_path / "secret.md")
    (vault / "folder").symlink_to(tmp_path / "outside")
    for names in (["link.md"], ["folder", "secret.md"]):
        with pytest.raises(LeadsElsewhere):
            open_beneath(str(vault), names)


@pytest.mark.skipif("sys.platform == 'win32'", reason="no named pipes in folders there")
def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(LeadsElsewhere):
        open_beneath(str(tmp_path), ["pipe.md"])
