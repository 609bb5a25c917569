"""Every count agrees with what it counts: `1 passage waits`, and never `1 passages wait`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.cli.test_render import STATUS, STORE, printed

from mmind.cli.render_status import render_status
from mmind.dashboard.stores_panel import details
from mmind.router.notes import freshness_notes
from mmind.router.sources import model_note
from mmind.server.neutral import neutral_tree
from mmind.server.text import status_text
from mmind.text.decode import decode
from mmind.text.plain import counted
from mmind.text.shortening import Places
from mmind.values.ports import Freshness, Skipped
from mmind.wire import status_to_json

SOURCE = Path(__file__).parents[2] / "src" / "mmind"
PLURAL_NEXT = re.compile(r"\s(?:[a-z-]+ )?(?:[a-z]{3,}s|are|have|were)\b")
SINGULAR = {"its", "was", "has", "does", "bytes", "characters", "days", "this", "files"}
"""Words after a number that need not agree with it: what follows is no noun of the count, or a limit above one."""
NUMBER = re.compile(r"\blen\(|\bsum\(|count|total|waiting|pending|copies|entries|passages|records|lost|wrong")
NOUNS = "memories|entries|passages|records|results|things|tools|notes|places|lines|days|servers|cases|misses|characters"
ONE_OF_MANY = re.compile(rf"(?<![\d.,-])1 (?:(?:\w+ )?(?:{NOUNS})|\w+ (?:are|have|were|wait))\b(?! of)")
"""`1 passages wait`, `1 near misses`, `1 memory are`."""
FITTING = {
    "embedding/backfill.py {len(vectors)} vectors",  # of an embedder that breaks its promise, in words for us
    "embedding/backfill.py {len(texts)} texts",
    "embedding/wordpiece.py {len(words)} entries",  # as above, of a vocabulary
    "router/corroborate.py {count} independent origins",  # said of more than one only
    "cli/audit_verb.py {verdict.first} were",  # `records before 2`: the number names a record
}


def by_hand(file: Path, root: Path = SOURCE) -> Iterator[str]:
    """Numbers in a sentence that a plural follows which nobody fits to them."""
    for sentence in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(sentence, ast.JoinedStr):
            continue
        for number, words in zip(sentence.values, sentence.values[1:], strict=False):
            if not (isinstance(number, ast.FormattedValue) and isinstance(words, ast.Constant)):
                continue
            shown, follows = ast.unparse(number.value), PLURAL_NEXT.match(str(words.value))
            is_number = NUMBER.search(shown) or (number.format_spec and "," in ast.unparse(number.format_spec))
            is_fitted = "counted(" in shown or "agreeing(" in shown or shown.isupper()
            if follows and is_number and not is_fitted and not SINGULAR & set(follows[0].split()):
                yield f"{file.relative_to(root).as_posix()} {{{shown}}}{follows[0]}"


def test_no_sentence_in_the_code_has_a_number_before_a_plural_without_the_one_function_that_fits_it() -> None:
    assert {found for file in SOURCE.rglob("*.py") for found in by_hand(file)} == FITTING
    page = (SOURCE / "page" / "page.html").read_text("utf-8")
    assert re.findall(r"\$\{[^}]*(?:length|records|count)[^}(]*\} [a-z]+s\b", page) == []


ONE = Freshness("markdown", entries=1, passages=1, age_seconds=1.0, pending_words=1, pending_vectors=1)
SINGLE = replace(STORE, entries=1, index=ONE, half_life_days=1, skipped=(Skipped("a.md", "not UTF-8"),))
LONE = replace(STATUS, stores=(SINGLE,), model_note=model_note(True, [SINGLE]))


def test_one_of_anything_is_told_as_one_by_every_face_that_shows_a_store() -> None:
    command = " ".join(printed(render_status(LONE, Places("/work", "/home/ada"))).split())
    reply = status_text(neutral_tree(status_to_json(LONE)))
    dashboard = "\n".join(line.plain for line in details(SINGLE, Places("/work", "/home/ada")))
    notes = "\n".join(freshness_notes({"markdown": ONE}, ["markdown"]))
    for said in (command, reply, dashboard, notes):
        assert not ONE_OF_MANY.search(said), said
    assert "1 memory, 1 passage indexed, 1 not indexed yet, 1 without a vector yet" in command
    assert "half-life 1 day\n" in reply.replace(" ·", "\n")
    for said in (command, reply):
        assert "1 passage waits for a vector: until then keyword search alone finds it" in said
    assert "markdown: 1 memory is not indexed yet, so it cannot be found; ask again shortly" in notes
    assert "markdown: 1 passage has no vector yet and is found by words only" in notes
    assert "behind by 1 memory to index and 1 passage to embed" in dashboard


def test_many_of_anything_are_told_as_many_and_what_nobody_counted_without_a_number() -> None:
    many = replace(ONE, pending_words=1200, pending_vectors=2)
    assert freshness_notes({"markdown": many}, ["markdown"]) == [
        "markdown: 1,200 memories are not indexed yet, so they cannot be found; ask again shortly",
        "markdown: 2 passages have no vector yet and are found by words only",
    ]
    assert freshness_notes({"markdown": replace(ONE, pending_words=-1, pending_vectors=0)}, ["markdown"]) == [
        "markdown: memories are not indexed yet, so they cannot be found; ask again shortly"
    ]
    assert "half-life 0.5 days" in printed(
        render_status(replace(LONE, stores=(replace(SINGLE, half_life_days=0.5),)), Places("/work", "/home/ada"))
    )


def test_one_damaged_place_of_a_text_is_one_place() -> None:
    assert decode("é".encode() * 9 + b"\xff").problem == "not valid UTF-8 at byte 18; 1 place was replaced"
    assert decode("é".encode() * 9 + b"\xff.\xff").problem == "not valid UTF-8 at byte 18; 2 places were replaced"


def test_the_search_for_such_sentences_finds_one(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text('said = f"{len(found)} passages wait, {counted(2, 1, 1)} notes, {LIMIT:,} characters"')
    assert list(by_hand(wrong, tmp_path)) == ["wrong.py {len(found)} passages"]
    assert ONE_OF_MANY.search("1 passages wait")
    assert ONE_OF_MANY.search("1 near misses left out")
    assert ONE_OF_MANY.search("1 memory are not indexed")
    assert not ONE_OF_MANY.search("1 passage waits; 21 passages wait, 0.1 seconds, 1 of 3 memories has none")
    assert [counted(count, "passage waits", "passages wait") for count in (0, 1, 2, 1000)] == [
        "0 passages wait",
        "1 passage waits",
        "2 passages wait",
        "1,000 passages wait",
    ]
