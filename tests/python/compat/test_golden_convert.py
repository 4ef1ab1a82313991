"""What `darrow convert` writes against what `darshan-convert` wrote of the same logs with the same options: the stored
output of `darshan-parser --all` of the latter, line by line, made of what Darrow reads of the former.

Differences must be foretold: by the rules of `pitfalls.py`, whose mistakes stay in converted logs for good (B35), or by
what stands under "What darshan-convert does otherwise".
"""

from __future__ import annotations

import gzip
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import darrow
import numpy as np
import pytest
from corpus import NO_UPSTREAM, SPEC, UPSTREAM, Columns, darrow_columns, few, load, sorted_mounts
from parser_lines import data_lines
from pitfalls import foretell
from plain import PlainLog, read_plain
from test_cli import DONE
from test_cli import SOME_LOST as LOST
from test_cli import darrow as run

GOLDEN = UPSTREAM / "golden"
CUT = "...<cut>..."
EMPTY = "empty_log__empty_log"
"""A log without records: --file finds nothing in it, and the command tells."""

pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason=NO_UPSTREAM)


@dataclass(frozen=True)
class Printed:
    """What darshan-parser printed of a converted log."""

    build: str
    mode: str
    options: tuple[str, ...]
    lines: list[str]

    @cached_property
    def parts(self) -> list[list[str]]:
        """The text, or its first and its last lines."""
        if CUT not in self.lines:
            return [self.lines]
        at = self.lines.index(CUT)
        return [self.lines[:at], self.lines[at + 1 :]]

    def after(self, start: str) -> list[str]:
        """What stands behind `start` in lines that begin with it."""
        return [line.removeprefix(start) for line in self.parts[0] if line.startswith(start)]


def names() -> list[str]:
    return sorted(path.parent.name for path in GOLDEN.glob("*/convert.json.gz"))


@pytest.fixture(scope="module", params=names())
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def outputs(name: str) -> Iterator[Printed]:
    """The distinct outputs of a log."""
    seen = set()
    for key, entry in load(GOLDEN / name / "convert.json.gz")["entries"].items():
        build, _, mode = key.partition("/convert-")
        file = entry["parser_all"]["file"]
        if (file, mode) not in seen:
            seen.add((file, mode))
            text = gzip.decompress((GOLDEN / name / file).read_bytes()).decode("utf-8", "surrogateescape")
            yield Printed(build, mode, tuple(entry["cmd"][1:-2]), text.split("\n"))


def source(name: str) -> Path:
    return UPSTREAM / "logs" / f"{name}.darshan"


# What darshan-convert does otherwise ----------------------------------------------------------------------------------

UNKNOWN_TO = {"main": {"APMPI", "APXC"}, "mainap": {"APXC"}, "r350ap": set()}
"""Modules that a build of the tools does not know: it leaves them out."""


THREADS = {"main", "mainap"}
"""B34: builds that give thread ids to all traces, whatever lies in memory, and so write them in the newest version."""


def flags_only(plain: PlainLog, log: darrow.Log) -> set[str]:
    """Incomplete modules without a record of the chosen file: only their flags are left, which Darrow drops too."""
    return {name for name, module in plain.modules.items() if module.partial and name not in log.modules}


