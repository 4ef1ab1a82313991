"""Every value of the logs of the Darshan project against the stored output of Darshan's own tools and of PyDarshan.

Differences must be foretold by the rules of `pitfalls.py`, and what Darrow shows in their place must lie in the file.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import numpy as np
import pytest
from corpus import (
    NO_UPSTREAM,
    SPEC,
    UPSTREAM,
    Columns,
    cells,
    darrow_columns,
    differences,
    few,
    load,
    mount_of,
    numbers,
    same,
    shown,
    sorted_mounts,
)
from pitfalls import RULES, Rule, foretell, partial_bits, slot_bits, slot_id, unexplained
from plain import PlainLog, read_plain, records

GOLDEN = UPSTREAM / "golden"

# PyDarshan 3.5.0 wrote the stored records. It has no bzip2, and it rejects the versions of the development branch: of
# these there is only the text of the tools.
NO_RECORDS = {
    "derived__mpi-io-test-x86_64-3.5.0-bz2": "bzip2",
    "derived__dxt-v2v3-main-converted": "DXT_POSIX 2, DXT_MPIIO 3",
}
UNREADABLE = {("DXT_POSIX", 2), ("DXT_MPIIO", 3)}

# Their records are those of the logs that they were converted from.
CONVERTED = {
    "derived__mpi-io-test-x86_64-3.5.0-bz2": "release_logs__mpi-io-test-x86_64-3.5.0",
    "derived__dxt-v2v3-main-converted": "mpi_io_test_with_dxt__"
    "treddy_mpi-io-test_id4373053_6-2-60198-9815401321915095332_1",
}


def names() -> list[str]:
    return sorted(load(GOLDEN / "index.json")) if GOLDEN.exists() else []


pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason=NO_UPSTREAM)


@cache
def index() -> dict[str, Any]:
    return load(GOLDEN / "index.json")


@pytest.fixture(scope="module", params=names())
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def path(name: str) -> Path:
    return UPSTREAM / "logs" / f"{name}.darshan"


@pytest.fixture(scope="module")
def log(path: Path) -> Any:
    return darrow.open(path)


@pytest.fixture(scope="module")
def plain(path: Path) -> PlainLog:
    return read_plain(path)


# Stored output as columns ---------------------------------------------------------------------------------------------


def rows(name: str, file: str) -> list[dict[str, Any]]:
    lines = gzip.decompress((GOLDEN / name / "records" / f"{file}.jsonl.gz").read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


def golden_columns(name: str, module: str) -> Columns:
    """The records of a module as PyDarshan read them."""
    head, *lines = rows(name, module.replace("/", ""))
    layout = SPEC.modules[module]
    assert head["module"] == module
    if layout["kind"] == "header+perf":
        lines = lines[1:]
    columns: Columns = {key: numbers((line[key] for line in lines), "i64") for key in ("id", "rank")}
    match layout["kind"]:
        case "fixed":
            for key in ("counter_names", "fcounter_names"):
                listed = layout["int_counters" if key == "counter_names" else "float_counters"]
                assert head[key] in (None, listed)
                kind, cell = ("i64", "counters") if key == "counter_names" else ("f64", "fcounters")
                table = [line[cell] for line in lines]
                columns |= {counter: numbers((row[i] for row in table), kind) for i, counter in enumerate(listed)}
            if layout["pre_counter_fields"]:
                columns["file_rec_id"] = numbers((line["file_rec_id"] for line in lines), "u64")
        case "header+perf":
            kinds = {part["name"]: part["type"] for part in layout["perf_fields"]}
            table = [line.get("all_counters") or line["counters"] for line in lines]
            for i, counter in enumerate(head["counter_names"]):
                columns[counter] = numbers((row[i] for row in table), kinds[counter])
            for key in layout.get("perf_int_fields", []):
                columns[key] = numbers((line[key] for line in lines), "i64")
            if "node_name" in kinds:
                columns["node"] = [line["node_name"] for line in lines]
        case "lustre":
            keys = ("stripe_size", "stripe_count", "stripe_pattern", "flags", "ext_start", "ext_end", "mirror_id")
            columns["components"] = [
                [
                    dict(zip(keys, part["counters"], strict=True))
                    | {"pool": part["pool_name"], "osts": part["ost_ids"]}
                    for part in line["components"]
                ]
                for line in lines
            ]
        case "heatmap":
            columns["bin_width"] = numbers((line["bin_width_seconds"] for line in lines), "f64")
            columns["nbins"] = numbers((line["nbins"] for line in lines), "i64")
            columns["write"] = [line["write_bins"] for line in lines]
            columns["read"] = [line["read_bins"] for line in lines]
        case "dxt":
            return golden_segments(head, lines)
    return columns


def golden_segments(head: dict[str, Any], lines: list[dict[str, Any]]) -> Columns:
    assert head["full"], "traces cut short in the stored output are not among these logs"
    assert head["segment_fields"] == ["offset", "length", "start_time", "end_time"]
    flat = [
        (line["id"], line["rank"], line["hostname"], op, i, *segment)
        for line in lines
        for op in ("write", "read")
        for i, segment in enumerate(line[f"{op}_segments"])
    ]
    assert len(flat) == head["total_segments"]
    keys = ("id", "rank", "host", "op", "segment", "offset", "length", "start", "end")
    parts = dict(zip(keys, zip(*flat, strict=True), strict=True))
    kinds = {"host": None, "op": None, "start": "f64", "end": "f64"}
    return {
        key: list(values) if (kind := kinds.get(key, "i64")) is None else numbers(values, kind)
        for key, values in parts.items()
    }


# The records ----------------------------------------------------------------------------------------------------------


def readable(name: str) -> list[str]:
    """Modules of a log of which there are stored records."""
    modules = index()[name]["modules"]
    return [
        module for module, part in modules.items() if (module, part["ver"]) not in UNREADABLE and name not in NO_RECORDS
    ]


def test_records(name: str, log: Any, plain: PlainLog) -> None:
    """All values of all records, bit for bit."""
    compared = 0
    for module in readable(name):
        theirs = golden_columns(name, module)
        ours = darrow_columns(log[module].raw)
        found = list(unexplained(plain, module, ours, theirs))
        assert not found, f"{module}\n{few(found)}"
        compared += cells(theirs)
    if name not in NO_RECORDS:
        assert compared >= 30 * bool(index()[name]["modules"])


def test_records_lie_in_the_file(name: str, log: Any, plain: PlainLog) -> None:
    """Where a rule speaks of a column, what Darrow shows is what the bytes say."""
    for module in plain.modules:
        _, used = foretell(plain, module, records(plain, module)) if plain.modules[module].length else ({}, {})
        if used:
            columns = [column for rule in used for column in rule.columns]
            there = records(plain, module)
            ours = darrow_columns(log[module].raw, columns)
            assert not list(differences(ours, {column: there[column] for column in columns})), module


def test_trace_records(name: str, log: Any) -> None:
    """Traces by record, those without segments too."""
    for module in readable(name):
        if module.startswith("DXT_"):
            lines = rows(name, module)[1:]
            keys = {"id": "id", "rank": "rank", "write_count": "write_count", "read_count": "read_count"}
            theirs: Columns = {ours: numbers((line[key] for line in lines), "i64") for ours, key in keys.items()}
            theirs["host"] = [line["hostname"] for line in lines]
            assert not list(differences(darrow_columns(log[module].records), theirs)), module


def test_object_ids(name: str, log: Any) -> None:
    """Pool, container and object id of DFS and DAOS records, which PyDarshan does not show, from another source."""
    for module in ("DFS", "DAOS"):
        if module in index()[name]["modules"]:
            ours = darrow_columns(log[module].raw)
            for i, line in enumerate(rows(name, f"{module}.extra")):
                assert line == {key: _plain(ours[key][i]) for key in line}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def test_opening_records(name: str, log: Any) -> None:
    """The first record of APMPI and APXC."""
    for module in ("APMPI", "APXC"):
        if module in index()[name]["modules"]:
            ours = dict(log[module].header)
            for key, value in rows(name, module)[1].items():
                if key in ("memory_mode", "cluster_mode"):
                    modes = [mode.split("_")[1].lower() for mode in SPEC.modules[module][f"{key}s"]]
                    assert modes[ours[key]] == value
                elif key not in ("id", "rank", "magic"):
                    assert same(ours[key], value), (module, key)


def test_number_of_records(name: str, log: Any) -> None:
    """Records of fixed size fill the region they lie in."""
    for module, part in index()[name]["modules"].items():
        layout = SPEC.modules[module]["versions"][str(part["ver"])]
        if "record_size" in layout and "skip_record_if" not in layout:
            assert len(log[module]) * layout["record_size"] == part["raw_bytes"], module


@pytest.mark.parametrize("name", CONVERTED)
def test_converted(name: str) -> None:
    """The logs that PyDarshan cannot read hold the records of the logs they were made from."""
    log, source = darrow.open(UPSTREAM / "logs" / f"{name}.darshan"), CONVERTED[name]
    assert set(index()[name]["modules"]) == set(index()[source]["modules"])
    for module in index()[source]["modules"]:
        found = list(differences(darrow_columns(log[module].raw), golden_columns(source, module)))
        assert not found, f"{module}\n{few(found)}"


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_is_needed(rule: Rule) -> None:
    """A rule makes a difference for each version and byte order that it concerns and that this corpus has."""
    used: Counter[tuple[int, str]] = Counter()
    for name, entry in index().items():
        for module in readable(name):
            key = (entry["modules"][module]["ver"], entry["endian"])
            if rule.concerns(module, *key):
                ours = darrow_columns(darrow.open(UPSTREAM / "logs" / f"{name}.darshan")[module].raw)
                found = differences(ours, golden_columns(name, module))
                used[key] += sum(difference.column in rule.columns for difference in found)
    if not used:
        pytest.skip("no such log in the corpus")
    assert all(used.values()), used


# Header, job, names, mounts -------------------------------------------------------------------------------------------


def test_index(name: str, path: Path, log: Any) -> None:
    entry = index()[name]
    assert log.format_version == entry["format"]
    assert log.byte_order == entry["endian"]
    assert log.compression == entry["compression"]
    assert (log.job.nprocs, log.job.start_time_sec, log.job.end_time_sec) == (
        entry["nprocs"],
        entry["start"],
        entry["end"],
    )
    assert (len(log.names), len(log.mounts)) == (entry["n_names"], entry["n_mounts"])
    assert path.stat().st_size == entry["bytes"]
    assert log.job.metadata.get("lib_ver") == entry["lib_ver"]
    assert {key for key, module in log.modules.items() if module.partial} == set(entry["partial"])
    assert {key for key, module in log.modules.items() if module.length} == set(entry["modules"])
    for module, part in entry["modules"].items():
        ours = log.modules[module]
        assert (ours.id, ours.version, ours.length) == (part["id"], part["ver"], part["compressed"]), module
        assert ours.status == "readable"


def test_pydarshan(name: str, log: Any, plain: PlainLog) -> None:
    """Job, mounts, names and modules as PyDarshan gives them."""
    answer = load(GOLDEN / name / "pydarshan-meta.json.gz")
    if not answer["ok"]:
        assert NO_RECORDS.get(name) == "bzip2"
        return
    there = answer["res"]
    for key, value in there["job"].items():
        match key:
            case "log_ver":
                assert value == log.format_version
            case "run_time":
                assert same(log.job.run_time, value)
            case "metadata":
                assert dict(log.job.metadata) == value
            case _:
                assert getattr(log.job, key) == value, key
    assert there["exe"] == log.job.exe
    assert sorted_mounts((mount.path, mount.fs_type) for mount in log.mounts) == [
        tuple(mount) for mount in there["mounts"]
    ]
    assert [(key, value) for key, value in log.names.items()] == [tuple(pair) for pair in there["name_records"]]

    seen = {slot_id(plain, slot) for slot in partial_bits(plain, slot_bits(plain))}  # A3
    assert set(there["modules"]) == {key for key, module in log.modules.items() if module.length}
    for key, part in there["modules"].items():
        ours = log.modules[key]
        assert (part["len"], part["ver"], part["idx"]) == (ours.length, ours.version, ours.id), key
        assert part["partial_flag"] == (ours.id in seen), key


def test_partial_flag_of_big_endian_logs() -> None:
    """A3 is needed: there is a big-endian log whose partial flag upstream misreads."""
    needed = []
    for name, entry in index().items():
        if entry["endian"] == "big" and entry["partial"]:
            there = load(GOLDEN / name / "pydarshan-meta.json.gz")["res"]["modules"]
            needed += [key for key in entry["partial"] if not there[key]["partial_flag"]]
    assert needed


# Text of the programs -------------------------------------------------------------------------------------------------


def parser_text(name: str) -> str:
    """The output of darshan-parser: of the build that knows most modules, with incomplete ones shown."""
    tools = GOLDEN / name / "tools"
    for file in ("mainap.parser-all", "main.parser-all", "main.parser-show-incomplete", "main.parser-none"):
        if (tools / f"{file}.txt.gz").exists():
            return gzip.decompress((tools / f"{file}.txt.gz").read_bytes()).decode("utf-8", "surrogateescape")
    raise FileNotFoundError(tools)


def test_parser_head(name: str, log: Any, plain: PlainLog) -> None:
    """What darshan-parser prints of the job, the regions and the mounts."""
    head = parser_text(name).partition("\n# description of columns:")[0]
    fields = dict(re.findall(r"^# ([\w ]+?): (.*)$", head, re.MULTILINE))
    job = log.job
    assert fields["darshan log version"] == log.format_version
    assert fields["compression method"] == {"zlib": "ZLIB", "bzip2": "BZIP2", "none": "NONE"}[log.compression]
    assert fields.get("exe", "").rstrip() == job.exe.rstrip()
    for key, value in (("uid", job.uid), ("jobid", job.jobid), ("nprocs", job.nprocs)):
        assert int(fields[key]) == value
    assert int(fields["start_time"]) == job.start_time_sec
    assert int(fields["end_time"]) == job.end_time_sec
    assert fields["run time"] == f"{job.run_time:.4f}"
    assert dict(re.findall(r"^# metadata: (\S+) = (.*)$", head, re.MULTILINE)) == dict(job.metadata)

    regions = re.findall(r"^# (\S+) module: (\d+) bytes \(compressed\), ver=(\d+)$", head, re.MULTILINE)
    seen = {slot_id(plain, slot) for slot in partial_bits(plain, slot_bits(plain))}  # A3
    ours = [
        (key, module.length, module.version)
        for key, module in log.modules.items()
        if module.length or module.id in seen
    ]
    assert [(key, int(length), int(version)) for key, length, version in regions] == ours

    mounts = re.findall(r"^# mount entry:\t(.*)\t(.*)$", head, re.MULTILINE)
    assert mounts == sorted_mounts((mount.path, mount.fs_type) for mount in log.mounts)


def prefix_mount(name: str, mounts: list[tuple[str, str]]) -> tuple[str, str]:
    """A15: darshan-parser takes the longest mount that the name begins with, whole components or not."""
    return next((mount for mount in mounts if name.startswith(mount[0])), ("UNKNOWN", "UNKNOWN"))


def test_parser_lines(name: str, log: Any, plain: PlainLog) -> None:
    """Every counter line of darshan-parser: value, name, mount point and file system type."""
    lines = [line for line in parser_text(name).splitlines() if line and line[0] != "#" and line.count("\t") == 7]
    by_module = Counter(line.partition("\t")[0] for line in lines)
    mounts = sorted_mounts((mount.path, mount.fs_type) for mount in log.mounts)
    compared = 0
    for module in log.modules:
        layout = SPEC.modules[module]
        if layout["kind"] != "fixed" or module == "NULL" or not log.modules[module].length:
            continue
        right = darrow_columns(log[module].raw)
        stored, _ = foretell(plain, module, right)
        there = (line.split("\t") for line in lines if line.startswith(module + "\t"))
        order = [*layout["int_counters"], *layout["float_counters"]]
        extra = {part["name"]: part["field"] for part in layout.get("print_extra", [])}
        for row in range(len(right["id"])):
            key = int(right["id"][row])
            ours = right["name"][row]
            file = shown(log.names[key]) if key in log.names else layout.get("missing_name", "UNKNOWN")
            assert ours == (file if key in log.names else None)
            assert (right["mount"][row], right["fs_type"][row]) == (
                mount_of(file, mounts) if key in log.names else (None, None)
            )
            place = prefix_mount(file, mounts)
            if module == "DFS":
                place = (f"{right['pool_uuid'][row]}:{right['cont_uuid'][row]}", "N/A")
            elif module == "DAOS":
                file = f"{right['oid_hi'][row]}.{right['oid_lo'][row]}"
                place = (f"{right['pool_uuid'][row]}:{right['cont_uuid'][row]}", "N/A")
            for counter in [*order, *extra]:
                value = stored[extra.get(counter, counter)][row]
                printed = f"{value:f}" if isinstance(value, np.floating) else str(int(value))
                line = [module, str(int(right["rank"][row])), str(key), counter, printed, file, *place]
                assert next(there) == line
                compared += 1
        assert next(there, None) is None
        assert by_module.pop(module, 0) == len(right["id"]) * len([*order, *extra])
    assert compared >= 20 * bool(set(log.modules) & {"POSIX", "STDIO", "MPI-IO"})


def test_trace_text(name: str, log: Any) -> None:
    """Every segment that darshan-dxt-parser prints."""
    file = GOLDEN / name / "tools" / "main.dxt-parser-none.txt.gz"
    text = gzip.decompress(file.read_bytes()).decode()
    for module in ("DXT_POSIX", "DXT_MPIIO"):
        lines = [line.split() for line in text.splitlines() if line.startswith(module.replace("DXT_", " X_"))]
        if module not in log.modules:
            assert not lines
            continue
        ours = darrow_columns(log[module].raw)
        assert len(lines) == len(ours["id"]) > 0
        threads = darrow_columns(log[module], ("thread_id",))["thread_id"]
        for row, line in enumerate(lines):
            start, end = ours["start"][row], ours["end"][row]
            numbers_here = [str(int(ours[key][row])) for key in ("offset", "length")]
            times = [f"{start:.4f}", f"{end:.4f}"]
            key = [str(int(ours["rank"][row])), ours["op"][row], str(int(ours["segment"][row]))]
            assert line[1:8] == [*key, *numbers_here, *times], (module, row)
            assert line[8] == ("N/A" if threads[row] is None else str(threads[row])), (module, row)
