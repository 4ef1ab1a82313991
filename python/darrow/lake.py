"""A lake: the logs of a facility as one data set of Parquet files, kept up to date.

>>> lake = darrow.Lake("lake")
>>> lake.update(["/logs/2026"])         # reads what is new, and nothing twice
>>> duckdb.sql("select uid, sum(size) from 'lake/jobs/*.parquet' group by uid")

Layout, guarantees and one line for each engine: docs/lake.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from darrow._extras import load
from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.dataset as pads  # type: ignore[import-untyped, unused-ignore]

    from darrow._lake_store import Store
    from darrow._lake_update import Report

    PathLike = str | bytes | os.PathLike[Any]


class TableInfo(Value):
    """A table of a lake.

    Attributes
    ----------
    name : str
    rows : int
    files : int
    bytes : int
        Size of its files.
    """

    name: str
    rows: int
    files: int
    bytes: int


class LakeInfo(Value):
    """What is in a lake.

    Attributes
    ----------
    logs : int
        Logs that it knows, of any status.
    ok, damaged : int
        Logs that have rows; damaged: something of them is lost.
    duplicates : int
        Logs of the same content as another one, which has the rows.
    failed : int
        Logs that could not be read when they were looked at last: rows of the table `failures`.
    vanished : int
        Logs whose file is not there any more. They are among the others.
    files, bytes : int
        Of all tables.
    tables : tuple of TableInfo
    """

    logs: int
    ok: int
    damaged: int
    duplicates: int
    failed: int
    vanished: int
    files: int
    bytes: int
    tables: tuple[TableInfo, ...]


class Lake:
    """A directory with a Parquet data set of many logs.

    Reading needs no lock and meets a complete state at any time. Needs pyarrow.

    Parameters
    ----------
    directory : str or path
        It need not be there, or may be empty, before the first `update()`.

    Raises
    ------
    DarrowError
        There are other things in the directory, or a part of the lake is damaged; the message names the file.
    UnsupportedVersionError
        A newer version of Darrow made the lake.
    ImportError
        pyarrow is missing.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        load("pyarrow", "darrow.Lake")
        load("numpy", "darrow.Lake")
        self.directory = Path(directory)
        if self._is_made():
            self._store()

    def __repr__(self) -> str:
        return f"<darrow.Lake {str(self.directory)!r}: {len(self.tables)} tables>"

    def __fspath__(self) -> str:
        return str(self.directory)

    # What is in it

    @property
    def tables(self) -> list[str]:
        """Names of the tables that are there, "posix", "jobs", "logs", ..., in alphabetical order."""
        return sorted(self._store().version().parts) if self._is_made() else []

    def path(self, table: str) -> str:
        """Pattern of the files of a table, for any engine: "DIR/posix/*.parquet". KeyError if there is none."""
        self._check(table)
        return str(self.directory / table / "*.parquet")

    def files(self, table: str) -> list[str]:
        """The files of a table as they are now; the next update leaves them readable. KeyError if there are none."""
        self._check(table)
        store = self._store()
        version = store.version()
        return [str(store.path(version, part)) for part in version.parts[table]]

    def dataset(self, table: str) -> pads.Dataset:
        """A table as it is now, for `pyarrow.dataset`. KeyError if there is none."""
        return load("pyarrow.dataset", "Lake.dataset()").dataset(self.files(table), format="parquet")

    def logs(self) -> pa.Table:
        """The table `logs`, a row for each log that is known: log, digest, size, mtime_ns, status, added, vanished."""
        return self._own("logs")

    def failures(self) -> pa.Table:
        """The table `failures`: why logs could not be read (log, code, message, region, offset)."""
        return self._own("failures")

    def info(self) -> LakeInfo:
        """What is in the lake. DarrowError if a file is missing or damaged."""
        from darrow import _lake_state as states

        store = self._store()
        version = store.version()
        store.check(version)
        tables = tuple(
            TableInfo(name, sum(p.rows for p in parts), len(parts), sum(p.bytes for p in parts))
            for name, parts in version.parts.items()
        )
        state = states.State.of_table(self.logs())
        ok, damaged, _, duplicates = (int((state.status == code).sum()) for code in range(len(states.STATUS)))
        return LakeInfo(
            logs=len(state),
            ok=ok,
            damaged=damaged,
            duplicates=duplicates,
            failed=self.failures().num_rows,
            vanished=int((state.vanished > 0).sum()),
            files=sum(table.files for table in tables),
            bytes=sum(table.bytes for table in tables),
            tables=tables,
        )

    # Changing it

    def update(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        threads: int | None = None,
        forget_vanished: bool = False,
        retry: bool = False,
        wait: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Report:
        """Brings the lake up to date with some logs.

        Logs of unchanged path, size and time are not opened; those of a content that is known are not read again.
        Whatever interrupts it, the lake is as after one of its commits. No lake is made if the paths lead to no log.

        Parameters
        ----------
        paths : path or list of paths
            Logs, directories, patterns (`*`, `?`, `[`), lists (`@FILE`).
        threads : int, optional
            As many read logs; default: the processors there are. The result is the same for any number.
        forget_vanished : bool
            Logs that these paths stand for, and that are not there any more, leave the lake with their rows.
        retry : bool
            Read logs again that could not be read, though they have not changed.
        wait : bool
            Wait if another update is running.
        progress : callable, optional
            Called with the number of logs that are done, and of all.

        Raises
        ------
        DarrowError
            Another update is running (`code` "busy"), the directory holds no lake, a part is damaged, a path lies in
            the lake.
        ValueError
            `threads` is less than 1, or there are no paths.
        OSError
            The disk is full, the directory is not writable, ...
        """
        from darrow._lake_paths import find, is_inside
        from darrow._lake_store import Store
        from darrow._lake_update import COMMIT_LOGS, Options, Update, of_nothing
        from darrow._scan_batches import processors
        from darrow.errors import DarrowError

        arguments = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
        if not arguments:
            raise ValueError("no paths to look for logs")
        if threads is not None and threads < 1:
            raise ValueError(f"at least 1 thread is needed, not {threads}")
        for argument in arguments:
            if is_inside(argument, self.directory):
                name = os.fsdecode(argument)
                raise DarrowError(f"{name}: lies in the lake itself", code="inside", file=name)
        found = None if self._is_made() else find(arguments)
        if found is not None and (report := of_nothing(found)) is not None:
            return report
        store = Store.create(self.directory)
        options = Options(threads or processors(), forget_vanished, retry, progress, COMMIT_LOGS)
        with _errors_of(store.directory), store.locked(wait):
            return Update(store, arguments, options).run(found)

    def compact(self, *, wait: bool = False) -> list[str]:
        """Merges small files, so that each table has as few as possible, of about 256 MB. Returns the tables concerned.

        Raises
        ------
        DarrowError
            Another update is running (`code` "busy") and `wait` is false, or a part is damaged.
        OSError
            The disk is full, ...
        """
        from darrow._lake_commit import Commit

        store = self._store()
        with _errors_of(store.directory), store.locked(wait):
            commit = Commit(store)
            return [table for table in list(commit.version.parts) if commit.compact(table)]

    # Inside

    def _is_made(self) -> bool:
        begun = (".lock", ".staging", ".lake.json.")  # by an update that was killed, or has not come further
        return (self.directory / "lake.json").exists() or bool(
            self.directory.exists() and not all(name.startswith(begun) for name in os.listdir(self.directory))
        )

    def _store(self) -> Store:
        from darrow._lake_store import Store

        return Store(self.directory)

    def _check(self, table: str) -> None:
        if table not in self.tables:
            raise KeyError(f"no table {table} in {self.directory}; there are {', '.join(self.tables)}")

    def _own(self, table: str) -> pa.Table:
        from darrow._lake_commit import own_table

        return own_table(self._store(), table)


@contextmanager
def _errors_of(directory: Path) -> Iterator[None]:
    """Errors of the system that name no file name the lake."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror or str(error), str(directory)) from error
