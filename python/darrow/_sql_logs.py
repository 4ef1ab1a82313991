"""Tables of logs for DuckDB: only the columns and rows that a query asks for are read, batch by batch."""

from __future__ import annotations

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import dataset  # type: ignore[import-untyped, unused-ignore]

from darrow._paths import shown
from darrow._scan_batches import Batches, Filters
from darrow._select import selectable_by
from darrow._sql_filter import columns_of, least, most, tree_of, values_of
from darrow._tables import FAILURES, failures_table, table_schema
from darrow.dataset import Failure
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from darrow.dataset import Dataset


class LogTables:
    """The tables of a data set, and what reading them has cost so far."""

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self._scans: list[Batches] = []
        self._failures: dict[str, Failure] = {}
        self._error: Exception | None = None

    def table(self, name: str) -> LogTable:
        """A table as DuckDB takes it; each scan of it reads anew."""
        return LogTable(self, name)

    def batches(self, table: str, filters: Filters, logs: frozenset[str] | None) -> Iterator[Any]:
        """The rows of the logs of these names, or of all."""
        paths = self.data._paths
        if logs is not None:
            paths = [path for path in paths if shown(path) in logs]
        if not paths:
            return
        data = self.data
        scan = Batches(paths, [table], filters, 0, data._threads, data._strict, data._max_region_bytes)
        self._scans.append(scan)
        try:
            yield from scan
        except Exception as error:
            self._error = error
            raise
        finally:
            for position, *rest in scan.failures():
                log = shown(paths[position])
                self._failures[log] = Failure(log, *rest)

    def rows_of_failures(self) -> Iterator[Any]:
        """The logs that cannot be opened, as a table."""
        for _ in self.batches("modules", Filters(("id",)), None):
            pass
        yield failures_table(self.failures)

    def take_error(self) -> Exception | None:
        """What ended a scan, once."""
        error, self._error = self._error, None
        return error

    @property
    def failures(self) -> list[Failure]:
        """Logs that could not be opened so far, in order."""
        order = {shown(path): i for i, path in enumerate(self.data._paths)}
        return sorted(self._failures.values(), key=lambda failure: order[failure.log])

    @property
    def counters(self) -> dict[str, int]:
        """What all scans have cost so far."""
        total = Batches.no_cost()
        for scan in self._scans:
            total = {name: total[name] + count for name, count in scan.counters().items()}
        return total


class LogTable(dataset.Dataset):  # type: ignore[misc, unused-ignore]
    """One table. DuckDB knows it as a Dataset of pyarrow, and calls scanner() with columns and a filter."""

    def __init__(self, tables: LogTables, name: str) -> None:
        self._tables = tables
        self._name = name
        self._schema = table_schema(name)

    @property
    def schema(self) -> Any:
        return self._schema

    def scanner(self, columns: Iterable[str] | None = None, filter: Any = None, **_: Any) -> _Scanner:
        """Reads these columns (None: all) of the rows that fulfil the filter."""
        return _Scanner(self._tables, self._name, self._schema, columns, filter)


class _Scanner:
    """One reading of a table."""

    def __init__(
        self, tables: LogTables, name: str, schema: Any, columns: Iterable[str] | None, condition: Any
    ) -> None:
        self._tables = tables
        self._name = name
        self._condition = condition
        wanted = schema.names if columns is None else list(columns)
        self.projected_schema = pa.schema([schema.field(column) for column in wanted])
        tree = None if condition is None else tree_of(condition)
        looked_at = {*wanted, *columns_of(tree)} if tree else set(wanted if condition is None else schema.names)
        columns_read = tuple(column for column in schema.names if column in looked_at)
        self._filters, self._logs = _pushed(name, columns_read, tree)

    def to_reader(self) -> Any:
        return pa.RecordBatchReader.from_batches(self.projected_schema, self._batches())

    def _batches(self) -> Iterator[Any]:
        if self._name == FAILURES:
            tables = self._tables.rows_of_failures()
        else:
            tables = self._tables.batches(self._name, self._filters, self._logs)
        for batch in tables:
            table = batch if isinstance(batch, pa.Table) else pa.table(Table(Held(batch)))
            if self._condition is not None:
                table = table.filter(self._condition)
            yield from table.select(self.projected_schema.names).cast(self.projected_schema).to_batches()


def _pushed(table: str, columns: tuple[str, ...], tree: Any) -> tuple[Filters, frozenset[str] | None]:
    """What a scan can leave out: rows that cannot be wanted, logs that have none of them."""
    if not tree:
        return Filters(columns), None
    logs = values_of(tree, "log")
    there = selectable_by(table)
    filters = Filters(
        columns,
        ids=values_of(tree, "id") if "ids" in there else None,
        ranks=values_of(tree, "rank") if "ranks" in there else None,
        names=values_of(tree, "name") if "names" in there else None,
        start=least(tree, "end") if "time" in there else None,
        end=most(tree, "start") if "time" in there else None,
    )
    return filters, logs
