"""No note is found twice: what is wrapped lies apart from the vault and from what is wrapped already."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import Run, answered, refused


def handles(mmind: Run, vault: Path) -> set[str]:
    """Where the crane is found."""
    found = answered(mmind("retrieve", "crane at pier 4", "--json", MMIND_VAULT_PATH=str(vault)))
    return {place["id"] for result in found["results"] for place in result["provenance"]}


def test_a_folder_of_the_vault_or_around_it_or_wrapped_already_is_refused_and_not_kept(
    mmind: Run, vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "crane.md").write_text("The crane at pier 4 is out of order.\n")
    here = {"MMIND_VAULT_PATH": str(vault)}
    assert mmind("wrap", "vault", str(tmp_path / "work"), **here).returncode == 0
    for folder, relation in (
        (vault / "home", "lies inside the vault"),
        (vault.parent, "holds the vault"),
        (vault, "is the same folder as the vault"),
        (tmp_path / "work", "is the same folder as sources.work"),
    ):
        code, said = refused(mmind("wrap", "vault", str(folder), "--name", "mine", **here))
        assert (code, relation in said, "wrap a folder apart from it" in said) == (2, True, True)
    assert handles(mmind, vault) == {"work:crane.md"}
    assert mmind("wrap", "vault", str(tmp_path / "work"), "--name", "work", **here).returncode == 0


def test_instructions_around_the_vault_leave_the_vault_out(mmind: Run, vault: Path) -> None:
    for folder in (vault, vault.parent):
        (folder / "AGENTS.md").write_text(f"Mind the crane at pier 4 of {folder.name}.\n")
    done = mmind("wrap", "instructions", str(vault.parent), "--name", "agents", MMIND_VAULT_PATH=str(vault))
    assert done.returncode == 0
    assert handles(mmind, vault) == {"markdown:AGENTS.md", "agents:AGENTS.md"}
