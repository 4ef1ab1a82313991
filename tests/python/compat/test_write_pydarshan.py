"""Logs that Darrow writes for release 3.5.0, read by PyDarshan 3.5.0: the values that Darrow shows of their sources.

Uncompressed and with zlib, in both byte orders. What PyDarshan cannot read, and what it shows wrongly, is foretold, as
in `test_pydarshan.py`: most of its mistakes are about old versions of modules, which copies do not have. Left are A3
(partial flags of big-endian logs) and A7 (files of H5D records in big-endian logs without H5F data), which the tests
account for; A8 and A9 are about values that it does not show.
"""

from __future__ import annotations

import importlib.util
import io
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import darrow
import numpy as np
import pytest
from copies import BY_HAND, Copy, bits_of, can_be, number_of, paths, same_bits
from corpus import LOGS, NO_LOGS, SPEC, UPSTREAM, Columns, darrow_columns
from peer import answers
from plain import PlainLog, read_plain, records
from test_pydarshan import CANNOT, READER, check_job, check_modules, check_records, heatmap_groups

pytestmark = pytest.mark.compat
needs_pydarshan = pytest.mark.skipif(
    importlib.util.find_spec("darshan") is None, reason="needs PyDarshan (pip install darshan==3.5.0)"
)

FOLDERS = ("data", "small", "synthetic", "malformed", "fleet", "upstream")
DAMAGED = ("ctime", "lus0", "mod_unknown", "noz_big", "nm_long", "nm_many", "short_rec", "rank_ge_nprocs")
"""Of the malformed logs these: what keeps PyDarshan from reading them, or strains it, is in the copies too."""
WAYS = [(order, compression) for order in ("little", "big") for compression in ("zlib", "none")]
SAMPLE = 24
"""One of so many logs is written in each way, the others in one."""
DEADLY = ("lus0", "nm_many", "noz_big")
BATCH = 240  # logs of one child process
ALONE = {"apmpi_apxc__mpi-io-test"} if UPSTREAM.exists() else {"lustre-apmpi-all"}
"""Of the logs with opening records one: each needs a process, for PyDarshan knows one such record per process (B22)."""
TARGET = "3.5.0"


def names_length(log: PlainLog) -> int:
    """Bytes of the names, inflated."""
    return sum(8 + len(name) + 1 for name in log.names.values())


NOT_READ: dict[str, Callable[[PlainLog], bool]] = CANNOT | {
    "a module that it does not know is an error (B41)": lambda log: any(
        module.length and module.id >= len(SPEC.modules) for module in log.modules.values()
    ),
    "a start time of 2^62 seconds is an error": lambda log: log.job["start_time_sec"] >= 1 << 62,
    "it misreads regions of more than 1 MiB that are not compressed (B18)": lambda log: (
        log.compression == "none"
        and max([names_length(log), *(module.length for module in log.modules.values())]) > 1 << 20
    ),
    "it dies of LUSTRE records without components (B9)": lambda log: (
        "LUSTRE" in log.modules and not all(records(log, "LUSTRE")["components"])
    ),
}
"""Properties of a copy that make PyDarshan give up on all of it."""


