"""Words that are typed for a verb: misspelt ones, those of other programs, and those that it does not take."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from mmind.config.suggestion import did_you_mean
from mmind.values.errors import BadRequest

OTHER_WORDS = {
    "retrieve": "ask find grep query recall search",
    "store": "add keep put remember save write",
    "explain": "plot why",
    "get": "cat open print read show view",
    "forget": "delete remove rm",
    "sources": "info list ls ps stats status stores",
    "index": "refresh reindex scan sync update",
    "config": "configure env set settings",
    "audit": "history log logs verify",
    "serve": "mcp run server start",
    "dashboard": "tui tune tuning ui",
    "page": "browser gui web",
    "doctor": "check diagnose health test",
    "install": "setup register",
    "uninstall": "unregister",
    "export": "backup dump",
    "import": "restore load",
    "completion": "completions complete",
    "--help": "help",
    "--version": "version",
}


def meant_verb(word: str) -> str:
    """The verb (or `--help`, `--version`) that somebody probably meant; "" where none is near."""
    folded = word.casefold()
    other = next((verb for verb, words in OTHER_WORDS.items() if folded in words.split()), "")
    if other or not folded.isalpha():
        return other
    import difflib

    verbs = [verb for verb in OTHER_WORDS if verb.isalpha()]
    others = {other: verb for verb, words in OTHER_WORDS.items() for other in words.split()}
    if near := difflib.get_close_matches(folded, verbs, n=1, cutoff=0.7):
        return near[0]
    return next((others[one] for one in difflib.get_close_matches(folded, others, n=1, cutoff=0.8)), "")


def surplus_words(words: Sequence[str], command: str, usage: str) -> BadRequest:
    """The refusal of words that a command does not take, and where they may belong; `usage` is argparse's."""
    given = shlex.quote(" ".join(words))
    if taken := " ".join(_words_of(usage)[len(command.split()) :]):
        hint = "run it once for each, or quote what belongs together"
        return BadRequest(f"`{command}` takes {taken}, and {given} is too many", hint)
    ways = [f"a folder of notes is named with --vault {given}"] if command.count(" ") == 1 else []
    ways += [f"a store is named with --store {given}"] if "--store NAME" in usage else []
    return BadRequest(f"`{command}` takes no word, and was given {given}", " and ".join(ways) or f"leave {given} out")


def surplus_option(option: str, command: str, usage: str) -> BadRequest:
    """The refusal of an option that a command does not have, with the one that was probably meant."""
    name = option.partition("=")[0]
    known = [*re.findall(r"--[a-z-]+", usage), "--help", "--version"]
    return BadRequest(f"`{command}` has no option {name}", did_you_mean(name, known, f"see `{command} --help`"))


def _words_of(usage: str) -> list[str]:
    """The words of a usage line that are no options: the command's own, and what it takes."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", usage)  # argparse colours it from Python 3.14 on
    return re.sub(r"\[-[^\]]*\]", "", plain).split()[1:]
