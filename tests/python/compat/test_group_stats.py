"""Tables of jobs and of files over many logs against the CSVs of PyDarshan's `job_stats` and `file_stats`.

The CSVs are stored beside the logs; nothing of PyDarshan runs here. What is the same, and what is not:

* A row of `job_stats` is found again by the base name of its log, which is unique in these sets (asserted), and has to
  agree in job id, user and start too.
* `perf_by_slowest` is `rate`: MiB/s · 2^20, and divisions by powers of two are exact. `partial_flag` is `partial`.
* A row of `file_stats` stands for all records of one *name*; ours for those of one record id. Names of these sets have
  one id each (asserted).
* `perf_by_slowest` of a file is the *sum* of its rates in each job, which is the rate of nothing. Ours is all bytes
  over all of the time. In one job both are the same; over several they only happen to be.
* Times of a file over several jobs are added as doubles in the order of the logs; ours are exact sums, rounded once.
  So the last bits may differ, there only.
* PyDarshan leaves out records without a name, and ours are counted: none of these sets has any (asserted by the number
  of rows and by `total_files`). It also adds up −1 where a counter was not recorded, where ours is null and skipped:
  that concerns calls (as of STDIO in old logs), none of the columns here.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from corpus import LOGS, NO_LOGS, NO_UPSTREAM, UPSTREAM, few
from test_cli import DONE, darrow
from test_cli_groups import read_json

pytestmark = pytest.mark.compat

FLEET = LOGS / "fleet"
GOLDEN = UPSTREAM / "golden" / "_multi" / "pystats"
SETS: dict[str, tuple[Path, str, Path, str]] = {
    "fleet": (FLEET, "**/*.darshan", FLEET / "pydarshan", ""),
    "release": (UPSTREAM / "logs", "release_logs__*.darshan", GOLDEN, "given-release-"),
    "dlio": (UPSTREAM / "logs", "dlio_logs__*.darshan", GOLDEN, "given-dlio-"),
}
MODULES = {"fleet": ("POSIX", "MPI-IO", "STDIO"), "release": ("POSIX", "MPI-IO", "STDIO"), "dlio": ("POSIX", "STDIO")}
OF_JOBS = {
    "job_id": "jobid",
    "uid": "uid",
    "nprocs": "nprocs",
    "start_time": "start_time",
    "end_time": "end_time",
    "run_time": "run_time",
    "perf_by_slowest": "rate",
    "time_by_slowest": "time_by_slowest",
    "total_bytes": "bytes",
    "total_files": "files",
    "partial_flag": "partial",
}
OF_FILES = {
    "total_bytes": "bytes",
    "bytes_read": "bytes_read",
    "bytes_written": "bytes_written",
    "reads": "reads",
    "writes": "writes",
    "total_jobs": "jobs",
}


def rows_of_csv(name: str, kind: str, module: str) -> list[dict[str, str]]:
    _, _, folder, prefix = SETS[name]
    with (folder / f"{prefix}{kind}-{module}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def groups(name: str, key: str, module: str) -> list[dict[str, Any]]:
    folder, pattern, _, _ = SETS[name]
    logs = sorted(folder.glob(pattern))
    if not logs:
        pytest.skip(NO_LOGS if name == "fleet" else NO_UPSTREAM)
    told = read_json(darrow("summary", "--by", key, "--module", module, "--format", "json", *logs), DONE)
    assert (told["logs"], told["repeated"], told["failures"]) == (len(logs), [], [])
    return told["groups"]


def value(text: str) -> int | float | bool:
    if text in ("True", "False"):
        return text == "True"
    return float(text) if set(text) & set(".en") else int(text)


def by_name(rows: list[dict[str, Any]], key: str) -> dict[str, dict[str, Any]]:
    """Rows by a name that has to be unique."""
    found = {Path(row[key]).name if key == "log" else row[key]: row for row in rows}
    assert len(found) == len(rows), few(name for name, n in Counter(row[key] for row in rows).items() if n > 1)
    return found


@pytest.mark.parametrize(("name", "module"), [(name, module) for name in SETS for module in MODULES[name]])
def test_jobs(name: str, module: str):
    """Every number of every row, to the last bit."""
    ours = by_name(groups(name, "job", module), "log")
    theirs = by_name(rows_of_csv(name, "job_stats", module), "log_file")
    assert set(ours) == set(theirs)
    wrong = [
        f"{log}: {column} is {ours[log][own]}, {row[column]} expected"
        for log, row in theirs.items()
        for column, own in OF_JOBS.items()
        if ours[log][own] != value(row[column])
    ]
    assert not wrong, few(wrong)
    assert len(theirs) >= 18
    assert all(group["jobs"] == 1 and group["module"] == module for group in ours.values())


@pytest.mark.parametrize(("name", "module"), [(n, module) for n in ("fleet", "dlio") for module in MODULES[n]])
def test_files(name: str, module: str):
    """Bytes, calls, times and numbers of jobs of every file; rates from their bytes and times."""
    ours = by_name(groups(name, "file", module), "name")
    theirs = by_name(rows_of_csv(name, "file_stats", module), "file")
    assert set(ours) == set(theirs)
    wrong = []
    for file, row in theirs.items():
        group, time = ours[file], float(row["time_by_slowest"])
        expected: dict[str, Any] = {own: value(row[column]) for column, own in OF_FILES.items()}
        several = expected["jobs"] > 1
        expected["time_by_slowest"] = pytest.approx(time, rel=1e-12, abs=0) if several else time
        expected["rate"] = pytest.approx(expected["bytes"] / time, rel=1e-12, abs=0) if time else None
        if not several and time:
            expected["rate"] = float(row["perf_by_slowest"])
        expected["files"] = 1
        wrong += [f"{file}: {key} is {group[key]}, {v} expected" for key, v in expected.items() if group[key] != v]
    assert not wrong, few(wrong)


@pytest.mark.parametrize("name", SETS)
def test_rates_over_jobs_are_bytes_over_time(name: str):
    """The line of totals of `job_stats`, as its table has it: not the sum of its column of rates."""
    for module in MODULES[name]:
        (total,) = groups(name, "module", module)
        rows = rows_of_csv(name, "job_stats", module)
        size = sum(int(row["total_bytes"]) for row in rows)
        time = sum(float(row["time_by_slowest"]) for row in rows)
        assert total["bytes"] == size
        assert total["jobs"] == len(rows)
        assert total["files"] == sum(int(row["total_files"]) for row in rows)
        assert total["time_by_slowest"] == pytest.approx(time, rel=1e-12, abs=0)
        assert total["rate"] == pytest.approx(size / time, rel=1e-12, abs=0)
        assert total["rate"] < sum(float(row["perf_by_slowest"]) for row in rows) / 2


def test_files_of_several_jobs():
    """The rate of a file is not the sum of its rates in each job."""
    ours = by_name(groups("dlio", "file", "POSIX"), "name")
    several = [row for row in rows_of_csv("dlio", "file_stats", "POSIX") if int(row["total_jobs"]) > 1]
    assert several
    assert any(ours[row["file"]]["rate"] < float(row["perf_by_slowest"]) / 2 for row in several)
