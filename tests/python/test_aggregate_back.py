"""Aggregates of tables that went to other packages and come back, filtered or changed: whatever they are made of."""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import darrow
import duckdb
import made
import made_tables
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from corpus import DATA, LOGS, SPEC, facts, few, load
from hypothesis import given, settings
from hypothesis import strategies as st
from made import row
from plain import read_plain
from plain_rules import COMBINING, Combined, Row, differs, rows_of
from test_aggregate_random import TIES, compare, random_rows

NO_SUMS = {"NULL"}  # no log of ours has it
LIMIT = 2**53  # up to which doubles hold all whole numbers

# The logs: every module, byte orders, versions, formats, compressions.
CHOSEN = [
    *("example", "posix-ops", "file-categories", "names-odd", "hdf5-shapes", "hdf5-parallel", "pnetcdf-nonblocking"),
    *("posix-partial-shared", "stdio-streams", "mounts-odd", "partial-posix", "merge-fork", "clock-stepped-back"),
    *("mdhim_be", "fx_BGQ_v1_le_3.00", "fx_BGQ_v2_be_3.41", "fx_DAOS_v1_be_3.41", "fx_DFS_v1_be_3.21"),
    *("fx_H5D_v1_le_3.20", "fx_H5D_v2_be_3.41", "fx_H5F_v1_le_3.00", "fx_MPI-IO_v1_le_3.00", "fx_MPI-IO_v3_be_3.20"),
    *("fx_PNETCDF_FILE_v1_be_3.10", "fx_PNETCDF_VAR_v1_le_3.41", "fx_POSIX_v1_be_3.00", "fx_POSIX_v2_le_3.20"),
    *("fx_POSIX_v4_be_3.21", "fx_STDIO_v1_be_3.10", "bzip2-dxt-mpiio", "synth-all-modules"),
]

# Forms of a table -----------------------------------------------------------------------------------------------------

Mask = Sequence[bool]


def pieces(table: pa.Table) -> pa.Table:
    """In chunks of odd lengths, some empty, none at the start of its buffers."""
    padded = pa.concat_tables([table[-1:], table]).combine_chunks()
    cuts = [1, 1, 2, 5, 12, padded.num_rows + 1]
    return pa.concat_tables([padded[a:b] for a, b in pairwise(cuts)] if len(table) else [table])


def of_arrow(change: Callable[[pa.Table], Any]) -> Callable[[pa.Table, Mask], Any]:
    """Filtered as a table of pyarrow, then changed."""
    return lambda table, mask: change(table.filter(pa.array(mask, pa.bool_())))


def of_pandas(change: Callable[[pa.Table], Any]) -> Callable[[pa.Table, Mask], Any]:
    return lambda table, mask: change(table)[np.array(mask, bool)]


def one_batch(table: pa.Table) -> pa.RecordBatch:
    columns = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(columns, schema=table.schema)


@cache
def connection() -> Any:
    return duckdb.connect()


def by_sql(table: pa.Table, mask: Mask) -> Any:
    """A relation of DuckDB after a filter."""
    chosen = table.append_column("chosen", pa.array(mask, pa.bool_()))
    return connection().from_arrow(chosen).filter("chosen").project("* exclude (chosen)")


FORMS: dict[str, Callable[[pa.Table, Mask], Any]] = {
    "pyarrow": of_arrow(lambda table: table),
    "pyarrow in pieces": of_arrow(pieces),
    "reader": of_arrow(lambda table: pieces(table).to_reader()),
    "record batch": of_arrow(one_batch),
    "struct array": of_arrow(lambda table: one_batch(table).to_struct_array()),
    "no metadata": of_arrow(lambda table: pa.table({c: table[c].combine_chunks() for c in table.column_names})),
    "polars": lambda table, mask: pl.from_arrow(table).filter(pl.Series(mask, dtype=pl.Boolean)),
    "pandas pyarrow": of_pandas(lambda table: table.to_pandas(types_mapper=pd.ArrowDtype)),
    "pandas numpy_nullable": of_pandas(made_tables.numpy_nullable),
    "pandas": of_pandas(pa.Table.to_pandas),
    "duckdb": by_sql,
}


def test_forms_have_the_interfaces_that_are_meant() -> None:
    table = pa.table({"a": [1, 2]})
    found = {name: form(table, [True, False]) for name, form in FORMS.items()}
    arrays = ("record batch", "struct array")
    assert all(hasattr(found[name], "__arrow_c_array__") for name in arrays)
    assert all(hasattr(data, "__arrow_c_stream__") for name, data in found.items() if name not in arrays)


# There and back -------------------------------------------------------------------------------------------------------

Case = tuple[str, darrow.Log, str, list[Row]]


@cache
def cases() -> tuple[Case, ...]:
    found = []
    for name in CHOSEN:
        path = DATA / f"{name}.darshan"
        log, plain = darrow.open(path), read_plain(path)
        found += [(name, log, module, rows_of(plain, module)) for module in log if module in COMBINING]
    assert {module for _, _, module, _ in found} == set(COMBINING) - NO_SUMS
    return tuple(found)


def some(form: str, every: int) -> Iterator[Case]:
    """A part of them, another one for each form, with all modules."""
    seen: set[str] = set()
    for number, case in enumerate(cases()):
        if case[2] not in seen or (number + list(FORMS).index(form)) % every == 0:
            seen.add(case[2])
            yield case


def shown(agg: darrow.Aggregate) -> list[str]:
    """Everything that an aggregate says: columns, types, every digit, what is missing."""
    types = [(field.name, field.type, field.rule, field.unit) for field in agg.schema]
    return [f"{agg.name} {types}", *map(str, agg.to_pylist()), *map(str, agg.missing.to_pylist())]


