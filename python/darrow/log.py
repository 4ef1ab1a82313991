"""Opening a log."""

from __future__ import annotations

import os
from collections.abc import Mapping

from darrow import _core
from darrow._accessors import register
from darrow._source import Source, plain_name
from darrow.dxt import DxtRecords
from darrow.errors import UnsupportedVersionError
from darrow.heatmap import HeatmapRecords
from darrow.info import Job, ModuleInfo, Mount, Problem
from darrow.lustre import LustreRecords
from darrow.names import Names
from darrow.records import HeaderRecords, Reader, Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow.summary import Summary

# Modules whose records can do more than the others'.
_KINDS: dict[str, type[Records]] = {
    "DXT_POSIX": DxtRecords,
    "DXT_MPIIO": DxtRecords,
    "HEATMAP": HeatmapRecords,
    "LUSTRE": LustreRecords,
    "APMPI": HeaderRecords,
    "APXC": HeaderRecords,
}
# Tables of a log that are no modules.
_TABLES = {"jobs": "job"} | {name: name for name in ("job", "mounts", "modules", "names", "problems")}


def open(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO,
    *,
    strict: bool = True,
    max_region_bytes: int = _core.default_max_region_bytes,
) -> Log:
    """Opens a Darshan log: reads its header, the job and the mounts.

    Parameters
    ----------
    source : str, path, bytes-like or binary file object
        A path, the bytes of a log, or a file that is read to its end (and not closed).
    strict : bool
        True: what would lose data raises CorruptLogError at the access that would lose it.
        False: what is intact is delivered, and `Log.problems` lists the damage.
    max_region_bytes : int
        No region is inflated beyond this many bytes (default 4 GiB); what lies behind is lost.

    Raises
    ------
    OSError
        FileNotFoundError, PermissionError, IsADirectoryError, ...
    NotALogError
        The file is empty or no Darshan log.
    CorruptLogError
        It ends within its own header, was never finished, or (strict) the job cannot be read.
    UnsupportedVersionError
        The version of the log format is not known.
    """
    register()
    if max_region_bytes <= 0:
        raise ValueError("max_region_bytes must be positive")
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if b"\0" in (encoded := os.fsencode(path)):
            raise ValueError("embedded null byte in path")
        return Log(_core.Log.open(encoded, strict, max_region_bytes), (path, strict, max_region_bytes))
    name = "<bytes>"
    if hasattr(source, "read"):
        name = str(getattr(source, "name", "<file object>"))
        source = source.read()
        if isinstance(source, str):
            raise TypeError("the file object is in text mode: open it with mode 'rb'")
    if not isinstance(source, (bytes, bytearray, memoryview)):
        raise TypeError(f"a log is opened from a path, bytes or a binary file, not from {type(source).__name__}")
    return Log(_core.Log.from_bytes(bytes(source), os.fsencode(name), strict, max_region_bytes), None)


def _reopen(path: str, strict: bool, max_region_bytes: int) -> Log:
    return open(path, strict=strict, max_region_bytes=max_region_bytes)


