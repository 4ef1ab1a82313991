"""Views of SQL give what the counters' own rules give, for every log."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA, LOGS
from made import log_bytes
from made import row as made_row
from plain_rules import COMBINING, PREFIX, columns_of

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

pytestmark = pytest.mark.slow

Row = dict[str, Any]
ALL = sorted(DATA.glob("*.darshan"))
OUR_OWN = ("log", "jobid", "ranks", "mount", "fs_type", "files")


def opened(path: Path) -> darrow.Log | None:
    try:
        return darrow.open(path, strict=False)
    except darrow.DarrowError:
        return None


def asked(query: str, source: Any) -> list[Row]:
    """Rows as dicts. In one thread: then the first of equally long calls is taken."""
    return darrow.sql(query, source, threads=1).to_arrow().to_pylist()


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-170) or ours == theirs
    return bool(ours == theirs)


def differences(row: Row, rules: darrow.Rules, aggregate: Row) -> Iterator[str]:
    for column, value in row.items():
        if column in OUR_OWN:
            continue
        if column in rules and not rules[column].decomposable:
            assert value is None
        elif not same(value, aggregate[column]):
            yield f"{column}: {value}, but {aggregate[column]}"


def combining(log: darrow.Log) -> list[str]:
    return [module for module in log if module in COMBINING]


def table_of(module: str) -> str:
    return module.replace("-", "").replace("/", "").lower()


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_files(path: Path) -> None:
    log = opened(path)
    for module in combining(log) if log else []:
        rules = darrow.rules(module)
        aggregate = {row["id"]: row for row in log[module].aggregate("file").to_pylist()}
        rows = asked(f'select * from "{table_of(module)}_files"', path)
        assert {row["id"] for row in rows} == aggregate.keys()
        assert len(rows) == len(aggregate)
        for row in rows:
            assert not list(differences(row, rules, aggregate[row["id"]]))
        own = {(r["id"], r["mount"], r["fs_type"]) for r in log[module].to_pylist()}
        assert {(row["id"], row["mount"], row["fs_type"]) for row in rows} == own


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_jobs(path: Path) -> None:
    log = opened(path)
    for module in combining(log) if log else []:
        aggregate = log[module].aggregate().to_pylist()[0]
        rows = asked(f'select * from "{table_of(module)}_jobs"', path)
        if not aggregate["records"]:
            assert rows == []
            continue
        assert not list(differences(rows[0], darrow.rules(module), aggregate))
        assert rows[0]["files"] == len({row["id"] for row in log[module].select(["id"]).to_pylist()})


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_metrics_and_files_are_those_of_the_summary(path: Path) -> None:
    log = opened(path)
    if log is None:
        return
    summary = log.summary()
    got = asked("select * exclude (log, jobid) from metrics", path)
    expected = summary.layers.to_pylist()
    assert [row["module"] for row in got] == [row["module"] for row in expected]
    for row, other in zip(got, expected, strict=True):
        assert all(same(row[name], other[name]) for name in other), path
    try:
        bottom = log.summary(layer="bottom")["bottom"]
    except (KeyError, ValueError, darrow.AggregationError):
        return
    row = asked(
        "select count(*) as files, sum(bytes_read) as r, sum(bytes_written) as w, fsum(read_time) as t from files", path
    )[0]
    assert row["files"] == bottom["files"]
    if not row["files"]:
        return
    for name, value in (("bytes_read", row["r"]), ("bytes_written", row["w"]), ("read_time", row["t"])):
        if name == "read_time" and bottom[name] is None:
            continue  # of ranks that cannot be: whose time it is, a summary does not tell
        assert same(None if value is None else type(bottom[name] or 0)(value), bottom[name]), name


def test_files_have_what_the_bottom_layer_adds_up(tmp_path: Path) -> None:
    """Every module moves bytes of its own: no module of the layer is missing, and none is in it twice."""
    moving = [module for module in COMBINING if f"{PREFIX.get(module, module)}_BYTES_READ" in columns_of(module)]
    path = tmp_path / "all.darshan"
    path.write_bytes(
        log_bytes({m: [made_row(m, 7, BYTES_READ=1 << i, BYTES_WRITTEN=3 << i)] for i, m in enumerate(moving)})
    )
    bottom = darrow.open(path).summary(layer="bottom")["bottom"]
    (files,) = asked("select * from files", path)
    counted = {module for i, module in enumerate(moving) if bottom["bytes_read"] >> i & 1}
    assert {"POSIX", "STDIO", "DFS"} == counted
    assert (files["bytes_read"], files["bytes_written"]) == (bottom["bytes_read"], bottom["bytes_written"])
    assert files["records"] == len(counted)


def test_all_logs_at_once_as_each_alone() -> None:
    """A file of one log is no file of another."""
    logs = [path for path in ALL if (log := opened(path)) and "POSIX" in log]
    at_once = asked("select * exclude (log) from posix_files order by all", logs)
    alone = [row for path in logs for row in asked("select * exclude (log) from posix_files", path)]
    assert len(at_once) == len(alone)
    assert sorted(row["id"] for row in at_once) == sorted(row["id"] for row in alone)
    assert sum(row["POSIX_OPENS"] or 0 for row in at_once) == sum(row["POSIX_OPENS"] or 0 for row in alone)


def test_ranks() -> None:
    row = asked("select rank, records, ranks from posix_files where id = 4848770507025656462", DATA / "example.darshan")
    assert row == [{"rank": -1, "records": 1, "ranks": 0}]


@pytest.mark.compat
@pytest.mark.parametrize("name", ["example", "file-categories", "dxt-posix"])
def test_as_pydarshan(name: str) -> None:
    """PyDarshan adds up these counters of all records itself."""
    darshan = pytest.importorskip("darshan")
    path = DATA / f"{name}.darshan"
    report = darshan.DarshanReport(str(path), read_all=True)
    frame = report.records["POSIX"].to_df()["counters"]
    sums = ["POSIX_OPENS", "POSIX_READS", "POSIX_WRITES", "POSIX_BYTES_READ", "POSIX_BYTES_WRITTEN"]
    row = asked(f"select {', '.join(sums)} from posix_jobs", path)[0]
    assert row == {name: int(frame[name].sum()) for name in sums}
    most = frame.groupby("id")[["POSIX_MAX_BYTE_WRITTEN"]].max()["POSIX_MAX_BYTE_WRITTEN"]
    rows = asked("select id, POSIX_MAX_BYTE_WRITTEN as most from posix_files", path)
    assert {row["id"]: row["most"] for row in rows} == {int(key): int(value) for key, value in most.items()}


@pytest.mark.skipif(not LOGS.exists(), reason="needs the full corpus")
@pytest.mark.parametrize("path", sorted((LOGS / "small").glob("*.darshan"))[::6], ids=lambda path: path.stem)
def test_files_of_other_logs(path: Path) -> None:
    test_files(path)
