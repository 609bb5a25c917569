"""A LevelDB folder that several processes use in turns, though LevelDB itself admits one at a time.

The first user keeps the database open. Whoever comes later raises a flag (`mmind.want`) and waits for the lease
(`mmind.lease`); the holder sees the flag within milliseconds, closes the database and hands over. With nobody waiting
it stays open until it was idle for a while. Opening for each operation instead costs 7 ms a put alone, 70 ms between
three processes, and leaves hundreds of small tables behind.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from weakref import WeakValueDictionary

try:
    import plyvel
except ModuleNotFoundError:
    import plyvel_next as plyvel

from mmind.disk.durable import make_private_folder
from mmind.disk.locks import Turn
from mmind.disk.refusals import FORBIDDEN, number_of, way_out
from mmind.values.errors import EngineUnavailable

__all__ = ["TABLES_AT_REST", "Lease", "OnlyReadable", "lease_on", "plyvel"]

WAIT_SECONDS = 10.0  # for our own processes, which hand over within milliseconds
STRANGER_SECONDS = 0.25  # for a program that knows no lease: it may just be closing, or stay for hours
KEEP_SECONDS = 0.005  # held at least so long once taken: opening costs about as much
IDLE_SECONDS = 0.25  # let go after so long without use, so that another program finds the folder free
TICK_SECONDS = 0.003
POLL_SECONDS = 0.002
TABLES_AT_REST, TABLES_IN_DEMAND = 32, 128  # small tables left before they are merged: while nobody waits, and if so
FULL_TABLE_BYTES = 2 << 20  # LevelDB's own size of a table
_UNWRITABLE = (*FORBIDDEN, errno.EROFS, errno.ENOSPC, errno.EDQUOT)


class OnlyReadable(EngineUnavailable):
    """The database cannot be opened, only copied: a program without a lease has it open, writing is
    forbidden, or the drive is full."""


class Lease:
    """The one way into a LevelDB folder for all engines and threads of this process; get it from `lease_on`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()
        self._own = Turn(folder / "mmind.lease")
        self._want = Turn(folder / "mmind.want")
        self._database: plyvel.DB | None = None
        self._place = (0, 0)
        self._taken_at = self._used_at = 0.0

    @contextmanager
    def hold(self, *, create: bool = False, wait_seconds: float = WAIT_SECONDS) -> Iterator[plyvel.DB]:
        """The open database, for this thread alone until the block ends.

        Raises OnlyReadable or EngineUnavailable when it cannot be had in time, and what plyvel and the system raise.
        """
        deadline = time.monotonic() + wait_seconds
        if not self._turn.acquire(timeout=wait_seconds):
            raise _still_busy(self.folder, wait_seconds)
        try:
            yield self._open_database(create, deadline)
        except plyvel.Error:  # after a failed write LevelDB refuses all others until it is opened again
            self._let_go()
            raise
        finally:
            self._used_at = time.monotonic()
            if self._is_due():
                self._close_tidily(TABLES_IN_DEMAND)
            self._turn.release()

    def release(self) -> None:
        """Close the database and let the next one have it; the next use opens it again."""
        with self._turn:
            self._close_tidily(TABLES_AT_REST)

    def _open_database(self, create: bool, deadline: float) -> plyvel.DB:
        if self._database is not None and self._place != _place(self.folder):
            self._let_go()  # the folder was removed or replaced: what we wrote on would be lost
        if self._database is None:
            if create:
                make_private_folder(self.folder)
            self._take_lease(deadline)
            try:
                self._database = _open(self.folder, create)
                self._place = _place(self.folder)
            except BaseException:
                self._let_go()
                raise
            self._taken_at = time.monotonic()
            threading.Thread(target=self._watch, args=(self._database,), name="mmind-lease", daemon=True).start()
        return self._database

    def _take_lease(self, deadline: float) -> None:
        begun = time.monotonic()
        try:
            if self._own.try_take():
                return
        except OSError as error:
            if error.errno in _UNWRITABLE:
                raise _unwritable(self.folder, error) from error
            raise
        _take_by(deadline, self._want, self.folder, begun)
        try:
            _take_by(deadline, self._own, self.folder, begun)
        finally:
            self._want.give_back()

    def _let_go(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            database.close()
        self._own.give_back()

    def _is_due(self) -> bool:
        """Whether the database should be closed now: idle, or wanted by another process."""
        if self._database is None or time.monotonic() - self._taken_at < KEEP_SECONDS:
            return False
        if self._is_idle():
            return True
        try:
            return self._want.is_taken()
        except OSError:  # the folder is gone
            return True

    def _is_idle(self) -> bool:
        return time.monotonic() - self._used_at > IDLE_SECONDS

    def _close_tidily(self, most_tables: int) -> None:
        if self._database is not None:
            with suppress(plyvel.Error, OSError):  # every write is durable already: tidiness must not fail one
                _merge_tables(self._database, self.folder, most_tables)
        self._let_go()

    def _watch(self, database: plyvel.DB) -> None:
        """Let go when it is due, while nobody here uses the database."""
        while True:
            time.sleep(TICK_SECONDS)
            with self._turn:
                if self._database is not database:
                    return
                if self._is_due():
                    self._close_tidily(TABLES_AT_REST if self._is_idle() else TABLES_IN_DEMAND)
                    return


_leases: WeakValueDictionary[str, Lease] = WeakValueDictionary()
_leases_turn = threading.Lock()


def lease_on(folder: Path) -> Lease:
    """The lease on this folder, one in the whole process whatever path leads to it.

    LevelDB's own lock belongs to the process: a second open in it, even a failed one, would drop the first one's.
    """
    key = os.path.normcase(os.path.realpath(folder))
    with _leases_turn:
        lease = _leases.get(key)
        if lease is None:
            lease = _leases[key] = Lease(folder)
        return lease


def _open(folder: Path, create: bool) -> plyvel.DB:
    deadline = time.monotonic() + STRANGER_SECONDS
    while True:
        try:
            # paranoid: without it LevelDB drops what a damaged log holds and says nothing (85 of 2,000 puts in a test)
            return plyvel.DB(str(folder), create_if_missing=create, paranoid_checks=True)
        except plyvel.IOError as error:
            if number_of(error) in _UNWRITABLE:  # opening writes a table, and that it cannot now
                raise _unwritable(folder, error) from error
            if "LOCK" not in str(error):
                raise
            if time.monotonic() > deadline:
                hint = "close that program, or point this store at a folder of its own"
                raise OnlyReadable(f"{folder} is in use by another program", hint) from error
            time.sleep(POLL_SECONDS)


def _unwritable(folder: Path, error: Exception) -> OnlyReadable:
    hint = way_out(error, "check the permissions of the folder and its files")
    return OnlyReadable(f"{folder} cannot be written: {os.strerror(number_of(error))}", hint)


def _take_by(deadline: float, turn: Turn, folder: Path, begun: float) -> None:
    while not turn.try_take():
        if time.monotonic() > deadline:
            raise _still_busy(folder, deadline - begun)
        time.sleep(POLL_SECONDS)


def _still_busy(folder: Path, waited: float) -> EngineUnavailable:
    return EngineUnavailable(f"{folder} was kept busy for {waited:.1f} s by other mmind processes", hint="try again")


def _merge_tables(database: plyvel.DB, folder: Path, most: int) -> None:
    """Merge the tables into few when there are more than `most` small ones.

    Each open turns the log into one more table, and LevelDB never merges tables whose keys do not overlap: one put a
    lease would be one file more, for good. Writing the first and the last key again makes one that overlaps all.
    The bounds are named, for without them plyvel asks for what lies between "" and "", which is nothing.
    """
    sizes = [file.stat().st_size for file in folder.iterdir() if file.suffix in (".ldb", ".sst")]
    if len(sizes) <= most + sum(sizes) // FULL_TABLE_BYTES:
        return
    with database.iterator() as forward, database.iterator(reverse=True) as backward:
        ends = [*islice(forward, 1), *islice(backward, 1)]
    if not ends:
        return
    with database.write_batch(sync=True) as batch:
        for key, value in ends:
            batch.put(key, value)
    database.compact_range(start=ends[0][0], stop=ends[-1][0])


def _place(folder: Path) -> tuple[int, int]:
    """Device and inode of the file that names the current state; opening makes a new one."""
    try:
        found = (folder / "CURRENT").stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino
