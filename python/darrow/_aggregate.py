"""Records as one: what `Records.aggregate()` gives."""

from __future__ import annotations

from contextlib import contextmanager

from darrow import _core
from darrow.errors import AggregationError, DarrowError
from darrow.info import Problem
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from darrow.records import Reader


class Aggregate(Table):
    """Records of a module as one, each counter by its own rule.

    A value is had as item or attribute: `agg["POSIX_READS"]`, `agg.records`. None: nothing was recorded, or the rule
    gives no value (say, a chunk size that differs between files).

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


def aggregate(reader: Reader) -> Aggregate:
    """The records of a reader as one; read again unless they are there with all columns."""
    record, missing, problems = combined(reader, _core.aggregate, _core.aggregate_table)
    return Aggregate(record, missing, problems_of(problems))


def aggregate_heatmaps(reader: Reader) -> Aggregate:
    """Heat maps added over ranks."""
    table, problems = _core.aggregate_heatmaps(reader.table())
    return Aggregate(table, table.select([]), problems_of(problems))
