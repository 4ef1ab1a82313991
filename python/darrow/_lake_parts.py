"""The parts of a lake's tables: written from batches, merged, rid of the rows of some logs."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

from darrow._lake_arrays import of_texts
from darrow._lake_store import Part, Store, Version
from darrow._parquet import TableFile, batches, damaged, open_file, plain_type
from darrow._paths import shown
from darrow.errors import DarrowError

# A part is full at this size, in bytes.
PART_BYTES = 256 << 20
# Parts below this size are always merged with new rows.
SMALL_BYTES = 1 << 20
# What all unfinished row groups together may take in memory.
PENDING_BYTES = 64 << 20
# Rows are read and merged so many bytes at a time.
_READ_BYTES = 8 << 20


class Writer:
    """Rows of many tables, as they come, into parts in the staging directory.

    `close()` says which parts came to be. Memory holds one unfinished row group of each table, all of them together at
    most about `PENDING_BYTES`.
    """

    def __init__(self, store: Store, numbers: dict[str, int], part_bytes: int = PART_BYTES) -> None:
        self.numbers = numbers
        self.bytes = 0
        self._store = store
        self._part_bytes = part_bytes
        self._open: dict[str, TableFile] = {}
        self._parts: dict[str, list[Part]] = {}

    def add(self, table: str, rows: pa.Table, schema: pa.Schema | None = None) -> None:
        """Adds rows. Columns of the schema that the rows lack are null."""
        file = self._open.get(table)
        if file is None:
            file = self._begin(table, rows.schema if schema is None else schema)
        file.write(conform(rows, file.schema))
        if file.pending_bytes == 0 and file.written >= self._part_bytes:
            self.end(table)
        elif sum(one.pending_bytes for one in self._open.values()) > PENDING_BYTES:
            max(self._open.values(), key=lambda one: one.pending_bytes).flush()

    def _begin(self, table: str, schema: pa.Schema) -> TableFile:
        directory = self._store.staging / table
        directory.mkdir(exist_ok=True)
        self.numbers[table] = self.numbers.get(table, 0) + 1
        file = TableFile(directory / f"part-{self.numbers[table]}.parquet", schema, table)
        self._open[table] = file
        return file

    def end(self, table: str) -> None:
        """Completes the part of a table that is being written, if there is one."""
        file = self._open.pop(table, None)
        if file is None:
            return
        try:
            file.close()
        except BaseException:
            file.discard()
            raise
        size = Path(file.path).stat().st_size
        self.bytes += size
        self._parts.setdefault(table, []).append(Part(table, self.numbers[table], file.rows, size))

    def close(self) -> dict[str, list[Part]]:
        """Completes all parts."""
        for table in list(self._open):
            self.end(table)
        parts, self._parts = self._parts, {}
        return parts

    def discard(self) -> None:
        """Gives up what is not complete."""
        for file in self._open.values():
            file.discard()
        self._open.clear()


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The columns of a schema, in its order; those that are missing are null."""
    if table.schema.names == schema.names:
        return table
    columns = [
        table.column(field.name) if field.name in table.column_names else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=pa.schema([_typed(field, c) for field, c in zip(schema, columns, strict=True)]))


def _typed(field: pa.Field, column: Any) -> pa.Field:
    return field.with_type(column.type)


def union(schemas: Iterable[tuple[str, pa.Schema]]) -> pa.Schema:
    """All columns of some schemas, each with the name of its file. DarrowError if one is of two types."""
    fields: dict[str, pa.Field] = {}
    metadata: dict[bytes, bytes] | None = None
    for name, schema in schemas:
        metadata = metadata or schema.metadata
        for field in schema:
            first = fields.setdefault(field.name, field)
            if plain_type(first.type) != plain_type(field.type):
                what = f"{name}: column {field.name} is of type {field.type}, not {first.type}"
                raise DarrowError(what, code="foreign", file=name)
    return pa.schema(list(fields.values()), metadata=metadata)


# The rows of some logs


