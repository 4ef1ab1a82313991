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
from darrow.heatmap import HeatmapRecords
from darrow.records import Reader
from darrow.striping import Layout

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
        error = from_core("io", "cannot be read", "a: cannot be read", "a", "", None, number)
        assert type(error) is kind
        assert (error.errno, error.filename) == (number, "a")
    assert type(from_core("io", "no", "a: no", "a", "", None, 0)) is OSError


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
    for late in (unread.to_pylist, log.verify, log.modules["POSIX"].bytes, unread.select(["id"]).to_pylist):
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
    assert records.nbytes > 10 * 8 * 80


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


# Heat maps


def test_heatmap_matrix() -> None:
    log = darrow.open(DATA / "heatmap-25s.darshan")
    records = log["HEATMAP"].to_pylist()
    for layer in ("POSIX", "STDIO"):
        for op in ("write", "read", None):
            matrix = log["HEATMAP"].matrix(layer, op)
            assert list(matrix.ranks) == [0, 1, 2]
            assert matrix.values.shape == (3, matrix.nbins) == (3, 128)
            assert matrix.bin_width == 0.2
            for row in records:
                if row["layer"] == layer:
                    both = [w + r for w, r in zip(row["write"], row["read"], strict=True)]
                    assert matrix.values.tolist()[row["rank"]] == (both if op is None else row[op])
    assert matrix.values[0, 5] == matrix.values.tolist()[0][5]
    assert repr(matrix) == "<HeatmapMatrix STDIO read and write: 3 ranks x 128 bins of 0.2 s>"
    twin = pickle.loads(pickle.dumps(matrix))
    assert twin == matrix
    assert twin.values.shape == (3, 128)
    with pytest.raises(KeyError, match="POSIX, STDIO"):
        log["HEATMAP"].matrix("H5F")
    with pytest.raises(ValueError, match="op is"):
        log["HEATMAP"].matrix("POSIX", "both")


def test_heatmap_of_uneven_records() -> None:
    log = darrow.open(DATA / "hm_mis8.darshan", strict=False)
    rows = log["HEATMAP"].to_pylist()
    assert len({row["nbins"] for row in rows}) == 2
    (layer,) = {row["layer"] for row in rows}
    matrix = log["HEATMAP"].matrix(layer, "write")
    assert matrix.nbins == max(row["nbins"] for row in rows)
    assert sum(map(sum, matrix.values.tolist())) == sum(sum(row["write"]) for row in rows)


class FakeHeatmap(HeatmapRecords):
    """Heat maps from Python values."""

    __slots__ = ("rows",)

    def __init__(self, nprocs: int, rows: list[tuple[int, float, list[int]]]) -> None:
        source = type("Source", (), {"nprocs": nprocs})()
        super().__init__(Reader(source, "HEATMAP"))
        self.rows = rows

    def select(self, columns: object) -> FakeHeatmap:
        return self

    def column(self, name: str) -> list:
        if name == "layer":
            return ["POSIX"] * len(self.rows)
        return [row[{"rank": 0, "bin_width": 1, "write": 2, "read": 2}[name]] for row in self.rows]


def test_heatmap_rebins_to_the_widest() -> None:
    records = FakeHeatmap(4, [(0, 0.1, [1, 2, 3, 4, 5]), (2, 0.2, [10, 20]), (7, 0.05, [1] * 9), (0, 0.2, [100])])
    matrix = records.matrix("POSIX", "write")
    assert list(matrix.ranks) == [0, 1, 2, 3, 7]
    assert matrix.bin_width == 0.2
    assert matrix.values.tolist() == [[103, 7, 5], [0, 0, 0], [10, 20, 0], [0, 0, 0], [4, 4, 1]]
    assert records.matrix("POSIX").values.tolist()[0] == [206, 14, 10]


