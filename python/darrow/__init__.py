"""Read Darshan I/O logs as tables.

>>> import darrow
>>> log = darrow.open("job.darshan")
>>> log.job.nprocs, list(log)
>>> log["POSIX"].to_polars()            # or to_pandas(), to_arrow(), duckdb.sql("from rec")

Importing this package needs nothing but the standard library.
"""

from __future__ import annotations

from darrow._core import version as __version__
from darrow.errors import CorruptLogError, DarrowError, NotALogError, UnsupportedVersionError
from darrow.info import Job, ModuleInfo, Mount, Problem
from darrow.log import Log, open
from darrow.names import Names
from darrow.records import Records
from darrow.schema import Field, Schema

__all__ = [
    "CorruptLogError",
    "DarrowError",
    "Field",
    "Job",
    "Log",
    "ModuleInfo",
    "Mount",
    "Names",
    "NotALogError",
    "Problem",
    "Records",
    "Schema",
    "UnsupportedVersionError",
    "__version__",
    "open",
]
