"""Traces as a table for DXT Explorer."""

from __future__ import annotations

import os

from darrow import _core
from darrow._export import FORMATS, Place
from darrow._extras import load
from darrow._parquet import arrow_rows
from darrow.dxt import DxtRecords
from darrow.log import open as open_log
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow.striping import Layout

# The file of the table, without its ending.
TABLE = "dxt_explorer"
_DIGITS = 4
_COLUMNS = ["id", "rank", "op", "segment", "offset", "length", "start", "end"]


def export_dxt_explorer(
    log: str | os.PathLike[str],
    directory: str | os.PathLike[str],
    *,
    format: str = "csv",
    overwrite: bool = False,
) -> int:
    """Writes the segments of a log as DXT Explorer has them: a row each, times rounded to 4 digits.

    Columns: file_id (record id), api ("POSIX", "MPIIO"), rank, operation ("write", "read"), segment, offset, size
    (bytes), start, end (seconds), osts (list; null where the log has no Lustre layout of the file).

    Returns
    -------
    int
        The rows that were written.

    Raises
    ------
    FileExistsError
        The directory is not empty and `overwrite` is False.
    DarrowError
        The log cannot be read; or OSError.
    """
    ending, kind = FORMATS[format]
    opened = open_log(log, strict=False)
    place = Place(directory, overwrite)
    file = None
    try:
        file = kind(place.path / f"{TABLE}.{ending}", _schema(), TABLE)
        for module, api in (("DXT_POSIX", "POSIX"), ("DXT_MPIIO", "MPIIO")):
            if module not in opened:
                continue
            records = opened[module]
            assert isinstance(records, DxtRecords)
            layouts = records._layouts()
            scan = _core.Scan([os.fsencode(log)], [module.lower()], _COLUMNS)
            while (batch := scan.next()) is not None:
                file.write(_rows(arrow_rows(Table(Held(batch))), api, layouts))
        file.finish()
        file.publish()
        place.clear({os.path.basename(file.path)})
    except BaseException:
        if file:
            file.discard()
        place.leave()
        raise
    return file.rows


def _schema() -> pa.Schema:
    arrow = load("pyarrow", "an export")
    text, number, time = arrow.string(), arrow.int64(), arrow.float64()
    kinds = {"file_id": arrow.uint64(), "api": text, "rank": number, "operation": text, "segment": number}
    kinds |= {"offset": number, "size": number, "start": time, "end": time, "osts": arrow.list_(number)}
    fields = [arrow.field(name, kind) for name, kind in kinds.items()]
    fields[0] = fields[0].with_metadata({"unit": "id"})
    return arrow.schema(fields)


def _rows(table: pa.Table, api: str, layouts: dict[int, Layout]) -> pa.Table:
    arrow = load("pyarrow", "an export")
    compute = load("pyarrow.compute", "an export")
    osts: Any = arrow.nulls(table.num_rows, arrow.list_(arrow.int64()))
    if layouts:
        places = zip(*(table[name].to_pylist() for name in ("id", "offset", "length")), strict=True)
        lists = [
            None if offset is None or (layout := layouts.get(id)) is None else layout.osts(offset, length)
            for id, offset, length in places
        ]
        osts = arrow.array(lists, arrow.list_(arrow.int64()))
    columns = [
        table["id"],
        arrow.array([api] * table.num_rows, arrow.string()),
        table["rank"],
        table["op"].cast(arrow.string()),
        table["segment"],
        table["offset"],
        table["length"],
        compute.round(table["start"], _DIGITS),
        compute.round(table["end"], _DIGITS),
        osts,
    ]
    return arrow.Table.from_arrays(columns, schema=_schema())
