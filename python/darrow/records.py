"""Records: a table of a log, read when it is needed."""

from __future__ import annotations

from _thread import allocate_lock

from darrow._source import plain_name
from darrow.errors import DarrowError
from darrow.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow import _core
    from darrow._aggregate import Aggregate, By
    from darrow._source import Source
    from darrow.info import ModuleInfo


class Reader:
    """Reads one table of a log, or some columns and rows of it, once."""

    __slots__ = ("_lock", "_table", "columns", "ids", "name", "part", "ranks", "source")

    def __init__(
        self,
        source: Source,
        name: str,
        part: str = "rows",
        columns: tuple[str, ...] = (),
        ids: frozenset[int] | None = None,
        ranks: frozenset[int] | None = None,
        table: _core.Table | None = None,
    ) -> None:
        self.source = source
        self.name = name
        self.part = part
        self.columns = columns
        self.ids = ids
        self.ranks = ranks
        self._lock = allocate_lock()
        self._table = table

    @property
    def is_read(self) -> bool:
        return self._table is not None

    def table(self) -> _core.Table:
        with self._lock:
            if self._table is None:
                self._table = self._read()
            return self._table

    def reads_all_of(self, module: str) -> bool:
        """Whether it reads whole records of that module from an open log."""
        is_whole = self.part == "rows" and not self.columns and not self.source.closed
        return is_whole and plain_name(self.name) == plain_name(module)

    def all_columns(self) -> _core.Table | None:
        """The table with all columns, if it was read so."""
        return None if self.columns else self._table

    def schema(self) -> _core.Table:
        """The table without rows; nothing is read for it."""
        if self._table is not None:
            return self._table.schema()
        return self._ordered(self.source.core.schema(self.name, self.part, list(self.columns)))

    def _read(self) -> _core.Table:
        ids = None if self.ids is None else list(self.ids)
        ranks = None if self.ranks is None else list(self.ranks)
        return self._ordered(self.source.core.table(self.name, self.part, list(self.columns), ids, ranks))

    def _ordered(self, table: _core.Table) -> _core.Table:
        return table.select(list(self.columns)) if self.columns else table

    def select(
        self, columns: tuple[str, ...], ids: frozenset[int] | None = None, ranks: frozenset[int] | None = None
    ) -> Reader:
        """Takes columns of a table that was read, else they are all that will be read. Filters add up."""
        every_row = ids is None and ranks is None
        columns = columns or self.columns
        ids = ids if self.ids is None or ids is None else ids & self.ids
        ranks = ranks if self.ranks is None or ranks is None else ranks & self.ranks
        selected = Reader(
            self.source, self.name, self.part, columns, self.ids if ids is None else ids,
            self.ranks if ranks is None else ranks,
        )  # fmt: skip
        table = self._table
        if every_row and table is not None and set(columns) <= set(table.columns):
            selected._table = selected._ordered(table)
        else:
            selected._check()
        return selected

    def _check(self) -> None:
        """KeyError for a column that the table does not have."""
        core = self.source.core
        try:
            core.schema(self.name, self.part, list(self.columns))
        except DarrowError:
            raise
        except ValueError as error:
            raise KeyError(str(error)) from None


