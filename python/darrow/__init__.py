"""Read and write Darshan I/O logs as tables.

>>> import darrow
>>> log = darrow.open("job.darshan")
>>> log.job.nprocs, list(log)
>>> log["POSIX"].to_polars()            # or to_pandas(), to_arrow(), duckdb.sql("from rec")
>>> log["POSIX"].aggregate()            # all records as one, each counter by its own rule; by="file", ...
>>> darrow.aggregate(df, by="rank")     # the same for a dataframe after filtering
>>> log.summary()                       # what the job did, per module
>>> darrow.write("copy.darshan", log)   # or tables of your own
>>> ds = darrow.scan("logs/**/*.darshan")   # many logs: the same tables, read batch by batch

Importing this package needs nothing but the standard library.
"""

from __future__ import annotations

from darrow._accessors import register as _register
from darrow._core import version as __version__
from darrow.errors import AggregationError, CorruptLogError, DarrowError, NotALogError, UnsupportedVersionError
from darrow.info import Job, ModuleInfo, Mount, Problem
from darrow.log import Log, open
from darrow.names import Names
from darrow.records import Records
from darrow.schema import Field, Schema
from darrow.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from darrow._aggregate import Aggregate, aggregate
    from darrow._expand_shared import expand_shared
    from darrow._metrics import Metrics, Values, metrics
    from darrow._polars import scan_darshan
    from darrow._rules import Rule, Rules, rules
    from darrow._sql import Result, sql
    from darrow._sql_errors import QueryError
    from darrow._write import from_records, record_id, to_records, write
    from darrow.dataset import Dataset, Failure, scan, scan_tables
    from darrow.lake import Lake
    from darrow.scanned import ScannedTable
    from darrow.summary import Summary

__all__ = [
    "Aggregate",
    "AggregationError",
    "CorruptLogError",
    "DarrowError",
    "Dataset",
    "Failure",
    "Field",
    "Job",
    "Lake",
    "Log",
    "Metrics",
    "ModuleInfo",
    "Mount",
    "Names",
    "NotALogError",
    "Problem",
    "QueryError",
    "Records",
    "Result",
    "Rule",
    "Rules",
    "ScannedTable",
    "Schema",
    "Summary",
    "Table",
    "UnsupportedVersionError",
    "Values",
    "__version__",
    "aggregate",
    "expand_shared",
    "from_records",
    "metrics",
    "open",
    "record_id",
    "rules",
    "scan",
    "scan_darshan",
    "scan_tables",
    "sql",
    "to_records",
    "write",
]

# What few programs need is imported when it is asked for.
_LATER = {
    "Aggregate": "darrow._aggregate",
    "Dataset": "darrow.dataset",
    "Failure": "darrow.dataset",
    "Lake": "darrow.lake",
    "Metrics": "darrow._metrics",
    "QueryError": "darrow._sql_errors",
    "Result": "darrow._sql",
    "Rule": "darrow._rules",
    "Rules": "darrow._rules",
    "ScannedTable": "darrow.scanned",
    "Summary": "darrow.summary",
    "Values": "darrow._metrics",
    "aggregate": "darrow._aggregate",
    "expand_shared": "darrow._expand_shared",
    "from_records": "darrow._write",
    "metrics": "darrow._metrics",
    "record_id": "darrow._write",
    "rules": "darrow._rules",
    "scan": "darrow.dataset",
    "scan_darshan": "darrow._polars",
    "scan_tables": "darrow.dataset",
    "sql": "darrow._sql",
    "to_records": "darrow._write",
    "write": "darrow._write",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'darrow' has no attribute {name!r}")
    import sys

    _register()
    __import__(_LATER[name])
    value: object = getattr(sys.modules[_LATER[name]], name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


_register()