def too_large(table: pa.Table, mask: Mask) -> str | None:
    """A whole number that numpy's floats cannot hold, in a column with nulls, in the chosen rows."""
    for name, column in zip(table.column_names, table.columns, strict=True):
        if column.null_count and pa.types.is_integer(column.type):
            values = [value for value, keep in zip(column.to_pylist(), mask, strict=True) if keep]
            if any(value is not None and abs(value) > LIMIT for value in values):
                return name
    return None


def filters(log: darrow.Log, module: str, rows: Sequence[Row]) -> Iterator[tuple[str, list[bool], Any]]:
    """What is kept: its name, the choice of rows, and the records of the log, if they can be told so."""
    rec, rank = log[module], rows[0]["rank"]
    names = rec.column("name") if "name" in rec.columns else [None] * len(rows)
    yield "all", [True] * len(rows), rec
    yield "rank", [row["rank"] == rank for row in rows], rec.select(ranks=[rank])
    yield "name", [name is not None and "a" in name for name in names], rec.select(names="a")
    yield "none", [False] * len(rows), rec.select(ids=[])
    yield "half", [number % 2 == 0 for number in range(len(rows))], None


@pytest.mark.parametrize("form", FORMS)
def test_there_and_back(form: str) -> None:
    """Every module, filtered there: the aggregate of the same records here, in every digit."""
    seen: Counter[str] = Counter()
    for name, log, module, rows in some(form, 4):
        table = log[module].to_arrow()
        for kind, mask, kept in filters(log, module, rows):
            if form == "pandas" and (column := too_large(table, mask)):
                with pytest.raises(darrow.AggregationError, match=f"column {column}, row "):
                    darrow.aggregate(FORMS[form](table, mask), module=module)
                seen["too large"] += 1
                continue
            agg = darrow.aggregate(FORMS[form](table, mask))
            if kept is not None:
                assert shown(agg) == shown(kept.aggregate()), (name, module, kind)
            chosen = [row for row, keep in zip(rows, mask, strict=True) if keep]
            plain = Combined(module, chosen)
            if chosen:
                ours, missing = agg.to_pylist()[0], agg.missing.to_pylist()[0]
                theirs = plain.values | plain.lists
                wrong = [key for key, value in theirs.items() if differs(key, ours[key], value)]
                assert not wrong, (name, module, kind, wrong)
                assert {key: missing[key] for key in plain.missing} == plain.missing, (name, module, kind)
                assert set(ours) == set(theirs)
            else:
                assert (agg.records, agg.id, agg.rank) == (0, None, None)
            seen[kind] += 1
            seen["some"] += 0 < len(chosen) < len(rows)
    assert min(seen[kind] for kind in ("all", "rank", "name", "none", "half", "some")) >= 10, seen


@pytest.mark.parametrize("form", FORMS)
def test_there_and_back_by_groups(form: str) -> None:
    """Groups come out the same, in the same order."""
    count = 0
    for name, log, module, rows in some(form, 8):
        table, everything = log[module].to_arrow(), [True] * len(rows)
        if form == "pandas" and too_large(table, everything):
            continue
        for by in ("file", ["ext", "rank"], {"a": "a", "h5": r"\.h5"}):
            agg = darrow.aggregate(FORMS[form](table, everything), by)
            assert shown(agg) == shown(log[module].aggregate(by)), (name, module, by)
            count += len(agg)
    assert count > 100, count


@pytest.mark.parametrize("way", ["raw", "to_polars", "to_pandas", "numpy_nullable", "itself", "columns"])
def test_our_own_ways_out(way: str) -> None:
    ways: dict[str, Callable[[darrow.Records], Any]] = {
        "raw": lambda rec: rec.raw.to_arrow(),  # -1 stands for what is null
        "to_polars": darrow.Records.to_polars,
        "to_pandas": darrow.Records.to_pandas,
        "numpy_nullable": lambda rec: rec.to_pandas("numpy_nullable"),
        "itself": lambda rec: rec,
        "columns": lambda rec: {name: rec.column(name) for name in rec.columns},
    }
    for name, log, module, _ in cases():
        assert shown(darrow.aggregate(ways[way](log[module]))) == shown(log[module].aggregate()), (name, module)


def test_all_sums_stay_right_where_a_sum_of_columns_is_wrong() -> None:
    """Against what the programs counted while they ran: our aggregate is right, and `df.sum()` is not."""
    compared: Counter[str] = Counter()
    for name, file in facts(DATA).items():
        known = load(file)
        if known.get("differs") != [] or known["records_incomplete"] or known["partial_modules_expected"]:
            continue
        log = darrow.open(DATA / f"{name}.darshan")
        for module, totals in known["totals"].items():
            if module not in COMBINING:
                continue
            frame = log[module].to_pandas()
            agg = darrow.aggregate(frame)
            for counter, value in totals.items():
                if counter == "files":
                    assert len(set(frame["id"])) == value
                    continue
                assert agg[counter] == value, (name, module, counter)
                largest = "_MAX_BYTE_" in counter
                compared[
                    f"{'largest' if largest else 'sum'} {'right' if frame[counter].sum() == value else 'wrong'}"
                ] += 1
    assert compared["sum wrong"] == 0
    assert compared["sum right"] > 60
    assert compared["largest wrong"] >= 2, compared


