"""Tables as CSV, JSON and Arrow IPC files: each batch is written at once, and nothing is kept in memory."""

from __future__ import annotations

from darrow._extras import load
from darrow._parquet import NewTable, plain_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


class CsvFile(NewTable):
    """Comma-separated values with a line of names. Null is nothing, empty text is "", lists are JSON, bytes base64."""

    def _start(self) -> None:
        csv = load("pyarrow.csv", "CSV")
        schema = self._arrow.schema([(field.name, _text_type(field.type)) for field in self.schema])
        self._writer = csv.CSVWriter(self._new.file, schema)

    def _write(self, table: pa.Table) -> None:
        columns = [_text(column) for column in table.columns]
        self._writer.write_table(self._arrow.table(columns, names=table.column_names))

    def _end(self) -> None:
        self._writer.close()


class JsonFile(NewTable):
    """A JSON object a line. Ids are text, as 64 bits are too many for the numbers of many readers; bytes are base64;
    what is no number (NaN, infinite) is null."""

    def _write(self, table: pa.Table) -> None:
        polars = load("polars", "JSON")
        columns = [_json(field, column) for field, column in zip(table.schema, table.columns, strict=True)]
        polars.from_arrow(self._arrow.table(columns, names=table.column_names)).write_ndjson(self._new.file)


class ArrowFile(NewTable):
    """Arrow IPC file format (Feather 2), zstd. Dictionaries become plain text: such a file has one for all batches."""

    def _start(self) -> None:
        ipc = load("pyarrow.ipc", "Arrow")
        fields = [field.with_type(plain_type(field.type)) for field in self.schema]
        self._plain = self._arrow.schema(fields, metadata=self.schema.metadata)
        self._writer = ipc.new_file(self._new.file, self._plain, options=ipc.IpcWriteOptions(compression="zstd"))

    def _write(self, table: pa.Table) -> None:
        self._writer.write_table(table.cast(self._plain))

    def _end(self) -> None:
        self._writer.close()


def _text_type(kind: pa.DataType) -> pa.DataType:
    arrow = load("pyarrow", "CSV")
    kind = plain_type(kind)
    return arrow.string() if arrow.types.is_nested(kind) or arrow.types.is_binary(kind) else kind


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as CSV can hold it."""
    arrow = load("pyarrow", "CSV")
    kind = plain_type(column.type)
    if arrow.types.is_binary(kind):
        return _base64(column)
    if arrow.types.is_nested(kind):
        import json

        texts = [None if value is None else json.dumps(value, separators=(",", ":")) for value in column.to_pylist()]
        return arrow.chunked_array([arrow.array(texts, arrow.string())])
    return column.cast(kind)


def _json(field: pa.Field, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as JSON can hold it."""
    arrow = load("pyarrow", "JSON")
    compute = load("pyarrow.compute", "JSON")
    kind = plain_type(field.type)
    if arrow.types.is_binary(kind):
        return _base64(column)
    if kind == arrow.uint64() and (field.name == "id" or (field.metadata or {}).get(b"unit") == b"id"):
        return column.cast(arrow.string())
    if arrow.types.is_floating(kind):
        return compute.if_else(compute.is_finite(column), column, arrow.scalar(None, kind))
    return column.cast(kind)


def _base64(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import base64

    arrow = load("pyarrow", "text of bytes")
    if column.null_count == len(column):
        return arrow.chunked_array([arrow.nulls(len(column), arrow.string())])
    texts = [None if value is None else base64.b64encode(value).decode() for value in column.to_pylist()]
    return arrow.chunked_array([arrow.array(texts, arrow.string())])
