"""Reads logs with PyDarshan and leaves what it sees as pickles: run as a program, for the peer may abort.

usage: pydarshan_reader.py FOLDER LOG...   (writes FOLDER/0.pickle, FOLDER/1.pickle, …)
"""

from __future__ import annotations

from typing import Any

import darshan  # type: ignore[import-untyped]
import numpy as np
from peer import answer

DXT = ("DXT_POSIX", "DXT_MPIIO")


def read(path: str) -> dict[str, Any]:
    """Everything of a log, as plain Python and numpy objects."""
    report = darshan.DarshanReport(path, read_all=True)
    return {
        "job": report.metadata["job"],
        "exe": report.metadata["exe"],
        "mounts": [tuple(mount) for mount in report.mounts],
        "modules": {name: dict(module) for name, module in report.modules.items()},
        "names": list(report.name_records.items()),
        "records": {name: records(name, rows) for name, rows in report.records.items() if len(rows)},
        "heatmaps": {name: heatmap(values) for name, values in (report.heatmaps or {}).items()},
    }


def records(module: str, rows: Any) -> Any:
    """The records of a module, by way of its data frames where it has them."""
    if module in DXT:
        return [
            {key: frame(value) if key.endswith("segments") else value for key, value in row.items()}
            for row in rows.to_df()
        ]
    if module in ("APMPI", "APXC"):
        return [dict(rows._records[i]) for i in range(len(rows))]
    frames = {key: frame(value) for key, value in rows.to_df().items()}
    if module in ("H5D", "PNETCDF_VAR"):
        frames["file_rec_id"] = np.array([row["file_rec_id"] for row in rows._records], "u8")
    return frames


def frame(table: Any) -> dict[str, Any]:
    return {str(name): column.to_numpy() for name, column in table.items()}


def heatmap(values: Any) -> dict[str, Any]:
    both = {op: values.to_df(ops=[op], interval_index=False) for op in ("read", "write")}
    return {
        "bin_width": values._bin_width_seconds,
        "nbins": values._nbins,
        "ranks": both["read"].index.tolist(),
        "read": both["read"].to_numpy().tolist(),
        "write": both["write"].to_numpy().tolist(),
    }


if __name__ == "__main__":
    answer(read)
