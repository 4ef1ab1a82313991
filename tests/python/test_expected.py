"""Every value of our own logs against what an independent decoder reads: header, job, mounts, names, records, nulls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import darrow
import numpy as np
import pytest
from corpus import (
    DATA,
    LOGS,
    NO_LOGS,
    SPEC,
    Columns,
    Expected,
    Values,
    darrow_columns,
    differences,
    expectations,
    expected_columns,
    expected_dxt_records,
    few,
    is_utf8,
    load,
    mount_of,
    raw,
    same,
    shown,
    sorted_mounts,
    text,
)
from plain import dxt_records, perf_header, read_plain, records

# Texts that the decoder of the expectations splits like Darshan's tools, at blanks. Here is what the bytes say: a line
# is a type, a TAB and a path. A line break inside a path or command line cannot be told from the end of the line.
EXE_ODD = "/scratch/project/bin/odd exe tab\there new"
MOUNTS_ODD = {
    "exe-odd": [
        ("/fake <TRUNCATED>", "line  quote\"' üñí back\\slash ext4"),
        ("/", "ext4"),
        ("/scratch", "lustre"),
        ("/home", "nfs4"),
        ("/apps", "nfs"),
    ],
    "mounts-odd": [
        ("/", "ext4"),
        ("/mnt/with space", "xfs"),
        ("/mnt/tab\there", "xfs"),
        ("/mnt/new", "xfs"),  # the rest of it, "line", is a malformed line
        ("/mnt/back\\slash", "xfs"),
        ("/mnt/üñí", "fuse.sshfs"),
        ("/mnt/\udcff\udcfe", "xfs"),
        ("/dup", "autofs"),
        ("/dup", "nfs4"),
        ("/scratch", "a_very_long_file_system_type_name_over_32_chars"),
    ],
}

# Heat maps that differ by one bin: the expectations repair them as Darshan's reader should, tables give them as stored.
AS_STORED = {"heatmap_le", "heatmap_be"}

# Parts of an opening record that tell nothing of the job.
OPENING = {"id", "rank", "magic", "_pad"}


def cases() -> Iterator[Any]:
    """Every log with an expectation, those of the repository first."""
    for folder in (DATA, LOGS / "small", LOGS / "synthetic"):
        known = expectations(folder)
        if not known:
            yield pytest.param(None, id=folder.name, marks=pytest.mark.skip(reason=NO_LOGS))
        for name, expected in known.items():
            if expected.readable:
                yield pytest.param(expected, id=f"{folder.name}/{name}")


@pytest.fixture(scope="module", params=cases())
def expected(request: pytest.FixtureRequest) -> Expected:
    return request.param


@pytest.fixture(scope="module")
def log(expected: Expected) -> Any:
    return darrow.open(expected.path)


def mounts_of(expected: Expected) -> list[tuple[str, str]]:
    """Mounts in the order of the tools."""
    if expected.name in MOUNTS_ODD:
        return sorted_mounts(MOUNTS_ODD[expected.name])
    return [(text(path), text(kind)) for path, kind in expected.entry["mounts"]]


def stored(expected: Expected, module: str) -> Columns:
    """Records of a module with the values that lie in the file."""
    if expected.name in AS_STORED and module == "HEATMAP":
        return records(read_plain(expected.path), module)
    return expected_columns(module, expected.entry["modules"][module]["records"])


def nulls(module: str, version: int, name: str, values: Values) -> list[Any]:
    """A column with None where a table has null: the version lacks it, or a stored −1 says "not recorded"."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    if name in SPEC.lacking(module, version):
        return [None] * len(plain)
    if name == "components":
        return [[component_nulls(part) for part in row] for row in plain]
    if (module, name) not in SPEC.minus_one_is_null:
        return plain
    missing = (-1, 0xFFFFFFFFFFFFFFFF)  # integers stand by their 64 bits
    return [None if value in missing else value for value in plain]


