"""darrow.sql(): what queries give, what they read, and what is said of those that have an error."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import darrow
import made
import pytest
from corpus import DATA

pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

EXAMPLE = DATA / "example.darshan"
LOGS = sorted(DATA.glob("*.darshan"))


def rows(query: str, source: object = EXAMPLE) -> list[tuple[object, ...]]:
    return darrow.sql(query, source).fetchall()


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two jobs of two files and ranks each."""
    for job in (1, 2):
        posix = [
            made.row("POSIX", file, rank, OPENS=job, MAX_BYTE_READ=100 * (file % 1000) + rank, BYTES_READ=10)
            for file in (2**64 - 1, 7)
            for rank in (0, 1)
        ]
        names = [(2**64 - 1, b"/data/high"), (7, b"/data/low")]
        log = made.log_bytes({"POSIX": posix}, jobid=job, names=names)
        (tmp_path / f"job{job}.darshan").write_bytes(log)
    return tmp_path


# Results


def test_result_is_a_table() -> None:
    result = darrow.sql("select id, rank, POSIX_OPENS from posix order by id, rank", EXAMPLE)
    assert result.columns == ["id", "rank", "POSIX_OPENS"]
    assert result.types == ["UBIGINT", "BIGINT", "BIGINT"]
    expected = darrow.open(EXAMPLE)["POSIX"].select(["id", "rank", "POSIX_OPENS"]).to_polars().sort("id", "rank")
    assert result.pl().equals(expected)
    assert pl.DataFrame(result).equals(expected)
    assert pl.from_arrow(result.arrow()).equals(expected)
    assert pl.from_arrow(pa.Table.from_batches(result.batches(3))).equals(expected)
    assert result.df()["id"].tolist() == expected["id"].to_list()
    assert str(expected["id"][0]) in repr(result)


def test_result_outlives_everything_else() -> None:
    result = darrow.sql("select count(*) as n from posix", darrow.scan(EXAMPLE))
    gc.collect()
    assert result.fetchall() == result.fetchall() == [(16,)]
    relation = darrow.sql("select rank from posix", EXAMPLE).relation
    gc.collect()
    assert relation.filter("rank = 2").count("*").fetchall() == [(2,)]
    reader = darrow.sql("select rank from posix", EXAMPLE).to_reader()
    gc.collect()
    assert reader.read_all().num_rows == 16


def test_integers_of_64_bits_survive(two: Path) -> None:
    frame = darrow.sql("select id, null::bigint as nothing from posix where rank = 0", two).to_pandas()
    assert sorted(set(frame["id"])) == [7, 2**64 - 1]
    assert frame["nothing"].isna().all()


def test_sources(two: Path) -> None:
    query = "select count(*), count(distinct log), sum(jobid)::int from posix"
    both = [str(two / "job1.darshan"), two / "job2.darshan"]
    for source in (two, both, str(two / "*.darshan"), darrow.scan(two)):
        assert rows(query, source) == [(8, 2, 12)]
    with darrow.open(two / "job2.darshan") as log:
        assert rows(query, log) == [(4, 1, 8)]
    with pytest.raises(ValueError, match="not opened by its path"):
        rows(query, darrow.open((two / "job1.darshan").read_bytes()))
    with pytest.raises(FileNotFoundError):
        rows(query, two / "job3.darshan")


def test_every_table_is_there_always() -> None:
    tables = [*darrow.scan_tables(), "failures"]
    assert {"posix", "mpiio", "dxt_posix", "heatmap", "dfs", "apmpi", "jobs", "metrics", "problems"} <= set(tables)
    views = ["dxt", "files", "posix_files", "mdhim_jobs"]
    counted = (f"select '{table}', count(*) from \"{table}\"" for table in [*tables, *views])
    counts = dict(rows(" union all ".join(counted), DATA / "nm_dup.darshan"))
    dataset = darrow.scan(DATA / "nm_dup.darshan")
    assert {table: counts[table] for table in darrow.scan_tables()} == {
        table: len(dataset[table]) for table in darrow.scan_tables()
    }
    assert counts["failures"] == counts["mdhim_jobs"] == 0
    assert counts["files"] > 0
    assert rows("select count(*) from dfs") == rows("select count(*) from dfs_files") == [(0,)]


