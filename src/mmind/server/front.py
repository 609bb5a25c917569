"""`mmind serve` over stdio: the handshake is answered from the standard library alone, the SDK loads behind it.

Reading happens here, on the main thread; the SDK runs in a thread of its own and opens the mind when it is ready.
The process ends when the client is gone: input at its end, output broken, parent gone, or asked by a signal.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from queue import Queue
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from mmind.server.desk import REPLAYED, Desk
from mmind.server.lines import INTERNAL_ERROR, Message, Refusal, parse_line, read_line
from mmind.server.streams import Wire, claim_streams

if TYPE_CHECKING:
    from mmind.config.presence import Presence
    from mmind.router.mind import Mind

Id = str | int

MAX_WAITING = 256
"""How many messages wait for the SDK; then reading pauses, and the client's pipe fills."""

GRACE_SECONDS = 30.0
"""How long the answers to what was already asked may take after the input's end (`mmind < session.jsonl`).

A client that wants no more answers closes its output or sends a signal; both end the waiting at once.
"""

CLOSE_SECONDS = 0.8
"""How long closing may take. Writes are durable when they are answered, so nothing is lost by not waiting longer."""

LOOK_SECONDS = 1.0
"""How often the client is looked for. A pipe that others inherited never ends, and a broken one shows when written."""

AT_A_TERMINAL = (
    "mmind speaks MCP on its standard input and output: an MCP client starts it, and Ctrl-D ends it.\n"
    'To ask from here: mmind retrieve "a question". All commands: mmind --help'
)


class Stop(BaseException):
    """The system asks the process to end."""


