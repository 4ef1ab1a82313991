"""Metrics, file categories and summaries on small logs whose numbers were worked out by hand, and on odd logs."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import darrow
import pytest
from corpus import DATA
from made import log_of, records_of, row
from robustness import path_of

EXAMPLE = DATA / "example.darshan"
MOST = 2**63 - 1


def s(record_id: int = 1, rank: int = 0, read: int = 0, written: int = 0, **counters: Any) -> dict[str, Any]:
    return row("STDIO", record_id, rank, BYTES_READ=read, BYTES_WRITTEN=written, **counters)


def times(read: float = 0.0, write: float = 0.0, meta: float = 0.0, slowest: float = 0.0) -> dict[str, float]:
    return {"F_READ_TIME": read, "F_WRITE_TIME": write, "F_META_TIME": meta, "F_SLOWEST_RANK_TIME": slowest}


def metrics(*rows: dict[str, Any], nprocs: int = 4) -> darrow.Metrics:
    return darrow.metrics(records_of("STDIO", rows, strict=False, nprocs=nprocs))


# Times and rates ------------------------------------------------------------------------------------------------------


def test_time_along_the_slowest_ranks():
    """Rank 0: 1 + 2 + 3 s, rank 1: 5 s; the slowest ranks of the shared files took 0.5 and 0.25 s."""
    m = metrics(
        s(1, 0, 0, 100, **times(meta=1.0)),
        s(2, 0, 10, 0, **times(read=3.0, meta=2.0)),
        s(1, 1, 0, 50, **times(write=4.0, read=1.0)),
        s(3, -1, 0, 7, **times(90.0, 90.0, 90.0, 0.5)),
        s(4, -1, 1, 0, **times(9.0, 9.0, 9.0, 0.25)),
    )
    assert (m.bytes_read, m.bytes_written, m.bytes) == (11, 157, 168)
    assert (m.unique_time_by_slowest, m.slowest_rank) == (6.0, 0)
    assert (m.unique_rw_time_by_slowest, m.unique_meta_time_by_slowest) == (3.0, 3.0)
    assert (m.shared_time_by_slowest, m.time_by_slowest, m.rate) == (0.75, 6.75, 168 / 6.75)
    assert (m.read_time, m.read_time_mean) == (103.0, 103.0 / 4)
    assert m.read_time_max is None  # shared records hide it
    assert m["rate"] == m.rate
    assert dict(m)["files"] == len({1, 2, 3, 4})


def test_one_rank_does_all_the_work():
    m = metrics(s(1, 2, 0, 100, **times(write=8.0)), s(2, 1, **times()), nprocs=64)
    assert (m.write_time_max, m.write_time_max_rank, m.write_time_mean) == (8.0, 2, 0.125)
    assert m.write_time_imbalance == 64.0
    assert (m.read_time_max, m.read_time_max_rank, m.read_time_imbalance) == (0.0, None, None)


def test_equal_ranks_the_lowest():
    m = metrics(s(1, 3, **times(write=1.0)), s(2, 1, **times(read=1.0)))
    assert m.slowest_rank == 1


def test_no_time_no_rate():
    assert metrics(s(1, 0, 5, 5)).rate is None
    assert metrics(s(1, -1, 5, 5)).rate is None
    assert metrics(s(1, 0, 5, 5)).time_by_slowest == 0.0


NAN = float("nan")


@pytest.mark.parametrize("time", [NAN, -1.0, float("inf")])
def test_ranks_without_times(time):
    """Nobody knows how long they took; the shared file's slowest rank took half a second."""
    shared, untimed = s(2, -1, 5, 0, **times(read=1.0, slowest=0.5)), times(time, time, time)
    m = metrics(s(1, 0, 10, 0, **untimed), shared)
    assert (m.unique_time_by_slowest, m.shared_time_by_slowest, m.time_by_slowest, m.rate) == (None, 0.5, None, None)
    assert (m.unique_rw_time_by_slowest, m.unique_meta_time_by_slowest, m.slowest_rank) == (None, None, None)
    m = metrics(s(1, 0, 10, 0, **untimed))
    assert (m.unique_time_by_slowest, m.shared_time_by_slowest, m.time_by_slowest, m.rate) == (None, 0.0, None, None)
    assert (m.read_time, m.read_time_max, m.io_time_max) == (None, None, None)
    one = times(time, time, time) | {"F_META_TIME": 2.0}  # one time of one rank is a time
    m = metrics(s(1, 0, 10, 0, **untimed), s(1, 1, 10, 0, **one), shared)
    assert (m.unique_time_by_slowest, m.time_by_slowest, m.slowest_rank, m.rate) == (2.0, 2.5, 1, 10.0)


