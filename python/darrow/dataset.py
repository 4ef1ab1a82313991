"""Many logs as one data set."""

from __future__ import annotations

import os

from darrow import _core
from darrow._scan_batches import Batches, Filters, processors
from darrow._source import plain_name
from darrow._value import Value
from darrow.scanned import ScannedTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow._aggregate import By
    from darrow._aggregate_logs import LogGroups
    from darrow._export import Exported

    Path: TypeAlias = "str | bytes | os.PathLike[str] | os.PathLike[bytes]"


class Failure(Value):
    """A log that could not be read.

    Attributes
    ----------
    log : str
        Its path.
    code : str
        Why, in one word: "io", "not_a_log", "unfinished", "truncated", "corrupt", ...
    message : str
        One line: what was expected and what was found.
    region : str
        Where, or "".
    offset : int or None
        The byte of the file, if there is one.
    """

    log: str
    code: str
    message: str
    region: str
    offset: int | None

    @property
    def reason(self) -> str:
        """The message, with the place."""
        places = [self.region] * bool(self.region) + [f"byte {self.offset}"] * (self.offset is not None)
        return self.message + f" ({', '.join(places)})" * bool(places)

    def __str__(self) -> str:
        return f"{self.log}: {self.reason}"


def scan(
    paths: Path | Iterable[Path],
    *,
    index: str | os.PathLike[str] | None = None,
    strict: bool = False,
    threads: int | None = None,
    max_region_bytes: int = _core.default_max_region_bytes,
) -> Dataset:
    """Many logs as one data set: tables that are read when they are needed, batch by batch.

    Only paths are looked for at first. Each table is that of one log (docs/tables.md) with the columns `log` and
    `jobid` before the others, row after row in the order of the logs. A log that cannot be read is a row of
    `Dataset.failures`, and the others are still read.

    Parameters
    ----------
    paths : path, or iterable of paths
        Logs; directories, below which all `*.darshan` and `*.darshan_partial` count; patterns with `*`, `?`, `[`, `**`
        for directories of any depth; `@FILE`, a list with a path a line.
    index : path, optional
        A file that keeps `Dataset.index` from one program to the next. Logs that have the same size and time of
        modification are not read again for it. Needs pyarrow.
    strict : bool
        True: what would lose data raises CorruptLogError. False: what is intact is delivered; the tables `problems` and
        `modules` tell of damage.
    threads : int, optional
        How many logs are read at the same time; one a processor unless given. The result is the same.
    max_region_bytes : int
        No region is inflated beyond this many bytes (default 4 GiB); what lies behind is lost.

    Raises
    ------
    FileNotFoundError
        There is no such path, or no log below a directory.
    """
    if max_region_bytes <= 0:
        raise ValueError("max_region_bytes must be positive")
    if threads is not None and threads < 1:
        raise ValueError("threads must be positive")
    from darrow._paths import log_paths

    logs = log_paths(paths)
    return Dataset(logs, index=index, strict=strict, threads=threads, max_region_bytes=max_region_bytes)


