"""The parts of a written log beside its records: names, job, mounts, flags, bytes as they are, and where it goes."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path
from typing import Any

import darrow
import logwriter
import pytest
from corpus import DATA
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow")

JOB = {"nprocs": 4, "end_time_sec": 1}
POSIX = {"id": [1, 2], "rank": [0, -1], "POSIX_OPENS": [1, 2]}
modest = settings(max_examples=60, deadline=None, database=None, phases=[Phase.explicit, Phase.generate])


def written(tables: Any = None, **options: Any) -> logwriter.Log:
    file = io.BytesIO()
    job = {} if isinstance(tables, darrow.Log) else {"job": JOB}
    darrow.write(file, tables, **job | {"strict": False} | options)
    return logwriter.Log.parse(file.getvalue())


def stored(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else os.fsencode(text)


# Names and ids --------------------------------------------------------------------------------------------------------

# Of docs/aggregation.md's source, the specification of the format: aggregation.md, section 8.1.
HASHES = {
    "": 10211412111675192767,
    "a": 2110215103713784748,
    "heatmap:POSIX": 16592106915301738621,
    "<STDOUT>": 15920181672442173319,
    "/tmp/test/mpi-io-test.tmp.dat": 6331129185542144414,
    "0123456789abcdef01234567": 16758250644655386282,
    "darshan-bgq-record": 17224881367579287459,
    "x" * 100: 14698345788531743663,
}


def lookup8(name: bytes) -> int:
    """The id of a name, as the specification has it."""
    a = b = 0
    c, mask = 0x9E3779B97F4A7C13, 2**64 - 1

    def mix(a: int, b: int, c: int) -> tuple[int, int, int]:
        for s1, s2, s3 in (43, 9, 8), (38, 23, 5), (35, 49, 11), (12, 18, 22):
            a = (a - b - c & mask) ^ c >> s1
            b = (b - c - a & mask) ^ (a << s2 & mask)
            c = (c - a - b & mask) ^ b >> s3
        return a, b, c

    rest = name
    while len(rest) >= 24:
        x, y, z = struct.unpack("<3Q", rest[:24])
        a, b, c = mix(a + x & mask, b + y & mask, c + z & mask)
        rest = rest[24:]
    x, y, z = struct.unpack("<3Q", (rest[:16].ljust(16, b"\0") + b"\0" + rest[16:]).ljust(24, b"\0"))
    return mix(a + x & mask, b + y & mask, c + z + len(name) & mask)[2]


def test_ids_of_names() -> None:
    for name, number in HASHES.items():
        assert darrow.record_id(name) == darrow.record_id(name.encode()) == lookup8(name.encode()) == number


names = st.binary(max_size=80).map(lambda name: name.replace(b"\0", b"/"))


@given(names=st.lists(names, max_size=8))
@modest
def test_names_of_any_bytes(names: list[bytes]) -> None:
    """As bytes or text, in a list; their ids are hashes, and the first place decides the order."""
    ids = {lookup8(name): name for name in names}
    region = logwriter.names(ids.items()) or None
    assert all(darrow.record_id(name) == number for number, name in ids.items())
    assert written(names=names).names == region
    assert written(names=[os.fsdecode(name) for name in names]).names == region
    assert written(names=iter(names)).names == region
    log = io.BytesIO()
    darrow.write(log, job=JOB, names=names)
    read = darrow.open(log.getvalue(), strict=False).names
    assert {number: read.bytes(number) for number in read} == ids
    assert written(names=read).names == region
    assert written(names=dict(read)).names == region


@given(names=st.dictionaries(st.integers(0, 2**64 - 1), names, max_size=8), order=st.sampled_from(["little", "big"]))
@modest
def test_names_by_id(names: dict[int, bytes], order: str) -> None:
    sign = "<" if order == "little" else ">"
    assert written(names=names, byte_order=order).names == (logwriter.names(names.items(), order=sign) or None)


def test_names_of_columns_come_behind_those_given() -> None:
    posix = {"id": [5, 1, 5], "rank": [0, 1, 2], "POSIX_OPENS": [1, 1, 1], "name": ["/five", None, "/five"]}
    stdio = {"rank": [0], "STDIO_OPENS": [1], "name": ["/hashed"]}
    log = written({"POSIX": posix, "STDIO": stdio}, names={9: "/nine", 1: ""})
    hashed = darrow.record_id("/hashed")
    assert log.names == logwriter.names([(9, b"/nine"), (1, b""), (5, b"/five"), (hashed, b"/hashed")])
    assert log.modules["STDIO"][1][:8] == struct.pack("<Q", hashed)


def test_names_that_are_not_utf_8_stay_in_tables_of_a_log() -> None:
    """Their column shows them in another form, which is no second name."""
    name = b"/scratch/\xff"
    first = io.BytesIO()
    darrow.write(first, {"POSIX": POSIX}, job=JOB, names={1: name, 2: b"/b"})
    log = darrow.open(first.getvalue(), strict=False)
    tables = {"POSIX": log["POSIX"].to_arrow()}
    assert written(tables, names=log.names).names == written(log).names == logwriter.names([(1, name), (2, b"/b")])
    assert written(log).modules == logwriter.Log.parse(first.getvalue()).modules


# The job --------------------------------------------------------------------------------------------------------------

whole = st.integers(-(2**63), 2**63 - 1)
text = st.text(st.characters(codec="utf-8", exclude_characters="\0\n"), max_size=40)
seven = ("uid", "jobid", "nprocs", "start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec")
numbers = st.fixed_dictionaries(dict.fromkeys(seven, whole))
mounts = st.lists(st.tuples(text.filter(bool), text.filter(lambda t: t and "\t" not in t)), max_size=5)


def job_record(job: dict[str, Any], mounts: list[tuple[str, str]], order: str = "<") -> bytes:
    names = ("uid", "start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec", "nprocs", "jobid")
    metadata = b"".join(b"%s=%s\n" % (stored(key), stored(value)) for key, value in job["metadata"].items())
    lines = [stored(job["exe"])] + [stored(kind) + b"\t" + stored(path) for path, kind in mounts]
    return struct.pack(f"{order}7q", *(job[n] for n in names)) + metadata.ljust(1024, b"\0") + b"\n".join(lines) + b"\0"


@given(
    job=numbers,
    exe=text | st.binary(max_size=40).map(lambda exe: exe.translate(None, b"\0\n")),
    metadata=st.dictionaries(text.filter(lambda key: "=" not in key), text, max_size=6),
    mounts=mounts,
    order=st.sampled_from("<>"),
)
@modest
def test_job_records(job: dict[str, Any], exe: str | bytes, metadata: Any, mounts: Any, order: str) -> None:
    """As struct packs them; and once more from what is read."""
    job |= {"exe": exe, "metadata": metadata}
    options = {"byte_order": "little" if order == "<" else "big"}
    record = job_record(job, mounts, order)
    log = written(job=job, mounts=mounts, **options)
    assert log.job == record
    read = darrow.open(log.build(), strict=False)
    assert written(read, **options).job == record
    assert written(job=read.job, mounts=read.mounts, **options).job == record
    assert list(read.job.metadata.items()) == list(metadata.items())
    assert [(mount.path, mount.fs_type) for mount in read.mounts] == mounts


def test_job_records_as_long_as_can_be() -> None:
    assert len(written(job=JOB | {"exe": "x" * 3015}).job) == 4096
    assert len(written(job=JOB | {"exe": "x" * 3000}, mounts=[("/" + "a" * 7, "ext4")]).job) == 4095
    assert written(job=JOB | {"metadata": {"k": "v" * 1021}}).job[56:1080] == b"k=" + b"v" * 1021 + b"\0"
    assert written(job=JOB | {"metadata": {"k": "v" * 1020}}).job[56:1080] == b"k=" + b"v" * 1020 + b"\n\0"


def test_run_times_of_older_formats_stay() -> None:
    """One second more than the difference there: the end moves by it."""
    old = darrow.open(logwriter.Log(job=logwriter.job(version="3.21"), version="3.21").build())
    assert old.job is not None
    assert old.job.run_time == 11
    log = written(old)
    assert struct.unpack_from("<7q", log.job) == (1000, 1_700_000_000, 0, 1_700_000_011, 0, 4, 4242)
    assert darrow.open(log.build()).job.run_time == 11


# Flags, versions, bytes -----------------------------------------------------------------------------------------------


def test_partial_modules() -> None:
    log = written({"POSIX": POSIX}, partial=["POSIX", "mpiio", "module 40"])
    assert log.partial == ("POSIX", "MPI-IO", "module 40")
    assert log.modules.keys() == {"POSIX"}
    assert written(darrow.open(log.build())).partial == log.partial


TRACE = {"id": [1], "rank": [0], "op": ["read"], "offset": [1], "length": [2], "start": [0.5], "end": [1.5]}


@pytest.mark.parametrize(
    ("target", "versions"),
    [
        (None, {"DXT_POSIX": 2, "DXT_MPIIO": 3, "POSIX": 4}),
        ("3.5.0", {"DXT_POSIX": 1, "DXT_MPIIO": 2, "POSIX": 4}),
        ("3.4.1", {"DXT_POSIX": 1, "DXT_MPIIO": 2, "POSIX": 4}),
    ],
)
def test_targets(target: str | None, versions: dict[str, int]) -> None:
    trace = TRACE | {"thread_id": [77]}
    tables = {"POSIX": POSIX, "DXT_POSIX": trace, "DXT_MPIIO": trace}
    assert {name: version for name, (version, _) in written(tables, target=target).modules.items()} == versions
    problems = darrow.write(io.BytesIO(), tables, job=JOB, target=target)
    left_out = [p.module for p in problems if p.kind == "value_left_out"]
    assert left_out == (["DXT_POSIX", "DXT_MPIIO"] if target else [])


@given(data=st.binary(max_size=200), number=st.integers(18, 63), version=st.integers(0, 2**31 - 1))
@modest
def test_bytes_stay_as_they_are(data: bytes, number: int, version: int) -> None:
    name = f"module {number}"
    for given_data in (data, bytearray(data), memoryview(data)):
        log = written({name: given_data}, versions={name: version})
        assert log.modules == ({name: (version, data)} if data else {})
    assert written(darrow.open(log.build())).modules == log.modules


def test_bytes_of_a_known_module() -> None:
    region = logwriter.posix(1, order=">") + logwriter.posix(2, order=">")
    log = written({"POSIX": region}, versions={"POSIX": 4}, byte_order="big")
    assert log.modules == {"POSIX": (4, region)}
    assert darrow.open(log.build())["POSIX"].column("id") == [1, 2]


# Where it goes --------------------------------------------------------------------------------------------------------


class Place(os.PathLike[str]):
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


class Slow(io.RawIOBase):
    """Takes a little at a time, as pipes do."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.taken += bytes(data[:100])
        return min(100, len(data))


