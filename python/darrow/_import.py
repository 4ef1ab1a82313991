"""From the tables of an export back to logs."""

from __future__ import annotations

import os

from darrow import _core
from darrow._arrow import tables_of
from darrow._export_reader import Export
from darrow._extras import load
from darrow._value import Value
from darrow.errors import DarrowError
from darrow.info import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

_JOB_NUMBERS = ("uid", "jobid", "nprocs", "start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec")
# Versions that store what tables do not have: the newest is written instead.
_UNWRITTEN = {("lustre", 1), ("pnetcdf_file", 1), ("pnetcdf_file", 2)}
# Records of traces are written in pieces of about so many segments.
_SEGMENTS = 1 << 17


class Imported(Value):
    """A log that was written.

    Attributes
    ----------
    log : str
        Its name in the tables.
    path : str
        Where it is now.
    damaged : list of str
        Modules of which something was lost before the export. They are marked as partial.
    problems : list of Problem
        What is odd about the log.
    """

    log: str
    path: str
    damaged: list[str]
    problems: list[Problem]


def import_log(export: Export, log: str, path: str | os.PathLike[str], *, overwrite: bool = False) -> Imported:
    """Writes one log of an export. If the export was opened for all its logs, they have to be asked for in order.

    Memory: the records of the largest module.

    Raises
    ------
    DarrowError
        A table lacks rows or columns, is damaged, or has values that no log can hold: the message names the file.
    FileExistsError
        The log is there and `overwrite` is False; other OSErrors as they come.
    """
    try:
        return _import_log(export, log, path, overwrite)
    except DarrowError:
        raise
    except ValueError as error:  # what no log can hold
        raise DarrowError(f"{export.path}: {log}: {error}", code="corrupt", file=str(export.path)) from error


def _import_log(export: Export, log: str, path: str | os.PathLike[str], overwrite: bool) -> Imported:
    job = _only(export, "jobs", log)
    writer = _core.LogWriter.create(job["compression"], 0, job["byte_order"], "", False)
    writer.set_job(
        [job[name] or 0 for name in _JOB_NUMBERS],
        _bytes(job, "exe"),
        job["run_time"],
        [(_bytes(row, "key"), _bytes(row, "value")) for row in _rows(export, "metadata", log)],
    )
    writer.set_mounts([(_bytes(row, "path"), _bytes(row, "fs_type")) for row in _rows(export, "mounts", log)])
    for batch in export.take("names", log):
        texts, odd = batch.column("name").to_pylist(), batch.column("name_bytes").to_pylist()
        names = [text.encode() if stored is None else stored for text, stored in zip(texts, odd, strict=True)]
        writer.add_names(batch.column("id").to_pylist(), names)
    damaged = []
    for module in _rows(export, "modules", log):
        try:
            _add(writer, export, log, module, job["byte_order"])
        except DarrowError:
            raise
        except ValueError as error:  # what no log can hold
            raise export.error(_table_of(export, module), str(error)) from error
        if module["damaged"]:
            damaged.append(module["module"])
    export.end(log)
    writer.write(os.fsencode(path), overwrite)
    return Imported(log, os.fspath(path), damaged, [Problem(*row) for row in writer.problems()])


def _table_of(export: Export, module: dict[str, Any]) -> str:
    """The table that has the data of a module."""
    return export.tables_of(module["module"])["rows"] if module["status"] == "readable" else "modules"


def _add(writer: _core.LogWriter, export: Export, log: str, module: dict[str, Any], byte_order: str) -> None:
    """Adds the data of a module."""
    name, version = module["module"], module["version"]
    if version is None or not 0 <= version < 1 << 32:
        raise ValueError(f"version {version} of {name} of {log}, not a number of 32 bits")
    is_large = version >= 1 << 31  # of damaged logs: no module has so many
    if module["partial"] or module["damaged"]:
        writer.set_partial(name, version - (1 << 32) if is_large else version)
    if not module["length"]:
        return
    if is_large:
        raise ValueError(f"version {version} of {name} of {log}: data of such a version cannot be written")
    if module["status"] != "readable":
        if module["data"] is None:
            if module["damaged"]:  # nothing of it could be read
                return
            raise export.error("modules", f"no data of {name} of {log}, a module that is kept as bytes")
        writer.add_bytes(name, version, module["data"], byte_order)
        return
    tables = export.tables_of(name)
    # Of a trace, whose rows are no records, and of a region that begins with a header.
    table, records, header = tables["rows"], tables.get("records"), tables.get("header")
    if (table, version) not in _UNWRITTEN:
        writer.set_version(name, version)
    if module["records"]:
        export.need(records or table)
        if header:
            export.need(header)
    if header:
        _add_header(writer, export, log, name, header)
    if records:
        rows = _add_traces(writer, export, log, name, table, records)
    else:
        rows = 0
        for batch in export.take(table, log):
            rows += batch.num_rows
            writer.add_table(name, _core_tables(batch))
    if rows != module["records"] and not module["damaged"]:
        hint = "; what an export left out (--name, --rank) is missing" if rows < module["records"] else ""
        raise export.error(table, f"{rows} records of {log}, not {module['records']}{hint}")


