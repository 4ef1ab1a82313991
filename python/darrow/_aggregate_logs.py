"""Many logs added up: counters of one module, or metrics of all, by groups."""

from __future__ import annotations

from darrow import _core
from darrow._aggregate import Aggregate, aggregation_errors, grouping_of, problems_of
from darrow._in_order import InOrder
from darrow._scan_batches import listed
from darrow.errors import CorruptLogError, DarrowError, UnsupportedVersionError
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from darrow._aggregate import By
    from darrow.dataset import Dataset
    from darrow.info import Problem
    from darrow.scanned import ScannedTable


def aggregate_logs(table: ScannedTable, by: By) -> Aggregate:
    """The records of a scanned table as `ScannedTable.aggregate()` tells."""
    reader = table._reader
    dataset, filters = reader.dataset, reader.filters
    keys, patterns = grouping_of(by)

    def sums() -> _core.RecordSums:
        return _core.RecordSums.create(reader.name, keys, patterns)

    def add(part: _core.RecordSums, log: _core.Log) -> None:
        ids = _core.ids_of(log, listed(filters.ids), filters.pattern, listed(filters.names))
        part.add(log, ids, listed(filters.ranks))

    with aggregation_errors():
        record, missing, problems = _added_up(dataset, sums, add).parts()
    return Aggregate(record, missing, problems_of(problems))


def summarize_logs(dataset: Dataset, by: By, modules: str | Iterable[str] | None, layer: str, sort: str) -> LogGroups:
    """Metrics of the logs of a data set as `Dataset.summary()` tells."""
    if layer not in ("module", "bottom"):
        raise ValueError(f'layer is "module" or "bottom", not {layer!r}')
    keys, patterns = grouping_of(by)
    chosen = [modules] if isinstance(modules, str) else list(modules or ())

    def sums() -> _core.GroupSummary:
        return _core.GroupSummary.create(keys, patterns, chosen, layer == "bottom")

    def add(part: _core.GroupSummary, log: _core.Log) -> None:
        part.add(log)

    with aggregation_errors():
        table, problems = _added_up(dataset, sums, add).groups(sort)
    return LogGroups(table, problems_of(problems))


class LogGroups(Table):
    """Metrics of many logs, a row for each module (or "bottom") and group.

    Attributes
    ----------
    problems : list of Problem
        What was left out of groups.
    """

    __slots__ = ("problems",)

    def __init__(self, table: _core.Table, problems: list[Problem]) -> None:
        super().__init__(Held(table))
        self.problems = problems


def _added_up(dataset: Dataset, sums: Callable[[], Any], add: Callable[[Any, _core.Log], None]) -> Any:
    """All logs added to sums: parts of the logs in threads, which are merged in the order of the logs.

    As in a scan, logs that cannot be read are left out, which `Dataset.failures` tells, and modules of versions that
    nobody knows, which the table problems tells.
    """

    def add_part(_: int, logs: list[bytes]) -> Iterator[Any]:
        part = sums()
        for path in logs:
            yield None  # the work may end here
            try:
                log = _core.Log.open(path, dataset._strict, dataset._max_region_bytes)
            except (DarrowError, OSError) as error:
                if dataset._strict and isinstance(error, CorruptLogError):  # as a scan does
                    raise
                continue
            try:
                add(part, log)
            except UnsupportedVersionError:
                if dataset._strict:
                    raise
        yield part

    total = sums()
    for part in InOrder(dataset._paths, dataset._threads, add_part):
        total.merge(part)
    return total