def test_a_sum_of_columns_is_wrong() -> None:
    """Worked out by hand: a shared file, and one of rank 1 alone whose number of descriptors nobody counted."""
    frame = made.records_of(
        "POSIX",
        [
            row("POSIX", 1, -1, OPENS=4, FILENOS=4, MAX_BYTE_READ=99, F_OPEN_START_TIMESTAMP=0.5, F_META_TIME=1.0)
            | {"POSIX_ACCESS1_ACCESS": 1024, "POSIX_ACCESS1_COUNT": 3, "POSIX_MODE": 420},
            row("POSIX", 2, 1, OPENS=1, FILENOS=-1, MAX_BYTE_READ=49, F_OPEN_START_TIMESTAMP=0.25, F_META_TIME=0.5)
            | {"POSIX_ACCESS1_ACCESS": 512, "POSIX_ACCESS1_COUNT": 8, "POSIX_MODE": 420},
        ],
    ).raw.to_pandas()
    wrong, agg = frame.sum(numeric_only=True), frame.darrow.aggregate()
    right = {
        **{"POSIX_OPENS": 5, "POSIX_FILENOS": 4, "POSIX_MAX_BYTE_READ": 99, "POSIX_F_OPEN_START_TIMESTAMP": 0.25},
        **{"POSIX_F_META_TIME": 1.5, "POSIX_ACCESS1_ACCESS": 512, "POSIX_ACCESS1_COUNT": 8, "POSIX_MODE": 420},
    }
    assert {name: agg[name] for name in right} == right
    assert {name for name, value in right.items() if wrong[name] != value} == set(right) - {
        "POSIX_OPENS",
        "POSIX_F_META_TIME",
    }
    assert agg.accesses == [{"access": 512, "count": 8}, {"access": 1024, "count": 3}]


# Types ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [form for form in made_tables.FORMS if form != "rows"])  # they lose what is all null
@pytest.mark.parametrize("module", COMBINING)
def test_types_that_hold_the_values(module: str, form: str) -> None:
    """Narrow integers, floats, booleans, dictionaries, lists; columns in any order, and some that mean nothing."""
    for seed in range(3):
        source = random.Random(f"{module} {form} {seed}")
        rows = random_rows(module, seed, source.randint(1, 9))
        if form in made_tables.INEXACT:
            rows = [{name: modest(value) for name, value in values.items()} for values in rows]
        full = made.combined_rows(module, rows)
        table = made_tables.arrow_table(source, full)
        agg = darrow.aggregate(made_tables.FORMS[form](source, table, full), module=module)
        plain = Combined(module, full)
        ours, missing = agg.to_pylist()[0], agg.missing.to_pylist()[0]
        theirs = plain.values | plain.lists
        wrong = [
            f"{seed} {name}: ours {ours[name]!r}, theirs {value!r}"
            for name, value in theirs.items()
            if name not in plain.rough and differs(name, ours[name], value)
        ]
        assert not wrong, few(wrong)
        assert {name: missing[name] for name in plain.missing} == plain.missing
        assert set(ours) == set(theirs)


@pytest.mark.parametrize("module", COMBINING)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 10), data=st.data())
@settings(max_examples=12, deadline=None, database=None)
def test_parts_and_whole(module: str, seed: int, count: int, data: st.DataObject) -> None:
    """In whatever pieces a table comes; and in whatever order its rows, but for ties and rounded variances."""
    rows = random_rows(module, seed, count)
    names = [(1, b"/a/x.h5"), (2, b"y")]
    rec = made.records_of(module, rows, names=names, strict=False)
    table, by = (
        rec.to_arrow(),
        data.draw(st.sampled_from([None, "file", ["rank"], ["ext", "rank"], {"a": "a", "all": ""}])),
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=4)))
    parts = pa.concat_tables([table[a:b] for a, b in pairwise([0, *cuts, count])])
    assert shown(darrow.aggregate(parts, by, module=module)) == shown(rec.aggregate(by))
    order = data.draw(st.permutations(range(count)))
    ours = darrow.aggregate(table.take(pa.array(order)), module=module).to_pylist()[0]
    rough = tuple(Combined(module, made.combined_rows(module, rows)).rough)
    assert not compare(ours, rec.aggregate().to_pylist()[0], TIES + rough)


def modest(value: Any) -> Any:
    """Numbers that doubles hold."""
    if isinstance(value, list):
        return [modest(item) for item in value]
    return value % 1000 if isinstance(value, int) and abs(value) > LIMIT else value


def small() -> pa.Table:
    """Four records of three files: columns of 64 bits."""
    rows = [
        row("POSIX", 1, 0, READS=3, BYTES_READ=10, F_READ_TIME=0.5),
        row("POSIX", 1, 1, READS=4, BYTES_READ=20, F_READ_TIME=0.25),
        row("POSIX", 2, 0, READS=5, BYTES_READ=30, F_READ_TIME=0.125),
        row("POSIX", 3, -1, READS=6, BYTES_READ=40, F_READ_TIME=1.0),
    ]
    names = [(1, b"/a/x.h5"), (2, b"/a/y.txt"), (3, b"/b/z.h5")]
    return made.records_of("POSIX", rows, names=names).to_arrow()


def changed(table: pa.Table, name: str, values: Any) -> pa.Table:
    """With another column of that name, or one more."""
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, values)
    return table.append_column(name, values)


@pytest.mark.parametrize("kind", [*made_tables.WHOLE, pa.float32(), pa.float64()], ids=str)
def test_each_type_of_number(kind: pa.DataType) -> None:
    table, expected = small(), shown(darrow.aggregate(small(), "file"))
    for name in ("id", "POSIX_READS", "POSIX_BYTES_READ", *(["rank"] if "u" not in str(kind)[:1] else [])):
        table = changed(table, name, table[name].cast(kind))
    assert shown(darrow.aggregate(table, "file")) == expected


@pytest.mark.parametrize("kind", made_tables.TEXT, ids=str)
def test_each_type_of_text(kind: pa.DataType) -> None:
    table = small()
    for name in ("name", "fs_type"):
        table = changed(table, name, table[name].combine_chunks().cast(pa.string()).cast(kind))
    for by in ("file", "ext", "fs", {"h5": "h5$"}):
        assert shown(darrow.aggregate(table, by)) == shown(darrow.aggregate(small(), by))


