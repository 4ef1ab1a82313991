"""Tables that others might hand over: random rows of every module, in any type that holds them, of any package."""

from __future__ import annotations

import math
import random
import struct
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from corpus import COMPONENT, SPEC

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

Row = dict[str, Any]

COUNTS = [0, 0, 1, 2, 100, -1, -4, 255, 70_000, 2**31 - 1, 2**40, -(2**53), 2**53 + 1, 2**63 - 1, -(2**63)]
SMALL = [0, 0, 1, 2, 100, -1, -4, 255, 70_000, 2**31 - 1, 2**40]
IDS = [0, 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
TIMES = [0.0, -0.0, 0.1, 1.25, -1.0, 1e-9, 5e-324, math.inf, -math.inf, math.nan, 1e300, 3.0, 2.0**60]
TIMES_OF_NUMPY = [value for value in TIMES if not math.isnan(value)]
TEXTS = ["", "node1", "ä𝄞", "a longer text that fits"]
# Columns that no record can do without, and one whose absence is tested by itself.
MUST = ("id", "rank", "oid_hi", "oid_lo", "PNETCDF_FILE_OPENS")
SEGMENT_TYPES = {"offset": "i64", "length": "i64", "start": "f64", "end": "f64", "thread_id": "u64"}


# Rows -----------------------------------------------------------------------------------------------------------------


def values_of(source: random.Random, kind: str, small: bool) -> Any:
    if kind == "f64":
        return source.choice(TIMES_OF_NUMPY if small else TIMES)
    if kind in ("u64", "u32"):
        return source.choice([0, 1, 255, 70_000] if small else IDS)
    return source.choice(SMALL if small else COUNTS)


def fixed_rows(source: random.Random, module: str, count: int, small: bool) -> list[Row]:
    columns = SPEC.columns(module) if SPEC.modules[module]["kind"] == "fixed" else mdhim_columns()
    must = [name for name in columns if name in MUST or (module, name) == ("PNETCDF_VAR", "file_rec_id")]
    rest = [name for name in columns if name not in must]
    chosen = must + source.sample(rest, source.randint(1, len(rest)))
    rows = []
    for _ in range(count):
        row: Row = {}
        for name in chosen:
            if name not in must and source.random() < 0.1:
                row[name] = None
            elif columns[name] == "uuid":
                row[name] = str(uuid.UUID(int=source.getrandbits(128)))
            elif name == "POSIX_RENAMED_FROM":
                row[name] = source.choice([0, 1, 255] if small else IDS)
            else:
                row[name] = values_of(source, columns[name], small)
        rows.append(row)
    return rows


def mdhim_columns() -> dict[str, str]:
    layout = SPEC.modules["MDHIM"]
    columns = {"id": "u64", "rank": "i64"} | dict.fromkeys(layout["int_counters"], "i64")
    del columns["MDHIM_SERVERS"]  # the lists tell
    return columns | dict.fromkeys(layout["float_counters"], "f64")


def some(source: random.Random, least: int, small: bool) -> list[int]:
    return [source.choice(SMALL if small else COUNTS) for _ in range(source.randint(least, 4))]


def lustre_row(source: random.Random, names: Sequence[str], small: bool) -> Row:
    """`names`: the numbers of its components that are told."""
    components = []
    for _ in range(source.randint(1, 3)):
        component = {name: source.choice(SMALL) for name in names}
        osts = some(source, 1, small)
        component |= {"stripe_size": 1 << 20, "stripe_count": len(osts), "osts": osts}
        component["pool"] = source.choice(["", "flash", "pool of 16 bytes", None])
        components.append(component)
    return {"components": components}


def heatmap_row(source: random.Random, small: bool) -> Row:
    write = some(source, 1, small)
    return {"bin_width": source.choice([0.1, 0.2]), "write": write, "read": source.sample(write, len(write))}


def segments(source: random.Random, module: str, count: int, small: bool) -> list[Row]:
    """Of a few files, ranks and hosts, each numbered from 0 within record and op."""
    threads, numbers, rows = source.random() < 0.5, {}, []
    for _ in range(count):
        row: Row = {"id": source.choice(IDS[:3]), "rank": source.choice([0, 1]), "host": source.choice(TEXTS)}
        row["op"] = source.choice(["read", "write"])
        row["segment"] = numbers[key] = numbers.get(key := tuple(row.values()), -1) + 1
        row |= {name: values_of(source, kind, small) for name, kind in SEGMENT_TYPES.items()}
        if not threads:
            del row["thread_id"]
        rows.append(row)
    source.shuffle(rows)
    return rows


def random_rows(module: str, source: random.Random, count: int, small: bool = False) -> list[Row]:
    """Rows of a module, with ids and ranks that a job may have. `small`: numbers that doubles hold too, no NaN."""
    layout = SPEC.modules[module]
    if layout["kind"] == "dxt":
        return segments(source, module, count, small)
    if layout["kind"] == "header+perf":
        columns = {f["name"]: f["type"] for f in layout["perf_fields"] if f["type"] != "char"}
        texts = {"node": TEXTS} if module == "APMPI" else {}
        rows = [
            {name: values_of(source, kind, small) for name, kind in columns.items()}
            | {name: source.choice(values) for name, values in texts.items()}
            for _ in range(count)
        ]
    elif layout["kind"] in ("fixed", "mdhim"):
        rows = fixed_rows(source, module, count, small)
    elif module == "LUSTRE":
        names = source.sample(COMPONENT, source.randint(0, len(COMPONENT)))
        rows = [lustre_row(source, names, small) for _ in range(count)]
    else:
        rows = [heatmap_row(source, small) for _ in range(count)]
    for row in rows:
        row |= {"id": source.choice(IDS[:3] if small else IDS), "rank": source.choice([-1, 0, 1, 3])}
        if module == "MDHIM":
            row["servers"] = some(source, 1, small)
    return rows


# Types ----------------------------------------------------------------------------------------------------------------

WHOLE = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
TEXT = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]


