"""`_core.Scan` beside its rows: failures, damage, odd bytes, streams, memory and threads; `_core.log_paths`."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path

import darrow
import logwriter
import pyarrow as pa
import pytest
from darrow import _core
from robustness import damaged_logs, growth, in_child, intact_logs, plain, rss
from scans import all_logs, drained, everything, readable_logs, scan, shown, stream, tables_of

# Failures and damage --------------------------------------------------------------------------------------------------


def test_logs_that_cannot_be_opened_are_told(tmp_path: Path):
    good = intact_logs()[0]
    (tmp_path / "empty.darshan").touch()
    (tmp_path / "zeros.darshan").write_bytes(bytes(2000))
    (tmp_path / "text.darshan").write_bytes(b"no log " * 300)
    logs = [tmp_path / "empty.darshan", good, tmp_path / "missing", tmp_path, tmp_path / "zeros.darshan", good]
    reading = scan([*logs, tmp_path / "text.darshan"], ["jobs"])
    assert drained(reading)["jobs"]["log"].to_pylist() == [shown(str(good))] * 2
    assert reading.counters()["logs_opened"] == 2
    told = reading.failures()
    assert [(position, code) for position, code, *_ in told] == [
        (0, "not_a_log"),
        (2, "io"),
        (3, "io"),
        (4, "unfinished"),
        (6, "not_a_log"),
    ]
    assert all(message for _, _, message, _, _ in told)
    assert told[0][3:] == ("header", 0)


def test_failures_are_those_of_open():
    reading = scan(all_logs(), ["jobs"])
    drained(reading)
    told = {position: tuple(rest) for position, *rest in reading.failures()}
    for position, path in enumerate(all_logs()):
        if position not in told:
            darrow.open(path, strict=False).close()
            continue
        code, message, region, offset = told[position]
        with pytest.raises(darrow.DarrowError, match=re.escape(message)) as e:
            darrow.open(path, strict=False)
        assert (code, region, offset) == (e.value.code, e.value.region, e.value.offset)


def test_strict_ends_at_the_first_error():
    """Unless the log cannot be opened at all, which is a failure as ever."""

    def worst(path: Path) -> set[str]:
        try:
            with darrow.open(path, strict=False) as log:
                return {p.kind for p in log.verify() if p.severity == "error"}
        except darrow.DarrowError as e:
            return {"corrupt"} & {e.code}

    for path in damaged_logs():
        reading = scan([intact_logs()[0], path], strict=True)
        kinds = worst(path)
        if not kinds:
            drained(reading)
            continue
        expected = darrow.UnsupportedVersionError if kinds == {"module_version"} else darrow.CorruptLogError
        with pytest.raises(expected) as e:
            drained(reading)
        assert e.value.file == str(path)
        assert reading.next() is None


def test_intact_logs_are_the_same_in_strict_mode():
    logs = [p for p in intact_logs() if p.stat().st_size < 100_000]
    strict, tolerant = tables_of(logs, strict=True), tables_of(logs)
    assert strict.keys() == tolerant.keys()
    assert all(strict[name].equals(tolerant[name]) for name in strict)


def test_a_region_that_is_too_large_is_damaged():
    log = next(p for p in intact_logs() if "POSIX" in darrow.open(p))
    tables = tables_of([log], max_region_bytes=100)
    kinds = tables["problems"]["kind"].to_pylist()
    assert "region_too_large" in kinds
    assert any(tables["modules"]["damaged"].to_pylist())


# Bytes ----------------------------------------------------------------------------------------------------------------


def test_bytes_that_are_no_text(tmp_path: Path):
    job = logwriter.job(
        metadata=b"lib_ver=3.5.0\nk\xff=v\xfe\n", text=b"/bin/\xe9 -x\next4\t/\nfs\xfa\t/scr\xfb\0", nprocs=1
    )
    names = logwriter.names([(1, b"/scr\xfb/a"), (2, b"/plain")])
    made = logwriter.Log(job=job, names=names, modules={"POSIX": (4, logwriter.posix(1) + logwriter.posix(2))})
    path = os.fsencode(tmp_path) + b"/\xfc.darshan"
    Path(os.fsdecode(path)).write_bytes(made.build())
    tables = tables_of([path])
    [job_row] = tables["jobs"].to_pylist()
    assert job_row["log"].endswith("/\\xfc.darshan")
    assert job_row["log_bytes"] == path
    assert (job_row["exe"], job_row["exe_bytes"]) == ("/bin/\\xe9 -x", b"/bin/\xe9 -x")
    assert tables["names"].select(["id", "name", "name_bytes"]).to_pylist() == [
        {"id": 1, "name": "/scr\\xfb/a", "name_bytes": b"/scr\xfb/a"},
        {"id": 2, "name": "/plain", "name_bytes": None},
    ]
    mount = tables["mounts"].to_pylist()[1]
    assert (mount["path"], mount["path_bytes"]) == ("/scr\\xfb", b"/scr\xfb")
    assert (mount["fs_type"], mount["fs_type_bytes"]) == ("fs\\xfa", b"fs\xfa")
    odd = next(row for row in tables["metadata"].to_pylist() if row["key"] != "lib_ver")
    assert (odd["key"], odd["key_bytes"], odd["value"], odd["value_bytes"]) == ("k\\xff", b"k\xff", "v\\xfe", b"v\xfe")
    found = tables_of([path], ["posix"], names=["/scr\\xfb/a"])["posix"]
    assert found["id"].to_pylist() == [1]
    assert tables_of([path], ["posix"], pattern=r"\\xfb/a$")["posix"]["id"].to_pylist() == [1]


# Streams --------------------------------------------------------------------------------------------------------------


def test_a_stream_is_lazy():
    reading = scan(list(all_logs()), ["posix"], batch_rows=10)
    batches = stream(reading, "posix")
    assert reading.counters()["logs_opened"] == 0
    first = batches.read_next_batch()
    opened = reading.counters()["logs_opened"]
    assert first.num_rows == 10
    assert 0 < opened < len(all_logs())
    rest = batches.read_all()
    table = plain(pa.Table.from_batches([first, *rest.to_batches()])).combine_chunks()
    assert table.equals(everything()["posix"])
    assert len(reading.failures()) == len(all_logs()) - len(readable_logs())
    assert reading.counters()["logs_opened"] == len(readable_logs())


def test_a_stream_owns_its_scan():
    assert plain(stream(scan(all_logs(), ["posix"]), "posix").read_all()).combine_chunks().equals(everything()["posix"])
    _core.stream_of(_core.scan_schema("posix"), scan(all_logs(), ["posix"]).next)  # nobody takes it


def test_errors_come_through_the_stream():
    broken = next(p for p in damaged_logs() if p.stem in ("region_crc", "truncated_region") or "trunc" in p.stem)
    reading = scan([broken], strict=True, tables=["problems"])
    with pytest.raises(OSError, match=re.escape(str(broken))):
        stream(reading, "problems").read_all()


def test_polars_reads_a_stream():
    polars = pytest.importorskip("polars")
    ours = polars.DataFrame(stream(scan(all_logs(), ["posix"], batch_rows=7), "posix"))
    whole = everything()["posix"]
    assert ours["log"].cast(polars.String).to_list() == whole["log"].to_pylist()
    assert ours["POSIX_OPENS"].to_list() == whole["POSIX_OPENS"].to_pylist()
    assert ours["name"].to_list() == whole["name"].to_pylist()


def test_duckdb_reads_a_stream():
    duckdb = pytest.importorskip("duckdb")
    whole = everything()["posix"]
    reader = stream(scan(all_logs(), ["posix"], batch_rows=7), "posix")
    connection = duckdb.connect().register("stream", reader)
    told = connection.sql("select log, sum(POSIX_OPENS) from stream group by log order by log").fetchall()
    own = whole.group_by("log").aggregate([("POSIX_OPENS", "sum")]).sort_by("log")
    assert told == list(zip(own["log"].to_pylist(), own["POSIX_OPENS_sum"].to_pylist(), strict=True))


# Many logs, several threads -------------------------------------------------------------------------------------------


def scan_again_and_again(files: list[str], times: int) -> int:
    """Growth of memory in bytes over a quarter of one scan of these logs that many times, after one to warm up."""
    logs = [os.fsencode(file) for file in files]
    for n in (1, times):
        reading = _core.Scan(logs * n, batch_bytes=1 << 18)
        memory = []
        while reading.next() is not None:
            memory.append(rss())
    return growth(memory)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_logs():
    files = [str(log) for log in readable_logs() if log.stat().st_size < 5_000][:40]  # each failure is kept
    assert in_child(scan_again_and_again, files, 20_000 // len(files)) < 512 << 10  # 100 bytes a log


def test_scans_in_two_threads_do_not_meet():
    tables: list[dict[str, pa.Table]] = []
    threads = [threading.Thread(target=lambda: tables.append(tables_of(all_logs()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tables) == 3
    for ours in tables:
        assert ours.keys() == everything().keys()
        assert all(ours[name].equals(table) for name, table in everything().items())


def interrupted(how: str, logs: list[str]) -> list[object]:
    """Seconds until a scan that would take a minute has ended, and what it raised."""
    many = [os.fsencode(log) for log in logs] * 500_000
    reading = _core.Scan(many, tables=["problems"])
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    try:
        if how == "next":
            while reading.next() is not None:
                pass
        else:
            read_stream(reading)
    except KeyboardInterrupt:
        return [time.monotonic() - begin, "KeyboardInterrupt"]
    return [time.monotonic() - begin, ""]


def read_stream(reading: _core.Scan) -> None:
    """Streams know of errors only: the interrupt itself follows as soon as Python goes on."""
    try:
        stream(reading, "problems").read_all()
    except OSError:
        time.sleep(1)


@pytest.mark.parametrize("how", ["next", "stream"])
def test_an_interrupt_does_not_wait_for_a_batch(how: str):
    seconds, raised = in_child(interrupted, how, [str(intact_logs()[0])])
    assert raised == "KeyboardInterrupt"
    assert seconds < 5


# What arguments stand for ---------------------------------------------------------------------------------------------


def test_paths_of_arguments(tmp_path: Path):
    for name in ("b.darshan", "a.darshan", "x/c.darshan_partial", "x/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "list").write_text(f"{tmp_path}/b.darshan\n{tmp_path}/x\n")

    def paths(*arguments: str, every_file: bool = False) -> tuple[list[str], list[str]]:
        logs, failures = _core.log_paths([os.fsencode(tmp_path / a) for a in arguments], every_file)
        return [os.fsdecode(p).removeprefix(f"{tmp_path}/") for p in logs], [os.fsdecode(f) for f, _ in failures]

    assert paths("b.darshan", "missing") == (["b.darshan", "missing"], [])
    assert paths("x") == (["x/c.darshan_partial"], [])
    assert paths("x", every_file=True) == (["x/c.darshan_partial", "x/notes.txt"], [])
    assert paths("*.darshan") == (["a.darshan", "b.darshan"], [])
    assert paths("empty") == ([], [f"{tmp_path}/empty"])
    logs, failures = _core.log_paths([b"@" + os.fsencode(tmp_path / "list")], False)
    assert [os.path.basename(p) for p in logs] == [b"b.darshan", b"c.darshan_partial"]
    assert not failures
