"""Many logs as one data set: `darrow.scan()`.

What single logs give is tested elsewhere; here their tables are put together.
"""

from __future__ import annotations

import io
import math
import os
import shutil
import struct
import threading
from pathlib import Path

import darrow
import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from corpus import DATA

LOGS = sorted(
    DATA / f"{name}.darshan"
    for name in ("example", "posix-ops", "hdf5-parallel", "stdio-streams", "lustre-apmpi-all", "names-odd", "dxt-posix")
)
TRACES = [DATA / "dxt-posix.darshan", DATA / "dxt-v2-posix.darshan", DATA / "example.darshan"]


@pytest.fixture(scope="module")
def dataset() -> darrow.Dataset:
    return darrow.scan(LOGS)


def put_together(name: str, logs: list[Path] = LOGS) -> pa.Table:
    """The tables of single logs, one below the other."""
    parts = []
    for path in logs:
        log = darrow.open(path)
        if name in log:
            table = pa.table(log[name])
            for column, value, kind in (("jobid", log.job.jobid, pa.int64()), ("log", str(path), pa.string())):
                table = table.add_column(0, column, pa.array([value] * len(table), kind))
            parts.append(table)
    return pa.concat_tables(parts, promote_options="default")


def plain(table: pa.Table) -> pa.Table:
    """Without dictionaries."""
    columns = [
        c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in (table[n] for n in table.column_names)
    ]
    return pa.table(columns, names=table.column_names)


def same(a: pa.Table, b: pa.Table) -> bool:
    return plain(a).combine_chunks().equals(plain(b).combine_chunks())


@pytest.mark.parametrize("name", ["POSIX", "STDIO", "MPI-IO", "LUSTRE", "HEATMAP", "H5D"])
def test_rows_are_those_of_the_logs(dataset: darrow.Dataset, name: str) -> None:
    assert same(dataset[name].to_arrow(), put_together(name))


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("rows", [0, 1, 7])
def test_threads_and_batches_change_nothing(threads: int, rows: int) -> None:
    table = darrow.scan(LOGS * 6, threads=threads)["POSIX"]
    batches = [pa.table(batch) for batch in table.batches(rows)]
    assert same(pa.concat_tables(map(plain, batches)), put_together("POSIX", LOGS * 6))
    assert not rows or max(map(len, batches)) <= rows


def test_batches_can_be_left(dataset: darrow.Dataset) -> None:
    before = threading.active_count()
    batches = darrow.scan(LOGS * 50, threads=4)["POSIX"].batches(1)
    assert len(next(batches)) == 1
    batches.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_each_stream_begins_anew(dataset: darrow.Dataset) -> None:
    posix = dataset["POSIX"]
    assert same(pa.table(posix), pa.table(posix))
    reader = pa.RecordBatchReader.from_stream(posix)
    assert reader.schema.names == posix.columns
    assert reader.schema.field("POSIX_READS").metadata[b"rule"] == b"sum"
    assert len(reader.read_all()) == len(posix)


def test_select(dataset: darrow.Dataset) -> None:
    all_rows = put_together("POSIX")
    ids = all_rows["id"].to_pylist()[3:6]
    columns = ["POSIX_OPENS", "log", "rank", "name"]
    got = dataset["POSIX"].select(columns, ids=ids, ranks=[-1, 0]).to_arrow()
    mask = pc.and_(pc.is_in(all_rows["id"], pa.array(ids, pa.uint64())), pc.is_in(all_rows["rank"], pa.array([-1, 0])))
    assert same(got, all_rows.filter(mask).select(columns))
    assert got.column_names == columns
    names = sorted(set(filter(None, all_rows["name"].to_pylist())))[:2]
    exact = dataset["POSIX"].select(names=names).to_arrow()
    assert same(exact, all_rows.filter(pc.is_in(all_rows["name"], pa.array(names))))
    found = dataset["POSIX"].select(names=r"\.dat$").to_arrow()
    assert same(found, all_rows.filter(pc.match_substring_regex(all_rows["name"], r"\.dat$")))
    assert len(found)
    both = dataset["POSIX"].select(ids=ids).select(ids=ids[1:], ranks=[0]).select(ranks=[0, 1])
    assert same(both.to_arrow(), dataset["POSIX"].select(ids=ids[1:], ranks=[0]).to_arrow())