@pytest.mark.parametrize("frame", ["polars", "pandas"])
def test_categories(frame: str) -> None:
    if frame == "polars":
        data = pl.from_arrow(small()).with_columns(pl.col("name", "mount").cast(pl.Categorical))
    else:
        data = small().to_pandas().astype({"name": "category", "mount": "category"})
    assert shown(data.darrow.aggregate(["ext", "mount"])) == shown(darrow.aggregate(small(), ["ext", "mount"]))


@pytest.mark.parametrize(
    ("values", "row_number", "text"),
    [
        ([1.0, 2.0, 2.0**53 + 2, 4.0], 2, "9007199254740994"),
        ([1.0, -(2.0**53) - 2, 3.0, 4.0], 1, "-9007199254740994"),
        ([1.0, 2.0, 3.0, 1e300], 3, "1"),
        ([1.5, 2.0, 3.0, 4.0], 0, "1.5"),
        ([1.0, 2.0, math.inf, 4.0], 2, "inf"),
    ],
)
@pytest.mark.parametrize("cut", [None, 2])
def test_floats_that_are_no_whole_numbers(values: list[float], row_number: int, text: str, cut: int | None) -> None:
    """The message names column, row and value; in the row the whole table has, not in that of a piece."""
    table = changed(small(), "POSIX_BYTES_READ", pa.array(values))
    if cut:
        table = pa.concat_tables([table[:cut], table[cut:]])
    with pytest.raises(darrow.AggregationError) as caught:
        darrow.aggregate(table)
    assert f"column POSIX_BYTES_READ, row {row_number}: {text}" in str(caught.value)


def test_floats_up_to_the_limit() -> None:
    table = changed(small(), "POSIX_BYTES_READ", pa.array([2.0**53, 0.0, None, math.nan]))
    agg = darrow.aggregate(table)
    assert agg.POSIX_BYTES_READ == 2**53
    assert agg.missing.column("POSIX_BYTES_READ") == [2]


# Other columns as keys ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (pa.array(["x", "y", "x", None]), {"x": 8, "y": 4, None: 6}),
        (pa.array(["x", "", "x", None]).dictionary_encode(), {"x": 8, "": 4, None: 6}),
        (pa.array(["x", "y", "x", "y"], pa.large_string()), {"x": 8, "y": 10}),
        (pa.array(["x", "y", "x", None], pa.string_view()), {"x": 8, "y": 4, None: 6}),
        (pa.array([1, 1, -2, None], pa.int8()), {1: 7, -2: 5, None: 6}),
        (pa.array([2**64 - 1, 0, None, 0], pa.uint64()), {2**64 - 1: 3, 0: 10, None: 5}),
        (pa.array([-(2**63), 2**63 - 1, 0, 0], pa.int64()), {-(2**63): 3, 2**63 - 1: 4, 0: 11}),
        (pa.array([0.0, -0.0, 1.5, None]), {0.0: 7, 1.5: 5, None: 6}),
        (pa.array([1.5, 2.5, 1.5, 2.5], pa.float32()), {1.5: 8, 2.5: 10}),
        (pa.array([math.inf, -math.inf, math.inf, 5e-324]), {math.inf: 8, -math.inf: 4, 5e-324: 6}),
        (pa.nulls(4), {None: 18}),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_other_columns_as_keys(values: pa.Array, groups: dict[Any, int], cut: int) -> None:
    """Each value is a group, null too; in whatever pieces the table comes."""
    table = changed(small(), "mine", values)
    agg = darrow.aggregate(pa.concat_tables([table[:cut], table[cut:]]).unify_dictionaries(), "mine")
    assert agg.columns[0] == "mine"
    assert dict(zip(agg.column("mine"), agg.column("POSIX_READS"), strict=True)) == groups


def test_pieces_with_dictionaries_of_their_own() -> None:
    """The same number stands for another text in each piece."""
    both = [pa.array(values).dictionary_encode() for values in (["a", "b"], ["b", None])]
    table = changed(small(), "mine", pa.chunked_array(both))
    agg = darrow.aggregate(table, "mine")
    assert dict(zip(agg.column("mine"), agg.column("POSIX_READS"), strict=True)) == {"a": 3, "b": 9, None: 6}


@pytest.mark.parametrize("first", [0, 1, 2, 3, 4])
def test_slices_of_arrays(first: int) -> None:
    """What does not begin at the start of its buffers: batches, structs, and structs that are a slice themselves."""
    expected = shown(darrow.aggregate(small()[first:], ["file", "fs"]))
    batch = one_batch(small())
    for data in (batch.slice(first), batch.to_struct_array().slice(first), batch.slice(first).to_struct_array()):
        assert shown(darrow.aggregate(data, ["file", "fs"])) == expected


def test_structs_that_are_null() -> None:
    """A row that is null is null in each column."""
    batch = one_batch(small())
    data = pa.StructArray.from_arrays(batch.columns, fields=[*batch.schema], mask=pa.array([False, True, False, False]))
    with pytest.raises(darrow.AggregationError, match="column id, row 1: null"):
        darrow.aggregate(data)


def test_sql() -> None:
    """Columns that a query makes are keys as any other; what it sums has no type of a counter."""
    table = small()
    relation = connection().from_arrow(table)
    query = "select rank >= 0 as single, length(name)::smallint as letters, * from t where rank < 1"
    agg = darrow.aggregate(relation.query("t", query), "letters")
    assert dict(zip(agg.column("letters"), agg.column("POSIX_READS"), strict=True)) == {7: 9, 8: 5}
    summed = relation.query("t", "select id, rank, sum(POSIX_READS) as POSIX_READS from t group by all")
    with pytest.raises(darrow.AggregationError, match=r"POSIX_READS.*decimal"):
        darrow.aggregate(summed)


