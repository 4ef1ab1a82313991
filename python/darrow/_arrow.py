"""Tables of others: whatever speaks Arrow, or is made of lists and dicts."""

from __future__ import annotations

from darrow import _core
from darrow._extras import load
from darrow.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    # Tables of the same columns, at least one; the columns left out, each with the type it is of.
    Tables = tuple[list[_core.Table], list[tuple[str, str]]]


def tables_of(data: Any, left_out: Sequence[str] = ()) -> Tables:
    """The columns of a table, in batches, without copying numbers; and the columns whose type is of no use here.

    Parameters
    ----------
    data : table
        Tables of this package, of pyarrow, Polars, pandas or DuckDB, or anything else with `__arrow_c_stream__` or
        `__arrow_c_array__`; a dict of columns or a list of dicts (needs pyarrow).
    left_out : sequence of str
        Names of columns that need not be there.

    Raises
    ------
    TypeError
        It is none of these.
    ValueError
        It has two columns of one name, or is a single column.
    """
    if isinstance(data, Table) and not data._raw:
        return [data._reader.table()], []
    if hasattr(data, "__arrow_c_stream__"):
        return _core.import_stream(data.__arrow_c_stream__(), list(left_out))
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        return _core.import_array(schema, array, list(left_out))
    return tables_of(_to_arrow(data), left_out)


def arrow_table(data: Any) -> Any:
    """A table of pyarrow with all columns of whatever `tables_of` takes.

    Raises
    ------
    TypeError
        It is no table.
    """
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return load("pyarrow", "a table").table(data)
    return _to_arrow(data)


def _to_arrow(data: Any) -> Any:
    """What knows no Arrow as a table of pyarrow."""
    kind = type(data)
    if kind.__name__ == "DataFrame" and kind.__module__.startswith("pandas."):  # before 2.2
        return load("pyarrow", "a DataFrame of this pandas").Table.from_pandas(data)
    if isinstance(data, dict):
        return _from_columns(data)
    if isinstance(data, (list, tuple)) and all(isinstance(row, dict) for row in data):
        names = dict.fromkeys(name for row in data for name in row)
        return _from_columns({name: [row.get(name) for row in data] for name in names})
    if kind.__name__ == "LazyFrame":
        raise TypeError("a LazyFrame has no rows yet: collect() it first")
    accepted = "those of pyarrow, Polars, pandas, DuckDB and Darrow, dicts of columns, lists of dicts"
    raise TypeError(f"{kind.__name__} is no table; these are: {accepted}")


def _from_columns(columns: dict[str, Iterable[Any]]) -> Any:
    arrow = load("pyarrow", "a table of lists and dicts")

    def array(name: str, values: Iterable[Any]) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"columns are named by text, not by {name!r}")
        try:
            try:
                return arrow.array(values)
            except OverflowError:  # record ids take all 64 bits
                return arrow.array(values, arrow.uint64())
        except OverflowError:
            raise ValueError(f"column {name} holds whole numbers that no 64 bits hold") from None
        except (ValueError, TypeError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"column {name}: {error}") from None

    return arrow.table({name: array(name, values) for name, values in columns.items()})
