"""What the exit code says; scripts may rely on it."""

from __future__ import annotations

from mmind.values.errors import AccessDenied, EngineError, MmindError, NotFound

OK = 0
NOTHING_RELEVANT = 1  # as grep: it ran, and found nothing
BROKEN_CHAIN = 1  # it ran, and the audit log does not hold
FAULTS_FOUND = 1  # it ran, and the doctor has something to mend
BAD_USE = 2
NOT_FOUND = 3
DENIED = 4
UNAVAILABLE = 5
FAULT_OF_OURS = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # what a shell reports for SIGINT; also for a no to `forget`
READER_GONE = 141  # what a shell reports for SIGPIPE

TABLE = """\
exit codes:
  0    done
  1    retrieve found nothing relevant; audit verify found a broken chain;
       doctor found something to mend; install wrote an entry whose server
       does not start
  2    the command, an argument or a setting is wrong
  3    no memory has this id
  4    the store's access mode forbids it
  5    a store cannot answer (for retrieve: none can)
  70   a fault in mmind itself (--debug shows it in full)
  130  stopped with Ctrl-C, or by answering no
"""


def exit_code(error: MmindError) -> int:
    """The code of an error by its class; configuration and bad requests are the rest."""
    codes = ((NotFound, NOT_FOUND), (AccessDenied, DENIED), (EngineError, UNAVAILABLE))
    return next((code for kind, code in codes if isinstance(error, kind)), BAD_USE)