@pytest.mark.parametrize("index", ["id", ["id", "rank"], "name"], ids=str)
def test_an_index_of_pandas_is_a_column(index: Any) -> None:
    frame = small().to_pandas().set_index(index)
    assert shown(frame.darrow.aggregate(["file", "rank"])) == shown(darrow.aggregate(small(), ["file", "rank"]))


@pytest.mark.parametrize("name", ["records", "accesses", "strides"])
def test_keys_called_like_columns_of_an_aggregate(name: str) -> None:
    """They would take their place: refused by name."""
    with pytest.raises(darrow.AggregationError, match=name):
        darrow.aggregate(changed(small(), name, pa.array(["x", "y", "x", "y"])), name)


def test_nan_as_key() -> None:
    """Every NaN is one value, and not null."""
    other = float(np.array([0x7FF8000000000001], "u8").view("f8")[0])
    table = changed(small(), "mine", pa.array([math.nan, None, other, -math.nan], from_pandas=False))
    agg = darrow.aggregate(table, "mine")
    assert [(str(key), reads) for key, reads in zip(agg.column("mine"), agg.column("POSIX_READS"), strict=True)] == [
        ("nan", 14),
        ("None", 4),
    ]


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint64(), pa.float64()])
def test_dictionaries_of_numbers(kind: pa.DataType) -> None:
    """Categories of numbers are those numbers, as keys and as counters."""
    keys = pa.array([1, 2, 1, 2], kind)
    table = changed(small(), "mine", keys.dictionary_encode())
    table = changed(table, "POSIX_READS", small()["POSIX_READS"].combine_chunks().dictionary_encode())
    expected = darrow.aggregate(changed(small(), "mine", keys), "mine")
    assert shown(darrow.aggregate(table, "mine")) == shown(expected)
    assert darrow.aggregate(table, "mine").column("mine") == [1, 2]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pa.array([1, 2, 1, 2], pa.timestamp("us")), "timestamp"),
        (pa.array([1, 2, 1, 2], pa.date32()), "date"),
        (pa.array([1, 2, 1, 2]).cast(pa.decimal128(20)), "decimal"),
        (pa.array([b"a", b"b", b"a", b"b"]).dictionary_encode(), "dictionary"),
    ],
)
def test_columns_that_are_no_keys(values: pa.Array, kind: str) -> None:
    table = changed(small(), "mine", values)
    with pytest.raises(darrow.AggregationError, match=f"column mine is of type {kind}.*make it text"):
        darrow.aggregate(table, "mine")
    assert shown(darrow.aggregate(table, "file")) == shown(darrow.aggregate(small(), "file"))  # it may be there


@pytest.mark.parametrize("values", [pa.array([[1], [], [2], None]), pa.array([{"a": 1}] * 4), pa.array([b"a"] * 4)])
def test_keys_without_a_value(values: pa.Array) -> None:
    with pytest.raises(darrow.AggregationError, match="column mine"):
        darrow.aggregate(changed(small(), "mine", values), "mine")


def test_truth_as_key() -> None:
    """A column made by a comparison."""
    frame = pl.from_arrow(small()).with_columns(large=pl.col("POSIX_BYTES_READ") > 15)
    agg = frame.darrow.aggregate("large")
    assert dict(zip(agg.column("large"), agg.column("POSIX_READS"), strict=True)) == {False: 3, True: 15}


def test_keys_of_a_table_that_lacks_them() -> None:
    table = small().drop_columns(["name", "mount"])
    for by, column in (("ext", "name"), ("dir:1", "name"), ({"a": "a"}, "name"), ("mount", "mount")):
        with pytest.raises(darrow.AggregationError, match=f"lacks column {column}, by which to group"):
            darrow.aggregate(table, by)
    with pytest.raises(darrow.AggregationError, match="no column nothing to group by; keys are file, rank, mount"):
        darrow.aggregate(table, "nothing")
    assert darrow.aggregate(table, "file").column("name") == [None] * 3
    with pytest.raises(darrow.AggregationError, match="name holds no text"):
        darrow.aggregate(changed(small(), "name", pa.array([1, 2, 3, 4])), "ext")


@pytest.mark.parametrize("by", ["jobid", "log", ["log", "ext"], ["jobid", "file"]], ids=str)
def test_several_logs_in_one_table(by: Any) -> None:
    """Each job by itself, as if it were alone."""
    parts, alone = [], []
    for number, name in enumerate(("example", "posix-ops", "names-odd")):
        rec = darrow.open(DATA / f"{name}.darshan")["POSIX"]
        table = rec.to_arrow()
        key = number + 2**40 if "jobid" in by else name
        parts.append(table.append_column("jobid" if "jobid" in by else "log", pa.array([key] * len(table))))
        rest = [part for part in ([by] if isinstance(by, str) else by) if part not in ("jobid", "log")]
        alone += [{by if isinstance(by, str) else by[0]: key} | values for values in rec.aggregate(rest).to_pylist()]
    for table in (pa.concat_tables(parts), pa.concat_tables(parts).combine_chunks()):
        assert [*map(str, darrow.aggregate(table, by).to_pylist())] == [*map(str, alone)]