@pytest.mark.parametrize("time", [NAN, -1.0, float("inf")])
def test_shared_files_without_the_time_of_their_slowest_rank(time):
    shared, single = s(1, -1, 5, 0, **times(read=1.0, slowest=time)), s(2, 0, 5, 0, **times(read=2.0))
    for m in (metrics(shared, single), metrics(shared)):
        assert (m.shared_time_by_slowest, m.time_by_slowest, m.rate, m.io_time_max) == (None, None, None, None)
    assert metrics(shared, single).unique_time_by_slowest == 2.0
    assert metrics(shared).unique_time_by_slowest == 0.0
    other = s(3, -1, 5, 0, **times(slowest=0.25))
    assert metrics(shared, single, other).time_by_slowest == 2.25


def test_no_record_of_a_kind_took_no_time():
    m = metrics(s(1, -1, 5, 0, **times(read=1.0, slowest=0.5)))
    assert (m.unique_time_by_slowest, m.shared_time_by_slowest, m.time_by_slowest, m.rate) == (0.0, 0.5, 0.5, 10.0)
    m = darrow.metrics(records_of("STDIO", [s(1, 0, 5)]).select(ids=[]))
    assert (m.records, m.unique_time_by_slowest, m.shared_time_by_slowest, m.time_by_slowest) == (0, 0.0, 0.0, 0.0)
    m = metrics(s(1, -2, 5, 0, **times(read=1.0, slowest=0.5)))  # nobody's time
    assert (m.unique_time_by_slowest, m.shared_time_by_slowest, m.time_by_slowest, m.rate) == (None, None, None, None)
    assert (m.bytes, m.io_time_max) == (5, None)


def test_rates_of_what_does_not_fit():
    m = metrics(s(1, 0, MOST, 0, **times(read=1.0)), s(2, 0, MOST, 0, **times(read=1.0)))
    assert (m.bytes_read, m.bytes, m.rate) == (None, None, None)
    assert (m.bytes_written, m.categories["all"].bytes_read, m.categories["all"].bytes_written) == (0, None, 0)
    assert [problem.kind for problem in m.problems] == ["sum_overflow"]


def test_bytes_read_and_written_that_do_not_fit_together():
    log = log_of({"STDIO": [s(1, 0, MOST, 1, **times(read=1.0))]}, strict=False)
    for m in (log.summary()["STDIO"], darrow.metrics(log["STDIO"])):
        assert (m.bytes_read, m.bytes_written, m.bytes, m.rate) == (MOST, 1, None, None)
        everything = m.categories["all"]
        assert (everything.bytes_read, everything.bytes_written, everything.bytes) == (MOST, 1, None)
        (problem,) = m.problems
        assert (problem.kind, problem.module, problem.count) == ("sum_overflow", "STDIO", 1)
    assert metrics(s(1, 0, MOST - 1, 1)).bytes == MOST


def test_offsets_that_do_not_fit_leave_bytes_alone():
    """Two files of which the last byte was read: their sizes together do not fit, 5 and 7 bytes do."""
    m = metrics(s(1, 0, 5, 1, MAX_BYTE_READ=MOST - 1), s(2, -1, 7, 0, MAX_BYTE_READ=MOST - 1))
    everything, unique, shared = (m.categories[name] for name in ("all", "unique", "shared"))
    assert (everything.bytes_read, everything.bytes_written, everything.bytes) == (12, 1, 13)
    assert (everything.max_offset, everything.mean_size) == (MOST - 1, None)
    assert (unique.bytes, unique.mean_size) == (6, float(MOST))
    assert (shared.bytes, shared.mean_size) == (7, float(MOST))
    assert [problem.kind for problem in m.problems] == ["sum_overflow"]
    assert metrics(s(1, 0, 5, 0, MAX_BYTE_READ=MOST)).categories["all"].mean_size is None


