"""What `darrow merge` writes against what `darshan-merge` wrote of the same logs with the same options: the stored
output of `darshan-parser --all` of the latter, line by line, made of what Darrow reads of the former.

Where they differ, one of `EXCEPTIONS` has to say why; each of them is needed.
"""

from __future__ import annotations

import gzip
import re
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import darrow
import pytest
from corpus import NO_UPSTREAM, SPEC, UPSTREAM, darrow_columns, few, load, sorted_mounts
from parser_lines import data_lines
from plain import PlainLog, read_plain
from test_cli import DONE
from test_cli import darrow as run

MULTI = UPSTREAM / "golden" / "_multi"
CUT = "...<cut>..."
pytestmark = pytest.mark.skipif(not MULTI.exists(), reason=NO_UPSTREAM)

EXCEPTIONS = {
    "A1": "variances of POSIX 2 and 3 are not read, and so are 0",
    "A2": "three times of POSIX 1 to 3 are not swapped in big-endian logs",
    "A17": "variances of reduced records of POSIX, MPI-IO and STDIO are 0",
    "B30": "every log is marked as partial, in the module NULL",
    "B34": "traces without thread ids get some, whatever lies in memory, and the newest version",
    "run time": "the run time of formats before 3.41 comes out one second short",
    "one process": "with --shared-redux, records of the only process become those of all",
    "several runs": "processes of the second run have the ranks of the first one's, which alone are counted",
    "mounts": "mounts of the first log only",
}
THREADS = {"main"}
A2 = ("POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME")


@dataclass(frozen=True)
class Golden:
    """One run of darshan-merge."""

    build: str
    mode: str
    options: tuple[str, ...]
    logs: tuple[Path, ...]
    file: Path

    @property
    def reduced(self) -> bool:
        return "--shared-redux" in self.options

    def lines(self) -> list[str]:
        return gzip.decompress(self.file.read_bytes()).decode("utf-8", "surrogateescape").split("\n")


@cache
def runs() -> list[Golden]:
    """Those with a log that did not crash (B31), of each that is the same on the same logs one."""
    if not MULTI.exists():
        return []
    found: dict[tuple[object, ...], Golden] = {}
    for key, entry in load(MULTI / "manifest.json")["entries"].items():
        build, _, mode = key.partition("/merge-")
        if not mode or not entry["parser-all"].get("file"):
            continue
        arguments = entry["cmd"][3:]
        logs = tuple(UPSTREAM / "logs" / a.replace("/", "__") for a in arguments if a.endswith(".darshan"))
        options = tuple(a for a in arguments if not a.endswith(".darshan"))
        if not logs or not all(log.exists() for log in logs):
            continue
        golden = Golden(build, mode, options, logs, MULTI / entry["parser-all"]["file"])
        found.setdefault((golden.file, options, logs), golden)
    return list(found.values())


@cache
def merged(options: tuple[str, ...], logs: tuple[Path, ...]) -> darrow.Log:
    done = run("merge", *options, *logs, "-o", "-")
    assert done.returncode == DONE, done.stderr
    return darrow.open(done.stdout)


@cache
def sources(logs: tuple[Path, ...]) -> list[PlainLog]:
    return [read_plain(log) for log in logs]


used: Counter[str] = Counter()


def but_for(reason: str, holds: bool) -> bool:
    """Whether an exception holds; it is noted then."""
    assert reason in EXCEPTIONS
    used[reason] += holds
    return holds


@pytest.mark.parametrize("golden", runs(), ids=lambda golden: f"{golden.build}-{golden.mode}")
def test_merged(golden: Golden) -> None:
    """Job, modules, mounts and records."""
    log = merged(golden.options, golden.logs)
    text = golden.lines()
    check_job(golden, text, log)
    check_modules(golden, text, log)
    check_mounts(golden, text, log)
    assert check_records(golden, text, log) > 10 or "empty" in golden.mode


def check_job(golden: Golden, text: list[str], log: darrow.Log) -> None:
    job, plain = log.job, sources(golden.logs)
    assert job
    old = plain[-1].format_version != "3.41" and "job-end-time" not in golden.mode
    end = job.end_time_sec - but_for("run time", old)
    nprocs = plain[0].job["nprocs"]
    assert job.nprocs == sum(source.job["nprocs"] for source in plain)
    but_for("several runs", job.nprocs != nprocs)
    expected = [
        ("darshan log version", "3.41"),
        ("compression method", "ZLIB"),
        ("exe", job.exe),
        ("uid", job.uid),
        ("jobid", job.jobid),
        ("start_time", job.start_time_sec),
        ("start_time_asci", time.asctime(time.gmtime(job.start_time_sec))),
        ("end_time", end),
        ("end_time_asci", time.asctime(time.gmtime(end))),
        ("nprocs", nprocs),
        ("run time", f"{job.run_time - old:.4f}"),
        *(("metadata", f"{key} = {value}") for key, value in job.metadata.items()),
    ]
    assert text[: text.index("")] == [f"# {key}: {value}" for key, value in expected]


