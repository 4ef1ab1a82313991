"""Reading the tables of an export, or of a lake, log by log."""

from __future__ import annotations

import os
from pathlib import Path

from darrow import _core
from darrow._extras import load
from darrow._lake_store import files_of_lake
from darrow._parquet import batches, check_about, check_columns, damaged, open_file
from darrow._tables import table_names, table_schema
from darrow.errors import DarrowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

# What a log cannot be written without.
_NEEDED = ("jobs", "modules", "names", "mounts", "metadata")
# What is not part of a log.
_UNUSED = ("problems", "metrics", "failures")


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
        files = files_of_lake(self.path) if (self.path / "lake.json").exists() else _files_of_export(self.path)
        self._files = {table: files[table] for table in table_names() if table in files and table not in _UNUSED}
        if missing := [table for table in _NEEDED if table not in self._files]:
            what = "no export in Parquet or Arrow" if len(missing) == len(_NEEDED) else "an incomplete export"
            raise DarrowError(
                f"{directory}: {what}: there is no table {missing[0]}", code="foreign", file=str(directory)
            )
        self._only = log
        self._schemas = {table: _check(files, table) for table, files in self._files.items()}
        self._positions = {name: at for at, name in enumerate(self._logs())}
        self._tables = {table: _LogByLog(self._batches(table)) for table in self._files}

    def logs(self) -> list[str]:
        """The logs whose jobs are there, in order."""
        return list(self._positions)

    def _logs(self) -> list[str]:
        logs: dict[str, None] = {}
        for path in self._files["jobs"]:
            for batch in _read(path, "jobs", self._only, ["log"]):
                logs |= {log: None for log, _ in _runs(batch) if log is not None and self._only in (None, log)}
        return list(logs)

    def tables_of(self, module: str) -> dict[str, str]:
        """The tables of a module by what of it they hold: "rows", and of some "records" or "header"."""
        tables = {
            table.part: table.name
            for table in _core.scan_tables()
            if table.module is not None and module in (table.module.name, table.module.sql_name)
        }
        if not tables:
            raise self.error("modules", f"no module is called {module!r}")
        return tables

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
        front = self._tables[table].front()
        if front is not None and self._positions[front] < self._positions[log]:
            raise self.error(table, f"rows of {front} do not stand together in the order of jobs: take its log alone")
        return self._tables[table].take(log)

    def end(self, log: str) -> None:
        """DarrowError if a table has rows of the log that nobody took: those of a module that it should not have."""
        for name, table in self._tables.items():
            if table.front() == log:
                modules = self._files["modules"][0].name
                raise self.error(
                    name,
                    f"rows of {log}, but no such module of it in {modules}; or rows do not stand together in the order "
                    "of jobs: take its log alone",
                )

    def check_end(self) -> None:
        """DarrowError if there are rows of logs that were taken. Those of logs without a job were passed over."""
        for name, table in self._tables.items():
            if (log := table.front()) is not None:
                raise self.error(name, f"rows of {log} do not stand together in the order of jobs: take its log alone")

    def error(self, table: str, what: str) -> DarrowError:
        """An error that names the file of a table."""
        file = str(self._files[table][0] if table in self._files else self.path)
        return DarrowError(f"{file}: {what}", code="corrupt", file=file)

    def _batches(self, table: str) -> Iterator[tuple[str, pa.RecordBatch]]:
        for path in self._files[table]:
            for batch in _read(path, table, self._only, None):
                for log, rows in _runs(batch):
                    if log is None:
                        raise self.error(table, "rows that tell no log")
                    if log in self._positions:
                        yield log, rows


class _LogByLog:
    """Batches of one log each, one after the other."""

    def __init__(self, batches: Iterator[tuple[str, pa.RecordBatch]]) -> None:
        self._batches = batches
        self._next: tuple[str, pa.RecordBatch] | None = None

    def take(self, log: str) -> Iterator[pa.RecordBatch]:
        while self.front() == log and self._next is not None:
            batch = self._next[1]
            self._next = None
            yield batch

    def front(self) -> str | None:
        """The log of the next row."""
        if self._next is None:
            self._next = next(self._batches, None)
        return self._next[0] if self._next is not None else None


def _files_of_export(directory: Path) -> dict[str, list[Path]]:
    """The file of each table: Parquet, where there are both."""
    there = sorted((directory / name for name in os.listdir(directory)), key=lambda path: path.suffix)
    return {path.stem: [path] for path in there if path.suffix in (".arrow", ".parquet")}


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
    with path.open("rb"):  # or Arrow tells what it cannot open as if it were damaged
        pass
    try:
        with arrow.memory_map(str(path)) as file:
            schema = load("pyarrow.ipc", "an import").open_file(file).schema
    except (arrow.ArrowException, OSError) as error:
        raise damaged(str(path), error) from error
    check_about(schema, table, str(path))
    return schema


def _read(path: Path, table: str, log: str | None, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
    """The batches of a file: all, or at least those with rows of a log."""
    if path.suffix == ".parquet":
        return batches(open_file(path, table), str(path), columns, log=log)
    return _arrow_batches(path)


def _runs(batch: pa.RecordBatch) -> Iterator[tuple[str | None, pa.RecordBatch]]:
    """The batch cut where another log begins, each with the log."""
    column = batch.column("log")
    types = load("pyarrow", "an import").types
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    runs = load("pyarrow.compute", "an import").run_end_encode(column)  # with arrays only it does not load pandas
    start = 0
    for end, log in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
        yield log, batch.slice(start, end - start)
        start = end


def _arrow_batches(path: Path) -> Iterator[pa.RecordBatch]:
    arrow = load("pyarrow", "an import")
    try:
        with arrow.memory_map(str(path)) as file, load("pyarrow.ipc", "an import").open_file(file) as reader:
            for at in range(reader.num_record_batches):
                yield reader.get_batch(at)
    except (arrow.ArrowException, OSError) as error:
        raise damaged(str(path), error) from error
