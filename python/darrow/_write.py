"""Writing logs, and records as bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from operator import index

from darrow import _core
from darrow._arrow import tables_of
from darrow._source import plain_name
from darrow.errors import DarrowError
from darrow.info import Job, Mount, Problem
from darrow.log import Log
from darrow.names import Names
from darrow.records import Records
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, BinaryIO

    # By the plain name of the module: its name as given, and what is given for it.
    ByModule = dict[str, tuple[str, Any]]

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
    strict: bool | None = None,
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
        A mapping needs `nprocs`; the rest is 0 or empty unless given. A `run_time` tells what the times mean: where it
        is that of formats before 3.41 (one second more than the difference) the end is written one second later.
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
        Module versions to write where nothing is lost by it; else the newest (of traces without thread ids: one
        without).
    compression : {"zlib", "bzip2", "none"}
    level : int, optional
        zlib 1 to 12 (6), bzip2 1 to 9 (9).
    byte_order : {"little", "big"}
    target : str, optional
        The Darshan release that shall read the log, e.g. "3.5.0": modules are written in versions that it knows.
        Thread ids of traces are left out if they must; a problem tells.
    overwrite : bool
        Replace a file that is there.
    strict : bool, optional
        Refuse what is contradictory (ranks that the job does not have, an end before the start). False: it is written,
        and the problems tell. Unless given: True for tables, False for a Log, which is copied as it is.

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
    strict = not isinstance(tables, Log) if strict is None else strict
    writer = _writer(compression, level, byte_order, target, strict)
    _check_path(path)
    for_module = {"headers": _by_module("headers", headers), "versions": _by_module("versions", versions)}
    if isinstance(tables, Log):
        job = tables.job if job is None else job
        names = tables.names if names is None else names
        mounts = tables.mounts if mounts is None else mounts
    if job is None:
        raise TypeError("write() needs a job: a darrow.Job, or a mapping with nprocs")
    _set_job(writer, job)
    writer.set_mounts([_mount(mount) for mount in _items("mounts", mounts, "pairs of path and type")])
    _add_names(writer, names)
    for module, version in for_module["versions"].values():
        if not module.startswith("module "):
            writer.set_version(module, _number(f"versions[{module!r}]", version, 0, 2**31 - 1))
    if isinstance(tables, Log):
        if headers:
            raise ValueError("headers are for tables: a log brings its own")
        for module in tables.modules:
            writer.add_log(module, tables._source.core, None, None)
    else:
        _add_tables(writer, _by_module("tables", tables), byte_order, **for_module)
    for module in _items("partial", partial, "modules"):
        writer.set_partial(_text("a module in partial", module), None)
    if isinstance(path, (str, bytes, os.PathLike)):
        writer.write(os.fsencode(path), _flag("overwrite", overwrite))
    else:
        _write_all(path, writer.to_bytes())
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
    return _core.to_records(_tables(table, module), module, version or 0)


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
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"records are bytes, not {type(data).__name__}")
    return Table(Held(_core.from_records(bytes(data), module, version or 0, byte_order)))


def record_id(name: str | bytes) -> int:
    """The record id of a name: its 64-bit hash, as Darshan makes it of absolute paths."""
    return _core.record_id(_encoded("a name", name))


def _encoded(what: str, text: object) -> bytes:
    if isinstance(text, bytes):
        return text
    return _text(what, text).encode("utf-8", "surrogateescape")


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} is text, not {value!r}")
    return value


def _flag(what: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{what} is True or False, not {value!r}")
    return value


def _number(what: str, value: Any, least: int, most: int) -> int:
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{what} is {number}, which is not between {least} and {most}")
    return number


def _items(what: str, values: Any, content: str) -> Iterable[Any]:
    """The values of a list; texts and mappings are none."""
    if values is None:
        return ()
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} are a list of {content}, not {type(values).__name__}")
    return values  # type: ignore[no-any-return]


def _by_module(what: str, values: Any) -> ByModule:
    """What is given for modules."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise TypeError(f"{what} go by module, in a mapping, not in {type(values).__name__}")
    by_module: ByModule = {}
    for module, value in values.items():
        key = plain_name(_text(f"a module in {what}", module))
        if key in by_module:
            raise ValueError(f"{what} for {by_module[key][0]} and {module}: that is one module")
        by_module[key] = (module, value)
    return by_module


