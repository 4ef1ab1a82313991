"""Exports: the tables of many logs as files of one directory."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from darrow._new_file import sync_directory
from darrow._parquet import NewTable, TableFile
from darrow._scan_batches import Filters
from darrow._tables import ALWAYS, FAILURES, failures_table, table_names, table_schema
from darrow._text_files import ArrowFile, CsvFile, JsonFile
from darrow._value import Value
from darrow.dataset import Failure, scan_tables
from darrow.errors import DarrowError
from darrow.info import LOSS
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from darrow.dataset import Dataset

# Format -> how its files end, and what writes them.
FORMATS: dict[str, tuple[str, type[NewTable]]] = {
    "parquet": ("parquet", TableFile),
    "csv": ("csv", CsvFile),
    "json": ("ndjson", JsonFile),
    "arrow": ("arrow", ArrowFile),
}
# All tables together hold at most so much memory before they go to their files.
_PENDING_BYTES = 64 << 20


class Exported(Value):
    """What an export did.

    Attributes
    ----------
    rows : dict of str to int
        By table.
    logs : int
        How many were read, in whole or in part.
    failures : list of Failure
        Logs that could not be opened.
    lost : int
        How many problems tell that something of a log is lost or untrusted: those of severity "error".
    """

    rows: dict[str, int]
    logs: int
    failures: list[Failure]
    lost: int


def export(
    dataset: Dataset,
    directory: str | os.PathLike[str],
    *,
    format: str = "parquet",
    tables: Iterable[str] | None = None,
    filters: Filters | None = None,
    overwrite: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Exported:
    """Writes tables of logs into a directory, a file a table, in one pass. Files appear together, when all is done.

    Memory: batches, and row groups of Parquet of 64 MiB in all.

    Parameters
    ----------
    dataset : Dataset
    directory : str or path
        Is made if it is not there.
    format : {"parquet", "csv", "json", "arrow"}
    tables : iterable of str, optional
        Only these, and `failures`; all that have rows, and those of the job, else.
    filters : Filters, optional
        Only records that these let through. Logs cannot be made of them again.
    overwrite : bool
        Replace the tables of an earlier export, and remove those that are not written this time.
    progress : function, optional
        Is called with a line after each batch.

    Raises
    ------
    FileExistsError
        The directory is not empty and `overwrite` is False.
    ValueError
        There is no such format or table.
    DarrowError
        No log could be read. Nothing is written then.
    OSError
        The disk is full, ... What was there before is still there.
    """
    if format not in FORMATS:
        raise ValueError(f'no format "{format}": there are {", ".join(FORMATS)}')
    wanted = _wanted(tables)
    batches = dataset._batches(wanted, filters or Filters())
    place = Place(directory, overwrite)
    files = _Files(place.path, format)
    lost = 0
    try:
        for batch in batches:
            files.write(batch.name, Table(Held(batch)))
            if batch.name == "problems":
                lost += batch.column("severity", False).count(LOSS)
            if progress:
                progress(f"{batch.name}: {files.rows[batch.name]} rows")
        failures = [Failure(dataset.logs[position], *rest) for position, *rest in batches.failures()]
        if failures and len(failures) == len(dataset.logs):
            raise _nothing_read(failures)
        for name in wanted or ALWAYS:
            files.open(name)
        files.open(FAILURES)
        if failures:
            files.write(FAILURES, failures_table(failures))
        place.clear(files.publish())
    except BaseException:
        files.discard()
        place.leave()
        raise
    return Exported(files.rows, len(dataset.logs) - len(failures), failures, lost)


def _wanted(tables: Iterable[str] | None) -> list[str]:
    known = scan_tables()
    wanted = list(dict.fromkeys(tables or ()))
    if tables is not None and not wanted:
        raise ValueError("no table to export")
    for name in wanted:
        if name not in known:
            raise ValueError(f'no table "{name}": there are {", ".join(known)}')
    return wanted


def _nothing_read(failures: list[Failure]) -> DarrowError:
    first = failures[0]
    others = f"; nor could {len(failures) - 1} others be read" if len(failures) > 1 else ""
    return DarrowError(f"{first}{others}", code=first.code, file=first.log, region=first.region, offset=first.offset)


class Place:
    """The directory of an export: made if need be, refused if something is there already.

    Raises
    ------
    FileExistsError
        It is not empty, and nothing shall be overwritten.
    """

    def __init__(self, directory: str | os.PathLike[str], overwrite: bool) -> None:
        self.path = Path(directory)
        self._is_new = not self.path.exists()
        if not self._is_new and not overwrite and any(self.path.iterdir()):
            raise FileExistsError(
                errno.EEXIST, "not empty; --force, or overwrite=True, replaces its tables", str(directory)
            )
        self.path.mkdir(parents=True, exist_ok=True)

    def clear(self, names: set[str]) -> None:
        """Removes what an earlier export left, but for the files that are named."""
        tables = [*table_names(), "dxt_explorer"]
        ours = {f"{table}.{ending}" for table in tables for ending, _ in FORMATS.values()}
        for entry in self.path.iterdir():
            is_part = entry.name.startswith(".") and entry.name.endswith(".part")  # of a process that was killed
            if entry.name in ours - names or (is_part and entry.name[1:].rsplit(".", 2)[0] in ours):
                entry.unlink(missing_ok=True)
        sync_directory(self.path)

    def leave(self) -> None:
        """Nothing came of it."""
        if self._is_new and self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()


class _Files:
    """The files that are being written."""

    def __init__(self, directory: Path, format: str) -> None:
        self._directory = directory
        self._ending, self._kind = FORMATS[format]
        self._files: dict[str, NewTable] = {}

    @property
    def rows(self) -> dict[str, int]:
        return {name: file.rows for name, file in self._files.items()}

    def open(self, table: str) -> NewTable:
        """The file of a table, which is there from now on."""
        if (file := self._files.get(table)) is None:
            path = self._directory / f"{table}.{self._ending}"
            file = self._files[table] = self._kind(path, table_schema(table), table)
        return file

    def write(self, table: str, batch: Any) -> None:
        self.open(table).write(batch)
        if sum(file.pending_bytes for file in self._files.values()) > _PENDING_BYTES:
            max(self._files.values(), key=lambda file: file.pending_bytes).flush()

    def publish(self) -> set[str]:
        """Completes all files, and only then gives them their names."""
        for file in self._files.values():
            file.finish()
        for file in self._files.values():
            file.publish()
        return {os.path.basename(file.path) for file in self._files.values()}

    def discard(self) -> None:
        for file in self._files.values():
            file.discard()
