"""The Python package as a user meets it, without any other package."""

from __future__ import annotations

import copy
import errno
import io
import os
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

import darrow
import pytest
from corpus import DATA, LOGS, NO_LOGS
from darrow import _core
from darrow.errors import from_core

POSIX = DATA / "posix-ops.darshan"
EVERYTHING = DATA / "lustre-apmpi-all.darshan"


def test_import_is_light() -> None:
    """Importing takes no other package and 50 ms at most; the bound allows for slow machines and missing bytecode."""
    code = (
        "import sys, time; t = time.process_time(); import darrow; t = time.process_time() - t;"
        "heavy = {'numpy', 'pandas', 'polars', 'pyarrow', 'duckdb', 'typing', 'dataclasses', 'pathlib', 'datetime'};"
        "print(t, *sorted(heavy & set(sys.modules)))"
    )
    path = os.path.dirname(os.path.dirname(darrow.__file__))
    code = f"import sys; sys.path.insert(0, {path!r}); {code}"
    out = subprocess.run([sys.executable, "-SIc", code], capture_output=True, text=True, check=True).stdout.split()
    assert out[1:] == []
    assert float(out[0]) < 0.3


def test_version() -> None:
    assert darrow.__version__ == _core.version
    assert darrow.__version__[0].isdigit()


def test_everything_public_is_documented() -> None:
    for name in darrow.__all__:
        thing = getattr(darrow, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"


# Opening


@pytest.mark.parametrize(
    "source",
    [str, Path, Path.read_bytes, lambda p: bytearray(p.read_bytes()), lambda p: memoryview(p.read_bytes())],
    ids=["str", "Path", "bytes", "bytearray", "memoryview"],
)
def test_sources(source) -> None:
    log = darrow.open(source(POSIX))
    assert log.job.jobid == 700008
    assert log["POSIX"].column("rank") == darrow.open(POSIX)["POSIX"].column("rank")


def test_file_objects() -> None:
    with POSIX.open("rb") as file:
        log = darrow.open(file)
        assert not file.closed
    assert log.path == str(POSIX)
    assert log.job.jobid == 700008
    assert darrow.open(io.BytesIO(POSIX.read_bytes())).path == "<file object>"
    assert darrow.open(POSIX.read_bytes()).path == "<bytes>"
    with POSIX.open("r", encoding="latin-1") as file, pytest.raises(TypeError, match="'rb'"):
        darrow.open(file)


@pytest.mark.parametrize("source", [None, 1, 1.5, ["a"], object()])
def test_sources_that_are_none(source) -> None:
    with pytest.raises(TypeError):
        darrow.open(source)


def test_odd_file_name(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9 \n.darshan")
    Path(path).write_bytes(POSIX.read_bytes())
    assert darrow.open(path).path == path
    assert darrow.open(os.fsencode(path).decode("utf-8", "surrogateescape")).job.jobid == 700008
    Path(path).write_bytes(b"")
    with pytest.raises(darrow.NotALogError) as error:
        darrow.open(path)
    assert error.value.file == path


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        darrow.open(tmp_path / "none.darshan")
    assert error.value.filename == str(tmp_path / "none.darshan")
    with pytest.raises(IsADirectoryError):
        darrow.open(tmp_path)
    with pytest.raises(ValueError, match="null byte"):
        darrow.open("a\0b")
    with pytest.raises(ValueError, match="max_region_bytes"):
        darrow.open(POSIX, max_region_bytes=-1)


def test_errors_of_the_system() -> None:
    """What the library reports as errno becomes the exception that `open()` raises."""
    for number, kind in ((errno.EACCES, PermissionError), (errno.ENOENT, FileNotFoundError), (errno.EIO, OSError)):
        error = from_core("io", "cannot be read", "a: cannot be read", "a", "", None, None, number)
        assert type(error) is kind
        assert (error.errno, error.filename) == (number, "a")
    assert type(from_core("io", "no", "a: no", "a", "", None, None, 0)) is OSError


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.darshan"
    path.write_bytes(POSIX.read_bytes())
    path.chmod(0)
    with pytest.raises(PermissionError):
        darrow.open(path)


def test_files_that_are_no_logs(tmp_path: Path) -> None:
    whole = POSIX.read_bytes()
    with pytest.raises(darrow.NotALogError):
        darrow.open(b"")
    with pytest.raises(darrow.NotALogError):
        darrow.open(b"no log, but a text" * 500)
    with pytest.raises(darrow.CorruptLogError):
        darrow.open(whole[:100], strict=False)
    with pytest.raises(darrow.CorruptLogError, match="zero"):
        darrow.open(bytes(1328) + whole[1328:], strict=False)
    with pytest.raises(darrow.UnsupportedVersionError) as error:
        darrow.open(b"9.99" + whole[4:])
    assert error.value.code == "unsupported_version"
    assert isinstance(error.value, darrow.DarrowError)
    assert isinstance(error.value, ValueError)


# Damage


def test_strict_raises_where_data_would_be_lost() -> None:
    path = DATA / "px_short.darshan"
    log = darrow.open(path)
    records = log["POSIX"]
    with pytest.raises(darrow.CorruptLogError) as caught:
        len(records)
    error = caught.value
    assert error.file == str(path)
    assert error.region == "POSIX"
    assert error.code == "corrupt"
    assert "604" in str(error)
    assert str(path) in str(error)
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))
    assert log.job is not None
    assert any(problem.severity == "error" for problem in log.verify())