# Guards ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost", "texts"),
    [
        ("id", ("lacks column id", "POSIX", "of one file")),
        ("rank", ("lacks column rank", "POSIX", "-1 is that of all ranks")),
        ("POSIX_F_MAX_READ_TIME", ("POSIX_MAX_READ_TIME_SIZE needs column POSIX_F_MAX_READ_TIME",)),
        ("POSIX_MAX_WRITE_TIME_SIZE", ("POSIX_F_MAX_WRITE_TIME needs column POSIX_MAX_WRITE_TIME_SIZE",)),
        ("POSIX_ACCESS3_COUNT", ("ACCESS1_ACCESS needs column POSIX_ACCESS3_COUNT",)),
        ("POSIX_STRIDE4_STRIDE", ("needs column POSIX_STRIDE4_STRIDE",)),
        ("POSIX_F_META_TIME", ("RANK_TIME needs column POSIX_F_META_TIME",)),
        ("POSIX_BYTES_WRITTEN", ("needs column POSIX_BYTES_WRITTEN",)),
        ("POSIX_SLOWEST_RANK", ("needs column POSIX_SLOWEST_RANK",)),
    ],
)
def test_columns_that_a_rule_needs(lost: str, texts: tuple[str, ...]) -> None:
    """The message names them, and what to do."""
    with pytest.raises(darrow.AggregationError) as caught:
        darrow.aggregate(small().drop_columns([lost]))
    advice = () if lost in ("id", "rank") else ("keep it, or leave out both",)
    for text in (*texts, *advice):
        assert text in str(caught.value)


def test_leaving_out_both() -> None:
    """What belongs together may be left out together; all else stays."""
    lost = ["POSIX_F_MAX_READ_TIME", "POSIX_MAX_READ_TIME_SIZE", "POSIX_DUPS"]
    lost += [name for name in small().column_names if re.search("FASTEST|VARIANCE|STRIDE[1-4]", name)]
    agg, whole = darrow.aggregate(small().drop_columns(lost)), darrow.aggregate(small())
    assert set(whole.columns) - set(agg.columns) == {*lost, "strides"}
    assert all(agg[name] == whole[name] for name in agg.columns)
    assert agg.missing.columns == [name for name in whole.missing.columns if name not in lost]


def test_few_columns_are_enough() -> None:
    agg = darrow.aggregate(small().select(["POSIX_READS", "rank", "id"]), "rank")
    assert agg.columns == ["rank", "id", "records", "POSIX_READS"]
    assert dict(zip(agg.column("rank"), agg.column("POSIX_READS"), strict=True)) == {0: 8, 1: 4, -1: 6}


def test_servers_of_mdhim_are_needed() -> None:
    table = made.records_of("MDHIM", [row("MDHIM", 1, servers=[1, 2], SERVERS=2)]).to_arrow()
    with pytest.raises(darrow.AggregationError, match="lacks column servers, which the aggregation of MDHIM needs"):
        darrow.aggregate(table.drop_columns(["servers"]))


@pytest.mark.parametrize("name", ["id", "rank"])
def test_nulls_where_none_can_be(name: str) -> None:
    table = changed(small(), name, pa.array([1, 2, None, 3], pa.int64()))
    with pytest.raises(darrow.AggregationError, match=f"column {name}, row 2: null"):
        darrow.aggregate(table)


def test_columns_of_several_modules() -> None:
    table = changed(small(), "MPIIO_HINTS", pa.array([1, 2, 3, 4]))
    with pytest.raises(darrow.AggregationError) as caught:
        darrow.aggregate(table)
    for text in ("several modules", "POSIX (POSIX_", "MPI-IO (MPIIO_HINTS)", "one at a time"):
        assert text in str(caught.value)
    assert darrow.aggregate(table, module="POSIX").POSIX_READS == 18  # told which


def test_columns_of_no_module() -> None:
    with pytest.raises(darrow.AggregationError, match="tell the module, and keep the names of its counters"):
        darrow.aggregate(small().select(["id", "rank", "name"]))
    with pytest.raises(darrow.AggregationError, match='no module is called "nonsense"'):
        darrow.aggregate(small(), module="nonsense")


@pytest.mark.parametrize("module", ["STDIO", "MPI-IO", "H5D"])
@pytest.mark.parametrize("nprocs", [None, 4])
def test_another_module_than_the_columns_tell(module: str, nprocs: int | None) -> None:
    """Of a table without a single counter of that module, but with those of another: an error, not an empty answer."""
    for data in (small(), made.records_of("POSIX", [row("POSIX", 1)])):
        with pytest.raises(darrow.AggregationError, match="POSIX"):
            darrow.aggregate(data, module=module, nprocs=nprocs)


@pytest.mark.parametrize("name", ["posix", "POSIX", None])
def test_names_of_modules(name: str | None) -> None:
    assert darrow.aggregate(small(), module=name).POSIX_READS == 18
    assert darrow.aggregate(made.records_of("MPI-IO", [row("MPI-IO", 1, HINTS=2)]), module="mpiio").MPIIO_HINTS == 2


def beside() -> pa.Table:
    """File 1 has a record of all ranks and one of rank 2; the others have one kind."""
    rows = [row("STDIO", 1, -1, OPENS=4), row("STDIO", 1, 2, OPENS=1), row("STDIO", 2, -1), row("STDIO", 3, 2)]
    return made.records_of("STDIO", rows).to_arrow()


def test_a_record_of_all_ranks_in_another_group() -> None:
    """Grouped by rank, the two kinds of records are not added up."""
    assert darrow.aggregate(beside(), "rank").problems == []


@pytest.mark.parametrize("by", [None, "file"])
def test_a_record_of_all_ranks_beside_those_of_single_ranks(by: Any) -> None:
    (problem,) = darrow.aggregate(beside(), by).problems
    assert (problem.kind, problem.count, problem.module) == ("shared_beside_ranks", 1, "STDIO")
    assert "keep one kind" in problem.message
    assert problem.severity == "warning"
    for ranks in ([-1], [2]):
        kept = beside().filter(pa.array([rank in ranks for rank in beside()["rank"].to_pylist()]))
        assert darrow.aggregate(kept, by).problems == []