class Log(Mapping[str, Records]):
    """A Darshan log: a mapping of the modules that have data to their records.

    Keys are module names by ascending id; look-up also takes lower-case names without signs ("mpiio").
    Regions are read when needed, in any order, from any thread. A context manager; after `close()` what was read
    stays usable, and so does everything but unread records and names. A log opened by path can be pickled.

    Attributes
    ----------
    path : str
        As it was opened; "<bytes>" or the file object's name otherwise.
    format_version : str
        E.g. "3.41".
    byte_order : str
        "little" or "big".
    compression : str
        "zlib", "bzip2" or "none".
    size : int
        Bytes of the file.
    job : Job or None
        None if it cannot be read (strict=False only).
    mounts : list of Mount
        In the order of the file.
    modules : dict of str to ModuleInfo
        Every module with data or a partial flag, also unknown ones ("module 40"), by ascending id.
    """

    def __init__(self, core: _core.Log, reopen: tuple[str, bool, int] | None) -> None:
        self._source = Source(core)
        self._reopen = reopen
        self._records: dict[str, Records] = {}
        self._names: Names | None = None
        self.path = core.path
        self.format_version = core.format_version
        self.byte_order = core.byte_order
        self.compression = core.compression
        self.size = core.size
        job = core.job()
        self.job = None if job is None else Job(*job[:-1], dict(job[-1]))
        self.mounts = [Mount(*mount) for mount in core.mounts()]
        self.modules = {info[1]: ModuleInfo(*info, self._source) for info in core.modules()}

    # Regions

    @property
    def names(self) -> Names:
        """Names by record id: `log.names[id]`. CorruptLogError if damaged and strict."""
        if self._names is None:
            self._names = Names(self._source.core.names())
        return self._names

    def __getitem__(self, name: str) -> Records:
        info = self._find(name)
        if info is None or not info.length:
            what = "has no data in" if info else "is not in"
            raise KeyError(f"module {name} {what} {self.path}; there are: {', '.join(self) or 'none'}")
        if info.status != "readable":
            raise UnsupportedVersionError(
                f"{self.path}: {info.name} version {info.version} is not known; "
                f"log.modules[{info.name!r}].bytes() has the data",
                code="unsupported_version",
                file=self.path,
                region=info.name,
                offset=info.offset,
            )
        if (records := self._records.get(info.name)) is None:
            kind = _KINDS.get(info.name, Records)
            records = self._records.setdefault(info.name, kind(Reader(self._source, info.name), info))
        return records

    def table(self, name: str) -> Records:
        """A table by its SQL name: a module, or "job", "mounts", "modules", "names", "problems"."""
        if other := _TABLES.get(name.lower()):
            return Records(Reader(self._source, other))
        if self._find(name) is None:
            raise KeyError(f"no table {name} of {self.path}; there are: {', '.join([*self, *sorted(_TABLES)])}")
        return self[name]

    def __contains__(self, name: object) -> bool:
        info = self._find(name) if isinstance(name, str) else None
        return info is not None and info.name in self._source.readable

    def __iter__(self) -> Iterator[str]:
        return (info.name for info in self.modules.values() if info.name in self._source.readable)

    def __len__(self) -> int:
        return len(self._source.readable)

    def _find(self, name: str) -> ModuleInfo | None:
        wanted = plain_name(name)
        return next((info for info in self.modules.values() if plain_name(info.name) == wanted), None)

    def summary(self, modules: str | Iterable[str] | None = None, layer: str = "module") -> Summary:
        """What the job did: metrics, file categories, access sizes and aggregates of each module.

        Read in one pass of batches: memory stays low. LUSTRE, DXT, HEATMAP, APMPI and APXC have no part in it.

        Parameters
        ----------
        modules : str or iterable of str, optional
            Only these modules.
        layer : {"module", "bottom"}
            "module": metrics of each module. "bottom": of those together through which data leaves the program: POSIX,
            STDIO and DFS. MPI-IO, HDF5 and PnetCDF go through them and DAOS lies below DFS, so adding any of these
            would count twice; native DAOS I/O, without DFS, is therefore not in it.

        Raises
        ------
        KeyError
            The log has no such module.
        ValueError
            There is no such layer, or a module is not part of it.
        AggregationError
            The records of a module do not combine into one.
        CorruptLogError
            A region is damaged and the log strict.
        """
        from darrow.summary import summarize

        return summarize(self, modules, layer)

    # Damage

    def layers(self) -> pa.Table:
        """How the layers of the job lie on each other, file by file: HDF5 and PnetCDF on MPI-IO on POSIX.

        What goes through a layer shows again in those below it, so bytes of two layers do not add up, and their
        difference may have either sign: collective buffers and caches keep data above, readahead and metadata of file
        formats come in below, and names that were excluded from recording show in one layer only.

        Returns
        -------
        pyarrow.Table
            A row for each file and layer that lies on another (H5D, PNETCDF_VAR, MPI-IO). `id` and `name` of the file,
            `layer`, `below` (the next layer down that has a record of the file; null: none has), and in bytes, each
            also with `_written`: `bytes_read` of the layer, `below_read` of the one below, `through_read` (at most so
            many went through both: the smaller of the two), `only_above_read` and `only_below_read` (what the other one
            did not see). None is negative; null: not recorded. Needs pyarrow.
        """
        from darrow._layers import layers

        return layers(self)

    @property
    def problems(self) -> list[Problem]:
        """Damage and oddities met so far. `verify()` reads everything."""
        return self._source.problems()

    def verify(self) -> list[Problem]:
        """Reads every region and returns all problems, also in strict mode."""
        return [Problem(*problem) for problem in self._source.core.verify()]

    @property
    def counters(self) -> dict[str, int]:
        """What all reads of this log took so far, which shows that nothing was read that was not asked for.

        `bytes_inflated`: of all regions that were read, job and names included, each time they were.
        `columns_decoded`: made of stored fields, each time a module was read; id, rank and counts of lists always are.
        `records_copied`: rows that went into columns, records or segments of traces, without those left out.
        """
        return self._source.core.counters()

    # Life

    @property
    def closed(self) -> bool:
        """Whether `close()` was called."""
        return self._source.closed

    def close(self) -> None:
        """Lets go of the file. What was read stays usable."""
        self._source.close()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        job = f"job {self.job.jobid}, {self.job.nprocs} processes, {self.job.exe!r}" if self.job else "no job"
        closed = ", closed" if self.closed else ""
        return f"<darrow.Log {self.path!r}: {job}; {', '.join(self) or 'no data'}{closed}>"

    def __reduce__(self) -> tuple[object, ...]:
        if self._reopen is None:
            raise TypeError("a log that was not opened by path cannot be pickled")
        return _reopen, self._reopen

    __eq__ = object.__eq__
    __hash__ = object.__hash__
