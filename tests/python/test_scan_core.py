"""`_core.Scan`: the tables of many logs hold what the tables of each log hold, however they are cut into batches."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import darrow
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from darrow import _core
from robustness import intact_logs, plain
from scans import OF_LOGS, Stream, all_logs, drained, everything, readable_logs, scan, shown, stream, tables_of

PARTS = ("records", "header")


def part_of(table: str) -> tuple[str, str]:
    """SQL name of the module, and the part of it."""
    for part in PARTS:
        if table.endswith(f"_{part}"):
            return table.removesuffix(f"_{part}"), part
    return table, "rows"


def own_table(log: darrow.Log, table: str) -> pa.Table | None:
    """The same rows from the log alone."""
    name, part = part_of(table)
    module = next((m for m in log if re.sub("[^a-z0-9_]", "", m.lower()) == name), None)
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
    return [name for name in darrow.scan_tables() if name not in OF_LOGS]


# Rows -----------------------------------------------------------------------------------------------------------------


def test_the_names_of_the_tables():
    names = darrow.scan_tables()
    assert names[-len(OF_LOGS) :] == list(OF_LOGS)
    assert {"posix", "mpiio", "stdio", "h5d", "pnetcdf_var", "bgq", "dxt_mpiio", "heatmap", "null"} < set(names)
    assert {"dxt_posix_records", "dxt_mpiio_records", "apmpi_header", "apxc_header"} < set(names)
    assert len(set(names)) == len(names)


def test_tables_tell_what_they_hold():
    told = {table.name: (table.module.sql_name if table.module else None, table.part) for table in _core.scan_tables()}
    assert told == {name: (None, "rows") if name in OF_LOGS else part_of(name) for name in darrow.scan_tables()}


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
    assert ours is not None
    assert ours.equals(pa.concat_tables(expected).combine_chunks())


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
            own = plain(log.table("job").to_arrow()).to_pylist()
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


@pytest.mark.parametrize("table", darrow.scan_tables())
def test_the_schema_depends_on_no_log(table: str):
    told = pa.table(Stream(_core.scan_schema(table).stream_capsule(False))).schema
    assert told.names[:2] == ["log", "jobid"]
    assert told.field("log").type == pa.dictionary(pa.int32(), pa.string())
    reading = scan(all_logs(), [table], batch_rows=50)
    while (batch := reading.next()) is not None:
        assert pa.table(Stream(batch.stream_capsule(False))).schema.equals(told, check_metadata=True)
    assert scan([], [table]).next() is None


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
    columns = ["log", "id", "rank", "segment", "start", "end"]
    return stream(scan(logs, [table], columns=columns, **options), table, columns).read_all().to_pylist()