def test_all_processes_unknown():
    for nprocs in (0, -1):
        m = metrics(s(1, -1, 5, 0, **times(read=1.0, slowest=0.5)), s(2, 3, 7, 0, **times(read=1.0)), nprocs=nprocs)
        assert (m.bytes_read, m.read_time, m.time_by_slowest) == (12, 2.0, 1.5)
        assert m.read_time_mean is None
        assert m.categories["shared"].processes is None
        assert m.categories["unique"].processes == 1


# Categories -----------------------------------------------------------------------------------------------------------


def test_what_was_done_with_files():
    m = metrics(s(1, 0, 5, 0), s(2, 0, 0, 7), s(3, 0, 1, 1), s(4, 0, 0, 0), s(1, 1, 0, 2))
    counts = {name: m.categories[name].files for name in m.categories}
    assert counts == {
        "all": 4, "read_only": 0, "write_only": 1, "read_write": 2, "no_io": 1,
        "unique": 3, "partially_shared": 1, "shared": 0,
    }  # fmt: skip
    assert (m.categories["read_write"].bytes_read, m.categories["read_write"].bytes_written) == (6, 3)
    assert m.categories["partially_shared"].bytes == 7
    assert m.categories["partially_shared"].processes == 2


def test_by_whom():
    """File 1: rank -1, and a rank before and after it; 2: all ranks by themselves; 3: two of four; 4: one."""
    rows = [s(1, 0), s(1, -1), s(1, 2), *(s(2, rank) for rank in range(4)), s(3, 1), s(3, 3), s(3, 1), s(4, 2)]
    for records in (rows, rows[::-1]):
        m = metrics(*records)
        assert [m.categories[c].files for c in ("unique", "partially_shared", "shared")] == [1, 1, 2]
        assert m.categories["shared"].processes == 4
        assert m.categories["partially_shared"].processes == 2
        assert m.categories["unique"].processes == 1
        assert m.categories["all"].processes == 4


def test_a_job_of_one_process_shares_nothing():
    """Not even a file with a record of all ranks."""
    m = metrics(s(1, 0, 1, 0), s(2, -1, 2, 0), s(3, 0), s(3, -1, 4, 0), nprocs=1)
    assert [m.categories[c].files for c in ("unique", "partially_shared", "shared")] == [3, 0, 0]
    assert (m.categories["unique"].bytes, m.categories["unique"].processes) == (7, 1)
    assert (m.categories["shared"].bytes, m.categories["shared"].processes) == (0, 0)
    assert metrics(s(2, -1, 2, 0), nprocs=2).categories["shared"].files == 1


@pytest.mark.parametrize("unknown", [{"written": -1}, {"read": -4}, {"read": -1, "written": -1}])
def test_a_file_whose_bytes_were_not_recorded_has_no_use(unknown):
    """Neither have the others then, for what is missing may belong to any category."""
    m = metrics(s(1, 0, 5, 3), s(2, -1, **{"read": 2, "written": 4} | unknown))
    read, written = max(unknown.get("read", 2), 0), max(unknown.get("written", 4), 0)
    for use in ("read_only", "write_only", "read_write", "no_io"):
        assert set(m.categories[use].values()) == {None}, use
    everything, unique, shared = (m.categories[name] for name in ("all", "unique", "shared"))
    assert (everything.files, everything.bytes_read, everything.bytes_written) == (2, 5 + read, 3 + written)
    assert (m.bytes_read, m.bytes_written) == (5 + read, 3 + written)
    assert (unique.files, unique.bytes_read, unique.bytes_written, unique.bytes) == (1, 5, 3, 8)
    assert (shared.files, shared.bytes_read) == (1, None if "read" in unknown else 2)
    assert (shared.bytes_written, shared.bytes) == (None if "written" in unknown else 4, None)
    assert (m.categories["partially_shared"].files, m.categories["partially_shared"].bytes) == (0, 0)


