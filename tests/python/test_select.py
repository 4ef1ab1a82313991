"""Selections pushed into the reader give what filtering the whole table gives."""

import re

import darrow
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from corpus import ROOT

DATA = ROOT / "tests" / "data"


def whole(log: str, module: str) -> pa.Table:
    return darrow.open(DATA / f"{log}.darshan")[module].to_arrow()


CASES = [
    ("posix-partial-shared", "POSIX"),
    ("lustre", "LUSTRE"),
    ("dxt-v3-mpiio", "DXT_MPIIO"),
    ("dxt-v3-mpiio", "DXT_POSIX"),
    ("heatmap-25s", "HEATMAP"),
    ("lustre-apmpi-all", "APMPI"),
]


@pytest.mark.parametrize(("log", "module"), CASES)
def test_rows_by_id_and_rank(log: str, module: str) -> None:
    table = whole(log, module)
    records = darrow.open(DATA / f"{log}.darshan")[module]
    for column in ("id", "rank"):
        values = pc.unique(table[column]).to_pylist()
        for chosen in ([], values[:1], values[::2], values):
            mask = pc.is_in(table[column], pa.array(chosen, table[column].type))
            selected = records.select(**{column + "s": chosen})
            assert selected.to_arrow().to_pylist() == table.filter(mask).to_pylist()
            assert len(selected) == pc.sum(mask).as_py()


def test_filters_add_up() -> None:
    records = darrow.open(DATA / "posix-partial-shared.darshan")["POSIX"]
    ids, ranks = sorted(set(records.column("id"))), [0, 1]
    expected = [row for row in records.to_pylist() if row["id"] in ids[:3] and row["rank"] in ranks]
    assert records.select(ids=ids[:3]).select(ranks=ranks).to_pylist() == expected
    assert records.select(ids=ids[:3], ranks=ranks).to_pylist() == expected
    assert len(records.select(ids=ids[:2]).select(ids=ids[2:])) == 0


def test_names_by_pattern() -> None:
    records = darrow.open(DATA / "posix-partial-shared.darshan")["POSIX"]
    for pattern in (r"shared", r"^/scratch", r"\.dat$", r"nothing like it"):
        expected = [row for row in records.to_pylist() if re.search(pattern, row["name"])]
        assert records.select(names=pattern).to_pylist() == expected
        assert records.select(names=re.compile(pattern)).to_pylist() == expected
    with pytest.raises(re.error):
        records.select(names="(")


def test_selected_rows_report_no_other_problems() -> None:
    log = darrow.open(DATA / "rank_ge_nprocs.darshan", strict=False)
    everything = log.verify()
    assert len(log["POSIX"].select(ranks=[9]).to_arrow()) == 1
    assert log.problems == everything


def test_a_schema_costs_no_read() -> None:
    log = darrow.open(DATA / "px_short.darshan")  # reading POSIX raises in strict mode
    records = log["POSIX"]
    assert records.columns[:5] == ["id", "rank", "name", "mount", "fs_type"]
    assert records.schema["POSIX_OPENS"].unit == "calls"
    assert pa.schema(records).field("POSIX_F_READ_TIME").type == pa.float64()
    with pytest.raises(KeyError, match="no column"):
        records.select(["POSIX_NOPE"])
    with pytest.raises(darrow.CorruptLogError):
        len(records)


def test_rows_of_other_tables_cannot_be_selected() -> None:
    log = darrow.open(DATA / "posix-ops.darshan")
    with pytest.raises(ValueError, match="no table of a module"):
        log.table("mounts").select(ids=[1])


def test_values_of_a_part_are_not_judged() -> None:
    """Fewer records of another first one: what differs from it would be counted otherwise."""
    log = darrow.open(DATA / "hm_mis8.darshan")
    everything = log.verify()
    for rank in set(log["HEATMAP"].column("rank")):
        log["HEATMAP"].select(ranks=[rank]).to_arrow()
    assert log.problems == everything


def test_strict_judges_each_access_alone() -> None:
    log = darrow.open(DATA / "px_short.darshan")
    stored = log.modules["POSIX"].bytes()
    with pytest.raises(darrow.CorruptLogError):
        log["POSIX"].to_arrow()
    assert log.modules["POSIX"].bytes() == stored


def test_tables_beside_the_modules() -> None:
    log = darrow.open(DATA / "posix-ops.darshan")
    assert log.table("mounts").select(["path"]).to_arrow().column_names == ["path"]
    assert log.table("jobs").select("jobid").column("jobid") == [log.job.jobid]
    with pytest.raises(KeyError, match="no column"):
        log.table("jobs").select(["nope"])