def test_tables_are_those_of_the_log() -> None:
    log = darrow.open(EXAMPLE)
    for table in ("posix", "mpiio", "stdio", "lustre", "dxt_posix", "heatmap", "apmpi", "names", "mounts"):
        own = log.table(table).to_arrow()
        columns = ", ".join(f'"{column}"' for column in own.column_names)
        got = darrow.sql(f'select {columns} from "{table}"', EXAMPLE).to_arrow()
        assert got.to_pylist() == own.to_pylist()


def test_both_traces_are_one_table() -> None:
    log = darrow.open(EXAMPLE)
    counts = [("MPIIO", len(log["DXT_MPIIO"])), ("POSIX", len(log["DXT_POSIX"]))]
    assert rows("select api, count(*) from dxt group by api order by api") == counts


def test_a_table_twice() -> None:
    assert rows("select count(*) from posix a join posix b using (id, rank)") == [(16,)]
    query = "with p as (select * from posix) select count(*) from p where id in (select id from p where rank = 0)"
    assert rows(query) == [(3,)]
    made_view = "create temp view few as select * from posix where rank = 2; select count(*) from few, few as other"
    assert rows(made_view) == [(4,)]


def test_failures_are_told(two: Path) -> None:
    (two / "bad.darshan").write_bytes(b"no log" * 1000)
    result = darrow.sql("select jobid from jobs order by 1", two)
    assert result.fetchall() == [(1,), (2,)]
    assert [(Path(f.log).name, f.code) for f in result.failures] == [("bad.darshan", "not_a_log")]
    assert rows("select code, region from failures", two) == [("not_a_log", "header")]
    assert rows("select log from failures", EXAMPLE) == []


def test_strict_data_sets_raise_what_they_met() -> None:
    damaged = DATA / "names_trunc.darshan"
    assert rows("select count(*) from names", damaged)
    with pytest.raises(darrow.CorruptLogError, match=r"names_trunc\.darshan"):
        rows("select count(id) from names", darrow.scan(damaged, strict=True))


# What is read


def cost(query: str, source: object = EXAMPLE) -> dict[str, int]:
    result = darrow.sql(query, source)
    result.fetchall()
    return result.counters


def test_only_needed_columns_are_read() -> None:
    one = cost("select sum(POSIX_OPENS) from posix")
    assert 1 <= one["columns_decoded"] <= 3
    assert cost("select * from posix")["columns_decoded"] > 80
    assert cost("select sum(POSIX_OPENS) from posix_files")["columns_decoded"] <= 5
    assert cost("select POSIX_READS from posix where POSIX_OPENS > 1")["columns_decoded"] <= 4


def test_only_needed_regions_are_read() -> None:
    jobs = cost("select jobid from jobs")
    posix = cost("select count(POSIX_OPENS) from posix")
    everything = cost(
        "select p.id from posix p, names n, stdio s, dxt_posix d, dxt_mpiio m, heatmap h, apmpi a limit 1"
    )
    assert jobs["bytes_inflated"] < posix["bytes_inflated"] < everything["bytes_inflated"]
    assert cost("select 1")["logs_opened"] == 0


def test_only_needed_records_are_read(two: Path) -> None:
    name = "/scratch/project/lustre-apmpi-all/coll.dat"
    every = cost("select sum(POSIX_OPENS) from posix")["records_copied"]
    assert every == 16
    for condition, count in (
        ("rank = 2", 2),
        ("rank in (1, 2)", 4),
        ("id = 4848770507025656462", 1),
        (f"name = '{name}'", 1),
        (f"rank in (-1, 0) and name in ('{name}', 'x')", 1),
        ("POSIX_OPENS > 1 and rank = 2", 2),
        ("rank > 100", 16),  # what is not understood is looked at by DuckDB
    ):
        got = cost(f"select sum(POSIX_OPENS) from posix where {condition}")
        assert got["records_copied"] == count, condition
    assert cost("select POSIX_OPENS from posix_files where id = 4848770507025656462")["records_copied"] == 1
    one = cost(f"select sum(POSIX_OPENS) from posix where log = '{two}/job2.darshan'", two)
    assert (one["logs_opened"], one["records_copied"]) == (1, 4)


