"""Tables of others come in: the values that their own package sees, on the same memory, and nothing is left behind."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA, LOGS, NO_LOGS
from darrow import _core
from darrow._arrow import tables_of

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

SMALL = sorted(DATA.glob("*.darshan"))
MORE = sorted((LOGS / "small").glob("*.darshan")) + sorted((LOGS / "synthetic").glob("*.darshan"))
EVERYTHING = DATA / "lustre-apmpi-all.darshan"


def columns_of(data: Any) -> dict[str, list[Any]]:
    """What came in, all batches together."""
    tables, unusable = tables_of(data)
    assert not unusable
    return {name: [value for table in tables for value in table.column(name, False)] for name in tables[0].columns}


def same(ours: Any, theirs: Any) -> bool:
    """Whether values are equal, NaN like NaN."""
    return repr(ours) == repr(theirs)


def check(data: Any, table: Any) -> None:
    """What comes in of `data` is what pyarrow sees in `table`."""
    ours = columns_of(data)
    assert list(ours) == table.column_names
    for name in table.column_names:
        assert same(ours[name], table[name].to_pylist()), name


def tables(path: Path) -> Iterator[darrow.Records]:
    try:
        log = darrow.open(path, strict=False)
    except darrow.DarrowError:
        return
    yield from log.values()
    yield from (log[name].records for name in log if log[name].records is not log[name])
    yield from map(log.table, ("jobs", "names", "mounts", "modules", "problems"))


def check_log(path: Path) -> None:
    """All tables of a log come back, by way of other packages, with the values that are in the log."""
    for records in tables(path):
        for other in (records.to_arrow(), records.to_polars(), records.raw):
            check(other, pa.table(other))
            back = columns_of(other)
            assert list(back) == records.columns
            for name in records.columns:
                ours = (records.raw if isinstance(other, darrow.Records) else records).column(name)
                assert same(back[name], ours), (records.name, name)


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_every_table_of_a_log(path: Path) -> None:
    check_log(path)


@pytest.mark.slow
@pytest.mark.skipif(not MORE, reason=NO_LOGS)
def test_every_table_of_all_logs() -> None:
    for path in MORE:
        check_log(path)


@pytest.mark.parametrize("name", ["lustre-apmpi-all", "synth-all-modules", "dxt-posix", "heatmap-25s", "dxtneg"])
def test_pandas(name: str) -> None:
    for records in tables(DATA / f"{name}.darshan"):
        for frame in (records.to_pandas(), records.to_pandas("numpy_nullable"), records.to_arrow().to_pandas()):
            check(frame, pa.table(frame))


def test_our_own_tables_are_taken_as_they_are() -> None:
    records = darrow.open(EVERYTHING)["POSIX"]
    (table,), unusable = tables_of(records)
    assert unusable == []
    assert table is records._reader.table()
    (table,), _ = tables_of(records.aggregate())
    assert table.column("POSIX_OPENS", False) == [records.aggregate().POSIX_OPENS]


def test_duckdb() -> None:
    log = darrow.open(EVERYTHING)
    for records in log.values():
        relation = duckdb.from_arrow(records.to_arrow())
        check(relation, relation.to_arrow_table())
    many = duckdb.sql("select range as id, range::varchar as t from range(300000)")
    assert columns_of(many) == {"id": list(range(300_000)), "t": list(map(str, range(300_000)))}
    tables, unusable = tables_of(duckdb.sql("select 1 as one, sum(2::bigint) as two, date '2020-01-01' as three"))
    assert tables[0].columns == ["one"]
    assert unusable == [("two", 'decimal (Arrow "d:38,0")'), ("three", 'date (Arrow "tdD")')]


# Numbers, texts and lists of all kinds


TYPES = {
    "int8": [1, None, -128],
    "int16": [1, None, -32768],
    "int32": [1, None, -(2**31)],
    "int64": [1, None, -(2**63)],
    "uint8": [1, None, 255],
    "uint16": [1, None, 65535],
    "uint32": [1, None, 2**32 - 1],
    "uint64": [1, None, 2**64 - 1],
    "float16": [1.5, None, float("nan")],
    "float32": [1.5, None, -0.0],
    "float64": [0.1, None, float("inf")],
    "bool": [True, None, False],
    "string": ["a", None, "ä𝄞"],
    "large_string": ["a", None, "ä𝄞"],
    "string_view": ["a", None, "longer than twelve bytes"],
    "binary": [b"a", None, b"\xff"],
    "large_binary": [b"a", None, b"\xff"],
    "binary_view": [b"a", None, b"\xff longer than twelve bytes"],
    "null": [None, None, None],
}


def arrow_type(name: str) -> Any:
    return getattr(pa, "bool_" if name == "bool" else name)()


@pytest.mark.parametrize("kind", TYPES)
def test_types(kind: str) -> None:
    values = TYPES[kind] * 7
    array = pa.array(values, arrow_type(kind))
    for items in (array, pa.chunked_array([array[:5], array[5:5], array[5:20], array[20:]])):
        table = pa.table({"x": items})
        check(table, table)
        check(table[3:14], table[3:14])
    for nested in (
        pa.array([values[:4], None, [], values[4:9]], pa.list_(arrow_type(kind))),
        pa.array([values[:4], None, [], values[4:9]], pa.large_list(arrow_type(kind))),
        pa.array([values[:3], None, values[3:6]], pa.list_(arrow_type(kind), 3)),
    ):
        table = pa.table({"x": nested})
        check(table, table)
        check(table[1:], table[1:])
    struct = pa.array([{"a": value, "b": [value]} if i % 5 else None for i, value in enumerate(values)],
                      pa.struct({"a": arrow_type(kind), "b": pa.list_(arrow_type(kind))}))  # fmt: skip
    for first in range(12):
        table = pa.table({"x": struct})[first:]
        check(table, table)


@pytest.mark.parametrize("index", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("text", ["string", "large_string"])
def test_dictionaries(index: str, text: str) -> None:
    kind = pa.dictionary(arrow_type(index), arrow_type(text))
    first = pa.array(["a", None, "b", "a", "ä"], pa.string()).dictionary_encode().cast(kind)
    other = pa.array(["c", "d", None, "c", "c"], pa.string()).dictionary_encode().cast(kind)
    table = pa.table({"x": pa.chunked_array([first, other[1:], first[:0]])})
    check(table, table)
    check(table[1:7], table[1:7])


def test_null_texts_of_dictionaries_are_null() -> None:
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 1]), pa.array(["a", None]))
    assert columns_of(pa.table({"x": coded})) == {"x": ["a", None, None, None]}


def test_polars_types() -> None:
    frame = pl.DataFrame(
        {
            "category": pl.Series(["a", "b", None, "a"], dtype=pl.Categorical),
            "enum": pl.Series(["x", None, "y", "x"], dtype=pl.Enum(["x", "y"])),
            "array": pl.Series([[1, 2], [3, 4], None, [5, 6]], dtype=pl.Array(pl.Int16, 2)),
            "nothing": pl.Series([None] * 4),
            "id": pl.Series([2**64 - 1, None, 0, 1], dtype=pl.UInt64),
        }
    )
    for part in (frame, frame[1:3], frame[:0], pl.concat([frame, frame[1:]], rechunk=False)):
        assert columns_of(part) == part.to_dict(as_series=False)


def test_pandas_types_and_indexes() -> None:
    frame = pd.DataFrame({"id": np.array([2**64 - 1, 0, 7], "u8"), "n": [1.0, np.nan, 3.0], "t": ["a", None, "c"]})
    assert columns_of(frame) == {"id": [2**64 - 1, 0, 7], "n": [1.0, None, 3.0], "t": ["a", None, "c"]}
    sorted_frame = frame.sort_values("id")
    assert columns_of(sorted_frame) == {
        "id": [0, 7, 2**64 - 1],
        "n": [None, 3.0, 1.0],
        "t": [None, "c", "a"],
        "__index_level_0__": [1, 2, 0],
    }
    assert columns_of(frame.set_index("id")) == {"n": [1.0, None, 3.0], "t": ["a", None, "c"], "id": [2**64 - 1, 0, 7]}
    grouped = pd.DataFrame({"id": [1, 1, 2], "rank": [0, 1, 0], "n": [1, 2, 3]}).groupby(["id", "rank"]).sum()
    assert columns_of(grouped) == {"n": [1, 2, 3], "id": [1, 1, 2], "rank": [0, 1, 0]}
    categories = pd.DataFrame({"t": pd.Categorical(["a", "b", None])})
    assert columns_of(categories) == {"t": ["a", "b", None]}
    assert columns_of(frame.convert_dtypes())["n"] == [1, None, 3]
    assert columns_of(frame[:0]) == {"id": [], "n": [], "t": []}


def test_lists_and_dicts() -> None:
    assert columns_of({"id": [2**64 - 1, None, 1], "t": ["a", "b", None]}) == {
        "id": [2**64 - 1, None, 1],
        "t": ["a", "b", None],
    }
    assert columns_of({"id": np.array([1, 2], "u8"), "n": (1, 2)}) == {"id": [1, 2], "n": [1, 2]}
    rows = [{"id": 1, "l": [{"a": 1}]}, {"id": 2**63, "other": "x"}]
    assert columns_of(rows) == {"id": [1, 2**63], "l": [[{"a": 1}], None], "other": [None, "x"]}
    assert columns_of([]) == {}
    records = darrow.open(EVERYTHING)["LUSTRE"]
    assert columns_of(records.to_pylist()) == {name: records.column(name) for name in records.columns}


def test_single_batches() -> None:
    batch = pa.record_batch({"x": [1, None, 3]})

    class OnlyArray:
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return batch.__arrow_c_array__(requested_schema)

    assert columns_of(OnlyArray()) == {"x": [1, None, 3]}
    assert columns_of(batch) == {"x": [1, None, 3]}
    structs = pa.array([{"x": 1}, None, {"x": 3}])
    assert columns_of(structs) == {"x": [1, None, 3]}


def test_empty_tables_keep_their_columns() -> None:
    table = pa.table({"id": pa.array([], pa.uint64()), "l": pa.array([], pa.list_(pa.string()))})
    for empty in (table, pa.Table.from_batches([], table.schema), pl.DataFrame(table), table.to_pandas()):
        tables, unusable = tables_of(empty)
        assert [t.rows for t in tables] == [0]
        assert tables[0].columns[:2] == ["id", "l"]
        assert unusable == []


# What is refused


def test_columns_of_no_use_are_told() -> None:
    import datetime
    import decimal

    day = datetime.date(2020, 1, 1)
    table = pa.table(
        {
            "day": [day],
            "when": pa.array([1], pa.timestamp("us", "UTC")),
            "money": [decimal.Decimal("1.5")],
            "days": [[day]],
            "map": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
            "runs": pa.RunEndEncodedArray.from_arrays([1], [5]),
            "good": [1],
        }
    )
    tables, unusable = tables_of(table)
    assert tables[0].columns == ["good"]
    assert dict(unusable) == {
        "day": 'date (Arrow "tdD")',
        "when": 'timestamp (Arrow "tsu:UTC")',
        "money": 'decimal (Arrow "d:2,1")',
        "days": 'date (Arrow "tdD")',
        "map": 'map (Arrow "+m")',
        "runs": 'run-end encoded (Arrow "+r")',
    }


@pytest.mark.parametrize("data", [3, "text", None, object(), [1, 2], b"bytes", {1, 2}])
def test_no_tables(data: Any) -> None:
    with pytest.raises(TypeError, match="is no table; these are: those of pyarrow"):
        tables_of(data)


def test_lazy_frames_have_no_rows() -> None:
    with pytest.raises(TypeError, match=r"collect\(\) it first"):
        tables_of(pl.DataFrame({"a": [1]}).lazy())


def test_single_columns_are_no_tables() -> None:
    for column in (pa.array([1]), pa.chunked_array([[1]]), pl.Series([1])):
        with pytest.raises(ValueError, match='no table, but values of type "l"'):
            tables_of(column)


def test_two_columns_of_one_name() -> None:
    with pytest.raises(ValueError, match='two columns are called "a"'):
        tables_of(pa.table([[1], [2]], names=["a", "a"]))


def test_capsules_are_taken_once_and_only_if_they_fit() -> None:
    table = pa.table({"x": [1]})
    stream = table.__arrow_c_stream__()
    _core.import_stream(stream)
    with pytest.raises(ValueError, match="a stream that was read before"):
        _core.import_stream(stream)
    with pytest.raises(ValueError, match="PyCapsule"):
        _core.import_stream(table.schema.__arrow_c_schema__())
    schema, array = pa.record_batch({"x": [1]}).__arrow_c_array__()
    with pytest.raises(ValueError, match="PyCapsule"):
        _core.import_array(array, schema)
    assert _core.import_array(schema, array)[0][0].column("x", False) == [1]


def test_producers_in_python_may_fail() -> None:
    schema = pa.schema({"x": pa.int64()})

    def batches(fail: bool) -> Iterator[Any]:
        yield pa.record_batch({"x": [1, 2]})
        if fail:
            raise RuntimeError("the tape tore")
        yield pa.record_batch({"x": [3]})

    reader = pa.RecordBatchReader.from_batches
    assert columns_of(reader(schema, batches(False))) == {"x": [1, 2, 3]}
    with pytest.raises(ValueError, match=r"the table cannot be read: .*the tape tore"):
        tables_of(reader(schema, batches(True)))


# Memory


def test_numbers_are_not_copied() -> None:
    kinds = {"int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "float64": 8}
    table = pa.table({name: pa.array(range(100), arrow_type(name)) for name in kinds})
    for first in (0, 13):
        (ours,), _ = tables_of(table[first:])
        for name, width in kinds.items():
            validity, data = ours.addresses(name, False)
            assert validity is None
            assert data == table[name].chunk(0).buffers()[1].address + first * width
    frame = pl.DataFrame(table)
    (ours,), _ = tables_of(frame)
    assert ours.addresses("int64", False)[1] == frame["int64"].to_numpy(allow_copy=False).ctypes.data
    frame = pd.DataFrame({"x": np.arange(100)})
    (ours,), _ = tables_of(frame)
    assert ours.addresses("x", False)[1] == frame["x"].to_numpy().ctypes.data


def test_texts_validity_and_our_own_tables_are_not_copied() -> None:
    table = pa.table({"t": ["a", None, "b"]})
    (ours,), _ = tables_of(table)
    assert ours.addresses("t", False) == [buffer.address for buffer in table["t"].chunk(0).buffers()]
    records = darrow.open(EVERYTHING)["POSIX"]
    (back,), _ = tables_of(pa.table(records))
    for name in records.columns:
        assert back.addresses(name, False)[1:] == records._addresses(name)[1:], name


def test_memory_is_given_back() -> None:
    def table() -> Any:
        return pa.table({"x": pa.array(range(100_000)), "t": pa.array(map(str, range(100_000))), "d": [None] * 100_000})

    gc.collect()
    before = pa.total_allocated_bytes()
    tables, _ = tables_of(table())
    gc.collect()
    assert pa.total_allocated_bytes() > before, "the tables keep what is theirs"
    assert tables[0].column("x", False)[-1] == 99_999
    part = tables[0].select(["x"])
    del tables
    assert part.column("x", False)[-1] == 99_999
    del part
    assert pa.total_allocated_bytes() == before
    with pytest.raises(ValueError, match="two columns"):
        tables_of(pa.table([range(100_000), range(100_000)], names=["a", "a"]))
    gc.collect()
    assert pa.total_allocated_bytes() == before


def test_owners_are_given_back() -> None:
    values = np.arange(1000)
    frame = pd.DataFrame({"x": values}, copy=False)
    before = sys.getrefcount(values)
    tables = tables_of(frame)
    del frame
    gc.collect()
    assert tables[0][0].column("x", False)[-1] == 999
    del tables
    gc.collect()
    assert sys.getrefcount(values) < before
