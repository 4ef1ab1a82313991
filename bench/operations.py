"""One operation in a process of its own. Prints what it cost, start-up and imports aside, as JSON.

usage: operations.py OPERATION [LOG [MODULE COLUMN [DTYPE]]]

Costs: CPU and wall seconds; peak memory after importing ("import_peak"). Facts, outside of the time taken: rows, bytes
of the table, and the sum of COLUMN, which tells that all readers saw the same.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import set_operations

Facts = dict[str, Any]
# What is measured, and what is then told of its result.
Operation = tuple[Callable[[], Any], Callable[[Any], Facts]]


def nothing(*_: Any) -> Facts:
    return {}


# Darrow ---------------------------------------------------------------------------------------------------------------


def darrow_import() -> Operation:
    def run() -> None:
        import darrow  # noqa: F401

    return run, nothing


def darrow_arrow(log: str, module: str, column: str) -> Operation:
    import darrow
    import pandas  # noqa: F401  # else pa.table() does it, to see whether it was given a frame
    import pyarrow as pa
    import pyarrow.compute as pc

    def run() -> Any:
        records = darrow.open(log)[module]
        return records, pa.table(records)

    def facts(result: Any) -> Facts:
        records, table = result
        return {"rows": len(table), "bytes": records.nbytes, "sum": pc.sum(table[column]).as_py()}

    return run, facts


def darrow_pandas(log: str, module: str, column: str) -> Operation:
    import darrow
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401

    def run() -> Any:
        return darrow.open(log)[module].to_pandas()

    return run, lambda frame: {"rows": len(frame), "sum": int(frame[column].sum())}


def darrow_polars(log: str, module: str, column: str) -> Operation:
    import darrow
    import polars  # noqa: F401

    def run() -> Any:
        return darrow.open(log)[module].to_polars()

    return run, lambda frame: {"rows": len(frame), "sum": int(frame[column].sum())}


def darrow_aggregate(log: str, module: str, form: str) -> Operation:
    """Of a table that is there: Darrow's own, or that of another package."""
    import darrow
    import pandas  # noqa: F401

    records = darrow.open(log)[module]
    len(records)  # reads it
    to = {
        "native": lambda: records,
        "pyarrow": records.to_arrow,
        "polars": records.to_polars,
        "pandas": records.to_pandas,
    }
    table = to[form]()

    def run() -> Any:
        return darrow.aggregate(table)

    return run, lambda aggregate: {"rows": aggregate.records, "sum": aggregate[f"{module}_BYTES_WRITTEN"]}


def darrow_write(log: str, module: str) -> Operation:
    import darrow
    import pandas  # noqa: F401
    import pyarrow as pa

    opened = darrow.open(log)
    table = pa.table(opened[module])

    def run() -> Any:
        return darrow.write("/dev/null", {module: table}, job=opened.job)

    return run, lambda problems: {"rows": len(table), "problems": len(problems)}


def sizes(log: str) -> Operation:
    """What the log takes when Darrow writes it, and when zlib itself compresses each region with level 6."""
    import io
    import zlib
    from itertools import pairwise

    import darrow

    def run() -> Any:
        file = io.BytesIO()
        darrow.write(file, darrow.open(log))
        return file.getvalue()

    def facts(written: bytes) -> Facts:
        plain = io.BytesIO()
        darrow.write(plain, darrow.open(log), compression="none")
        regions = darrow.open(plain.getvalue()).modules.values()
        bounds = [1328, min(m.offset for m in regions), *(m.offset + m.length for m in regions)]
        data = plain.getvalue()
        # Job and names lie in one piece before the modules: together they are no larger than apart.
        packed = [len(zlib.compress(data[a:b], 6)) for a, b in pairwise(bounds)]
        return {"size": len(written), "zlib": 1328 + sum(packed)}

    return run, facts


# PyDarshan ------------------------------------------------------------------------------------------------------------


def pydarshan_frame(log: str, module: str, column: str) -> Operation:
    import darshan

    def run() -> Any:
        report = darshan.DarshanReport(log, read_all=False)
        report.mod_read_all_records(module)
        return report.records[module].to_df()

    def facts(frames: Any) -> Facts:
        counters = frames["counters"]
        return {"rows": len(counters), "sum": int(counters[column].sum())}

    return run, facts


def pydarshan_segments(log: str, module: str, column: str, dtype: str | None = None) -> Operation:
    """A row a segment, from frames by file and kind, put together with id, rank, host and kind.

    Those frames come from `to_df()`, or with `dtype="pandas"` from reading itself.
    """
    import darshan
    import pandas as pd

    def run() -> Any:
        report = darshan.DarshanReport(log, read_all=False)
        report.mod_read_all_dxt_records(module, dtype=dtype)
        records = report.records[module]
        frames = []
        for record in records if dtype else records.to_df():
            for op in ("write", "read"):
                if len(frame := record[op + "_segments"]):
                    whose = {"id": record["id"], "rank": record["rank"], "host": record["hostname"], "op": op}
                    frames.append(frame.assign(**whose))
        return pd.concat(frames, ignore_index=True)

    return run, lambda frame: {"rows": len(frame), "sum": int(frame[column].sum())}


def pydarshan_summary(log: str) -> Operation:
    """What its commands job_stats and file_stats do for each module."""
    import darshan
    from darshan.backend.cffi_backend import accumulate_records

    def run() -> Any:
        report = darshan.DarshanReport(log, read_all=False)
        metrics = []
        for module in ("POSIX", "MPI-IO", "STDIO"):
            if module in report.modules:
                report.mod_read_all_records(module)
                frames = report.records[module].to_df()
                metrics.append(accumulate_records(frames, module, report.metadata["job"]["nprocs"]).derived_metrics)
        return metrics

    return run, lambda metrics: {"modules": len(metrics)}


OPERATIONS: dict[str, Callable[..., Operation]] = {
    operation.__name__: operation
    for operation in (
        darrow_import,
        darrow_arrow,
        darrow_pandas,
        darrow_polars,
        darrow_aggregate,
        darrow_write,
        sizes,
        pydarshan_frame,
        pydarshan_segments,
        pydarshan_summary,
        *set_operations.OPERATIONS,
    )
}


def main() -> None:
    run, facts = OPERATIONS[sys.argv[1]](*sys.argv[2:])
    import_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    cpu, wall = time.process_time(), time.perf_counter()
    result = run()
    costs = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({**costs, "import_peak": import_peak, "peak": peak, **facts(result)}))


if __name__ == "__main__":
    main()
