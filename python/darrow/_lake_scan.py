"""What the lake takes from the scan of many logs."""

from __future__ import annotations

from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

from darrow import _core, _lake_standin  # noqa: F401

# Tables that are there without rows too, so that every query has its columns.
ALWAYS = ("jobs", "modules", "names", "mounts", "metadata", "problems", "metrics")


def scan(logs: list[bytes]) -> Any:
    """All tables of some logs, what is intact of them."""
    from darrow._scan_shim import Scan

    made = getattr(_core, "Scan", Scan)
    return made(
        logs=logs,
        tables=[],
        columns=[],
        ids=None,
        ranks=None,
        pattern=None,
        names=None,
        start=None,
        end=None,
        batch_rows=0,
        batch_bytes=0,
        max_region_bytes=0,
        strict=False,
    )


def schema(table: str) -> pa.Schema:
    """The columns of a table."""
    return pa.table(_core.scan_schema(table, [])).schema
