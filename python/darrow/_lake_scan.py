"""What the lake takes from the scan of many logs."""

from __future__ import annotations

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

from darrow import _core
from darrow.table import Held, Table

# Tables that are there without rows too, so that every query has its columns.
ALWAYS = ("jobs", "modules", "names", "mounts", "metadata", "problems", "metrics")


def scan(logs: list[bytes]) -> _core.Scan:
    """All tables of some logs, what is intact of them."""
    return _core.Scan(logs)


def schema(table: str) -> pa.Schema:
    """The columns of a table."""
    return rows(_core.scan_schema(table)).schema


def rows(table: _core.Table) -> pa.Table:
    """On the same memory."""
    return pa.table(Table(Held(table)))