class Unanswered:
    """The requests that the SDK has and has not answered, by id."""

    def __init__(self) -> None:
        self._ids: Counter[Id] = Counter()
        self._changed = threading.Condition()

    def add(self, message: Message) -> None:
        """Count a message in if it is a request; one that the client cancels gets no answer."""
        if "id" in message:
            with self._changed:
                self._ids[message["id"]] += 1
        elif message["method"] == "notifications/cancelled":
            self.take(message.get("params", {}).get("requestId"))

    def take(self, id: object) -> bool:
        """Count an answer out; False when none was due."""
        if not isinstance(id, str | int):
            return False
        with self._changed:
            was_due = self._ids[id] > 0
            self._ids -= Counter({id: 1})
            self._changed.notify_all()
            return was_due

    def ids(self) -> list[Id]:
        """Every id that awaits an answer, as often as it does."""
        with self._changed:
            return list(self._ids.elements())

    def wait(self, seconds: float, is_wanted: Callable[[], bool]) -> None:
        """Return when all are answered, the time is over, or nobody wants the answers."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while self._ids and is_wanted() and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(min(left, 0.1))


class Session:
    """One client on one wire."""

    def __init__(self, vault: str | os.PathLike[str] | None, environ: Mapping[str, str], sink: BinaryIO) -> None:
        self._vault = vault
        self._environ = environ
        self._wire = Wire(sink, self._leave_soon)
        self._desk = Desk(leaves_machine(environ))
        self._inbox: Queue[Message | None] = Queue(MAX_WAITING)
        self._unanswered = Unanswered()
        self._back = threading.Thread(target=self._serve_behind, name="mmind-sdk", daemon=True)
        self._awaits_replay = True
        self._close: Callable[[], None] = lambda: None
        self._presence: Presence | None = None  # one for all attempts to open the mind: it holds a lock
        self._leaving = threading.Lock()

    def read(self, source: BinaryIO) -> None:
        """Take in lines until the end of the input."""
        while (line := read_line(source)) is not None:
            message = parse_line(line)
            if isinstance(message, Refusal):
                self._wire.send(message.encoded())
            elif message is not None:
                self._take(message)

    def watch_client(self) -> None:
        """Leave when nobody reads the answers, or the process that started this one is gone (init's has none)."""
        if os.name == "posix":
            threading.Thread(target=self._watch, args=(os.getppid(),), name="mmind-watch", daemon=True).start()

    def finish(self) -> None:
        """Let what was asked be answered, as long as somebody reads."""
        self._unanswered.wait(GRACE_SECONDS, self._wire.is_read)

    def leave(self) -> NoReturn:
        """End the process: close the mind, go. Only the first caller does it."""
        self._leaving.acquire()  # never released: whoever comes second waits here for the end
        closing = threading.Thread(target=self._close, daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)
        _flush()
        os._exit(0)  # not sys.exit: threads of native libraries may be at work, and nothing is left to save

    def _watch(self, parent: int) -> None:
        while self._wire.is_read() and (parent <= 1 or os.getppid() == parent):
            time.sleep(LOOK_SECONDS)
        self.leave()

    def _take(self, message: Message) -> None:
        answer, passed_on = self._desk.answer(message)
        if answer is not None:
            self._wire.send(answer)
        if passed_on is not None:
            self._unanswered.add(passed_on)
            self._inbox.put(passed_on)
        if self._back.ident is None:
            self._back.start()

    def _serve_behind(self) -> None:
        try:
            self._run_sdk()
        except BaseException as error:  # noqa: BLE001 - without the SDK the client must still get answers
            print(self._blotted(traceback_of(error)), file=sys.stderr, flush=True)
            self._refuse_all(f"the server failed ({type(error).__name__}); its log (stderr) has the details")

    def _run_sdk(self) -> None:
        from mmind.server import adapter
        from mmind.server.latemind import LateMind

        late = LateMind(self._open_mind)
        self._close = late.close
        server = adapter.build_server(late, self._desk.leaves_machine, self._blotted)
        threading.Thread(target=_open_early, args=(late.mind,), name="mmind-open", daemon=True).start()
        adapter.run(server, self._inbox, self._answered)

    def _open_mind(self) -> Mind:
        from mmind.config.presence import Presence
        from mmind.config.settings import data_home
        from mmind.values.door import Door
        from mmind.wiring import open_mind

        log_to_stderr(self._vault, self._environ)
        presence = self._presence = self._presence or Presence(data_home(self._environ))
        mind = open_mind(self._vault, self._environ, Door.AGENT, took_up=presence.say)
        presence.watch(mind.rules)
        return mind

    def _answered(self, id: str | int | None, data: bytes) -> None:
        if id == REPLAYED and self._awaits_replay:
            self._awaits_replay = False  # the desk has answered it; a client's own request of that id would be its own
        else:
            self._wire.send(data)
        self._unanswered.take(id)

    def _refuse_all(self, reason: str) -> None:
        """Answer everything that waits, and then everything that still comes, with an error."""
        for waiting in self._unanswered.ids():
            self._answered(waiting, Refusal(waiting, INTERNAL_ERROR, reason).encoded())
        while (message := self._inbox.get()) is not None:
            if self._unanswered.take(message.get("id")):
                self._wire.send(Refusal(message["id"], INTERNAL_ERROR, reason).encoded())

    def _blotted(self, text: str) -> str:
        return blotted(text, self._environ)

    def _leave_soon(self) -> None:
        threading.Thread(target=self.leave, name="mmind-leave", daemon=True).start()


def main(vault: str | os.PathLike[str] | None = None, environ: Mapping[str, str] | None = None) -> NoReturn:
    """Serve MCP on standard input and output until the client is gone; ends the process with status 0.

    `vault` is the folder of notes (`MMIND_VAULT_PATH` beats it); `environ` stands in for `os.environ`.
    """
    if os.isatty(0):
        print(AT_A_TERMINAL, file=sys.stderr, flush=True)
    source, sink = claim_streams()
    session = Session(vault, os.environ if environ is None else environ, sink)
    session.watch_client()
    on_signals(_stop)
    with contextlib.suppress(Stop):
        try:
            session.read(source)
        except OSError as error:
            print(f"mmind: standard input cannot be read: {error}", file=sys.stderr, flush=True)
        session.finish()
    on_signals(signal.SIG_IGN)
    session.leave()


def leaves_machine(environ: Mapping[str, str]) -> bool:
    """Whether texts go to OpenAI, as far as the environment tells (a saved file may forbid it)."""
    key = environ.get("OPENAI_API_KEY", "")
    model = environ.get("MMIND_EMBED_MODEL", "").strip().casefold()
    return bool(key.strip()) and "${" not in key and model not in ("none", "off", "local", "all-minilm-l6-v2")


def blotted(text: str, environ: Mapping[str, str]) -> str:
    """The text without the secrets of this environment, and without what else looks like one."""
    from mmind.config.table import KNOBS
    from mmind.text.secrets import redacted

    for knob in KNOBS:
        if knob.secret and len(secret := environ.get(knob.env, "")) > 3:
            text = text.replace(secret, "…")
    return redacted(text)


def traceback_of(error: BaseException) -> str:
    """The trace of an error, for the log."""
    import traceback

    return "".join(traceback.format_exception(error))


def log_to_stderr(vault: str | os.PathLike[str] | None, environ: Mapping[str, str]) -> None:
    """Log as the settings say: our own messages only, since libraries' may quote what is private."""
    import logging

    from mmind.config.settings import load

    logging.basicConfig(stream=sys.stderr, format="mmind: %(levelname)s: %(message)s")
    logging.getLogger("mmind").setLevel(load(environ, None if vault is None else os.fspath(vault)).log_level.upper())


def _open_early(open_mind: Callable[[], Mind]) -> None:
    """Open before the first call needs it; a failure is told to the caller who meets it again."""
    with contextlib.suppress(Exception):
        open_mind()


def on_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """What happens when the system asks the process to end."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stop


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
