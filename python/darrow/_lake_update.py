"""An update of a lake: which logs are read, and when what was read becomes part of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

from darrow import _lake_paths as lake_paths
from darrow._lake_arrays import of_bytes, of_numbers
from darrow._lake_commit import Commit
from darrow._lake_parts import give_back
from darrow._lake_read import Candidate, Chosen, Done, Hashed, read
from darrow._lake_state import DAMAGED, DUPLICATE, FAILED, OK, Entry, State
from darrow._lake_store import Store
from darrow._paths import shown
from darrow._value import Value
from darrow.dataset import Failure
from darrow.info import LOSS

# What was read becomes part of the lake when it is so many logs, took so long (seconds), or takes so much in staging.
COMMIT_LOGS = 20_000
COMMIT_SECONDS = 60.0
COMMIT_BYTES = 512 << 20


class Report(Value):
    """What an update did: numbers of logs.

    Attributes
    ----------
    found : int
        Files that were looked at.
    unchanged : int
        Not opened, because path, size and time of change are as they were.
    same : int
        Opened: their content is as it was.
    added, replaced : int
        New in the lake; with new content, whose rows took the place of the old ones.
    duplicates : int
        Of a content that the lake has from another log.
    damaged : int
        Of those added and replaced: something of them is lost.
    failed : int
        Could not be read: the table `failures` tells why.
    vanished : tuple of str
        Logs of the lake that are not there any more, first missed by this update. Their rows are kept.
    forgotten : int
        Logs that left the lake, because they have vanished.
    failures : tuple of (str, str)
        Logs and arguments that could not be read, and why.
    commits : int
        How often the lake was changed.
    """

    found: int
    unchanged: int
    same: int
    added: int
    replaced: int
    duplicates: int
    damaged: int
    failed: int
    vanished: tuple[str, ...]
    forgotten: int
    failures: tuple[tuple[str, str], ...]
    commits: int


_COUNTS = ("unchanged", "same", "added", "replaced", "duplicates", "damaged", "failed")


class Options(NamedTuple):
    threads: int
    forget_vanished: bool
    retry: bool
    progress: Callable[[int, int], None] | None
    commit_logs: int


class _Note(NamedTuple):
    """What is known of a slice of logs before its rows are there."""

    looked_at: int
    duplicates: list[Hashed]
    same: list[Candidate]
    failures: list[tuple[Hashed, Failure]]


class Update:
    """One update. The lake is locked."""

    def __init__(self, store: Store, arguments: Sequence[str | bytes | os.PathLike[Any]], options: Options) -> None:
        self._arguments = arguments
        self._options = options
        self._commit = Commit(store)
        self._pending: set[bytes] = set()  # digests of what is being read
        self._replaced: set[int] = set()  # logs of the state that have other content now
        self._failed: dict[bytes, Failure] = {}  # digest -> why such logs cannot be read
        self._told: list[tuple[str, str]] = []
        self._counts = dict.fromkeys(_COUNTS, 0)

    def run(self, found: lake_paths.Found | None = None) -> Report:
        """`found`: what the arguments stand for, if that is known already."""
        try:
            return self._run(lake_paths.find(self._arguments) if found is None else found)
        except BaseException:
            self._commit.writer.discard()
            raise

    def _run(self, found: lake_paths.Found) -> Report:
        give_back()  # paths as objects took more than what is kept of them
        self._told += found.failures
        todo, at = self._plan(found)
        seen = np.zeros(len(self._commit.state), bool)
        seen[at[at >= 0]] = True
        self._read(found, todo, at)
        vanished = self._missing(found.missing, seen)
        forgotten = self._forget() if self._options.forget_vanished else 0
        self._run_commit()
        return Report(
            found=len(found.keys),
            vanished=tuple(shown(key) for key in vanished),
            forgotten=forgotten,
            failures=tuple(self._told),
            commits=self._commit.count,
            **self._counts,
        )

    def _plan(self, found: lake_paths.Found) -> tuple[Any, Any]:
        """Which of the files have to be opened; and where all of them stand in the state."""
        state = self._commit.state
        at = state.find(found.keys)
        known = np.flatnonzero(at >= 0)
        rows = at[known]
        same = (state.size[rows] == found.size[known]) & (state.mtime[rows] == found.mtime[known])
        failed = state.status[rows] == FAILED
        same &= ~failed if self._options.retry else ~(failed & ~state.digests[rows].any(axis=1))
        self._counts["unchanged"] = int(same.sum())
        there_again = rows[same][state.vanished[rows[same]] > 0]
        self._commit.note(there_again, state.size[there_again], state.mtime[there_again])
        todo = np.ones(len(at), bool)
        todo[known[same]] = False
        return np.flatnonzero(todo), at

    def _candidates(self, found: lake_paths.Found, todo: Any, at: Any) -> Iterator[Candidate]:
        for start in range(0, len(todo), 1024):
            some = todo[start : start + 1024]
            columns = found.size[some].tolist(), found.mtime[some].tolist(), at[some].tolist()
            yield from map(Candidate, found.keys.take(of_numbers(some)).to_pylist(), *columns)

    # Reading

    def _read(self, found: lake_paths.Found, todo: Any, at: Any) -> None:
        started, seen = time.monotonic(), 0
        damaged: set[str] = set()
        with closing(read(self._candidates(found, todo, at), self._options.threads, self._choose)) as events:
            for event in events:
                if not isinstance(event, Done):
                    self._commit.writer.add(event.table, event.rows)
                    if event.table == "problems":
                        damaged |= _damaged(event.rows)
                    continue
                note: _Note = event.chosen.note
                self._finish(event, note, damaged)
                damaged.clear()
                seen += note.looked_at
                if self._options.progress is not None:
                    self._options.progress(seen, len(todo))
                due = time.monotonic() - started >= COMMIT_SECONDS or self._commit.writer.bytes >= COMMIT_BYTES
                if due or len(self._commit.entries) >= self._options.commit_logs:
                    self._run_commit()
                    started = time.monotonic()

    def _run_commit(self) -> None:
        for entry in self._commit.entries:
            self._pending.discard(entry.digest)
            self._replaced.discard(entry.row)
        self._commit.run()

    def _choose(self, logs: list[Hashed]) -> Chosen:
        """Which logs of a slice are read: those whose content the lake does not have."""
        state, chosen = self._commit.state, []
        note = _Note(len(logs), [], [], [])
        holders = dict(zip(digests := [one.digest for one in logs if one.digest], state.holders(digests), strict=True))
        for one in logs:
            row = one.log.row
            again = self._options.retry and row >= 0 and state.status[row] == FAILED
            if not one.digest:
                note.failures.append((one, Failure(shown(one.log.key), "io", one.reason, "", None)))
            elif row >= 0 and state.digest(row) == one.digest and not again:
                note.same.append(one.log)
            else:
                if self._is_held(one.digest, holders[one.digest]):
                    note.duplicates.append(one)
                else:
                    chosen.append(one)
                    self._pending.add(one.digest)
                if row >= 0:
                    self._replaced.add(row)
        return Chosen(chosen, note)

    def _is_held(self, digest: bytes, holder: int) -> bool:
        """Whether the rows of this content are in the lake (those of the log `holder`), or on their way there."""
        state = self._commit.state
        if digest in self._pending or holder < 0 or holder not in self._replaced:
            return digest in self._pending or holder >= 0
        return any(row not in self._replaced for row in state.duplicates([digest]).get(digest, ()))  # gets the rows

    def _finish(self, done: Done, note: _Note, damaged: set[str]) -> None:
        """A slice is read: its logs are part of the next commit."""
        failures = [*note.failures, *done.failures]
        self._failed |= {one.digest: failure for one, failure in done.failures}
        for one in note.duplicates:
            if (failure := self._failed.get(one.digest)) is None:
                self._enter(one, DUPLICATE)
            else:  # of a log that turned out to be none
                name = shown(one.log.key)
                message = failure.message.replace(failure.log, name)
                failures.append((one, Failure(name, failure.code, message, failure.region, failure.offset)))
        failed = {one.log.key for one, _ in done.failures}
        for one in done.chosen.logs:
            if one.log.key not in failed:
                self._enter(one, DAMAGED if shown(one.log.key) in damaged else OK)
        for one, failure in failures:
            self._fail(one, failure)
        for log in note.same:
            self._commit.note(log.row, log.size, log.mtime_ns)
            if self._commit.state.status[log.row] != FAILED:
                self._commit.good_again(shown(log.key))
        self._counts["same"] += len(note.same)

    def _enter(self, one: Hashed, status: int) -> None:
        log = one.log
        self._commit.enter(Entry(log.row, log.key, one.digest, log.size, log.mtime_ns, status))
        self._counts["damaged"] += status == DAMAGED
        if status == DUPLICATE:
            self._counts["duplicates"] += 1
        else:
            had_rows = log.row >= 0 and self._commit.state.status[log.row] <= DAMAGED
            self._counts["replaced" if had_rows else "added"] += 1

    def _fail(self, one: Hashed, failure: Failure) -> None:
        """A log that cannot be read. What the lake has of it from before stays, unless another log has that now."""
        log, state = one.log, self._commit.state
        self._pending.discard(one.digest)
        self._replaced.discard(log.row)
        if log.row < 0 or state.status[log.row] == FAILED or state.digest(log.row) in self._pending:
            self._commit.enter(Entry(log.row, log.key, one.digest, log.size, log.mtime_ns, FAILED))
        self._commit.fail(failure)
        self._counts["failed"] += 1
        self._told.append((failure.log, failure.reason))

    # Logs that are not there any more

    def _missing(self, missing: list[bytes], seen: Any) -> list[bytes]:
        """Marks the logs that the arguments stand for, and that have vanished.

        `missing`: paths that were named; `seen`: for each log that the lake knew before whether it was found.
        """
        state = self._commit.state
        scope = lake_paths.Scope(self._arguments)
        named = set(missing)
        vanished: list[bytes] = []
        rows: list[int] = []
        for row, key in _keys(state, np.flatnonzero(~seen & (state.vanished[: len(seen)] == 0))):
            if (key in scope and lake_paths.is_gone(key)) or key in named:
                rows.append(row)
                vanished.append(key)
        self._commit.miss(np.array(rows, np.int64))
        if missing:
            known = state.find(of_bytes(missing))
            self._told += _not_there(key for key, row in zip(missing, known, strict=True) if row < 0)
        return vanished

    def _forget(self) -> int:
        """Takes the logs that the arguments stand for, and that have vanished, out of the lake."""
        state = self._commit.state
        scope = lake_paths.Scope(self._arguments)
        gone = [row for row, key in _keys(state, np.flatnonzero(state.vanished > 0)) if key in scope]
        self._commit.forget(np.array(gone, np.int64))
        return len(gone)


def of_nothing(found: lake_paths.Found) -> Report | None:
    """The report if the arguments stand for no log and some of them lead nowhere: no reason for a new lake."""
    failures = *found.failures, *_not_there(found.missing)
    if len(found.keys) or not failures:
        return None
    return Report(found=0, vanished=(), forgotten=0, failures=failures, commits=0, **dict.fromkeys(_COUNTS, 0))


def _not_there(keys: Iterable[bytes]) -> list[tuple[str, str]]:
    return [(shown(key), "No such file or directory") for key in keys]


def _keys(state: State, rows: Any) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(rows), 4096):
        some = rows[start : start + 4096]
        yield from zip(some.tolist(), state.keys.take(of_numbers(some)).to_pylist(), strict=True)


def _damaged(problems: pa.Table) -> set[str]:
    """The logs of which something is lost."""
    losses = problems.filter(pc.equal(problems.column("severity").cast(pa.string()), LOSS))
    return set(losses.column("log").cast(pa.string()).to_pylist())
