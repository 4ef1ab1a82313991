"""Logs written anew: every log of the corpus, in both byte orders and with each compression.

What is read back is what was there, in every bit; and it is what the independent decoder, the plain reader or the facts
worked out by hand say. The bytes are taken apart without the library.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import darrow
import pytest
from copies import (
    BY_HAND,
    CLOSED,
    COMPRESSIONS,
    FOLDERS,
    JOBLESS,
    KINDS,
    OPAQUE,
    ORDERS,
    TOO_LONG,
    Copy,
    bits_of,
    can_be,
    damaged,
    number_of,
    one_stream,
    paddings,
    paths,
    readable,
    rebuilt,
    same_bits,
)
from corpus import (
    LOGS,
    NO_LOGS,
    SPEC,
    Columns,
    darrow_columns,
    differences,
    expected_dxt_records,
    few,
    raw,
    same,
)
from logwriter import Log, read_header
from malformed_table import Opens
from plain import dxt_records, perf_header
from test_expected import MOUNTS_ODD, stored

SAMPLE = 16
"""One of so many logs is written in every way, the others in one way each …"""

RARE = {"null", "apmpi_apxc__mpi-io-test"}
"""… and so are the only logs of a module."""


def cases() -> Iterator[Any]:
    for folder in FOLDERS:
        if not paths(folder):
            yield pytest.param(None, id=folder, marks=pytest.mark.skip(reason=NO_LOGS))
        for path in paths(folder):
            number = number_of(path.stem)
            kinds = KINDS if number % SAMPLE == 0 or path.stem in RARE else [KINDS[number // SAMPLE % len(KINDS)]]
            for order in dict.fromkeys(order if can_be(path, order) else "little" for order, _ in kinds):
                for compression in dict.fromkeys(compression for _, compression in kinds):
                    yield pytest.param(Copy(path, order, compression), id=f"{folder}/{path.stem}-{order}-{compression}")


@pytest.fixture(scope="module", params=cases())
def copy(request: pytest.FixtureRequest) -> Copy:
    return request.param


# What is read back ----------------------------------------------------------------------------------------------------


def test_tables(copy: Copy) -> None:
    """All tables are equal, nulls and stored values, in every bit."""
    source, log = copy.source, copy.log
    assert {name for name in log if len(log[name])} == {name for name in source if len(source[name])}
    for module in source:
        if module not in log:  # nothing of it could be read, and it is not compressed
            assert not len(source[module])
            continue
        for ours, theirs in (
            (log[module], source[module]),
            (log[module].raw, source[module].raw),
            (log[module].records, source[module].records),
        ):
            assert same_bits(ours.to_arrow(), theirs.to_arrow()), module
        if source[module].header is not None:
            assert list(map(repr, log[module].header.items())) == list(map(repr, source[module].header.items()))


def check_names_mounts_flags(copy: Copy) -> None:
    """Names and mounts in their order, as bytes; partial flags; the bytes of modules that nobody knows."""
    source, log = copy.source, copy.log
    assert list(log.names.items()) == list(source.names.items())
    assert log.mounts == source.mounts
    assert set(log.modules) == set(source.modules)
    lost = damaged(copy.known) if copy.known else set()
    assert {name for name, module in log.modules.items() if module.partial} == lost | {
        name for name, module in source.modules.items() if module.partial
    }
    for module in OPAQUE.get(copy.path.stem, ()):
        ours, theirs = log.modules[module], source.modules[module]
        assert (ours.id, ours.version, ours.status) == (theirs.id, theirs.version, theirs.status)
        if theirs.length:
            assert ours.bytes() == theirs.bytes()


def check_job(copy: Copy) -> None:
    """The job is the same. Before format 3.41 both ends counted: the end is one second later, the run time stays."""
    source, log = copy.source.job, copy.log.job
    for name in ("uid", "jobid", "nprocs", "exe", "start_time_sec", "start_time_nsec", "end_time_nsec"):
        assert getattr(log, name) == getattr(source, name), name
    assert list(log.metadata.items()) == list(source.metadata.items())
    later = not copy.source.format_version.startswith("3.41") and source.end_time_sec != 0
    assert log.end_time_sec == source.end_time_sec + later
    assert log.run_time is source.run_time is None or same(log.run_time, source.run_time)


def test_all_but_tables(copy: Copy) -> None:
    """Job, names, mounts, flags are equal, and a copy has no damage, whatever its source has."""
    check_job(copy)
    check_names_mounts_flags(copy)
    errors = [problem.kind for problem in copy.log.verify() if problem.severity == "error"]
    assert set(errors) <= ({"module_version"} if copy.path.stem in OPAQUE else set())
    assert copy.log.format_version == "3.41"
    assert (copy.log.byte_order, copy.log.compression, copy.log.size) == (copy.order, copy.compression, len(copy.data))


# What must be in it, by independent sources ---------------------------------------------------------------------------


def test_expected(copy: Copy) -> None:
    """The plain reader finds in the copy what the independent decoder, or else itself, finds in the source."""
    check_expected_rest(copy)
    there = dict(readable(copy.plain))
    if not copy.original:
        check_salvage(copy, there)
        return
    source = dict(readable(copy.original))
    assert set(there) == set(source)
    for module, right in source.items():
        assert bits_of(there[module]) == bits_of(right), module
        if module.startswith("DXT_"):
            ours, theirs = (dxt_records(log, module) for log in (copy.plain, copy.original))
            assert bits_of(ours) == bits_of(theirs)
        if SPEC.modules[module]["kind"] == "header+perf":
            assert repr(perf_header(copy.plain, module)) == repr(perf_header(copy.original, module))
    if copy.expected:
        parts = copy.expected.entry["modules"]
        assert set(there) == set(parts)
        for module, part in parts.items():
            found = list(differences(there[module], stored_in(copy, module, stored(copy.expected, module))))
            if module.startswith("DXT_"):
                found += differences(dxt_records(copy.plain, module), expected_dxt_records(part["records"]))
            assert not found, f"{module}\n{few(found)}"


def check_salvage(copy: Copy, there: dict[str, Columns]) -> None:
    """Of damaged logs it is known how many records there are; the values are those that Darrow shows of the source."""
    assert copy.known
    rows = {module: rows for module, rows in copy.known.modules.items() if isinstance(rows, int) and rows}
    assert {module: len(columns["id"]) for module, columns in there.items() if len(columns["id"])} == rows
    for module, columns in there.items():
        if module in copy.source:
            found = list(differences(darrow_columns(copy.source[module].raw), stored_in(copy, module, columns)))
            assert not found, f"{module}\n{few(found)}"


def stored_in(copy: Copy, module: str, columns: Columns) -> Columns:
    """The columns that the version of the copy stores: all, or all but thread ids."""
    lacking = "thread_id" in SPEC.lacking(module, copy.plain.modules[module].version)
    return {name: values for name, values in columns.items() if not (lacking and name == "thread_id")}


def check_expected_rest(copy: Copy) -> None:
    """Job, names and mounts of the copy, by the plain reader."""
    job, names, mounts, exe, metadata = described(copy)
    assert copy.plain.job == job
    assert list(copy.plain.names.items()) == names
    assert [tuple(line.split(b"\t", 1)[::-1]) for line in copy.plain.mount_lines] == mounts
    assert copy.plain.exe == exe
    text = b"".join(key + b"=" + value + b"\n" for key, value in metadata)
    assert copy.plain.metadata == (text[:-1] if len(text) == 1024 else text)  # "md": no room for the last line break


Pairs = list[tuple[bytes, bytes]]


def described(copy: Copy) -> tuple[dict[str, int], list[tuple[int, bytes]], Pairs, bytes, Pairs]:
    """What the job record and the names must hold."""
    if copy.original:
        original, job = copy.original, dict(copy.original.job)
        if original.format_version != "3.41" and job["end_time_sec"]:
            job["end_time_sec"] += 1
        lines = [line.partition(b"=") for line in original.metadata.split(b"\n")]
        exe, mounts = original.exe, [tuple(line.split(b"\t", 1)[::-1]) for line in original.mount_lines]
        if copy.path.stem == "mounts-odd":
            mounts = [(raw(path), raw(kind)) for path, kind in MOUNTS_ODD["mounts-odd"]]
        return job, list(original.names.items()), mounts, exe, [(key, value) for key, sign, value in lines if sign]
    assert copy.known
    known = copy.known.job
    assert known
    job = {
        "uid": known.uid,
        "start_time_sec": known.start[0],
        "start_time_nsec": known.start[1],
        "end_time_sec": known.end[0],
        "end_time_nsec": known.end[1],
        "nprocs": known.nprocs,
        "jobid": known.jobid,
    }
    names = [(key, raw(name)) for key, name in copy.source.names.items()]
    assert len(names) == copy.known.names
    mounts = [(raw(path), raw(kind)) for path, kind in known.mounts]
    return job, names, mounts, raw(known.exe), [(raw(key), raw(value)) for key, value in known.metadata]


# The bytes ------------------------------------------------------------------------------------------------------------


def test_layout(copy: Copy) -> None:
    """Put together again by another program from its regions the log is the same, byte by byte: header of format 3.41,
    one region behind the other in the order of their ids, nothing between them. Each region is one stream."""
    header, parts = read_header(copy.data), Log.parse(copy.data)
    assert (header.version, header.layout.size, header.order) == ("3.41", 1328, "<" if copy.order == "little" else ">")
    for region in header.regions:
        assert one_stream(copy.data[region.offset : region.offset + region.length], header.compression), region.name
    without_data = {name for name, module in copy.log.modules.items() if not module.length}
    assert copy.data == rebuilt(copy.data, {name: copy.log.modules[name].version for name in without_data})
    assert without_data <= set(parts.partial)
    assert len(parts.job) <= 4096
    check_versions(copy)
    assert not [name for name, rest in paddings(parts) if any(rest)]  # no leftovers behind texts, nor for pointers
    assert Copy(copy.path, copy.order, copy.compression).data == copy.data  # from the log opened anew


def check_versions(copy: Copy) -> None:
    """The newest versions; traces that came without thread ids stay without them."""
    for name, module in copy.log.modules.items():
        source = copy.source.modules[name]
        if source.status != "readable" or not (source.length and module.length):
            assert module.version == source.version, name
        elif name.startswith("DXT_"):
            newest = SPEC.modules[name]["current_version"]
            has_threads = source.version == newest and len(copy.source[name]) > 0
            assert module.version == newest - (not has_threads), name
        else:
            assert module.version == SPEC.modules[name]["current_version"], name


# What is refused ------------------------------------------------------------------------------------------------------


def test_names_that_darshan_cannot_read(tmp_path: Path) -> None:
    """A name of 3 MiB: Darshan's own reader would never end with it. There is no file then."""
    for path in found(TOO_LONG):
        with pytest.raises(ValueError, match="3145728 bytes, at most 2097142 fit"):
            darrow.write(tmp_path / "copy.darshan", darrow.open(path, strict=False), strict=False)
        assert not list(tmp_path.iterdir())


