"""SQL over logs, lakes and exports."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from darrow._accessors import register
from darrow._extras import load
from darrow._sql_errors import QueryError, one_line, query_errors
from darrow._sql_views import View, views
from darrow._tables import table_names, table_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow._sql_files import FileTables
    from darrow._sql_logs import LogTables
    from darrow.dataset import Dataset, Failure
    from darrow.dataset import Path as LogPath
    from darrow.log import Log

    Source: TypeAlias = "Dataset | Log | LogPath | Iterable[LogPath]"

_SETTINGS = {
    # Nothing is fetched from anywhere, and variables of this program are no tables.
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "preserve_insertion_order": "true",
}

# What looks at tables without naming them.
_LISTS = re.compile(r"\b(show|describe|summarize|information_schema|duckdb_\w+|pragma)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def sql(query: str, source: Source, *, memory: str | None = None, threads: int | None = None) -> Result:
    """Asks logs a question in SQL, as DuckDB has it. Needs duckdb and pyarrow.

    Only the tables and columns that the query uses are read, batch by batch; rows that conditions on `log`, `id`,
    `rank` and `name` leave out are not decoded. All tables and views: docs/sql.md.

    >>> darrow.sql("select name, bytes_written from files order by 2 desc limit 10", "job.darshan")

    Parameters
    ----------
    query : str
        One or more statements; the result is that of the last one.
    source : Dataset, Log, path, or list of paths
        What `darrow.scan()` gives or takes: logs, directories, patterns; a log opened by path; or the directory of a
        lake or an export in Parquet.
    memory : str, optional
        What DuckDB may hold in memory, as "4GB"; what is more goes to a temporary directory. Half of the machine's
        unless given.
    threads : int, optional
        How many DuckDB uses; all processors unless given.

    Returns
    -------
    Result
        A table that is read when it is asked for: print it, `.df()`, `.pl()`, `.arrow()`.

    Raises
    ------
    QueryError
        The query has an error, or names a table or column that there is not; the message names those there are.
    OSError, DarrowError
        There is no such path; the lake is damaged or of a newer version.
    """
    if not isinstance(query, str):
        raise TypeError(f"the query, a str, comes first, then what is asked; not {type(query).__name__}")
    return Session(source, memory=memory, threads=threads).query(query)


class Result:
    """What a query gives. Rows are read when something takes them, each time anew.

    Any Arrow consumer takes it: `pyarrow.table(r)`, `polars.DataFrame(r)`. `relation` is DuckDB's own, to go on with.

    Attributes
    ----------
    relation : duckdb.DuckDBPyRelation
        The query. Stays valid as long as it is held.
    """

    def __init__(self, session: Session, relation: duckdb.DuckDBPyRelation) -> None:
        self._session = session
        self.relation = relation

    @property
    def columns(self) -> list[str]:
        """Their names."""
        return list(self.relation.columns)

    @property
    def types(self) -> list[str]:
        """Their types, as DuckDB has them."""
        return [str(kind) for kind in self.relation.types]

    @property
    def failures(self) -> list[Failure]:
        """Logs that could not be opened so far."""
        return self._session.failures

    @property
    def counters(self) -> dict[str, int]:
        """What reading logs has cost so far: `logs_opened`, `bytes_inflated`, `columns_decoded`, `records_copied`."""
        return self._session.counters

    def to_reader(self, rows: int = 1 << 16) -> pa.RecordBatchReader:
        """The rows batch by batch, of so many rows at most."""
        with query_errors(self._session):
            if hasattr(self.relation, "to_arrow_reader"):
                reader = self.relation.to_arrow_reader(rows)
            else:  # before 1.4
                reader = self.relation.fetch_arrow_reader(rows)
        return reader

    def batches(self, rows: int = 1 << 16) -> Iterator[pa.RecordBatch]:
        """The rows as `to_reader()` gives them; what goes wrong in reading a log is an error of this package."""
        return self._session.batches(self.to_reader(rows))

    def to_arrow(self) -> pa.Table:
        """All rows as a table of pyarrow."""
        arrow = load("pyarrow", "to_arrow()")
        reader = self.to_reader()
        with query_errors(self._session):
            return arrow.Table.from_batches(reader, reader.schema)

    def to_polars(self) -> pl.DataFrame:
        """All rows as a data frame of Polars. Needs polars."""
        frame: pl.DataFrame = load("polars", "to_polars()").from_arrow(self.to_arrow())
        register()
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a data frame of pandas with Arrow-backed columns: integers stay integers. Needs pandas."""
        pandas = load("pandas", "to_pandas()")
        frame: pd.DataFrame = self.to_arrow().to_pandas(types_mapper=pandas.ArrowDtype)
        register()
        return frame

    arrow = to_arrow
    pl = to_polars
    df = to_pandas

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows as tuples of Python objects."""
        with query_errors(self._session):
            return self.relation.fetchall()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows as an Arrow stream capsule, batch by batch."""
        return self.to_reader().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        with query_errors(self._session):
            return str(self.relation)