@pytest.mark.parametrize("window", [(0.0, 0.1), (0.5, None), (None, 0.02), (0.1, 0.1), (1e9, None)])
def test_time_window(window: tuple[float | None, float | None]) -> None:
    rows = put_together("DXT_POSIX", TRACES)
    start, end = window
    first, last = rows["start"].to_numpy(), rows["end"].to_numpy()
    inside = (last > first) & (last > (start if start is not None else -1)) | (first >= (start or 0.0))
    inside &= first < (end if end is not None else float("inf"))
    got = darrow.scan(TRACES)["DXT_POSIX"].select(time=window).to_arrow()
    assert same(got, rows.filter(pa.array(inside)))


def test_only_what_is_asked_for_is_decoded() -> None:
    ds = darrow.scan(LOGS, threads=1)
    ds["POSIX"].to_arrow()
    everything = ds.counters
    ds["POSIX"].select(["rank", "POSIX_OPENS"]).to_arrow()
    columns = ds.counters
    assert columns["columns_decoded"] < everything["columns_decoded"] / 5
    assert columns["bytes_inflated"] < everything["bytes_inflated"]  # no names
    assert columns["records_copied"] == everything["records_copied"] == len(put_together("POSIX"))
    ds["POSIX"].select(["rank", "POSIX_OPENS"], ranks=[-1]).to_arrow()
    shared = pc.sum(pc.equal(put_together("POSIX")["rank"], -1)).as_py()
    assert ds.counters["records_copied"] == shared
    traces = darrow.scan(TRACES, threads=1)
    rows = len(traces["DXT_POSIX"].select(["start"], time=(0.0, 0.01)).to_arrow())
    assert traces.counters["records_copied"] == rows < len(put_together("DXT_POSIX", TRACES))


def test_other_tables(dataset: darrow.Dataset) -> None:
    jobs = dataset.table("jobs").to_arrow()
    assert jobs["log"].to_pylist() == [str(path) for path in LOGS]
    assert jobs["size"].to_pylist() == [path.stat().st_size for path in LOGS]
    assert jobs["nprocs"].to_pylist() == [darrow.open(path).job.nprocs for path in LOGS]
    names = dataset.table("names").to_arrow()
    assert len(names) == sum(len(darrow.open(path).names) for path in LOGS)
    metadata = dataset.table("metadata").to_arrow()
    assert metadata["key"].to_pylist().count("lib_ver") == len(LOGS)
    metrics = dataset.table("metrics").to_arrow().to_pylist()
    row = next(r for r in metrics if r["log"] == str(LOGS[0]) and r["module"] == "POSIX")
    assert row["bytes_written"] == darrow.open(LOGS[0]).summary()["POSIX"].bytes_written


def test_tables_and_failures(tmp_path: Path) -> None:
    for path in LOGS[:2]:
        shutil.copy(path, tmp_path)
    (tmp_path / "empty.darshan").touch()
    (tmp_path / "text.darshan").write_text("no log " * 1000)
    shutil.copy(DATA / "px_short.darshan", tmp_path)
    ds = darrow.scan(tmp_path)
    assert len(ds.logs) == 5
    assert [(Path(f.log).name, f.code) for f in ds.failures] == [
        ("empty.darshan", "not_a_log"), ("text.darshan", "not_a_log"),
    ]  # fmt: skip
    assert "posix" in ds
    assert "MPI-IO" not in ds or "mpiio" in ds.tables
    assert {"jobs", "modules", "names", "problems"} <= set(ds)
    whole = ds["POSIX"].to_arrow()
    assert len(whole) == sum(
        len(darrow.open(p, strict=False).table("posix")) for p in [*LOGS[:2], DATA / "px_short.darshan"]
    )
    with pytest.raises(darrow.CorruptLogError, match=r"px_short\.darshan.*604 of 704"):
        darrow.scan(tmp_path, strict=True)["POSIX"].to_arrow()
    damaged = ds.table("modules").to_arrow().filter(pc.field("damaged"))
    assert [Path(log).name for log in damaged["log"].to_pylist()] == ["px_short.darshan"]


