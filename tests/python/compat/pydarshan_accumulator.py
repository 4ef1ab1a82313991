"""Accumulates the records of logs with PyDarshan and leaves the results as pickles: a program, for the peer may abort.

usage: pydarshan_accumulator.py FOLDER LOG...   (writes FOLDER/0.pickle, FOLDER/1.pickle, …)
"""

from __future__ import annotations

from typing import Any

import darshan  # type: ignore[import-untyped]
from darshan.backend import cffi_backend  # type: ignore[import-untyped]
from peer import answer

MODULES = ("POSIX", "MPI-IO", "STDIO", "DFS", "DAOS")
CATEGORIES = ("all", "read_only", "write_only", "read_write", "unique", "shared", "part_shared")


def accumulate(path: str) -> dict[str, Any]:
    """By module: how many records it kept, the aggregate record, the metrics."""
    report = darshan.DarshanReport(path, read_all=False)
    answer = {}
    for module in MODULES:
        if module not in report.modules:
            continue
        report.mod_read_all_records(module)
        if len(report.records.get(module, [])):
            frames = report.records[module].to_df()
            result = cffi_backend.accumulate_records(frames, module, report.metadata["job"]["nprocs"])
            answer[module] = (len(frames["counters"]), record(result.summary_record), metrics(result.derived_metrics))
    return answer


def record(summary: dict[str, Any]) -> dict[str, Any]:
    counters = {
        name: summary[key][name].iloc[0].item()
        for key in ("counters", "fcounters")
        for name in summary[key].columns
        if name not in ("id", "rank")
    }
    return {"id": int(summary["id"]), "rank": int(summary["rank"]), **counters}


def metrics(derived: Any) -> dict[str, Any]:
    values = {name: getattr(derived, name) for name in dir(derived) if name != "category_counters"}
    values["category_counters"] = {
        name: {key: getattr(derived.category_counters[i], key) for key in dir(derived.category_counters[i])}
        for i, name in enumerate(CATEGORIES)
    }
    return values


if __name__ == "__main__":
    answer(accumulate)
