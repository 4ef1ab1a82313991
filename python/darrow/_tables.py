"""The tables of many logs as files and queries have them: those of a scan, and `failures`."""

from __future__ import annotations

import os

from darrow import _core
from darrow._extras import load
from darrow._paths import shown
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow.dataset import Failure

FAILURES = "failures"
# Tables that are always there, maybe without rows, so that every query finds its columns.
ALWAYS = ("jobs", "modules", "names", "mounts", "metadata", "problems", "metrics")


def table_names() -> list[str]:
    """Every table there can be."""
    return [*(table.name for table in _core.scan_tables()), FAILURES]


def table_schema(table: str) -> pa.Schema:
    """The columns of a table."""
    if table == FAILURES:
        return _failures_schema()
    return load("pyarrow", "a table").schema(Table(Held(_core.scan_schema(table))))


def failures_table(failures: Iterable[Failure]) -> pa.Table:
    """The table `failures`."""
    rows = [dict(failure._items()) | {"log": shown(os.fsencode(failure.log))} for failure in failures]
    return load("pyarrow", "a table").Table.from_pylist(rows, schema=_failures_schema())


def _failures_schema() -> pa.Schema:
    arrow = load("pyarrow", "a table")
    return arrow.schema(
        [
            arrow.field("log", arrow.string(), metadata={"meaning": "path of the log, as all tables name it"}),
            arrow.field("code", arrow.string(), metadata={"meaning": "the kind of failure in one word"}),
            arrow.field("message", arrow.string(), metadata={"meaning": "what was expected and what was found"}),
            arrow.field("region", arrow.string(), metadata={"meaning": "part of the log, or empty"}),
            arrow.field("offset", arrow.uint64(), metadata={"unit": "bytes", "meaning": "where in the file"}),
        ]
    )