def test_paths(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    for i, path in enumerate(LOGS[:3]):
        shutil.copy(path, (tmp_path, tmp_path / "a", below)[i])
    found = darrow.scan(tmp_path).logs
    assert len(found) == 3
    assert darrow.scan(str(tmp_path / "**" / "*.darshan")).logs == sorted(found)
    (tmp_path / "list").write_text("\n".join(found))
    assert darrow.scan(f"@{tmp_path / 'list'}").logs == found
    assert darrow.scan([Path(found[0]), os.fsencode(found[1])]).logs == found[:2]
    with pytest.raises(FileNotFoundError, match="missing"):
        darrow.scan([*found, tmp_path / "missing.darshan"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no log"):
        darrow.scan(tmp_path / "empty")
    with pytest.raises(TypeError, match="by their paths"):
        darrow.scan([3])  # type: ignore[list-item]


def test_index_is_kept(tmp_path: Path) -> None:
    logs = [shutil.copy(path, tmp_path) for path in LOGS[:3]]
    kept = tmp_path / "index.parquet"
    first = darrow.scan(logs, index=kept).index
    posix = first.filter(pc.equal(first["module"], "POSIX"))
    assert posix["records"].to_pylist() == [
        len(darrow.open(log)["POSIX"]) for log in logs if "POSIX" in darrow.open(log)
    ]
    assert posix["inflated"].to_pylist() == [
        len(darrow.open(log).modules["POSIX"].bytes()) for log in logs if "POSIX" in darrow.open(log)
    ]
    # A log that stayed as it was is not read: what lies there now would fail.
    stat = os.stat(logs[0])
    Path(logs[0]).write_bytes(bytes(stat.st_size))
    os.utime(logs[0], ns=(stat.st_atime_ns, stat.st_mtime_ns))
    again = darrow.scan(logs, index=kept)
    assert again.index.equals(first)
    assert len(again["POSIX"]) == len(put_together("POSIX", LOGS[:3]))
    # One that changed is.
    os.utime(logs[0], ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    changed = darrow.scan(logs, index=kept)
    assert changed.index.filter(pc.equal(changed.index["log"], str(logs[0])))["code"].to_pylist() == ["unfinished"]
    assert [f.log for f in changed.failures] == [str(logs[0])]
    kept.write_text("no index")
    with pytest.raises(darrow.DarrowError, match=r"index\.parquet"):
        _ = darrow.scan(logs, index=kept).index


def test_index_of_a_log_given_twice(tmp_path: Path) -> None:
    """It counts twice, as its rows are there twice, whether the index was made or kept and by whom."""
    log, kept = DATA / "example.darshan", tmp_path / "index.parquet"
    rows = len(darrow.open(log)["POSIX"])
    for logs in ([log], [log, log], [log]):
        for index in (kept, None):
            ds = darrow.scan(logs, index=index)
            assert ds.index["log"].to_pylist().count(str(log)) == len(darrow.open(log).modules)
            assert len(ds["POSIX"]) == ds["POSIX"].to_arrow().num_rows == rows * len(logs)


def test_polars_reads_what_it_needs() -> None:
    ds = darrow.scan(LOGS, threads=1)
    lazy, everything = ds["POSIX"].lazy(), pl.from_arrow(plain(put_together("POSIX")))
    assert isinstance(everything, pl.DataFrame)
    name = everything["name"].drop_nulls()[0]
    id = everything["id"][5]
    conditions = [
        pl.col("rank") == -1,
        pl.col("rank").is_in([0, 1]),
        (pl.col("rank") == 0) | (pl.col("rank") == 1),
        pl.col("id") == id,
        pl.col("name") == name,
        pl.col("name").str.ends_with(".dat"),
        pl.col("name").str.contains(r"\.d.t$"),
        (pl.col("POSIX_OPENS") > 1) & (pl.col("rank") == 0),
        (pl.col("rank") == 0) | (pl.col("POSIX_OPENS") > 1),
        pl.col("rank").is_null() | (pl.col("rank") != 0),
        pl.col("rank").cast(pl.String) == "0",
    ]
    for condition in conditions:
        query = lazy.filter(condition).select("id", "rank", "POSIX_OPENS")
        assert query.collect().equals(everything.filter(condition).select("id", "rank", "POSIX_OPENS")), condition
    lazy.filter(pl.col("id") == id).select("POSIX_OPENS").collect()
    assert ds.counters["records_copied"] == everything.filter(pl.col("id") == id).height
    lazy.select("POSIX_OPENS").collect()
    few = ds.counters
    lazy.collect()
    assert few["columns_decoded"] < ds.counters["columns_decoded"] / 5
    assert lazy.head(3).collect().height == 3
    assert lazy.select(pl.len()).collect().item() == everything.height


def test_polars_time_windows() -> None:
    ds = darrow.scan(TRACES, threads=1)
    lazy, everything = ds["DXT_POSIX"].lazy(), pl.from_arrow(plain(put_together("DXT_POSIX", TRACES)))
    assert isinstance(everything, pl.DataFrame)
    middle = everything["start"].median()
    for condition in (
        pl.col("start") < middle,
        pl.col("start") <= middle,
        pl.col("start") > middle,
        pl.col("start") >= middle,
        pl.col("end") > middle,
        pl.col("end") >= middle,
        pl.col("end") < middle,
        (pl.col("start") < middle) & (pl.col("end") > middle / 2),
        middle > pl.col("start"),
        pl.col("start") != middle,
        pl.col("start").ne_missing(middle),
        middle != pl.col("end"),
        ~(pl.col("start") == middle),
        pl.col("start").eq_missing(middle),
    ):
        got = lazy.filter(condition).select("segment", "start").collect()
        assert got.equals(everything.filter(condition).select("segment", "start")), condition
    lazy.filter(pl.col("start") < middle).collect()
    assert ds.counters["records_copied"] < everything.height


def test_polars_and_odd_times(tmp_path: Path) -> None:
    """Infinite times, none, ends before starts: the reader leaves out no row that Polars wants."""
    odd = (math.inf, -math.inf, math.nan, 0.0, 0.01, 1e300)
    plain_log = io.BytesIO()
    darrow.write(plain_log, darrow.open(TRACES[0]), compression="none")
    data = bytearray(plain_log.getvalue())
    region = darrow.open(bytes(data)).modules["DXT_POSIX"]
    at, number = region.offset, 0
    while at < region.offset + region.length:
        segments = sum(struct.unpack_from("<2q", data, at + 88))
        size = {1: 32, 2: 40}[region.version]
        for place in range(at + 104, at + 104 + segments * size, size):
            struct.pack_into("<2d", data, place + 16, odd[number % 6], odd[number // 6 % 6])
            number += 1
        at += 104 + segments * size
    (tmp_path / "odd.darshan").write_bytes(data)
    assert number > 36
    ds = darrow.scan(tmp_path / "odd.darshan")
    lazy, everything = ds["DXT_POSIX"].lazy(), ds["DXT_POSIX"].to_polars()
    for value in odd[:1] + odd[2:]:
        for column in (pl.col("start"), pl.col("end")):
            for condition in (column < value, column <= value, column > value, column >= value, column != value):
                got, want = lazy.filter(condition).collect(), everything.filter(condition)
                assert got.equals(want), condition
    assert ds["DXT_POSIX"].select(time=(0.0, None)).column("start").count(math.inf) == sum(
        start == math.inf for start, end in everything.select("start", "end").rows()
    )


def test_polars_upon_a_selection() -> None:
    table = darrow.scan(LOGS, threads=1)["POSIX"].select(["name", "rank"], names=r"\.dat$", ranks=[0, 1])
    everything = table.to_polars()
    condition = pl.col("name").str.starts_with("/scratch") & (pl.col("rank") == 0)
    assert table.lazy().filter(condition).collect().equals(everything.filter(condition))


def test_scan_darshan() -> None:
    frame = darrow.scan_darshan(LOGS, "STDIO").group_by("log").len().collect()
    assert dict(frame.rows()) == {
        str(path): len(darrow.open(path)["STDIO"]) for path in LOGS if "STDIO" in darrow.open(path)
    }


def test_duckdb_by_variable_name(dataset: darrow.Dataset) -> None:
    posix = dataset["POSIX"]
    sums = duckdb.sql("select log, sum(POSIX_OPENS) from posix group by log").fetchall()
    table = put_together("POSIX").group_by("log").aggregate([("POSIX_OPENS", "sum")])
    assert dict(sums) == dict(zip(table["log"].to_pylist(), table["POSIX_OPENS_sum"].to_pylist(), strict=True))
    assert len(posix) == duckdb.sql("select count(*) from posix").fetchall()[0][0]


@pytest.mark.parametrize("name", ["MPI-IO", "mpi-io", "mpiio", "MPIIO"])
def test_tables_by_any_spelling(dataset: darrow.Dataset, name: str) -> None:
    assert (name in dataset, dataset[name].name) == (True, "mpiio")
    assert darrow.scan_darshan(LOGS, name).select("id").collect().height == len(dataset["mpiio"])


@pytest.mark.parametrize("name", ["DXT_POSIX", "dxt_posix", "DXT-POSIX", "dxt posix", "dxtposix"])
def test_names_of_several_words_by_any_spelling(dataset: darrow.Dataset, name: str) -> None:
    log = darrow.open(TRACES[0])
    assert (name in log, log[name].name) == (True, "DXT_POSIX")
    assert (name in dataset, dataset[name].name) == (True, "dxt_posix")
    assert dataset[f"{name}_records"].name == "dxt_posix_records"


@pytest.mark.parametrize("name", ["", "-", "dxt", "é"])
def test_what_is_no_spelling_of_a_name(dataset: darrow.Dataset, name: str) -> None:
    assert name not in dataset
    assert name not in darrow.open(TRACES[0])


@pytest.mark.parametrize("rows", [{"ids": [5]}, {"ranks": [77]}, {"names": []}])
def test_records_that_open_regions_are_not_selected(rows: dict[str, list[int]]) -> None:
    """They came whatever was asked for. Queries look at their rows."""
    header = darrow.scan([DATA / "apmpi.darshan"])["apmpi_header"]
    with pytest.raises(ValueError, match="rows of apmpi_header cannot be selected so"):
        header.select(**rows)
    polars = pytest.importorskip("polars")
    assert header.lazy().filter(polars.col("rank") == 0).collect().height == 1
    assert header.lazy().filter(polars.col("rank") == 77).collect().height == 0


def test_what_cannot_be(dataset: darrow.Dataset) -> None:
    with pytest.raises(KeyError, match=r"no table nfs; there are: .*posix, mpiio, "):
        dataset["nfs"]
    with pytest.raises(TypeError, match="by their names, not by 0"):
        dataset[0]  # type: ignore[index]
    with pytest.raises(KeyError, match=r"no column 'opens' in posix"):
        dataset["POSIX"].select("opens")
    with pytest.raises(ValueError, match="at least one column"):
        dataset["POSIX"].select([])
    with pytest.raises(ValueError, match="ranks: rows of jobs cannot be selected so"):
        dataset.table("jobs").select(ranks=[0])
    with pytest.raises(ValueError, match="time: rows of posix"):
        dataset["POSIX"].select(time=(0, 1))
    with pytest.raises(ValueError, match="missing"):
        dataset["POSIX"].select(names="(")
    with pytest.raises(ValueError, match="an id is -1"):
        dataset["POSIX"].select(ids=[-1])
    with pytest.raises(ValueError, match="threads"):
        darrow.scan(LOGS, threads=0)
