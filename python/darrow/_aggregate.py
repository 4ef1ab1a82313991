"""Records as one, or as one for each group."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from operator import index

from darrow import _core
from darrow._arrow import tables_of
from darrow._source import plain_name
from darrow.errors import AggregationError, DarrowError
from darrow.info import Problem
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias

    from darrow._arrow import Tables
    from darrow.records import Reader, Records

    Key: TypeAlias = "str | Mapping[str, str | re.Pattern[str]]"
    By: TypeAlias = "Key | Iterable[Key] | None"


class Aggregate(Table):
    """Records of a module as one, or a row for each group, each counter by its own rule.

    If there is one row, a value is had as item or attribute: `agg["POSIX_READS"]`, `agg.records`. None: nothing was
    recorded, or the rule gives no value (say, a chunk size that differs between files).

    Attributes
    ----------
    missing : Table
        The same counters: in how many of the records each one was missing. Without columns for heat maps.
    problems : list of Problem
        What was left out: values that cannot be true, sums that do not fit 64 bits.
    """

    __slots__ = ("_values", "missing", "problems")

    def __init__(self, table: _core.Table, missing: _core.Table, problems: list[Problem]) -> None:
        super().__init__(Held(table))
        self._values: dict[str, Any] | None = None
        self.missing = Table(Held(missing))
        self.problems = problems

    def _row(self) -> dict[str, Any]:
        if self._values is None:
            rows = self.to_pylist()
            if len(rows) != 1:
                raise ValueError(f"this aggregate has {len(rows)} rows: use column() or to_pylist()")
            self._values = rows[0]
        return self._values

    def __getitem__(self, column: str) -> Any:
        try:
            return self._row()[column]
        except KeyError:
            raise KeyError(f"no column {column} in the aggregate of {self.name}") from None

    def __getattr__(self, column: str) -> Any:
        if column.startswith("_") or column not in self.columns:
            raise AttributeError(f"the aggregate has no attribute or column {column!r}")
        return self[column]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.columns})

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __repr__(self) -> str:
        records = self.column("records")
        rows = f"{len(self)} rows, " if len(self) != 1 else ""
        return f"<darrow.Aggregate {self.name}: {rows}{sum(records)} records, {len(self.columns)} columns>"


@contextmanager
def aggregation_errors() -> Iterator[None]:
    """What has no aggregate is an AggregationError; damage stays what it is."""
    try:
        yield
    except DarrowError:
        raise
    except ValueError as error:
        raise AggregationError(str(error)) from None


def problems_of(rows: Iterable[Any]) -> list[Problem]:
    """Problems as Python objects."""
    return [Problem(*row) for row in rows]


def combined(reader: Reader, of_log: Any, of_table: Any, *known: Any) -> Any:
    """What a function of the core makes of the records: of the table, unless they have to be read (again)."""
    table = reader.all_columns()
    if table is None:
        core = reader.source.core  # a closed log is no AggregationError
        ids, ranks = (None if wanted is None else list(wanted) for wanted in (reader.ids, reader.ranks))
    with aggregation_errors():
        return of_log(core, reader.name, ids, ranks) if table is None else of_table(table, *known)


def aggregate_records(reader: Reader, by: By = None) -> Aggregate:
    """The records of a reader as one, or one for each group; read again unless they are there with all columns."""
    keys, patterns = grouping_of(by)

    def of_log(core: _core.Log, name: str, ids: Any, ranks: Any) -> Any:
        return _core.aggregate_log(core, name, ids, ranks, keys, patterns)

    def of_table(table: _core.Table) -> Any:
        return _core.aggregate_tables([table], table.name, keys, patterns, 0)

    record, missing, problems = combined(reader, of_log, of_table)
    return Aggregate(record, missing, problems_of(problems))


def aggregate(data: Any, by: By = None, *, module: str | None = None, nprocs: int | None = None) -> Aggregate:
    """Records of a module as one, or one for each group: those of a log, or a dataframe after filtering.

    Parameters
    ----------
    data : Records, or table
        Anything with the Arrow interface (pyarrow, Polars, pandas, DuckDB, nanoarrow) with the columns `id`, `rank` and
        counters of one module, found by their names: in any order, of any type that holds the values. Counters that
        were left out are not in the aggregate, but those that only make sense together have to be there together.
    by : str, mapping, or list of these, optional
        "file" (the id, told with its name), "rank", "mount", "fs" (file system type), "dir:2" (directory to that
        depth), "ext", or any other column of the table. A mapping of names to regular expressions (syntax of RE2)
        gives a row for each pattern; a record may be in several of them, and those of none are in a row of null.
    module : str, optional
        Whose records they are; needed only if no column tells.
    nprocs : int, optional
        Processes of the job: records of ranks beyond are told as a problem.

    Returns
    -------
    Aggregate
        A row, or a row for each group: the keys, `id` (of the file, if it is one), `rank` (of one file: its rank, or -1
        for several), `records`, the counters, lists of common values. Null: nothing was recorded, or the rule gives no
        value.

    Raises
    ------
    AggregationError
        A column is missing that a rule or a key needs, values are not what a counter holds (floats beyond 2^53
        included), columns of several modules, records that do not combine, jobs of different `nprocs` that no key keeps
        apart.
    """
    from darrow.records import Records

    if isinstance(data, Records) and nprocs is None:
        check_module(data, module)
        return data.aggregate(by)
    keys, patterns = grouping_of(by)

    def of_tables(batches: list[_core.Table], name: str, processes: int) -> Any:
        return _core.aggregate_tables(batches, name, keys, patterns, processes)

    record, missing, problems = of_given(data, keys, module, nprocs, of_tables, 0)
    return Aggregate(record, missing, problems_of(problems))


def check_module(records: Records, module: str | None) -> None:
    if module is not None and plain_name(module) != plain_name(records.name):
        raise AggregationError(f"the records are of {records.name}, not of {module}")


def of_given(
    data: Any, keys: list[str], module: str | None, nprocs: int | None, of_tables: Any, record: int
) -> tuple[Any, ...]:
    """What a function of the core makes of a dataframe, given its batches, the module's name and `nprocs`.

    No name and 0 mean that they are not known. `record`: which part of the result is a table named after the module.
    """
    from darrow.records import Records

    processes = _processes(nprocs)
    if isinstance(data, Records):
        check_module(data, module)
        module = data.name
    with aggregation_errors():
        batches, unusable = _given(data, keys)
        for column, kind in unusable:
            if column in keys:
                raise ValueError(f"column {column} is of type {kind}, by which nothing is grouped: make it text")
        try:
            parts: tuple[Any, ...] = of_tables(batches, module or "", processes)
        except DarrowError:
            raise
        except ValueError as error:
            raise ValueError(f"{error}{_left_out(unusable)}") from None
        known = _core.column_names(parts[record].name) if unusable else []
        for column, kind in unusable:
            if column in known:
                raise ValueError(f"column {column} is of type {kind}, which holds no values of such a column")
    return parts


def _given(data: Any, keys: list[str]) -> Tables:
    """The table as one that is to be looked at, even if it is ours: that of records, or an aggregate to go on with.

    Texts of files take longer than all counters together: those that are no keys stay behind.
    """
    from darrow.records import Reader, Records

    needed = _core.key_columns(keys)
    texts = [column for column in ("name", "mount", "fs_type") if column not in needed]
    if isinstance(data, Records):
        r = data._reader
        data = Table(Reader(r.source, r.name, r.part, (), r.ids, r.ranks) if r.columns else r)
        return _core.import_stream(data.__arrow_c_stream__(), texts)
    if isinstance(data, Aggregate):
        return _core.import_stream(data.__arrow_c_stream__(), texts)
    return tables_of(data, texts)


def _left_out(unusable: list[tuple[str, str]]) -> str:
    """What may be why a column was not found."""
    if not unusable:
        return ""
    return "; of a type of no use here: " + ", ".join(f"{column} ({kind})" for column, kind in unusable[:8])


def _processes(nprocs: Any) -> int:
    if nprocs is None:
        return 0
    try:
        processes = index(nprocs)
    except TypeError:
        raise TypeError(f"nprocs is a number of processes, not {nprocs!r}") from None
    if not 1 <= processes < 2**63:
        raise ValueError(f"nprocs is a number of processes, not {processes}")
    return processes


def grouping_of(by: By) -> tuple[list[str], list[tuple[str, str]]]:
    """The keys, and the patterns with their names; their key is "pattern"."""
    keys: list[str] = []
    patterns: list[tuple[str, str]] = []
    one = isinstance(by, (str, bytes, Mapping)) or not hasattr(by, "__iter__")
    parts: Iterable[Any] = () if by is None else (by,) if one else by
    for part in parts:
        if isinstance(part, str):
            keys.append(part)
        elif isinstance(part, Mapping):
            if patterns:
                raise ValueError("patterns are given twice: put them into one mapping")
            keys.append("pattern")
            patterns += [(_pattern_name(name), expression_of(pattern)) for name, pattern in part.items()]
            if not patterns:
                raise ValueError("a mapping without patterns groups nothing")
        else:
            raise TypeError(f"grouped is by names of keys and mappings of patterns, not by {part!r}")
    if "pattern" in keys and not patterns:
        raise ValueError('to group by "pattern", give a mapping of names to regular expressions')
    if len(set(keys)) < len(keys):
        raise ValueError(f"the same key twice: {', '.join(keys)}")
    return keys, patterns


def _pattern_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"patterns have names of text, not {name!r}")
    return name


def expression_of(pattern: Any) -> str:
    if isinstance(pattern, str):
        return pattern
    if isinstance(expression := getattr(pattern, "pattern", None), str):
        if pattern.flags & 64:
            raise ValueError(f"RE2 knows no re.VERBOSE, with which {expression!r} was compiled: give it as text")
        return "(?i)" * bool(pattern.flags & 2) + "(?m)" * bool(pattern.flags & 8) + expression  # re.I, re.M
    raise TypeError(f"a pattern is a regular expression of text, not {pattern!r}")


def aggregate_heatmaps(reader: Reader) -> Aggregate:
    """Heat maps added over ranks."""
    table, problems = _core.aggregate_heatmaps(reader.table())
    return Aggregate(table, table.select([]), problems_of(problems))
