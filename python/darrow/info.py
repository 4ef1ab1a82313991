"""What a log says about itself: the job, mounts, modules, problems. All picklable."""

from __future__ import annotations

from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from darrow._source import Source


class Job(Value):
    """The job that wrote the log.

    Attributes
    ----------
    uid, jobid, nprocs : int
        User, job number, number of processes.
    exe : str
        Command line. Bytes that are not UTF-8 stand as surrogates, as in `os.fsdecode`.
    start_time_sec, start_time_nsec, end_time_sec, end_time_nsec : int
        As stored: Unix time in seconds, and nanoseconds (0 before format 3.41). End 0: the run was aborted.
    run_time : float or None
        Seconds; None for an aborted run. Before format 3.41 both ends count (+1 s).
    metadata : dict of str to str
        E.g. "lib_ver", and "h" for MPI-IO hints.
    """

    uid: int
    jobid: int
    nprocs: int
    exe: str
    start_time_sec: int
    start_time_nsec: int
    end_time_sec: int
    end_time_nsec: int
    run_time: float | None
    metadata: dict[str, str]

    @property
    def start_time(self) -> datetime | None:
        """UTC, to the microsecond; None if the stored time is absurd."""
        return _utc(self.start_time_sec, self.start_time_nsec)

    @property
    def end_time(self) -> datetime | None:
        """UTC, to the microsecond; None if the run was aborted or the stored time is absurd."""
        return _utc(self.end_time_sec, self.end_time_nsec)


def _utc(seconds: int, nanoseconds: int) -> datetime | None:
    from datetime import datetime, timedelta, timezone

    if seconds <= 0 or not 0 <= nanoseconds < 10**9:
        return None
    try:
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds, microseconds=nanoseconds // 1000)
    except OverflowError:
        return None


class Mount(Value):
    """One mounted file system. Text as in `os.fsdecode`."""

    path: str
    fs_type: str


# Problems of this severity tell that something of a log is lost: docs/tables.md, "What is lost, and what is damaged".
LOSS = "error"


class Problem(Value):
    """One thing that is wrong or odd in a log.

    Attributes
    ----------
    severity : str
        "note" (nothing is lost), "warning" (odd, but delivered) or "error" (something is lost or untrusted).
    kind : str
        What, in one word, e.g. "record_fragment".
    region : str
        "header", "job", "names", or the module's name.
    module : str
        The module's name, or "".
    offset : int or None
        Where, if there is one place.
    offset_of : str or None
        "file": `offset` counts bytes of the file; "inflated": bytes of the inflated region.
    count : int or None
        How many; `message` says of what.
    message : str
        One line: what was expected and what was found.
    """

    severity: str
    kind: str
    region: str
    module: str
    offset: int | None
    offset_of: str | None
    count: int | None
    message: str

    def __str__(self) -> str:
        where = "" if self.offset is None else f", {self.offset_of} byte {self.offset}"
        return f"{self.severity}: {self.message} ({self.region}{where})"


class ModuleInfo(Value):
    """One module of the log's header.

    Attributes
    ----------
    id : int
        Numbering of format 3.41.
    name : str
        "POSIX", or e.g. "module 40" if the id has no meaning.
    version : int
        Of the records' layout.
    partial : bool
        The run time ran out of memory: records are missing.
    offset, length : int
        Of the compressed region in the file, in bytes; length 0: no data.
    status : str
        "readable", "unknown_module" or "unknown_version" (then only `bytes()` can be had).
    """

    id: int
    name: str
    version: int
    partial: bool
    offset: int
    length: int
    status: str
    _source: Source | None = None

    def bytes(self) -> bytes:
        """The inflated region, as it is.

        Raises
        ------
        CorruptLogError
            If the log was opened with strict=True and the region is damaged.
        ValueError
            If the log is closed, or this object was unpickled.
        """
        if self._source is None:
            raise ValueError("this object has no log: it was unpickled")
        return self._source.core.bytes(self.name)
