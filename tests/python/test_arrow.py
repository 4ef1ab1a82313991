"""Tables in Arrow, pandas, polars, DuckDB: valid, the same memory, and the same numbers as an independent reader's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA, LOGS, NO_LOGS, SPEC, expectations

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

SMALL = sorted(DATA.glob("*.darshan"))
MORE = sorted((LOGS / "small").glob("*.darshan")) + sorted((LOGS / "synthetic").glob("*.darshan"))
EVERYTHING = DATA / "lustre-apmpi-all.darshan"


def tables(path: Path) -> dict[str, darrow.Records]:
    """Every table of a log."""
    try:
        log = darrow.open(path, strict=False)
    except darrow.DarrowError:
        return {}
    all_tables = dict(log.items())
    all_tables |= {f"{name}.records": log[name].records for name in log if log[name].records is not log[name]}
    return all_tables | {name: log.table(name) for name in ("jobs", "names", "mounts", "modules", "problems")}


def addresses(array: Any) -> list[int | None]:
    return [None if buffer is None else buffer.address for buffer in array.buffers()]


def check(path: Path) -> int:
    """All tables of a log are valid Arrow on the memory of the extension, as they are and raw."""
    found = tables(path)
    for name, records in found.items():
        for view in (records, records.raw):
            table = pa.table(view)
            table.validate(full=True)
            assert table.num_rows == len(view), name
            assert table.column_names == view.columns, name
            assert table.schema.equals(pa.schema(view.schema), check_metadata=True), name
            for field in view.schema:
                chunks = table[field.name].chunks
                assert len(chunks) == 1, name
                if len(view):
                    assert addresses(chunks[0]) == view._addresses(field.name), (name, field.name)
                assert str(chunks[0].type) in _spelling(field.type), (name, field.name)
    return len(found)


def _spelling(text: str) -> set[str]:
    """How pyarrow may write a type: it names the items of lists and the parts of dictionaries."""
    named = text.replace("list<", "list<item: ")
    return {text, named, text.replace("int32, string", "values=string, indices=int32, ordered=0")}


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_tables_are_valid_and_not_copied(path: Path) -> None:
    check(path)


@pytest.mark.slow
@pytest.mark.skipif(not MORE, reason=NO_LOGS)
def test_tables_of_all_logs_are_valid() -> None:
    assert sum(map(check, MORE)) > 5 * len(MORE)


def test_numbers_are_not_copied_by_others() -> None:
    records = darrow.open(EVERYTHING)["POSIX"]
    (_, ids), (_, opens) = records._addresses("id"), records._addresses("POSIX_OPENS")
    frame = pl.DataFrame(records)
    assert frame["id"].to_numpy(allow_copy=False).ctypes.data == ids
    assert frame["POSIX_OPENS"].to_numpy(allow_copy=False).ctypes.data == opens
    frame = records.to_pandas()
    assert frame["id"].array._pa_array.chunk(0).buffers()[1].address == ids
    assert all(address % 64 == 0 for address in (ids, opens))


def test_repeated_use() -> None:
    rec = darrow.open(DATA / "posix-ops.darshan")["POSIX"]
    for _ in range(3):
        assert pa.table(rec).num_rows == 10
        assert pl.DataFrame(rec).height == 10
        assert duckdb.sql("select count(*) from rec").fetchall() == [(10,)]
        assert pa.RecordBatchReader.from_stream(rec).read_all().num_rows == 10
        assert pa.schema(rec) == pa.table(rec).schema
    assert rec.to_arrow().equals(pa.table(rec))
    assert rec.to_polars().equals(pl.DataFrame(rec))


def test_capsules_that_nobody_takes_are_freed() -> None:
    records = darrow.open(DATA / "posix-ops.darshan")["POSIX"]
    table = records._reader.table()
    before = sys.getrefcount(table)
    for _ in range(1000):
        records.__arrow_c_schema__()
        records.__arrow_c_stream__()
        records.__arrow_c_stream__(records.__arrow_c_schema__())
        records.schema.__arrow_c_schema__()
    assert sys.getrefcount(table) == before
    assert '"arrow_array_stream"' in repr(records.__arrow_c_stream__())
    assert '"arrow_schema"' in repr(records.__arrow_c_schema__())


def test_tables_outlive_the_log() -> None:
    with darrow.open(EVERYTHING) as log:
        table = log["DXT_POSIX"].to_arrow()
        expected = log["DXT_POSIX"].to_pylist()
    del log
    assert table.select(["rank", "length"]).to_pylist() == [
        {"rank": row["rank"], "length": row["length"]} for row in expected
    ]


def test_python_values_are_those_of_arrow() -> None:
    for path in SMALL:
        for name, records in tables(path).items():
            for view in (records, records.raw):
                assert repr(pa.table(view).to_pylist()) == repr(view.to_pylist()), (path, name)


def test_text_types() -> None:
    log = darrow.open(EVERYTHING)
    posix, segments = log["POSIX"].to_arrow().schema, log["DXT_POSIX"].to_arrow().schema
    for name in ("name", "mount", "fs_type"):
        assert posix.field(name).type == pa.string()
        assert segments.field(name).type == pa.dictionary(pa.int32(), pa.string())


def test_field_metadata() -> None:
    schema = pa.schema(darrow.open(DATA / "posix-ops.darshan")["POSIX"])
    metadata = schema.field("POSIX_BYTES_READ").metadata
    assert metadata[b"unit"] == b"bytes"
    assert metadata[b"rule"] == b"sum"
    assert metadata[b"since"] == b"1"
    assert metadata[b"meaning"]


# The same numbers as an independent reader's


def expected_rows(name: str) -> dict[str, Any]:
    return expectations(DATA)[name].entry["modules"]


@pytest.mark.parametrize(
    ("name", "module"), [("posix-ops", "POSIX"), ("names-odd", "POSIX"), ("lustre-apmpi-all", "STDIO")]
)
def test_sums_in_every_engine(name: str, module: str) -> None:
    rows = expected_rows(name)[module]["records"]
    layout = SPEC.modules[module]
    rec = darrow.open(DATA / f"{name}.darshan")[module]
    frames = [rec.to_pandas(), rec.to_pandas(dtype_backend="numpy_nullable")]
    polars = rec.to_polars()
    for key, counters in (("counters", layout["int_counters"]), ("fcounters", layout["float_counters"])):
        for i, counter in enumerate(counters):
            nullable = (module, counter) in SPEC.minus_one_is_null
            values = [row[key][i] for row in rows if not (nullable and row[key][i] == -1)]
            total = sum(map(float, values)) if key == "fcounters" else sum(values)
            nulls = len(rows) - len(values)
            assert polars[counter].null_count() == nulls, counter
            for frame in frames:
                assert frame[counter].isna().sum() == nulls, counter
            in_sql = duckdb.sql(f"select sum({counter}), count({counter}) from rec").fetchall()[0]
            assert in_sql[1] == len(values)
            for ours in (polars[counter].sum(), *(frame[counter].sum() for frame in frames), in_sql[0] or 0):
                if rec.schema[counter].type == "uint64":  # an id: as a sum only its bits can be compared
                    assert int(ours) % 2**64 == total % 2**64
                else:
                    assert ours == (pytest.approx(total) if key == "fcounters" else total), counter


def test_sums_of_segments() -> None:
    rows = expected_rows("dxt-v2-posix")["DXT_POSIX"]["records"]
    rec = darrow.open(DATA / "dxt-v2-posix.darshan")["DXT_POSIX"]
    expected: dict[tuple[int, str], int] = {}
    for row in rows:
        for i, segment in enumerate(row["segs"]):
            key = row["rank"], "write" if i < row["wc"] else "read"
            expected[key] = expected.get(key, 0) + segment[1]
    in_sql = duckdb.sql("select rank, op, sum(length)::bigint from rec group by all").fetchall()
    assert {(rank, op): total for rank, op, total in in_sql} == expected
    in_polars = rec.to_polars().group_by("rank", "op").agg(pl.col("length").sum())
    assert {(rank, op): total for rank, op, total in in_polars.rows()} == expected
    for backend in ("pyarrow", "numpy_nullable"):
        frame = rec.to_pandas(dtype_backend=backend)
        frame["op"] = frame["op"].astype(str)
        assert frame.groupby(["rank", "op"])["length"].sum().to_dict() == expected


def test_ids_survive_in_pandas() -> None:
    log = darrow.open(DATA / "posix-ops.darshan")
    ids = log["POSIX"].column("id")
    assert max(ids) > 2**63
    rec = log["POSIX"]
    for frame in (rec.to_pandas(), rec.to_pandas("numpy_nullable"), rec.to_polars().to_pandas()):
        assert [int(id) for id in frame["id"]] == ids
        assert [log.names[id] for id in frame["id"]] == list(frame["name"])


def test_integers_with_nulls_stay_integers_in_pandas() -> None:
    rec = darrow.open(DATA / "posix-ops.darshan")["POSIX"]
    nullable = [name for name in rec.columns if None in rec.column(name) and rec.schema[name].type == "int64"]
    assert nullable
    for backend in ("pyarrow", "numpy_nullable"):
        frame = rec.to_pandas(dtype_backend=backend)
        for name in nullable:
            assert "int64" in str(frame[name].dtype).lower()
            assert [None if v is pd.NA else v for v in frame[name]] == rec.column(name)
    with pytest.raises(ValueError, match="dtype_backend"):
        rec.to_pandas(dtype_backend="numpy")


def test_missing_packages_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rec = darrow.open(DATA / "posix-ops.darshan")["POSIX"]
    for package, convert in (("polars", rec.to_polars), ("pandas", rec.to_pandas), ("pyarrow", rec.to_arrow)):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            with pytest.raises(ImportError, match=rf"pip install {package}$"):
                convert()


# Long forms


def test_heatmap_long() -> None:
    log = darrow.open(DATA / "heatmap-25s.darshan")
    long = log["HEATMAP"].long()
    long.validate(full=True)
    assert long.column_names == ["id", "rank", "layer", "bin", "start", "end", "op", "bytes"]
    rows = log["HEATMAP"].to_pylist()
    expected = [
        (row["id"], row["rank"], row["layer"], bin, op, value)
        for op in ("write", "read")
        for row in rows
        for bin, value in enumerate(row[op])
    ]
    names = ("id", "rank", "layer", "bin", "op", "bytes")
    assert list(zip(*(long[name].to_pylist() for name in names), strict=True)) == expected
    assert long["start"].to_pylist() == [row[3] * 0.2 for row in expected]
    assert long["end"].to_pylist() == [(row[3] + 1) * 0.2 for row in expected]


def test_heatmap_matrix_in_numpy() -> None:
    np = pytest.importorskip("numpy")
    records = darrow.open(DATA / "heatmap-25s.darshan")["HEATMAP"]
    matrix = records.matrix("POSIX", "write")
    grid = np.asarray(matrix.values)
    assert (grid.shape, grid.dtype) == ((3, 128), np.int64)
    long = records.long()
    total = duckdb.sql("select sum(bytes)::bigint from long where layer = 'POSIX' and op = 'write'").fetchall()[0]
    assert len(long) == 2 * 2 * 3 * 128
    assert grid.sum() == total[0] > 0


def test_lustre_long() -> None:
    log = darrow.open(EVERYTHING)
    long = log["LUSTRE"].long()
    long.validate(full=True)
    expected = [
        {**{key: row[key] for key in ("id", "rank", "name", "mount", "fs_type")}, "component": i, **component}
        for row in log["LUSTRE"].to_pylist()
        for i, component in enumerate(row["components"])
    ]
    assert long.to_pylist() == expected
    assert len(expected) == 16


def test_segments_with_osts() -> None:
    log = darrow.open(EVERYTHING)
    table = log["DXT_POSIX"].with_osts()
    table.validate(full=True)
    assert table.drop_columns(["osts"]).equals(log["DXT_POSIX"].to_arrow())
    osts: dict[str, set[tuple[int, ...] | None]] = {}
    for row in table.to_pylist():
        touched = row["osts"]
        osts.setdefault(row["name"].rpartition("/")[2], set()).add(None if touched is None else tuple(touched))
    assert osts["s1_rank1.out"] == {(139,)}
    assert osts["nolustre.dat"] == {None}
    assert osts["dom_small.txt"] == {()}
    assert osts["mir_safe.dat"] <= {(18,), (19,), (18, 19)}
    without = darrow.open(DATA / "dxt-v2-posix.darshan")["DXT_POSIX"].with_osts()
    assert without["osts"].null_count == len(without) == 100


def test_text_of_traces_is_usable_in_pandas() -> None:
    pytest.importorskip("pandas")
    frame = darrow.open(DATA / "dxt-v3-mpiio.darshan")["DXT_POSIX"].to_pandas()
    assert frame["op"].dtype.name == "category"
    assert frame[frame["name"].str.contains("/")].shape == frame.shape
    assert len(frame.sort_values("name")) == len(frame)


def test_a_matrix_is_an_array() -> None:
    numpy = pytest.importorskip("numpy")
    matrix = darrow.open(DATA / "heatmap-25s.darshan")["HEATMAP"].matrix("POSIX", "write")
    array = numpy.asarray(matrix)
    assert array.dtype == numpy.int64
    assert array.tolist() == matrix.values.tolist()