def test_not_strict_delivers_what_is_intact() -> None:
    log = darrow.open(DATA / "px_short.darshan", strict=False)
    assert log.problems == []
    assert len(log["POSIX"]) == 0
    (problem,) = log.problems
    assert (problem.severity, problem.kind) == ("error", "record_fragment")
    assert (problem.region, problem.module) == ("POSIX", "POSIX")
    assert (problem.offset, problem.offset_of, problem.count) == (0, "inflated", 604)
    assert "604" in problem.message
    assert str(problem).startswith("error: ")
    assert log.verify() == log.problems
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert log.table("problems").to_pylist()[0]["kind"] == "record_fragment"


def test_unknown_module_is_kept() -> None:
    log = darrow.open(DATA / "mod_unknown.darshan")
    info = log.modules["module 40"]
    assert (info.id, info.status) == (40, "unknown_module")
    assert len(info.bytes()) == 150
    assert "module 40" not in log
    assert "module 40" not in list(log)
    with pytest.raises(darrow.UnsupportedVersionError, match=r"\.bytes\(\)"):
        log["module 40"]


def test_unknown_version_is_kept() -> None:
    log = darrow.open(DATA / "badver_mod.darshan", strict=False)
    assert log.modules["POSIX"].status == "unknown_version"
    assert log.modules["POSIX"].version == 9
    assert log.modules["POSIX"].bytes()
    assert list(log) == []
    with pytest.raises(darrow.UnsupportedVersionError) as error:
        log["POSIX"]
    assert (error.value.region, error.value.file) == ("POSIX", str(DATA / "badver_mod.darshan"))


# The job, mounts, names, modules


def test_job() -> None:
    job = darrow.open(POSIX).job
    assert (job.uid, job.jobid, job.nprocs) == (40001, 700008, 2)
    assert job.exe == "/scratch/project/bin/ops"
    assert job.metadata == {"lib_ver": "3.5.0", "h": "romio_no_indep_rw=true;cb_nodes=4"}
    assert job.run_time == pytest.approx(0.047894571, abs=1e-6)
    assert job.start_time == datetime.fromtimestamp(1741594027, timezone.utc) + timedelta(microseconds=273330)
    assert job.end_time - job.start_time == timedelta(microseconds=47895)
    assert pickle.loads(pickle.dumps(job)) == job
    assert copy.deepcopy(job) == job
    assert "jobid=700008" in repr(job)
    assert eval(repr(job), {"Job": darrow.Job}) == job
    with pytest.raises(AttributeError):
        job.uid = 0


def test_absurd_times() -> None:
    job = darrow.open(DATA / "ctime.darshan", strict=False).job
    assert job.start_time is None
    assert isinstance(job.start_time_sec, int)
    aborted = darrow.Job(0, 0, 1, "", 5, 0, 0, 0, None, {})
    assert aborted.end_time is None
    assert aborted.start_time == datetime(1970, 1, 1, 0, 0, 5, tzinfo=timezone.utc)
    for seconds in (-(2**63), -1, 2**40, 2**63 - 1):
        assert darrow.Job(0, 0, 1, "", seconds, 0, seconds, -1, None, {}).end_time is None