def component_nulls(part: dict[str, Any]) -> dict[str, Any]:
    """The same inside a component of a Lustre layout."""
    out = {}
    for name, value in part.items():
        counter = {"osts": "ost_ids", "pool": "pool_name"}.get(name, f"LUSTRE_COMP_{name.upper()}")
        nullable = ("LUSTRE", counter) in SPEC.minus_one_is_null
        if isinstance(value, list):
            out[name] = [None if nullable and item == -1 else item for item in value]
        else:
            out[name] = None if nullable and value == -1 else value
    return out


def test_header(expected: Expected, log: Any) -> None:
    entry = expected.entry
    assert log.format_version == entry["format"]
    assert log.byte_order == entry["byte_order"]
    assert log.compression == entry["compression"]


def test_job(expected: Expected, log: Any) -> None:
    job = expected.entry["job"]
    for name, value in job.items():
        if name != "metadata":
            assert getattr(log.job, name) == value, name
    assert log.job.exe == (EXE_ODD if expected.name == "exe-odd" else text(expected.entry["exe"]))
    lines = [line.partition("=") for line in text(job["metadata"]).split("\n")]
    assert dict(log.job.metadata) == {key: value for key, sign, value in lines if sign}

    start = job["start_time_sec"] + job["start_time_nsec"] / 1e9
    end = job["end_time_sec"] + job["end_time_nsec"] / 1e9
    if job["end_time_sec"] == 0:
        assert log.job.run_time is None
    elif expected.entry["format"] == "3.41":
        assert same(log.job.run_time, end - start)
    else:
        assert same(log.job.run_time, float(job["end_time_sec"] - job["start_time_sec"] + 1))


def test_mounts(expected: Expected, log: Any) -> None:
    mounts = [(mount.path, mount.fs_type) for mount in log.mounts]
    assert sorted_mounts(mounts) == mounts_of(expected)
    if expected.name in MOUNTS_ODD:
        assert mounts == MOUNTS_ODD[expected.name]
        assert any(problem.kind == "mount_malformed" for problem in log.problems) == (expected.name == "mounts-odd")
    else:
        lines = [line.split(b"\t", 1) for line in read_plain(expected.path).mount_lines]
        assert [(raw(path), raw(kind)) for path, kind in mounts] == [(path, kind) for kind, path in lines]


def test_names(expected: Expected, log: Any) -> None:
    names = [(int(key), text(value)) for key, value in expected.entry["names"].items()]
    assert list(log.names.items()) == names


def test_modules(expected: Expected, log: Any) -> None:
    entry = expected.entry
    assert set(log.modules) == set(entry["modules"]) | set(entry["partial"])
    assert {name for name, module in log.modules.items() if module.partial} == set(entry["partial"])
    header = read_plain(expected.path).modules
    for name, module in log.modules.items():
        there = header[name]
        assert (module.id, module.name, module.version) == (there.id, name, there.version)
        assert (module.offset, module.length) == (there.offset, there.length)
        if name in entry["modules"]:
            assert name in log
            assert module.version == entry["modules"][name]["version"]
            assert module.status == "readable"


def test_records(expected: Expected, log: Any) -> None:
    """Stored values, bit for bit."""
    for module in expected.entry["modules"]:
        theirs = stored(expected, module)
        if "thread_id" in SPEC.lacking(module, expected.entry["modules"][module]["version"]):
            del theirs["thread_id"]  # there is no stored value
        found = list(differences(darrow_columns(log[module].raw), theirs))
        assert not found, f"{module}\n{few(found)}"
        assert len(log[module]) == len(theirs["id"])


def test_trace_records(expected: Expected, log: Any) -> None:
    """DXT records, with those that have no segment."""
    for module, part in expected.entry["modules"].items():
        if module.startswith("DXT_"):
            theirs = expected_dxt_records(part["records"])
            found = list(differences(darrow_columns(log[module].records), theirs))
            assert not found, f"{module}\n{few(found)}"