def test_bytes_that_nobody_knows_keep_their_order() -> None:
    """Modules of which only the bytes are known cannot be written in the other byte order, unless there are none."""
    for path in found(OPAQUE):
        copy = Copy(path, "big", "none")
        if path.stem == "unkp":
            assert list(copy.log.modules) == list(copy.source.modules)
        else:
            with pytest.raises(ValueError, match="little-endian numbers cannot"):
                copy.write()


def test_logs_without_a_job() -> None:
    """A job may be given for a log whose own cannot be read."""
    for path in found(JOBLESS):
        copy = Copy(path, "little", "none")
        with pytest.raises(TypeError, match=r"write\(\) needs a job"):
            copy.write()
        log = darrow.open(copy.write(job={"nprocs": 8}))
        assert {name: len(log[name]) for name in log} == BY_HAND[path.stem].modules
        assert list(log.names.items()) == list(copy.source.names.items())


def found(names: Container[str]) -> list[Path]:
    """The logs with these names."""
    logs = [path for folder in FOLDERS.values() for path in sorted(folder.rglob("*.darshan")) if path.stem in names]
    if not logs:
        pytest.skip(NO_LOGS)
    return logs


def test_exceptions_are_needed() -> None:
    """Every log that is told to be an exception is one."""
    if not LOGS.exists():
        pytest.skip(NO_LOGS)
    for names in (CLOSED, JOBLESS, TOO_LONG, OPAQUE):
        assert {path.stem for path in found(names)} == set(names)
    for path in found(CLOSED):
        with pytest.raises(darrow.DarrowError):
            darrow.open(path, strict=False)
    marked = {name for name, known in BY_HAND.items() if isinstance(known, Opens) and damaged(known)}
    assert marked == {"trunc", "short_rec", "px_short", "dxtneg", "hmneg", "truncated-module"}


