"""Reading the tables of an export, or of a lake, log by log."""

from __future__ import annotations

import os
from pathlib import Path

from darrow._export import table_names, table_schema
from darrow._extras import load
from darrow._parquet import batches, check_about, check_columns, damaged, open_file
from darrow._source import plain_name
from darrow.errors import DarrowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

# What a log cannot be written without.
_NEEDED = ("jobs", "modules", "names", "mounts", "metadata")


class Export:
    """The tables of a directory that an export or a lake has written, as Parquet or Arrow files.

    Rows are read in batches and in the order of the files; those of one log stand together in each table.

    Parameters
    ----------
    directory : str or path
    log : str, optional
        Only the rows of this log.

    Raises
    ------
    OSError
        The directory is not there, ...
    DarrowError
        It holds no export; a file is damaged, not of this kind, or of a newer version.
    """

    def __init__(self, directory: str | os.PathLike[str], log: str | None = None) -> None:
        self.path = Path(directory)
        self._files: dict[str, list[Path]] = {}
        there = {entry.name for entry in self.path.iterdir()}
        for table in table_names():
            if files := _files_of(self.path, table, there):
                self._files[table] = files
        if missing := [table for table in _NEEDED if table not in self._files]:
            what = "no export in Parquet or Arrow" if len(missing) == len(_NEEDED) else "an incomplete export"
            raise DarrowError(
                f"{directory}: {what}: there is no table {missing[0]}", code="foreign", file=str(directory)
            )
        self._only = log
        self._schemas = {table: _check(files, table) for table, files in self._files.items()}
        self._tables = {table: _LogByLog(self._batches(table)) for table in self._files}
        self._module_tables = {plain_name(table): table for table in table_names()}

    def logs(self) -> list[str]:
        """The logs whose jobs are there, in order."""
        logs: dict[str, None] = {}
        for path in self._files["jobs"]:
            for batch in _read(path, "jobs", None, ["log"]):
                logs |= dict.fromkeys(batch.column("log").to_pylist())
        return list(logs)

    def table_of(self, module: str) -> str:
        """The table of a module."""
        return self._module_tables[plain_name(module)]

    def need(self, table: str) -> None:
        """DarrowError if the table is not there."""
        if table not in self._files:
            raise DarrowError(f"{self.path}: there is no table {table}", code="foreign", file=str(self.path))

    def schema(self, table: str) -> pa.Schema:
        """The columns of a table, which need not be there."""
        return self._schemas[table] if table in self._schemas else table_schema(table)

    def no_rows(self, table: str) -> pa.Table:
        """A table of one batch without rows."""
        arrow = load("pyarrow", "an import")
        schema = self.schema(table)
        columns = [arrow.nulls(0, field.type) for field in schema]  # empty_table() would load pandas
        return arrow.Table.from_batches([arrow.RecordBatch.from_arrays(columns, schema=schema)])

    def take(self, table: str, log: str) -> Iterator[pa.RecordBatch]:
        """The rows of a log. If all logs are read: only in the order of `logs()`."""
        if table not in self._tables:
            return iter(())
        return self._tables[table].take(log)

    def skip(self, log: str) -> None:
        """Passes over rows of the log in tables that nobody asked for."""
        for table in self._tables.values():
            for _ in table.take(log):
                pass

    def check_end(self) -> None:
        """DarrowError if there are rows that belong to none of the logs that were taken."""
        for name, table in self._tables.items():
            if name in _NEEDED and (log := table.front()) is not None:
                raise self.error(name, f"rows of {log} do not stand where they should: take its log alone")

    def error(self, table: str, what: str) -> DarrowError:
        """An error that names the file of a table."""
        file = str(self._files[table][0] if table in self._files else self.path)
        return DarrowError(f"{file}: {what}", code="corrupt", file=file)

    def _batches(self, table: str) -> Iterator[pa.RecordBatch]:
        for path in self._files[table]:
            yield from _read(path, table, self._only, None)


class _LogByLog:
    """Batches cut where another log begins."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self._batches = batches
        self._rest: pa.RecordBatch | None = None

    def take(self, log: str) -> Iterator[pa.RecordBatch]:
        compute = load("pyarrow.compute", "an import")
        while (rest := self._fill()) is not None:
            same = compute.equal(rest.column("log"), log).fill_null(False)
            end = compute.index(same, False).as_py()
            if end == 0:
                return
            self._rest = rest.slice(end) if end > 0 else None
            yield rest.slice(0, end) if end > 0 else rest

    def front(self) -> str | None:
        """The log of the next row."""
        rest = self._fill()
        return None if rest is None else str(rest.column("log")[0].as_py())

    def _fill(self) -> pa.RecordBatch | None:
        """The next rows, if there are any."""
        while self._rest is None or self._rest.num_rows == 0:
            self._rest = next(self._batches, None)
            if self._rest is None:
                return None
        return self._rest


def _files_of(directory: Path, table: str, there: set[str]) -> list[Path]:
    """The files of a table, in order: one of an export, or the parts of a lake."""
    for ending in ("parquet", "arrow"):
        if f"{table}.{ending}" in there:
            return [directory / f"{table}.{ending}"]
    parts = list((directory / table).glob("part-*.parquet")) if table in there else []
    return sorted(parts, key=lambda part: (len(part.name), part.name))


def _check(files: list[Path], table: str) -> pa.Schema:
    """Checks the files of a table; the columns of the first."""
    needed = table_schema(table)
    schemas = []
    for path in files:
        schema = open_file(path, table).schema_arrow if path.suffix == ".parquet" else _arrow_schema(path, table)
        check_columns(schema, needed, str(path))
        schemas.append(schema)
    return schemas[0]


def _arrow_schema(path: Path, table: str) -> pa.Schema:
    arrow = load("pyarrow", "an import")
    try:
        with arrow.memory_map(str(path)) as file:
            schema = load("pyarrow.ipc", "an import").open_file(file).schema
    except arrow.ArrowInvalid as error:
        raise damaged(str(path), error) from error
    check_about(schema, table, str(path))
    return schema


def _read(path: Path, table: str, log: str | None, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
    """The batches of a file, of all logs or of one."""
    compute = load("pyarrow.compute", "an import")
    if path.suffix == ".parquet":
        found = batches(open_file(path, table), str(path), columns, log=log)
    else:
        found = _arrow_batches(path)
    for batch in found:
        yield batch if log is None else batch.filter(compute.equal(batch.column("log"), log))


def _arrow_batches(path: Path) -> Iterator[pa.RecordBatch]:
    arrow = load("pyarrow", "an import")
    try:
        with arrow.memory_map(str(path)) as file, load("pyarrow.ipc", "an import").open_file(file) as reader:
            for at in range(reader.num_record_batches):
                yield reader.get_batch(at)
    except (arrow.ArrowException, OSError) as error:
        raise damaged(str(path), error) from error