def test_paths_and_files_hold_the_same(tmp_path: Path) -> None:
    file = io.BytesIO()
    darrow.write(file, {"POSIX": POSIX}, job=JOB)
    data = file.getvalue()
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    for path in (tmp_path / "a", str(tmp_path / "b"), Place(tmp_path / "c"), odd, os.fsencode(tmp_path / "d")):
        darrow.write(path, {"POSIX": POSIX}, job=JOB)
        assert Path(os.fsdecode(path)).read_bytes() == data
    assert len(os.listdir(tmp_path)) == 5
    with open(tmp_path / "e", "wb", buffering=0) as raw:
        darrow.write(raw, {"POSIX": POSIX}, job=JOB)
    assert (tmp_path / "e").read_bytes() == data
    slow = Slow()
    darrow.write(slow, {"POSIX": POSIX}, job=JOB)
    assert slow.taken == data


def test_overwriting(tmp_path: Path) -> None:
    path = tmp_path / "log"
    darrow.write(path, {"POSIX": POSIX}, job=JOB)
    first = path.read_bytes()
    with darrow.open(path) as log:
        records = log["POSIX"]
        darrow.write(path, {"POSIX": records}, job=JOB | {"jobid": 5}, overwrite=True)  # onto itself
        assert log.job.jobid == 0
        assert len(records) == 2
    assert darrow.open(path).job.jobid == 5
    assert path.read_bytes() != first
    assert os.listdir(tmp_path) == ["log"]


