"""Rules as expressions of Polars, DuckDB and pandas give what `aggregate()` gives."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import made
import pytest
from corpus import DATA, LOGS, few
from made_tables import duckdb, numpy_nullable, pa, pd, pl, random_rows
from plain_rules import COMBINING

pytestmark = pytest.mark.slow  # mostly other engines at work

Row = dict[str, Any]
Engine = Callable[[pa.Table, darrow.Rules], dict[Any, Row]]
CONNECTION = duckdb.connect(config={"threads": 1})
MOST = 2**63 - 1
LEAST = 2.0**-170  # what is below this is 0 in our sums

# Engines: what each makes of a table, by id, and all of it by None --------------------------------------------------


def in_polars(table: pa.Table, rules: darrow.Rules) -> dict[Any, Row]:
    frame = pl.from_arrow(table)
    grouped = frame.lazy().group_by("id").agg(rules.polars()).collect()
    return {None: frame.select(rules.polars()).to_dicts()[0]} | by_id(grouped.to_dicts())


def query(t: pa.Table, sql: str) -> pa.Table:
    """What DuckDB answers, in one thread: then the first row of equal ones is taken."""
    CONNECTION.register("t", t)
    return CONNECTION.sql(sql).to_arrow_table()


def in_duckdb(table: pa.Table, rules: darrow.Rules) -> dict[Any, Row]:
    whole = query(table, f"select {rules.sql()} from t")
    grouped = query(table, f"select id, {rules.sql()} from t group by id")
    return {None: whole.to_pylist()[0]} | by_id(grouped.to_pylist())


def in_pandas(frame: pd.DataFrame, rules: darrow.Rules) -> dict[Any, Row]:
    functions = rules.pandas(frame=frame)
    whole = frame.groupby([0] * len(frame)).agg(**functions)
    grouped = frame.groupby("id").agg(**functions)
    if not len(frame):  # no rows, no groups
        assert len(whole) == len(grouped) == 0
        return {None: dict.fromkeys(functions)}
    return {None: plain(whole.to_dict("records")[0])} | by_id(map(plain, grouped.reset_index().to_dict("records")))


def by_id(rows: Any) -> dict[Any, Row]:
    return {row.pop("id"): row for row in rows}


def plain(row: Row) -> Row:
    return {key: None if value is pd.NA or value is None else value for key, value in row.items()}


ENGINES: dict[str, Engine] = {
    "polars": in_polars,
    "duckdb": in_duckdb,
    "pandas pyarrow": lambda table, rules: in_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), rules),
    "pandas numpy_nullable": lambda table, rules: in_pandas(numpy_nullable(table), rules),
}


# Comparing ------------------------------------------------------------------------------------------------------------


def differences(rules: darrow.Rules, theirs: Row, ours: darrow.Aggregate | Row) -> Iterator[str]:
    assert list(theirs) == rules.decomposable
    for counter, value in theirs.items():
        expected = ours[counter]
        rounded = rules[counter].rule == "sum" and rules[counter].type == "double" and None not in (value, expected)
        if not (math.isclose(value, expected, rel_tol=1e-12, abs_tol=LEAST) if rounded else value == expected):
            yield f"{counter}: ours {expected!r}, theirs {value!r}"


def log_paths() -> list[Path]:
    """All logs of the repository, and some small ones of the corpus if it is there."""
    more = sorted(LOGS.rglob("*.darshan"))[::40] if LOGS.exists() else []
    return sorted(DATA.glob("*.darshan")) + [path for path in more if path.stat().st_size < 100_000]


@cache
def records_of_logs() -> dict[str, list[tuple[str, darrow.Records]]]:
    """By module: the records of each log, and those of one file in it."""
    found: dict[str, list[tuple[str, darrow.Records]]] = {module: [] for module in COMBINING}
    for path in log_paths():
        try:
            log = darrow.open(path, strict=False)
        except darrow.DarrowError:
            continue
        for module in found.keys() & set(log):
            records = log[module]
            found[module].append((path.name, records))
            if len(records):
                file = records.column("id")[len(records) // 2]
                found[module].append((f"{path.name} {file}", records.select(ids=[file])))
    return found


@pytest.mark.parametrize("module", COMBINING)
def test_logs(module: str) -> None:
    """All logs in one table, grouped by log in the place of the id. Made tables have the other columns of pandas."""
    cases, rules, tables = records_of_logs()[module], darrow.rules(module), []
    for number, (_, records) in enumerate(cases):
        table = records.to_arrow().drop_columns(["id"])
        tables.append(table.append_column("id", pa.array([number] * len(table), pa.uint64())))
    if not tables:
        pytest.skip("no log has such records")
    table = pa.concat_tables(tables).replace_schema_metadata().combine_chunks()
    found = []
    for engine in ("polars", "duckdb", "pandas pyarrow"):
        results = ENGINES[engine](table, rules)
        for number, (name, records) in enumerate(cases):
            if len(records):
                ours = records.aggregate()
                found += [f"{name} {engine} {text}" for text in differences(rules, results.pop(number), ours)]
        assert list(results) == [None]
    assert not found, few(found)


@pytest.mark.parametrize("module", COMBINING)
def test_made_tables(module: str) -> None:
    """Any number in any column: missing, negative, too large, no number; columns that are null throughout."""
    source, rules = random.Random(module), darrow.rules(module)
    out = io.BytesIO()
    darrow.write(out, {module: random_rows(module, source, 60)}, job={"nprocs": 4}, strict=False)
    records = darrow.open(out.getvalue(), strict=False)[module]
    files = sorted(set(records.column("id")))
    ours = {file: records.select(ids=[file]).aggregate() for file in files} | {None: records.aggregate()}
    for engine in ("polars", "duckdb", "pandas numpy_nullable"):
        results = ENGINES[engine](records.to_arrow(), rules)
        assert results.keys() == ours.keys()
        found = [f"{engine} {key} {text}" for key in ours for text in differences(rules, results[key], ours[key])]
        assert not found, few(found)


@pytest.mark.parametrize("module", ["STDIO", "MDHIM", "BG/Q"])
def test_empty_tables(module: str) -> None:
    table, rules = darrow.from_records(b"", module).to_arrow(), darrow.rules(module)
    for aggregate in ENGINES.values():
        assert aggregate(table, rules) == {None: dict.fromkeys(rules.decomposable)}


# By hand --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_by_hand(engine: str) -> None:
    rows = [
        made.row("POSIX", 1, 0, READS=5, FILENOS=-1, DUPS=-1, BYTES_READ=MOST, MODE=420, FILE_ALIGNMENT=4096,
                 MAX_BYTE_READ=10, F_READ_TIME=0.1, F_META_TIME=math.nan, F_READ_START_TIMESTAMP=0.0,
                 F_CLOSE_END_TIMESTAMP=2.5, F_MAX_READ_TIME=2.0, MAX_READ_TIME_SIZE=16, RENAMED_FROM=-1),
        made.row("POSIX", 2, 0, READS=-4, FILENOS=3, DUPS=-1, BYTES_READ=1, MODE=438, FILE_ALIGNMENT=-1,
                 MAX_BYTE_READ=99, F_READ_TIME=0.2, F_META_TIME=0.5, F_READ_START_TIMESTAMP=7.0,
                 F_CLOSE_END_TIMESTAMP=1.5, F_MAX_READ_TIME=2.0, MAX_READ_TIME_SIZE=64, RENAMED_FROM=-1),
        made.row("POSIX", 3, 0, READS=6, FILENOS=4, DUPS=-1, MODE=420, FILE_ALIGNMENT=4096, F_READ_TIME=1e300,
                 F_META_TIME=-1.0, F_READ_START_TIMESTAMP=3.0, F_MAX_READ_TIME=math.inf, RENAMED_FROM=-1),
    ]  # fmt: skip
    table = made.records_of("POSIX", rows, strict=False).to_arrow()
    found = ENGINES[engine](table, darrow.rules("POSIX"))[None]
    assert math.isclose(found["POSIX_F_READ_TIME"], 0.3, rel_tol=1e-15)
    assert {counter: found[f"POSIX_{counter}"] for counter in (
        "READS", "FILENOS", "DUPS", "BYTES_READ", "MODE", "FILE_ALIGNMENT", "MAX_BYTE_READ", "F_META_TIME",
        "F_READ_START_TIMESTAMP", "F_WRITE_START_TIMESTAMP", "F_CLOSE_END_TIMESTAMP", "F_MAX_READ_TIME",
        "MAX_READ_TIME_SIZE", "RENAMED_FROM",
    )} == {
        "READS": 11, "FILENOS": 7, "DUPS": None, "BYTES_READ": None, "MODE": None, "FILE_ALIGNMENT": 4096,
        "MAX_BYTE_READ": 99, "F_META_TIME": 0.5, "F_READ_START_TIMESTAMP": 3.0, "F_WRITE_START_TIMESTAMP": 0.0,
        "F_CLOSE_END_TIMESTAMP": 2.5, "F_MAX_READ_TIME": 2.0, "MAX_READ_TIME_SIZE": 16, "RENAMED_FROM": 2**64 - 1,
    }  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_flags_and_pairs_led_by_sizes(engine: str) -> None:
    rows = [made.row("H5F", i, USE_MPIIO=value) for i, value in enumerate((0, 7, 0))]
    results = ENGINES[engine](made.records_of("H5F", rows).to_arrow(), darrow.rules("H5F"))
    assert [results[key]["H5F_USE_MPIIO"] for key in (None, 0, 1)] == [1, 0, 1]
    rows = [made.row("MDHIM", i, PUT_MAX_SIZE=10 * i, F_PUT_MAX_DURATION=9.0 - i, SERVERS=1) for i in (1, 2)]
    found = ENGINES[engine](made.records_of("MDHIM", rows).to_arrow(), darrow.rules("MDHIM"))[None]
    assert (found["MDHIM_PUT_MAX_SIZE"], found["MDHIM_F_PUT_MAX_DURATION"]) == (20, 7.0)


def test_types_of_results() -> None:
    """Counts stay int64, ids uint64, times float64."""
    rows = [made.row("POSIX", 1, RENAMED_FROM=-(2**63), READS=3)]
    table, rules = made.records_of("POSIX", rows).to_arrow(), darrow.rules("POSIX")
    by_polars, by_sql = (
        pl.from_arrow(table).select(rules.polars()).to_arrow(),
        query(table, f"select {rules.sql()} from t"),
    )
    for result in (by_polars, by_sql):
        assert [str(kind) for kind in result.schema.types] == [rules[counter].type for counter in rules.decomposable]


# The table, and what is not decomposable ------------------------------------------------------------------------------


@pytest.mark.parametrize("module", COMBINING)
def test_table(module: str) -> None:
    rules = darrow.rules(module)
    schema = darrow.from_records(b"", module).schema
    own = [field for field in schema if field.name not in ("id", "rank")]
    assert [(r.counter, r.type, r.rule, r.unit, r.meaning) for r in map(rules.__getitem__, rules)] == [
        (field.name, field.type, field.rule or "none", field.unit, field.meaning) for field in own
    ]
    assert {*rules.decomposable, *rules.not_decomposable} == {*rules}
    assert len(rules.decomposable) + len(rules.not_decomposable) == len(rules)
    for counter in rules:
        assert set(rules[counter].needs) <= set(schema.names)
        assert rules[counter].decomposable == (rules[counter].instead is None)
    assert pa.table(rules).num_rows == pl.DataFrame(rules).height == len(rules)
    assert repr(rules).count("\n") == len(rules) + 1


def test_what_rules_need() -> None:
    rules = darrow.rules("POSIX")
    assert rules["POSIX_READS"].needs == ["POSIX_READS"]
    assert rules["POSIX_MAX_READ_TIME_SIZE"].needs == ["POSIX_F_MAX_READ_TIME", "POSIX_MAX_READ_TIME_SIZE"]
    assert rules["POSIX_SLOWEST_RANK"].needs[:3] == ["id", "rank", "POSIX_F_READ_TIME"]
    assert len(rules["POSIX_ACCESS3_COUNT"].needs) == 8
    assert {rules[counter].rule for counter in rules.not_decomposable} == {"fastest", "slowest", "variance", "top"}
    assert darrow.rules("mpiio").name == darrow.rules("MPIIO").name == "MPI-IO"


def test_some_counters_only() -> None:
    rules = darrow.rules("POSIX")
    assert rules.sql("POSIX_READS").endswith(" as POSIX_READS")
    assert [e.meta.output_name() for e in rules.polars("POSIX_READS", "POSIX_MODE")] == ["POSIX_READS", "POSIX_MODE"]
    assert list(rules.pandas("POSIX_MODE")) == ["POSIX_MODE"]
    for method in (rules.polars, rules.sql, rules.pandas):
        with pytest.raises(
            darrow.AggregationError, match=r"POSIX_SLOWEST_RANK is not decomposable \(slowest\).*use aggr"
        ):
            method("POSIX_SLOWEST_RANK")
        with pytest.raises(KeyError, match="POSIX has no counter POSIX_READ"):
            method("POSIX_READ")


def test_pairs_in_pandas_take_the_frame() -> None:
    rules = darrow.rules("POSIX")
    sizes = {"POSIX_MAX_READ_TIME_SIZE", "POSIX_MAX_WRITE_TIME_SIZE"}
    assert {*rules.decomposable} - {*rules.pandas()} == sizes
    with pytest.raises(darrow.AggregationError, match=r"takes two columns.*frame"):
        rules.pandas("POSIX_MAX_READ_TIME_SIZE")
    frame = pd.DataFrame({"id": [1, 2], "POSIX_F_MAX_READ_TIME": [0.5, 0.25]}, index=[0, 0])
    with pytest.raises(ValueError, match="not unique"):
        rules.pandas(frame=frame)


@pytest.mark.parametrize("module", ["LUSTRE", "DXT_POSIX", "HEATMAP", "APMPI", "APXC"])
def test_modules_that_do_not_combine(module: str) -> None:
    with pytest.raises(darrow.AggregationError, match=f"records of {module} do not combine"):
        darrow.rules(module)


def test_unknown_modules() -> None:
    with pytest.raises(KeyError, match=r"no module is called 'POSX'; records combine in: .*POSIX, MPI-IO"):
        darrow.rules("POSX")
