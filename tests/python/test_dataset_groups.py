"""Records and metrics of many logs by groups."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import darrow
import logwriter
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from corpus import DATA, LOGS, NO_LOGS

CHOSEN = sorted(DATA / f"{n}.darshan" for n in ("example", "posix-ops", "hdf5-parallel", "lustre", "names-odd"))


def rows(aggregate: Any, *keys: str) -> dict[Any, Any]:
    """Rows by their keys, without common values and what is told of single files only."""
    left_out = {"accesses", "strides", "id"}
    return {
        tuple(row[key] for key in keys): {k: v for k, v in row.items() if k not in left_out}
        for row in aggregate.to_pylist()
    }


@pytest.fixture(scope="module")
def whole() -> pa.Table:
    """All records as one table of another package, which is aggregated by another way."""
    return darrow.scan(CHOSEN)["POSIX"].to_arrow()


@pytest.mark.parametrize("threads", [1, 3])
def test_all_as_one(whole: pa.Table, threads: int) -> None:
    got = darrow.scan(CHOSEN, threads=threads)["POSIX"].aggregate()
    expected = darrow.aggregate(whole.drop_columns(["log", "jobid"]))
    assert rows(got) == rows(expected)
    assert got.records == len(whole)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("rank", ["rank"]),
        ("fs", ["fs_type"]),
        (["rank", "ext"], ["rank", "ext"]),
        ("file", ["id", "name"]),
        ({"dat": r"\.dat$", "a": "a", "none": "no such name"}, ["pattern"]),
        ([{"dat": r"\.dat$", "a": "a"}, "rank"], ["pattern", "rank"]),
    ],
)
def test_by_keys_of_records(whole: pa.Table, by: Any, keys: list[str], threads: int) -> None:
    got = darrow.scan(CHOSEN, threads=threads)["POSIX"].aggregate(by=by)
    expected = darrow.aggregate(whole.drop_columns(["log", "jobid"]), by=by)
    assert rows(got, *keys) == rows(expected, *keys)


def test_by_job() -> None:
    got = darrow.scan(CHOSEN)["POSIX"].aggregate(by="job")
    for row, path in zip(got.to_pylist(), [p for p in CHOSEN if "POSIX" in darrow.open(p)], strict=True):
        own = darrow.open(path)["POSIX"].aggregate()
        assert row["log"] == str(path)
        assert row["POSIX_BYTES_WRITTEN"] == own.POSIX_BYTES_WRITTEN
        assert row["records"] == own.records


def test_selected_rows(whole: pa.Table) -> None:
    table = darrow.scan(CHOSEN)["POSIX"]
    chosen = whole.filter(pc.equal(whole["rank"], 0)).drop_columns(["log", "jobid"])
    assert rows(table.select(ranks=[0]).aggregate()) == rows(darrow.aggregate(chosen))
    named = whole.filter(pc.ends_with(whole["name"], ".dat")).drop_columns(["log", "jobid"])
    assert rows(table.select("rank", names=r"\.dat$").aggregate("rank"), "rank") == rows(
        darrow.aggregate(named, by="rank"), "rank"
    )


def test_what_has_no_aggregate() -> None:
    ds = darrow.scan(CHOSEN)
    with pytest.raises(darrow.AggregationError, match="DXT"):
        ds["DXT_POSIX"].aggregate()
    with pytest.raises(darrow.AggregationError, match="jobs"):
        ds.table("jobs").aggregate()
    with pytest.raises(darrow.AggregationError, match="color"):
        ds["POSIX"].aggregate(by="color")


@pytest.mark.skipif(not LOGS.exists(), reason=NO_LOGS)
@pytest.mark.parametrize("threads", [1, 4])
def test_a_fleet_by_user(threads: int) -> None:
    """What programs counted of their writes through POSIX, of logs whose program called POSIX itself."""
    fleet = LOGS / "fleet"
    logs = [log for log in json.loads((fleet / "facts.json").read_text())["logs"] if "POSIX" in log["totals"]]
    theirs: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for log in logs:
        theirs[log["uid"]][0] += 1
        theirs[log["uid"]][1] += log["totals"]["POSIX"].get("POSIX_BYTES_WRITTEN", 0)
    ds = darrow.scan([fleet / log["path"] for log in logs], threads=threads)
    groups = ds.summary(by="uid", modules="posix")
    assert {row["uid"]: [row["jobs"], row["bytes_written"]] for row in groups.to_pylist()} == theirs
    sums = ds["POSIX"].aggregate(by="uid")
    assert dict(zip(sums.column("uid"), sums.column("POSIX_BYTES_WRITTEN"), strict=True)) == {
        uid: written for uid, (_, written) in theirs.items()
    }
    assert groups.problems == sums.problems == []


def test_summary_of_layers() -> None:
    ds = darrow.scan(CHOSEN)
    (bottom,) = ds.summary(layer="bottom").to_pylist()
    assert bottom["bytes"] == sum(darrow.open(path).summary(layer="bottom")["bottom"].bytes for path in CHOSEN)
    with pytest.raises(ValueError, match="layer"):
        ds.summary(layer="top")
    with pytest.raises(darrow.AggregationError, match="colour"):
        ds.summary(sort="colour")


@pytest.mark.parametrize("name", ["MPI-IO", "mpi-io", "mpiio", "MPIIO"])
def test_modules_by_any_spelling(name: str) -> None:
    path = DATA / "hdf5-parallel.darshan"
    (layer,) = darrow.open(path).summary(name)  # a mapping of names
    (groups,) = darrow.scan(path).summary(modules=name).to_pylist()
    given = darrow.aggregate(darrow.open(path)["MPI-IO"].to_arrow(), module=name)
    assert (layer, groups["module"], given.records) == ("MPI-IO", "MPI-IO", groups["records"])


@pytest.mark.parametrize(
    ("name", "layer", "message"),
    [
        ("POSX", "module", 'no module is called "POSX"; there are: POSIX, MPI-IO, '),
        ("LUSTRE", "module", "records of LUSTRE do not combine"),
        ("MPI-IO", "bottom", "MPI-IO is not of the bottom layer; these are: POSIX, STDIO, DFS"),
    ],
)
def test_modules_without_a_summary(name: str, layer: str, message: str) -> None:
    with pytest.raises(darrow.AggregationError, match=message):
        darrow.scan(CHOSEN).summary(modules=["POSIX", name], layer=layer)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_version_of_the_module_that_is_not_known(tmp_path: Path, threads: int) -> None:
    for number, version in enumerate([4, 99, 4]):
        region = logwriter.posix(1, opens=10**number)
        names = logwriter.names([(1, b"/a")])
        log = logwriter.Log(job=logwriter.job(), names=names, modules={"POSIX": (version, region)}).build()
        (tmp_path / f"{number}.darshan").write_bytes(log)
    table = darrow.scan(tmp_path, threads=threads)["POSIX"]
    assert table.to_arrow()["POSIX_OPENS"].to_pylist() == [1, 100]
    assert [row["POSIX_OPENS"] for row in table.aggregate().to_pylist()] == [101]
    assert [row["POSIX_OPENS"] for row in table.aggregate(by="file").to_pylist()] == [101]
    with pytest.raises(darrow.UnsupportedVersionError, match=r"1\.darshan: module version 99"):
        darrow.scan(tmp_path, threads=threads, strict=True)["POSIX"].aggregate()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_log_that_cannot_be_opened(threads: int) -> None:
    """Is left out and told; in strict mode, damage of its job is an error, as it is of a scan."""
    damaged = DATA / "hdronly.darshan"  # ends behind its header
    ds = darrow.scan([CHOSEN[0], damaged], threads=threads)
    assert ds["POSIX"].aggregate().records == len(darrow.open(CHOSEN[0])["POSIX"])
    assert [failure.log for failure in ds.failures] == [str(damaged)]
    strict = darrow.scan([CHOSEN[0], damaged], threads=threads, strict=True)
    for take in (strict["POSIX"].to_arrow, strict["POSIX"].aggregate, strict.summary):
        with pytest.raises(darrow.CorruptLogError, match=r"hdronly\.darshan"):
            take()