def test_devices_and_pipes() -> None:
    darrow.write("/dev/null", {"POSIX": POSIX}, job=JOB)
    assert not Path("/dev/null").is_file()
    read, write = os.pipe()
    darrow.write(f"/dev/fd/{write}", {"POSIX": POSIX}, job=JOB)
    os.close(write)
    with open(read, "rb") as end:
        assert darrow.open(end.read())["POSIX"].column("POSIX_OPENS") == [1, 2]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.darshan")), ids=lambda path: path.stem)
def test_what_is_written_once_stays(path: Path) -> None:
    """A log of a log of ours has the same bytes in every region, in either byte order and back."""
    try:
        log = darrow.open(path, strict=False)
    except darrow.DarrowError as error:
        pytest.skip(str(error))
    known = all(info.status == "readable" or not info.length for info in log.modules.values())
    if log.job is None or (log.byte_order == "big" and not known):
        pytest.skip("no job, or bytes that cannot be turned")
    data = written(log).build()
    again = darrow.open(data, strict=False)
    assert written(again).build() == data
    if known:
        big = written(again, byte_order="big").build()
        assert written(darrow.open(big, strict=False)).build() == data


def test_a_log_that_contradicts_itself_is_copied(tmp_path: Path) -> None:
    """A whole log is copied as it is; its records in a table of one's own are not."""
    odd = tmp_path / "odd"
    table = {"POSIX": {"name": ["/a"], "rank": [7], "POSIX_OPENS": [1]}}
    darrow.write(odd, table, job=JOB, strict=False)
    log = darrow.open(odd)
    kinds = {problem.kind for problem in darrow.write(tmp_path / "copy", log)}
    assert "rank_beyond_nprocs" in kinds
    with pytest.raises(ValueError, match="ranks that the job does not have"):
        darrow.write(tmp_path / "table", {"POSIX": log["POSIX"]}, job=log.job)
