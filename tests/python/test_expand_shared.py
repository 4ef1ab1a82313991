"""Tables with records of all ranks, so that plain sums are right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import darrow
import made
import pytest
from corpus import DATA, load
from made_tables import duckdb, pa, pd, pl
from plain import read_plain
from plain_rules import COMBINING, Combined, Row, rows_of

LOGS = ("example", "posix-partial-shared", "lustre-apmpi-all", "synth-all-modules", "fx_POSIX_v1_be_3.00")
ROWS = [
    made.row("POSIX", 1, -1, READS=4, FILENOS=-1, MAX_BYTE_READ=4095, F_READ_TIME=4.0, MODE=420, SLOWEST_RANK=2),
    made.row("POSIX", 2, 0, READS=2, FILENOS=3, MAX_BYTE_READ=511, F_READ_TIME=2.0, MODE=420),
    made.row("POSIX", 2, 1, READS=-4, FILENOS=5, MAX_BYTE_READ=511, F_READ_TIME=-1.0, MODE=420),
]


# Other tables of the same rows.
FORMS: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow": lambda table: table,
    "batch": lambda table: table.combine_chunks().to_batches()[0],
    "polars": pl.from_arrow,
    "pandas": lambda table: table.to_pandas(),
    "pandas pyarrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "duckdb": duckdb.from_arrow,
    "columns": lambda table: table.to_pydict(),
    "rows": lambda table: table.to_pylist(),
}


def sums(table: pa.Table) -> Row:
    return pl.from_arrow(table).select(pl.selectors.numeric().sum()).to_dicts()[0]


@pytest.mark.parametrize("name", LOGS)
def test_sums_are_right(name: str) -> None:
    """Of each counter: what a plain implementation of the rules makes of the records, or nothing."""
    log, plain = darrow.open(DATA / f"{name}.darshan", strict=False), read_plain(DATA / f"{name}.darshan")
    modules = [module for module in log if module in COMBINING]
    assert modules
    for module in modules:
        right, rules = Combined(module, rows_of(plain, module)).values, darrow.rules(module)
        expanded = log[module].expand_shared()
        assert expanded.drop_columns(["weight"]).column_names == log[module].columns
        for counter, total in sums(expanded).items():
            if counter not in rules or rules[counter].rule == "none":
                continue
            if rules[counter].rule == "sum":
                assert math.isclose(total, right[counter] or 0, rel_tol=1e-12), (module, counter)
            else:
                assert expanded[counter].null_count == len(expanded), (module, counter)


def test_sums_of_the_raw_table_are_wrong() -> None:
    """The facts: six processes, and what they wrote; one file has a record of all ranks."""
    path = DATA / "posix-partial-shared.darshan"
    facts = load(path.with_suffix(".facts.json"))["totals"]["POSIX"]
    records = darrow.open(path)["POSIX"]
    assert -1 in records.column("rank")
    raw, expanded = sums(records.raw.to_arrow()), sums(records.expand_shared())
    for counter in ("POSIX_OPENS", "POSIX_WRITES", "POSIX_BYTES_WRITTEN", "POSIX_SIZE_WRITE_1K_10K"):
        assert expanded[counter] == facts[counter]
    assert raw["POSIX_MAX_BYTE_WRITTEN"] > facts["POSIX_MAX_BYTE_WRITTEN"]
    assert expanded["POSIX_MAX_BYTE_WRITTEN"] == 0  # nothing is left to add up
    made_raw = made.records_of("POSIX", ROWS, strict=False)
    assert sums(made_raw.raw.to_arrow())["POSIX_READS"] == 2
    assert sums(made_raw.expand_shared())["POSIX_READS"] == 6


@pytest.mark.parametrize("form", FORMS)
def test_rows(form: str) -> None:
    table = made.records_of("POSIX", ROWS, strict=False).to_arrow()
    chosen = ["id", "rank", "POSIX_READS", "POSIX_FILENOS", "POSIX_MAX_BYTE_READ", "POSIX_F_READ_TIME", "POSIX_MODE"]
    expanded = darrow.expand_shared(FORMS[form](table.select(chosen).append_column("x", [["a", "b", "c"]])), 8)
    assert expanded.to_pylist() == [
        dict(zip([*chosen[:2], "weight", *chosen[2:], "x"], row, strict=True))
        for row in (
            (1, None, 8, 4, None, None, 4.0, None, "a"),
            (2, 0, 1, 2, 3, None, 2.0, None, "b"),
            (2, 1, 1, None, 5, None, None, None, "c"),
        )
    ]


def test_records() -> None:
    """The number of processes is the job's, selections count, raw tables are the same, metadata stays."""
    records = made.records_of("POSIX", ROWS, strict=False, nprocs=4)
    expanded = records.expand_shared()
    assert expanded["weight"].to_pylist() == [4, 1, 1]
    assert records.raw.expand_shared().equals(expanded)
    assert darrow.expand_shared(records).equals(expanded)
    assert records.select(ranks=[-1]).expand_shared()["weight"].to_pylist() == [4]
    assert darrow.expand_shared(records, 7)["weight"].to_pylist() == [7, 1, 1]
    assert expanded.field("POSIX_READS").metadata[b"rule"] == b"sum"
    unknown = made.records_of("POSIX", ROWS, strict=False, nprocs=0)
    assert unknown.expand_shared()["weight"].to_pylist() == [None, 1, 1]


def test_what_is_refused() -> None:
    records = made.records_of("POSIX", ROWS, strict=False)
    log = darrow.open(DATA / "example.darshan")
    with pytest.raises(darrow.AggregationError, match="records of LUSTRE do not combine"):
        log["LUSTRE"].expand_shared()
    for table in (log.table("job"), {"rank": [0], "x": [1]}):
        with pytest.raises(darrow.AggregationError, match="no counters in this table"):
            darrow.expand_shared(table, 3)
    with pytest.raises(ValueError, match="one column rank"):
        records.select(["POSIX_READS"]).expand_shared()
    with pytest.raises(ValueError, match="none called weight"):
        darrow.expand_shared(records.expand_shared(), 4)
    with pytest.raises(ValueError, match="nprocs is 0"):
        darrow.expand_shared(records, 0)
    with pytest.raises(TypeError, match="needs nprocs"):
        darrow.expand_shared(records.to_arrow())
    with pytest.raises(TypeError, match="int is no table"):
        darrow.expand_shared(7, 4)