# By way of tables -----------------------------------------------------------------------------------------------------

FRAMES = ("to_arrow", "to_polars", "to_pandas")


def table_cases() -> Iterator[Any]:
    for folder in FOLDERS:
        for path in paths(folder):
            number = number_of(path.stem)
            for form in (
                FRAMES if number % SAMPLE == 0 or path.stem in RARE else [FRAMES[number // SAMPLE % len(FRAMES)]]
            ):
                yield pytest.param(path, form, id=f"{folder}/{path.stem}-{form}")


@pytest.mark.parametrize(("path", "form"), list(table_cases()))
def test_by_way_of_tables(path: Path, form: str) -> None:
    """Tables that went through another library make the same log."""
    source = darrow.open(path, strict=False)
    number = number_of(path.stem)
    readable = [module for module in source if source.modules[module].status == "readable"]
    out = io.BytesIO()
    darrow.write(
        out,
        {module: getattr(source[module], form)() for module in readable},
        job=source.job,
        names=source.names,
        mounts=source.mounts,
        headers={module: source[module].header for module in readable if source[module].header is not None},
        partial=[name for name, module in source.modules.items() if module.partial],
        byte_order=ORDERS[number % 2],
        compression=COMPRESSIONS[number % 3],
        strict=False,
    )
    log = darrow.open(out.getvalue())
    assert log.job.run_time == source.job.run_time
    assert log.mounts == source.mounts
    assert list(log.names.items()) == list(source.names.items())
    for name, module in source.modules.items():
        assert not module.partial or log.modules[name].partial
    for module in readable:
        assert module in log or not len(source[module])
        if module in log:
            assert same_bits(log[module].to_arrow(), source[module].to_arrow()), module
            assert same_bits(log[module].raw.to_arrow(), source[module].raw.to_arrow()), module
            assert log[module].header == source[module].header or "nan" in repr(log[module].header)


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", FOLDERS)
def test_files(folder: str, tmp_path: Path) -> None:
    """A file holds the same bytes, and can replace the log that it was made of."""
    if not paths(folder):
        pytest.skip(NO_LOGS)
    for path in paths(folder)[::10]:
        copy = Copy(path, "little", "zlib")
        out = tmp_path / path.name
        out.write_bytes(path.read_bytes())
        log = darrow.open(out, strict=False)
        with pytest.raises(FileExistsError):
            darrow.write(out, log, strict=False)
        darrow.write(out, log, strict=False, overwrite=True)
        assert out.read_bytes() == copy.data
        out.unlink()
    assert not list(tmp_path.iterdir())


def test_every_way_is_used() -> None:
    """Each byte order and compression is used for each folder, and logs of each module in both byte orders."""
    if not LOGS.exists():
        pytest.skip(NO_LOGS)
    ways: Counter[tuple[str, str, str]] = Counter()
    modules: Counter[tuple[str, str]] = Counter()
    for case in cases():
        copy = case.values[0]
        ways[case.id.split("/")[0], copy.order, copy.compression] += 1
        modules.update((module, copy.order) for module in copy.source if module in SPEC.modules)
    for folder in ("small", "synthetic", "malformed", "fleet", "upstream"):
        assert all(ways[folder, order, compression] for order, compression in KINDS), folder
    assert set(modules) == {(module, order) for module in SPEC.modules for order in ORDERS}
