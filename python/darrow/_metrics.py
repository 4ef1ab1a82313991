"""Metrics: what files and processes did, number by number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import overload

from darrow import _core
from darrow._aggregate import Aggregate, combined, of_given, problems_of
from darrow.records import Records
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from darrow.info import Problem


class Values(Mapping[str, "Any"]):
    """Numbers by name, as items or attributes. None: not recorded, or not known."""

    __slots__ = ("_values", "name")

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self.name = name
        self._values = values

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __getattr__(self, key: str) -> Any:
        if not key.startswith("_") and key in self._values:
            return self._values[key]
        raise AttributeError(f"{type(self).__name__} of {self.name} has no {key!r}; there are: {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._values})

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        lines = (f"  {key.ljust(width)}  {value!r}" for key, value in self.items())
        return "\n".join([f"<darrow.{type(self).__name__} {self.name}>", *lines])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.name, self._values)


class Metrics(Values):
    """The metrics of one layer: `m.bytes_read`, `m["rate"]`; `darrow.metrics()` explains each of them.

    Attributes
    ----------
    name : str
        The module, or "bottom".
    categories : dict of str to Values
        What was done with files ("all", "read_only", "write_only", "read_write", "no_io") and by whom ("unique",
        "partially_shared", "shared"): number of files, bytes, offsets, processes of each category.
    access_sizes : list of dict
        Reads and writes by size: `op`, `above`, `up_to` (bytes), `count`. Empty if the module has no histograms.
    common_accesses : list of dict
        The most common access sizes and, as size None, all others: `size`, `count`, `share`.
    record : Values
        The records as one: counter to value. Empty for "bottom".
    missing : Values
        In how many of the records each counter was missing.
    problems : list of Problem
        Of the module: damage, values left out, sums that do not fit.
    """

    __slots__ = ("access_sizes", "categories", "common_accesses", "missing", "problems", "record")

    def __init__(
        self,
        name: str,
        values: dict[str, Any],
        categories: dict[str, Values],
        access_sizes: list[dict[str, Any]],
        common_accesses: list[dict[str, Any]],
        record: Values,
        missing: Values,
        problems: list[Problem],
    ) -> None:
        super().__init__(name, values)
        self.categories = categories
        self.access_sizes = access_sizes
        self.common_accesses = common_accesses
        self.record = record
        self.missing = missing
        self.problems = problems

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (
            *(self.name, self._values, self.categories, self.access_sizes, self.common_accesses),
            *(self.record, self.missing, self.problems),
        )


@overload
def metrics() -> Table: ...
@overload
def metrics(records: Any, *, module: str | None = None, nprocs: int | None = None) -> Metrics: ...
def metrics(records: Any = None, *, module: str | None = None, nprocs: int | None = None) -> Metrics | Table:
    """The metrics of records; or, without records, the dictionary of all metrics.

    Parameters
    ----------
    records : Records, or table, optional
        Records of a module, all or selected by ids, ranks or names; or a dataframe of such records after filtering, as
        `aggregate()` takes it. What needs counters that were left out is None.
    module : str, optional
        Whose records a dataframe holds; needed only if no column tells.
    nprocs : int, optional
        Processes of the job. For records of a log that of their job; without it, metrics of processes are None.

    Returns
    -------
    Metrics
        As `log.summary()[module]`; `partial` and `damaged` of a dataframe are None.
    Table
        Without records: `name`, `table` (of `Summary`), `unit`, `formula`, `meaning`, `inputs` (roles of the counters
        that it needs), `modules` (that have them).

    Raises
    ------
    AggregationError
        The records do not combine (LUSTRE, DXT, HEATMAP, APMPI, APXC, tables that are no modules), or what
        `aggregate()` refuses.
    CorruptLogError
        The region is damaged and the log strict.
    """
    if records is None:
        return Table(Held(_core.metric_dictionary()))
    if isinstance(records, Records) and module is None and nprocs is None:
        reader, source = records._reader, records._reader.source
        known = source.nprocs, None if source.closed else _core.is_damaged(source.core, reader.name)

        def of_table(table: _core.Table) -> Any:
            return _core.measure_tables([table], reader.name, *known)

        return _metrics_of_parts(combined(reader, _core.measure, of_table), records.partial)

    def of_tables(batches: list[_core.Table], name: str, processes: int) -> Any:
        return _core.measure_tables(batches, name, processes, None)

    return _metrics_of_parts(of_given(records, [], module, nprocs, of_tables, 4), None)


def _metrics_of_parts(parts: Any, partial: bool | None) -> Metrics:
    *tables, record, missing, problems, damaged = parts
    layers, categories, access_sizes, common_accesses = (Table(Held(part)) for part in tables)
    values = layers.to_pylist()[0] | {"partial": partial, "damaged": damaged}
    aggregate = Aggregate(record, missing, problems_of(problems))
    return metrics_of(values, (categories, access_sizes, common_accesses), aggregate, aggregate.problems)


def metrics_of(
    values: dict[str, Any],
    tables: tuple[Table, Table, Table],
    aggregate: Aggregate | None,
    problems: list[Problem],
) -> Metrics:
    """One layer out of the tables of all: categories, access sizes, common accesses."""
    name = values.pop("module")

    def rows(table: Table) -> list[dict[str, Any]]:
        own = [row for row in table.to_pylist() if row["module"] == name]
        for row in own:
            del row["module"]
        return own

    categories, access_sizes, common_accesses = map(rows, tables)
    by_category = {}
    for row in categories:
        category = row.pop("category")
        by_category[category] = Values(f"{name} {category}", row)
    record = aggregate.to_pylist()[0] if aggregate else {}
    missing = aggregate.missing.to_pylist()[0] if aggregate else {}
    return Metrics(
        name, values, by_category, access_sizes, common_accesses,
        Values(name, record), Values(name, missing), problems,
    )  # fmt: skip
