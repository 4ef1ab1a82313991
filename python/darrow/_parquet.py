"""Tables as files: what the formats share; and Parquet: encodings, row groups, what a file says of itself.

Dictionary and DELTA encodings and the split of floats into streams of bytes were measured: docs/parquet.md.
"""

from __future__ import annotations

import json
import os

from darrow._extras import load
from darrow._new_file import NewFile
from darrow.errors import DarrowError, UnsupportedVersionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

# Version of what a file holds: columns and their meaning. A reader refuses newer ones.
FORMAT = 1
# A row group is written when so much has come together, in bytes of memory or in rows.
GROUP_BYTES = 64 << 20
GROUP_ROWS = 1 << 20

_KEY = b"darrow"
_SPLIT = "BYTE_STREAM_SPLIT"
# Columns that are not best off with what their type says.
_ENCODINGS = {
    "id": _SPLIT,  # hashes
    "file_rec_id": _SPLIT,
    "name": "DELTA_BYTE_ARRAY",  # paths begin like those before them
    "segment": "DELTA_BINARY_PACKED",  # 0, 1, 2, ...
    "offset": "DELTA_BINARY_PACKED",
    "length": _SPLIT,
    "data": "PLAIN",
}


def options(schema: pa.Schema) -> dict[str, Any]:
    """Options of pyarrow's ParquetWriter for a table of these columns."""
    encodings = {path: how for field in schema for path, how in _leaves(field, field.name)}
    plain = {path: how for path, how in encodings.items() if how != "DICTIONARY"}
    return {
        "compression": "zstd",
        "compression_level": 3,
        "use_dictionary": [path for path in encodings if path not in plain],
        "column_encoding": plain or None,
        "write_page_checksum": True,
    }


def _leaves(field: pa.Field, path: str) -> Iterator[tuple[str, str]]:
    """The stored columns of a field, with their encodings."""
    types = load("pyarrow", "Parquet").types
    kind = field.type
    if types.is_list(kind) or types.is_large_list(kind):
        yield from _leaves(kind.value_field, f"{path}.list.element")
    elif types.is_struct(kind):
        for inner in kind:
            yield from _leaves(inner, f"{path}.{inner.name}")
    elif types.is_dictionary(kind):
        yield path, "DICTIONARY"
    elif types.is_floating(kind):
        yield path, _SPLIT
    elif types.is_boolean(kind):
        yield path, "PLAIN"
    else:
        yield path, _ENCODINGS.get(path, "DICTIONARY")


def arrow_rows(batch: Any) -> pa.Table:
    """Rows as a table of pyarrow. `pyarrow.table()` would do, but loads pandas, which takes a second."""
    arrow = load("pyarrow", "a table")
    return batch if isinstance(batch, arrow.Table) else arrow.RecordBatchReader.from_stream(batch).read_all()


def rows_as(batch: Any, schema: pa.Schema) -> pa.Table:
    """The same with the types and metadata of a schema that has the same columns."""
    table = arrow_rows(batch)
    return table if table.schema.equals(schema) else table.cast(schema)


def about(schema: pa.Schema, table: str) -> dict[bytes, bytes]:
    """Metadata of a file: those of the schema, the version of the format, the name of the table."""
    return {**(schema.metadata or {}), _KEY: json.dumps({"format": FORMAT, "table": table}).encode()}


class NewTable:
    """A table as one file, written batch by batch, that is there when it is complete: what the formats share.

    A context manager: `close()` at the end, `discard()` after an error.

    Parameters
    ----------
    path : str or path
    schema : pyarrow.Schema
        Field metadata are kept, if the format has them.
    table : str
        Its name, which the file tells.

    Attributes
    ----------
    schema : pyarrow.Schema
    rows : int
        So many were written.
    pending_bytes : int
        Of memory, for rows that have not gone into the file.

    Raises
    ------
    OSError
        The directory is missing, the disk full, ...
    """

    pending_bytes = 0

    def __init__(self, path: str | os.PathLike[str], schema: pa.Schema, table: str) -> None:
        self._arrow = load("pyarrow", "a table")
        self.schema = schema.with_metadata(about(schema, table))
        self.rows = 0
        self._new = NewFile(path)
        try:
            self._start()
        except BaseException:
            self._new.discard()
            raise

    @property
    def path(self) -> str:
        """Where the file will be."""
        return os.fspath(self._new.path)

    def write(self, batch: Any) -> None:
        """Adds rows: anything with the Arrow interface, with the columns of the schema in their order."""
        table = rows_as(batch, self.schema)
        self.rows += table.num_rows
        self._write(table)

    def flush(self) -> None:
        """What is pending goes into the file."""

    def finish(self) -> None:
        """Everything is on the disk after this, but under no name."""
        self.flush()
        self._end()
        self._new.finish()

    def publish(self) -> None:
        """The finished file takes its place."""
        self._new.publish()

    def close(self) -> None:
        """Completes the file."""
        self.finish()
        self.publish()

    def discard(self) -> None:
        """Leaves no file. A file that was there before stays."""
        self._new.discard()

    def __enter__(self) -> NewTable:
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            self.discard()

    def _start(self) -> None:
        """What stands before the first batch goes into the file."""

    def _write(self, table: pa.Table) -> None:
        """Rows go into the file."""

    def _end(self) -> None:
        """What stands behind the last ones goes into the file."""


