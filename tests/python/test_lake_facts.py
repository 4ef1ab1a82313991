"""What a lake of the fleet tells, as four engines see it: what the programs counted (facts.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import darrow
import duckdb
import pandas as pd
import polars as pl
import pyarrow.compute as pc
import pyarrow.dataset as pads
import pytest
from lakes import BAD, FLEET, NEEDS_FLEET, ask, counts, whole

pytestmark = pytest.mark.skipif(not FLEET.exists(), reason=NEEDS_FLEET)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> darrow.Lake:
    lake = darrow.Lake(tmp_path_factory.mktemp("facts") / "lake")
    report = lake.update([FLEET, BAD])
    assert counts(report) == {"found": 208, "added": 202, "damaged": 2, "failed": 6}
    return lake


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return json.loads((FLEET / "facts.json").read_text())


def by(lake: darrow.Lake, facts: dict[str, Any], key: str) -> dict[Any, tuple[int, int, int]]:
    """Logs of the fleet in groups, and bytes written and read by programs that use POSIX or STDIO themselves."""
    own = [str(FLEET / log["path"]) for log in facts["logs"] if log["totals"].keys() & {"POSIX", "STDIO"}]
    query = f"""
        with moved as (
            from '{lake.path("posix")}' select log, POSIX_BYTES_WRITTEN w, POSIX_BYTES_READ r
            union all from '{lake.path("stdio")}' select log, STDIO_BYTES_WRITTEN, STDIO_BYTES_READ
        ), each as (select log, sum(w) w, sum(r) r from moved where list_contains($1, log) group by log)
        select {key}, count(*), coalesce(sum(w), 0), coalesce(sum(r), 0)
        from '{lake.path("jobs")}' jobs left join each using (log) where jobs.log like '{FLEET}/%' group by 1"""
    return {row[0]: tuple(map(int, row[1:])) for row in duckdb.execute(query, [own]).fetchall()}


def expected(groups: dict[str, dict[str, int]]) -> dict[str, tuple[int, int, int]]:
    return {name: (group["logs"], group["bytes_written"], group["bytes_read"]) for name, group in groups.items()}


def test_jobs(lake: darrow.Lake, facts: dict[str, Any]) -> None:
    jobs = ask(f"select count(*), count(distinct jobid) from '{lake.path('jobs')}' where log like '{FLEET}/%'")
    assert jobs == [(facts["n_logs"], facts["n_jobs"])]


def test_records_of_each_log(lake: darrow.Lake, facts: dict[str, Any]) -> None:
    """Sums of counters, log by log; what a layer beneath another one moved is not among the facts."""
    for table, module in (("posix", "POSIX"), ("stdio", "STDIO"), ("h5d", "H5D")):
        columns = ask(f"describe select * from '{lake.path(table)}'")
        names = [name for name, *_ in columns if name.endswith(("BYTES_WRITTEN", "BYTES_READ"))]
        assert len(names) == 2
        sums = ", ".join(f"sum({name})" for name in names)
        found = {row[0]: row[1:] for row in ask(f"select log, {sums} from '{lake.path(table)}' group by 1")}
        for log in facts["logs"]:
            if module in log["totals"]:
                expected = tuple(log["totals"][module].get(name, 0) for name in names)
                assert found[str(FLEET / log["path"])] == expected, log["path"]


def test_by_user(lake: darrow.Lake, facts: dict[str, Any]) -> None:
    users = {log["uid"]: log["user"] for log in facts["logs"]}
    assert {users[uid]: values for uid, values in by(lake, facts, "uid").items()} == expected(facts["by_user"])


def test_by_program(lake: darrow.Lake, facts: dict[str, Any]) -> None:
    program = "split_part(split_part(exe, ' ', 1), '/', -1)"
    assert by(lake, facts, program) == expected(facts["by_app"])


def test_by_month(lake: darrow.Lake, facts: dict[str, Any]) -> None:
    month = "month(make_timestamp(start_time_sec * 1000000))::text"
    assert by(lake, facts, month) == expected(facts["by_month"])


def test_failures_and_damage(lake: darrow.Lake) -> None:
    """Of the damaged logs those that are none are failures; what is intact of the others is there, and marked."""
    bad = json.loads((BAD / "facts.json").read_text())["files"]
    damaged = {"truncated-module.darshan", "corrupt-job-stream.darshan"}
    failures = lake.failures().to_pylist()
    assert {Path(row["log"]).name for row in failures} == bad.keys() - damaged
    assert all(row["message"] and row["region"] == "header" and row["offset"] is not None for row in failures)
    status = dict(ask(f"select parse_filename(log), status from '{lake.path('logs')}' where log like '{BAD}/%'"))
    assert status == {name: "damaged" if name in damaged else "failed" for name in bad}
    told = ask(f"select distinct parse_filename(log) from '{lake.path('problems')}' where severity = 'error'")
    assert {name for (name,) in told} == damaged
    lost = ask(f"select distinct parse_filename(log) from '{lake.path('modules')}' where damaged")
    assert lost == [("truncated-module.darshan",)]
    rows = ask(
        f"select parse_filename(log), count(*) from '{lake.path('modules')}' where log like '{BAD}/%' group by 1"
    )
    assert {name for name, _ in rows} == damaged
    whole_rows = ask(f"select count(*) from '{lake.path('names')}' where log like '%/corrupt-job-stream.darshan'")
    assert whole_rows[0][0] > 0


def test_four_engines(lake: darrow.Lake, facts: dict[str, Any]) -> None:
    """Each opens each table in one line, and sees the same rows and sums."""
    for table in lake.tables:
        rows = ask(f"select count(*) from '{lake.directory}/{table}/*.parquet'")[0][0]
        assert pl.scan_parquet(f"{lake.directory}/{table}/*.parquet").collect().height == rows
        assert len(pd.read_parquet(lake.directory / table, dtype_backend="pyarrow")) == rows
        assert pads.dataset(lake.directory / table).count_rows() == rows
        assert lake.dataset(table).count_rows() == rows
        assert sum(info.rows for info in lake.info().tables if info.name == table) == rows
    written = sum(log["totals"].get("STDIO", {}).get("STDIO_BYTES_WRITTEN", 0) for log in facts["logs"])
    own = [str(FLEET / log["path"]) for log in facts["logs"] if "STDIO" in log["totals"]]
    frame = pl.scan_parquet(f"{lake.directory}/stdio/*.parquet").filter(pl.col("log").cast(pl.String).is_in(own))
    assert frame.select(pl.col("STDIO_BYTES_WRITTEN").sum()).collect().item() == written
    pandas = pd.read_parquet(lake.directory / "stdio", dtype_backend="pyarrow")
    assert pandas[pandas["log"].isin(own)]["STDIO_BYTES_WRITTEN"].sum() == written
    arrow = pads.dataset(lake.directory / "stdio").to_table(filter=pc.field("log").isin(own))
    assert pc.sum(arrow["STDIO_BYTES_WRITTEN"]).as_py() == written


def test_rows_are_those_of_the_logs(lake: darrow.Lake) -> None:
    """Every table of some logs, row by row."""
    for path in sorted(FLEET.rglob("*.darshan"))[::20]:
        log = darrow.open(path)
        for name in log:
            sql = name.lower().replace("-", "").replace("/", "")
            if sql not in lake.tables:
                assert not len(log[name])
                continue
            table = lake.dataset(sql).to_table(filter=pc.field("log") == str(path)).drop_columns(["log", "jobid"])
            assert table.to_pylist() == log[name].to_arrow().to_pylist()
        jobs = lake.dataset("jobs").to_table(filter=pc.field("log") == str(path)).to_pylist()
        assert [(job["jobid"], job["size"]) for job in jobs] == [(log.job.jobid, path.stat().st_size)]


def test_whole(lake: darrow.Lake) -> None:
    whole(lake.directory)
    again = lake.update([FLEET, BAD])
    assert counts(again) == {"found": 208, "unchanged": 208}