def _check_path(path: object) -> None:
    """TypeError unless it is a path or an open file."""
    if isinstance(path, (str, bytes, os.PathLike)):
        if b"\0" in os.fsencode(path):
            raise ValueError("a path must not hold a NUL")
    elif not hasattr(path, "write"):
        raise TypeError(f"a log is written to a path or an open binary file, not to {path!r}")


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Files without a buffer may take a part only."""
    while data:
        taken = file.write(data)
        data = data[taken:] if isinstance(taken, int) else b""  # some do not tell, and take all


def _writer(compression: Any, level: Any, byte_order: Any, target: Any, strict: Any) -> _core.LogWriter:
    level = 0 if level is None else _number("level", level, -(2**31), 2**31 - 1)
    if target == "":
        raise ValueError('target is a release such as "3.5.0", or None for the newest versions; it must not be empty')
    return _core.LogWriter.create(
        _text("compression", compression),
        level,
        _text("byte_order", byte_order),
        "" if target is None else _text("target", target),
        _flag("strict", strict),
    )


def _mount(mount: Any) -> tuple[bytes, bytes]:
    if isinstance(mount, Mount):
        mount = (mount.path, mount.fs_type)
    if not isinstance(mount, (tuple, list)) or len(mount) != 2:
        raise TypeError(f"a mount is a pair of path and type, not {mount!r}")
    return _encoded("the path of a mount", mount[0]), _encoded("the type of a mount", mount[1])


def _set_job(writer: _core.LogWriter, job: Any) -> None:
    if not isinstance(job, (Job, Mapping)):
        raise TypeError(f"a job is a darrow.Job or a mapping with nprocs, not {job!r}")
    facts = dict(job._items()) if isinstance(job, Job) else dict(job)
    if unknown := facts.keys() - {*_JOB_NUMBERS, *_JOB_OTHERS}:
        known = ", ".join(_JOB_NUMBERS + _JOB_OTHERS)
        raise ValueError(f"a job has no {', '.join(sorted(map(str, unknown)))}; there are {known}")
    if "nprocs" not in facts:
        raise ValueError("a job needs nprocs")
    metadata = facts.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise TypeError(f"the metadata of a job is a mapping of text to text, not {metadata!r}")
    run_time = facts.get("run_time")
    if run_time is not None and not isinstance(run_time, (int, float)):
        raise TypeError(f"run_time of the job is a number or None, not {run_time!r}")
    writer.set_job(
        [_number(f"{name} of the job", facts.get(name, 0), -(2**63), 2**63 - 1) for name in _JOB_NUMBERS],
        _encoded("exe of the job", facts.get("exe", "")),
        run_time,
        [
            (_encoded("a key of the metadata", key), _encoded("a value of the metadata", value))
            for key, value in metadata.items()
        ],
    )


def _add_names(writer: _core.LogWriter, names: Any) -> None:
    if isinstance(names, Names):
        writer.add_names_of(names._core)
    elif isinstance(names, Mapping):
        ids = [_number("an id in names", id, 0, 2**64 - 1) for id in names]
        writer.add_names(ids, [_encoded("a name", name) for name in names.values()])
    else:
        encoded = [_encoded("a name", name) for name in _items("names", names, "names, or a mapping of ids to names")]
        writer.add_names([_core.record_id(name) for name in encoded], encoded)


def _add_tables(
    writer: _core.LogWriter, tables: ByModule, byte_order: str, headers: ByModule, versions: ByModule
) -> None:
    if without := [module for key, (module, _) in headers.items() if key not in tables]:
        raise ValueError(f"headers: there is no table of {', '.join(without)}")
    for key, (module, table) in tables.items():
        header, version = (given[key][1] if key in given else None for given in (headers, versions))
        _add(writer, module, table, header, version, byte_order)


def _add(writer: _core.LogWriter, module: str, table: Any, header: Any, version: int | None, byte_order: str) -> None:
    if isinstance(table, (bytes, bytearray, memoryview)):
        if version is None:
            raise ValueError(f"{module}: bytes need a version: versions={{{module!r}: ...}}")
        version = _number(f"versions[{module!r}]", version, 0, 2**31 - 1)
        writer.add_bytes(module, version, bytes(table), byte_order)
        return
    if isinstance(table, Records) and (reader := table._reader).reads_all_of(module) and header is None:
        ids, ranks = (None if chosen is None else list(chosen) for chosen in (reader.ids, reader.ranks))
        writer.add_log(module, reader.source.core, ids, ranks)
        writer.add_names_of_log(reader.source.core)
        return
    if header is not None:
        writer.add_header(module, _header(module, header))
    writer.add_table(module, _tables(table, module))


def _header(module: str, header: Any) -> dict[str, object]:
    if not isinstance(header, Mapping):
        raise TypeError(f"{module}: a header is a mapping of fields to numbers, not {header!r}")
    numbers: dict[str, object] = {}
    for field, value in header.items():
        _text(f"{module}: a field of the header", field)
        if not isinstance(value, float):
            value = _number(f"{module}: {field} of the header", value, -(2**63), 2**64 - 1)
        numbers[field] = value
    return numbers


def _tables(table: Any, module: str) -> list[_core.Table]:
    """The table in batches; an error if a column of the module is of a type that means nothing here."""
    try:
        batches, unusable = tables_of(table)
    except DarrowError:
        raise
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{module}: {str(error).partition(chr(10))[0]}") from error
    except TypeError as error:
        raise TypeError(f"{module}: {error}") from error
    known = _core.column_names(module) if unusable else []
    for column, kind in unusable:
        if column in known:
            raise ValueError(f"{module}: column {column} is of type {kind}, which holds no values of such a column")
    return batches
