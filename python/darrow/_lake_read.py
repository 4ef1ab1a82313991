"""Logs read by several threads, handed over in the order in which they were given."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, Thread
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

from darrow import _core
from darrow._parquet import arrow_rows
from darrow._paths import shown
from darrow.dataset import Failure
from darrow.table import Held, Table

# Logs that are read in one go: so many, or so many bytes of them.
SLICE_LOGS = 256
SLICE_BYTES = 16 << 20
# What of a slice may wait in memory to be written, in bytes.
_WAITING_BYTES = 24 << 20


class Candidate(NamedTuple):
    """A log to look at: its path, how the file was when it was found, where the lake knows it (-1: not)."""

    key: bytes
    size: int
    mtime_ns: int
    row: int


class Hashed(NamedTuple):
    """A log whose bytes are known. `digest` is empty if the file could not be read: `reason` tells."""

    log: Candidate
    digest: bytes
    reason: str


class Batch(NamedTuple):
    """Rows of a table."""

    table: str
    rows: pa.Table


class Chosen(NamedTuple):
    """Of a slice the logs whose rows are wanted; and what is to be noted of all of it once they are there."""

    logs: list[Hashed]
    note: Any


class Done(NamedTuple):
    """A slice is complete: what was chosen of it, and those of its logs that could not be opened."""

    chosen: Chosen
    failures: list[tuple[Hashed, Failure]]


def slices(logs: Iterable[Candidate]) -> Iterator[list[Candidate]]:
    """Logs in groups that are read in one go."""
    group: list[Candidate] = []
    size = 0
    for log in logs:
        if group and (len(group) >= SLICE_LOGS or size + log.size > SLICE_BYTES):
            yield group
            group, size = [], 0
        group.append(log)
        size += log.size
    if group:
        yield group


def _hash(logs: list[Candidate], stopped: Callable[[], bool]) -> list[Hashed]:
    return [_hash_one(log, stopped) for log in logs]


def _hash_one(log: Candidate, stopped: Callable[[], bool]) -> Hashed:
    """128 bits of BLAKE2b of the file."""
    try:
        descriptor = os.open(log.key, os.O_RDONLY | os.O_CLOEXEC)
        try:
            about = os.fstat(descriptor)  # from before reading: a log that grows meanwhile is read again next time
            log = log._replace(size=about.st_size, mtime_ns=about.st_mtime_ns)
            hasher = hashlib.blake2b(digest_size=16)
            while (data := os.read(descriptor, min(about.st_size + 1, 1 << 20))) and not stopped():
                hasher.update(data)
        finally:
            os.close(descriptor)
    except OSError as error:
        return Hashed(log, b"", error.strerror or str(error))
    return Hashed(log, hasher.digest(), "")


class _Slice:
    """A thread that scans some logs; what it has read waits for `__iter__`, not more than a few batches of it."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._waiting: deque[Batch] = deque()
        self._bytes = 0
        self._end: Done | BaseException | None = None
        self._stopped = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="darrow-lake", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        end: Done | BaseException
        try:
            logs = self._chosen.logs
            reader = _core.Scan([one.log.key for one in logs])
            while not self._stopped and (batch := reader.next()) is not None:
                self._put(Batch(batch.name, arrow_rows(Table(Held(batch)))))
            failed = [
                (logs[at], Failure(shown(logs[at].log.key), code, what, region, offset))
                for at, code, what, region, offset in reader.failures()
            ]
            end = Done(self._chosen, failed)
        except BaseException as error:  # of this thread; raised again in the one that waits
            end = error
        with self._changed:
            self._end = end
            self._changed.notify_all()

    def _put(self, batch: Batch) -> None:
        size = batch.rows.nbytes
        with self._changed:
            while self._bytes and self._bytes + size > _WAITING_BYTES and not self._stopped:
                self._changed.wait()
            self._waiting.append(batch)
            self._bytes += size
            self._changed.notify_all()

    def __iter__(self) -> Iterator[Batch | Done]:
        while True:
            with self._changed:
                while not self._waiting and self._end is None:
                    self._changed.wait(0.2)  # not without end: signals are looked at in between
                if not self._waiting:
                    break
                batch = self._waiting.popleft()
                self._bytes -= batch.rows.nbytes
                self._changed.notify_all()
            yield batch
        if isinstance(self._end, BaseException):
            raise self._end
        if self._end is not None:
            yield self._end

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def join(self) -> None:
        self._thread.join()


def read(
    logs: Iterable[Candidate], threads: int, choose: Callable[[list[Hashed]], Chosen]
) -> Generator[Batch | Done, None, None]:
    """Hashes logs, asks which of them are to be read, and gives their rows.

    `choose` is called in the order of the logs, and the rows come in that order, whatever the number of threads. Memory
    holds a few batches for each thread.
    """
    groups = slices(logs)
    running: deque[_Slice] = deque()
    hashing: deque[Future[list[Hashed]]] = deque()
    stopped = False
    pool = ThreadPoolExecutor(threads, "darrow-lake")
    try:
        while True:
            while len(hashing) < threads + 1 and (group := next(groups, None)) is not None:
                hashing.append(pool.submit(_hash, group, lambda: stopped))
            while hashing and len(running) < threads and (not running or hashing[0].done()):
                running.append(_Slice(choose(hashing.popleft().result())))
                if (group := next(groups, None)) is not None:
                    hashing.append(pool.submit(_hash, group, lambda: stopped))
            if not running:
                return
            yield from running[0]
            running.popleft()
    finally:
        stopped = True
        for one in running:
            one.stop()
        pool.shutdown(cancel_futures=True)
        for one in running:
            one.join()
