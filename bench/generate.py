#!/usr/bin/env python3
"""Write large and odd logs, for measurements: the same arguments give the same bytes.

bench/generate.py posix   OUT.darshan --size 1000000     POSIX records, one of each file
bench/generate.py dxt     OUT.darshan --size 10000000    segments of DXT_POSIX
bench/generate.py names   OUT.darshan --size 2000000     names, one STDIO record of each
bench/generate.py fleet   FOLDER      --size 20000       small logs of many jobs, each another one
bench/generate.py odd     FOLDER                         logs that are legal and strange
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import darrow
import numpy as np
import pyarrow as pa
import pyarrow.compute

START = 1_750_000_000
MIB = 1 << 20
MOUNTS = [("/", "ext4"), ("/users", "nfs"), ("/scratch", "lustre"), ("/scratch/project", "lustre")]

Tables = dict[str, Any]


def job(rng: np.random.Generator, nprocs: int, number: int = 1) -> dict[str, Any]:
    start = START + int(rng.integers(0, 365 * 86400))
    return {
        "uid": 1000 + number % 97,
        "jobid": 700_000 + number,
        "nprocs": nprocs,
        "start_time_sec": start,
        "start_time_nsec": int(rng.integers(0, 10**9)),
        "end_time_sec": start + 1 + int(rng.integers(0, 7200)),
        "exe": f"/users/user{number % 97}/bin/app{number % 31} --steps {int(rng.integers(1, 100))}",
        "metadata": {"lib_ver": "3.5.0", "h": "romio_no_indep_rw=true;cb_nodes=4"},
    }


def paths(count: int, prefix: str = "/scratch/project/run") -> pa.Array:
    """Names as programs make them: many files in few folders."""
    number = pa.array(np.arange(count))
    folder = pa.compute.cast(pa.compute.divide(number, 1000), pa.string())
    return pa.compute.binary_join_element_wise(
        prefix,
        folder,
        pa.compute.binary_join_element_wise("output", pa.compute.cast(number, pa.string()), "dat", "."),
        "/",
    )


def counters(module: str, rows: int, rng: np.random.Generator, nprocs: int, names: pa.Array | None = None) -> pa.Table:
    """Records whose counters follow from a few reads and writes, so that they agree and compress as real ones do."""
    fields = [f.name for f in darrow.from_records(b"", module).schema]
    zeros, nothing = pa.array(np.zeros(rows, np.int64)), pa.array(np.zeros(rows))
    columns: dict[str, Any] = {name: nothing if "_F_" in name else zeros for name in fields if name.startswith(module)}
    names = paths(rows) if names is None else names
    ranks = rng.integers(0, nprocs, rows)
    ranks[rng.random(rows) < 0.1] = -1
    size = rng.choice(np.array([512, 4096, 65536, MIB, 4 * MIB]), rows, p=[0.3, 0.3, 0.2, 0.15, 0.05])
    writes = rng.poisson(6, rows)
    reads = np.where(rng.random(rows) < 0.4, rng.poisson(3, rows), 0)
    opened = np.round(rng.random(rows) * 100, 6)
    values: dict[str, np.ndarray] = {
        "OPENS": np.ones(rows, np.int64),
        "READS": reads,
        "WRITES": writes,
        "SEEKS": reads // 2,
        "STATS": rng.integers(0, 3, rows),
        "BYTES_READ": reads * size,
        "BYTES_WRITTEN": writes * size,
        "MAX_BYTE_READ": np.maximum(reads * size - 1, 0),
        "MAX_BYTE_WRITTEN": np.maximum(writes * size - 1, 0),
        "CONSEC_WRITES": np.maximum(writes - 1, 0),
        "SEQ_WRITES": np.maximum(writes - 1, 0),
        "MODE": np.full(rows, 420),
        "MEM_ALIGNMENT": np.full(rows, 8),
        "FILE_ALIGNMENT": np.full(rows, MIB),
        "FILE_NOT_ALIGNED": np.where(size < MIB, writes + reads, 0),
        "ACCESS1_ACCESS": np.where(writes + reads > 0, size, 0),
        "ACCESS1_COUNT": writes + reads,
        "F_OPEN_START_TIMESTAMP": opened,
        "F_OPEN_END_TIMESTAMP": opened + 1e-4,
        "F_WRITE_START_TIMESTAMP": np.where(writes > 0, opened + 1e-3, 0),
        "F_WRITE_END_TIMESTAMP": np.where(writes > 0, opened + 1e-3 + writes * size / 1e9, 0),
        "F_CLOSE_START_TIMESTAMP": opened + 1,
        "F_CLOSE_END_TIMESTAMP": opened + 1.0001,
        "F_WRITE_TIME": writes * size / 1e9,
        "F_READ_TIME": reads * size / 2e9,
        "F_META_TIME": rng.random(rows) / 1e3,
    }
    for name, array in values.items():
        if f"{module}_{name}" in columns:
            columns[f"{module}_{name}"] = pa.array(array)
    return pa.table({"name": names, "rank": pa.array(ranks), **columns})


def segments(count: int, rng: np.random.Generator, nprocs: int) -> pa.Table:
    """Accesses of each process to a few files, in the order of their times."""
    files = 4
    records = nprocs * files
    each = np.full(records, count // records)
    each[: count % records] += 1
    record = np.repeat(np.arange(records), each)
    within = np.arange(count) - np.repeat(np.cumsum(each) - each, each)
    is_read = within >= np.repeat(each // 2, each)
    start = within * 1e-3 + rng.random(count) * 1e-4
    ids = np.array([darrow.record_id(f"/scratch/project/trace.{i}") for i in range(files)], np.uint64)
    hosts = pa.array([f"node{i:04}" for i in range(nprocs)])
    return pa.table(
        {
            "id": ids[record % files],
            "rank": record // files,
            "host": pa.DictionaryArray.from_arrays(pa.array((record // files).astype(np.int32)), hosts),
            "op": pa.DictionaryArray.from_arrays(pa.array(is_read.astype(np.int32)), pa.array(["write", "read"])),
            "offset": within * 65536,
            "length": np.full(count, 65536),
            "start": start,
            "end": start + rng.random(count) * 1e-3,
        }
    )


def write_posix(out: Path, size: int, rng: np.random.Generator) -> None:
    darrow.write(out, {"POSIX": counters("POSIX", size, rng, 64)}, job=job(rng, 64), mounts=MOUNTS, overwrite=True)


def write_dxt(out: Path, size: int, rng: np.random.Generator) -> None:
    names = [f"/scratch/project/trace.{i}" for i in range(4)]
    tables = {"DXT_POSIX": segments(size, rng, 8)}
    darrow.write(out, tables, job=job(rng, 8), names=names, mounts=MOUNTS, overwrite=True)


def write_names(out: Path, size: int, rng: np.random.Generator) -> None:
    tables = {"STDIO": counters("STDIO", size, rng, 64, paths(size, "/users/user/a/rather/long/folder"))}
    darrow.write(out, tables, job=job(rng, 64), mounts=MOUNTS, overwrite=True)


def write_fleet(out: Path, size: int, rng: np.random.Generator) -> None:
    for first in range(0, size, 20_000):  # memory for the records of so many logs
        write_jobs(out, range(first, min(first + 20_000, size)), size, rng)


def write_jobs(out: Path, numbers: range, of: int, rng: np.random.Generator) -> None:
    """The logs of some of so many jobs, which a year has: a folder a day."""
    files = rng.integers(1, 12, len(numbers))
    log = np.repeat(numbers, files)  # of each file
    names = pa.array([f"/scratch/project/job{number}/out.{i}" for i, number in enumerate(log)])
    posix, streams = counters("POSIX", len(log), rng, 1, names), pa.array(["<STDOUT>", "<STDERR>"])
    stdio = counters("STDIO", 2, rng, 1, streams)
    begin = 0
    for number, count in zip(numbers, files, strict=True):
        facts = job(rng, int(rng.choice([1, 4, 64, 1024])), number)
        day = 1 + number * 365 // of
        folder = out / f"2026/{1 + day // 31}/{1 + day % 31}"
        folder.mkdir(parents=True, exist_ok=True)
        tables: Tables = {"POSIX": posix.slice(begin, count)}
        begin += count
        if number % 3 == 0:
            tables["STDIO"] = stdio
        path = folder / f"user{facts['uid']}_app_id{facts['jobid']}-{number}.darshan"
        darrow.write(path, tables, job=facts, mounts=MOUNTS, overwrite=True)


def odd_logs(rng: np.random.Generator) -> Iterator[tuple[str, Tables, dict[str, Any]]]:
    """Name, tables and other arguments of write() of each."""
    plain = {"job": job(rng, 4), "mounts": MOUNTS}
    few = counters("POSIX", 3, rng, 4)
    yield "nothing", {}, {**plain, "mounts": ()}
    yield "no-names", {"POSIX": few.drop(["name"]).append_column("id", pa.array([1, 2, 3], pa.uint64()))}, plain
    odd = pa.array(["", "a\tb\nc", "é" * 2000])
    yield "odd-names", {"POSIX": counters("POSIX", 3, rng, 4, odd)}, plain
    yield "aborted", {"POSIX": few}, {"job": {"nprocs": 4, "start_time_sec": START}, "mounts": MOUNTS}
    yield "big-endian", {"POSIX": few}, {**plain, "byte_order": "big"}
    yield "bzip2", {"POSIX": few}, {**plain, "compression": "bzip2"}
    yield "uncompressed", {"POSIX": counters("POSIX", 20_000, rng, 4)}, {**plain, "compression": "none"}
    yield "unknown", {"module 40": b"what is this?"}, {**plain, "versions": {"module 40": 7}}
    yield "partial", {"POSIX": few}, {**plain, "partial": ["POSIX", "STDIO"]}
    yield "rank-beyond", {"POSIX": few.set_column(1, "rank", pa.array([0, 4, 2**40]))}, {**plain, "strict": False}
    bins = [[2**62, 2**62, 1], [0] * 200, []]
    maps = {"name": ["heatmap:POSIX"] * 3, "rank": [0, 1, 2], "bin_width": [0.1, 0.1, 6.4], "write": bins, "read": bins}
    yield "heatmaps-uneven", {"HEATMAP": pa.table(maps)}, {**plain, "strict": False}
    wide = [{"stripe_size": MIB, "stripe_count": 2000, "osts": list(range(2000))}]
    yield "lustre-wide", {"LUSTRE": pa.table({"name": ["/scratch/w"], "rank": [-1], "components": [wide]})}, plain


def write_odd(out: Path, size: int, rng: np.random.Generator) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, tables, others in odd_logs(rng):
        darrow.write(out / f"{name}.darshan", tables, overwrite=True, **others)


KINDS: dict[str, tuple[Callable[[Path, int, np.random.Generator], None], int]] = {
    "posix": (write_posix, 1_000_000),
    "dxt": (write_dxt, 10_000_000),
    "names": (write_names, 2_000_000),
    "fleet": (write_fleet, 20_000),
    "odd": (write_odd, 0),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=int, help="records, segments, names or logs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    function, usual = KINDS[options.kind]
    function(options.out, usual if options.size is None else options.size, np.random.default_rng(options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
