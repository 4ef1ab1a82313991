"""The batches of a scan: read by several threads, handed out in the order of the logs."""

from __future__ import annotations

import atexit
import math
import os
from collections import Counter, deque
from threading import Condition, Thread
from weakref import WeakSet

from darrow import _core
from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# Logs that one thread takes at a time, and batches that it may be ahead of whoever takes them.
_MOST_LOGS = 1024
_AHEAD = 3


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Filters(Value):
    """Which columns and rows a scan shall deliver; None, and no columns, mean all.

    Attributes
    ----------
    columns : tuple of str
        Only these, in the table's order.
    ids, ranks : frozenset of int, or None
        Only records with one of these.
    pattern : str or None
        Only records whose name this regular expression (RE2) finds.
    names : frozenset of str, or None
        Only records of these names, as tables show them.
    start, end : float or None
        Of traces only segments that overlap this time, in seconds since the start of the job.
    """

    columns: tuple[str, ...] = ()
    ids: frozenset[int] | None = None
    ranks: frozenset[int] | None = None
    pattern: str | None = None
    names: frozenset[str] | None = None
    start: float | None = None
    end: float | None = None

    @property
    def keeps_all_rows(self) -> bool:
        """Whether it leaves out columns only."""
        return self == Filters(self.columns)

    def only(self, column: str) -> Filters:
        """The same rows with one column."""
        return Filters((column,), self.ids, self.ranks, self.pattern, self.names, self.start, self.end)


def listed(values: Iterable[Any] | None) -> list[Any] | None:
    """As the core takes them."""
    return None if values is None else sorted(values)


class _Part:
    """Some logs that follow one another, and the batches that a thread has read of them."""

    def __init__(self, first: int, logs: list[bytes]) -> None:
        self.first = first
        self.logs = logs
        self.batches: deque[_core.Table] = deque()
        self.error: BaseException | None = None
        self.is_read = False


class Batches:
    """Tables of the core, each named by its `name`, to be gone through once; whoever goes no further ends the reading.

    With several threads, parts of the logs are read at the same time. Memory is bounded by the threads and the size of
    a batch.
    """

    def __init__(
        self,
        logs: list[bytes],
        tables: list[str],
        filters: Filters,
        rows: int = 0,
        threads: int = 1,
        strict: bool = False,
        max_region_bytes: int = _core.default_max_region_bytes,
    ) -> None:
        self._logs = logs
        self._arguments = (tables, filters, rows, strict, max_region_bytes)
        self._counters: Counter[str] = Counter()
        self._failures: list[tuple[Any, ...]] = []
        self._threads = min(threads, len(logs))
        self._workers: list[Thread] = []
        self._changed = Condition()
        self._stopped = False

    def __iter__(self) -> Iterator[_core.Table]:
        return self._in_threads() if self._threads > 1 else self._scan(0, self._logs)

    def counters(self) -> dict[str, int]:
        """What it cost so far."""
        with self._changed:
            return self.no_cost() | dict(self._counters)

    def failures(self) -> list[tuple[Any, ...]]:
        """Logs that could not be opened so far: position, code, message, region, offset."""
        with self._changed:
            return sorted(self._failures, key=lambda failure: failure[0])

    @staticmethod
    def no_cost() -> dict[str, int]:
        """All counters at 0."""
        return dict.fromkeys(("logs_opened", "bytes_inflated", "columns_decoded", "records_copied"), 0)

    def _scan(self, first: int, logs: list[bytes]) -> Iterator[_core.Table]:
        """The batches of some logs; `first` is the position of the first of them among all."""
        tables, filters, rows, strict, max_region_bytes = self._arguments
        # Without a bound also what starts at an infinite time is within: no number is none to the core.
        end = math.nan if filters.end is None and filters.start is not None else filters.end
        scan = _core.Scan(
            logs,
            tables,
            list(filters.columns),
            listed(filters.ids),
            listed(filters.ranks),
            filters.pattern,
            listed(filters.names),
            filters.start,
            end,
            rows,
            0,
            max_region_bytes,
            strict,
        )
        try:
            while (batch := scan.next()) is not None:
                yield batch.select(list(filters.columns)) if filters.columns else batch
        finally:
            with self._changed:
                self._counters.update(scan.counters())
                self._failures += [(first + position, *rest) for position, *rest in scan.failures()]

    def _in_threads(self) -> Iterator[_core.Table]:
        """The batches of parts of the logs, part after part, while threads read the next ones."""
        size = max(1, min(_MOST_LOGS, -(-len(self._logs) // (4 * self._threads))))
        parts = [_Part(first, self._logs[first : first + size]) for first in range(0, len(self._logs), size)]
        waiting = deque(parts)
        self._workers = [Thread(target=self._work, args=(waiting,), daemon=True) for _ in range(self._threads)]
        _running.add(self)
        for thread in self._workers:
            thread.start()
        try:
            for part in parts:
                while (batch := self._next_of(part)) is not None:
                    yield batch
        finally:
            self.stop()

    def stop(self) -> None:
        """Ends the reading of the threads, and waits for them."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        for thread in self._workers:
            if thread.ident is not None:
                thread.join()

    def _next_of(self, part: _Part) -> _core.Table | None:
        with self._changed:
            self._changed.wait_for(lambda: part.batches or part.is_read)
            if part.batches:
                self._changed.notify_all()
                return part.batches.popleft()
        error, part.error = part.error, None
        try:
            if error is not None:
                raise error
        finally:
            del error  # its traceback holds this frame: a ring otherwise
        return None

    def _work(self, waiting: deque[_Part]) -> None:
        """Reads one part after the other until none waits."""
        while not self._stopped:
            try:
                part = waiting.popleft()
            except IndexError:
                return
            try:
                for batch in self._scan(part.first, part.logs):
                    if not self._put(part, batch):
                        break
            except BaseException as error:
                part.error = error
            with self._changed:
                part.is_read = True
                self._changed.notify_all()

    def _put(self, part: _Part, batch: _core.Table) -> bool:
        """False if nobody wants it any more."""
        with self._changed:
            self._changed.wait_for(lambda: len(part.batches) < _AHEAD or self._stopped)
            part.batches.append(batch)
            self._changed.notify_all()
            return not self._stopped


# Threads that still read when Python ends would end the process with an abort: they are stopped before.
_running: WeakSet[Batches] = WeakSet()


@atexit.register
def _stop_all() -> None:
    for batches in list(_running):
        batches.stop()


if hasattr(os, "register_at_fork"):  # a child has none of the threads
    os.register_at_fork(after_in_child=_running.clear)