def test_bytes_of_which_nothing_is_known():
    m = metrics(s(1, 0, -1, -1), s(2, 1, -1, -1))
    assert (m.files, m.bytes_read, m.bytes_written, m.bytes, m.rate) == (2, None, None, None, None)
    assert (m.categories["all"].files, m.categories["all"].bytes_read, m.categories["all"].bytes) == (2, None, None)


def test_one_record_with_bytes_is_enough_for_a_file():
    m = metrics(s(1, 0, -1, -1), s(1, 1, 5, 0))
    assert (m.categories["read_only"].files, m.categories["read_only"].bytes) == (1, 5)


def test_offsets_and_sizes():
    m = metrics(
        s(1, 0, 5, 0, MAX_BYTE_READ=999), s(2, 0, 0, 7, MAX_BYTE_WRITTEN=1), s(3, 0), s(1, 1, 5, 0, MAX_BYTE_READ=99)
    )
    assert (m.categories["all"].max_offset, m.categories["all"].mean_size) == (999, 1002 / 3)
    assert (m.categories["no_io"].max_offset, m.categories["no_io"].mean_size) == (None, None)
    dfs = darrow.metrics(records_of("DFS", [row("DFS", 1, 0, BYTES_READ=5)]))
    assert (dfs.categories["all"].files, dfs.categories["all"].max_offset) == (1, None)


def test_layers_without_bytes_have_no_uses():
    m = darrow.metrics(records_of("H5F", [row("H5F", 1, 0, OPENS=2), row("H5F", 2, -1, OPENS=4)]))
    assert (m.files, m.opens, m.bytes, m.rate) == (2, 6, None, None)
    assert m.categories["read_only"].files is None
    assert (m.categories["unique"].files, m.categories["shared"].files) == (1, 1)


# Odd logs -------------------------------------------------------------------------------------------------------------


def test_ranks_that_the_job_does_not_have():
    """Kept by rank, and nothing is allocated by it."""
    m = metrics(s(1, 2**62, 10, 0, **times(read=2.0)), s(2, 0, 1, 0, **times(read=1.0)))
    assert (m.bytes_read, m.slowest_rank, m.time_by_slowest) == (11, 2**62, 2.0)
    assert (m.read_time_max, m.read_time_max_rank) == (2.0, 2**62)


def test_ranks_below_minus_one():
    """Bytes and calls count; neither shared nor a rank, and no time along the slowest ranks."""
    m = metrics(s(1, -2, 10, 0, READS=3, **times(read=9.0, slowest=9.0)), s(2, 1, 1, 0, **times(read=1.0)))
    assert (m.bytes_read, m.reads, m.time_by_slowest, m.slowest_rank) == (11, 3, 1.0, 1)
    assert (m.categories["shared"].files, m.categories["unique"].files) == (0, 2)
    assert m.categories["all"].processes == 1
    agg = records_of("STDIO", [s(1, -2, 10, 0, **times(read=9.0))], strict=False).aggregate()
    assert (agg.rank, agg.STDIO_SLOWEST_RANK, agg.STDIO_F_VARIANCE_RANK_TIME) == (-2, None, None)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("px_rank4", "rank_beyond_nprocs"), ("px_rankbig", "rank_beyond_nprocs"),
        ("rank_ge_nprocs", "rank_beyond_nprocs"), ("px_rankneg2", "rank_below_minus_one"),
        ("rank_minus5", "rank_below_minus_one"), ("nprocs_0", "nprocs_invalid"), ("nprocs_neg", "nprocs_invalid"),
    ],
)  # fmt: skip
def test_odd_logs(name, problem):
    log = darrow.open(path_of(f"malformed/{name}"), strict=False)
    summary = log.summary()
    assert problem in {found.kind for found in summary.problems}
    posix = summary["POSIX"]
    assert posix.records == len(log["POSIX"]) > 0
    assert posix.bytes_read == sum(log["POSIX"].column("POSIX_BYTES_READ"))
    assert posix.opens == sum(log["POSIX"].column("POSIX_OPENS"))
    ranks = log["POSIX"].column("rank")
    if max(ranks) >= 0:
        assert posix.slowest_rank in (*ranks, None)
    else:
        assert (posix.slowest_rank, posix.time_by_slowest) == (None, 0.0 if -1 in ranks else None)
    assert summary["POSIX"] == darrow.metrics(log["POSIX"])
    if name.startswith("nprocs"):
        assert posix.read_time_mean is posix.write_time_mean is posix.meta_time_mean is None


