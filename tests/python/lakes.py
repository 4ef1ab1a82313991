"""Lakes for tests: logs that are made quickly, and what a lake holds as DuckDB sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import darrow
import duckdb
from corpus import LOGS, NO_LOGS

FLEET = LOGS / "fleet"
BAD = LOGS / "fleet-bad"
NEEDS_FLEET = NO_LOGS
NOT_COMPARED = {"logs": ["added", "vanished"]}  # times of the update

Rows = dict[str, list[tuple[Any, ...]]]


def make_log(path: Path, jobid: int, files: int = 2, written: int = 4096) -> Path:
    """A log with so many files of one process, each of which `written` bytes were written to."""
    rows = [
        {"name": f"/scratch/{jobid}/out.{i}", "rank": 0, "POSIX_OPENS": 1, "POSIX_BYTES_WRITTEN": written}
        for i in range(files)
    ]
    job = {"jobid": jobid, "uid": 1000 + jobid % 7, "nprocs": 1, "exe": "./app", "end_time_sec": 1}
    path.parent.mkdir(parents=True, exist_ok=True)
    darrow.write(path, {"POSIX": rows}, job=job, overwrite=True)
    return path


def make_logs(directory: Path, count: int, first: int = 1) -> list[Path]:
    """Different logs, in folders of ten."""
    return [
        make_log(directory / f"{number // 10}" / f"job{number}.darshan", number, 1 + number % 3)
        for number in range(first, first + count)
    ]


def ask(query: str) -> list[tuple[Any, ...]]:
    return duckdb.sql(query).fetchall()


def contents(lake: Path, tables: list[str] | None = None) -> Rows:
    """All rows of all tables, in an order of their own: of any two lakes of the same logs they are equal."""
    found: Rows = {}
    for entry in sorted(lake.iterdir()):
        if entry.name.startswith(".") or not entry.is_dir() or (tables and entry.name not in tables):
            continue
        left_out = ", ".join(NOT_COMPARED.get(entry.name, []))
        columns = f"* exclude ({left_out})" if left_out else "*"
        rows = ask(f"select {columns} from '{entry}/*.parquet'")
        found[entry.name] = sorted(rows, key=repr)
    return found


def whole(lake: Path) -> None:
    """What holds at any moment: the tables fit together, and there is nothing beside the parts."""
    if not (lake / "logs").exists():
        return
    tables = contents(lake, ["logs", "jobs", "posix", "modules"])
    logs = dict(ask(f"select log, status from '{lake}/logs/*.parquet' where status in ('ok', 'damaged')"))
    jobs = [row[0] for row in ask(f"select log from '{lake}/jobs/*.parquet'")]
    assert len(set(jobs)) == len(jobs)
    assert {log for log, status in logs.items() if status == "ok"} <= set(jobs) <= logs.keys()
    assert {row[0] for row in tables["posix"]} <= logs.keys()
    for entry in lake.iterdir():
        if not entry.name.startswith(".") and entry.is_dir():
            assert all(name.startswith("part-") and name.endswith(".parquet") for name in os.listdir(entry))


def sums(lake: Path) -> list[tuple[Any, ...]]:
    return ask(f"select jobid, count(*), sum(POSIX_BYTES_WRITTEN) from '{lake}/posix/*.parquet' group by 1 order by 1")


def counts(report: Any) -> dict[str, int]:
    """The numbers of a report that are not zero."""
    named = {
        name: getattr(report, name)
        for name in ("found", "unchanged", "same", "added", "replaced", "duplicates", "damaged", "failed", "forgotten")
    }
    return {name: number for name, number in named.items() if number}


# Updates as processes of their own ------------------------------------------------------------------------------------

_CALLS = ("replace", "rename", "link", "fsync", "symlink", "unlink", "mkdir", "rmdir")
_DRIVER = f"""
import os, signal, sys
import darrow
from darrow import _lake_update
_lake_update.COMMIT_LOGS = 10
action, lake, logs, kill_at = sys.argv[1:]
calls = 0
def wrapped(function):
    def call(*arguments, **named):
        global calls
        calls += 1
        if calls == int(kill_at):
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **named)
    return call
for name in {_CALLS!r}:
    setattr(os, name, wrapped(getattr(os, name)))
lake = darrow.Lake(lake)
lake.update([logs], threads=2) if action == "update" else lake.compact()
print(calls)
"""


def process(action: str, lake: Path, logs: Path, kill_at: int = 0) -> subprocess.Popen[str]:
    """An update (a commit every ten logs) or a compaction; SIGKILL ends it at its Nth call that changes files."""
    arguments = [sys.executable, "-c", _DRIVER, action, str(lake), str(logs), str(kill_at)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def calls_of(action: str, lake: Path, logs: Path) -> int:
    """How many calls that change files it takes, undisturbed."""
    out, errors = process(action, lake, logs).communicate(timeout=60)
    assert not errors, errors
    return int(out)
