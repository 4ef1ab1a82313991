"""Writing logs, and records as bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from darrow import _core
from darrow._arrow import tables_of
from darrow.info import Job, Mount, Problem
from darrow.log import Log
from darrow.names import Names
from darrow.records import Records
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, BinaryIO

_JOB_NUMBERS = ("uid", "jobid", "nprocs", "start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec")
_JOB_OTHERS = ("exe", "run_time", "metadata")


def write(
    path: str | os.PathLike[str] | BinaryIO,
    tables: Mapping[str, Any] | Log | None = None,
    *,
    job: Job | Mapping[str, Any] | None = None,
    names: Mapping[int, str | bytes] | Iterable[str | bytes] | None = None,
    mounts: Iterable[Mount | tuple[str, str]] | None = None,
    headers: Mapping[str, Mapping[str, Any]] | None = None,
    partial: Iterable[str] = (),
    versions: Mapping[str, int] | None = None,
    compression: str = "zlib",
    level: int | None = None,
    byte_order: str = "little",
    target: str | None = None,
    overwrite: bool = False,
    strict: bool = True,
) -> list[Problem]:
    """Writes a Darshan log (format 3.41). Everything is checked before; there is never half a file.

    Parameters
    ----------
    path : str, path or binary file object
        The file is written under a temporary name and renamed when it is complete.
    tables : mapping of str to tables, or Log
        By module: records of a log, or anything with the Arrow interface (pyarrow, polars, pandas, DuckDB) with the
        columns of the module's table, in any order. Counters that are missing or null are written as "not recorded";
        `id` may be missing if there is `name`, whose hash it is then; other columns are left alone. bytes: the
        inflated region as it is, of the version in `versions`, also for unknown modules ("module 40").
        A Log: all its modules; job, names and mounts are its own too unless they are given.
    job : Job or mapping
        A mapping needs `nprocs`; the rest is 0 or empty unless given. A `run_time` tells what the times mean: where it is
        that of formats before 3.41 (one second more than the difference) the end is written one second later.
    names : mapping of int to str or bytes, or iterable of str or bytes, optional
        By record id, in order; of an iterable the ids are hashes. Names of the tables' column `name` come behind them.
        Surrogates stand for bytes that are not UTF-8, as in `os.fsdecode`.
    mounts : iterable of Mount or (path, fs_type), optional
    headers : mapping, optional
        For APMPI and APXC: the record that opens the region, as `log["APMPI"].header` gives it. Not needed for records
        of a log.
    partial : iterable of str
        Modules whose data is incomplete; of records of a log that is known.
    versions : mapping of str to int, optional
        Module versions to write where nothing is lost by it; else the newest (of traces without thread ids: one without).
    compression : {"zlib", "bzip2", "none"}
    level : int, optional
        zlib 1 to 12 (6), bzip2 1 to 9 (9).
    byte_order : {"little", "big"}
    target : str, optional
        The Darshan release that shall read the log, e.g. "3.5.0": modules are written in versions that it knows. Thread ids
        of traces are left out if they must; a problem tells.
    overwrite : bool
        Replace a file that is there.
    strict : bool
        Refuse what is contradictory (ranks that the job does not have, an end before the start). False: it is written,
        and the problems tell.

    Returns
    -------
    list of Problem
        What is odd: ids without a name, values left out, ...

    Raises
    ------
    FileExistsError
        The file is there and `overwrite` is False; other OSErrors as they come.
    ValueError
        Something cannot be written: the message tells the module, the column and the row.
    TypeError
        An argument of another kind.
    CorruptLogError
        Records of a strict log are damaged.
    """
    writer = _core.LogWriter.create(compression, level or 0, byte_order, target or "", strict)
    if isinstance(tables, Log):
        job = tables.job if job is None else job
        names = tables.names if names is None else names
        mounts = tables.mounts if mounts is None else mounts
    if job is None:
        raise TypeError("write() needs a job: a darrow.Job, or a mapping with nprocs")
    _set_job(writer, job)
    writer.set_mounts([_mount(mount) for mount in mounts or ()])
    _add_names(writer, names)
    for module, version in (versions or {}).items():
        if not module.startswith("module "):
            writer.set_version(module, version)
    if isinstance(tables, Log):
        for module in tables.modules:
            writer.add_log(module, tables._source.core, None, None)
    else:
        for module, table in (tables or {}).items():
            _add(writer, module, table, (headers or {}).get(module), (versions or {}).get(module), byte_order)
    for module in partial:
        writer.set_partial(module)
    if isinstance(path, (str, os.PathLike)):
        writer.write(os.fsencode(path), overwrite)
    else:
        path.write(writer.bytes())
    return [Problem(*row) for row in writer.problems()]


def to_records(table: Any, module: str | None = None, version: int | None = None) -> bytes:
    """Records as packed C structs, id and rank included, in this machine's byte order: what darshan-util works with.

    Parameters
    ----------
    table : Records or anything with the Arrow interface
        Rows of the module's table; see `write()`.
    module : str, optional
        Whose records; known for records of a log.
    version : int, optional
        Of the layout; the newest unless given (of traces without thread ids: the newest without).

    Raises
    ------
    ValueError
        Values that do not fit, a version that cannot hold them, a needed column that is missing.
    """
    if module is None:
        if not isinstance(table, Table):
            raise TypeError("to_records() needs the module, unless the records are those of a log")
        module = table.name
    return b"".join(_core.to_records(part, module, version or 0) for part in _tables(table, module))


def from_records(data: bytes, module: str, version: int | None = None, *, byte_order: str = sys.byteorder) -> Table:
    """Packed C structs as a table: the columns of the module's table without those of names.

    Parameters
    ----------
    data : bytes
        One record or many; a header record in front (APMPI, APXC) is skipped.
    module : str
    version : int, optional
        Of the layout; the newest unless given.
    byte_order : {"little", "big"}
        That of this machine unless given.

    Raises
    ------
    CorruptLogError
        Not a whole number of records, or counts that cannot be true.
    UnsupportedVersionError
        There is no such version.
    """
    return Table(Held(_core.from_records(bytes(data), module, version or 0, byte_order)))


def record_id(name: str | bytes) -> int:
    """The record id of a name: its 64-bit hash, as Darshan makes it of absolute paths."""
    return _core.record_id(_encoded(name))


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _mount(mount: Mount | tuple[str, str]) -> tuple[bytes, bytes]:
    path, fs_type = (mount.path, mount.fs_type) if isinstance(mount, Mount) else mount
    return _encoded(path), _encoded(fs_type)


def _set_job(writer: _core.LogWriter, job: Job | Mapping[str, Any]) -> None:
    facts = dict(job._items()) if isinstance(job, Job) else dict(job)
    if unknown := facts.keys() - {*_JOB_NUMBERS, *_JOB_OTHERS}:
        raise ValueError(f"a job has no {', '.join(sorted(unknown))}; there are {', '.join(_JOB_NUMBERS + _JOB_OTHERS)}")
    if "nprocs" not in facts:
        raise ValueError("a job needs nprocs")
    metadata = [(_encoded(key), _encoded(value)) for key, value in (facts.get("metadata") or {}).items()]
    numbers = [int(facts.get(name, 0)) for name in _JOB_NUMBERS]
    writer.set_job(numbers, _encoded(facts.get("exe", "")), facts.get("run_time"), metadata)


def _add_names(writer: _core.LogWriter, names: Any) -> None:
    if names is None:
        return
    if isinstance(names, Names):
        writer.add_names_of(names._core)
    elif isinstance(names, Mapping):
        writer.add_names(list(names), [_encoded(name) for name in names.values()])
    elif isinstance(names, (str, bytes)):
        raise TypeError("names are a mapping of ids to names, or a list of names")
    else:
        encoded = [_encoded(name) for name in names]
        writer.add_names([_core.record_id(name) for name in encoded], encoded)


def _add(
    writer: _core.LogWriter, module: str, table: Any, header: Any, version: int | None, byte_order: str
) -> None:
    if isinstance(table, (bytes, bytearray, memoryview)):
        if version is None:
            raise ValueError(f"{module}: bytes need a version: versions={{{module!r}: ...}}")
        writer.add_bytes(module, version, bytes(table), byte_order)
        return
    if isinstance(table, Records) and (reader := table._reader).reads_all_of(module) and header is None:
        ids, ranks = (None if chosen is None else list(chosen) for chosen in (reader.ids, reader.ranks))
        writer.add_log(module, reader.source.core, ids, ranks)
        return
    if header is not None:
        writer.add_header(module, dict(header))
    for part in _tables(table, module):
        writer.add_table(module, part)


def _tables(table: Any, module: str) -> list[_core.Table]:
    """The table in batches; an error if a column of the module is of a type that means nothing here."""
    batches, unusable = tables_of(table)
    known = _core.column_names(module) if unusable else []
    for column, kind in unusable:
        if column in known:
            raise ValueError(f"{module}: column {column} is of type {kind}, which holds no values of such a column")
    return batches
