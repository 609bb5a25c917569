"""A folder read in place: what changed in it since a mark, without reading again what did not change."""

# Strings, not Path objects: names on disk keep their own form, and ten thousand of them their speed.
# ruff: noqa: PTH116, PTH118, PTH206

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from mmind.disk.refusals import reason, way_out
from mmind.stores.containment import (
    LeadsElsewhere,
    id_parts,
    is_beneath,
    long_path,
    names_on_disk,
    open_beneath,
    open_regular,
    real_path,
)
from mmind.stores.copies import copied_times
from mmind.stores.fingerprint import (
    OF_A_COPY,
    OF_ITSELF,
    OF_THE_FILE,
    TIMES,
    TIMES_OF_A_COPY,
    Content,
    Fingerprint,
    digest_of,
    is_same_but_for_ctime,
    is_settled,
    parsed,
    read_content,
    stat_key,
)
from mmind.stores.scan import (
    NOT_REGULAR,
    VIRTUAL_ENVIRONMENT_FILE,
    Found,
    Scan,
    ScanRules,
    root_unavailable,
    scan_folder,
)
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Mark, Skipped

FILE_TIME = "file mtime"
READ_LIMIT = 8 * 1024 * 1024  # bytes; a transcript of 1.7 MB is read to its last line, a 2 GB log is not
_MAY_READ = "check that this user may read it"
CUT = f"longer than {READ_LIMIT // 1024 // 1024} MiB; only the start is read"


class Reading(NamedTuple):
    """What a file turned out to hold: a memory, or None when it is not text; and what is wrong with it, if anything."""

    memory: Memory | None
    problem: str = ""


def ids_are_paths(files: Sequence[Found]) -> Sequence[str]:
    """Each file's memory is called as the file is."""
    return [found.place for found in files]


def place_is_id(id_: str) -> str:
    """The memory's file is called as the memory is."""
    return id_


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderKind:
    """What the files of a folder mean.

    `interpret` makes a memory of (id, file, content); its fingerprint is set by the reader. `identify` names the
    memories in files, `place_of` the path (relative, POSIX) of a memory's file. `mark` of a place is kept in the
    fingerprint, so that a file whose trust would change is taken anew; None where all have the same.
    """

    interpret: Callable[[str, Found, Content], Reading]
    identify: Callable[[Sequence[Found]], Sequence[str]] = ids_are_paths
    place_of: Callable[[str], str] = place_is_id
    mark: Callable[[str], str] | None = None


