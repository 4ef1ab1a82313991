"""Packs the records of logs with PyDarshan, and accumulates what Darrow has packed: a program, for the peer may abort.

usage: pydarshan_records.py FOLDER LOG...   (writes FOLDER/0.pickle, FOLDER/1.pickle, …)
"""

from __future__ import annotations

from typing import Any

import darrow
import darshan  # type: ignore[import-untyped]
from darshan.backend import cffi_backend  # type: ignore[import-untyped]
from peer import answer
from pydarshan_accumulator import MODULES, metrics, record


def both(path: str) -> dict[str, Any]:
    """By module: the packed records of PyDarshan and of Darrow, and what the accumulator makes of each."""
    report = darshan.DarshanReport(path, read_all=False)
    log = darrow.open(path)
    answer = {}
    for module in MODULES:
        if module not in report.modules:
            continue
        report.mod_read_all_records(module)
        if len(report.records.get(module, [])):
            frames = report.records[module].to_df()
            nprocs = report.metadata["job"]["nprocs"]
            theirs = cffi_backend._df_to_rec(frames, module)
            ours = darrow.to_records(log[module].select(ids=log.names))  # it shows records with a name only (B42)
            expected = cffi_backend.accumulate_records(frames, module, nprocs)
            answer[module] = (
                len(frames["counters"]),
                theirs,
                ours,
                (record(expected.summary_record), metrics(expected.derived_metrics)),
                accumulate(module, ours, len(frames["counters"]), nprocs),
            )
    return answer


def accumulate(module: str, packed: bytes, count: int, nprocs: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The aggregate record and the metrics of packed records, by the functions of darshan-util."""
    ffi, library = cffi_backend.ffi, cffi_backend.libdutil
    accumulator = ffi.new("darshan_accumulator *")
    assert library.darshan_accumulator_create(cffi_backend.mod_name_to_idx(module), nprocs, accumulator) == 0
    assert library.darshan_accumulator_inject(accumulator[0], packed, count) == 0
    derived = ffi.new("struct darshan_derived_metrics *")
    summary = ffi.new(cffi_backend._structdefs[module].replace("**", "*"))
    assert library.darshan_accumulator_emit(accumulator[0], derived, summary) == 0
    library.darshan_accumulator_destroy(accumulator[0])
    return record(cffi_backend._make_generic_record(summary, module, dtype="pandas")), metrics(derived)


if __name__ == "__main__":
    answer(both)
