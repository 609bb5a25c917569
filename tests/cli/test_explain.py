"""`mmind explain`: bars in the terminal, and a picture that a plotting library drew."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import Run

QUESTION = ("when", "is", "rent", "due")


def test_each_factor_has_a_bar_and_the_product_is_the_score(mmind: Run, vault: Path) -> None:
    done = mmind("explain", *QUESTION, "--vault", str(vault))
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines() if "█" in line]
    product = 1.0
    for row in rows[: rows.index(next(row for row in rows if row[0] == "="))]:
        product *= float(row[1])
    score = next(float(row[2]) for row in rows if row[0] == "=")
    assert product == pytest.approx(score, abs=0.003)


def test_the_picture_names_every_factor_and_every_result(mmind: Run, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "rent.svg"
    done = mmind("explain", *QUESTION, "--vault", str(vault), "--plot", str(file))
    assert (done.returncode, done.stderr) == (0, f"mmind: drawn into {file}\n")
    words = [node.text for node in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    assert {"relevance", "recency", "trust", "score", "when is rent due", "1. Flat"} <= set(words)


def test_without_a_plotting_library_the_error_is_worded_as_that_of_a_missing_driver(
    mmind: Run, vault: Path, tmp_path: Path
) -> None:
    front = tmp_path / "front"
    front.mkdir()
    for library in ("matplotlib", "redis"):
        gone = f"raise ModuleNotFoundError(name={library!r})"
        (front / f"{library}.py").write_text(gone, encoding="utf-8")
    plotted = mmind("explain", "rent", "--vault", str(vault), "--plot", "rent.svg", PYTHONPATH=str(front))
    pip = f"is not installed; install it with: {sys.executable} -m pip install --upgrade"
    assert (plotted.returncode, plotted.stderr) == (
        2,
        f'mmind: a plot needs matplotlib, which {pip} "matplotlib>=3.9"\n',
    )
    server = {"MMIND_BACKEND_SESSION": "redis", "MMIND_REDIS_URL": "redis://localhost:1"}
    asked = mmind("retrieve", "rent", "--vault", str(vault), PYTHONPATH=str(front), **server)
    assert f'the redis engine needs redis, which {pip} "redis>=5.2"' in asked.stdout


def test_nothing_found_is_no_error_of_the_plot(mmind: Run, tmp_path: Path) -> None:
    file = tmp_path / "nothing.png"
    done = mmind("explain", "zebra", "--plot", str(file))
    assert done.returncode == 1
    assert file.read_bytes().startswith(b"\x89PNG")


def test_an_ending_that_no_picture_has_is_refused(mmind: Run, vault: Path, tmp_path: Path) -> None:
    done = mmind("explain", "rent", "--vault", str(vault), "--plot", str(tmp_path / "rent.txt"))
    assert done.returncode == 2
    assert "use one of .svg, .png, .pdf" in done.stderr


def test_a_folder_that_is_not_there_is_named(mmind: Run, vault: Path, tmp_path: Path) -> None:
    done = mmind("explain", "rent", "--vault", str(vault), "--plot", str(tmp_path / "no" / "rent.svg"))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_it_asks_of_one_store_as_retrieve_does(mmind: Run, vault: Path) -> None:
    mmind("store", "The rent is due on the first.", "--store", "files")
    done = mmind("explain", *QUESTION, "--vault", str(vault), "--store", "files", "--json")
    assert {place["store"] for row in json.loads(done.stdout)["results"] for place in row["provenance"]} == {"files"}
