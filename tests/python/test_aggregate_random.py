"""Aggregates of random records against the plain rules: in any order, in parts, and from states."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import darrow
import made
import plain_metrics
import pytest
from corpus import few
from darrow import _core
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_rules import COMBINING, Combined, Row, columns_of, differs

COUNTS = [0, 0, 1, 2, 3, 4, 100, 5000, -1, -4, 2**40, 2**62, 2**63 - 1]
TIMES = [0.0, 0.0, 0.1, 0.2, 0.3, 1.25, 1e-9, 7e5, -1.0, -0.5, math.nan, math.inf, 1e12, 2e12, 5e-324, 1e-60]
RANKS = [0, 0, 1, 2, 3, 9, -1, -1, -2, 2**40]

# Where records tie, the first one counts.
TIES = ("_MAX_READ_TIME_SIZE", "_MAX_WRITE_TIME_SIZE", "_MAX_DURATION", "_RANK_BYTES")


def random_rows(module: str, seed: int, count: int) -> list[Row]:
    """Records of few files, with few counters that are not 0."""
    source = random.Random(seed)
    fixed = ("id", "rank", "pool_uuid", "cont_uuid", "MDHIM_SERVERS")
    names = [name for name in columns_of(module) if name not in fixed]
    files = source.sample([1, 2, 2**63 + 5], source.choice([1, 1, 2, 3]))
    wild = source.random() < 0.5  # else all values can be true
    counts, times = (COUNTS, TIMES) if wild else ([0, 1, 2, 3, 4, 100], [0.0, 0.1, 0.2, 0.3, 1.25])
    rows = []
    for _ in range(count):
        row: Row = {"id": source.choice(files), "rank": source.choice(RANKS)}
        for name in source.sample(names, source.randint(0, len(names))):
            if name.startswith("oid_") or name in ("file_rec_id", "POSIX_RENAMED_FROM"):
                row[name] = source.choice([0, 1, 2**63 - 1])
            else:
                row[name] = source.choice(times if "_F_" in name else counts)
        if module == "MDHIM":
            row["servers"] = [source.choice(counts) for _ in range(source.randint(1, 4))]
            row["MDHIM_SERVERS"] = len(row["servers"])
        rows.append(row)
    return rows


def values_of(parts: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Aggregate and missing values of `_core.Accumulator.parts()`."""
    record, missing, _problems = parts
    return (
        {name: record.column(name, False)[0] for name in record.columns},
        {name: missing.column(name, False)[0] for name in missing.columns},
    )


def compare(ours: dict[str, Any], theirs: dict[str, Any], but: Sequence[str] = ()) -> list[str]:
    return [
        f"{name}: ours {ours[name]!r}, theirs {value!r}"
        for name, value in theirs.items()
        if differs(name, ours[name], value) and not name.endswith(tuple(but))
    ]


@pytest.mark.parametrize("module", COMBINING)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 8))
@settings(max_examples=40, deadline=None, database=None)
def test_random_records(module: str, seed: int, count: int) -> None:
    rows = random_rows(module, seed, count)
    log = made.log_of({module: rows}, strict=False)
    aggregate = log[module].aggregate()
    plain = Combined(module, made.combined_rows(module, rows))
    ours, missing = aggregate.to_pylist()[0], aggregate.missing.to_pylist()[0]
    assert set(ours) == set(plain.values) | set(plain.lists)
    rough = tuple(plain.rough)
    wrong = compare(ours, plain.values | plain.lists, rough) + compare(missing, plain.missing)
    assert not wrong, few(wrong)

    core = log._source.core
    whole = _core.Accumulator.of(core, module)
    for batch in (1, 3):
        assert not compare(values_of(_core.Accumulator.of(core, module, batch_rows=batch).parts())[0], ours)
    loose = TIES + rough
    assert_parts_make_the_whole(core, module, [{"ranks": [rank]} for rank in {row["rank"] for row in rows}], loose)
    assert_parts_make_the_whole(core, module, [{"ids": [key]} for key in {row["id"] for row in rows}], loose)

    again = _core.Accumulator.from_state(whole.state())
    assert again.state() == whole.state()
    assert str(values_of(again.parts())) == str(values_of(whole.parts()))

    shuffled = random.Random(seed).sample(rows, len(rows))
    other = made.records_of(module, shuffled, strict=False).aggregate()
    assert not compare(other.to_pylist()[0], ours, loose)


@pytest.mark.parametrize("module", COMBINING)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 8), nprocs=st.sampled_from([0, 1, 2, 4]))
@settings(max_examples=40, deadline=None, database=None)
def test_random_metrics(module: str, seed: int, count: int, nprocs: int) -> None:
    """Against a plain computation, and the same from records of single ranks, one after the other."""
    rows = random_rows(module, seed, count)
    log = made.log_of({module: rows}, strict=False, nprocs=nprocs)
    pairs = plain_metrics.pairs(darrow.metrics(log[module]), module, made.combined_rows(module, rows), nprocs)
    wrong = [f"{key}: ours {ours!r}, theirs {theirs!r}" for key, ours, theirs in pairs if differs(key, ours, theirs)]
    assert not wrong, few(wrong)

    core = log._source.core
    first, *others = (_core.Activity.of(core, module, ranks=[rank]) for rank in {row["rank"] for row in rows})
    for other in others:
        first.merge(_core.Activity.from_state(other.state()))
    for ours, theirs in zip(first.tables(), _core.Activity.of(core, module).tables(), strict=True):
        assert [ours.column(c, False) for c in ours.columns] == [theirs.column(c, False) for c in theirs.columns]


def assert_parts_make_the_whole(
    core: Any, module: str, parts: Sequence[dict[str, Any]], loose: tuple[str, ...]
) -> None:
    whole = values_of(_core.Accumulator.of(core, module).parts())
    first, *others = (_core.Accumulator.of(core, module, **part) for part in parts)
    for other in others:
        first.merge(_core.Accumulator.from_state(other.state()))
    merged = values_of(first.parts())
    assert not compare(merged[0], whole[0], loose)
    assert merged[1] == whole[1]
