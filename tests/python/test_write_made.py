"""Tables of every module, of any package, in any type and order, are written as `struct` packs them, and read alike."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Sequence
from typing import Any

import darrow
import logwriter
import made_tables
import packed
import pytest
from corpus import COMPONENT, SPEC, few, same
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from made_tables import Row, pa

JOB = {"nprocs": 4, "end_time_sec": 1}
LEVELS = {"zlib": range(13), "bzip2": range(10), "none": [0]}
NATIVE = "<" if sys.byteorder == "little" else ">"
TRACES = ("DXT_POSIX", "DXT_MPIIO")
UNPIECED = [form for form in made_tables.FORMS if form not in ("pyarrow", "batches")]

# Seeds do not shrink.
some = settings(max_examples=8, deadline=None, database=None, phases=[Phase.explicit, Phase.generate])


def written(tables: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    options.setdefault("job", JOB)
    options.setdefault("strict", False)  # heat maps differ, bytes are negative
    darrow.write(file, tables, **options)
    return file.getvalue()


def expected(module: str, name: str, value: Any) -> Any:
    """What a value reads as."""
    if value is None:
        value = packed.ABSENT.get(name, -1)
    if (module, name) in SPEC.minus_one_is_null and value == -1:
        return None
    return float(value) if SPEC.modules[module]["kind"] == "fixed" and SPEC.columns(module)[name] == "f64" else value


def wrong_values(module: str, rows: Sequence[Row], log: darrow.Log) -> list[str]:
    """Values of a module of records that were not read back as they were given."""
    kind, records = SPEC.modules[module]["kind"], log[module]
    wrong = []
    for name in [name for name in rows[0] if name != "components"]:
        given = [row[name] for row in rows]
        if kind == "fixed" and SPEC.columns(module)[name] == "uuid":
            values = [value or "00000000-0000-0000-0000-000000000000" for value in given]
        else:
            values = [expected(module, name, value) for value in given] if kind == "fixed" else given
        for row, (ours, value) in enumerate(zip(records.raw.column(name) if kind != "fixed" else
                                                records.column(name), values, strict=True)):  # fmt: skip
            if not same(ours, -1.0 if value is None and isinstance(ours, float) else value) and (ours, value) != (
                -1,
                None,
            ):
                wrong.append(f"{name}[{row}]: read {ours!r}, written {value!r}")
    if module == "LUSTRE":
        for row, (ours, theirs) in enumerate(
            zip(records.raw.column("components"), (row["components"] for row in rows), strict=True)
        ):
            full = [
                {n: c[n] if c.get(n) is not None else packed.ABSENT.get(n, -1) for n in COMPONENT}
                | {"pool": c["pool"] or "", "osts": c["osts"]}
                for c in theirs
            ]
            wrong += [] if ours == full else [f"components[{row}]: read {ours}, written {full}"]
    return wrong


def check(module: str, rows: Sequence[Row], table: Any, source: random.Random) -> None:
    """Writes the table in some order and compression, and compares bytes and values."""
    order = source.choice(["little", "big"])
    compression = source.choice([*LEVELS])
    options = {"byte_order": order, "compression": compression, "level": source.choice(LEVELS[compression])}
    headers = {name: packed.HEADERS[name] for name in packed.HEADERS if name == module}
    data = written({module: table}, headers=headers, **options)
    log = logwriter.Log.parse(data)
    sign = "<" if order == "little" else ">"
    assert (log.order, log.compression) == (sign, [*LEVELS].index(compression))
    version, region = packed.region(module, rows, sign)
    assert log.modules.keys() == {module}
    assert log.modules[module] == (version, region), "stored bytes differ"
    read = darrow.open(data, strict=False)
    assert not [p for p in read.verify() if p.severity == "error"]
    if module in packed.HEADERS:
        assert read[module].header == packed.HEADERS[module]
    if module not in TRACES:
        wrong = wrong_values(module, rows, read)
        assert not wrong, few(wrong)


@pytest.mark.parametrize("module", [name for name in SPEC.modules if name not in TRACES])
@given(seed=st.integers(0, 2**32), form=st.sampled_from([*made_tables.FORMS]))
@some
def test_records(module: str, seed: int, form: str) -> None:
    source = random.Random(seed)
    rows = made_tables.random_rows(module, source, source.randint(1, 6), form in made_tables.INEXACT)
    check(module, rows, made_tables.FORMS[form](source, made_tables.arrow_table(source, rows), rows), source)


def test_a_table_without_rows_is_no_module() -> None:
    assert logwriter.Log.parse(written({"POSIX": [], "STDIO": {}})).modules == {}


@pytest.mark.parametrize("forms", ["all", "in one piece"])
@pytest.mark.parametrize("module", TRACES)
@given(seed=st.integers(0, 2**32), data=st.data())
@some
def test_traces(module: str, forms: str, seed: int, data: st.DataObject) -> None:
    """Segments in any order and, those in one piece, record by record."""
    form = data.draw(st.sampled_from([*made_tables.FORMS] if forms == "all" else UNPIECED))
    source = random.Random(seed)
    rows = made_tables.random_rows(module, source, source.randint(1, 12), form in made_tables.INEXACT)
    if forms != "all":
        rows.sort(key=lambda row: (row["id"], row["rank"], row["host"], row["op"] == "read", row["segment"]))
        rows = [dict(row) for row in rows]
        if source.random() < 0.5:
            for row in rows:
                del row["segment"]
    check(module, rows, made_tables.FORMS[form](source, made_tables.arrow_table(source, rows), rows), source)


@pytest.mark.parametrize("module", SPEC.modules)
@given(seed=st.integers(0, 2**32))
@settings(some, max_examples=4)
def test_records_as_bytes(module: str, seed: int) -> None:
    """to_records() and from_records() against the same bytes, and against each other."""
    source = random.Random(seed)
    rows = made_tables.random_rows(module, source, source.randint(1, 6))
    if module in TRACES:
        rows.sort(key=lambda row: (row["id"], row["rank"], row["host"], row["op"] == "read", row["segment"]))
    table = made_tables.arrow_table(source, rows)
    version, region = packed.region(module, rows, NATIVE)
    header = SPEC.modules[module].get("header_size", 0) if module in packed.HEADERS else 0
    assert darrow.to_records(table, module) == region[header:]
    for order in ("little", "big"):
        region = packed.region(module, rows, "<" if order == "little" else ">")[1]
        back = darrow.from_records(region, module, version, byte_order=order)
        assert len(back) == len(rows)
        assert darrow.to_records(back, module) == packed.region(module, rows, NATIVE)[1][header:]
        assert darrow.from_records(memoryview(region[header:]), module, version, byte_order=order).to_arrow().equals(
            back.to_arrow()
        ) or b"\x7f\xf8" in region or b"\xf8\x7f" in region  # fmt: skip


OLD = [
    (module, int(version))
    for module, layout in SPEC.modules.items()
    if layout["kind"] == "fixed"
    for version in layout["versions"]
    if int(version) < layout["current_version"] and module != "PNETCDF_FILE"  # adds up what tables do not tell apart
]


@pytest.mark.parametrize(("module", "version"), OLD)
@given(seed=st.integers(0, 2**32))
@settings(some, max_examples=4)
def test_old_versions(module: str, version: int, seed: int) -> None:
    source = random.Random(seed)
    stored = SPEC.modules[module]["versions"][str(version)]["fields"]
    kept = {field["name"] for field in stored}
    rows = made_tables.random_rows(module, source, source.randint(1, 4))
    rows = [{name: value for name, value in row.items() if name in kept} for row in rows]
    if len(rows[0]) < 3:
        rows = [row | {stored[-1]["name"]: 1} for row in rows]
    data = written({module: made_tables.arrow_table(source, rows)}, versions={module: version}, byte_order="big")
    old = [name for name in kept if name not in SPEC.columns(module)]
    full = [dict.fromkeys(old, 0) | row for row in rows]
    assert logwriter.Log.parse(data).modules == {
        module: (version, b"".join(packed.fields(">", stored, row) for row in full))
    }
    missing = SPEC.lacking(module, version)
    read = darrow.open(data)[module]
    assert all(read.column(name) == [None] * len(rows) for name in missing)


def test_all_levels_and_orders_hold_the_same() -> None:
    rows = made_tables.random_rows("POSIX", random.Random(1), 50)
    table = made_tables.arrow_table(random.Random(2), rows)
    sizes: dict[str, list[int]] = {}
    for order in ("little", "big"):
        region = packed.region("POSIX", rows, "<" if order == "little" else ">")
        for compression, levels in LEVELS.items():
            for level in [None, *levels]:
                data = written({"POSIX": table}, compression=compression, level=level, byte_order=order)
                assert data == written({"POSIX": table}, compression=compression, level=level, byte_order=order)
                assert logwriter.Log.parse(data).modules["POSIX"] == region
                sizes.setdefault(compression, []).append(len(data))
    assert min(sizes["none"]) > max(sizes["zlib"]) > min(sizes["zlib"])
    assert sizes["zlib"][0] == sizes["zlib"][1] == sizes["zlib"][7], "6 is the usual level"


# Traces: what differs from records -----------------------------------------------------------------------------------


def segment(op: str, number: int, offset: int, **more: Any) -> Row:
    row = {"id": 1, "rank": 0, "host": "a", "op": op, "segment": number, "offset": offset, "length": 1}
    return row | {"start": 0.0, "end": 1.0} | more


SHUFFLED = [
    segment("read", 0, 20),
    segment("write", 1, 11, host="b"),
    segment("write", 1, 11),
    segment("write", 0, 10, host="b"),
    segment("write", 0, 10),
    segment("read", 1, 21),
    segment("write", 0, 10, rank=1),
]


def test_hosts_and_ranks_are_records_and_numbers_are_the_order() -> None:
    data = written({"DXT_POSIX": SHUFFLED})
    assert logwriter.Log.parse(data).modules["DXT_POSIX"] == packed.region("DXT_POSIX", SHUFFLED)
    log = darrow.open(data)
    assert log["DXT_POSIX"].records.column("host") == ["a", "b", "a"]
    assert log["DXT_POSIX"].column("offset") == [10, 11, 20, 21, 10, 11, 10]


def test_without_numbers_rows_stay_in_their_order() -> None:
    rows = [{name: value for name, value in row.items() if name != "segment"} for row in SHUFFLED]
    data = written({"DXT_POSIX": rows})
    assert logwriter.Log.parse(data).modules["DXT_POSIX"] == packed.region("DXT_POSIX", rows)


def test_a_trace_in_batches_is_one_trace() -> None:
    rows = [segment("write", 0, 1), segment("write", 1, 2), segment("read", 0, 3)]
    table = pa.Table.from_pylist(rows)
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=1))
    assert written({"DXT_POSIX": batches}) == written({"DXT_POSIX": table})


def test_thread_ids_may_begin_in_a_later_batch() -> None:
    """Where no row of a batch has one, others still may: nulls among thread ids are told as such."""
    one = pa.Table.from_pylist([segment("write", 0, 1, thread_id=None)])
    other = pa.Table.from_pylist([segment("write", 0, 1, thread_id=5, rank=1)])
    with pytest.raises(ValueError, match="DXT_POSIX: column thread_id, row 0: null"):
        written({"DXT_POSIX": pa.concat_tables([one, other], promote_options="permissive")})


def test_reads_in_front_of_writes_are_the_same_record() -> None:
    rows = [segment("read", 0, 3), segment("write", 0, 1)]
    assert logwriter.Log.parse(written({"DXT_POSIX": rows})).modules["DXT_POSIX"] == packed.region("DXT_POSIX", rows)


# Other cases by themselves -----------------------------------------------------------------------------------------


def test_all_modules_in_one_log() -> None:
    source = random.Random(5)
    rows = {name: made_tables.random_rows(name, source, 3) for name in SPEC.modules if name not in TRACES}
    rows |= {name: [segment("write", 0, 1)] for name in TRACES}
    tables = {name: made_tables.arrow_table(source, rows[name]) for name in source.sample([*rows], len(rows))}
    log = logwriter.Log.parse(written(tables, headers=packed.HEADERS))
    assert log.modules == {name: packed.region(name, values) for name, values in rows.items()}


def test_opens_that_nobody_tells_are_not_recorded() -> None:
    row = {"id": 1, "rank": 0, "PNETCDF_FILE_SYNCS": 1}
    data = written({"PNETCDF_FILE": [row]})
    assert logwriter.Log.parse(data).modules["PNETCDF_FILE"] == packed.region("PNETCDF_FILE", [row])


def test_null_lists_are_empty_whatever_stands_behind_them() -> None:
    items = pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), pa.array([1, 2, 3]), mask=pa.array([True, False]))
    table = pa.table({"id": [1, 2], "rank": [0, 0], "bin_width": [0.1, 0.1], "write": items, "read": items})
    assert darrow.open(written({"HEATMAP": table}), strict=False)["HEATMAP"].column("write") == [[], [3]]


@pytest.mark.parametrize(
    ("module", "row"),
    [
        ("LUSTRE", {"components": []}),
        ("LUSTRE", {"components": None}),
        ("HEATMAP", {"bin_width": 0.1, "write": None, "read": None}),
    ],
)
def test_lists_without_a_type_are_empty(module: str, row: Row) -> None:
    row = row | {"id": 1, "rank": 0}
    assert logwriter.Log.parse(written({module: [row]})).modules[module] == packed.region(
        module, [row | {"components": []} if module == "LUSTRE" else row]
    )


def test_node_names_may_be_longer_in_a_later_batch() -> None:
    random_rows = made_tables.random_rows("APMPI", random.Random(3), 2)
    rows = [{k: v % 2**62 if isinstance(v, int) else v for k, v in row.items()} for row in random_rows]
    short, long = (pa.Table.from_pylist([row | {"node": "n" * size}]) for row, size in zip(rows, (5, 200), strict=True))
    table = pa.concat_tables([short, long], promote_options="permissive")
    options = {"headers": {"APMPI": packed.HEADERS["APMPI"]}}
    assert written({"APMPI": table}, **options) == written({"APMPI": table.combine_chunks()}, **options)


def test_null_counts_are_told_by_the_lists() -> None:
    rows = [{"id": 1, "rank": 0, "MDHIM_SERVERS": None, "servers": [1, 2]}]
    assert logwriter.Log.parse(written({"MDHIM": rows})).modules["MDHIM"] == packed.region("MDHIM", rows)