class TableFile(NewTable):
    """A Parquet file. Memory holds at most a row group."""

    def _start(self) -> None:
        self._pending: list[pa.Table] = []
        self._pending_rows = 0
        parquet = load("pyarrow.parquet", "Parquet")
        self._writer = parquet.ParquetWriter(self._new.file, self.schema, **options(self.schema))

    @property
    def written(self) -> int:
        """Bytes of the row groups that are complete."""
        return self._new.file.tell()

    def _write(self, table: pa.Table) -> None:
        while table.num_rows > GROUP_ROWS - self._pending_rows:
            first = table.slice(0, GROUP_ROWS - self._pending_rows)
            table = table.slice(first.num_rows)
            self._keep(first)
        if table.num_rows:
            self._keep(table)

    def _keep(self, table: pa.Table) -> None:
        self._pending.append(table)
        self._pending_rows += table.num_rows
        self.pending_bytes += table.nbytes
        if self._pending_rows >= GROUP_ROWS or self.pending_bytes >= GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Ends the row group."""
        if self._pending_rows:
            # Of one dictionary: the encoder gives up at a second one.
            group = self._arrow.concat_tables(self._pending).unify_dictionaries()
            self._pending, self._pending_rows, self.pending_bytes = [], 0, 0
            self._writer.write_table(group, row_group_size=group.num_rows)

    def _end(self) -> None:
        self._writer.close()

    def discard(self) -> None:
        """Leaves no file. A file that was there before stays."""
        self._pending.clear()
        self._writer.is_open = False  # or it would write its footer when it goes
        super().discard()


# Reading


def open_file(path: str | os.PathLike[str], table: str) -> pq.ParquetFile:
    """Opens a Parquet file for reading. One that does not tell its table may have been written by other programs.

    Raises
    ------
    OSError
        It is not there, not readable, ...
    DarrowError
        It is no Parquet file, or an incomplete one, or holds another table.
    UnsupportedVersionError
        A newer version has written it.
    """
    parquet = load("pyarrow.parquet", "Parquet")
    name = os.fspath(path)
    with open(name, "rb") as file:
        whole = _looks_whole(file)
    if not whole:
        raise DarrowError(f"{name}: no Parquet file, or not all of it", code="truncated", file=name)
    try:
        opened = parquet.ParquetFile(name, page_checksum_verification=True)
        schema = opened.schema_arrow
    except Exception as error:
        raise damaged(name, error) from error
    check_about(schema, table, name)
    return opened


def check_about(schema: pa.Schema, table: str, name: str) -> None:
    """An error if the file says that it is newer than this version, or that it holds another table."""
    says = (schema.metadata or {}).get(_KEY)
    if says is None:
        return
    try:
        told = json.loads(says)
        format, of = int(told["format"]), str(told["table"])
    except (KeyError, TypeError, ValueError):
        raise DarrowError(f"{name}: does not say in which format it is", code="foreign", file=name) from None
    if format > FORMAT:
        raise UnsupportedVersionError(
            f"{name}: a newer version of darrow wrote it (format {format}, this one knows {FORMAT})",
            code="unsupported_version",
            file=name,
        )
    if of != table:
        raise DarrowError(f"{name}: holds the table {of}, not {table}", code="foreign", file=name)


def _looks_whole(file: Any) -> bool:
    """Whether the marks at both ends are there."""
    start = file.read(4)
    if start != b"PAR1" or file.seek(0, os.SEEK_END) < 12:
        return False
    file.seek(-4, os.SEEK_END)
    return bool(file.read(4) == b"PAR1")


def check_columns(schema: pa.Schema, needed: pa.Schema, name: str) -> None:
    """DarrowError unless the columns that are needed are there, of those types, however encoded."""
    for field in needed:
        index = schema.get_field_index(field.name)
        if index < 0:
            raise DarrowError(f"{name}: no column {field.name}", code="foreign", file=name)
        there, wanted = plain_type(schema.field(index).type), plain_type(field.type)
        if there != wanted:
            what = f"{name}: column {field.name} is of type {there}, not {wanted}"
            raise DarrowError(what, code="foreign", file=name)


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of the values: without dictionaries, and with offsets of 32 bits."""
    arrow = load("pyarrow", "a table")
    types = arrow.types
    if types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if types.is_large_string(kind) or types.is_string_view(kind):
        return arrow.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind):
        return arrow.binary()
    if types.is_list(kind) or types.is_large_list(kind):
        return arrow.list_(plain_type(kind.value_type))
    if types.is_struct(kind):
        return arrow.struct([(inner.name, plain_type(inner.type)) for inner in kind])
    return kind


def batches(
    file: pq.ParquetFile, name: str, columns: Sequence[str] | None = None, rows: int = 1 << 14, log: str | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a file, batch by batch; for one log only the row groups that may have some of it.

    Raises
    ------
    DarrowError
        The data are damaged.
    """
    groups = [at for at in range(file.num_row_groups) if log is None or _may_have(file, at, log)]
    wanted = None if columns is None else list(columns)
    try:
        for group in groups:  # one by one: what is read of all of them would stay in memory to the end
            yield from file.iter_batches(batch_size=rows, row_groups=[group], columns=wanted)
    except Exception as error:
        raise damaged(name, error) from error


def _may_have(file: pq.ParquetFile, group: int, log: str) -> bool:
    """Whether a row group may hold rows of a log, by the least and the greatest that it holds."""
    about = file.metadata.row_group(group)
    for at in range(about.num_columns):
        column = about.column(at)
        if column.path_in_schema == "log" and column.is_stats_set and column.statistics.has_min_max:
            return bool(column.statistics.min <= log <= column.statistics.max)
    return True


def damaged(name: str, error: Exception) -> DarrowError:
    """The error for what pyarrow says about a damaged file."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return DarrowError(f"{name}: damaged: {reason}", code="corrupt", file=name)
