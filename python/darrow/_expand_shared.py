"""Tables of records whose columns may be added up."""

from __future__ import annotations

from operator import index

from darrow._arrow import arrow_table
from darrow._extras import load
from darrow._rules import Rule, rules, rules_of_columns
from darrow.errors import AggregationError
from darrow.records import Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


def expand_shared(records: Any, nprocs: int | None = None) -> pa.Table:
    """Records so that a plain sum of each counter is right, whoever adds them up.

    What does not add up is null, in every row: highest offsets, times of day, modes, ranks, variances, common values.
    So is what is no value: counts below 0, times that cannot be. A record of all ranks stays one row, for its sums are
    those of all ranks already; it is of no rank, and its weight is the number of processes.

    Parameters
    ----------
    records : table
        Records of a log, or their table in pyarrow, Polars, pandas or DuckDB, or as dict of columns or list of dicts,
        with the column `rank`.
    nprocs : int, optional
        Processes of the job; known for records of a log.

    Returns
    -------
    pyarrow.Table
        The same rows and columns, `rank` null where it was -1, and behind it `weight` (int64): the processes that the
        row stands for, `nprocs` or 1. Columns that are no counters stay as they are. Needs pyarrow.

    Raises
    ------
    AggregationError
        The records do not combine (LUSTRE, DXT, HEATMAP, APMPI, APXC), or there are no counters.
    ValueError
        There is no column `rank`, or one `weight` already; `nprocs` is below 1.
    TypeError
        It is no table, or `nprocs` is missing.
    """
    arrow, compute = (load(package, "expand_shared()") for package in ("pyarrow", "pyarrow.compute"))
    shared_weight = _weight(records, nprocs)
    if isinstance(records, Records) and records.info:
        rules(records.name)  # says it if they do not combine
    table = arrow_table(records)
    by_column = rules_of_columns(table.column_names)
    if not by_column:
        raise AggregationError("there are no counters in this table: no module's records that combine")
    if table.column_names.count("rank") != 1 or "weight" in table.column_names:
        raise ValueError("expand_shared() takes a table with one column rank, and none called weight")
    for column, rule in by_column.items():
        if rule.rule != "none":
            table = _replace(table, column, _addable(table[column], rule, arrow, compute))
    is_shared = compute.equal(table["rank"], -1)
    nobody, own_weight = arrow.scalar(None, table["rank"].type), arrow.scalar(1, arrow.int64())
    weight = compute.if_else(is_shared, arrow.scalar(shared_weight, arrow.int64()), own_weight)
    table = _replace(table, "rank", compute.if_else(is_shared, nobody, table["rank"]))
    return table.add_column(table.column_names.index("rank") + 1, "weight", weight)


def _weight(records: Any, nprocs: int | None) -> int | None:
    """Processes that a record of all ranks stands for; None if the log does not tell."""
    if nprocs is None:
        if not isinstance(records, Records):
            raise TypeError("expand_shared() needs nprocs, unless the records are those of a log")
        return nprocs if (nprocs := records._reader.source.nprocs) > 0 else None
    if index(nprocs) < 1:
        raise ValueError(f"nprocs is {nprocs}: a job has at least one process")
    return index(nprocs)


def _addable(column: Any, rule: Rule, arrow: Any, compute: Any) -> Any:
    """The column without what is no value; all null if it does not add up."""
    if rule.rule != "sum" or not rule.decomposable:
        return arrow.nulls(len(column), column.type)
    least, most = rule.bounds
    is_value = compute.greater_equal(column, least)
    if most is not None:
        is_value = compute.and_(is_value, compute.less_equal(column, most))
    return compute.if_else(is_value, column, arrow.scalar(None, column.type))


def _replace(table: Any, name: str, values: Any) -> Any:
    at = table.column_names.index(name)
    return table.set_column(at, table.field(at), values)
