"""What the tables and columns of SQL are."""

from __future__ import annotations

from darrow import _core
from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from darrow._sql import Session

_TABLES = {
    "jobs": "a row for each log that can be read",
    "modules": "a row for each module of a log",
    "names": "a row for each name of a log",
    "mounts": "a row for each mounted file system of a log",
    "metadata": "a row for each key of a job's metadata",
    "problems": "a row for each problem that reading all of a log meets",
    "metrics": "a row for each module of a log: derived metrics, exact",
    "failures": "a row for each log that cannot be read",
    "logs": "a row for each log that the lake knows",
}
_COLUMNS = {
    "log": "path of the log",
    "jobid": "job id",
    "name": "name of the file or object",
    "mount": "mount point on which it lies",
    "fs_type": "type of its file system",
    "module": "Darshan's name of the module",
    "uid": "user id",
    "nprocs": "processes",
    "start_time_sec": "start, Unix time",
    "start_time_nsec": "what is to be added to it",
    "end_time_sec": "end, Unix time; null: aborted",
    "end_time_nsec": "what is to be added to it",
    "run_time": "from start to end",
    "exe": "program with its arguments",
    "exe_bytes": "the same as stored, if it is not UTF-8",
    "log_bytes": "the path, if it is not UTF-8",
    "size": "bytes of the file",
    "damaged": "whether something was lost or is untrusted",
    "partial": "whether Darshan ran out of memory, so that records are missing",
    "records": "how many records",
    "inflated": "bytes of the region when inflated",
    "op": "write or read",
    "host": "node of the process",
    "segment": "number within record and operation",
    "offset": "where in the file",
    "length": "how much",
    "start": "since the job's start",
    "end": "since the job's start",
}
_UNITS = {
    "length": "bytes",
    "size": "bytes",
    "inflated": "bytes",
    "start": "seconds",
    "end": "seconds",
    "run_time": "seconds",
    "start_time_sec": "seconds",
    "end_time_sec": "seconds",
    "start_time_nsec": "nanoseconds",
    "end_time_nsec": "nanoseconds",
}


class About(Value):
    """A column of a table or view. `rule`: how several of its values combine; "": they do not."""

    table: str
    column: str
    type: str
    unit: str
    rule: str
    meaning: str


def meaning_of(session: Session, table: str) -> str:
    """What a row of a table or view is."""
    if view := session.views.get(table):
        return view.meaning
    if table in _TABLES:
        return _TABLES[table]
    of = next((of for of in _core.scan_tables() if of.name == table), None)
    if of is None or of.module is None:
        return f"a row for each record of {table}"
    if of.part == "header":
        return f"a row for each record that opens the region of {of.module.sql_name}"
    is_trace = "segment" in _core.scan_schema(table).columns
    return f"a row for each {'segment' if is_trace else 'record'} of {of.module.sql_name}"


def columns_of(session: Session, table: str) -> list[About]:
    """The columns of a table or view, in order."""
    session.make_known([table])
    relation = session.connection.sql(f'from "{table}"')
    types = [str(kind).lower() for kind in relation.types]
    view = session.views.get(table)
    if view is not None:
        told = [(column.name, column.unit, column.rule, column.meaning) for column in view.columns]
    else:
        told = []
        for field in session.schema(table):
            metadata = field.metadata or {}
            told.append((field.name, *(metadata.get(key, b"").decode() for key in (b"unit", b"rule", b"meaning"))))
    metrics = _metrics() if table == "metrics" else {}
    columns = []
    for (name, unit, rule, meaning), kind in zip(told, types, strict=True):
        of_metric = metrics.get(name, ("", ""))
        unit = unit or of_metric[0] or _UNITS.get(name, "")
        columns.append(About(table, name, kind, unit, rule, meaning or of_metric[1] or _COLUMNS.get(name, "")))
    return columns


def _metrics() -> dict[str, tuple[str, str]]:
    """Unit and meaning of the metrics of a module."""
    from darrow.table import Held, Table

    rows = Table(Held(_core.metric_dictionary())).to_pylist()
    return {row["name"]: (row["unit"], row["meaning"]) for row in rows if row["table"] == "layers"}


def tables_with_rows(session: Session) -> list[str]:
    """The tables that have rows, those of every log, and the views over them."""
    if session.logs is not None:
        there = set(session.logs.data.tables)
    else:
        there = set(session.files.names()) if session.files else set()
    there |= _TABLES.keys()
    tables = [table for table in session.tables if table in there]

    def is_there(name: str) -> bool:
        view = session.views.get(name)
        return name in there if view is None else any(map(is_there, view.needs))

    return tables + [view for view in session.views if is_there(view)]
