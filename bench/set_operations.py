"""Operations on many logs and on tables that are kept: see operations.py."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

Facts = dict[str, Any]
Operation = tuple[Callable[[], Any], Callable[[Any], Facts]]

FOUR = ["rank", "POSIX_OPENS", "POSIX_BYTES_WRITTEN", "POSIX_F_WRITE_TIME"]


def folder() -> Path:
    """A temporary directory that goes with the process."""
    path = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def darrow_export(log: str) -> Operation:
    """All tables of a log as Parquet."""
    import darrow
    import pandas  # noqa: F401  # pyarrow imports it, to see whether it was given a frame
    import pyarrow.parquet  # noqa: F401

    place = folder()

    def run() -> Any:
        return darrow.scan(log, threads=1).to_parquet(place / "tables")

    def facts(exported: Any) -> Facts:
        sizes = {file.stem: file.stat().st_size for file in (place / "tables").iterdir()}
        return {"rows": exported.rows["posix"], "posix": sizes["posix"], "all": sum(sizes.values())} | log_size(log)

    return run, facts


def pyarrow_write(log: str, encodings: str) -> Operation:
    """The POSIX table, which is in memory: with the same encodings, or with those of pyarrow, both in zstd."""
    import darrow
    import pandas  # noqa: F401
    import pyarrow.parquet as pq
    from darrow._parquet import options

    table = darrow.scan(log, threads=1)["POSIX"].to_arrow().unify_dictionaries()
    place = folder()

    own = {"compression": "zstd", "compression_level": 3}

    def run() -> Any:
        how = options(table.schema) if encodings == "same" else own
        pq.write_table(table, place / "posix.parquet", **how)
        return table

    return run, lambda written: {"rows": written.num_rows, "posix": (place / "posix.parquet").stat().st_size}


def log_size(log: str) -> Facts:
    return {"log": Path(log).stat().st_size}


def darrow_selected(log: str, what: str) -> Operation:
    """Four columns of one file, found by its name, or of one rank."""
    import darrow
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401

    row = next(darrow.scan(log)["POSIX"].select(["name", "rank"]).batches(5)).to_pylist()[-1]
    table = darrow.scan(log, threads=1)["POSIX"]

    def run() -> Any:
        chosen = {"names": [row["name"]]} if what == "name" else {"ranks": [row["rank"]]}
        return table.select(FOUR, **chosen).to_arrow()

    def facts(rows: Any) -> Facts:
        return {"selected": len(rows)}

    return run, facts


def lake_update(logs: str, again: str = "") -> Operation:
    """A folder of logs into a new lake; `again`: an update of one that has them all."""
    import darrow

    place = folder()
    lake = darrow.Lake(place / "lake")
    if again:
        lake.update([logs])

    def run() -> Any:
        return lake.update([logs], threads=1)

    def facts(report: Any) -> Facts:
        return {"logs": report.found, "new": report.added, "files": lake.info().files}

    return run, facts


def parquet_read(log: str, columns: str, reader: str) -> Operation:
    """The POSIX table, or four columns of it, from Parquet or from the log."""
    import darrow
    import pandas  # noqa: F401
    import pyarrow.parquet as pq

    place = folder()
    darrow.scan(log).to_parquet(place / "tables")
    wanted = FOUR if columns == "four" else None

    def run() -> Any:
        if reader == "parquet":
            return pq.read_table(place / "tables" / "posix.parquet", columns=wanted, use_threads=False)
        table = darrow.scan(log, threads=1)["POSIX"]
        return (table.select(wanted) if wanted else table).to_arrow()

    return run, lambda table: {"rows": len(table)}


def dxt_scan(log: str) -> Operation:
    """All columns of all segments, batch by batch."""
    import darrow

    def run() -> Any:
        return sum(len(batch) for batch in darrow.scan(log, threads=1)["DXT_POSIX"].batches())

    return run, lambda rows: {"rows": rows}


def scan_all(logs: str) -> Operation:
    """The POSIX records of all logs as one table."""
    import darrow
    import pyarrow  # noqa: F401

    def run() -> Any:
        return darrow.scan(logs, threads=1)["POSIX"].to_arrow()

    return run, lambda table: {"rows": len(table)}


OPERATIONS = (scan_all, darrow_export, pyarrow_write, darrow_selected, lake_update, parquet_read, dxt_scan)
