"""Tables that were changed at random are written as they are read, or refused: nothing crashes, nothing changes."""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import darrow
import logwriter
import made_tables
import packed
import pytest
from corpus import SPEC
from made_tables import pa
from robustness import Watch, in_child

pytestmark = pytest.mark.slow

ODD_TYPES = (
    *("timestamp[us]", "date32", "time32[s]", "duration[ns]", "binary", "string", "large_string", "bool", "float16"),
    *("float", "double", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "null"),
)
ODD_VALUES = (
    *(None, -1, 2**63 - 1, -(2**63), 2**64 - 1, 0.5, float("nan"), float("inf"), True, "", "x" * 300, "a\0", b"\xff"),
    *([], [1], [None], {}, {"a": 1}, [[1]], "\U0010ffff"),
)


# Changes --------------------------------------------------------------------------------------------------------------


def other_type(source: random.Random, table: Any) -> Any:
    """A column in another type, its values too where they do not fit."""
    place = source.randrange(table.num_columns)
    kind = source.choice([pa.type_for_alias(name) for name in ODD_TYPES] + [pa.decimal128(38, 2), pa.list_(pa.int8())])
    try:
        column = table.column(place).cast(kind, safe=source.random() < 0.5)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        column = pa.nulls(table.num_rows, kind)
    return table.set_column(place, table.column_names[place], column)


def odd_column(source: random.Random, table: Any) -> Any:
    """A column all of one odd value."""
    place, value = source.randrange(table.num_columns), source.choice(ODD_VALUES)
    kind = pa.uint64() if value == 2**64 - 1 else None
    return table.set_column(place, table.column_names[place], pa.array([value] * table.num_rows, kind))


def nulls(source: random.Random, table: Any) -> Any:
    place = source.randrange(table.num_columns)
    column, mask = table.column(place).combine_chunks(), [source.random() < 0.3 for _ in range(table.num_rows)]
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.nulls(0)
    try:
        column = pa.compute.if_else(pa.array(mask, pa.bool_()), pa.scalar(None, column.type), column)
    except pa.ArrowNotImplementedError:
        return table
    return table.set_column(place, table.column_names[place], column)


def without(source: random.Random, table: Any) -> Any:
    return table.remove_column(source.randrange(table.num_columns))


def renamed(source: random.Random, table: Any) -> Any:
    names = table.column_names
    names[source.randrange(len(names))] = source.choice([*names, "", "ä", "id", "rank", "name"])
    return table.rename_columns(names)


def shuffled(source: random.Random, table: Any) -> Any:
    return table.take(source.choices(range(table.num_rows), k=source.randint(0, 2 * table.num_rows)))


def chunks(source: random.Random, table: Any) -> Any:
    """Each column cut elsewhere, and some rows left out."""
    cut = source.randint(0, table.num_rows)
    return pa.concat_tables([table[cut:], table[:0], table[: source.randint(0, cut)]])


CHANGES: Sequence[Callable[[random.Random, Any], Any]] = (
    *(other_type, other_type, odd_column, odd_column, nulls, without, renamed, shuffled, chunks),
)


def changed(source: random.Random, table: Any) -> Any:
    for _ in range(source.randint(1, 4)):
        if table.num_rows and table.num_columns > 1:
            try:
                table = source.choice(CHANGES)(source, table)
            except (pa.ArrowException, KeyError):  # a type that cannot be sorted or joined, a name that is there twice
                continue
    return table


# What comes of it -----------------------------------------------------------------------------------------------------


def written(module: str, table: Any) -> bytes:
    file = io.BytesIO()
    headers = {name: packed.HEADERS[name] for name in packed.HEADERS if name == module}
    darrow.write(file, {module: table}, job={"nprocs": 4, "end_time_sec": 1}, headers=headers, strict=False)
    return file.getvalue()


def plain(kind: str | None, value: Any) -> Any:
    """A number as the column has it; NaN among whole numbers is a missing one."""
    if kind in (None, "uuid") or value is None:
        return value
    if kind != "f64" and value != value:
        return None
    return float(value) if kind == "f64" else int(value)


def complaint(module: str, table: Any, data: bytes) -> str | None:
    """What is written and not what was given."""
    log = logwriter.Log.parse(data)
    read = darrow.open(data, strict=False)
    if errors := [p.message for p in read.verify() if p.severity == "error"]:
        return f"errors in the written log: {errors[0]}"
    if not table.num_rows:
        return None if log.modules.get(module, (0, b""))[1] in (b"", packed.region(module, [])[1]) else "not empty"
    if SPEC.modules[module]["kind"] != "fixed":
        again = written(module, read[module].to_arrow())
        return None if logwriter.Log.parse(again).modules == log.modules else "not the same once more"
    kinds = SPEC.columns(module)
    rows = [{name: plain(kinds.get(name), value) for name, value in row.items()} for row in table.to_pylist()]
    if "id" not in rows[0]:
        rows = [row | {"id": darrow.record_id(row["name"])} for row in rows]
    try:
        region = packed.region(module, rows)
    except Exception as error:
        return f"what cannot be packed was written: {error}"
    return None if log.modules == {module: region} else "other bytes"


def mutate(modules: Sequence[str], seeds: Sequence[int]) -> tuple[dict[str, int], list[str]]:
    """How often tables were written and refused, and what went wrong."""
    watch, counts, wrong = Watch(), Counter[str](), []
    for module in modules:
        for seed in range(*seeds):
            watch(f"{module} {seed}")
            source = random.Random(f"{module} {seed}")
            table = changed(source, made_tables.arrow_table(source, made_tables.random_rows(module, source, 4)))
            try:
                data = written(module, table)
            except (ValueError, TypeError) as error:
                counts["refused"] += 1
                if "\n" in str(error) or not str(error).startswith((module, "names")):
                    wrong.append(f"{module} {seed}: {type(error).__name__}: {error}")
                continue
            counts["written"] += 1
            if told := complaint(module, table, data):
                wrong.append(f"{module} {seed}: {told}")
    return dict(counts), wrong


SMALL = [name for name in SPEC.modules if name not in ("APMPI", "APXC")]


def test_changed_tables() -> None:
    counts, wrong = in_child(mutate, SMALL, [0, 50])
    assert not wrong, "\n".join(wrong[:20])
    assert min(counts["written"], counts["refused"]) > 150


def test_changed_tables_of_many_columns() -> None:
    counts, wrong = in_child(mutate, ["APMPI", "APXC"], [0, 12])
    assert not wrong, "\n".join(wrong[:20])
    assert counts.keys() == {"written", "refused"}