def test_nulls(expected: Expected, log: Any) -> None:
    """Null exactly where nothing was recorded, the stored value elsewhere."""
    for module, part in expected.entry["modules"].items():
        ours = darrow_columns(log[module])
        theirs = {
            name: nulls(module, part["version"], name, values) for name, values in stored(expected, module).items()
        }
        signed = {
            name: (column.view("i8").tolist() if isinstance(column, np.ndarray) else column)
            for name, column in ours.items()
        }
        for name, values in theirs.items():
            wrong = [
                f"{name}[{row}]: ours {a!r}, theirs {b!r}"
                for row, (a, b) in enumerate(zip(signed[name], map(_signed, values), strict=True))
                if not (a == b or (a is not None and b is not None and _signed(a) == b))
            ]
            assert not wrong, f"{module}\n{few(wrong)}"


def _signed(value: Any) -> Any:
    """A number as the signed integer of its 64 bits, NaN in one form; other values as they are."""
    if isinstance(value, float):
        return int(np.array([np.nan if value != value else value]).view("i8")[0])
    return value - (1 << 64) if isinstance(value, int) and value >= 1 << 63 else value


def test_text_columns(expected: Expected, log: Any) -> None:
    """Name, mount point and file system type of each record."""
    names = {int(key): text(value) for key, value in expected.entry["names"].items()}
    mounts = [(mount.path, mount.fs_type) for mount in log.mounts]
    places = {key: mount_of(name, mounts) for key, name in names.items()}
    for module in expected.entry["modules"]:
        ours = darrow_columns(log[module], ("id", "name", "mount", "fs_type"))
        for row, key in enumerate(np.asarray(ours["id"]).tolist()):
            name = names.get(key)
            place = places.get(key, (None, None))
            there = tuple(value if value is None else shown(value) for value in (name, *place))
            assert (ours["name"][row], ours["mount"][row], ours["fs_type"][row]) == there, (module, row)
        if module == "HEATMAP":
            layers = darrow_columns(log[module], ("layer",))["layer"]
            for key, layer in zip(np.asarray(ours["id"]).tolist(), layers, strict=True):
                if names.get(key, "").startswith("heatmap:"):
                    assert layer == names[key].removeprefix("heatmap:")


def test_opening_record(expected: Expected, log: Any) -> None:
    """The record that opens the region of APMPI and APXC."""
    for module, part in expected.entry["modules"].items():
        heads = [row["v"] for row in part["records"] if row.get("header")]
        for head in heads:
            ours = dict(log[module].header)
            for name, value in head.items():
                if name not in OPENING:
                    assert same(ours[name], value), (module, name)


def test_problems(expected: Expected, log: Any) -> None:
    """Intact logs have no problems but those that can be told from the expectations."""
    found = {(problem.severity, problem.kind, problem.region): problem.count for problem in log.verify()}
    assert found == known_problems(expected)


def known_problems(expected: Expected) -> dict[tuple[str, str, str], int | None]:
    """Severity, kind and region of each problem of an intact log, and how many of it there are."""
    entry, job, plain = expected.entry, expected.entry["job"], read_plain(expected.path)
    known: dict[tuple[str, str, str], int | None] = {}
    for module in entry["partial"]:
        known["note", "module_partial", module] = None
    if job["end_time_sec"] == 0:
        known["note", "job_unfinished", "job"] = None
    elif (job["end_time_sec"], job["end_time_nsec"]) < (job["start_time_sec"], job["start_time_nsec"]):
        known["warning", "time_reversed", "job"] = None
    if entry["format"] == "3.20":
        known["warning", "format_counters_suspect", "header"] = None
    if not is_utf8(plain.exe):
        known["note", "text_not_utf8", "job"] = 1
    if odd := sum(not is_utf8(name) for name in plain.names.values()):
        known["note", "text_not_utf8", "names"] = odd
    for module, part in entry["modules"].items():
        plain.seen.clear()
        table = records(plain, module)
        known |= {("note", kind, module): count for kind, count in plain.seen.items() if count}
        if (module, part["version"]) in CONVERTED:
            known["note", "value_upconverted", module] = len(part["records"])
        if module == "HEATMAP" and (odd := uneven(table)):
            known["warning", "heatmap_uneven", module] = odd
    repeated = read_plain(expected.path).seen
    return known | {("note", kind, "names"): count for kind, count in repeated.items()}


