"""Any number of logs can be written by one process, and refused, without gathering memory or open files."""

from __future__ import annotations

import contextlib
import gc
import os
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA
from robustness import Watch, growth, in_child, open_files, rss

pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.slow

JOB = {"nprocs": 4, "end_time_sec": 1}


def attempts(folder: str) -> list[tuple[Any, Any, dict[str, Any]]]:
    """Logs, tables and what is refused, at several places on the way."""
    log = darrow.open(DATA / "example.darshan")
    posix = pa.table({"id": range(100), "rank": [0] * 100, "POSIX_OPENS": range(100), "name": ["/a"] * 100})
    unnamed = posix.drop_columns(["name"])
    path = Path(folder, "log")
    return [
        (path, log, {"overwrite": True}),
        (path, {"POSIX": unnamed}, {"job": JOB, "overwrite": True, "names": {1: "/x"}, "compression": "bzip2"}),
        (path, {"POSIX": unnamed, "LUSTRE": log["LUSTRE"].to_arrow() if "LUSTRE" in log else {}}, {"job": JOB}),
        (path, {"POSIX": posix}, {"job": JOB, "overwrite": True}),  # one name for many ids is fine
        (path, {"POSIX": unnamed.set_column(1, "rank", pa.array([9] * 100))}, {"job": JOB}),
        (path, {"POSIX": unnamed.append_column("POSIX_READS", pa.array([1.5] * 100))}, {"job": JOB}),
        (path, {"POSIX": unnamed}, {"job": JOB}),  # is there
        (Path(folder, "no", "folder"), {"POSIX": unnamed}, {"job": JOB}),
        (path, {"POSIX": unnamed}, {"job": JOB, "names": {1: "\0"}}),
        (path, {"POSIX": 5}, {"job": JOB}),
        (Sink(), log, {}),
    ]


class Sink:
    def write(self, data: bytes) -> int:
        return len(data)


def attempt(path: Any, tables: Any, options: dict[str, Any]) -> None:
    with contextlib.suppress(ValueError, TypeError, OSError):
        darrow.write(path, tables, **options)


def write_again_and_again(folder: str, times: int) -> list[int]:
    """Growth of memory in bytes over a quarter of `times` writes and of open files over all, after some to warm up."""
    watch = Watch()
    calls = attempts(folder)
    for call in calls * 20:
        attempt(*call)
    opened, held = open_files(), pa.total_allocated_bytes()
    memory = []
    for i in range(times):
        watch(f"write {i}")
        attempt(*calls[i % len(calls)])
        if (i + 1) % (times // 20) == 0:
            gc.collect()
            memory.append(rss())
    return [growth(memory), open_files() - opened, pa.total_allocated_bytes() - held, len(os.listdir(folder))]


def test_2000_writes(tmp_path: Path) -> None:
    memory, opened, held, files = in_child(write_again_and_again, str(tmp_path), 2000)
    assert (opened, held, files) == (0, 0, 1)
    assert memory < 128 << 10  # 260 bytes a write
