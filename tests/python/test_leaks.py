"""Reading any number of logs, good and bad ones, in one process neither gathers memory nor keeps files open."""

from __future__ import annotations

import gc
import resource
import shutil
from pathlib import Path

import darrow
import pytest
from robustness import Watch, damaged_logs, growth, in_child, intact_logs, open_files, path_of, rss

pytestmark = pytest.mark.slow


def read(source: str | bytes, strict: bool) -> None:
    try:
        with darrow.open(source, strict=strict) as log:
            log.verify()
            dict(log.names)
            dict(log.summary())
            if "HEATMAP" in log:
                log["HEATMAP"].aggregate()
            for name, module in log.modules.items():
                if name in log:
                    log[name].to_arrow()
                else:
                    module.bytes()
    except (darrow.DarrowError, FileNotFoundError, IsADirectoryError):
        pass


def read_again_and_again(files: list[str], times: int) -> list[int]:
    """Growth of memory in bytes over a quarter of `times` reads and of open files over all, after some to warm up."""
    watch = Watch()
    # Paths that stay on disk, the same in memory; tolerant and strict; paths that cannot be opened at all.
    sources = [*files, *(Path(file).read_bytes() for file in files), "no/such/file", str(Path(files[0]).parent)]
    calls = [(source, strict) for source in sources for strict in (False, True)]
    for call in calls * 2:
        read(*call)
    opened = open_files()
    memory = []
    for i in range(times):
        watch(f"read {i}")
        read(*calls[i % len(calls)])
        if (i + 1) % (times // 20) == 0:
            gc.collect()
            memory.append(rss())
    return [growth(memory), open_files() - opened]


def test_10000_reads():
    # The largest logs take most of the time and leak no differently.
    files = [str(file) for file in intact_logs() + damaged_logs() if file.stat().st_size < 20_000]
    memory, opened = in_child(read_again_and_again, files, 10_000)
    assert opened == 0
    assert memory < 512 << 10  # 200 bytes a read


def keep_open(file: str, folder: str, count: int) -> list[int]:
    """Opens that many logs at once where only few files may be open; growth of open files, and rows read at the end."""
    paths = [Path(folder, f"{i}.darshan") for i in range(count)]
    for path in paths:
        shutil.copyfile(file, path)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    before = open_files()
    logs = [darrow.open(path) for path in paths]
    opened = open_files() - before
    return [opened, sum(log["POSIX"].to_arrow().num_rows for log in logs)]


def test_2000_logs_kept_open_with_few_file_descriptors(tmp_path):
    opened, rows = in_child(keep_open, str(path_of("small/posix-ops")), str(tmp_path), 2000)
    assert opened == 0
    assert rows == 2000 * 10


def fail_to_open(count: int, folder: str) -> list[int]:
    """Growth of memory in bytes over a quarter of that many failures, and of open files over all."""
    bad = [Path(folder, name) for name in ("empty", "text", "short")]
    for path, data in zip(bad, (b"", b"not a log" * 100, b"3.41\0\0\0\0\x37\x35\x64\0\0\0\0\0\0"), strict=True):
        path.write_bytes(data)
    for path in bad * 100:
        read(str(path), False)
    gc.collect()
    memory, opened = [], open_files()
    for i in range(count):
        read(str(bad[i % 3]), False)
        if (i + 1) % (count // 20) == 0:
            gc.collect()
            memory.append(rss())
    return [growth(memory), open_files() - opened]


def test_failures(tmp_path):
    memory, opened = in_child(fail_to_open, 30_000, str(tmp_path))
    assert opened == 0
    assert memory < 512 << 10  # 70 bytes a failure