def copies() -> Iterator[Copy]:
    for folder in FOLDERS:
        for path in paths(folder):
            number = number_of(path.stem)
            if path.stem in BY_HAND and path.stem not in DAMAGED:
                continue
            for order, compression in WAYS if number % SAMPLE == 0 else [WAYS[number // SAMPLE % len(WAYS)]]:
                yield Copy(path, order if can_be(path, order) else "little", compression)


@cache
def groups() -> list[list[Copy]]:
    """Copies by child process."""
    alone, together = [], []
    for copy in dict.fromkeys(copies()):
        if not {"APMPI", "APXC"} & set(copy.source):
            together.append(copy)
        elif copy.path.stem in ALONE:
            alone.append(copy)
    together.sort(key=lambda copy: copy.path.stem in DEADLY)  # at the end, where no others must be read again
    return [together[i : i + BATCH] for i in range(0, len(together), BATCH)] + [[copy] for copy in alone]


@cache
def ask(number: int) -> list[tuple[Copy, PlainLog, Any]]:
    """The copies of a group and what PyDarshan says of each: a dictionary, or text if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.darshan" for i in range(len(groups()[number]))]
        for copy, file in zip(groups()[number], files, strict=True):
            file.write_bytes(copy.write(target=TARGET))
        found = answers(READER, files)
        return [
            (copy, read_plain(file.read_bytes()), found[file])
            for copy, file in zip(groups()[number], files, strict=True)
        ]


@needs_pydarshan
@pytest.mark.parametrize("number", range(len(groups())))
def test_values(number: int) -> None:
    """Number and values of all records, job, mounts, names and modules."""
    for copy, plain, answer in ask(number):
        reasons = [reason for reason, holds in NOT_READ.items() if holds(plain)]
        if isinstance(answer, str):
            assert reasons, f"{copy}: PyDarshan cannot read it: {answer}"
            continue
        assert not reasons, copy
        check(copy, plain, answer)


def check(copy: Copy, plain: PlainLog, answer: dict[str, Any]) -> None:
    """Compares what PyDarshan says of a copy with what Darrow says of its source."""
    log = copy.source
    assert log.job
    later = not log.format_version.startswith("3.41") and log.job.end_time_sec != 0
    job = SimpleNamespace(**dict(log.job._items()) | {"end_time_sec": log.job.end_time_sec + later})
    check_job(SimpleNamespace(format_version="3.41", job=job, mounts=log.mounts, names=log.names), plain, answer)
    check_modules(SimpleNamespace(modules=plain.modules), plain, answer)
    compared = 0
    for module, entry in plain.modules.items():
        if entry.length and module in log and module != "HEATMAP":
            compared += check_records(log, plain, module, answer["records"].get(module))
    there = heatmap_groups(darrow_columns(log["HEATMAP"].raw)) if "HEATMAP" in log else {}
    assert compared or not set(answer["records"]) - {"DXT_POSIX", "DXT_MPIIO"}
    assert set(answer["heatmaps"]) == set(there)
    for layer, ours in there.items():
        theirs = answer["heatmaps"][layer]
        assert (theirs["nbins"], theirs["bin_width"]) == (ours["nbins"], ours["bin_width"])
        for op in ("read", "write"):
            assert dict(zip(theirs["ranks"], theirs[op], strict=True)) == ours[op], (layer, op)


@needs_pydarshan
def test_a_reason_is_needed() -> None:
    """Each reason holds for one of the copies, but for what is not asked for and what no copy has."""
    if not LOGS.exists():
        pytest.skip(NO_LOGS)
    logs = [read_plain(copy.write(target=TARGET)) for group in groups() for copy in group]
    never = {"the wheel has no bzip2", "a metadata line without = is an error (B41)"}
    assert {reason for reason, holds in NOT_READ.items() if any(map(holds, logs))} == set(NOT_READ) - never


# Older versions -------------------------------------------------------------------------------------------------------


def old_versions() -> Iterator[tuple[str, int]]:
    for name, module in SPEC.modules.items():
        for version in map(int, module.get("versions", {})):
            if version < module["current_version"]:
                yield name, version


def loses(version: int, module: str, right: Columns) -> str | None:
    """What the message says of values that a version has no place for; None if there are none."""
    layout = SPEC.modules[module]["versions"][str(version)]
    if (module, version) == ("LUSTRE", 1):
        return "version 1 stores facts of the file system that tables do not have"
    if (module, version) == ("DXT_MPIIO", 1) and (np.asarray(right["offset"]) != -1).any():
        return "offsets of version 1 are not read: they would be lost"
    lost = list(layout.get("derived_int", ()))  # a sum, of which the parts are not known
    for kind in ("default_int", "default_float", "default_pre"):
        lost += [name for name, absent in layout.get(kind, {}).items() if (np.asarray(right[name]) != absent).any()]
    if "thread_id" in SPEC.lacking(module, version) and any(right["thread_id"]):  # 0 is no thread
        lost.append("thread_id")
    return f"version {version} cannot hold ({'|'.join(lost)}), which is" if lost else None


NEVER = {("LUSTRE", 1), ("PNETCDF_FILE", 1), ("PNETCDF_FILE", 2)}
"""Versions with values that tables do not have: no record can be written in them."""


@pytest.mark.parametrize(("module", "version"), list(old_versions()))
def test_older_versions(module: str, version: int) -> None:
    """Records can be written in older versions if nothing is lost by it; else the message tells what would be."""
    written, refused = 0, 0
    for path in paths("synthetic") or paths("data"):
        copy = Copy(path, ("little", "big")[number_of(path.stem) % 2], "zlib")
        if module not in copy.source or not copy.original:
            continue
        right = records(copy.original, module)
        if message := loses(version, module, right):
            with pytest.raises(ValueError, match=message):
                copy.write(versions={module: version})
            refused += 1
        else:
            data = copy.write(versions={module: version})
            assert read_plain(data).modules[module].version == version
            log = darrow.open(data)
            dropped = ["thread_id"] * (module.startswith("DXT_") and not any(right["thread_id"]))
            ours, theirs = (
                bits_of({k: v for k, v in columns.items() if k not in dropped})
                for columns in (records(read_plain(data), module), right)
            )
            assert ours == theirs
            for a, b in ((log[module].raw, copy.source[module].raw), (log[module], copy.source[module])):
                assert same_bits(a.to_arrow().drop_columns(dropped), b.to_arrow().drop_columns(dropped))
            written += 1
    assert bool(written) == ((module, version) not in NEVER)
    assert refused or module == "BG/Q"


def test_targets() -> None:
    """Thread ids are left out for releases that do not know them, and a problem tells how many."""
    for path in [*paths("data"), *paths("small"), *paths("synthetic")]:
        if path.stem in BY_HAND:
            continue
        source = darrow.open(path)
        traces = [module for module in source if module.startswith("DXT_") and len(source[module])]
        if not traces or source.modules[traces[0]].version != SPEC.modules[traces[0]]["current_version"]:
            continue
        for target in ("3.4.7", "3.5.0"):
            out = io.BytesIO()
            problems = darrow.write(out, source, target=target, strict=False)
            left_out = {problem.module: problem.count for problem in problems if problem.kind == "value_left_out"}
            assert left_out == {module: len(source[module]) for module in traces if left_out.get(module)}
            assert set(left_out) == {m for m in traces if any(source[m].column("thread_id"))}
            log = darrow.open(out.getvalue())
            for module in traces:
                assert log.modules[module].version == {"DXT_POSIX": 1, "DXT_MPIIO": 2}[module]
                ours, theirs = (log_[module].to_arrow().drop_columns("thread_id") for log_ in (log, source))
                assert same_bits(ours, theirs)


@pytest.mark.parametrize("target", ["3.4.0", "3.1", "3.5", "main", "3.5.0 "])
def test_targets_that_cannot_be(target: str) -> None:
    with pytest.raises(ValueError, match="is no release that reads format"):
        darrow.write(io.BytesIO(), {}, job={"nprocs": 1}, target=target)
