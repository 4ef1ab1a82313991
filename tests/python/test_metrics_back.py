"""Metrics of tables that went to other packages and come back."""

from __future__ import annotations

from typing import Any

import darrow
import pyarrow as pa
import pytest
from corpus import DATA
from test_aggregate_back import FORMS, filters, some, too_large


def shown(metrics: darrow.Metrics) -> list[Any]:
    """Everything that they say, but what only the log knows."""
    values = {name: value for name, value in metrics.items() if name not in ("partial", "damaged")}
    parts = (metrics.categories, metrics.access_sizes, metrics.common_accesses, metrics.record, metrics.missing)
    return [
        metrics.name,
        str(values),
        *(str({k: dict(v) for k, v in p.items()} if p is parts[0] else p) for p in parts),
    ]


@pytest.mark.parametrize("form", ["pyarrow", "pyarrow in pieces", "polars", "pandas", "pandas pyarrow", "duckdb"])
def test_there_and_back(form: str) -> None:
    seen = 0
    for name, log, module, rows in some(form, 5):
        if log.job is None or log.job.nprocs < 1:
            continue
        table = log[module].to_arrow()
        for kind, mask, kept in filters(log, module, rows):
            if kept is None or (form == "pandas" and too_large(table, mask)):
                continue
            back = darrow.metrics(FORMS[form](table, mask), nprocs=log.job.nprocs)
            assert shown(back) == shown(darrow.metrics(kept)), (name, module, kind)
            assert (back.partial, back.damaged) == (None, None)
            seen += 1
    assert seen > 40


def test_records_of_another_job() -> None:
    """Records themselves, told another number of processes."""
    posix = darrow.open(DATA / "example.darshan")["POSIX"]
    own, other = darrow.metrics(posix), darrow.metrics(posix, nprocs=100)
    assert own.meta_time == other.meta_time
    assert other.meta_time_mean == pytest.approx(own.meta_time / 100)
    assert any(p.kind == "rank_beyond_nprocs" for p in darrow.metrics(posix, nprocs=1).problems)


def test_without_the_number_of_processes() -> None:
    """What is told of processes needs it; the rest does not."""
    table = darrow.open(DATA / "example.darshan")["POSIX"].to_arrow()
    metrics = darrow.metrics(table)
    assert metrics.bytes_written == sum(table["POSIX_BYTES_WRITTEN"].to_pylist())
    assert metrics.io_time_mean is None


def test_counters_that_were_left_out() -> None:
    """What needs them is not known; the others are what they were."""
    posix = darrow.open(DATA / "example.darshan")["POSIX"]
    few = posix.to_polars().select("id", "rank", "POSIX_BYTES_READ", "POSIX_BYTES_WRITTEN", "POSIX_READS")
    metrics, whole = darrow.metrics(few), darrow.metrics(posix)
    assert (metrics.bytes, metrics.reads) == (whole.bytes, whole.reads)
    assert (metrics.read_time, metrics.writes, metrics.rate) == (None, None, None)
    assert set(metrics.record) == {"id", "rank", "records", "POSIX_BYTES_READ", "POSIX_BYTES_WRITTEN", "POSIX_READS"}
    assert metrics.categories["all"].files == whole.categories["all"].files


def test_refused() -> None:
    posix = darrow.open(DATA / "example.darshan")["POSIX"]
    table = posix.to_arrow()
    with pytest.raises(darrow.AggregationError, match="lacks column rank"):
        darrow.metrics(table.drop_columns("rank"))
    with pytest.raises(darrow.AggregationError, match="of POSIX, not of STDIO"):
        darrow.metrics(posix, module="STDIO")
    with pytest.raises(darrow.AggregationError, match="no module is called"):
        darrow.metrics(table, module="NONSENSE")
    with pytest.raises(darrow.AggregationError, match="counter of a module"):
        darrow.metrics(pa.table({"id": [1], "rank": [0]}))
    with pytest.raises(TypeError):
        darrow.metrics(7)