class FolderReader:
    """Reads one folder, and remembers what it looked at closely so as not to look again. Any thread may use it."""

    def __init__(self, location: Path, rules: ScanRules, kind: FolderKind) -> None:
        self.root = long_path(str(location))
        self.rules = rules
        self.kind = kind
        self._count = -1
        self.copies = 0  # how many files have the time of a copy, by the last scan
        self._times: list[int] = []
        self._copied: frozenset[int] | None = None  # mtimes that are those of copies; None before the first scan
        self._refused: dict[str, tuple[str, str]] = {}  # place: the key of a file that is not text, and why

    def changes(self, since: Mark, skipped: Sequence[Skipped] = ()) -> Changes:
        """See `values.ports.Engine.changes`. Files that go away or stop being text are added to `gone` as met.

        `skipped` is what the caller has to say of the folder beforehand.
        """
        scan = scan_folder(self.root, self.rules)
        scan.skipped.extend(skipped)
        self._look_at_times([found.status.st_mtime_ns for found in scan.files])
        pending, gone, settled = self._compare(scan, since)
        self._count = len(scan.files)
        changed = self._read_all(pending, since, gone, scan.skipped)
        return Changes(changed, gone, since.cursor, total=len(pending), skipped=scan.skipped, settled=settled)

    def scan(self) -> list[tuple[str, Found]]:
        """Every file with the id of its memory. Raises EngineUnavailable."""
        files = scan_folder(self.root, self.rules).files
        return list(zip(self.kind.identify(files), files, strict=True))

    def read(self, id_: str, found: Found) -> Reading:
        """Read one file now. Raises OSError."""
        return self._interpreted(id_, found, self.content(found))

    def find(self, place: str) -> Found | None:
        """The file at this path if a scan would take it, else None: nothing outside, nothing hidden, nothing ignored.

        Raises EngineUnavailable when the folder cannot be read.
        """
        parts = id_parts(place)
        if parts is None or not self.rules.admits(place):
            return None
        try:
            names = names_on_disk(self.root, parts)
            if names is None or self._is_in_virtual_environment(names):
                self._require_root()
                return None
            path = os.path.join(self.root, *names)
            is_outside = not is_beneath(real_path(path), real_path(self.root))
            if is_outside and not self.rules.follow_links:
                return None
            return Found(place, path, os.stat(path, follow_symlinks=is_outside), is_outside)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EngineUnavailable(f"{place} cannot be read: {reason(error)}", way_out(error, _MAY_READ)) from error

    def get(self, id_: str, found: Found | None) -> Memory | None:
        """The memory in a file, or None when it is no file or went away. Raises EngineUnavailable."""
        if found is None or not stat.S_ISREG(found.status.st_mode):
            return None
        try:
            return self.read(id_, found).memory
        except (FileNotFoundError, LeadsElsewhere):
            return None
        except OSError as error:
            raise EngineUnavailable(f"{id_} cannot be read: {reason(error)}", way_out(error, _MAY_READ)) from error

    def fault(self) -> EngineUnavailable | None:
        """Why the folder cannot be listed, or None."""
        try:
            os.scandir(self.root).close()
        except OSError as error:
            return root_unavailable(self.root, error)
        return None

    def count(self) -> int:
        """How many files the last scan took, -1 where none was made yet and the folder is not plainly empty."""
        try:
            with os.scandir(self.root) as listing:
                return self._count if self._count > 0 or any(listing) else 0
        except OSError:
            return self._count

    def content(self, found: Found, limit: int = READ_LIMIT) -> Content:
        """The bytes of a file, at most `limit`. Raises OSError."""
        if found.is_outside:
            return read_content(open_regular(found.path), limit)
        names = found.path[len(self.root) :].strip(os.sep).split(os.sep)
        return read_content(open_beneath(self.root, names), limit)

    def _require_root(self) -> None:
        fault = self.fault()
        if fault:
            raise fault

    def _is_in_virtual_environment(self, names: Sequence[str]) -> bool:
        above = (os.path.join(self.root, *names[:depth]) for depth in range(1, len(names)))
        return any(os.path.lexists(os.path.join(folder, VIRTUAL_ENVIRONMENT_FILE)) for folder in above)

    def _compare(self, scan: Scan, since: Mark) -> tuple[list[tuple[str, Found]], list[str], dict[str, str]]:
        """Which files are to be read, which memories are gone, and which are as they were, with a new fingerprint."""
        pending: list[tuple[str, Found]] = []
        settled: dict[str, str] = {}
        seen: set[str] = set()
        mark, known_of, refused = self.kind.mark, since.fingerprints.get, self._refused  # bound: once a file
        for id_, found in zip(self.kind.identify(scan.files), scan.files, strict=True):
            key = stat_key(found.status, mark(found.place)) if mark else stat_key(found.status)
            if found.place in refused and refused[found.place][0] == key:
                scan.skipped.append(Skipped(found.place, refused[found.place][1]))
                continue
            seen.add(id_)
            known = known_of(id_)
            kept = None if known is None else self._kept(found, key, known)
            if known is None or kept is None:
                pending.append((id_, found))
                continue
            if kept is not known:
                settled[id_] = kept
            if known.count(" ") > 1:
                scan.skipped.append(Skipped(found.place, parsed(known).problem))
        place_of = self.kind.place_of
        gone = [id_ for id_ in since.fingerprints if id_ not in seen and not scan.is_unread(place_of(id_))]
        pending.sort(key=lambda pair: pair[0])
        return pending, gone, settled

    def _kept(self, found: Found, key: str, known: str) -> str | None:
        """The fingerprint of a file that is as it was, at a closer look perhaps a new one; None where it must be read.

        Which time a memory has is a function of the files as they are now: with the same files, an index made today
        and one that grew with them tell the same.
        """
        times = TIMES_OF_A_COPY if found.status.st_mtime_ns in (self._copied or ()) else TIMES
        if is_settled(known, key, times):
            return known
        earlier = parsed(known)
        which = earlier.key[-1:]
        if which not in times or not is_same_but_for_ctime(earlier.key, key):
            return None
        try:
            content = self.content(found)
        except OSError:
            return None
        now = self._key(found.place, content.status)
        if digest_of(content.data) != earlier.digest or not is_same_but_for_ctime(earlier.key, now):
            return None
        fingerprint = str(replace(earlier, key=now + which, is_young=content.is_young))
        return known if fingerprint == known else fingerprint

    def _key(self, place: str, status: os.stat_result) -> str:
        return stat_key(status, self.kind.mark(place) if self.kind.mark else "")

    def _read_all(
        self, pending: Sequence[tuple[str, Found]], since: Mark, gone: list[str], skipped: list[Skipped]
    ) -> Iterator[Memory]:
        for id_, found in pending:
            try:
                memory, problem = self.read(id_, found)
            except FileNotFoundError:
                memory, problem = None, ""
            except LeadsElsewhere:
                memory, problem = None, NOT_REGULAR
            except OSError as error:  # it is there, so what is known of it stays
                skipped.append(Skipped(found.place, f"cannot be read: {reason(error)}"))
                continue
            if problem:
                skipped.append(Skipped(found.place, problem))
            if memory is not None:
                yield memory
            elif id_ in since.fingerprints:
                gone.append(id_)

    def _interpreted(self, id_: str, found: Found, content: Content) -> Reading:
        memory, problem = self.kind.interpret(id_, found, content)
        key = self._key(found.place, content.status)
        if memory is None:
            if not content.is_young:
                self._refused[found.place] = (key, problem)
            return Reading(None, problem)
        if content.is_cut:
            problem = f"{CUT}; {problem}" if problem else CUT
        memory, which = self._with_time(memory, content.status)
        fingerprint = Fingerprint(key + which, content.is_young, digest_of(content.data), problem)
        return Reading(replace(memory, fingerprint=str(fingerprint)), problem)

    def _look_at_times(self, times: list[int]) -> None:
        """Learn from the mtimes of all files which of them are those of copies; mostly they are those of last time."""
        if self._copied is None or times != self._times:
            self._times, self._copied = times, copied_times(times)
            self.copies = sum(time in self._copied for time in times)

    def _with_time(self, memory: Memory, status: os.stat_result) -> tuple[Memory, str]:
        """The memory without the time of its file where that is a copy's, and what the fingerprint has to say of it."""
        if memory.time_kind != FILE_TIME:
            return memory, OF_ITSELF
        if self._copied is None:
            self._look_at_times([found.status.st_mtime_ns for found in scan_folder(self.root, self.rules).files])
        if status.st_mtime_ns in (self._copied or ()):
            return replace(memory, time=None, time_kind=""), OF_A_COPY
        return memory, OF_THE_FILE