def test_a_shared_file_of_one_job_and_ranks_of_another() -> None:
    """Of two jobs that a key keeps apart: no doubt."""
    table = changed(beside(), "jobid", pa.array([1, 2, 1, 1]))
    assert darrow.aggregate(table, ["jobid", "file"]).problems == []
    table = changed(beside(), "jobid", pa.array([1, 1, 1, 2]))
    assert [p.kind for p in darrow.aggregate(table, ["jobid", "file"]).problems] == ["shared_beside_ranks"]


NPROCS = ["int64", "int32", "uint64", "uint16", "float64"]


@pytest.mark.parametrize("kind", NPROCS)
def test_jobs_of_different_sizes(kind: str) -> None:
    """Refused, unless a key keeps the jobs apart or the column is dropped; of whatever type numbers are."""
    table = changed(small(), "nprocs", pa.array([2, 2, 8, None]).cast(kind))
    for by in (None, "file", ["ext", "rank"]):
        with pytest.raises(darrow.AggregationError) as caught:
            darrow.aggregate(table, by)
        for text in ("with 2 and with 8 processes", "nprocs, jobid, job, log", "drop the column nprocs"):
            assert text in str(caught.value)
    with pytest.raises(darrow.AggregationError, match="with 2 and with 8"):
        darrow.aggregate(pa.concat_tables([table[:1], table[1:]]))
    assert darrow.aggregate(table, "nprocs").column("POSIX_READS") == [7, 5, 6]
    for key in ("jobid", "job", "log"):
        apart = changed(table, key, pa.array(["a", "a", "b", "c"]))
        assert darrow.aggregate(apart, [key]).column("POSIX_READS") == [7, 5, 6]
    assert darrow.aggregate(table.drop_columns(["nprocs"])).POSIX_READS == 18
    assert darrow.aggregate(changed(small(), "nprocs", pa.array([4, None, 4, 4]).cast(kind))).POSIX_READS == 18


@pytest.mark.parametrize("kind", NPROCS)
def test_another_number_of_processes_than_the_table_tells(kind: str) -> None:
    table = changed(small(), "nprocs", pa.array([8, 8, 8, 8]).cast(kind))
    with pytest.raises(darrow.AggregationError, match="with 4 and with 8"):
        darrow.aggregate(table, nprocs=4)
    assert darrow.aggregate(table, nprocs=8).POSIX_READS == 18


def test_ranks_that_the_job_does_not_have() -> None:
    for data in (small(), made.records_of("POSIX", [row("POSIX", 1, 0), row("POSIX", 1, 1)], nprocs=1, strict=False)):
        (problem,) = [p for p in darrow.aggregate(data, nprocs=1).problems if p.kind == "rank_beyond_nprocs"]
        assert problem.count == 1
        assert "1 processes" in problem.message
        assert darrow.aggregate(data, nprocs=2).problems == []


