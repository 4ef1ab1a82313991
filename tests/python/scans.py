"""What the tests of scans over many logs share: the logs, and all that a scan hands out as tables to compare."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import pyarrow as pa
from darrow import _core
from robustness import damaged_logs, intact_logs, plain

OF_LOGS = ("jobs", "modules", "names", "mounts", "metadata", "problems", "metrics")


class Stream:
    """What a capsule has, for those who ask for the Arrow interface."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


def scan(logs: Sequence[str | bytes | Path], tables: Sequence[str] = (), **options: Any) -> Any:
    return _core.Scan([os.fsencode(log) for log in logs], tables=list(tables), **options)


def stream(reading: Any, table: str, columns: Sequence[str] = ()) -> pa.RecordBatchReader:
    """The batches of a scan of one table, of all its columns or these."""
    return pa.RecordBatchReader.from_stream(Stream(_core.stream_of(_core.scan_schema(table, columns), reading.next)))


def drained(reading: Any, most: int | None = None) -> dict[str, pa.Table]:
    """Everything that comes, by table."""
    batches: dict[str, list[pa.Table]] = {}
    while (batch := reading.next()) is not None:
        assert 0 < batch.rows <= (most or batch.rows)
        batches.setdefault(batch.name, []).append(pa.table(Stream(batch.stream_capsule(False))))
    return {name: plain(pa.concat_tables(tables)).combine_chunks() for name, tables in batches.items()}


def tables_of(logs: Sequence[str | bytes | Path], tables: Sequence[str] = (), **options: Any) -> dict[str, pa.Table]:
    return drained(scan(logs, tables, **options), options.get("batch_rows") or None)


def shown(text: str) -> str:
    """A path as tables have it."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")


@cache
def all_logs() -> tuple[Path, ...]:
    return tuple(log for log in [*intact_logs(), *damaged_logs()] if log.stat().st_size < 100_000)


@cache
def readable_logs() -> tuple[Path, ...]:
    def opens(path: Path) -> bool:
        try:
            darrow.open(path, strict=False).close()
        except darrow.DarrowError:
            return False
        return True

    return tuple(filter(opens, all_logs()))


@cache
def everything() -> dict[str, pa.Table]:
    return tables_of(all_logs())