def test_damage():
    """Strict logs raise, tolerant ones deliver what is intact and say so."""
    path = path_of("malformed/px_short")
    for call in (
        lambda log: log.summary(),
        lambda log: log["POSIX"].aggregate(),
        lambda log: darrow.metrics(log["POSIX"]),
    ):
        with pytest.raises(darrow.CorruptLogError, match="POSIX"):
            call(darrow.open(path))
    log = darrow.open(path, strict=False)
    assert log.summary()["POSIX"].damaged is True
    assert darrow.metrics(log["POSIX"]).damaged is True
    assert "record_fragment" in {problem.kind for problem in log.summary()["POSIX"].problems}
    assert "POSIX!" in repr(log.summary())
    assert "\n  ! damaged: " in repr(log.summary())


def test_nothing_is_known_of_a_damaged_region_without_records():
    """Whether it is read for the metrics, or was read before."""
    log = darrow.open(path_of("malformed/px_short"), strict=False)
    summary, unread = log.summary()["POSIX"], darrow.metrics(log["POSIX"])
    assert len(log["POSIX"]) == 0
    for m in (summary, unread, darrow.metrics(log["POSIX"])):
        assert (m.damaged, m.records, m.files, m.bytes, m.time_by_slowest) == (True, 0, None, None, None)
        assert m.categories["all"].files is None


def test_partial_modules():
    log = log_of({"STDIO": [s(1, 0, 5, 0)]}, partial=("STDIO",))
    assert log.summary()["STDIO"].partial is True
    assert darrow.metrics(log["STDIO"]).partial is True
    assert "STDIO*" in repr(log.summary())
    assert "\n  * partial: " in repr(log.summary())


# The objects ----------------------------------------------------------------------------------------------------------


def test_a_plain_sum_is_wrong_and_the_aggregate_right():
    log = log_of(
        {
            "POSIX": [
                row("POSIX", 1, -1, OPENS=4, F_READ_TIME=4.0, F_SLOWEST_RANK_TIME=1.5, MAX_BYTE_READ=1023, FILENOS=-1,
                    F_OPEN_START_TIMESTAMP=0.5, F_MAX_READ_TIME=0.25, ACCESS1_ACCESS=1024, ACCESS1_COUNT=4),
                row("POSIX", 2, 0, OPENS=1, F_READ_TIME=2.0, MAX_BYTE_READ=511, FILENOS=2, F_OPEN_START_TIMESTAMP=0.25,
                    F_MAX_READ_TIME=1.0, ACCESS1_ACCESS=512, ACCESS1_COUNT=1),
            ]
        }
    )  # fmt: skip
    records = log["POSIX"]
    wrong, right = records.raw.to_pandas().sum(numeric_only=True), records.aggregate()
    names = {
        "POSIX_OPENS": (5, 5), "POSIX_MAX_BYTE_READ": (1534, 1023), "POSIX_F_OPEN_START_TIMESTAMP": (0.75, 0.25),
        "POSIX_F_MAX_READ_TIME": (1.25, 1.0), "POSIX_ACCESS1_ACCESS": (1536, 1024), "POSIX_FILENOS": (1, 2),
    }  # fmt: skip
    assert {name: (wrong[name], right[name]) for name in names} == names
    assert darrow.metrics(records).time_by_slowest == 3.5
    assert wrong["POSIX_F_READ_TIME"] == 6.0