@pytest.mark.parametrize(
    ("nprocs", "error"), [(0, ValueError), (-1, ValueError), (2**63, ValueError), ("4", TypeError)]
)
def test_numbers_of_processes_that_are_none(nprocs: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        darrow.aggregate(small(), nprocs=nprocs)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (3, "int is no table"),
        ("a.darshan", "str is no table"),
        (None, "NoneType is no table"),
        (pl.from_arrow(pa.table({"a": [1]})).lazy(), "collect"),
        ([1, 2], "list is no table"),
    ],
)
def test_what_is_no_table(data: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        darrow.aggregate(data)


def test_a_single_column_is_no_table() -> None:
    with pytest.raises(darrow.AggregationError, match="no table"):
        darrow.aggregate(small()["id"])


def test_two_columns_of_one_name() -> None:
    table = small()
    table = pa.Table.from_arrays([*table.columns, table["POSIX_READS"]], [*table.column_names, "POSIX_READS"])
    with pytest.raises(darrow.AggregationError, match='two columns are called "POSIX_READS"'):
        darrow.aggregate(table)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (pa.array(["1", "2", "3", "4"]), "holds text, whole numbers expected"),
        (pa.array([1, 2, 3, 4], pa.timestamp("us")), "timestamp"),
        (pa.array([1, 2, 3, 4]).cast(pa.decimal128(38)), "decimal"),
        (pa.array([[1]] * 4), "POSIX_BYTES_READ"),
        (pa.array([2**64 - 1] * 4, pa.uint64()), "18446744073709551615"),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_counters_of_types_that_hold_none(values: pa.Array, text: str) -> None:
    """The message says which column, and of what type it is: not that it is missing."""
    with pytest.raises(darrow.AggregationError, match="POSIX_BYTES_READ") as caught:
        darrow.aggregate(changed(small(), "POSIX_BYTES_READ", values))
    assert text in str(caught.value)


def test_an_aggregate_of_an_aggregate() -> None:
    """One by files goes on to the module; one in which files were lost does not."""
    rec = made.records_of(
        "POSIX", [row("POSIX", 1, 0, READS=3), row("POSIX", 1, 1, READS=4), row("POSIX", 2, 0, READS=5)]
    )
    by_file = darrow.aggregate(rec.aggregate("file"))
    assert (by_file.POSIX_READS, by_file.records, by_file.id) == (12, 2, None)
    for agg in (rec.aggregate(), rec.aggregate("rank")):
        with pytest.raises(darrow.AggregationError, match="column id, row 0: null"):
            darrow.aggregate(agg)


@pytest.mark.parametrize("nprocs", [None, 4])
def test_selected_columns_do_not_matter(nprocs: int | None) -> None:
    rec = made.records_of("POSIX", [row("POSIX", 1, 0, READS=3), row("POSIX", 2, 1, READS=4)])
    assert shown(darrow.aggregate(rec.select(["POSIX_READS"]), nprocs=nprocs)) == shown(rec.aggregate())


@pytest.mark.parametrize("module", sorted({"DXT_POSIX", "HEATMAP", "LUSTRE", "APMPI"} & {*SPEC.modules}))
def test_tables_of_what_does_not_combine(module: str) -> None:
    paths = {"DXT_POSIX": "dxt-posix", "HEATMAP": "heatmap-25s", "LUSTRE": "lustre", "APMPI": "apmpi"}
    rec = darrow.open(DATA / f"{paths[module]}.darshan")[module]
    with pytest.raises(darrow.AggregationError, match=f"records of {module} do not combine"):
        darrow.aggregate(rec.to_arrow(), module=module)
    with pytest.raises(darrow.AggregationError):
        darrow.aggregate(rec.to_arrow())


# Accessors, threads, streams ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", ["polars", "pandas"])
def test_accessors(frame: str) -> None:
    data = pl.from_arrow(small()) if frame == "polars" else small().to_pandas()
    assert shown(data.darrow.aggregate()) == shown(darrow.aggregate(small()))
    assert shown(data.darrow.aggregate("ext")) == shown(darrow.aggregate(small(), "ext"))
    kept = data.filter(pl.col("rank") == 0) if frame == "polars" else data[data["rank"] == 0]
    assert kept.darrow.aggregate(by=["rank"], module="POSIX", nprocs=4).POSIX_READS == 8
    with pytest.raises(darrow.AggregationError, match="no column nothing"):
        data.darrow.aggregate("nothing")


def python(code: str, **blocked: bool) -> None:
    """Runs code in an interpreter of its own, some packages not to be had."""
    hidden = "".join(f"import sys; sys.modules[{name!r}] = None\n" for name in blocked)
    log = DATA / "example.darshan"
    subprocess.run([sys.executable, "-c", f"{hidden}LOG = {str(log)!r}\n{code}"], check=True)


def test_import_registers_nothing() -> None:
    python("""
import sys, darrow
assert not {"pandas", "polars", "pyarrow", "duckdb", "numpy"} & set(sys.modules)
assert darrow.open(LOG)["POSIX"].aggregate("file").columns[0] == "id"
assert not {"pandas", "polars", "pyarrow", "duckdb", "numpy"} & set(sys.modules)
import pandas, polars
assert not hasattr(pandas.DataFrame, "darrow") and not hasattr(polars.DataFrame, "darrow")
import warnings
warnings.simplefilter("error")
total = darrow.open(LOG)["POSIX"].aggregate()
for turn in range(2):  # what takes it as Arrow has the accessor, and that is registered once
    frame = polars.DataFrame(darrow.open(LOG)["POSIX"])
    assert frame.darrow.aggregate().POSIX_OPENS == total.POSIX_OPENS > 0
    assert frame.to_pandas().darrow.aggregate().POSIX_OPENS == total.POSIX_OPENS
    assert darrow.open(LOG)["POSIX"].to_pandas().darrow.aggregate().POSIX_OPENS == total.POSIX_OPENS
""")


def test_no_package_is_needed() -> None:
    python(
        """
import darrow
rec = darrow.open(LOG)["POSIX"]
assert darrow.aggregate(rec, "ext", nprocs=1000).to_pylist() == rec.aggregate("ext").to_pylist()
""",
        pandas=True,
        polars=True,
        pyarrow=True,
        numpy=True,
        duckdb=True,
    )


@pytest.mark.parametrize("form", ["pyarrow in pieces", "polars", "pandas pyarrow", "pandas"])
def test_several_threads_with_one_dataframe(form: str) -> None:
    rec = darrow.open(DATA / "many-shared-per-rank.darshan")["POSIX"]
    data = FORMS[form](rec.to_arrow(), [True] * len(rec))
    kinds: list[Any] = [None, "file", "rank", "ext", {"a": "a", "dat": "dat"}, ["dir:2", "fs"]]
    expected = [shown(rec.aggregate(by)) for by in kinds]
    wrong: list[Any] = []

    def work(first: int) -> None:
        for number in range(first, first + 12):
            by = kinds[number % len(kinds)]
            try:
                if shown(darrow.aggregate(data, by)) != expected[number % len(kinds)]:
                    wrong.append(by)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("good", [0, 1, 3])
def test_a_stream_that_fails_midway(good: int) -> None:
    """Its error is told, and nothing of what came before."""
    table = small()

    def batches() -> Iterator[pa.RecordBatch]:
        yield from table.to_batches(max_chunksize=1)[:good]
        raise RuntimeError("the disk is gone")

    with pytest.raises(darrow.AggregationError, match=r"the table cannot be read.*the disk is gone"):
        darrow.aggregate(pa.RecordBatchReader.from_batches(table.schema, batches()))
    assert darrow.aggregate(table).POSIX_READS == 18


def test_a_stream_that_was_read_already() -> None:
    reader = small().to_reader()
    assert darrow.aggregate(reader).POSIX_READS == 18
    agg = darrow.aggregate(reader)  # nothing is left
    assert agg.records == 0


def test_a_table_is_not_changed() -> None:
    frame = small().to_pandas()
    before = frame.copy(deep=True)
    darrow.aggregate(frame, ["ext", "rank"])
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.slow
@pytest.mark.skipif(not LOGS.exists(), reason="needs the full corpus")
def test_large_tables() -> None:
    rec = darrow.open(LOGS / "large" / "posix-100k.darshan")["POSIX"]
    frame = rec.to_polars()
    assert shown(frame.darrow.aggregate("dir:3")) == shown(rec.aggregate("dir:3"))