def holds(kind: pa.DataType, value: Any) -> bool:
    """Whether a type holds a number without a change."""
    if value is None:
        return True
    if pa.types.is_boolean(kind):
        return isinstance(value, int) and value in (0, 1)
    if pa.types.is_integer(kind):
        least = 0 if kind in WHOLE[1::2] else -(2 ** (kind.bit_width - 1))
        return isinstance(value, int) and least <= value < least + 2**kind.bit_width
    if isinstance(value, int):
        return abs(value) <= (2**53 if kind == pa.float64() else 2**24)
    return kind == pa.float64() or math.isnan(value) or fits_float32(value)


def fits_float32(value: float) -> bool:
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False


def numbers(source: random.Random, values: Sequence[Any]) -> pa.Array:
    """Numbers in a type that holds them all."""
    if all(value is None for value in values):
        return pa.array(values, source.choice([pa.null(), pa.int64(), pa.float32()]))
    kinds = [kind for kind in (*WHOLE, pa.bool_(), pa.float32(), pa.float64()) if all(holds(kind, v) for v in values)]
    kind = source.choice(kinds)
    if pa.types.is_floating(kind):
        values = [value if value is None else float(value) for value in values]
    if pa.types.is_boolean(kind):
        values = [value if value is None else bool(value) for value in values]
    return pa.array(values, kind)


def lists(source: random.Random, values: Sequence[Sequence[Any]]) -> pa.Array:
    items = array(source, [item for value in values for item in value])
    lengths = [len(value) for value in values]
    if len(set(lengths)) == 1 and lengths[0] > 0 and source.random() < 0.5:
        return pa.FixedSizeListArray.from_arrays(items, lengths[0])
    ends = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    if source.random() < 0.5:
        return pa.LargeListArray.from_arrays(pa.array(ends, pa.int64()), items)
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), items)


def array(source: random.Random, values: Sequence[Any]) -> pa.Array:
    first = next((value for value in values if value is not None), None)
    if isinstance(first, str):
        kind = source.choice(TEXT)
        return pa.array(values, pa.string()).cast(kind) if kind != TEXT[2] else pa.array(values, kind)
    if isinstance(first, list):
        return lists(source, values)
    if isinstance(first, dict):
        names = source.sample([*first], len(first))
        return pa.StructArray.from_arrays([array(source, [value[name] for value in values]) for name in names], names)
    return numbers(source, values)


def arrow_table(source: random.Random, rows: Sequence[Row]) -> pa.Table:
    """The rows as an Arrow table: columns in any order and type, with some that mean nothing."""
    names = source.sample([*rows[0]], len(rows[0]))
    columns = {name: array(source, [row[name] for row in rows]) for name in names}
    return pa.table({"note": [None] * len(rows)} | columns | {"also": [["x"]] * len(rows)})


# Packages -------------------------------------------------------------------------------------------------------------


def chunked(source: random.Random, table: pa.Table) -> pa.Table:
    """In pieces, none of which starts at its buffers' start."""
    cut = source.randint(0, table.num_rows)
    return pa.concat_tables([table[:0], table[:cut], table[cut:]])


def without_fixed_sizes(table: pa.Table) -> pa.Table:
    """DuckDB takes the indices for the texts of dictionaries in lists of one size."""
    for at, field in enumerate(table.schema):
        if pa.types.is_fixed_size_list(field.type):
            items = table.column(at).chunk(0).values
            ends = pa.array(range(0, len(items) + 1, field.type.list_size), pa.int32())
            table = table.set_column(at, field.name, pa.ListArray.from_arrays(ends, items))
    return table


def numpy_nullable(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas(types_mapper=pandas_types.get)


pandas_types: dict[pa.DataType, Any] = {
    kind: getattr(pd, name)()
    for kind, name in zip(
        [*WHOLE, pa.bool_(), pa.float32(), pa.float64()],
        ["Int8Dtype", "UInt8Dtype", "Int16Dtype", "UInt16Dtype", "Int32Dtype", "UInt32Dtype", "Int64Dtype",
         "UInt64Dtype", "BooleanDtype", "Float32Dtype", "Float64Dtype"],
        strict=True,
    )
}  # fmt: skip

# What a package makes of an Arrow table. Some know neither all types nor whole numbers that are missing.
FORMS: dict[str, Callable[[random.Random, pa.Table, list[Row]], Any]] = {
    "pyarrow": lambda source, table, rows: chunked(source, table),
    "pyarrow slice": lambda source, table, rows: pa.concat_tables([table, table])[len(rows) :],
    "batches": lambda source, table, rows: chunked(source, table).to_reader(),
    "polars": lambda source, table, rows: pl.from_arrow(table),
    "pandas pyarrow": lambda source, table, rows: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas numpy_nullable": lambda source, table, rows: numpy_nullable(table),
    "pandas": lambda source, table, rows: table.to_pandas(),
    "duckdb": lambda source, table, rows: duckdb.from_arrow(without_fixed_sizes(table)),
    "columns": lambda source, table, rows: {name: [row[name] for row in rows] for name in rows[0]},
    "rows": lambda source, table, rows: [{k: v for k, v in row.items() if v is not None} for row in rows],
}
# In pandas NaN says "missing", and numpy's whole numbers become floats where one is missing.
INEXACT = ("pandas", "pandas numpy_nullable")
