"""Tables: Arrow columns that any dataframe takes."""

from __future__ import annotations

from darrow._accessors import register
from darrow._extras import load
from darrow.schema import Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow import _core

    class TableReader(Protocol):
        """Where a table comes from, when it is needed."""

        @property
        def name(self) -> str: ...
        @property
        def is_read(self) -> bool: ...
        def table(self) -> _core.Table: ...
        def schema(self) -> _core.Table: ...


class Held:
    """A table that is there already."""

    __slots__ = ("_table", "name")
    is_read = True

    def __init__(self, table: _core.Table) -> None:
        self._table = table
        self.name = table.name

    def table(self) -> _core.Table:
        return self._table

    def schema(self) -> _core.Table:
        return self._table.schema()


class Table:
    """Named Arrow columns of equal length.

    Any Arrow consumer takes it as it is, without copying numbers: `pyarrow.table(t)`, `polars.DataFrame(t)`,
    `duckdb.sql("from t")`. Objects may be used from several threads.
    """

    __slots__ = ("_raw", "_reader")

    def __init__(self, reader: TableReader, *, raw: bool = False) -> None:
        self._reader = reader
        self._raw = raw

    @property
    def name(self) -> str:
        """The module's or table's name."""
        return self._reader.name

    @property
    def schema(self) -> Schema:
        """Names, types, units, meaning of the columns."""
        return Schema(self._reader.schema())

    @property
    def columns(self) -> list[str]:
        """Column names, in order."""
        return self._reader.schema().columns

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the columns take."""
        return self._reader.table().nbytes

    def __len__(self) -> int:
        return self._reader.table().rows

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        table = self._reader.table()
        return f"<darrow.Table {self.name}: {table.rows} rows, {len(table.columns)} columns>"

    def column(self, name: str) -> list[Any]:
        """One column as Python objects; null is None. Needs no package; for large tables use Arrow."""
        return self._reader.table().column(name, self._raw)

    def to_pylist(self) -> list[dict[str, Any]]:
        """Rows as dicts of Python objects. Needs no package; for large tables use Arrow."""
        columns = self.columns
        values = [self.column(name) for name in columns]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]

    def to_arrow(self) -> pa.Table:
        """On the same memory. Needs pyarrow."""
        # Not table(self): to see whether that is a DataFrame it imports pandas.
        return load("pyarrow", "to_arrow()").RecordBatchReader.from_stream(self).read_all()

    def to_polars(self) -> pl.DataFrame:
        """Numbers are not copied; `df.darrow.aggregate()` leads back. Needs polars."""
        frame: pl.DataFrame = load("polars", "to_polars()").DataFrame(self)
        register()
        return frame

    def to_pandas(self, dtype_backend: str = "pyarrow") -> pd.DataFrame:
        """64-bit integers with nulls stay integers; `df.darrow.aggregate()` leads back. Needs pandas and pyarrow.

        Parameters
        ----------
        dtype_backend : {"pyarrow", "numpy_nullable"}
            Arrow-backed columns on the same memory, or pandas' own nullable types (a copy).
        """
        pandas = load("pandas", "to_pandas()")
        arrow = load("pyarrow", "to_pandas()")
        types_mapper: Callable[[Any], Any]
        if dtype_backend == "pyarrow":

            def arrow_backed(kind: Any) -> Any:
                # Repeated text (DXT) becomes pandas' own categories: Arrow dictionaries lack methods there.
                return None if arrow.types.is_dictionary(kind) else pandas.ArrowDtype(kind)

            types_mapper = arrow_backed
        elif dtype_backend == "numpy_nullable":
            types_mapper = {
                arrow.bool_(): pandas.BooleanDtype(),
                arrow.int32(): pandas.Int32Dtype(),
                arrow.uint32(): pandas.UInt32Dtype(),
                arrow.int64(): pandas.Int64Dtype(),
                arrow.uint64(): pandas.UInt64Dtype(),
                arrow.float64(): pandas.Float64Dtype(),
                arrow.string(): pandas.StringDtype(),
            }.get
        else:
            raise ValueError(f'dtype_backend is "pyarrow" or "numpy_nullable", not {dtype_backend!r}')
        frame: pd.DataFrame = arrow.table(self).to_pandas(types_mapper=types_mapper)
        register()
        return frame

    def __arrow_c_schema__(self) -> object:
        """The schema as an Arrow capsule."""
        return self._reader.schema().schema_capsule()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """All rows as an Arrow stream capsule, of one batch; `requested_schema` is not acted upon."""
        register()
        return self._reader.table().stream_capsule(self._raw)

    def _addresses(self, column: str) -> list[int | None]:
        """Addresses of the column's buffers, in the order of pyarrow's Array.buffers()."""
        return self._reader.table().addresses(column, self._raw)
