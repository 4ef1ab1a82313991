"""What the tests with damaged logs share: what a log delivers, as values, and child processes that may die."""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import darrow
import pyarrow as pa
import pytest
from corpus import DATA, LOGS, NO_LOGS
from malformed_table import MALFORMED

HERE = Path(__file__).resolve().parent
FROM_NAMES = ("name", "mount", "fs_type", "layer")  # columns that change if the name region is damaged


def path_of(name: str) -> Path:
    """A log, e.g. "small/lustre": in the full corpus, or its copy in tests/data. Skips the test if there is neither."""
    for path in (LOGS / f"{name}.darshan", DATA / f"{Path(name).name}.darshan"):
        if path.exists():
            return path
    pytest.skip(NO_LOGS)


def log_bytes(name: str) -> bytes:
    return path_of(name).read_bytes()


def intact_logs() -> list[Path]:
    """Logs of real runs; without the full corpus all of tests/data but the damaged ones."""
    if found := sorted((LOGS / "small").glob("*.darshan")):
        return found
    return [path for path in sorted(DATA.glob("*.darshan")) if path.stem not in MALFORMED]


def damaged_logs() -> list[Path]:
    if found := sorted((LOGS / "malformed").glob("*.darshan")):
        return found
    return [path for path in sorted(DATA.glob("*.darshan")) if path.stem in MALFORMED]


# What a log delivers --------------------------------------------------------------------------------------------------


def readable(log: darrow.Log) -> list[str]:
    """Modules with records, maybe none of them whole."""
    return list(log)


def stored(log: darrow.Log, module: str) -> pa.Table:
    """A module's table as stored, without the columns that come from the names."""
    table = log[module].raw.to_arrow()
    return table.select([i for i, field in enumerate(table.schema) if field.name not in FROM_NAMES])


def same(a: pa.Table, b: pa.Table) -> bool:
    """Whether two tables hold the same values, NaN by their bits."""
    return a.equals(b) or plain(a).equals(plain(b))


def plain(table: pa.Table) -> pa.Table:
    """What Arrow compares by more than the values: doubles as integers, dictionaries as their text."""
    for i, column in enumerate(table.columns):
        if pa.types.is_float64(column.type):
            column = pa.chunked_array([chunk.view(pa.int64()) for chunk in column.chunks], pa.int64())
        elif pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        table = table.set_column(i, table.field(i).name, column)
    return table


def is_prefix(part: pa.Table, whole: pa.Table) -> bool:
    return part.num_rows <= whole.num_rows and same(whole.slice(0, part.num_rows), part)


@dataclass
class Content:
    """Everything a log delivers."""

    job: Any
    mounts: list[Any]
    names: dict[int, str]
    tables: dict[str, pa.Table]
    errors: list[darrow.Problem] = field(repr=False)

    @staticmethod
    def of(log: darrow.Log) -> Content:
        errors = [p for p in log.verify() if p.severity == "error"]
        return Content(
            log.job, list(log.mounts), dict(log.names), {name: stored(log, name) for name in readable(log)}, errors
        )

    def same(self, other: Content) -> bool:
        mine, others = (self.job, self.mounts, self.names), (other.job, other.mounts, other.names)
        return (
            mine == others
            and self.tables.keys() == other.tables.keys()
            and all(same(table, other.tables[name]) for name, table in self.tables.items())
        )


# Child processes ------------------------------------------------------------------------------------------------------


class Watch:
    """Notes which case is being tried, and ends the process if one takes too long."""

    def __init__(self) -> None:
        path = os.environ.get("ROBUSTNESS_CASE")
        self.file = os.open(path, os.O_WRONLY) if path else None

    def __call__(self, case: str, seconds: int = 30) -> None:
        if self.file is not None:
            os.pwrite(self.file, case.encode().ljust(200)[:200], 0)
            signal.alarm(seconds)  # the default action ends the process, even inside C++


def in_child(function: Callable[..., Any], *arguments: Any, seconds: int = 1200) -> Any:
    """Calls a function of a test module in a process of its own and returns its result, both as JSON.

    A crash, a hang, or an exception there is an AssertionError here, which names the case that `Watch` noted last.
    """
    code = (
        "import faulthandler, importlib, json, sys; faulthandler.enable(); call = json.loads(sys.argv[1])\n"
        "sys.path[:0] = call['path']\n"
        "function = getattr(importlib.import_module(call['module']), call['name'])\n"
        "json.dump(function(*call['arguments']), open(call['result'], 'w'))"
    )
    with tempfile.TemporaryDirectory() as folder:
        case, result = Path(folder, "case"), Path(folder, "result")
        case.touch()
        call = {
            "path": [str(HERE)],
            "module": function.__module__,
            "name": function.__name__,
            "arguments": arguments,
            "result": str(result),
        }
        command = [sys.executable, "-c", code, json.dumps(call)]
        environment = os.environ | {"ROBUSTNESS_CASE": str(case)}
        run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            output, _ = run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            run.kill()
            output = run.communicate()[0] + f"\n(killed after {seconds} s)"
        if run.returncode == 0:
            return json.loads(result.read_text())
        raise AssertionError(
            f"{function.__name__} ended with {run.returncode} in case {case.read_text().strip()!r}:\n{output[-4000:]}"
        )


def summary(complaints: dict[str, list[str]]) -> str:
    """What is wrong, with where: the message of a failed test."""
    return "\n".join(f"{what} [{len(where)} times, first {where[0]}]" for what, where in complaints.items())


def peak_rss() -> int:
    """The most memory that this process has used so far, in bytes; 0 under a sanitizer, which keeps what was freed."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def rss() -> int:
    """The memory that this process uses now, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def growth(memory: list[int]) -> int:
    """By how much memory rose from each quarter of its marks to the next, at least.

    The allocator takes and gives back some MiB at times; a leak grows in all quarters.
    """
    quarter = len(memory) // 4
    lowest = [min(memory[i * quarter : (i + 1) * quarter]) for i in range(4)]
    return min(b - a for a, b in itertools.pairwise(lowest))


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))
