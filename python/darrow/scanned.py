"""A table of many logs, read batch by batch."""

from __future__ import annotations

from copy import copy

from darrow import _core
from darrow._extras import load
from darrow._scan_batches import Filters
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow._aggregate import Aggregate, By
    from darrow._scan_batches import Batches
    from darrow.dataset import Dataset


class _ScanReader:
    """Reads the table each time that it is asked for; nothing is kept."""

    __slots__ = ("dataset", "error", "filters", "name")
    is_read = False
    error: BaseException | None  # of the last stream

    def __init__(self, dataset: Dataset, name: str, filters: Filters) -> None:
        self.dataset = dataset
        self.name = name
        self.filters = filters
        self.error = None

    def batches(self, rows: int = 0) -> Batches:
        return self.dataset._batches([self.name], self.filters, rows)

    def schema(self) -> _core.Table:
        columns = list(self.filters.columns)
        schema = _core.scan_schema(self.name, columns)
        return schema.select(columns) if columns else schema

    def take_error(self) -> BaseException | None:
        """What ended the last stream, once."""
        error, self.error = self.error, None
        return error

    def table(self) -> _core.Table:
        raise TypeError(f"{self.name} is not in memory: to_arrow(), to_polars(), batches()")


class ScannedTable(Table):
    """One table of a data set: the rows of all logs, one log after the other.

    Lazy: rows are read when something takes them, each time anew, in batches. Memory goes by the batch where whoever
    takes them does not keep them: `batches()`, `to_reader()`, `duckdb.sql("... from t")`, `aggregate()`.
    Any Arrow consumer takes it: `pyarrow.table(t)`, `polars.DataFrame(t)`.
    """

    __slots__ = ()

    _reader: _ScanReader

    def __init__(self, dataset: Dataset, name: str, filters: Filters | None = None) -> None:
        super().__init__(_ScanReader(dataset, name, filters or Filters()))

    def select(
        self,
        columns: str | Iterable[str] | None = None,
        *,
        ids: Iterable[int] | None = None,
        ranks: Iterable[int] | None = None,
        names: str | re.Pattern[str] | Iterable[str] | None = None,
        time: tuple[float | None, float | None] | None = None,
    ) -> ScannedTable:
        """Part of the table; the rest is not decoded. Filters of selections one after the other add up.

        Parameters
        ----------
        columns : str or iterable of str
            Only these columns, in the order of the table; `name_bytes` (binary) is there for the asking.
        ids, ranks : iterable of int
            Only records with one of these ids, of one of these ranks (-1: all ranks).
        names : str, or iterable of str
            Text, or a compiled pattern: a regular expression (syntax of RE2) that is found in the name. Several texts:
            the names themselves, as tables show them.
        time : (start, end)
            Of traces: only segments that overlap this time, in seconds since the start of the job; None: no bound. A
            segment belongs to it that starts before `end` and ends after `start`.

        Raises
        ------
        KeyError
            There is no such column.
        ValueError
            No column was selected, rows of a table without ids were, the pattern has an error, the table is no trace.
        """
        from darrow._select import narrowed

        reader = self._reader
        return ScannedTable(
            reader.dataset, reader.name, narrowed(reader.name, reader.filters, columns, ids, ranks, names, time)
        )

    def batches(self, rows: int = 0) -> Iterator[Table]:
        """The rows as tables of at most so many rows, one after the other; 0: as many as fit in a few megabytes.

        Batches end with the parts of logs that threads take, so they may be smaller. Memory: a few batches for each
        thread.
        """
        if rows < 0:
            raise ValueError("rows must not be negative")
        return self._each(rows)

    def _each(self, rows: int) -> Iterator[Table]:
        for batch in self._reader.batches(rows):
            yield Table(Held(batch))

    def to_reader(self, rows: int = 0) -> pa.RecordBatchReader:
        """The batches as pyarrow takes them. Needs pyarrow."""
        arrow = load("pyarrow", "to_reader()")
        return arrow.RecordBatchReader.from_stream(_Stream(self._reader, rows))

    def lazy(self) -> pl.LazyFrame:
        """A LazyFrame that reads only what a query needs: `darrow.scan_darshan()`. Needs polars."""
        from darrow._polars import lazy_frame

        return lazy_frame(self)

    def to_arrow(self) -> pa.Table:
        """All rows. Needs pyarrow."""
        return self._taken(super().to_arrow)

    def to_polars(self) -> pl.DataFrame:
        """All rows; `df.darrow.aggregate()` leads back. Needs polars. `lazy()` reads less."""
        frame: pl.DataFrame = self._taken(super().to_polars)
        return frame

    def to_pandas(self, dtype_backend: str = "pyarrow") -> pd.DataFrame:
        """All rows; 64-bit integers with nulls stay integers. Needs pandas and pyarrow. As `Table.to_pandas()`."""
        frame: pd.DataFrame = self._taken(super().to_pandas, dtype_backend)
        return frame

    def _taken(self, take: Callable[..., Any], *arguments: Any) -> Any:
        """What another package makes of the stream; errors of reading are ours, not those of the package."""
        self._reader.error = None
        try:
            return take(*arguments)
        except Exception as error:
            raise self._reader.take_error() or error from None

    def aggregate(self, by: By = None) -> Aggregate:
        """All records as one, or one for each group, each counter by its own rule: docs/aggregation.md.

        Records are added up log by log and not kept.

        Parameters
        ----------
        by : str, mapping, or list of these, optional
            As `Records.aggregate()`; also "job" (each log), "exe", "uid", "day", "host".

        Raises
        ------
        AggregationError
            The records do not combine, or this is no table of a module.
        """
        from darrow._aggregate_logs import aggregate_logs

        return aggregate_logs(self, by)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows as an Arrow stream capsule, batch by batch; each call begins anew."""
        return _Stream(self._reader, 0).__arrow_c_stream__()

    @property
    def nbytes(self) -> int:
        """Not known: nothing is kept."""
        raise AttributeError("a scanned table is not in memory: to_arrow().nbytes")

    def __len__(self) -> int:
        """Rows. The index knows those of modules; others are counted in one column."""
        reader = self._reader
        known = reader.dataset._known_rows(reader.name) if reader.filters.keeps_all_rows else None
        if known is not None:
            return known
        one = reader.filters.only(self.columns[0])
        return sum(batch.rows for batch in _ScanReader(reader.dataset, reader.name, one).batches())

    def column(self, name: str) -> list[Any]:
        """One column as Python objects; null is None. For large tables use Arrow."""
        part = self.select(name)
        return [value for batch in part._reader.batches() for value in batch.column(name, False)]

    def to_pylist(self) -> list[dict[str, Any]]:
        """Rows as dicts of Python objects. For large tables use Arrow."""
        return [row for batch in self.batches() for row in batch.to_pylist()]

    def __repr__(self) -> str:
        return f"<darrow.ScannedTable {self.name} of {self._reader.dataset!r}>"


class _Stream:
    """An Arrow stream of a table."""

    def __init__(self, reader: _ScanReader, rows: int) -> None:
        self._reader = reader
        self._batches = iter(reader.batches(rows))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _core.stream_of(self._reader.schema(), self._next)

    def _next(self) -> _core.Table | None:
        try:
            return next(self._batches, None)
        except BaseException as error:  # also an interrupt, which others make an error of their own
            # A copy has no traceback, whose frames hold this stream: what DuckDB keeps until Python has ended would be
            # part of a ring that nobody takes apart.
            self._reader.error = copy(error)
            raise