# Versions of which values are not just copied or left out.
CONVERTED = {("PNETCDF_FILE", 1), ("PNETCDF_FILE", 2), ("LUSTRE", 1), ("DXT_MPIIO", 1)}


def uneven(table: Columns) -> int:
    """Heat maps that differ in bins or width from the first of their layer."""
    first: dict[int, tuple[int, float]] = {}
    shapes = zip(table["id"], table["nbins"], table["bin_width"], strict=True)
    return sum(first.setdefault(int(key), (bins, width)) != (bins, width) for key, bins, width in shapes)


# Logs without a line of expectations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [DATA, LOGS / "small"], ids=lambda folder: folder.name)
def test_odd_mounts(folder: Any) -> None:
    """The decoder of the expectations gives up on these mount lines; the records are there all the same."""
    path = folder / "mounts-odd.darshan"
    if not path.exists():
        pytest.skip(NO_LOGS)
    log = darrow.open(path)
    mounts = [(mount.path, mount.fs_type) for mount in log.mounts]
    assert mounts == MOUNTS_ODD["mounts-odd"]
    assert any(problem.kind == "mount_malformed" for problem in log.problems)
    there = read_plain(path)
    assert {key: raw(name) for key, name in log.names.items()} == there.names
    assert set(log.modules) == set(there.modules)
    for module in there.modules:
        assert not list(differences(darrow_columns(log[module].raw), records(there, module)))


@pytest.mark.parametrize("folder", [DATA, LOGS / "small"], ids=lambda folder: folder.name)
def test_no_header(folder: Any) -> None:
    """A log whose header was never written is an error that says so."""
    path = folder / "incomplete-no-header.darshan"
    if not path.exists():
        pytest.skip(NO_LOGS)
    with pytest.raises(darrow.DarrowError) as caught:
        darrow.open(path)
    assert "incomplete-no-header" in str(caught.value)


@pytest.mark.parametrize("name", [pytest.param("large", marks=pytest.mark.slow), "fleet"])
def test_against_the_bytes(name: str) -> None:
    """Logs that have no expectations: every stored value as the plain reader finds it."""
    paths = sorted((LOGS / name).rglob("*.darshan"))
    if not paths:
        pytest.skip(NO_LOGS)
    for path in paths:
        log, there = darrow.open(path), read_plain(path)
        assert {key: raw(value) for key, value in log.names.items()} == there.names
        assert set(log.modules) == set(there.modules)
        for module, entry in there.modules.items():
            if not entry.length:
                continue
            theirs = records(there, module)
            if "thread_id" in SPEC.lacking(module, entry.version):
                del theirs["thread_id"]
            found = list(differences(darrow_columns(log[module].raw, theirs), theirs))
            if module.startswith("DXT_"):
                found += differences(darrow_columns(log[module].records), dxt_records(there, module))
            if SPEC.modules[module]["kind"] == "header+perf":
                head = {name: value for name, value in perf_header(there, module).items() if name not in OPENING}
                assert dict(log[module].header).items() >= head.items()
            assert not found, f"{path.name} {module}\n{few(found)}"


def test_specification_is_current() -> None:
    """The copies of the record layouts in the repository are those of the corpus."""
    for name in ("modules", "counters"):
        source = LOGS.parent / "spec" / f"{name}.json"
        if not source.exists():
            pytest.skip(NO_LOGS)
        assert load(DATA / f"{name}.json.gz") == load(source)
