"""Side by side with PyDarshan 3.5.0: every log that it can read, all values, by way of its data frames.

What it cannot read, and what it shows wrongly, is foretold: by a property of the log below, or by a rule of
`pitfalls.py`. PyDarshan runs in child processes, since its library may abort; a crash concerns one log only.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import numpy as np
import pytest
from corpus import (
    DATA,
    LOGS,
    NO_LOGS,
    NO_UPSTREAM,
    SPEC,
    UPSTREAM,
    Columns,
    cells,
    darrow_columns,
    differences,
    expectations,
    few,
    is_utf8,
    same,
    sorted_mounts,
)
from peer import answers
from pitfalls import RULES, Rule, blank_mounts, foretell, partial_bits, rows_kept, slot_bits, slot_id
from plain import PlainLog, read_plain, records

pytestmark = [
    pytest.mark.compat,
    pytest.mark.skipif(
        importlib.util.find_spec("darshan") is None, reason="needs PyDarshan (pip install darshan==3.5.0)"
    ),
]

READER = Path(__file__).with_name("pydarshan_reader.py")
FOLDERS = {"data": DATA, "upstream": UPSTREAM / "logs"} | {
    name: LOGS / name for name in ("small", "synthetic", "large")
}
BATCH = 40  # logs of one child process

# What it cannot read --------------------------------------------------------------------------------------------------


def _uneven(log: PlainLog) -> bool:
    if "HEATMAP" not in log.modules:
        return False
    table = records(log, "HEATMAP")
    first: dict[int, tuple[int, float]] = {}
    shapes = zip(table["id"], table["nbins"], table["bin_width"], strict=True)
    return any(first.setdefault(int(key), (int(bins), float(width))) != (bins, width) for key, bins, width in shapes)


CANNOT: dict[str, Callable[[PlainLog], bool]] = {
    "the wheel has no bzip2": lambda log: log.compression == "bzip2",
    "a name that is not UTF-8 is an error": lambda log: not all(map(is_utf8, log.names.values())),
    "a command line that is not UTF-8 is an error": lambda log: not is_utf8(log.exe),
    "a mount point that is not UTF-8 is an error": lambda log: not all(map(is_utf8, log.mount_lines)),
    "a metadata line without = is an error (B41)": lambda log: any(
        b"=" not in line for line in log.metadata.removesuffix(b"\n").split(b"\n") if log.metadata
    ),
    "MDHIM is not among its modules": lambda log: "MDHIM" in log.modules,
    "heat maps of different lengths are an error (B43)": _uneven,
}
"""Properties of a log that make PyDarshan give up on all of it."""

UNREADABLE = {("DXT_POSIX", 2): "newer than release 3.5.0", ("DXT_MPIIO", 3): "newer than release 3.5.0"}
"""Versions of modules that it leaves out."""

NAMELESS = {"APMPI", "APXC", "HEATMAP"}
"""Modules of which it shows records without a name; it drops them from the others (B42)."""


# Asking PyDarshan -----------------------------------------------------------------------------------------------------


def paths(folder: str) -> list[Path]:
    if folder == "data":
        return [expected.path for expected in expectations(DATA).values() if expected.name != "incomplete-no-header"]
    found = sorted(FOLDERS[folder].glob("*.darshan"))
    return [path for path in found if path.stem != "incomplete-no-header"]


@cache
def groups(folder: str) -> list[list[Path]]:
    """Logs by child process. Those with opening records are read alone: PyDarshan knows one per process (B22)."""
    alone, together = [], []
    for path in paths(folder):
        (alone if {"APMPI", "APXC"} & set(read_plain(path).modules) else together).append(path)
    return [together[i : i + BATCH] for i in range(0, len(together), BATCH)] + [[path] for path in alone]


@cache
def ask(folder: str, number: int) -> dict[Path, Any]:
    """What PyDarshan says of each log of a group: a dictionary, or text if it fails."""
    return answers(READER, groups(folder)[number])


def cases(*folders: str) -> Iterator[Any]:
    for folder in folders:
        if not FOLDERS[folder].exists():
            yield pytest.param("", 0, None, id=folder, marks=pytest.mark.skip(reason=NO_UPSTREAM))
            continue
        for number, group in enumerate(groups(folder)):
            for path in group:
                slow = [pytest.mark.slow] if folder == "large" else []
                yield pytest.param(folder, number, path, id=f"{folder}/{path.stem}", marks=slow)


# Its answers as columns -----------------------------------------------------------------------------------------------


def frame_columns(module: str, frames: dict[str, Any]) -> Columns:
    """The data frames of the records of a module."""
    if module == "LUSTRE":
        table = frames["components"]
        return {name: [*map(_list, values)] if values.dtype == object else values for name, values in table.items()}
    layout, columns = SPEC.modules[module], {}
    for key, listed in (("counters", layout["int_counters"]), ("fcounters", layout["float_counters"])):
        for name, values in frames[key].items():  # the counters of BG/Q have numbers only
            columns[listed[int(name)] if name.isdigit() else name] = values
    if "file_rec_id" in frames:
        columns["file_rec_id"] = frames["file_rec_id"]
    return columns


def _list(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def opening_columns(module: str, rows: list[dict[str, Any]]) -> Columns:
    """The records of APMPI and APXC behind the first one."""
    columns: Columns = {}
    for perf in SPEC.modules[module]["perf_fields"]:
        name = {"node_name": "node"}.get(perf["name"], perf["name"])
        values = [row[perf["name"]] if perf["name"] in row else _counters(row)[perf["name"]] for row in rows[1:]]
        columns[name] = values if perf["type"] == "char" else np.array(values)
    return columns


def _counters(row: dict[str, Any]) -> dict[str, Any]:
    return row["all_counters"] if "all_counters" in row else row["counters"]


def trace_columns(rows: list[dict[str, Any]]) -> Columns:
    """The segments of a DXT module, one after the other."""
    parts: dict[str, list[Any]] = {key: [] for key in ("id", "rank", "host", "op", "segment")}
    tables = []
    for row in rows:
        for op in ("write", "read"):
            count = row[f"{op}_count"]
            for key, value in (("id", row["id"]), ("rank", row["rank"]), ("host", row["hostname"]), ("op", op)):
                parts[key] += [value] * count
            parts["segment"] += range(count)
            if count:
                tables.append(row[f"{op}_segments"])
    columns: Columns = dict(parts)
    columns |= {key: np.array(parts[key], kind) for key, kind in (("id", "u8"), ("rank", "i8"), ("segment", "i8"))}
    for ours, theirs in (("offset", "offset"), ("length", "length"), ("start", "start_time"), ("end", "end_time")):
        columns[ours] = np.concatenate([table[theirs] for table in tables]) if tables else np.empty(0)
    return columns


# Darrow in its form ---------------------------------------------------------------------------------------------------


def named(log: Any, module: str, columns: Columns) -> np.ndarray:
    """Which records PyDarshan keeps: those that have a name (B42)."""
    if module in NAMELESS:
        return np.ones(len(columns["id"]), bool)
    return np.array([int(key) in log.names for key in columns["id"]], bool)


def chosen(columns: Columns, rows: np.ndarray) -> Columns:
    """Some rows of columns."""
    picked = np.flatnonzero(rows)
    return {
        name: values[picked] if isinstance(values, np.ndarray) else [values[row] for row in picked]
        for name, values in columns.items()
    }


def component_columns(columns: Columns) -> Columns:
    """Lustre layouts, a row a component."""
    flat = [
        (key, rank, part)
        for key, rank, parts in zip(columns["id"], columns["rank"], columns["components"], strict=True)
        for part in parts
    ]
    out: Columns = {"id": np.array([key for key, _, _ in flat]), "rank": np.array([rank for _, rank, _ in flat])}
    for counter in SPEC.modules["LUSTRE"]["component_counters"]:
        own = counter.removeprefix("LUSTRE_COMP_").lower()
        out[counter] = np.array([part[own] for _, _, part in flat])
    out["LUSTRE_POOL_NAME"] = [part["pool"] for _, _, part in flat]
    out["LUSTRE_OST_IDS"] = [part["osts"] for _, _, part in flat]
    return out


def heatmap_groups(columns: Columns) -> dict[Any, Columns]:
    """Heat maps by layer, as PyDarshan names them: the last record of a rank counts, its first place stays."""
    known = {key: name.partition(":")[2] for name, key in SPEC.modules["HEATMAP"]["known_ids"].items()}
    out: dict[Any, Any] = {}
    for row, key in enumerate(columns["id"].tolist()):
        group = out.setdefault(known.get(key, key), {"read": {}, "write": {}})
        group["bin_width"], group["nbins"] = columns["bin_width"][row].item(), columns["nbins"][row].item()
        for op in ("read", "write"):
            group[op][columns["rank"][row].item()] = columns[op][row]
    return out


# The tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "number", "path"),
    [*cases(*(("small", "synthetic", "large") if LOGS.exists() else ("data",)), "upstream")],
)
def test_values(folder: str, number: int, path: Path) -> None:
    """Number and values of all records, job, mounts, names and modules."""
    plain, answer = read_plain(path), ask(folder, number)[path]
    reasons = [reason for reason, holds in CANNOT.items() if holds(plain)]
    if isinstance(answer, str):
        assert reasons, f"PyDarshan cannot read it: {answer}"
        return
    assert not reasons, "PyDarshan can read it"
    log = darrow.open(path)
    check_job(log, plain, answer)
    check_modules(log, plain, answer)
    compared = 0
    for module, entry in log.modules.items():
        if (module, entry.version) not in UNREADABLE and entry.length and module != "HEATMAP":
            compared += check_records(log, plain, module, answer["records"].get(module))
    assert compared or not set(answer["records"]) - {"DXT_POSIX", "DXT_MPIIO"}
    there = heatmap_groups(darrow_columns(log["HEATMAP"].raw)) if "HEATMAP" in log.modules else {}
    assert set(answer["heatmaps"]) == set(there)
    for layer, ours in there.items():
        theirs = answer["heatmaps"][layer]
        assert (theirs["nbins"], theirs["bin_width"]) == (ours["nbins"], ours["bin_width"])
        for op in ("read", "write"):
            assert dict(zip(theirs["ranks"], theirs[op], strict=True)) == ours[op], (layer, op)


def check_records(log: Any, plain: PlainLog, module: str, rows: Any) -> int:
    """Compares the records of a module; how many values."""
    kind = SPEC.modules[module]["kind"]
    right = darrow_columns(log[module].raw)
    keep = named(log, module, right)
    if rows is None:
        assert not keep.any() or module in ("NULL", "BG/Q"), f"{module}: PyDarshan has no records"
        return 0
    if kind == "fixed":
        theirs = frame_columns(module, rows)
        ours, _ = foretell(plain, module, right)
        if both := rows_kept(plain, module):  # A6
            theirs, keep = chosen(theirs, both.theirs), keep & both.ours
        ours = chosen(ours, keep)
    elif kind == "lustre":
        theirs, ours = frame_columns(module, rows), component_columns(chosen(right, keep))
    elif kind == "dxt":
        theirs, ours = trace_columns(rows), chosen(right, keep)
    else:
        theirs, ours = opening_columns(module, rows), right
        for name, value in rows[0].items():
            if name not in ("id", "rank", "magic", "memory_mode", "cluster_mode"):
                assert same(log[module].header[name], value)
    found = list(differences(ours, theirs))
    assert not found, f"{module}\n{few(found)}"
    return cells(theirs)


def check_job(log: Any, plain: PlainLog, answer: dict[str, Any]) -> None:
    for key, value in answer["job"].items():
        match key:
            case "log_ver":
                assert value == log.format_version
            case "run_time" if log.job.end_time_sec == 0:
                assert log.job.run_time is None  # A23: its own is the negative start time
                assert value < 0
            case "run_time":
                assert same(log.job.run_time, value)
            case "metadata":
                assert dict(log.job.metadata) == value
            case _:
                assert getattr(log.job, key) == value, key
    assert answer["exe"] == (log.job.exe if plain.mount_lines else "")  # A10
    ours = [(mount.path, mount.fs_type) for mount in log.mounts]
    assert answer["mounts"] in (sorted_mounts(ours), sorted_mounts(blank_mounts(plain)))  # A11
    assert answer["names"] == list(log.names.items())


def check_modules(log: Any, plain: PlainLog, answer: dict[str, Any]) -> None:
    seen = {slot_id(plain, slot) for slot in partial_bits(plain, slot_bits(plain))}  # A3
    assert set(answer["modules"]) == {name for name, module in log.modules.items() if module.length}
    for name, part in answer["modules"].items():
        ours = log.modules[name]
        assert (part["len"], part["ver"], part["idx"]) == (ours.length, ours.version, ours.id), name
        assert part["partial_flag"] == (ours.id in seen), name


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_is_needed(rule: Rule) -> None:
    """A rule makes a difference for each version and byte order that it concerns and of which there is a log."""
    used: Counter[tuple[int, str]] = Counter()
    for path, plain, answer in generated():
        entry = plain.modules.get(rule.module)
        order = {"<": "little", ">": "big"}[plain.order]
        if entry and entry.length and rule.concerns(rule.module, entry.version, order) and isinstance(answer, dict):
            log = darrow.open(path)
            right = darrow_columns(log[rule.module].raw)
            theirs, keep = frame_columns(rule.module, answer["records"][rule.module]), named(log, rule.module, right)
            if both := rows_kept(plain, rule.module):
                theirs, keep = chosen(theirs, both.theirs), keep & both.ours
            found = differences(chosen(right, keep), theirs)
            used[entry.version, order] += sum(difference.column in rule.columns for difference in found)
    assert used
    assert all(used.values()), used


def generated() -> Iterator[tuple[Path, PlainLog, Any]]:
    """The logs with all versions of all modules, and what PyDarshan says of them."""
    folder = "synthetic" if FOLDERS["synthetic"].exists() else "data"
    for number, group in enumerate(groups(folder)):
        for path in group:
            yield path, read_plain(path), ask(folder, number)[path]


def test_it_keeps_records_that_are_to_be_dropped() -> None:
    """A6 is needed: in a big-endian log PyDarshan shows POSIX records of version 1 that hold counts of standard I/O."""
    kept = 0
    for _path, plain, answer in generated():
        both = rows_kept(plain, "POSIX") if "POSIX" in plain.modules else None
        if both and isinstance(answer, dict):
            kept += int((~both.theirs).sum() + (~both.ours).sum())
    assert kept


def test_a_reason_is_needed() -> None:
    """Each reason for which PyDarshan cannot read a log holds for one of the logs."""
    if not LOGS.exists():
        pytest.skip(NO_LOGS)
    logs = [read_plain(path) for folder in ("small", "synthetic") for path in paths(folder)]
    for reason, holds in CANNOT.items():
        assert any(map(holds, logs)), reason