def test_heatmap_of_damaged_sizes() -> None:
    nan, inf = float("nan"), float("inf")
    for width in (0.0, -1.0, nan, inf):
        assert FakeHeatmap(1, [(0, width, [1, 2])]).matrix("POSIX", "read").values.tolist() == [[1, 2]]
    assert FakeHeatmap(0, [(2**40, 0.1, [])]).matrix("POSIX").values.tolist() == [[0]]
    with pytest.raises(ValueError, match=r"long\(\)"):
        FakeHeatmap(2**40, [(0, 0.1, [1])]).matrix("POSIX")


# Striping


def component(start: int, end: int, size: int, osts: list[int], count: int | None = None) -> dict[str, object]:
    count = len(osts) if count is None else count
    return {"ext_start": start, "ext_end": end, "stripe_size": size, "stripe_count": count, "osts": osts}


def test_osts_of_a_plain_layout() -> None:
    layout = Layout([component(0, -1, 1024, [7, 3, 9])])
    assert layout.osts(0, 1) == [7]
    assert layout.osts(1023, 1) == [7]
    assert layout.osts(1023, 2) == [7, 3]
    assert layout.osts(1024, 2048) == [3, 9]
    assert layout.osts(2048, 2048) == [9, 7]
    assert layout.osts(5000, 10**18) == [3, 9, 7]
    assert layout.osts(2**62, 1) == [[7, 3, 9][(2**62 // 1024) % 3]]
    assert layout.osts(10, 0) == layout.osts(10, -5) == []


def test_osts_of_a_progressive_layout() -> None:
    second, third = component(1000, 5000, 500, [4, 5, 6]), component(5000, -1, 1000, [8, 4])
    layout = Layout([component(0, 1000, 100, [1]), second, third])
    assert layout.osts(0, 1000) == [1]
    assert layout.osts(990, 20) == [1, 6]  # byte 1000 is in stripe 2 of the second component
    assert layout.osts(900, 1200) == [1, 6, 4, 5]
    assert layout.osts(4999, 2) == [4]  # stripe 0 of the second component, then stripe 1 of the third
    assert layout.osts(0, 10**6) == [1, 6, 4, 5, 8]


def test_osts_of_odd_layouts() -> None:
    on_mdt = Layout([component(0, 64, 64, [], 0), component(64, -1, 64, [2, 3])])
    assert on_mdt.osts(0, 64) == []
    assert on_mdt.osts(60, 10) == [3]
    mirrored = Layout([component(0, -1, 10, [1, 2]), component(0, -1, 10, [8, 9])])
    assert mirrored.osts(5, 10) == [1, 2]
    overstriped = Layout([component(0, -1, 10, [1, 2, 1, 2])])
    assert overstriped.osts(0, 40) == [1, 2]
    gap = Layout([component(100, 200, 10, [1]), component(300, 310, 10, [2])])
    assert gap.osts(0, 400) == [1, 2]
    assert gap.osts(210, 50) == []
    assert Layout([component(0, -1, 10, [1], 4)]).osts(0, 40) == [1]  # a damaged record: fewer OSTs than stripes
    assert Layout([component(0, -1, 1, [1, 2], 2**62)]).osts(1, 2**61) == [2]
    assert Layout([component(0, -1, 0, [1]), component(0, -1, 10, [1], -3)]).osts(0, 40) == []
    assert Layout([component(50, 20, 10, [1])]).osts(0, 100) == []
    assert Layout([]).osts(0, 100) == []


def test_osts_byte_by_byte() -> None:
    layout = Layout([component(0, 30, 5, [1, 2]), component(40, 90, 7, [3, 4, 5]), component(90, -1, 16, [6, 1])])

    def slow(offset: int, length: int) -> list[int]:
        found = []
        for byte in range(offset, offset + length):
            for start, end, size, osts in ((0, 30, 5, [1, 2]), (40, 90, 7, [3, 4, 5]), (90, 10**9, 16, [6, 1])):
                if start <= byte < end and osts[byte // size % len(osts)] not in found:
                    found.append(osts[byte // size % len(osts)])
        return found

    for offset in range(130):
        for length in range(60):
            assert layout.osts(offset, length) == slow(offset, length), (offset, length)