def test_text_that_is_not_utf8() -> None:
    assert os.fsencode(darrow.open(DATA / "exe-invalid-utf8.darshan").job.exe).isascii() is False
    mounts = darrow.open(DATA / "mounts-odd.darshan", strict=False).mounts
    assert any(0xDC80 <= ord(c) <= 0xDCFF for mount in mounts for c in mount.path)
    names = darrow.open(DATA / "names-odd.darshan").names
    odd = [id for id, name in names.items() if any(0xDC80 <= ord(c) <= 0xDCFF for c in name)]
    assert odd
    for id in odd:
        assert os.fsencode(names[id]) == names.bytes(id)
        with pytest.raises(UnicodeDecodeError):
            names.bytes(id).decode()


def test_mounts() -> None:
    mounts = darrow.open(POSIX).mounts
    assert ("/scratch", "lustre") in [(mount.path, mount.fs_type) for mount in mounts]
    assert pickle.loads(pickle.dumps(mounts)) == mounts
    assert len(set(mounts)) == len(mounts) == 4


def test_names() -> None:
    names = darrow.open(POSIX).names
    assert len(names) == 11
    assert next(iter(names)) == 16592106915301738621
    assert names[16592106915301738621] == "heatmap:POSIX"
    assert names[17177216714167751639] == "/scratch/project/posix-ops/a.0"
    assert dict(names)[17177216714167751639] == names[17177216714167751639]
    assert 5 not in names
    assert "a" not in names
    assert names.get(5) is None
    for id in (5, -1, 2**64, "heatmap:POSIX", None):
        with pytest.raises(KeyError):
            names[id]
    assert repr(names) == "<darrow.Names: 11 names>"


def test_modules() -> None:
    log = darrow.open(EVERYTHING)
    assert list(log.modules) == [
        "POSIX",
        "MPI-IO",
        "LUSTRE",
        "STDIO",
        "DXT_POSIX",
        "DXT_MPIIO",
        "APMPI",
        "HEATMAP",
    ]
    info = log.modules["DXT_POSIX"]
    assert (info.name, info.version, info.partial, info.status) == ("DXT_POSIX", 2, False, "readable")
    assert 0 < info.offset < info.offset + info.length <= log.size
    assert len(info.bytes()) > info.length
    twin = pickle.loads(pickle.dumps(info))
    assert twin == info
    with pytest.raises(ValueError, match="unpickled"):
        twin.bytes()


# The log


def test_log_is_a_mapping() -> None:
    log = darrow.open(EVERYTHING)
    assert list(log) == list(log.keys()) == list(log.modules)
    assert len(log) == 8
    assert "POSIX" in log
    assert "posix" in log
    assert "H5F" not in log
    assert 5 not in log
    assert log["mpiio"] is log["MPI-IO"] is log.table("mpiio")
    assert log.get("H5F") is None
    assert {name: len(records) for name, records in log.items()}["LUSTRE"] == 12
    with pytest.raises(KeyError) as error:
        log["H5F"]
    for word in ("H5F", str(EVERYTHING), "POSIX, MPI-IO, LUSTRE"):
        assert word in str(error.value)


def test_log_attributes() -> None:
    log = darrow.open(str(POSIX))
    assert log.path == str(POSIX)
    assert (log.format_version, log.byte_order, log.compression) == ("3.41", "little", "zlib")
    assert log.size == POSIX.stat().st_size
    assert log.problems == log.verify() == []
    text = repr(log)
    for word in ("700008", "/scratch/project/bin/ops", "POSIX, HEATMAP", "2 processes"):
        assert word in text
    assert log == log != darrow.open(POSIX)
    assert hash(log) is not None


def test_other_tables() -> None:
    log = darrow.open(POSIX)
    assert log.table("jobs").to_pylist()[0]["jobid"] == 700008
    assert log.table("job").columns == log.table("jobs").columns
    assert [row["id"] for row in log.table("names").to_pylist()] == list(log.names)
    assert [row["path"] for row in log.table("mounts").to_pylist()] == [mount.path for mount in log.mounts]
    assert len(log.table("modules")) == len(log.modules)
    assert len(log.table("problems")) == 0
    assert log.table("names").info is None
    with pytest.raises(KeyError):
        log.table("nothing")


