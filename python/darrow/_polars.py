"""Scanned tables as LazyFrames of Polars, which reads only what a query needs."""

from __future__ import annotations

from darrow._extras import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator
    from typing import Any

    import polars as pl

    from darrow.dataset import Path
    from darrow.scanned import ScannedTable


def scan_darshan(
    paths: Path | Iterable[Path],
    table: str = "POSIX",
    *,
    index: str | os.PathLike[str] | None = None,
    strict: bool = False,
    threads: int | None = None,
) -> pl.LazyFrame:
    """One table of many logs as a LazyFrame of Polars.

    Polars reads only the columns that a query needs. Conditions on `id`, `rank`, `name` and, of traces, `start` and
    `end` that all rows of a result have to meet are handed down: records that do not meet them are not decoded.
    `head()` ends reading early.

    Parameters
    ----------
    paths, index, strict, threads
        As of `darrow.scan()`.
    table : str
        A module, or another table by its SQL name.

    Raises
    ------
    KeyError
        There is no such table.
    FileNotFoundError
        There is no such path.
    """
    from darrow.dataset import scan

    return scan(paths, index=index, strict=strict, threads=threads).table(table).lazy()


def lazy_frame(table: ScannedTable) -> pl.LazyFrame:
    """The LazyFrame of a scanned table."""
    polars = load("polars", "lazy()")
    from polars.io.plugins import register_io_source

    from darrow._polars_filters import filters_of
    from darrow._select import selectable_by

    schema = polars.DataFrame(_Empty(table)).schema
    able = selectable_by(table.name)
    if table._reader.filters.pattern is not None:
        able -= {"names"}  # two regular expressions are not one

    def read(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, batch_rows: int | None
    ) -> Iterator[pl.DataFrame]:
        wanted = list(schema) if columns is None else columns
        needed = wanted if predicate is None else [*dict.fromkeys([*wanted, *predicate.meta.root_names()])]
        part = table.select(needed or [next(iter(schema))])
        if predicate is not None:
            part = part.select(**filters_of(predicate, able))
        left = rows
        for batch in part.batches(min(batch_rows or 0, 1 << 20)):
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            if left is not None:
                frame = frame.head(left)
                left -= len(frame)
            yield frame.select(wanted)
            if left == 0:
                return

    return register_io_source(read, schema=schema, validate_schema=False, is_pure=True)


class _Empty:
    """The columns of a table, without rows."""

    def __init__(self, table: ScannedTable) -> None:
        self._schema = table._reader.schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object:
        return self._schema.stream_capsule(False)