def _add_header(writer: _core.LogWriter, export: Export, log: str, module: str, table: str) -> None:
    for row in _rows(export, table, log):
        writer.add_header(module, {name: value for name, value in row.items() if isinstance(value, (int, float))})


def _add_traces(writer: _core.LogWriter, export: Export, log: str, module: str, table: str, records: str) -> int:
    """Adds records with their segments, some at a time."""
    arrow = load("pyarrow", "an import")
    segments = _Rows(export.take(table, log))
    rows = 0
    for batch in export.take(records, log):
        rows += batch.num_rows
        writes, reads = (batch.column(name).to_pylist() for name in ("write_count", "read_count"))
        if any(count is None or count < 0 for count in (*writes, *reads)):
            raise export.error(records, f"a record of {log} does not tell how many segments it has")
        for start, end, count in _pieces([a + b for a, b in zip(writes, reads, strict=True)]):
            taken = segments.take(count)
            if sum(part.num_rows for part in taken) != count:
                raise export.error(table, f"fewer segments of {log} than {records} tells")
            part = arrow.Table.from_batches(taken, export.schema(table)) if taken else export.no_rows(table)
            if not _belong(part, batch.slice(start, end - start), writes[start:end], reads[start:end]):
                raise export.error(table, f"segments of {log} are not in the order of {records}")
            writer.add_traces(module, _core_tables(batch.slice(start, end - start))[0], _core_tables(part))
    if segments.take(1):
        raise export.error(table, f"more segments of {log} than {records} tells")
    return rows


def _belong(segments: pa.Table, records: pa.RecordBatch, writes: list[int], reads: list[int]) -> bool:
    """Whether segments are those of the records, one record after the other, writes first, each by its number."""
    arrow = load("pyarrow", "an import")
    compute = load("pyarrow.compute", "an import")
    ends, starts, of, ops = [], [], [], []
    at = 0
    for record, counts in enumerate(zip(writes, reads, strict=True)):
        for op, count in zip(("write", "read"), counts, strict=True):
            if count:
                starts.append(at)
                at += count
                ends.append(at)
                of.append(record)
                ops.append(op)
    if not ends:
        return True

    def along(values: Any) -> Any:
        """A value a segment, of those of each run."""
        return compute.run_end_decode(arrow.RunEndEncodedArray.from_arrays(arrow.array(ends, arrow.int32()), values))

    at_record = arrow.array(of, arrow.int64())
    wanted = {name: along(records.column(name).take(at_record)) for name in ("id", "rank")}
    wanted["op"] = along(arrow.array(ops))
    position = compute.cumulative_sum(arrow.repeat(arrow.scalar(1, arrow.int64()), at))
    wanted["segment"] = compute.subtract(position, along(arrow.array([start + 1 for start in starts], arrow.int64())))
    return all(
        compute.all(compute.equal(segments[name].cast(values.type), values).fill_null(False)).as_py()
        for name, values in wanted.items()
    )


def _pieces(counts: list[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of records: the first, the one behind the last, their segments."""
    start, total = 0, 0
    for at, count in enumerate(counts):
        if total and total + count > _SEGMENTS:
            yield start, at, total
            start, total = at, 0
        total += count
    if start < len(counts):
        yield start, len(counts), total


class _Rows:
    """Rows of batches, so many at a time."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self._batches = batches
        self._rest: pa.RecordBatch | None = None

    def take(self, count: int) -> list[pa.RecordBatch]:
        taken = []
        while count > 0:
            batch = self._rest if self._rest is not None else next(self._batches, None)
            if batch is None:
                break
            taken.append(batch.slice(0, count))
            self._rest = batch.slice(count) if batch.num_rows > count else None
            count -= taken[-1].num_rows
        return taken


def _core_tables(table: Any) -> list[_core.Table]:
    return tables_of(table)[0]


def _rows(export: Export, table: str, log: str) -> Iterator[dict[str, Any]]:
    for batch in export.take(table, log):
        try:
            rows = batch.to_pylist()
        except UnicodeDecodeError as error:
            raise export.error(table, f"text that is not UTF-8: {error}") from error
        yield from rows


def _only(export: Export, table: str, log: str) -> dict[str, Any]:
    rows = list(_rows(export, table, log))
    if len(rows) != 1:
        what = f"{len(rows)} rows of {log}, not 1" if rows else f"no row of {log}: its job could not be read"
        raise export.error(table, what)
    return rows[0]


def _bytes(row: dict[str, Any], column: str) -> bytes:
    """Text as it was stored."""
    stored = row[f"{column}_bytes"]
    return stored if stored is not None else (row[column] or "").encode()