def test_closing() -> None:
    with darrow.open(POSIX) as log:
        read, unread, names = log["POSIX"], log["HEATMAP"], log.names
        assert len(read) == 10
    assert log.closed
    assert "closed" in repr(log)
    assert len(read.to_pylist()) == 10
    assert names[16592106915301738621] == "heatmap:POSIX"
    assert log.job.jobid == 700008
    assert log.problems == []
    assert list(log) == ["POSIX", "HEATMAP"]
    assert read.select(["id"]).columns == ["id"]
    for late in (unread.to_pylist, log.verify, log.modules["POSIX"].bytes, lambda: unread.select(["id"])):
        with pytest.raises(ValueError, match="closed"):
            late()
    log.close()


@pytest.mark.slow
def test_other_threads_run_while_a_log_is_read() -> None:
    path = LOGS / "large" / "dxt-1m.darshan"
    if not path.exists():
        pytest.skip(NO_LOGS)
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    log = darrow.open(path)
    start = time.perf_counter()
    records = log["DXT_POSIX"]
    assert len(records) == 1_000_000
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(start < at < end for at in ticks) > (end - start) / 0.020


def test_a_log_pickles_by_its_path() -> None:
    log = pickle.loads(pickle.dumps(darrow.open(POSIX, strict=False)))
    assert log["POSIX"].column("id") == darrow.open(POSIX)["POSIX"].column("id")
    with pytest.raises(TypeError, match="path"):
        pickle.dumps(darrow.open(POSIX.read_bytes()))


def test_no_file_stays_open() -> None:
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("needs /proc")
    before = len(list(descriptors.iterdir()))
    logs = [darrow.open(POSIX) for _ in range(50)]
    assert [len(log["POSIX"]) for log in logs] == [10] * 50
    assert len(list(descriptors.iterdir())) == before


def test_eight_threads_read_one_log() -> None:
    expected = {name: records.to_pylist() for name, records in darrow.open(EVERYTHING).items()}
    for _ in range(5):
        log = darrow.open(EVERYTHING)

        def read(i: int, log: darrow.Log = log) -> dict[str, object]:
            order = list(log)[i % 8 :] + list(log)[: i % 8]
            return {name: log[name].to_pylist() for name in order} | {"names": dict(log.names), "bad": log.verify()}

        with ThreadPoolExecutor(8) as pool:
            for result in pool.map(read, range(16)):
                assert result.pop("bad") == []
                assert len(result.pop("names")) == 25
                assert result == expected


# Records


def test_records_are_lazy() -> None:
    records = darrow.open(POSIX)["POSIX"]
    assert repr(records) == "<darrow.Records POSIX version 4: not read yet>"
    assert (records.name, records.version, records.partial) == ("POSIX", 4, False)
    assert records.info.name == "POSIX"
    assert len(records) == 10
    assert repr(records) == f"<darrow.Records POSIX version 4: 10 rows, {len(records.columns)} columns>"
    assert records.columns[:6] == ["id", "rank", "name", "mount", "fs_type", "POSIX_OPENS"]
    assert records.nbytes > 10 * 8 * 20  # columns of zeros may share theirs


def test_rows() -> None:
    row = darrow.open(POSIX)["POSIX"].to_pylist()[0]
    assert row["id"] == 17177216714167751639
    assert (row["rank"], row["name"]) == (0, "/scratch/project/posix-ops/a.0")
    assert (row["mount"], row["fs_type"]) == ("/scratch", "lustre")
    assert (row["POSIX_OPENS"], row["POSIX_BYTES_READ"]) == (3, 1400)


def test_nulls_and_raw() -> None:
    records = darrow.open(POSIX)["POSIX"]
    missing = [name for name in records.columns if None in records.column(name)]
    assert "POSIX_RENAMED_FROM" not in missing
    assert missing
    for name in missing:
        for value, stored in zip(records.column(name), records.raw.column(name), strict=True):
            assert stored == (-1 if value is None else value)
    assert "raw" in repr(records.raw)
    assert records.raw.raw.columns == records.columns