def test_selections_count_and_columns_do_not():
    log = log_of({"STDIO": [s(1, 0, 1), s(2, 1, 10), s(3, 2, 100)]}, names=[(1, b"/a.h5"), (2, b"/b.h5"), (3, b"/c")])
    records = log["STDIO"]
    assert records.select(ids=[1, 3]).aggregate().STDIO_BYTES_READ == 101
    assert records.select(ranks=[1, 2]).aggregate().STDIO_BYTES_READ == 110
    assert records.select("id", names=r"\.h5$").aggregate().STDIO_BYTES_READ == 11
    assert darrow.metrics(records.select(names="h5")).files == 2
    empty = records.select(ids=[]).aggregate()
    assert (empty.records, empty.id, empty.rank, empty.STDIO_BYTES_READ, len(empty)) == (0, None, None, None, 1)
    assert darrow.metrics(records.select(ids=[])).bytes == 0


def test_what_was_read_is_used_again():
    with darrow.open(EXAMPLE) as log:
        records, other = log["POSIX"], log["STDIO"]
        len(records)
        expected = darrow.metrics(records)
    assert records.aggregate().to_pylist()[0] == dict(expected.record)
    assert dict(darrow.metrics(records)) == dict(expected) | {"damaged": None}
    assert records.raw.aggregate().to_pylist() == records.aggregate().to_pylist()
    with pytest.raises(ValueError, match="closed"):
        other.aggregate()


def test_summary_is_a_mapping():
    log = darrow.open(EXAMPLE)
    summary = log.summary()
    assert list(summary) == ["POSIX", "MPI-IO", "STDIO"]
    assert "mpiio" in summary
    assert "LUSTRE" not in summary
    assert 3 not in summary
    assert len(summary) == 3
    assert summary["mpiio"] == summary["MPI-IO"]
    with pytest.raises(KeyError, match="POSIX, MPI-IO, STDIO"):
        summary["LUSTRE"]
    assert summary.layers.columns[0] == "module"
    assert summary.layers.column("bytes_read") == [m.bytes_read for m in summary.values()]
    assert set(summary.records) == set(summary.missing) == set(summary)
    assert summary.records["POSIX"].to_pylist() == log["POSIX"].aggregate().to_pylist()
    assert summary.mounts.columns[:2] == ["mount", "fs_type"]
    assert summary.problems == log.problems
    for table in (summary.layers, summary.categories, summary.access_sizes, summary.common_accesses, summary.mounts):
        assert isinstance(table, darrow.Table)
        assert table.to_arrow().num_rows == len(table) == len(table.to_pandas()) == table.to_polars().height
        assert table.to_arrow().column_names == table.columns == table.schema.names
        assert repr(table).startswith("<darrow.Table ")


def test_summary_of_some_modules():
    log = darrow.open(EXAMPLE)
    assert list(log.summary("stdio")) == ["STDIO"]
    assert list(log.summary(["STDIO", "POSIX"])) == ["POSIX", "STDIO"]
    bottom = log.summary(layer="bottom")
    assert list(bottom) == ["bottom"]
    assert bottom["bottom"].bytes == sum(log.summary()[module].bytes for module in ("POSIX", "STDIO"))
    assert dict(bottom["bottom"].record) == {}
    with pytest.raises(KeyError, match="there are"):
        log.summary("DFS")
    with pytest.raises(ValueError, match="layer"):
        log.summary(layer="top")
    for modules in ("MPI-IO", ["POSIX", "mpiio"]):
        with pytest.raises(ValueError, match="MPI-IO is not part of the bottom layer"):
            log.summary(modules, layer="bottom")
    assert bottom["bottom"] == log.summary(["POSIX", "STDIO"], layer="bottom")["bottom"]
    with pytest.raises(ValueError, match="at least one"):
        log.summary([])


