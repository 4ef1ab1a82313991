"""Records as packed C structs: the bytes that lie in logs, and the values of the independent decoder."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import duckdb
import numpy as np
import pytest
from copies import BY_HAND, FOLDERS, Copy, exact, number_of, paddings, paths
from corpus import DATA, LOGS, NO_LOGS, SPEC, Values, bits, darrow_columns, few
from logwriter import Log
from plain import PlainLog, read_plain, records
from test_expected import nulls, stored

HEADER_BYTES = {"APMPI": 48, "APXC": 72}
SIZES = {"APMPI": 5232, "APXC": 3184}
"""Of the records behind a header record."""

INTACT = [folder for folder in FOLDERS if folder not in ("malformed", "fleet-bad")]
MANY = 2000  # records of a module from which on only Arrow is tried


@cache
def _logs(folder: str) -> list[tuple[Path, PlainLog, Log]]:
    """Intact logs: as the plain reader sees them, and taken apart by another program."""
    found = [path for path in paths(folder) if path.stem not in BY_HAND]
    if not found:
        pytest.skip(NO_LOGS)
    return [(path, read_plain(path), Log.parse(path.read_bytes())) for path in found]


def record_size(module: str, version: int) -> int | None:
    """Bytes of a record, if all records have as many."""
    if module in SIZES:
        return SIZES[module]
    return SPEC.modules[module]["versions"][str(version)].get("record_size")


@cache
def connection() -> Any:
    """To DuckDB; one, for it takes long to open."""
    return duckdb.connect()


def forms(table: darrow.Records, number: int) -> dict[str, Any]:
    """A table and what other libraries hold of it; of large tables and of most logs not in all forms."""
    out: dict[str, Any] = {"records": table, "arrow": table.to_arrow()}
    if len(table) <= MANY:
        others = {
            "raw": lambda: table.raw,
            "polars": table.to_polars,
            "pandas": table.to_pandas,
            "dicts": table.to_pylist,
            "duckdb": lambda: connection().from_arrow(out["arrow"]),
        }
        names = list(others)
        for name in names if number % 8 == 0 else [names[number // 8 % len(names)]]:
            out[name] = others[name]()
    return out


@pytest.mark.parametrize("folder", INTACT)
def test_bytes_of_logs(folder: str) -> None:
    """Records of a fixed size, current version and little-endian log are packed to the very bytes of the region."""
    seen: Counter[str] = Counter()
    for path, plain, parts in _logs(folder):
        if parts.order != "<":
            continue
        log = darrow.open(path)
        for module in log:
            version, region = parts.modules[module]
            size = record_size(module, version)
            if size is None or version != SPEC.modules[module]["current_version"]:
                continue
            region = region[HEADER_BYTES.get(module, 0) :]
            assert region == log.modules[module].bytes()[HEADER_BYTES.get(module, 0) :]
            for form, table in forms(log[module], number_of(path.stem)).items():
                assert darrow.to_records(table, module) == region, (path, module, form)
                seen[form] += 1
            arrow = log[module].to_arrow()
            for row in {0, len(arrow) // 2, len(arrow) - 1} if len(arrow) else ():
                one = darrow.to_records(arrow.slice(row, 1), module)
                assert one == region[row * size : (row + 1) * size], (path, module, row)
                seen["single"] += 1
            assert plain.modules[module].version == version
    assert seen["records"] or folder in ("data", "fleet-bad"), seen


def test_every_module_is_there() -> None:
    """There is a little-endian log with records of the current version of each module of fixed size."""
    if not LOGS.exists():
        pytest.skip(NO_LOGS)
    seen: Counter[str] = Counter()
    for folder in ("small", "synthetic", "upstream"):
        for _path, _plain, parts in _logs(folder):
            if parts.order == "<":
                for module, (version, _) in parts.modules.items():
                    if record_size(module, version) and version == SPEC.modules[module]["current_version"]:
                        seen[module] += 1
    fixed = {name for name, layout in SPEC.modules.items() if layout["kind"] == "fixed"}
    assert set(seen) == (fixed | set(SIZES)) - {"NULL"}


# Variable sizes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", INTACT)
def test_bytes_of_variable_size(folder: str) -> None:
    """So are the others, where regions hold nothing but values: nothing behind texts, no unused parts of layouts."""
    seen: Counter[str] = Counter()
    for path, plain, parts in _logs(folder):
        log = darrow.open(path)
        for module in log:
            version, region = parts.modules[module]
            kind = SPEC.modules[module]["kind"]
            if parts.order != "<" or kind not in ("dxt", "heatmap", "lustre", "mdhim") or (module, version) in CHANGED:
                continue
            if kind == "heatmap":
                region = without_pointers(region)
            elif any(any(rest) for name, rest in paddings(parts) if name == module):
                continue
            if not len(log[module]) or (kind == "dxt" and not all_segments(log[module])):
                continue
            if kind == "lustre" and (records(plain, module), plain.seen["layout_cut"])[1]:
                continue
            assert darrow.to_records(log[module].to_arrow(), module, version) == region, (path, module)
            seen[module] += 1
    assert set(seen) >= VARIABLE.get(folder, set())


VARIABLE = {
    "small": {"HEATMAP", "LUSTRE", "DXT_POSIX", "DXT_MPIIO"},
    "synthetic": {"HEATMAP", "DXT_POSIX", "MDHIM"},
    "upstream": {"HEATMAP", "LUSTRE", "DXT_POSIX", "DXT_MPIIO"},
}
"""Modules that must be among those of a folder."""

CHANGED = {("LUSTRE", 1): "facts that tables do not have", ("DXT_MPIIO", 1): "offsets that are not read"}
"""Versions that cannot be written again."""


def all_segments(table: darrow.Records) -> bool:
    """Whether each record has a segment: records without are in no table."""
    counts = table.records.to_arrow()
    return all(w + r for w, r in zip(counts["write_count"].to_pylist(), counts["read_count"].to_pylist(), strict=True))


def without_pointers(region: bytes) -> bytes:
    """Heat maps with zeros where the run time left pointers."""
    out, at = bytearray(region), 0
    while at < len(out):
        out[at + 32 : at + 48] = bytes(16)
        at += 48 + 16 * int.from_bytes(out[at + 24 : at + 32], "little")
    return bytes(out)


# Taking them apart ----------------------------------------------------------------------------------------------------


def signed(values: Values) -> list[Any]:
    """Numbers as the signed integers of their 64 bits; other values as they are."""
    if isinstance(values, np.ndarray):
        return bits(values).view("i8").tolist()
    return [_signed(value) for value in values]


def _signed(value: Any) -> Any:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return int(bits(np.array([value], "f8" if isinstance(value, float) else None)).view("i8")[0])
    return value


@pytest.mark.parametrize("folder", ["data", "synthetic", "small"])
def test_tables_of_bytes(folder: str) -> None:
    """Every version of every module in both byte orders: values and nulls of the independent decoder."""
    seen: Counter[tuple[str, int, str]] = Counter()
    for path, plain, parts in _logs(folder):
        expected, log = Copy(path, "little", "none").expected, darrow.open(path)
        order = {"<": "little", ">": "big"}[parts.order]
        for module in log:
            version, region = parts.modules[module]
            table = darrow.from_records(region, module, version, byte_order=order)
            there = log[module].to_arrow()
            assert table.columns == [name for name in there.column_names if name in table.columns]
            assert set(there.column_names) - set(table.columns) <= {"name", "mount", "fs_type", "layer"}
            assert exact(table.to_arrow()).equals(exact(there.select(table.columns))), (path, module)
            right = stored(expected, module) if expected else records(plain, module)
            ours = darrow_columns(table)
            for name, values in right.items():
                theirs = nulls(module, version, name, values)
                wrong = [
                    f"{name}[{row}]: ours {a!r}, theirs {b!r}"
                    for row, (a, b) in enumerate(zip(signed(ours[name]), signed(theirs), strict=True))
                    if a != b
                ]
                assert not wrong, f"{path} {module}\n{few(wrong)}"
            seen[module, version, order] += 1
    if folder == "synthetic":
        assert {(m, v, o) for m, v, o in seen if o == "big"} >= {
            (name, version, "big")
            for name, layout in SPEC.modules.items()
            if layout["kind"] == "fixed" and name != "NULL"
            for version in map(int, layout["versions"])
        }


def test_there_and_back() -> None:
    """Records of older versions are packed to the same bytes again, unless the version holds what tables do not."""
    seen: Counter[tuple[str, int]] = Counter()
    for path, _plain, parts in _logs("synthetic"):
        for module, (version, region) in parts.modules.items():
            if parts.order == "<" and record_size(module, version) and (module, version) not in DROPPING:
                packed = darrow.to_records(darrow.from_records(region, module, version), module, version)
                assert packed == region, (path, module)
                seen[module, version] += 1
    assert {(module, version) for module, version in seen if version < SPEC.modules[module]["current_version"]} == {
        ("POSIX", 2),
        ("POSIX", 3),
        ("MPI-IO", 1),
        ("MPI-IO", 2),
        ("H5F", 1),
        ("H5F", 2),
        ("H5D", 1),
        ("STDIO", 1),
    }


DROPPING = {
    ("POSIX", 1): "counts of standard I/O",
    ("PNETCDF_FILE", 1): "two kinds of opens",
    ("PNETCDF_FILE", 2): "two kinds of opens",
    ("BG/Q", 1): "an alignment",
}
"""Versions that hold what tables do not."""


# Errors ---------------------------------------------------------------------------------------------------------------

EXAMPLE = DATA / "example.darshan"


@pytest.fixture(scope="module")
def example() -> darrow.Log:
    return darrow.open(EXAMPLE)


def test_parts_of_records(example: darrow.Log) -> None:
    """Bytes that are no whole number of records."""
    data = darrow.to_records(example["POSIX"])
    assert len(data) == 704 * len(example["POSIX"])
    for count in (1, 703, 705, len(data) - 1):
        with pytest.raises(darrow.CorruptLogError, match=f"{count % 704} of 704 bytes of a record left over"):
            darrow.from_records(data[:count], "POSIX")
    for module in ("HEATMAP", "LUSTRE", "DXT_POSIX", "DXT_MPIIO"):
        region = example.modules[module].bytes()
        assert len(darrow.from_records(region, module))
        with pytest.raises(darrow.CorruptLogError):
            darrow.from_records(region[:-8], module)


def test_versions_that_do_not_exist(example: darrow.Log) -> None:
    data = darrow.to_records(example["POSIX"])
    for version in (-1, 5, 9):
        with pytest.raises(darrow.UnsupportedVersionError, match=f"no version {version}: there are 1 to 4"):
            darrow.from_records(data, "POSIX", version)
        with pytest.raises(ValueError, match=f"no version {version}: there are 1 to 4"):
            darrow.to_records(example["POSIX"], version=version)


def test_versions_that_cannot_hold_it(example: darrow.Log) -> None:
    with pytest.raises(ValueError, match="version 3 cannot hold POSIX_FILENOS, which is 0 in row 0"):
        darrow.to_records(example["POSIX"], version=3)


def test_wrong_modules(example: darrow.Log) -> None:
    with pytest.raises(ValueError, match="the table has no column of this module"):
        darrow.to_records(example["POSIX"], "STDIO")
    with pytest.raises(ValueError, match='no module is called "NOPE"'):
        darrow.to_records(example["POSIX"], "NOPE")
    with pytest.raises(ValueError, match='no module is called "NOPE"'):
        darrow.from_records(b"", "NOPE")
    with pytest.raises(TypeError, match="needs the module"):
        darrow.to_records(example["POSIX"].to_arrow())
    with pytest.raises(darrow.CorruptLogError, match="of 248 bytes of a record left over"):
        darrow.from_records(darrow.to_records(example["POSIX"]), "STDIO")


def test_nothing() -> None:
    """No record is no byte, and the other way round, for every module and version."""
    for name, layout in SPEC.modules.items():
        for version in map(int, layout["versions"]):
            table = darrow.from_records(b"", name, version)
            assert len(table) == 0
            if version == layout["current_version"]:
                assert darrow.to_records(table.to_arrow(), name) == b""
