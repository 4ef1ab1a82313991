#!/usr/bin/env python3
"""How exports grow with records, and lakes with logs: two tables for docs/parquet.md.

bench/growth.py [--most N]     10^3 to 10^6 records, 10 to 20,000 logs; N: no more than so many of either
bench/growth.py --logs 1000000  80,000, 320,000 and 1,000,000 logs too, once; making them takes hours
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import report
from cases import HERE, python
from measure import Runs, progress_line

RECORDS = (1_000, 10_000, 100_000, 1_000_000)
LOGS = (10, 100, 1_000, 20_000, 80_000, 320_000, 1_000_000)
USUAL = 20_000


def made(kind: str, size: int, folder: Path) -> Path:
    path = folder / f"{kind}-{size}{'' if kind == 'fleet' else '.darshan'}"
    progress_line(f"making {path.name}")
    subprocess.run([sys.executable, HERE / "generate.py", kind, path, "--size", str(size)], check=True)
    return path


def measured(operation: str, *arguments: object, times: int = 3) -> Runs:
    progress_line(f"{operation} {arguments[0]}")
    runs = Runs(python(operation, operation, *arguments))
    for _ in range(times):
        runs.add()
    return runs


def exports(folder: Path, most: int) -> report.Table:
    """A row for each number of records."""
    rows = [["records", "log MB", "Parquet ÷ log", "export, CPU ms", "peak MB", "4 columns, ms", "from the log, ms"]]
    for size in (size for size in RECORDS if size <= most):
        log = made("posix", size, folder)
        export = measured("darrow_export", log)
        four, own = (measured("parquet_read", log, "four", reader) for reader in ("parquet", "log"))
        facts = export.facts
        rows.append(
            [
                f"{size:,}",
                report.digits(facts["log"] / 1e6),
                report.digits(facts["all"] / facts["log"]),
                report.digits(export.spread("cpu").median * 1000),
                report.digits(export.spread("peak").median / 1e6),
                *(report.digits(way.spread("cpu").median * 1000) for way in (four, own)),
            ]
        )
    return rows


def lakes(folder: Path, most: int) -> report.Table:
    """A row for each number of logs."""
    rows = [
        ["logs", "update, CPU s", "logs a CPU second", "peak MB", "files", "none new, wall ms", "scan to a table, ms"]
    ]
    for size in (size for size in LOGS if size <= most):
        logs = made("fleet", size, folder)
        times = 3 if size <= USUAL else 1
        new, again = measured("lake_update", logs, times=times), measured("lake_update", logs, "again", times=times)
        scan = "-"  # more in one table than memory may hold
        if size <= USUAL:
            scan = report.digits(measured("scan_all", logs).spread("cpu").median * 1000)
        seconds = new.spread("cpu").median
        rows.append(
            [
                f"{size:,}",
                report.digits(seconds),
                report.digits(size / seconds),
                report.digits(new.spread("peak").median / 1e6),
                str(new.facts["files"]),
                report.digits(again.spread("wall").median * 1000),
                scan,
            ]
        )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--logs", type=int, default=USUAL, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables = [exports(Path(folder), options.most), lakes(Path(folder), min(options.most, options.logs))]
    progress_line("")
    print("\n\n".join(map(report.as_markdown, tables)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
