"""Words that are typed for a verb: misspelt ones, and those that other programs use."""

from __future__ import annotations

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