def test_select() -> None:
    log = darrow.open(POSIX)
    whole = log["POSIX"].to_pylist()
    columns = ["POSIX_WRITES", "rank"]
    for records in (darrow.open(POSIX)["POSIX"], log["POSIX"]):  # read anew, taken from what was read
        few = records.select(columns)
        assert few.columns == columns
        assert few.to_pylist() == [{name: row[name] for name in columns} for row in whole]
        assert few.select(["rank"]).columns == ["rank"]
        assert few.raw.columns == columns
        with pytest.raises(KeyError, match="NO_SUCH"):
            len(records.select(["NO_SUCH"]))
    assert log["POSIX"].select("rank").columns == ["rank"]
    with pytest.raises(ValueError, match="at least one"):
        log["POSIX"].select([])


SELECT_EACH = """
import sys
import darrow

for path in sys.argv[1:]:
    log = darrow.open(path)
    for name in log:
        for view in (lambda log: log[name], lambda log: log[name].records):
            whole = view(log)
            for column in whole.columns:
                few = view(darrow.open(path)).select([column])
                assert few.columns == [column], (path, name, column)
                assert repr(few.column(column)) == repr(whole.column(column)), (path, name, column)
"""


def test_each_column_can_be_read_alone() -> None:
    """In a child process: a reader that misses a column it needs may crash."""
    names = ("synth-all-modules", "lustre-apmpi-all", "dxt-v3-mpiio", "fx_POSIX_v2_be_3.41")
    paths = [str(DATA / f"{name}.darshan") for name in names]
    child = subprocess.run([sys.executable, "-c", SELECT_EACH, *paths], capture_output=True, text=True)
    assert (child.returncode, child.stderr) == (0, "")


def test_names_as_stored() -> None:
    log = darrow.open(DATA / "names-odd.darshan")
    for row in log["POSIX"].select(["id", "name", "name_bytes"]).to_pylist():
        assert row["name_bytes"] == log.names.bytes(row["id"])
        assert row["name"] == row["name_bytes"].decode("utf-8", "backslashreplace")


def test_schema() -> None:
    schema = darrow.open(POSIX)["POSIX"].schema
    assert schema.names[:2] == ["id", "rank"]
    assert len(schema) == len(list(schema)) == len(schema.names)
    field = schema["POSIX_BYTES_READ"]
    assert (field.type, field.unit, field.rule, field.since) == ("int64", "bytes", "sum", 1)
    assert field.meaning
    assert schema[0].name == "id"
    assert schema["id"].type == "uint64"
    assert schema["name"].type == "string"
    assert "POSIX_BYTES_READ" in schema
    assert "nothing" not in schema
    assert schema == darrow.open(POSIX)["POSIX"].schema
    assert len(str(schema).splitlines()) == len(schema) + 1
    assert pickle.loads(pickle.dumps(list(schema))) == list(schema)


def test_types_of_nested_columns() -> None:
    log = darrow.open(EVERYTHING)
    assert log["LUSTRE"].schema["components"].type.startswith("list<struct<stripe_size: int64, ")
    assert log["HEATMAP"].schema["write"].type == "list<int64>"
    assert log["DXT_POSIX"].schema["op"].type == "dictionary<int32, string>"


def test_dxt_records() -> None:
    log = darrow.open(DATA / "dxt-v2-posix.darshan")
    segments, records = log["DXT_POSIX"], log["DXT_POSIX"].records
    assert (len(segments), len(records)) == (100, 8)
    assert sum(records.column("write_count")) == segments.column("op").count("write") == 60
    first = segments.to_pylist()[0]
    assert (first["rank"], first["host"], first["op"], first["segment"]) == (0, "nid00001", "write", 0)
    assert (first["offset"], first["length"], first["thread_id"]) == (0, 4096, 140066471372608)
    assert log["POSIX"].records is log["POSIX"]


def test_header_record() -> None:
    log = darrow.open(EVERYTHING)
    header = log["APMPI"].header
    assert header["sync_flag"] == 0
    assert header["variance_total_mpitime"] == pytest.approx(7.982407367358569e-05)
    assert log["POSIX"].header is None
    assert len(log["APMPI"]) == 3