def check_modules(golden: Golden, text: list[str], log: darrow.Log) -> None:
    """Modules and their versions; partial ones of all logs are partial."""
    there = dict(re.findall(r"^# (\S+) module: \d+ bytes \(compressed\), ver=(\d+)$", "\n".join(text), re.MULTILINE))
    assert but_for("B30", there.pop("NULL") == "0")
    ours = {name: str(module.version) for name, module in log.modules.items()}
    for name in ours:
        if name.startswith("DXT_"):
            newest = SPEC.modules[name]["current_version"]
            if but_for("B34", golden.build in THREADS and int(ours[name]) < newest):
                ours[name] = str(newest)
    assert there == ours
    assert {name for name, module in log.modules.items() if module.partial} == {
        name for plain in sources(golden.logs) for name, module in plain.modules.items() if module.partial
    }


def check_mounts(golden: Golden, text: list[str], log: darrow.Log) -> None:
    there = [tuple(line.split("\t")[1:]) for line in text if line.startswith("# mount entry:\t")]
    ours = mounts_of(log)
    more = [mount for mount in ours if mount not in there]
    but_for("mounts", bool(more))
    assert not more or len(golden.logs) > 1
    assert there == [mount for mount in ours if mount in there]


def mounts_of(log: darrow.Log) -> list[tuple[str, str]]:
    """In the order of the tools, but with those of equal length the other way round (B38)."""
    return sorted_mounts([(mount.path, mount.fs_type) for mount in log.mounts][::-1])


def check_records(golden: Golden, text: list[str], log: darrow.Log) -> int:
    """Compares the lines of all records; how many."""
    mounts = mounts_of(log)
    ours: list[str] = []
    for module in log:
        if not module.startswith("DXT_"):
            ours += data_lines(module, darrow_columns(log[module].raw), log[module].header, log.names, mounts)
    there = [line for line in text if line.count("\t") == 7 and line[0] != "#"]
    if CUT in text:  # the first lines and the last ones
        head = sum(line in there for line in text[: text.index(CUT)])
        ours = ours[:head] + ours[len(ours) - (len(there) - head) :]
    assert len(ours) == len(there)
    wrong = [
        f"ours   {a}\ntheirs {b}"
        for a, b in zip(ours, there, strict=True)
        if a != b and not foretold(golden, a.split("\t"), b.split("\t"))
    ]
    assert not wrong, few(wrong)
    return len(ours)


def foretold(golden: Golden, ours: list[str], theirs: list[str]) -> bool:
    """Whether exceptions explain all differences of two lines."""
    module, counter = ours[0], ours[3]
    plain = sources(golden.logs)
    if len(plain) > 1:
        first = plain[0].job["nprocs"]
        places = [
            i
            for i in (1, 4)
            if ours[i] != theirs[i] and (i == 1 or counter.endswith(("_FASTEST_RANK", "_SLOWEST_RANK")))
        ]
        for i in places:
            if but_for("several runs", int(ours[i]) == int(theirs[i]) + first):
                ours[i] = theirs[i]
        if but_for("mounts", ours[6:] != theirs[6:]):  # the second log's names lie on its own mounts
            ours[6:] = theirs[6:]
    if but_for("one process", golden.reduced and plain[0].job["nprocs"] == 1 and (ours[1], theirs[1]) == ("0", "-1")):
        ours[1] = theirs[1]
        if "_FASTEST_RANK" in counter or "_SLOWEST_RANK" in counter:
            return True  # which is the only one
    if ours != theirs and [ours[i] for i in (0, 1, 2, 3)] == [theirs[i] for i in (0, 1, 2, 3)]:
        old = any("POSIX" in log.modules and log.modules["POSIX"].version < 4 for log in plain)
        big = any(log.order == ">" for log in plain)
        variance = counter.endswith(("_F_VARIANCE_RANK_TIME", "_F_VARIANCE_RANK_BYTES"))
        zero = float(theirs[4]) == 0
        if module == "POSIX" and variance and zero and old and but_for("A1", not golden.reduced or len(plain) > 1):
            return True
        if counter in A2 and but_for("A2", old and big and abs(float(theirs[4])) < 1e-6):
            return True
        return but_for("A17", golden.reduced and variance and zero and module in ("POSIX", "MPI-IO", "STDIO"))
    return ours == theirs


def test_exceptions_are_needed() -> None:
    """Each is used by one of the runs (all run again, if the tests above ran elsewhere)."""
    if not set(used) >= set(EXCEPTIONS) or not all(used.values()):
        for golden in runs():
            test_merged(golden)
    assert {reason for reason, count in used.items() if count} == set(EXCEPTIONS)
    modes = {golden.mode for golden in runs()}
    assert {"ppc64-x86-3.1.3-plain", "single-dxt-shared-redux", "single-ior-DFS-shared-redux"} <= modes
