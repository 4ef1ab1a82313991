"""Darrow in compatible mode, as plain values: records as darshan-util reads them, and its accumulator."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from corpus import Columns, darrow_columns
from darrow import _core

ACCUMULATING = ("POSIX", "MPI-IO", "STDIO", "DFS", "DAOS")
"""The modules that have derived metrics, by id."""


@dataclass(frozen=True)
class _Stored:
    """A table with the stored values in the place of nulls."""

    table: _core.Table

    def __arrow_c_stream__(self, _schema: object = None) -> object:
        return self.table.stream_capsule(True)

    def to_arrow(self) -> pa.Table:
        return pa.table(self)


def open_log(path: Path) -> _core.Log:
    """A log, without the typed layer."""
    return _core.Log.open(os.fsencode(path), False, _core.default_max_region_bytes)


def upstream_columns(log: _core.Log, module: str, part: str = "rows") -> Columns:
    """Records as darshan-util reads them, stored values in the place of nulls."""
    return darrow_columns(_Stored(log.table(module, part, [], None, None, upstream_values=True)))


def accumulate(log: _core.Log, module: str, ids: list[int] | None = None) -> tuple[dict[str, Any], Any]:
    """The aggregate record by column, and the metrics (None: the module has none)."""
    table, metrics = log.compat(module, ids)
    return {name: table.column(name, True)[0] for name in table.columns}, metrics


def signed(value: int) -> int:
    """An integer of 64 bits as darshan-util shows all counters."""
    return value - (1 << 64) if value >= 1 << 63 else value