def test_attributes_and_items():
    summary = darrow.open(EXAMPLE).summary()
    posix = summary["POSIX"]
    known = set(posix)
    layers = [row["name"] for row in darrow.metrics().to_pylist() if row["table"] == "layers"]
    assert known == {*layers, "partial", "damaged"}
    for name in layers:
        assert getattr(posix, name) == posix[name]
        assert name in dir(posix)
    own = {name for name in dir(darrow.Metrics) if not name.startswith("_")}
    assert not own & known  # no method hides a metric
    with pytest.raises(AttributeError, match="bytes_read"):
        _ = posix.nothing
    aggregate = summary.records["POSIX"]
    assert aggregate.POSIX_OPENS == aggregate["POSIX_OPENS"] == posix.record.POSIX_OPENS
    assert "POSIX_OPENS" in aggregate
    assert "POSIX_OPENS" in dir(aggregate)
    with pytest.raises(AttributeError, match="nothing"):
        _ = aggregate.nothing
    with pytest.raises(KeyError, match="nothing"):
        _ = aggregate["nothing"]
    heatmaps = darrow.open(EXAMPLE)["HEATMAP"].aggregate()
    with pytest.raises(ValueError, match="3 rows"):
        _ = heatmaps.write


def test_metrics_can_be_pickled():
    posix = darrow.open(EXAMPLE).summary()["POSIX"]
    again = pickle.loads(pickle.dumps(posix))
    assert again == posix
    assert repr(again) == repr(posix)
    assert again.categories["all"].files == posix.categories["all"].files


def test_texts():
    summary = darrow.open(EXAMPLE).summary()
    lines = repr(summary).splitlines()
    assert lines[0].startswith(f"<darrow.Summary {str(EXAMPLE)!r}: job ")
    assert lines[1].split() == ["module", "files", "records", "read", "written", "I/O", "time", "rate"]
    assert [line.split()[0] for line in lines[2:]] == list(summary)
    assert "bytes_read" in repr(summary["POSIX"])
    assert repr(summary.records["STDIO"]).startswith("<darrow.Aggregate STDIO: 3 records, ")
    assert "no module" in repr(log_of({}).summary())


def test_dictionary_of_metrics():
    table = darrow.metrics()
    assert table.columns == ["name", "table", "unit", "formula", "meaning", "inputs", "modules"]
    rows = {(row["table"], row["name"]): row for row in table.to_pylist()}
    assert len(rows) == len(table)
    rate = rows["layers", "rate"]
    assert (rate["unit"], rate["formula"]) == ("bytes/s", "bytes / time_by_slowest")
    assert {"bytes_read", "slowest_time"} <= set(rate["inputs"])
    assert {"POSIX", "MPI-IO", "STDIO"} <= set(rate["modules"])
    assert not {"H5F", "LUSTRE", "DXT_POSIX"} & set(rate["modules"])
    summary = darrow.open(EXAMPLE).summary()
    for name in ("layers", "categories", "access_sizes", "common_accesses"):
        assert {key for of, key in rows if of == name} <= set(getattr(summary, name).columns)
    assert all(row["meaning"] and row["formula"] for row in rows.values())


def test_wrong_arguments():
    with pytest.raises(TypeError, match="str is no table"):
        darrow.metrics("POSIX")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = darrow.nothing
    assert set(darrow.__all__) <= set(dir(darrow))


def test_imported_when_asked_for():
    code = "import darrow, sys; assert 'darrow.summary' not in sys.modules; darrow.metrics(); darrow.Summary"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_threads():
    """Summaries and aggregates of one log from several threads at once."""
    log = darrow.open(EXAMPLE)
    calls = [log.summary, log["POSIX"].aggregate, lambda: darrow.metrics(log["STDIO"]), log["HEATMAP"].aggregate] * 8
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda call: call(), calls))
    for i, result in enumerate(found):
        first = found[i % 4]
        if isinstance(result, darrow.Aggregate):
            assert result.to_pylist() == first.to_pylist()
        else:
            assert dict(result) == dict(first)


def test_batches_of_a_large_log():
    """More records than a batch holds."""
    rows = [s(i % 700, i % 5, i, 1, **times(read=0.1)) for i in range(40_000)]
    log = log_of({"STDIO": rows}, nprocs=5)
    m = darrow.metrics(log["STDIO"])
    assert (m.records, m.files, m.bytes_read, m.bytes_written) == (40_000, 700, sum(range(40_000)), 40_000)
    assert m.read_time == float(40_000 * Fraction(0.1))
    assert m.record["STDIO_F_READ_TIME"] == m.read_time