class Session:
    """A connection to DuckDB in which the tables and views of a source are known."""

    def __init__(self, source: Source, *, memory: str | None = None, threads: int | None = None) -> None:
        engine = load("duckdb", "SQL")
        load("pyarrow.dataset", "SQL")
        settings = _SETTINGS | {"temp_directory": os.path.join(tempfile.gettempdir(), f"darrow-sql-{os.getpid()}")}
        if memory is not None:
            settings["memory_limit"] = memory
        if threads is not None:
            settings["threads"] = str(threads)
        try:
            self.connection: duckdb.DuckDBPyConnection = engine.connect(config=settings)
        except engine.Error as error:
            given = [
                f"{name} {value}" for name, value in (("memory", memory), ("threads", threads)) if value is not None
            ]
            raise QueryError(f"{', '.join(given)}: {one_line(error)}") from None
        if memory is None:
            self._halve_memory()
        self.logs: LogTables | None = None
        self.files: FileTables | None = None
        self._open(source)
        self._made: set[str] = set()
        self.used: set[str] = set()  # by the last query
        self.views: dict[str, View] = {view.name: view for view in views()}

    def _halve_memory(self) -> None:
        """DuckDB would take 80 % of what the machine, or the container, has."""
        (default,) = self.connection.execute("select current_setting('memory_limit')").fetchall()[0]
        number, unit = default.split()
        self.connection.execute(f"set memory_limit = '{float(number) * 5 / 8:.1f} {unit}'")

    def _open(self, source: Source) -> None:
        from darrow._sql_files import FileTables, holds_tables
        from darrow._sql_logs import LogTables
        from darrow.dataset import Dataset, scan
        from darrow.log import Log

        if isinstance(source, Dataset):
            self.logs = LogTables(source)
        elif isinstance(source, Log):
            if source._reopen is None:
                raise ValueError(f"{source.path} was not opened by its path: SQL reads logs from files")
            path, strict, most = source._reopen
            self.logs = LogTables(scan(path, strict=strict, max_region_bytes=most))
        elif isinstance(source, (str, os.PathLike)) and holds_tables(Path(os.fsdecode(source))):
            self.files = FileTables(os.fsdecode(source))
        else:
            self.logs = LogTables(scan(source))

    @property
    def tables(self) -> list[str]:
        """Every table there is, with or without rows."""
        names = sorted(table_names(), key="null".__eq__)  # last, as hardly any log has it
        if self.files is not None:
            names += [name for name in self.files.names() if name not in names]
        return names

    @property
    def names(self) -> list[str]:
        """Every table and view."""
        return [*self.tables, *self.views]

    def schema(self, table: str) -> pa.Schema:
        """The columns of a table."""
        return self.files.schema(table) if self.files and self.files.files(table) else table_schema(table)

    def columns(self, name: str) -> list[str]:
        """The names of the columns of a table or view."""
        view = self.views.get(name)
        return list(self.schema(name).names) if view is None else [column.name for column in view.columns]

    def query(self, query: str) -> Result:
        """Runs all statements but the last, whose rows are the result."""
        with query_errors(self):
            statements = self.connection.extract_statements(query)
            if not statements:
                raise QueryError("the query is empty")
            self.used = set().union(*(self._used(statement.query) for statement in statements))
            self.make_known(self.used)
            for statement in statements[:-1]:
                self.connection.execute(statement).fetchall()
            relation = self.connection.sql(statements[-1].query)
            if relation is None:
                relation = self.connection.sql("select 1 as done where false")
        return Result(self, relation)

    def _used(self, statement: str) -> set[str]:
        """The tables and views that a statement may use: it has to name them."""
        if _LISTS.search(statement):
            return set(self.names)
        return set(_WORD.findall(statement.lower())) & set(self.names)

    def make_known(self, names: Iterable[str]) -> None:
        """Tables and views, with what they stand on."""
        for name in names:
            if name in self._made:
                continue
            self._made.add(name)
            view = self.views.get(name)
            if view is not None:
                self.make_known(view.needs)
                self.connection.execute(view.sql)
            elif self.logs is not None:
                self.connection.register(name, self.logs.table(name))
            elif self.files is not None and self.files.files(name):
                self.connection.execute(self.files.statement(name))
            else:
                self.connection.register(name, self.schema(name).empty_table())

    def batches(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        """The batches of a result."""
        while True:
            with query_errors(self):
                try:
                    batch = reader.read_next_batch()
                except StopIteration:
                    return
            yield batch

    def cause(self) -> Exception | None:
        """What went wrong in reading a log, once; DuckDB has only its text."""
        return self.logs.take_error() if self.logs else None

    @property
    def failures(self) -> list[Failure]:
        """Logs that could not be opened so far."""
        return self.logs.failures if self.logs else []

    @property
    def counters(self) -> dict[str, int]:
        """What reading logs has cost so far."""
        from darrow._scan_batches import Batches

        return self.logs.counters if self.logs else Batches.no_cost()
