"""`_core.Scan`: the tables of many logs hold what the tables of each log hold, however they are cut into batches."""

from __future__ import annotations

import itertools
import os
import re
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import logwriter
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from darrow import _core
from robustness import damaged_logs, in_child, intact_logs, plain, rss

OF_LOGS = ("jobs", "modules", "names", "mounts", "metadata", "problems", "metrics")
PARTS = ("records", "header")


class Stream:
    """What a capsule has, for those who ask for the Arrow interface."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


def scan(logs: Sequence[str | bytes | Path], tables: Sequence[str] = (), **options: Any) -> Any:
    return _core.Scan([os.fsencode(log) for log in logs], tables=list(tables), **options)


def drained(reading: Any, most: int | None = None) -> dict[str, pa.Table]:
    """Everything that comes, by table."""
    batches: dict[str, list[pa.Table]] = {}
    while (batch := reading.next()) is not None:
        assert 0 < batch.rows and (most is None or batch.rows <= most)
        batches.setdefault(batch.name, []).append(pa.table(Stream(batch.stream_capsule(False))))
    return {name: plain(pa.concat_tables(tables)).combine_chunks() for name, tables in batches.items()}


def tables_of(logs: Sequence[str | bytes | Path], tables: Sequence[str] = (), **options: Any) -> dict[str, pa.Table]:
    return drained(scan(logs, tables, **options), options.get("batch_rows"))


def shown(text: str) -> str:
    return os.fsencode(text).decode("utf-8", "backslashreplace")


@cache
def all_logs() -> tuple[Path, ...]:
    return tuple(log for log in [*intact_logs(), *damaged_logs()] if log.stat().st_size < 100_000)


@cache
def readable_logs() -> tuple[Path, ...]:
    def opens(path: Path) -> bool:
        try:
            darrow.open(path, strict=False).close()
        except darrow.DarrowError:
            return False
        return True

    return tuple(filter(opens, all_logs()))


@cache
def everything() -> dict[str, pa.Table]:
    return tables_of(all_logs())


def part_of(table: str) -> tuple[str, str]:
    """SQL name of the module, and the part of it."""
    for part in PARTS:
        if table.endswith(f"_{part}"):
            return table.removesuffix(f"_{part}"), part
    return table, "rows"


def own_table(log: darrow.Log, table: str) -> pa.Table | None:
    """The same rows from the log alone."""
    name, part = part_of(table)
    module = next((m for m in log if re.sub("[^a-z0-9_]", "", m.lower()) == name.replace("perf", "")), None)
    if module is None:
        return None
    if part != "rows":
        return pa.table(getattr(log[module], part)) if part == "records" else header_of(log, module)
    return log[module].to_arrow()


def header_of(log: darrow.Log, module: str) -> pa.Table:
    return pa.table(Stream(log._source.core.table(module, "header", [], None, None).stream_capsule(False)))


def with_origin(table: pa.Table, path: Path, log: darrow.Log) -> pa.Table:
    job = log.job
    table = table.add_column(0, "jobid", pa.array([job.jobid if job else None] * table.num_rows, pa.int64()))
    return table.add_column(0, "log", pa.array([shown(str(path))] * table.num_rows, pa.string()))


def module_tables() -> list[str]:
    return [name for name in _core.scan_tables() if name not in OF_LOGS]


# Rows -----------------------------------------------------------------------------------------------------------------


def test_the_names_of_the_tables():
    names = _core.scan_tables()
    assert names[-len(OF_LOGS) :] == list(OF_LOGS)
    assert {"posix", "mpiio", "stdio", "h5d", "pnetcdf_var", "bgq", "dxt_mpiio", "heatmap", "null"} < set(names)
    assert {"dxt_posix_records", "dxt_mpiio_records", "apmpi_header", "apxc_header"} < set(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("table", module_tables())
def test_modules_have_the_rows_of_each_log(table: str):
    expected = []
    for path in readable_logs():
        with darrow.open(path, strict=False) as log:
            own = own_table(log, table)
            if own is not None and own.num_rows:
                expected.append(with_origin(plain(own), path, log))
    ours = everything().get(table)
    if not expected:
        assert ours is None
        return
    assert ours is not None and ours.equals(pa.concat_tables(expected).combine_chunks())


@pytest.mark.parametrize("table", ["modules", "mounts", "names", "problems"])
def test_what_logs_say_of_themselves(table: str):
    expected = []
    for path in readable_logs():
        with darrow.open(path, strict=False) as log:
            log.verify()
            expected.append(with_origin(plain(log.table(table).to_arrow()), path, log))
    all_of_them = pa.concat_tables(expected).combine_chunks()
    assert everything()[table].select(all_of_them.column_names).equals(all_of_them)


def test_jobs():
    rows = {row["log"]: row for row in everything()["jobs"].to_pylist()}
    for path in readable_logs():
        with darrow.open(path, strict=False) as log:
            own = log.table("job").to_arrow().to_pylist()
            row = rows.pop(shown(str(path)), None)
            assert (row is None) == (not own)
            if row is None:
                continue
            assert {key: row[key] for key in own[0]} == own[0]
            assert (row["size"], row["log_bytes"]) == (path.stat().st_size, None)
            assert row["exe_bytes"] == (None if shown(log.job.exe) == log.job.exe else os.fsencode(log.job.exe))
    assert not rows


def test_metadata():
    expected = []
    for path in readable_logs():
        with darrow.open(path, strict=False) as log:
            for key, value in log.job.metadata.items() if log.job else ():
                expected.append((shown(str(path)), log.job.jobid, shown(key), shown(value)))
    ours = everything()["metadata"].to_pylist()
    assert [tuple(row[c] for c in ("log", "jobid", "key", "value")) for row in ours] == expected


def test_metrics_are_those_of_the_summary():
    """Also where the modules were not read for their own tables, or only in part."""
    expected = []
    for path in readable_logs():
        with darrow.open(path, strict=False) as log:
            expected.append(with_origin(plain(log.summary().layers.to_arrow()), path, log))
    table = pa.concat_tables(expected).combine_chunks()
    assert everything()["metrics"].equals(table)
    assert tables_of(all_logs(), ["metrics"])["metrics"].equals(table)
    assert tables_of(all_logs(), ["stdio", "metrics"])["metrics"].equals(table)
    assert tables_of(all_logs(), ["posix", "metrics"], ranks=[0])["metrics"].equals(table)


def test_what_regions_tell_of_modules():
    ours = {(row["log"], row["module"]): row for row in everything()["modules"].to_pylist()}
    for path in readable_logs():
        with darrow.open(path, strict=False) as log:
            lost = {p.module for p in log.verify() if p.severity == "error" and p.kind != "module_version"}
            names_lost = any(p.region == "names" and p.severity == "error" for p in log.verify())
            for name, module in log.modules.items():
                row = ours[shown(str(path)), name]
                assert row["inflated"] == len(module.bytes())
                opaque = module.status != "readable"
                assert (row["records"] is None) == opaque
                if not opaque:
                    part = "records"
                    assert row["records"] == log._source.core.table(name, part, ["id"], None, None).rows
                assert row["data"] == (module.bytes() if opaque and module.length else None)
                assert row["damaged"] == (name in lost or (names_lost and bool(row["records"])))


def test_regions_are_read_only_for_columns_that_need_them():
    few, all_of_them = scan(all_logs(), ["modules"], columns=["module", "length"]), scan(all_logs(), ["modules"])
    assert drained(few)["modules"].equals(drained(all_of_them)["modules"].select(["module", "length"]))
    assert few.counters()["bytes_inflated"] < all_of_them.counters()["bytes_inflated"]


def test_problems_are_complete_without_other_tables():
    assert tables_of(all_logs(), ["problems"])["problems"].equals(everything()["problems"])
    assert tables_of(all_logs(), ["posix", "problems"], ids=[1])["problems"].equals(everything()["problems"])


@pytest.mark.parametrize(("rows", "size"), [(1, 0), (7, 0), (1000, 0), (0, 1), (0, 5000), (0, 1 << 30)])
def test_batches_of_any_size_have_the_same_rows(rows: int, size: int):
    logs = [log for log in all_logs() if log.stat().st_size < 20_000]
    whole = tables_of(logs)
    cut = tables_of(logs, batch_rows=rows, batch_bytes=size)
    assert cut.keys() == whole.keys()
    for name, table in whole.items():
        assert cut[name].equals(table), name


def test_batches_are_as_large_as_was_asked_for():
    logs = [intact_logs()[0]] * 500
    reading = scan(logs, ["jobs"], batch_rows=100)
    sizes = [b.rows for b in iter(reading.next, None)]
    assert sizes == [100] * 5


# Columns --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", _core.scan_tables())
def test_the_schema_depends_on_no_log(table: str):
    told = pa.table(Stream(_core.scan_schema(table).stream_capsule(False))).schema
    assert told.names[:2] == ["log", "jobid"]
    assert told.field("log").type == pa.dictionary(pa.int32(), pa.string())
    stream = pa.RecordBatchReader.from_stream(Stream(scan(all_logs(), [table], batch_rows=50).stream_capsule()))
    assert stream.schema.equals(told, check_metadata=True)
    for batch in stream:
        assert batch.schema.equals(told, check_metadata=True)
    nothing = pa.RecordBatchReader.from_stream(Stream(scan([], [table]).stream_capsule()))
    assert nothing.schema.equals(told, check_metadata=True)
    assert nothing.read_all().num_rows == 0


def test_fields_carry_what_they_mean():
    schema = pa.table(Stream(_core.scan_schema("posix").stream_capsule(False))).schema
    assert schema.metadata == {b"table": b"posix", b"module": b"POSIX"}
    with darrow.open(next(p for p in intact_logs() if "POSIX" in darrow.open(p)), strict=False) as log:
        own = log["POSIX"].to_arrow().schema
    for field in own:
        assert schema.field(field.name).equals(field, check_metadata=True)


def test_columns_of_choice():
    whole = everything()["posix"]
    for columns in (["POSIX_OPENS", "log"], ["log"], ["jobid"], ["id", "jobid", "POSIX_F_READ_TIME"], ["name"]):
        ours = tables_of(all_logs(), ["posix"], columns=columns)["posix"]
        assert ours.equals(whole.select([c for c in whole.column_names if c in columns])), columns
        assert _core.scan_schema("posix", columns).columns == ours.column_names
    names = everything()["names"]
    assert tables_of(all_logs(), ["names"], columns=["name"])["names"].equals(names.select(["name"]))
    with_bytes = tables_of(all_logs(), ["posix"], columns=["name", "name_bytes"])["posix"]
    for name, stored in zip(*(with_bytes[c].to_pylist() for c in ("name", "name_bytes")), strict=True):
        assert (name is None) == (stored is None)
        assert name is None or stored.decode("utf-8", "backslashreplace") == name


def test_what_there_is_not():
    with pytest.raises(KeyError, match="no table"):
        scan([], ["POSIX"])
    with pytest.raises(KeyError, match="no table"):
        _core.scan_schema("file")
    with pytest.raises(ValueError, match='no column "bytes"'):
        scan([], ["jobs"], columns=["bytes"])
    with pytest.raises(ValueError, match="single table"):
        scan([], ["jobs", "names"], columns=["log"])
    with pytest.raises(ValueError, match="missing"):
        scan([], ["posix"], pattern="(")


# Rows of choice -------------------------------------------------------------------------------------------------------


def chosen(table: pa.Table, keep: Any) -> pa.Table:
    return table.filter(pa.array([bool(keep(row)) for row in table.to_pylist()], pa.bool_())).combine_chunks()


@pytest.mark.parametrize("table", ["posix", "stdio", "dxt_posix", "dxt_posix_records", "lustre", "heatmap"])
def test_rows_by_id_rank_and_name(table: str):
    whole = everything()[table]
    ids = pc.unique(whole["id"]).to_pylist()[::2]
    names = [name for name in pc.unique(whole["name"]).to_pylist() if name is not None][::3]
    pattern = r"(?i)dat|log|\.h5|heatmap|std"

    def ours(**options: Any) -> pa.Table:
        rows = tables_of(all_logs(), [table], **options)
        return rows.get(table, whole.slice(0, 0))

    assert ours(ids=ids).equals(chosen(whole, lambda row: row["id"] in ids))
    assert ours(ranks=[0, -1]).equals(chosen(whole, lambda row: row["rank"] in (0, -1)))
    assert ours(names=names).equals(chosen(whole, lambda row: row["name"] in names))
    found = chosen(whole, lambda row: row["name"] is not None and re.search(pattern, row["name"]))
    assert ours(pattern=pattern).equals(found)
    both = chosen(found, lambda row: row["id"] in ids and row["name"] in names and row["rank"] == 0)
    assert ours(pattern=pattern, ids=ids, names=names, ranks=[0]).equals(both)
    assert ours(ids=[]).num_rows == ours(names=[]).num_rows == ours(ranks=[]).num_rows == 0


def test_names_by_id_and_name():
    whole = everything()["names"]
    ids = whole["id"].to_pylist()[::3]
    assert tables_of(all_logs(), ["names"], ids=ids)["names"].equals(chosen(whole, lambda row: row["id"] in ids))
    found = chosen(whole, lambda row: row["id"] in ids and "a" in row["name"])
    assert tables_of(all_logs(), ["names"], ids=ids, pattern="a")["names"].equals(found)


def test_other_tables_have_all_rows():
    some = tables_of(all_logs(), ["jobs", "modules", "mounts", "metadata"], ids=[1], ranks=[7], names=["x"])
    assert all(some[name].equals(everything()[name]) for name in ("jobs", "modules", "mounts", "metadata"))


@pytest.mark.parametrize(("start", "end"), [(0.25, 0.75), (None, 0.5), (1.0, None), (0.0, 0.0), (5.0, 1.0)])
def test_segments_by_time(start: float | None, end: float | None):
    low, high = (-float("inf") if start is None else start), (float("inf") if end is None else end)

    def lies_within(row: dict[str, Any]) -> bool:
        begin, stop = row["start"], row["end"]
        return begin < high and (stop > low or (stop <= begin and begin >= low))

    for name in ("dxt_posix", "dxt_mpiio"):
        whole = plain_times(all_logs(), name)
        ours = plain_times(all_logs(), name, start=start, end=end)
        assert ours == [row for row in whole if lies_within(row)]


def plain_times(logs: Sequence[Path], table: str, **options: Any) -> list[dict[str, Any]]:
    reading = scan(logs, [table], columns=["log", "id", "rank", "segment", "start", "end"], **options)
    return pa.table(Stream(reading.stream_capsule())).to_pylist()


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
        try:
            darrow.open(path, strict=False).close()
            assert position not in told
        except darrow.DarrowError as e:
            code, message, region, offset = told[position]
            assert (code, region, offset) == (e.code, e.region, e.offset)
            assert message in str(e)


def test_strict_ends_at_the_first_error():
    def fails(path: Path) -> str | None:
        try:
            with darrow.open(path, strict=True) as log:
                return next((p.message for p in log.verify() if p.severity == "error"), None)
        except darrow.CorruptLogError as e:
            return str(e)
        except darrow.DarrowError:
            return None

    for path in damaged_logs():
        reading = scan([path], strict=True)
        if fails(path) is None:
            drained(reading)
            continue
        with pytest.raises(darrow.CorruptLogError) as e:
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


def test_bytes_that_are_no_text(tmp_path: bytes | Path):
    job = logwriter.job(
        metadata=b"lib_ver=3.5.0\nk\xff=v\xfe\n", text=b"/bin/\xe9 -x\next4\t/\nfs\xfa\t/scr\xfb\0", nprocs=1
    )
    names = logwriter.names([(1, b"/scr\xfb/a"), (2, b"/plain")])
    made = logwriter.Log(job=job, names=names, modules={"POSIX": (4, logwriter.posix(1) + logwriter.posix(2))})
    path = os.fsencode(tmp_path) + b"/\xfc.darshan"
    Path(os.fsdecode(path)).write_bytes(made.build())
    tables = tables_of([path])
    [job_row] = tables["jobs"].to_pylist()
    assert job_row["log"].endswith("/\\xfc.darshan") and job_row["log_bytes"] == path
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


def test_a_stream_is_lazy_and_taken_once():
    reading = scan(list(all_logs()), ["posix"], batch_rows=10)
    stream = pa.RecordBatchReader.from_stream(Stream(reading.stream_capsule()))
    assert reading.counters()["logs_opened"] == 0
    first = stream.read_next_batch()
    opened = reading.counters()["logs_opened"]
    assert first.num_rows == 10 and 0 < opened < len(all_logs())
    with pytest.raises(ValueError, match="taken"):
        reading.stream_capsule()
    with pytest.raises(ValueError, match="stream"):
        reading.next()
    rest = stream.read_all()
    table = plain(pa.Table.from_batches([first, *rest.to_batches()])).combine_chunks()
    assert table.equals(everything()["posix"])
    assert len(reading.failures()) == len(all_logs()) - len(readable_logs())
    assert reading.counters()["logs_opened"] == len(readable_logs())


def test_a_stream_owns_its_scan():
    stream = pa.RecordBatchReader.from_stream(Stream(scan(all_logs(), ["posix"]).stream_capsule()))
    assert plain(stream.read_all()).combine_chunks().equals(everything()["posix"])
    scan(all_logs(), ["posix"]).stream_capsule()  # nobody takes it


def test_a_stream_is_of_one_table():
    with pytest.raises(ValueError, match="several tables"):
        scan(all_logs(), ["posix", "names"]).stream_capsule()


def test_errors_come_through_the_stream():
    broken = next(p for p in damaged_logs() if p.stem in ("region_crc", "truncated_region") or "trunc" in p.stem)
    reading = scan([broken], strict=True, tables=["problems"])
    stream = pa.RecordBatchReader.from_stream(Stream(reading.stream_capsule()))
    with pytest.raises(OSError, match=re.escape(str(broken))):
        stream.read_all()


def test_polars_reads_a_stream():
    polars = pytest.importorskip("polars")
    ours = polars.DataFrame(Stream(scan(all_logs(), ["posix"], batch_rows=7).stream_capsule()))
    whole = everything()["posix"]
    assert ours["log"].cast(polars.String).to_list() == whole["log"].to_pylist()
    assert ours["POSIX_OPENS"].to_list() == whole["POSIX_OPENS"].to_pylist()
    assert ours["name"].to_list() == whole["name"].to_pylist()


def test_duckdb_reads_a_stream():
    duckdb = pytest.importorskip("duckdb")
    whole = everything()["posix"]
    reader = pa.RecordBatchReader.from_stream(Stream(scan(all_logs(), ["posix"], batch_rows=7).stream_capsule()))
    told = duckdb.sql("select log, sum(POSIX_OPENS) from reader group by log order by log").fetchall()
    own = whole.group_by("log").aggregate([("POSIX_OPENS", "sum")]).sort_by("log")
    assert told == list(zip(own["log"].to_pylist(), own["POSIX_OPENS_sum"].to_pylist(), strict=True))


# Many logs, several threads -------------------------------------------------------------------------------------------


def growth(files: list[str], times: int) -> list[int]:
    """How much memory each further pass over all logs takes."""
    logs = [os.fsencode(file) for file in files]
    marks = []
    for n in (times, times, 4 * times):
        reading = _core.Scan(logs * n, batch_bytes=1 << 18)
        while reading.next() is not None:
            pass
        marks.append(rss())
    return [b - a for a, b in itertools.pairwise(marks)]


def test_memory_does_not_grow_with_the_number_of_logs():
    files = [str(p) for p in intact_logs() if p.stat().st_size < 5_000][:40]
    again, four_times = in_child(growth, files, max(1, 1000 // len(files)))
    assert again < 4 << 20
    assert four_times < 4 << 20


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
    assert [os.path.basename(p) for p in logs] == [b"b.darshan", b"c.darshan_partial"] and not failures
