"""Whatever ends a write leaves no file, or the one that was there; and a new one is as the user's settings have it."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import darrow
import logwriter
import pytest
from robustness import in_child, peak_rss

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

JOB = {"nprocs": 4, "end_time_sec": 1}
SMALL = {"POSIX": {"id": [1], "rank": [0], "POSIX_OPENS": [1]}}


def big_log(rows: int) -> bytes:
    """STDIO records that take long to compress."""
    record = np.frombuffer(logwriter.stdio(0), "<i8")
    words = np.tile(record, (rows, 1))
    words[:, 0] = np.arange(rows)
    words[:, 2:8] = np.random.default_rng(1).integers(0, 2**20, (rows, 6))
    return logwriter.Log(
        job=logwriter.job(), modules={"STDIO": (2, words.tobytes())}, compression=logwriter.NONE
    ).build()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "big.darshan"
    path.write_bytes(big_log(2_500))
    return path


WRITE = """
import sys, json, signal, darrow
signal.signal(signal.SIGINT, signal.default_int_handler)
source, target, level, overwrite = json.loads(sys.argv[1])
log = darrow.open(source)
print("begins", flush=True)
darrow.write(target, log, level=level, overwrite=overwrite)
print("written", flush=True)
"""


def start(source: Path, target: Path, level: int = 12, overwrite: bool = False) -> subprocess.Popen[str]:
    """A process that begins to write."""
    arguments = json.dumps([str(source), str(target), level, overwrite])
    child = subprocess.Popen(
        [sys.executable, "-c", WRITE, arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout
    assert child.stdout.readline() == "begins\n"
    return child


@pytest.fixture(scope="module")
def whole(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, float]:
    """What is written if nobody interrupts, and how long it takes."""
    path = tmp_path_factory.mktemp("whole") / "log"
    child = start(source, path)
    began = time.monotonic()
    assert child.wait() == 0
    return path.read_bytes(), time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["SIGKILL", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("moment", [0.0, 0.4, 0.8, 1.0])
def test_signals(source: Path, whole: tuple[bytes, float], tmp_path: Path, kind: str, moment: float) -> None:
    """Nothing is left, or the whole log: never a part of it, nor another file."""
    data, seconds = whole
    target = tmp_path / "log"
    child = start(source, target)
    time.sleep(moment * seconds)
    child.send_signal(getattr(signal, kind))
    child.wait()
    assert os.listdir(tmp_path) in ([], ["log"])
    if target.exists():
        assert target.read_bytes() == data
    if moment == 0 and kind != "SIGINT":
        assert not target.exists()


@pytest.mark.slow
def test_what_was_there_stays_until_the_new_log_is_complete(
    source: Path, whole: tuple[bytes, float], tmp_path: Path
) -> None:
    data, seconds = whole
    target = tmp_path / "log"
    target.write_bytes(b"as it was")
    child = start(source, target, overwrite=True)
    time.sleep(0.3 * seconds)
    child.kill()
    child.wait()
    assert target.read_bytes() == b"as it was"
    child = start(source, target, overwrite=True)
    seen = set()
    while child.poll() is None:
        seen.add(target.read_bytes())
        time.sleep(0.001)
    assert seen | {target.read_bytes()} <= {b"as it was", data}
    assert target.read_bytes() == data
    assert os.listdir(tmp_path) == ["log"]


@pytest.mark.slow
def test_two_writers_to_one_path(source: Path, whole: tuple[bytes, float], tmp_path: Path) -> None:
    """One wins; without leave to overwrite the other one fails."""
    target = tmp_path / "log"
    for overwrite in (True, False):
        target.unlink(missing_ok=True)
        writers = [start(source, target, 1 + 11 * i, overwrite) for i in range(2)]
        codes = sorted(writer.wait() for writer in writers)
        assert codes == ([0, 0] if overwrite else [0, 1])
        assert os.listdir(tmp_path) == ["log"]
        assert len(darrow.open(target)["STDIO"]) == 2_500
    assert target.read_bytes() != whole[0], "the fast one was first"


def write_with_little_room(source: str, target: str, sizes: list[int]) -> list[list[object]]:
    """Error and folder after writes where files may not pass some size, first of a new file, then over an old one."""
    log = darrow.open(source)
    log["STDIO"].to_arrow()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    path, seen = Path(target), []
    for size in sizes:
        for old in (None, b"as it was"):
            path.unlink(missing_ok=True)
            if old:
                path.write_bytes(old)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
            try:
                darrow.write(path, log, level=1, overwrite=bool(old))
            except OSError as error:
                seen.append([error.errno, error.filename == target, os.listdir(path.parent)])
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            if old and path.read_bytes() != old:
                seen.append(["changed"])
    return seen


def test_no_room(source: Path, tmp_path: Path) -> None:
    seen = in_child(write_with_little_room, str(source), str(tmp_path / "log"), [0, 100, 1328, 65536])
    assert seen == [[errno.EFBIG, True, []], [errno.EFBIG, True, ["log"]]] * 4


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600), (0, 0o666)])
def test_modes(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        for overwrite in (False, True):
            darrow.write(tmp_path / "log", SMALL, job=JOB, overwrite=overwrite)
            assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == mode
    finally:
        os.umask(before)


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link").symlink_to("../b")
    (tmp_path / "chain").symlink_to(tmp_path / "a" / "link")
    darrow.write(tmp_path / "chain", SMALL, job=JOB)
    first = (tmp_path / "b").read_bytes()
    assert (tmp_path / "chain").is_symlink()
    assert not (tmp_path / "b").is_symlink()
    with pytest.raises(FileExistsError):
        darrow.write(tmp_path / "a" / "link", SMALL, job=JOB)
    darrow.write(tmp_path / "a" / "link", SMALL, job=JOB | {"jobid": 7}, overwrite=True)
    assert (tmp_path / "a" / "link").is_symlink()
    assert (tmp_path / "b").read_bytes() != first
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "chain"]
    (tmp_path / "hard").hardlink_to(tmp_path / "b")
    darrow.write(tmp_path / "b", SMALL, job=JOB, overwrite=True)
    assert darrow.open(tmp_path / "hard").job.jobid == 7, "the other name keeps the log that was there"


def test_folders_that_may_not_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to root")
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        darrow.write(tmp_path / "log", SMALL, job=JOB)
    tmp_path.chmod(0o300)  # may be written, not listed
    darrow.write(tmp_path / "log", SMALL, job=JOB)
    tmp_path.chmod(0o700)


# Memory ---------------------------------------------------------------------------------------------------------------


def write_a_million(rows: int, target: str) -> dict[str, int]:
    """Bytes of the table, the region and the file, and how far memory rose above what was there before."""
    whole = {"i8": pa.array(np.arange(rows) % 4), "f8": pa.array(np.arange(rows) % 5 / 2)}
    schema = darrow.from_records(b"", "POSIX").to_arrow().schema
    columns = {field.name: whole["f8" if field.type == pa.float64() else "i8"] for field in schema}
    table = pa.table(columns)
    before = peak_rss()
    darrow.write(target, {"POSIX": table}, job=JOB, level=1)
    return {"table": table.nbytes, "region": rows * 704, "file": os.path.getsize(target), "rise": peak_rss() - before}


@pytest.mark.slow
def test_peak_memory_of_a_million_rows(tmp_path: Path) -> None:
    """The table is not copied as a whole: beside it there are the region and what it is compressed to."""
    size = in_child(write_a_million, 10**6, str(tmp_path / "log"))
    assert size["rise"] < size["region"] + size["file"] + (100 << 20)
