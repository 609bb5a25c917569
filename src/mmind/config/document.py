"""The page docs/configuration.md, made of the table: `python -m mmind.config.document > docs/configuration.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import groupby

from mmind.config.reading import expected, written
from mmind.config.table import KNOBS, Kind, Knob

_HEAD = """\
<!-- Made by `python -m mmind.config.document`; edit src/mmind/config/table.py, not this page. -->

# Configuration

Everything works without any setting. What can be set stands in one table in the code
(`src/mmind/config/table.py`), and this page is made of it.

- **Order.** An environment variable beats the saved file, and the saved file beats the default. The vault may also be
  the command's argument (`mmind ~/notes`): the variable beats the argument, and the argument beats the file.
- **Saved file.** `config.toml` in the data home; `mmind config path` shows where. Change it by hand or with
  `mmind config set KEY VALUE` and `mmind config unset KEY`, which keep your comments. `mmind config list` shows every
  setting, its value and where it came from.
- **Unset.** Empty values and placeholders that a client left unfilled (`${HOME}`, `${input:vault}`) count as unset.
- **Paths.** A leading `~` is your home folder. Relative paths start from the working directory; in the saved file they
  start from the folder of that file.
- **Secrets** (marked *secret*) come from the environment only: they are never written to disk, logged or shown.
- **Words.** Switches take `on`, `off`, `true`, `false`, `yes`, `no`, `1`, `0`. Access takes `read` or `read/write`
  (also `rw`, `readwrite`, `read-write`). Lists of globs are separated by commas; in the file they are a TOML list.
- **Mistakes** stop the program with one line that names the variable, or the line of the file. An unknown `MMIND_…`
  variable is a mistake too: a misspelt `MMIND_ACCESS_SQLITE` must not leave a store writable in silence.
- **Places apart.** The vault may not hold, nor lie in, a folder that mmind writes to (the stores, the audit log, the
  data home), and no store's folder may lie in another's: the vault is never written to, the audit log is shown to no
  reader, and an agent's file never passes for a note of yours. The vault may lie in the data home.
"""

_EXAMPLE = """\

## A saved file

```toml
[paths]
vault = "~/notes"

[vault]
generated = ["agents/**"]   # notes that an agent wrote
ignore = ["archive/**"]

[access]
files = "read"

[ranking]
recency_floor = 0.5

[ranking.half_life_days]
markdown = 2000

[sources.work]   # a wrapped place, as `mmind wrap vault ~/notes-at-work --name work` saves it
kind = "vault"
path = "~/notes-at-work"
half_life_days = 700
```

A source has a `kind` (`vault`, `instructions`, `jsonl`, `sqlite`, `postgres`, `mysql`) and, as the kind needs it,
`path`, `table`, `id`, `text`, `title`, `time`, `tags`, `search`, `vector`, `vector_model`, `url_env`, `generated`,
`half_life_days`; see [wrapped places](engines.md#wrapped-places).
"""


def page() -> str:
    """The whole page, as Markdown."""
    sections = [_section(title, knobs) for title, knobs in groupby(KNOBS, key=lambda knob: knob.section)]
    return _HEAD + "".join(sections) + _EXAMPLE


def _section(title: str, knobs: Iterable[Knob]) -> str:
    rows = "\n".join(_row(knob) for knob in knobs)
    return (
        f"\n## {title}\n\n| variable | key in the file | default | takes | meaning |\n|---|---|---|---|---|\n{rows}\n"
    )


def _row(knob: Knob) -> str:
    key = f"`{knob.file_key}`" if knob.file_key else "*secret*" if knob.secret else "–"
    cells = (f"`{knob.env}`", key, _default(knob), _takes(knob), knob.help)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _default(knob: Knob) -> str:
    if knob.default_note:
        return knob.default_note
    text = written(knob.default)
    return f"`{text}`" if text else "unset"


def _takes(knob: Knob) -> str:
    match knob.kind:
        case Kind.CHOICE:
            return ", ".join(f"`{choice}`" for choice in knob.choices)
        case Kind.URL:
            return ", ".join(f"`{scheme}://…`" for scheme in knob.choices)
        case _:
            return expected(knob)


def main() -> None:
    """Print the page, as UTF-8 with plain line ends on every system."""
    sys.stdout.buffer.write(page().encode("utf-8"))


if __name__ == "__main__":
    main()
