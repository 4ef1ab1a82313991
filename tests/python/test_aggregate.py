"""Each rule by which records combine, on small logs whose results were worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import darrow
import made
import pytest
from corpus import DATA
from made import records_of, row

MOST = 2**63 - 1


def aggregate(module: str, *rows: dict[str, Any], **options: Any) -> darrow.Aggregate:
    return records_of(module, rows, **options).aggregate()


def posix(*rows: dict[str, Any]) -> darrow.Aggregate:
    return aggregate("POSIX", *rows, strict=False)


def p(record_id: int = 1, rank: int = 0, **counters: Any) -> dict[str, Any]:
    return row("POSIX", record_id, rank, **counters)


# Missing, negative and too large values -------------------------------------------------------------------------------


def test_missing_values_are_left_out():
    agg = posix(p(1, FILENOS=-1), p(2, FILENOS=3), p(3, FILENOS=4))
    assert agg.POSIX_FILENOS == 7
    assert agg.missing.to_pylist()[0]["POSIX_FILENOS"] == 1
    assert agg.records == 3
    assert agg.problems == []


def test_all_missing_is_null_not_minus_one():
    agg = posix(p(1, FILENOS=-1), p(2, FILENOS=-1))
    assert agg.POSIX_FILENOS is None
    assert agg.missing.column("POSIX_FILENOS") == [2]
    assert agg.POSIX_OPENS == 0
    assert agg.missing.column("POSIX_OPENS") == [0]


def test_counters_that_the_version_lacks_are_null():
    agg = aggregate("STDIO", row("STDIO", 1, OPENS=2), row("STDIO", 2, OPENS=3), versions={"STDIO": 1})
    assert (agg.STDIO_OPENS, agg.STDIO_FDOPENS) == (5, None)
    assert agg.missing.column("STDIO_FDOPENS") == [2]


def test_negative_counts_are_missing_and_a_problem():
    agg = posix(p(1, READS=-4, BYTES_READ=10), p(2, READS=6, BYTES_READ=20))
    assert (agg.POSIX_READS, agg.POSIX_BYTES_READ) == (6, 30)
    assert agg.missing.column("POSIX_READS") == [1]
    (problem,) = agg.problems
    assert (problem.kind, problem.count, problem.module) == ("value_negative", 1, "POSIX")
    assert "POSIX_READS 1" in problem.message


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf, -math.inf, 1.1e12])
def test_times_that_cannot_be_are_missing(value):
    agg = posix(p(1, F_READ_TIME=value), p(2, F_READ_TIME=0.5))
    assert agg.POSIX_F_READ_TIME == 0.5
    assert agg.missing.column("POSIX_F_READ_TIME") == [1]
    assert [problem.kind for problem in agg.problems] == ["value_negative"]


def test_a_sum_that_does_not_fit_is_null():
    agg = posix(p(1, BYTES_READ=MOST, OPENS=MOST), p(2, BYTES_READ=1, OPENS=0))
    assert (agg.POSIX_BYTES_READ, agg.POSIX_OPENS) == (None, MOST)
    (problem,) = agg.problems
    assert (problem.kind, problem.count) == ("sum_overflow", 1)
    assert "POSIX_BYTES_READ" in problem.message


# Sums -----------------------------------------------------------------------------------------------------------------


def test_counts_bytes_and_histograms_add_up():
    agg = posix(p(1, OPENS=1, BYTES_WRITTEN=2**40, SIZE_WRITE_0_100=7), p(2, -1, OPENS=5, SIZE_WRITE_0_100=2))
    assert (agg.POSIX_OPENS, agg.POSIX_BYTES_WRITTEN, agg.POSIX_SIZE_WRITE_0_100) == (6, 2**40, 9)


def test_sums_of_times_are_exact_in_any_order():
    times = [0.1, 0.2, 0.3]
    rows = [p(i, F_WRITE_TIME=time) for i, time in enumerate(times)]
    assert posix(*rows).POSIX_F_WRITE_TIME == posix(*rows[::-1]).POSIX_F_WRITE_TIME == math.fsum(times)
    assert sum(times) != sum(times[::-1])


def test_sums_that_darshan_util_forgets():
    agg = aggregate("DAOS", row("DAOS", 1, NB_OPS=3), row("DAOS", 2, NB_OPS=4))
    assert agg.DAOS_NB_OPS == 7
    name = {"PNETCDF_VAR_NB_READS": 2, "PNETCDF_VAR_NB_WRITES": 5}
    agg = aggregate("PNETCDF_VAR", row("PNETCDF_VAR", 1, **name), row("PNETCDF_VAR", 2, **name))
    assert (agg.PNETCDF_VAR_NB_READS, agg.PNETCDF_VAR_NB_WRITES) == (4, 10)


# One value, flags -----------------------------------------------------------------------------------------------------

ONE_VALUE = [
    *("POSIX_MODE", "POSIX_MEM_ALIGNMENT", "POSIX_FILE_ALIGNMENT", "POSIX_RENAMED_FROM", "MPIIO_MODE"),
    *("DFS_CHUNK_SIZE", "DAOS_OBJ_OTYPE", "DAOS_ARRAY_CELL_SIZE", "DAOS_ARRAY_CHUNK_SIZE"),
    *("H5D_DATASPACE_NDIMS", "H5D_DATASPACE_NPOINTS", "H5D_DATATYPE_SIZE", "H5D_CHUNK_SIZE_D1", "H5D_CHUNK_SIZE_D5"),
    *("PNETCDF_VAR_NDIMS", "PNETCDF_VAR_NPOINTS", "PNETCDF_VAR_DATATYPE_SIZE"),
]


def module_of(counter: str) -> str:
    for prefix, module in (("MPIIO", "MPI-IO"), ("BGQ", "BG/Q"), ("PNETCDF_VAR", "PNETCDF_VAR")):
        if counter.startswith(prefix):
            return module
    return counter.partition("_")[0]


@pytest.mark.parametrize("counter", ONE_VALUE)
def test_one_value_or_none(counter):
    module = module_of(counter)
    records = [{"id": i, "rank": 0, counter: value} for i, value in enumerate((4096, 4096, 1))]
    assert aggregate(module, *records[:2])[counter] == 4096
    assert aggregate(module, *records)[counter] is None
    assert aggregate(module, *records).missing.column(counter) == [0]


def test_one_value_looks_at_those_that_are_there():
    assert posix(p(1, FILE_ALIGNMENT=-1), p(2, FILE_ALIGNMENT=4096)).POSIX_FILE_ALIGNMENT == 4096
    assert posix(p(1, FILE_ALIGNMENT=-4), p(2, FILE_ALIGNMENT=4096)).POSIX_FILE_ALIGNMENT == 4096


@pytest.mark.parametrize("module", ["H5D", "PNETCDF_VAR"])
def test_file_of_datasets(module):
    big = 2**63 + 1  # ids use all 64 bits
    agg = aggregate(module, row(module, 1, file_rec_id=big), row(module, 2, file_rec_id=big))
    assert agg.file_rec_id == big
    assert aggregate(module, row(module, 1, file_rec_id=big), row(module, 2, file_rec_id=7)).file_rec_id is None


def test_bgq_is_one_value_each():
    rows = [row("BG/Q", 1, rank, NNODES=32, INODES=inodes, F_TIMESTAMP=5.0) for rank, inodes in ((0, 1), (1, 2))]
    agg = aggregate("BG/Q", *rows)
    assert (agg.BGQ_NNODES, agg.BGQ_INODES, agg.BGQ_F_TIMESTAMP) == (32, None, 5.0)


@pytest.mark.parametrize(
    "counter", ["H5F_USE_MPIIO", "H5D_USE_MPIIO_COLLECTIVE", "H5D_USE_DEPRECATED", "PNETCDF_VAR_IS_RECORD_VAR"]
)
def test_flags(counter):
    module = module_of(counter)
    records = [{"id": i, "rank": 0, counter: value} for i, value in enumerate((0, 0, 1, 1))]
    assert aggregate(module, *records)[counter] == 1
    assert aggregate(module, *records[:2])[counter] == 0


# Timestamps, maxima, pairs --------------------------------------------------------------------------------------------


def test_starts_and_ends():
    agg = posix(
        p(1, F_READ_START_TIMESTAMP=0.0, F_READ_END_TIMESTAMP=0.0),
        p(2, F_READ_START_TIMESTAMP=2.5, F_READ_END_TIMESTAMP=9.0),
        p(3, F_READ_START_TIMESTAMP=1.5, F_READ_END_TIMESTAMP=4.0),
    )
    assert (agg.POSIX_F_READ_START_TIMESTAMP, agg.POSIX_F_READ_END_TIMESTAMP) == (1.5, 9.0)
    assert (agg.POSIX_F_WRITE_START_TIMESTAMP, agg.POSIX_F_WRITE_END_TIMESTAMP) == (0.0, 0.0)  # never


def test_starts_that_were_not_recorded():
    agg = posix(p(1, F_CLOSE_START_TIMESTAMP=-1.0), p(2, F_CLOSE_START_TIMESTAMP=3.0))
    assert agg.POSIX_F_CLOSE_START_TIMESTAMP == 3.0
    assert posix(p(1, F_CLOSE_START_TIMESTAMP=-1.0)).POSIX_F_CLOSE_START_TIMESTAMP is None


def test_largest_offsets():
    agg = posix(p(1, MAX_BYTE_READ=99, MAX_BYTE_WRITTEN=0), p(2, MAX_BYTE_READ=9, MAX_BYTE_WRITTEN=5000))
    assert (agg.POSIX_MAX_BYTE_READ, agg.POSIX_MAX_BYTE_WRITTEN) == (99, 5000)


@pytest.mark.parametrize("module", ["POSIX", "MPI-IO", "H5D", "PNETCDF_VAR", "DFS", "DAOS"])
def test_the_longest_call_brings_its_size(module):
    prefix = module.replace("-", "")
    rows = [
        {"id": 1, "rank": rank, f"{prefix}_F_MAX_READ_TIME": time, f"{prefix}_MAX_READ_TIME_SIZE": size}
        for rank, (time, size) in enumerate([(0.5, 1000), (2.0, 16), (2.0, 64), (1.0, 5000)])
    ]
    agg = aggregate(module, *rows)
    assert (agg[f"{prefix}_F_MAX_READ_TIME"], agg[f"{prefix}_MAX_READ_TIME_SIZE"]) == (2.0, 16)  # a tie: the first
    agg = aggregate(module, *rows[::-1])
    assert (agg[f"{prefix}_F_MAX_READ_TIME"], agg[f"{prefix}_MAX_READ_TIME_SIZE"]) == (2.0, 64)


def test_mdhim():
    agg = aggregate(
        "MDHIM",
        row("MDHIM", 1, 0, PUTS=1, GETS=2, PUT_MAX_SIZE=10, F_PUT_MAX_DURATION=9.0, F_PUT_TIMESTAMP=3.0, SERVERS=2,
            servers=[1, 2]),
        row("MDHIM", 1, 1, PUTS=3, GETS=4, PUT_MAX_SIZE=80, F_PUT_MAX_DURATION=0.5, F_PUT_TIMESTAMP=2.0, SERVERS=4,
            servers=[10, 20, 30, 40]),
    )  # fmt: skip
    assert (agg.MDHIM_PUTS, agg.MDHIM_GETS) == (4, 6)
    # The pair is led by the size: the duration is that of the largest request.
    assert (agg.MDHIM_PUT_MAX_SIZE, agg.MDHIM_F_PUT_MAX_DURATION) == (80, 0.5)
    assert agg.MDHIM_F_PUT_TIMESTAMP == 2.0
    assert agg.MDHIM_SERVERS is None
    assert agg.servers == [11, 22, 30, 40]
    assert aggregate("MDHIM", row("MDHIM", 1, SERVERS=1, servers=[5]), row("MDHIM", 2, SERVERS=1)).MDHIM_SERVERS == 1


# Common values --------------------------------------------------------------------------------------------------------


def accesses(*pairs: tuple[int, int]) -> dict[str, int]:
    """Sizes and counts of the four slots."""
    out = {}
    for k, (size, count) in enumerate(pairs, 1):
        out |= {f"ACCESS{k}_ACCESS": size, f"ACCESS{k}_COUNT": count}
    return out


def slots(agg: darrow.Aggregate, prefix: str, kind: str = "ACCESS") -> list[tuple[int, int]]:
    return [(agg[f"{prefix}_{kind}{k}_{kind}"], agg[f"{prefix}_{kind}{k}_COUNT"]) for k in (1, 2, 3, 4)]


def test_common_values_are_united():
    agg = posix(
        p(1, READS=50, **accesses((3, 6), (2, 6), (4, 5), (5, 2))),
        p(2, READS=50, **accesses((4, 8), (5, 7), (8, 6), (3, 5))),
    )
    everything = [(4, 13), (3, 11), (5, 9), (8, 6), (2, 6)]  # equal counts: the larger value first
    assert slots(agg, "POSIX") == everything[:4]
    assert [(entry["access"], entry["count"]) for entry in agg.accesses] == everything
    assert agg.strides == []


def test_disjoint_slots_and_all_others():
    rows = [
        p(i, READS=30, WRITES=10, **accesses(*((10 * i + k, 5) for k in range(4)))) for i in (1, 2, 3)
    ]  # fmt: skip
    metrics = darrow.metrics(records_of("POSIX", rows))
    assert [(e["access"], e["count"]) for e in metrics.record["accesses"]] == [
        (size, 5) for size in (33, 32, 31, 30, 23, 22, 21, 20, 13, 12, 11, 10)
    ]
    listed = [(entry["size"], entry["count"]) for entry in metrics.common_accesses]
    assert listed == [(33, 5), (32, 5), (31, 5), (30, 5), (None, 100)]
    assert metrics.common_accesses[0]["share"] == 5 / 120


def test_slots_that_are_not_used():
    agg = posix(p(1, **accesses((0, 9), (7, 0), (8, 2))), p(2))
    assert slots(agg, "POSIX") == [(8, 2), (0, 0), (0, 0), (0, 0)]
    agg = posix(p(1, **accesses((-5, 9), (7, -3), (8, 2))))
    assert slots(agg, "POSIX")[0] == (8, 2)
    assert agg.problems[0].count == 2


def test_counts_of_common_values_have_64_bits():
    agg = posix(*(p(i, **accesses((4096, 2**31))) for i in range(4)))
    assert slots(agg, "POSIX")[0] == (4096, 2**33)


def test_strides():
    agg = posix(
        p(1, STRIDE1_STRIDE=100, STRIDE1_COUNT=1), p(2, STRIDE1_STRIDE=7, STRIDE1_COUNT=3, STRIDE2_STRIDE=100,
                                                     STRIDE2_COUNT=4)
    )  # fmt: skip
    assert slots(agg, "POSIX", "STRIDE") == [(100, 5), (7, 3), (0, 0), (0, 0)]
    assert agg.strides == [{"stride": 100, "count": 5}, {"stride": 7, "count": 3}]


@pytest.mark.parametrize("module", ["H5D", "PNETCDF_VAR"])
def test_common_accesses_of_datasets_are_tuples(module):
    """Equal only if size, lengths and strides are."""

    def dataset(record_id: int, *entries: tuple[int, int, int]) -> dict[str, Any]:
        values: dict[str, Any] = {"id": record_id, "rank": 0}
        for k, (size, length, count) in enumerate(entries, 1):
            name = f"{module}_ACCESS{k}"
            values |= {f"{name}_ACCESS": size, f"{name}_LENGTH_D1": length, f"{name}_COUNT": count}
        return values

    agg = aggregate(module, dataset(1, (64, 8, 5), (64, 4, 1)), dataset(2, (64, 4, 3), (64, 8, 1), (32, 2, 4)))
    found = [(entry["access"], entry["length_d1"], entry["count"]) for entry in agg.accesses]
    assert found == [(64, 8, 6), (64, 4, 4), (32, 2, 4)]
    assert set(agg.accesses[0]) == {
        "access", "count", *(f"{what}_d{d}" for what in ("length", "stride") for d in range(1, 6)),
    }  # fmt: skip
    assert [agg[f"{module}_ACCESS{k}_LENGTH_D1"] for k in (1, 2, 3, 4)] == [8, 4, 2, 0]
    # Metrics go by the size alone.
    metrics = darrow.metrics(records_of(module, [dataset(1, (64, 8, 5), (64, 4, 1))]))
    assert metrics.common_accesses[0]["size"] == 64
    assert metrics.common_accesses[0]["count"] == 6


# Identity, fastest and slowest, variance ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([(7, 3)], (7, 3)),
        ([(7, 3), (7, 3)], (7, 3)),
        ([(7, 3), (7, 4)], (7, -1)),
        ([(7, 3), (7, -1)], (7, -1)),
        ([(7, -1)], (7, -1)),
        ([(7, 3), (8, 3)], (None, None)),
        ([(0, 0), (2**64 - 1, 0)], (None, None)),
        ([(2**64 - 1, 5)], (2**64 - 1, 5)),
    ],
)
def test_identity(records, expected):
    agg = posix(*(p(*record) for record in records))
    assert (agg.id, agg.rank, agg.records) == (*expected, len(records))


def timed(rank: int, read: float, write: float, meta: float, moved: int, **counters: Any) -> dict[str, Any]:
    times = {"F_READ_TIME": read, "F_WRITE_TIME": write, "F_META_TIME": meta}
    return p(1, rank, **times, BYTES_READ=moved, **counters)


def fastest(agg: darrow.Aggregate) -> tuple[Any, ...]:
    return agg.POSIX_FASTEST_RANK, agg.POSIX_FASTEST_RANK_BYTES, agg.POSIX_F_FASTEST_RANK_TIME


def slowest(agg: darrow.Aggregate) -> tuple[Any, ...]:
    return agg.POSIX_SLOWEST_RANK, agg.POSIX_SLOWEST_RANK_BYTES, agg.POSIX_F_SLOWEST_RANK_TIME


def test_fastest_and_slowest_of_one_file():
    agg = posix(timed(0, 1.0, 0.5, 0.0, 10), timed(2, 0.0, 0.25, 0.5, 20), timed(1, 0.25, 0.25, 0.25, 40))
    assert fastest(agg) == (1, 40, 0.75)  # as fast as rank 2: the lower rank
    assert slowest(agg) == (0, 10, 1.5)


def test_a_record_of_all_ranks_brings_its_own():
    shared = p(
        1, -1, F_READ_TIME=90.0, BYTES_READ=1, FASTEST_RANK=5, FASTEST_RANK_BYTES=11, F_FASTEST_RANK_TIME=0.5,
        SLOWEST_RANK=6, SLOWEST_RANK_BYTES=12, F_SLOWEST_RANK_TIME=4.0,
    )  # fmt: skip
    agg = posix(timed(0, 1.0, 0.0, 0.0, 10), shared)
    assert (fastest(agg), slowest(agg)) == ((5, 11, 0.5), (6, 12, 4.0))


def test_several_files_have_no_fastest_rank():
    agg = posix(timed(0, 1.0, 0.0, 0.0, 10), p(2, 0, F_READ_TIME=2.0))
    assert fastest(agg) == slowest(agg) == (None, None, None)
    assert agg.POSIX_F_VARIANCE_RANK_TIME is None


def test_a_rank_without_one_of_its_times_has_none():
    agg = posix(timed(0, 1.0, math.nan, 0.0, 10), timed(1, 3.0, 0.0, 0.0, -4))
    assert fastest(agg) == slowest(agg) == (1, None, 3.0)


def test_variance_over_records_of_single_ranks():
    agg = posix(timed(0, 1.0, 0.0, 0.0, 10), timed(1, 0.0, 2.0, 0.0, 20), timed(2, 0.0, 0.0, 6.0, 60))
    assert pytest.approx(14 / 3) == agg.POSIX_F_VARIANCE_RANK_TIME  # mean 3: (4 + 1 + 9) / 3
    assert pytest.approx(1400 / 3) == agg.POSIX_F_VARIANCE_RANK_BYTES  # mean 30: (400 + 100 + 900) / 3


def test_variance_of_a_lone_record():
    stored = {"F_VARIANCE_RANK_TIME": 0.5, "F_VARIANCE_RANK_BYTES": 8.0}
    agg = posix(p(1, -1, **stored))
    assert (agg.POSIX_F_VARIANCE_RANK_TIME, agg.POSIX_F_VARIANCE_RANK_BYTES) == (0.5, 8.0)
    assert posix(p(1, 3, **stored)).POSIX_F_VARIANCE_RANK_TIME == 0.0
    assert posix(p(1, -1, **stored), p(1, -1, **stored)).POSIX_F_VARIANCE_RANK_TIME is None
    assert posix(p(1, -1, **stored), timed(0, 1.0, 0.0, 0.0, 1)).POSIX_F_VARIANCE_RANK_TIME is None


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf, 1.1e12])
def test_times_of_fastest_and_slowest_ranks_that_cannot_be(value):
    agg = posix(p(1, -1, F_FASTEST_RANK_TIME=value, F_SLOWEST_RANK_TIME=0.5, SLOWEST_RANK=3))
    assert (fastest(agg), slowest(agg)) == ((None, None, None), (3, 0, 0.5))
    (problem,) = agg.problems
    assert (problem.kind, problem.count) == ("value_negative", 1)
    assert "POSIX_F_FASTEST_RANK_TIME 1" in problem.message


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_variances_that_cannot_be(value):
    agg = posix(p(1, -1, F_VARIANCE_RANK_TIME=value, F_VARIANCE_RANK_BYTES=1e13))
    assert (agg.POSIX_F_VARIANCE_RANK_TIME, agg.POSIX_F_VARIANCE_RANK_BYTES) == (None, 1e13)
    assert [(problem.kind, problem.count) for problem in agg.problems] == [("value_negative", 1)]


def test_what_is_stored_of_single_ranks_does_not_count():
    """Fastest and slowest ranks and variances are of records of all ranks only, of whichever file."""
    odd = {"F_SLOWEST_RANK_TIME": -1.0, "F_FASTEST_RANK_TIME": math.nan, "F_VARIANCE_RANK_TIME": -1.0}
    assert posix(p(1, 0, **odd)).problems == []
    assert [problem.count for problem in posix(p(1, -1, **odd), p(2, -1, **odd), p(2, 0, **odd)).problems] == [6]


# What does not combine ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["LUSTRE", "DXT_POSIX", "DXT_MPIIO", "APMPI", "job", "modules", "mounts", "names"])
def test_records_that_do_not_combine(name):
    table = darrow.open(DATA / "example.darshan").table(name)
    for call in (table.aggregate, lambda: darrow.metrics(table)):
        with pytest.raises(darrow.AggregationError, match=name.partition("_")[0]) as error:
            call()
        assert isinstance(error.value, ValueError)
        assert not isinstance(error.value, darrow.DarrowError)
    if name.isupper():
        with pytest.raises(darrow.AggregationError, match="do not combine into one"):
            darrow.open(DATA / "example.darshan").summary(name)


def test_heat_maps_are_no_metrics():
    with pytest.raises(darrow.AggregationError, match=r"aggregate\(\)"):
        darrow.metrics(darrow.open(DATA / "example.darshan")["HEATMAP"])


# Heat maps ------------------------------------------------------------------------------------------------------------

POSIX_MAP = 16592106915301738621  # the id that stands for the layer


def test_heat_maps_add_over_ranks():
    log = made.heatmaps(
        [
            made.heatmap(POSIX_MAP, 0, 0.1, [1, 2, 3], [0, 0, 7]),
            made.heatmap(POSIX_MAP, 1, 0.1, [10, 20, 30, 40], [1, 1, 1, 1]),
        ],
        strict=False,
    )
    agg = log["HEATMAP"].aggregate()
    assert agg.to_pylist() == [
        {
            "layer": "POSIX", "records": 2, "bin_width": 0.1, "nbins": 4,
            "write": [11, 22, 33, 40], "read": [1, 1, 8, 1],
        }
    ]  # fmt: skip
    assert agg["write"] == [11, 22, 33, 40]
    assert agg.problems == []
    only = log["HEATMAP"].select(["rank"], ranks=[1]).aggregate()
    assert only.write == [10, 20, 30, 40]


def test_heat_maps_of_other_widths_negative_bins_and_overflow():
    log = made.heatmaps(
        [
            made.heatmap(POSIX_MAP, 0, 1.0, [1, 2, 4, 8, 16, 32], [MOST, 0, 0, 0, 0, 0]),
            made.heatmap(POSIX_MAP, 1, 2.5, [100, -5], [1, 0]),
        ],
        strict=False,
    )
    agg = log["HEATMAP"].aggregate()
    assert (agg.bin_width, agg.nbins, agg.write, agg.read) == (2.5, 3, [103, 28, 32], [None, 0, 0])
    assert [(problem.kind, problem.count) for problem in agg.problems] == [("negative_bins", 1), ("sum_overflow", 1)]


@pytest.mark.parametrize("name", ["example"])
def test_heat_maps_are_the_sums_of_the_matrix(name):
    heatmap = darrow.open(DATA / f"{name}.darshan")["HEATMAP"]
    for line in heatmap.aggregate().to_pylist():
        for op in ("write", "read"):
            rows = heatmap.matrix(line["layer"], op).values.tolist()
            assert line[op] == [sum(cells) for cells in zip(*rows, strict=True)]
