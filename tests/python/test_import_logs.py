"""Logs from the tables of an export: what comes back is what was there.

The bytes are read by the plain reader, which knows nothing of the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow
import pytest
from copies import bits_of, paddings, paths, readable, same_bits
from corpus import NO_LOGS, SPEC
from darrow._export_reader import Export
from darrow._import import import_log
from exports import export_logs
from logwriter import Log
from plain import PlainLog, dxt_records, perf_header, read_plain

NEWER = {("LUSTRE", 1): 2, ("PNETCDF_FILE", 1): 3, ("PNETCDF_FILE", 2): 3}
"""Versions that store what tables do not have: they come back as a newer one."""


def cases() -> Iterator[Any]:
    for folder in ("data", "small", "synthetic", "upstream", "malformed", "fleet-bad"):
        if not paths(folder):
            yield pytest.param(None, id=folder, marks=pytest.mark.skip(reason=NO_LOGS))
        for path in paths(folder):
            yield pytest.param(path, id=f"{folder}/{path.stem}")


@pytest.mark.parametrize("path", list(cases()))
def test_same_log(path: Path, tmp_path: Path) -> None:
    """Every log of the corpus, in its byte order, compression and versions."""
    export_logs([path], tmp_path / "tables")
    target = tmp_path / "copy.darshan"
    done = import_log(Export(tmp_path / "tables"), str(path), target)
    source, log = darrow.open(path, strict=False), darrow.open(target)
    assert (log.byte_order, log.compression) == (source.byte_order, source.compression)
    check_tables(source, log)
    check_rest(source, log, done.damaged)
    if not any(problem.severity == "error" for problem in source.verify()):
        check_bytes(path, target)


def test_many_logs(tmp_path: Path) -> None:
    """All logs of a folder, in one export."""
    logs = paths("fleet")
    if not logs:
        pytest.skip(NO_LOGS)
    export_logs(logs, tmp_path / "tables")
    export = Export(tmp_path / "tables")
    assert export.logs() == [str(log) for log in logs]
    for log in logs:
        done = import_log(export, str(log), tmp_path / "copy.darshan", overwrite=True)
        copy = darrow.open(tmp_path / "copy.darshan")
        check_tables(darrow.open(log), copy)
        check_rest(darrow.open(log), copy, done.damaged)
        check_bytes(log, tmp_path / "copy.darshan")
    export.check_end()


def check_tables(source: darrow.Log, log: darrow.Log) -> None:
    """Stored values are the same in every bit."""
    for module in source:
        if module not in log:  # nothing of it could be read
            assert not len(source[module])
            continue
        for ours, theirs in (
            (log[module].raw, source[module].raw),
            (log[module], source[module]),
            (log[module].records, source[module].records),
        ):
            assert same_bits(ours.to_arrow(), theirs.to_arrow()), module
        if source[module].header is not None:
            assert repr(log[module].header) == repr(source[module].header)


def check_rest(source: darrow.Log, log: darrow.Log, damaged: list[str]) -> None:
    """Names, mounts, job, flags, modules that nobody knows."""
    assert list(log.names.items()) == list(source.names.items())
    assert log.mounts == source.mounts
    assert set(log.modules) == set(source.modules)
    for name, module in source.modules.items():
        copy = log.modules[name]
        version = NEWER.get((name, module.version), module.version)
        assert (copy.id, copy.version, copy.status) == (module.id, version, module.status), name
        assert copy.partial == (module.partial or name in damaged), name
        if module.status != "readable" and module.length:
            assert copy.bytes() == module.bytes(), name
    assert log.job
    assert source.job
    for field in ("uid", "jobid", "nprocs", "exe", "start_time_sec", "start_time_nsec", "end_time_nsec", "run_time"):
        assert repr(getattr(log.job, field)) == repr(getattr(source.job, field)), field
    assert list(log.job.metadata.items()) == list(source.job.metadata.items())


def check_bytes(path: Path, target: Path) -> None:
    """The plain reader finds the same in both; regions are the same bytes where nothing stands in their gaps."""
    source, log = read_plain(path), read_plain(target)
    assert list(log.names.items()) == list(source.names.items())
    assert log.exe == source.exe
    known = dict(readable(log))
    for module, right in readable(source):
        assert bits_of(known[module]) == bits_of(right), module
        if module.startswith("DXT_"):
            assert bits_of(dxt_records(log, module)) == bits_of(dxt_records(source, module))
        if SPEC.modules[module]["kind"] == "header+perf":
            assert repr(perf_header(log, module)) == repr(perf_header(source, module))
    leftovers = {name for name, rest in paddings(Log.parse(path.read_bytes())) if any(rest)}
    for module, entry in source.modules.items():
        if entry.length and module not in leftovers and not drops(source, module):
            assert log.region(module) == source.region(module), module


def drops(source: PlainLog, module: str) -> bool:
    """Whether tables lack something that this version stores: fields of long ago, records that are left out."""
    version = source.modules[module].version
    stored = SPEC.modules.get(module, {}).get("versions", {}).get(str(version), {})
    lost = {("LUSTRE", 1), ("DXT_MPIIO", 1)}  # facts of the file system; offsets that mean nothing
    if module == "LUSTRE" and source.seen["layout_cut"]:  # components that are not set
        return True
    return (module, version) in lost or bool({"dropped_fields", "skip_record_if"} & set(stored))