def test_time_windows_leave_segments_out() -> None:
    every = cost("select count(start) from dxt_posix")["records_copied"]
    early = "select count(start) from dxt_posix where start < 0.97"
    assert 0 < rows(early)[0][0] < rows("select count(*) from dxt_posix")[0][0]
    assert rows(early)[0][0] == cost(early)["records_copied"] < every


@pytest.mark.parametrize(
    "condition",
    [
        "rank = 0", "rank in (0, 2)", "rank <> 0", "rank between 0 and 1", "rank is null", "rank = 0 or id = 7",
        "id = 18446744073709551615", "id in (7, 8)", "id = 7 and id = 8", "name = '/data/low'", "name like '%low'",
        "name in ('/data/low', '/data/high', 'x')", "name = 'it''s \"x\"'", "log like '%job1%'", "jobid = 2",
        "jobid in (1, 2) and rank = 1", "name = '/data/low' or name = '/data/high'", "not (rank = 1)",
        "id = 7 and rank in (0, 1) and POSIX_MAX_BYTE_READ > 700", "POSIX_F_READ_TIME <= 0", "rank in (0, null)",
    ],
)  # fmt: skip
def test_filters_select_the_same_rows_as_without_help(two: Path, condition: str) -> None:
    table = darrow.sql("select * from posix", two).to_arrow()
    import duckdb

    connection = duckdb.connect()
    connection.register("posix", table)
    query = f"select jobid, id, rank, POSIX_MAX_BYTE_READ from posix where {condition} order by all"
    assert rows(query, two) == connection.sql(query).fetchall()


# Errors


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("select * from posixx", r"no table posixx \(did you mean posix\?\); there are: .*posix, mpiio, .*; views dxt"),
        ("select * from other", r"no table other; there are: .*posix"),
        ("select POSIX_OPEN from posix", r"no column POSIX_OPEN.*; posix has POSIX_OPENS"),
        ("select jobs.nope from jobs", r"no column nope.*; jobs has log, jobid, uid, nprocs"),
        ("select sizes from files", r"no column sizes.*; files has .*bytes_read"),
        ("select rank frm posix", r'^syntax error at or near "posix" \(line 1, column 17\)$'),
        ("select\n  rank,\n from from posix", r"^syntax error at or near .* \(line 3, column \d+\)$"),
        ("", r"^the query is empty$"),
        ("select cast('a' as int)", r"Could not convert"),
        ("select error('boom') from jobs", r"^boom$"),
        ("select * from 'https://localhost/x.parquet'", r"httpfs"),
        ("install spatial", r"."),
    ],
)  # fmt: skip
def test_errors_help(query: str, message: str) -> None:
    with pytest.raises(darrow.QueryError, match=message) as caught:
        rows(query)
    assert "\n" not in str(caught.value)


def test_variables_are_no_tables() -> None:
    frame = pl.DataFrame({"a": [1]})
    with pytest.raises(darrow.QueryError, match="no table frame"):
        rows("select * from frame")
    assert len(frame) == 1


def test_settings() -> None:
    assert darrow.sql("select current_setting('threads')", EXAMPLE, threads=1).fetchall() == [(1,)]
    assert "1.8 GiB" in str(darrow.sql("select current_setting('memory_limit')", EXAMPLE, memory="2GB").fetchall())
    with pytest.raises(ValueError, match="much"):
        darrow.sql("select 1", EXAMPLE, memory="much")


def test_the_query_comes_first() -> None:
    with pytest.raises(TypeError, match="comes first"):
        darrow.sql(darrow.scan(EXAMPLE), "select 1")  # type: ignore[arg-type]


def test_who_lacks_duckdb_is_told_what_brings_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r"SQL needs duckdb: pip install duckdb$"):
        darrow.sql("select 1", EXAMPLE)


def test_memory_is_limited() -> None:
    query = "select count(distinct i::varchar || 'of some length') from range(3000000) t(i)"
    with pytest.raises(darrow.QueryError, match=r"^out of memory: .*; --memory SIZE, or memory=, allows more$"):
        darrow.sql(query, EXAMPLE, memory="8MB").fetchall()