class Records(Table):
    """The records of a module, or another table of a log, as Arrow columns.

    Nothing is read before something is asked for; then it is kept. A damaged region raises CorruptLogError at that
    moment if the log was opened with strict=True. Once read, the records stay usable when the log is closed.

    Any Arrow consumer takes it as it is, without copying numbers: `pyarrow.table(rec)`, `polars.DataFrame(rec)`,
    `duckdb.sql("from rec")`. Objects may be used from several threads.
    """

    __slots__ = ("_info",)

    _reader: Reader

    def __init__(self, reader: Reader, info: ModuleInfo | None = None, *, raw: bool = False) -> None:
        super().__init__(reader, raw=raw)
        self._info = info

    # What it is

    @property
    def info(self) -> ModuleInfo | None:
        """The module's entry in the log's header; None for a table that is no module."""
        return self._info

    @property
    def version(self) -> int:
        """Version of the module's layout in this log; 0 for a table that is no module."""
        return self._info.version if self._info else 0

    @property
    def partial(self) -> bool:
        """Whether the run time ran out of memory, so that records are missing."""
        return self._info is not None and self._info.partial

    def __repr__(self) -> str:
        version = f" version {self.version}" if self.version else ""
        notes = ", partial" * self.partial + ", raw" * self._raw
        if not self._reader.is_read:
            return f"<darrow.Records {self.name}{version}{notes}: not read yet>"
        table = self._reader.table()
        return f"<darrow.Records {self.name}{version}{notes}: {table.rows} rows, {len(table.columns)} columns>"

    # Other views

    @property
    def raw(self) -> Records:
        """The same with stored values: what is null here because it is stored as -1 is -1 there."""
        return type(self)(self._reader, self._info, raw=True)

    @property
    def records(self) -> Records:
        """A row for each record. Differs from the table itself only for DXT, where a row is a segment."""
        return self

    @property
    def header(self) -> dict[str, Any] | None:
        """The record that opens the region of APMPI and APXC; None elsewhere."""
        return None

    def select(
        self,
        columns: Iterable[str] | None = None,
        *,
        ids: Iterable[int] | None = None,
        ranks: Iterable[int] | None = None,
        names: str | re.Pattern[str] | None = None,
    ) -> Records:
        """Part of the records; the rest is not decoded. Filters of selections one after the other add up.

        Parameters
        ----------
        columns : iterable of str
            Only these columns, in this order. The column "name_bytes" (binary) is there for the asking: names as
            stored, maybe not UTF-8.
        ids : iterable of int
            Only records with one of these ids.
        ranks : iterable of int
            Only records of these ranks; -1 are records shared by all ranks.
        names : str or compiled pattern
            Only records whose name the regular expression finds, anywhere in it (as `re.search`).

        Raises
        ------
        KeyError
            There is no such column.
        ValueError
            Nothing was selected, or this is no table of a module and rows were selected.
        """
        wanted = (columns,) if isinstance(columns, str) else tuple(columns or ())
        if columns is not None and not wanted:
            raise ValueError("select() needs at least one column")
        if self._info is None and not (ids is None and ranks is None and names is None):
            raise ValueError(f"rows of {self.name} cannot be selected: it is no table of a module")
        chosen = None if ids is None else frozenset(map(int, ids))
        if names is not None:
            named = self._reader.source.ids_of(names)
            chosen = named if chosen is None else chosen & named
        of_ranks = None if ranks is None else frozenset(map(int, ranks))
        return type(self)(self._reader.select(wanted, chosen, of_ranks), self._info, raw=self._raw)

    def aggregate(self, by: By = None) -> Aggregate:
        """All these records as one, or one for each group, each counter by its own rule: docs/aggregation.md.

        Selected rows count, selected columns do not matter. Records are added up in batches and not kept.

        Parameters
        ----------
        by : str, mapping, or list of these, optional
            What to group by: "file", "rank", "mount", "fs", "dir:2", "ext", a column, {"h5": r"\\.h5$"}; see
            `darrow.aggregate()`.

        Returns
        -------
        Aggregate
            A table of one row, or a row for each group: the keys, `id`, `rank`, `records` (how many), the counters,
            lists of common values. For heat maps: a row for each layer, with its bins added over ranks.

        Raises
        ------
        AggregationError
            The records do not combine (LUSTRE, DXT, APMPI, APXC, tables that are no modules), a key is no column.
        CorruptLogError
            The region is damaged and the log strict.
        """
        from darrow._aggregate import aggregate_records

        return aggregate_records(self._reader, by)

    def expand_shared(self) -> pa.Table:
        """These records so that a plain sum of each counter is right; the rest is null: `darrow.expand_shared()`.

        Needs pyarrow.
        """
        from darrow._expand_shared import expand_shared

        return expand_shared(self)


class HeaderRecords(Records):
    """Records behind a header record (APMPI, APXC)."""

    __slots__ = ()

    @property
    def header(self) -> dict[str, Any] | None:
        """The record that opens the region, by field name; None if it is missing."""
        rows = Records(Reader(self._reader.source, self.name, "header"), self._info, raw=self._raw).to_pylist()
        return rows[0] if rows else None