def flipped(mounts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """B38: mounts in the order of the tools, but with those of equal length the other way round."""
    return sorted_mounts(mounts[::-1])


def second_lost(plain: PlainLog) -> bool:
    """Whether the run time comes out one second short: before format 3.41 both ends counted."""
    return plain.format_version != "3.41" and plain.job["end_time_sec"] != 0


# The tests ------------------------------------------------------------------------------------------------------------


def test_converted(name: str) -> None:
    """Job, modules, mounts and records of each mode."""
    compared = 0
    plain = read_plain(source(name))
    logs: dict[tuple[str, ...], darrow.Log] = {}
    for printed in outputs(name):
        if printed.options not in logs:
            done = run("convert", *printed.options, source(name), "-")
            assert done.returncode == (LOST if printed.options[:1] == ("--file",) and name == EMPTY else DONE), (
                done.stderr
            )
            logs[printed.options] = darrow.open(done.stdout)
        log = logs[printed.options]
        check_job(printed, plain, log)
        check_modules(printed, plain, log)
        check_mounts(printed, log)
        compared += check_records(printed, plain, log)
    assert compared > 150 or name == EMPTY


def check_job(printed: Printed, plain: PlainLog, log: darrow.Log) -> None:
    job = log.job
    assert job
    lost = second_lost(plain)
    end = job.end_time_sec - lost
    expected = [
        ("darshan log version", "3.41"),
        ("compression method", "BZIP2" if printed.mode == "bzip2" else "ZLIB"),
        ("exe", job.exe),
        ("uid", job.uid),
        ("jobid", job.jobid),
        ("start_time", job.start_time_sec),
        ("start_time_asci", time.asctime(time.gmtime(job.start_time_sec))),
        ("end_time", end),
        ("end_time_asci", time.asctime(time.gmtime(end))),
        ("nprocs", job.nprocs),
        ("run time", f"{job.run_time - lost:.4f}"),
        *(("metadata", f"{key} = {value}") for key, value in job.metadata.items()),
    ]
    head = printed.parts[0][: printed.parts[0].index("")]
    assert head == [f"# {key}: {value}" for key, value in expected], printed.mode


def check_modules(printed: Printed, plain: PlainLog, log: darrow.Log) -> None:
    """Modules with data and their versions, and which of them are told to be incomplete."""
    text = "\n".join(printed.parts[0])
    there = re.findall(r"^# (\S+) module: \d+ bytes \(compressed\), ver=(\d+)$", text, re.MULTILINE)
    ours = {name: str(module.version) for name, module in log.modules.items() if name not in UNKNOWN_TO[printed.build]}
    if printed.build in THREADS:
        ours |= {name: str(SPEC.modules[name]["current_version"]) for name in ours if name.startswith("DXT_")}
    if printed.mode == "file":
        ours |= dict.fromkeys(flags_only(plain, log), "0")
    assert dict(there) == ours, (printed.build, printed.mode)

    flags = {name for name, module in log.modules.items() if module.partial}
    assert flags == {name for name, module in plain.modules.items() if module.partial and name in log.modules}
    if len(printed.parts) == 1:
        sections = re.split(r"^# (\S+) module data$", text, flags=re.MULTILINE)[1:]
        told = {name for name, body in zip(sections[::2], sections[1::2], strict=True) if "*WARNING*" in body}
        assert told == {name for name in sections[::2] if name in plain.modules and plain.modules[name].partial}


def check_mounts(printed: Printed, log: darrow.Log) -> None:
    there = [tuple(line.split("\t")) for line in printed.after("# mount entry:\t")]
    ours = flipped([(mount.path, mount.fs_type) for mount in log.mounts])
    assert there == ours[: len(there)]
    assert len(there) == len(ours) or len(printed.parts) == 2


def check_records(printed: Printed, plain: PlainLog, log: darrow.Log) -> int:
    """Compares the lines of all records; how many."""
    mounts = flipped([(mount.path, mount.fs_type) for mount in log.mounts])
    ours: list[str] = []
    for module in log:
        if module not in UNKNOWN_TO[printed.build] and not module.startswith("DXT_"):
            columns = darrow_columns(log[module].raw)
            if SPEC.modules[module]["kind"] == "fixed":
                columns, _ = foretell(plain, module, columns)
            if len(printed.parts) == 2:
                columns = ends(columns, max(map(len, printed.parts)))
            ours += data_lines(module, columns, log[module].header, log.names, mounts)
    there = [[line for line in part if line.count("\t") == 7 and line[0] != "#"] for part in printed.parts]
    if len(there) == 2:
        head, tail = there
        ours = ours[: len(head)] + ours[len(ours) - len(tail) :]
        there = [head + tail]
    wrong = [f"ours   {a}\ntheirs {b}" for a, b in zip(ours, there[0], strict=False) if a != b]
    assert not wrong, f"{printed.build} {printed.mode}\n{few(wrong)}"
    assert len(ours) == len(there[0])
    return len(ours)


def ends(columns: Columns, count: int) -> Columns:
    """The first and the last records: of each there is a line at least."""
    if len(columns["id"]) <= 2 * count:
        return columns
    rows = [*range(count), *range(len(columns["id"]) - count, len(columns["id"]))]
    return {
        name: values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]
        for name, values in columns.items()
    }


def test_exceptions_are_needed() -> None:
    """There are logs of which upstream loses or changes something in each of these ways."""
    needed: Counter[str] = Counter()
    for name in names():
        plain, log = read_plain(source(name)), darrow.open(source(name))
        mounts = [(mount.path, mount.fs_type) for mount in log.mounts]
        needed["B38"] += flipped(mounts) != sorted_mounts(mounts)
        needed["run time"] += second_lost(plain)
        needed["B34"] += any(plain.modules[name].version < 2 for name in plain.modules if name.startswith("DXT_"))
        needed.update(module for module in plain.modules if module in UNKNOWN_TO["main"])
        for module in log:
            if SPEC.modules[module]["kind"] == "fixed":
                _, used = foretell(plain, module, darrow_columns(log[module].raw))
                needed.update({rule.number: cells for rule, cells in used.items()})
        for printed in outputs(name):
            if printed.mode == "file":
                chosen = run("convert", *printed.options, source(name), "-").stdout
                needed["flag"] += len(flags_only(plain, darrow.open(chosen)))
                break
    assert all(needed[reason] for reason in ("B38", "run time", "A1", "A2", "B34", "APMPI", "APXC", "flag")), needed