class Changes:
    """What happens to rows that are there: those of some logs go, those of others get another log's name."""

    def __init__(self, dropped: Iterable[str] = (), renamed: Mapping[str, bytes] | None = None) -> None:
        renamed = renamed or {}
        self.names = of_texts(sorted({*dropped, *renamed}))
        self._dropped = of_texts(sorted(set(dropped) - renamed.keys()))
        self._from = of_texts(list(renamed))
        texts = [shown(key) for key in renamed.values()]
        self._to = of_texts(texts)
        odd = [key if text.encode() != key else None for key, text in zip(renamed.values(), texts, strict=True)]
        self._to_bytes = pa.array(odd, pa.binary())

    def __bool__(self) -> bool:
        return len(self.names) > 0

    def apply(self, rows: pa.Table) -> pa.Table:
        """The rows that stay."""
        logs = _texts(rows.column("log"))
        if len(self._dropped):
            keep = pc.invert(pc.is_in(logs, value_set=self._dropped))
            rows, logs = rows.filter(keep), logs.filter(keep)
        if len(self._from):
            at = pc.index_in(logs, value_set=self._from)
            kind = rows.schema.field("log").type
            new = pc.coalesce(pc.take(self._to, at), logs)
            new = new.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else new
            rows = rows.set_column(rows.column_names.index("log"), rows.schema.field("log"), new)
            if "log_bytes" in rows.column_names:
                index = rows.column_names.index("log_bytes")
                new = pc.if_else(pc.is_null(at), rows.column(index), pc.take(self._to_bytes, at))
                rows = rows.set_column(index, rows.schema.field(index), new)
        return rows

    def concern(self, path: Path, table: str) -> bool:
        """Whether a part has rows of any of these logs. Row groups whose range of names excludes them are not read."""
        file = open_file(path, table)
        names = self.names.to_pylist()
        for group in range(file.num_row_groups):
            column = file.metadata.row_group(group).column(file.schema_arrow.get_field_index("log"))
            stats = column.statistics if column.path_in_schema == "log" else None
            if stats is not None and stats.has_min_max and not any(stats.min <= name <= stats.max for name in names):
                continue
            try:
                logs = file.read_row_group(group, columns=["log"]).column("log")
            except Exception as error:
                raise damaged(str(path), error) from error
            if pc.any(pc.is_in(_texts(logs), value_set=self.names)).as_py():
                return True
        return False


def _texts(column: Any) -> Any:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


# Merging


def tail_to_merge(sizes: Sequence[int], new: int, part_bytes: int = PART_BYTES) -> int:
    """How many of some parts, the largest first, are merged with new rows of a size: none that is much larger.

    So each row is rewritten only when four times as much has come together, and there are few parts.
    """
    count, together = 0, new
    for size in reversed(sizes):
        if size >= part_bytes // 2 or size >= max(4 * together, SMALL_BYTES):
            break
        count, together = count + 1, together + size
    return count


def rewrite(writer: Writer, table: str, parts: Sequence[tuple[Path, Changes | None]]) -> None:
    """All rows of some parts, one after the other, into new ones. DarrowError if a part is damaged.

    A part of no rows comes to be if there are none, so that the table keeps its columns.
    """
    with ExitStack() as stack:
        files = [(str(path), stack.enter_context(open_file(path, table)), changes) for path, changes in parts]
        schema = union((name, file.schema_arrow) for name, file, _ in files)
        writer.add(table, schema.empty_table(), schema)
        for name, file, changes in files:
            rows_at_a_time = max(1024, _READ_BYTES // (16 * len(schema)))
            for batch in batches(file, name, rows=rows_at_a_time):
                rows = pa.Table.from_batches([batch])
                writer.add(table, changes.apply(rows) if changes else rows, schema)
    writer.end(table)
    give_back()


def give_back() -> None:
    """Memory that is free goes back to the system, which allocators of many threads do late or never."""
    pa.default_memory_pool().release_unused()
    with suppress(AttributeError, OSError, TypeError):  # the C library of GNU has it
        ctypes.CDLL(None).malloc_trim(0)


def schemas(store: Store, version: Version, table: str) -> Iterator[tuple[str, pa.Schema]]:
    """The columns of each part of a table, with the part's path."""
    for part in version.parts.get(table, ()):
        path = store.path(version, part)
        yield str(path), open_file(path, table).schema_arrow