class Dataset:
    """Logs as tables that hold the rows of all of them. Made by `darrow.scan()`.

    `ds["POSIX"]` or `ds.table("posix")` is a table; nothing is read before it is asked for, and nothing is kept but the
    index.

    Attributes
    ----------
    logs : list of str
        Paths, in the order of rows.
    """

    def __init__(
        self,
        logs: list[bytes],
        *,
        index: str | os.PathLike[str] | None = None,
        strict: bool = False,
        threads: int | None = None,
        max_region_bytes: int = _core.default_max_region_bytes,
    ) -> None:
        self.logs = [os.fsdecode(log) for log in logs]
        self._paths = logs
        self._index_path = index
        self._index: pa.Table | None = None
        self._known: tuple[list[str], list[Failure]] | None = None
        self._strict = strict
        self._threads = threads or processors()
        self._max_region_bytes = max_region_bytes
        self._last: Batches | None = None

    # Tables

    def table(self, name: str) -> ScannedTable:
        """A table by its SQL name ("posix", "jobs", ...) or a module's name. All there can be: `darrow.scan_tables()`.

        Raises
        ------
        KeyError
            There is no such table.
        """
        if not isinstance(name, str):
            raise TypeError(f"tables go by their names, not by {name!r}")
        return ScannedTable(self, table_called(name))

    __getitem__ = table

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and table_called(name) in self.tables
        except KeyError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __bool__(self) -> bool:
        return True

    @property
    def tables(self) -> list[str]:
        """The tables that some log has rows of, by their SQL names. Opens every log."""
        return self._headers()[0]

    # What is known of the logs

    @property
    def index(self) -> pa.Table:
        """What each log holds: its modules with records, sizes and damage. All logs are read for it once. Needs
        pyarrow.

        Returns
        -------
        pyarrow.Table
            A row for each module of a log, or one for a log that has none or cannot be read; also of a log that is
            given twice only once: `log`, `size` (bytes),
            `mtime_ns` (Unix time), `jobid`, the columns of the table `modules` with `inflated` (bytes), `records` and
            `damaged`, and why a log cannot be read: `code`, `message`, `region`, `byte`.
        """
        if self._index is None:
            from darrow._index import index_of

            self._index = index_of(self)
        return self._index

    @property
    def failures(self) -> list[Failure]:
        """The logs that cannot be read, with the reason. Opens every log unless the index was made."""
        return self._headers()[1]

    def _headers(self) -> tuple[list[str], list[Failure]]:
        """The tables with rows, and the logs that cannot be read: from the headers of all logs."""
        if self._known is None:
            columns = ("module", "length", "status")
            batches = Batches(
                self._paths, ["modules"], Filters(columns), 0, self._threads, False, self._max_region_bytes
            )
            there = {
                module
                for batch in batches
                for module, length, status in zip(*(batch.column(name, False) for name in columns), strict=True)
                if length and status == "readable"
            }
            self._known = (
                _tables_of(there),
                [Failure(self.logs[position], *rest) for position, *rest in batches.failures()],
            )
        return self._known

    def _known_rows(self, table: str) -> int | None:
        """How many rows the index knows a table to have."""
        if self._index is None:
            return None
        from darrow._index import rows_of

        return rows_of(self, self._index, table)

    @property
    def counters(self) -> dict[str, int]:
        """What the last scan cost: `logs_opened`, `bytes_inflated`, `columns_decoded`, `records_copied`."""
        return self._last.counters() if self._last else Batches.no_cost()

    def summary(
        self, by: By = None, *, modules: str | Iterable[str] | None = None, layer: str = "module", sort: str = "bytes"
    ) -> LogGroups:
        """Metrics of all logs, in one group or many: what `darrow summary --by` shows (docs/grouping.md).

        Counts, bytes and times are added up; a rate is all bytes over all of the time. A log given twice counts twice.

        Parameters
        ----------
        by : str, mapping, or list of these, optional
            "job" (each log), "exe", "uid", "day", "host", "file", "rank", "mount", "fs", "dir:2", "ext"; a mapping of
            names to regular expressions (RE2). None: one group a module.
        modules : str or iterable of str, optional
            Only these.
        layer : {"module", "bottom"}
            "bottom": POSIX, STDIO and DFS as one layer.
        sort : str
            A metric or "jobs" (the largest first), or a key.

        Returns
        -------
        LogGroups
            A table: `module`, the keys, `jobs` (logs with records here), the metrics, `partial`, `damaged`.

        Raises
        ------
        AggregationError
            There is no such key, module or metric.
        """
        from darrow._aggregate_logs import summarize_logs

        return summarize_logs(self, by, modules, layer, sort)

    # Out

    def to_parquet(self, directory: str | os.PathLike[str], *, overwrite: bool = False) -> Exported:
        """Writes all tables into a directory, a Parquet file each: docs/parquet.md. `darrow import` makes logs of them
        again.

        Parameters
        ----------
        directory : path
            Made if it is not there.
        overwrite : bool
            Replace the tables of an earlier export.

        Returns
        -------
        Exported
            Rows by table, logs, failures.

        Raises
        ------
        FileExistsError
            The directory is not empty.
        DarrowError
            No log could be read.
        """
        from darrow._export import export

        return export(self, directory, overwrite=overwrite)

    # Inside

    def _batches(self, tables: list[str], filters: Filters, rows: int = 0) -> Batches:
        """A new scan of some tables; empty: all."""
        self._last = Batches(self._paths, tables, filters, rows, self._threads, self._strict, self._max_region_bytes)
        return self._last

    def __repr__(self) -> str:
        what = f"{len(self.logs)} logs" if len(self.logs) != 1 else repr(self.logs[0])
        return f"<darrow.Dataset {what}>"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a data set cannot be pickled: pickle its paths")


def scan_tables() -> list[str]:
    """The name of every table that a data set can have, by its SQL name."""
    return [table.name for table in _core.scan_tables()]


def table_called(name: str) -> str:
    """The table of that name, or of the module of that name in any spelling. KeyError if there is none."""
    plain = plain_name(name)
    plain = {"job": "jobs"}.get(plain, plain)
    for table in scan_tables():
        if plain_name(table) == plain:
            return table
    known = sorted(_core.scan_tables(), key=lambda table: table.module is not None and table.module.example)
    raise KeyError(f"no table {name}; there are: {', '.join(table.name for table in known)}")


def _tables_of(modules: set[str]) -> list[str]:
    """The tables that logs with these modules have rows of, and those that every log has."""
    return [table.name for table in _core.scan_tables() if table.module is None or table.module.name in modules]
