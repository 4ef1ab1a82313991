"""The batches of a scan: read by several threads, handed out in the order of the logs."""

from __future__ import annotations

import math
import os
from collections import Counter

from darrow import _core
from darrow._in_order import InOrder
from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


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
        self._threads = threads
        self._costs: list[dict[str, int]] = []
        self._failures: list[tuple[Any, ...]] = []

    def __iter__(self) -> Iterator[_core.Table]:
        return iter(InOrder(self._logs, self._threads, self._scan))

    def counters(self) -> dict[str, int]:
        """What it cost so far."""
        total = Counter(self.no_cost())
        for cost in list(self._costs):
            total.update(cost)
        return dict(total)

    def failures(self) -> list[tuple[Any, ...]]:
        """Logs that could not be opened so far: position, code, message, region, offset."""
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
            self._costs.append(scan.counters())
            self._failures += [(first + position, *rest) for position, *rest in scan.failures()]
